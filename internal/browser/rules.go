package browser

import (
	"net"
	"net/url"
	"strings"

	"github.com/legwork-mcp/legwork/internal/fault"
	"github.com/legwork-mcp/legwork/internal/reach"
)

// rules are a policy in a form that is quick to ask. Hosts are written as
// "host:port" in lower case.
type rules struct {
	Policy
	allow, only map[string]bool
	hosts       map[string]string
}

func compile(p Policy) (*rules, error) {
	r := &rules{Policy: p, hosts: map[string]string{}}
	var err error
	if r.allow, err = originSet(p.AllowOrigins); err != nil {
		return nil, err
	}
	if r.only, err = originSet(p.OnlyOrigins); err != nil {
		return nil, err
	}
	for from, to := range p.Hosts {
		r.hosts[plain(from)] = to
	}
	return r, nil
}

func originSet(list []string) (map[string]bool, error) {
	set := make(map[string]bool, len(list))
	for _, text := range list {
		u, err := url.Parse(text)
		if err != nil || u.Host == "" || defaultPorts[u.Scheme] == "" {
			return nil, fault.New(fault.Invalid, "", "The origin "+shorten(text)+" cannot be read.",
				"Write origins as scheme, host and port: https://www.example.gov or http://127.0.0.1:8099.")
		}
		set[hostPort(u)] = true
	}
	return set, nil
}

var defaultPorts = map[string]string{"http": "80", "https": "443", "ws": "80", "wss": "443"}

// hostPort is the "host:port" that an address leads to.
func hostPort(u *url.URL) string {
	port := u.Port()
	if port == "" {
		port = defaultPorts[u.Scheme]
	}
	return plain(net.JoinHostPort(u.Hostname(), port))
}

// plain writes a "host:port" in the one way in which it is compared.
func plain(hostport string) string {
	host, port, err := net.SplitHostPort(hostport)
	if err != nil {
		return strings.ToLower(hostport)
	}
	return net.JoinHostPort(strings.TrimSuffix(strings.ToLower(host), "."), port)
}

// refusal is the error of a host that may not be reached.
type refusal struct {
	code string
}

func (r *refusal) Error() string { return "refused: " + r.code }

// The codes of the refusals that have nothing to do with an address's place.
const (
	codeOrigin = "origin"
	codeLimit  = "limit"
)

// words say what is behind a code, or nothing for one that is not known.
func (r *rules) words(code string) string {
	switch code {
	case codeOrigin:
		return "it is not one of the origins that this errand may use"
	case codeLimit:
		return "this errand has loaded all the " + bytesText(r.MaxBytes) + " that it may"
	}
	return reach.Why(code)
}

// permitted decides what can be decided by name. An override is where to dial
// instead; trusted hosts may have any address.
func (r *rules) permitted(hostport string) (override string, trusted bool, err error) {
	if len(r.only) > 0 && !r.only[hostport] {
		return "", false, &refusal{codeOrigin}
	}
	if to := r.hosts[hostport]; to != "" {
		return to, true, nil
	}
	return "", r.AllowPrivate || r.allow[hostport], nil
}
