package crawl

import (
	"fmt"
	"net/netip"
	"net/url"
	"strings"

	"golang.org/x/net/idna"
)

// maxAddress is the longest address that is followed, in bytes. RFC 9110, section
// 4.1, recommends 8000 for everybody; browsers and servers of today stop between
// 2,083 and 8,192, and pages of people are far below.
const maxAddress = 4096

// addressRules says how far addresses are folded.
type addressRules struct {
	fold       bool // leave tracking parameters and the order of parameters aside
	hashRoutes bool // "#/x" and "#!x" are pages of their own
}

// address is one address in its normal form.
type address struct {
	url   string   // what is loaded
	full  string   // the same with its tracking parameters
	key   string   // equal for addresses that are surely the same page
	alike string   // equal for addresses that may be the same page
	u     *url.URL // url, parsed
}

// refused is why text in a link is no address to follow.
type refused struct {
	reason Reason
	detail string
}

func (r *refused) Error() string { return string(r.reason) + ": " + r.detail }

// parse reads what stands in a link, relative to base, as browsers do (the WHATWG
// URL standard), into the normal form of RFC 3986, section 6.
func (r addressRules) parse(raw string, base *url.URL) (address, error) {
	text := tidy(raw)
	if len(text) > maxAddress {
		return address{}, &refused{ReasonTooLong, fmt.Sprintf("%d bytes", len(text))}
	}
	if scheme := schemeOf(text); scheme != "" && scheme != "http" && scheme != "https" {
		return address{}, &refused{ReasonScheme, scheme}
	}
	u, err := url.Parse(escapeIllegal(forwardSlashes(text)))
	if err != nil {
		return address{}, &refused{ReasonInvalid, "not an address"}
	}
	if base != nil {
		u = base.ResolveReference(u)
	}
	if err := r.normalise(u); err != nil {
		return address{}, err
	}
	return r.address(u)
}

// normalise changes u to its normal form.
func (r addressRules) normalise(u *url.URL) error {
	u.Scheme = strings.ToLower(u.Scheme)
	if u.Scheme != "http" && u.Scheme != "https" {
		return &refused{ReasonScheme, u.Scheme}
	}
	host, err := normalHost(u)
	if err != nil {
		return err
	}
	u.Host, u.User, u.Opaque = host, nil, ""
	path := withoutDots(normalEscapes(u.EscapedPath()))
	if path == "" {
		path = "/"
	}
	if err := setPath(u, path); err != nil {
		return err
	}
	u.RawQuery, u.ForceQuery = normalEscapes(u.RawQuery), false
	if f := u.EscapedFragment(); !r.hashRoutes || !strings.HasPrefix(f, "/") && !strings.HasPrefix(f, "!") {
		u.Fragment, u.RawFragment = "", ""
	}
	return nil
}

// address makes the forms of an address whose URL is normal.
func (r addressRules) address(u *url.URL) (address, error) {
	a := address{full: u.String(), u: u}
	if len(a.full) > maxAddress {
		return address{}, &refused{ReasonTooLong, fmt.Sprintf("%d bytes", len(a.full))}
	}
	if r.fold {
		folded := *u
		folded.RawQuery = withoutTracking(u.RawQuery)
		if err := setPath(&folded, withoutSession(u.EscapedPath())); err != nil {
			return address{}, err
		}
		a.u = &folded
	}
	a.url = a.u.String()
	key := *a.u
	if r.fold {
		key.RawQuery = ordered(key.RawQuery)
	}
	a.key = key.String()
	a.alike = strings.TrimPrefix(key.Host, "www.") + alikePath(key.EscapedPath()) + "?" + key.RawQuery + "#" + key.EscapedFragment()
	return a, nil
}

func setPath(u *url.URL, escaped string) error {
	if escaped == "" {
		escaped = "/"
	}
	path, err := url.PathUnescape(escaped)
	if err != nil {
		return &refused{ReasonInvalid, "not an address"}
	}
	u.Path, u.RawPath = path, escaped
	return nil
}

// normalHost is the host in lower case, internationalised names in their ASCII form
// (UTS #46), without the port that the scheme has anyway.
func normalHost(u *url.URL) (string, error) {
	name := strings.TrimSuffix(strings.ToLower(u.Hostname()), ".")
	if name == "" {
		return "", &refused{ReasonInvalid, "no host"}
	}
	if strings.Contains("."+name+".", "..") {
		return "", &refused{ReasonInvalid, "not a host name"}
	}
	switch {
	case strings.Contains(name, ":"):
		ip, err := netip.ParseAddr(name)
		if err != nil || ip.Zone() != "" || !strings.HasPrefix(u.Host, "[") {
			return "", &refused{ReasonInvalid, "not an IP address"}
		}
		name = "[" + ip.String() + "]"
	case !plainHost(name):
		ascii, err := idna.Lookup.ToASCII(name)
		if err != nil {
			return "", &refused{ReasonInvalid, "not a host name"}
		}
		name = ascii
	}
	port := strings.TrimLeft(u.Port(), "0")
	if port == "" || u.Scheme == "http" && port == "80" || u.Scheme == "https" && port == "443" {
		return name, nil
	}
	return name + ":" + port, nil
}

// plainHost reports a name of ASCII letters, digits, hyphens, underscores and dots,
// which stays as it is: hosts inside organisations have underscores, and IDNA none.
func plainHost(name string) bool {
	return strings.Trim(name, "abcdefghijklmnopqrstuvwxyz0123456789-_.") == ""
}

// tidy removes what browsers remove: spaces and control characters around, tabs and
// line ends anywhere.
func tidy(raw string) string {
	raw = strings.TrimFunc(raw, func(r rune) bool { return r <= ' ' })
	return strings.NewReplacer("\t", "", "\n", "", "\r", "").Replace(raw)
}

// forwardSlashes turns the backslashes before the query, as browsers do.
func forwardSlashes(s string) string {
	end := strings.IndexAny(s, "?#")
	if end < 0 {
		end = len(s)
	}
	return strings.ReplaceAll(s[:end], `\`, "/") + s[end:]
}

// schemeOf is the scheme that a link begins with, in lower case, or empty.
func schemeOf(s string) string {
	for i := 0; i < len(s); i++ {
		c := s[i] | 0x20
		switch {
		case s[i] == ':' && i > 0:
			return strings.ToLower(s[:i])
		case 'a' <= c && c <= 'z':
		case i > 0 && ('0' <= s[i] && s[i] <= '9' || strings.IndexByte("+-.", s[i]) >= 0):
		default:
			return ""
		}
	}
	return ""
}
