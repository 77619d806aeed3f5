package login

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"strings"
)

// mostAnswer is the most that is read of an answer, in bytes.
const mostAnswer = 1 << 20

// mostHops bounds the redirects of a request for metadata.
const mostHops = 3

// answer is what came back of a request.
type answer struct {
	step   Step // method, address, status and time are filled in
	status int
	kind   string // media type
	body   []byte
	object map[string]any // when the body is a JSON object
}

// get gets a document. A redirect is followed on the same host only.
func (l *Login) get(ctx context.Context, name Name, address string) (*answer, error) {
	for hop := 0; ; hop++ {
		req, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
		if err != nil {
			return nil, fmt.Errorf("make a request for metadata: %w", err)
		}
		a, location, err := l.do(req, name)
		if err != nil || location == "" {
			return a, err
		}
		to, err := req.URL.Parse(location)
		a.step.Outcome, a.step.Facts = Warning, []Fact{{"location", location}}
		if err != nil || to.Host != req.URL.Host || to.Scheme != req.URL.Scheme || hop >= mostHops {
			a.step.Detail = "The redirect is not followed: it leads to another host, or round in circles."
			return a, nil
		}
		a.step.Detail = "The server redirects; not every client follows."
		l.rec.add(a.step)
		address = to.String()
	}
}

// outgoing is something to be posted.
type outgoing struct {
	name    Name
	address string
	header  http.Header
	body    []byte
}

// post sends a form or JSON.
func (l *Login) post(ctx context.Context, out outgoing) (*answer, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, out.address, bytes.NewReader(out.body))
	if err != nil {
		return nil, fmt.Errorf("make a request to the authorization server: %w", err)
	}
	for k, v := range out.header {
		req.Header[k] = v
	}
	a, _, err := l.do(req, out.name)
	return a, err
}

// do makes one request and reads its answer; location is where a redirect leads to.
func (l *Login) do(req *http.Request, name Name) (a *answer, location string, err error) {
	ctx, cancel := context.WithTimeout(req.Context(), l.o.Timeout)
	defer cancel()
	req = req.WithContext(ctx)
	req.Header.Set("Accept", "application/json")
	req.Header.Set("User-Agent", "legwork-mcptest")
	// 2025-03-26 wants it on requests for metadata, and nobody minds it elsewhere
	req.Header.Set("Mcp-Protocol-Version", "2025-11-25")
	a = &answer{step: Step{Name: name, At: l.o.Now(), Outcome: OK, Method: req.Method, URL: req.URL.Redacted()}}
	defer func() { a.step.Millis = l.o.Now().Sub(a.step.At).Milliseconds() }()
	res, err := l.client.Do(req)
	if err != nil {
		return a, "", bare(err)
	}
	defer func() { _ = res.Body.Close() }() // what matters was read
	a.step.Status, a.status = res.StatusCode, res.StatusCode
	kind, _, _ := strings.Cut(res.Header.Get("Content-Type"), ";")
	a.kind = strings.ToLower(strings.TrimSpace(kind))
	a.body, err = io.ReadAll(io.LimitReader(res.Body, mostAnswer+1))
	if err != nil {
		return a, "", bare(err)
	}
	if len(a.body) > mostAnswer {
		return a, "", fmt.Errorf("the answer has more than %d bytes", mostAnswer)
	}
	var object map[string]any
	if json.Unmarshal(a.body, &object) == nil {
		a.object = object
	}
	if res.StatusCode/100 == 3 && req.Method == http.MethodGet {
		location = res.Header.Get("Location")
	}
	return a, location, nil
}

// bare takes the address out of the error of a request: the step has it, and it may
// hold what must not be shown.
func bare(err error) error {
	var u *url.Error
	if errors.As(err, &u) {
		return u.Err
	}
	return err
}

// isSafe reports whether secrets may go to an address: one with TLS or of this machine
// (MCP 2025-11-25, Authorization, Communication Security). Where the server under test
// itself is reached without TLS, whoever tests it has chosen to do so.
func (l *Login) isSafe(address string) bool {
	u, err := url.Parse(address)
	if err != nil || u.Host == "" || u.User != nil {
		return false
	}
	return u.Scheme == "https" || u.Scheme == "http" && (isLoopback(u.Hostname()) || l.at.Scheme == "http")
}

func isLoopback(host string) bool {
	ip, err := netip.ParseAddr(strings.Trim(host, "[]"))
	return host == "localhost" || strings.HasSuffix(host, ".localhost") || err == nil && ip.IsLoopback()
}

// text is a member of an object that is a string.
func text(o map[string]any, name string) string {
	s, _ := o[name].(string)
	return s
}

// texts are the strings of a member that is an array.
func texts(o map[string]any, name string) []string {
	all, _ := o[name].([]any)
	out := make([]string, 0, len(all))
	for _, v := range all {
		if s, ok := v.(string); ok {
			out = append(out, s)
		}
	}
	return out
}

// sameAddress compares two addresses as RFC 3986, 6.2.2 and 6.2.3 do: case of scheme and
// host, default ports and an empty path make no difference.
func sameAddress(a, b string) bool {
	x, y := plain(a), plain(b)
	return x != "" && x == y
}

func plain(address string) string {
	u, err := url.Parse(address)
	if err != nil || u.Host == "" || u.Fragment != "" {
		return ""
	}
	host, port := strings.ToLower(u.Hostname()), u.Port()
	scheme := strings.ToLower(u.Scheme)
	if port != "" && !(scheme == "https" && port == "443") && !(scheme == "http" && port == "80") {
		host = net.JoinHostPort(host, port)
	}
	path := strings.TrimSuffix(u.EscapedPath(), "/")
	query := u.RawQuery
	if query != "" {
		query = "?" + query
	}
	return scheme + "://" + host + path + query
}
