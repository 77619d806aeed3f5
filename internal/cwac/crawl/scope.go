package crawl

import (
	"net"
	"net/url"
	"strings"

	"golang.org/x/net/publicsuffix"
)

// area is the part of the web under one base URL: its host, with and without
// "www.", and its path as a prefix that ends at a border.
type area struct {
	host string // without "www."
	port string // empty: the usual one of http or https
	path string // without a slash at the end
}

// areaOf takes the folder of a base URL whose path names a file, and the path
// itself otherwise.
func areaOf(u *url.URL) area {
	path := strings.TrimRight(u.EscapedPath(), "/")
	if at := strings.LastIndexByte(path, '/'); at >= 0 && strings.Contains(path[at:], ".") {
		path = path[:at]
	}
	return area{strings.TrimPrefix(u.Hostname(), "www."), u.Port(), strings.TrimRight(path, "/")}
}

func (a area) sameHost(u *url.URL) bool {
	return strings.TrimPrefix(u.Hostname(), "www.") == a.host && u.Port() == a.port
}

// admits reports an address at or below the base URL: "/abc" admits "/abc" and
// "/abc/d", never "/abcdef".
func (a area) admits(u *url.URL) bool {
	if !a.sameHost(u) {
		return false
	}
	rest, ok := strings.CutPrefix(u.EscapedPath(), a.path)
	return ok && (rest == "" || rest[0] == '/')
}

// scope decides which addresses belong to a crawl.
type scope struct {
	area
	others           []area // of the other base URLs of the list
	include, exclude []choice
}

// choice is a pattern of the caller that narrows a crawl, and whether anything
// ever matched it.
type choice struct {
	pattern
	said  string
	whole bool // it is matched with the whole address, not with path and query
	used  bool
}

func newChoices(said []string) []choice {
	var list []choice
	for _, s := range said {
		whole := strings.Contains(s, "://")
		body := s
		if !whole && !strings.HasPrefix(s, "/") && !strings.HasPrefix(s, "*") {
			body = "/" + s
		}
		list = append(list, choice{newPattern(body), s, whole, false})
	}
	return list
}

func (c *choice) match(a address) bool {
	text := a.url
	if !c.whole {
		text = a.u.RequestURI()
	}
	hit := c.pattern.match(text)
	c.used = c.used || hit
	return hit
}

// judge says why an address does not belong to the crawl; empty when it does.
func (s *scope) judge(a address) (Reason, string) {
	if !s.admits(a.u) {
		if s.sameHost(a.u) && s.path != "" {
			return ReasonOutOfScope, "not below " + s.path + " of the base URL"
		}
		return ReasonOutOfScope, ""
	}
	for _, o := range s.others {
		if len(o.path) > len(s.path) && o.admits(a.u) {
			return ReasonOutOfScope, "belongs to another base URL"
		}
	}
	return s.chosen(a)
}

// chosen applies the patterns. Every pattern is tried, to know which are of use.
func (s *scope) chosen(a address) (Reason, string) {
	in, out := len(s.include) == 0, ""
	for i := range s.include {
		in = s.include[i].match(a) || in
	}
	for i := range s.exclude {
		if s.exclude[i].match(a) {
			out = s.exclude[i].said
		}
	}
	switch {
	case out != "":
		return ReasonExcluded, out
	case !in:
		return ReasonExcluded, "matches no include pattern"
	}
	return "", ""
}

// unused are the patterns that nothing matched.
func (s *scope) unused() []string {
	var list []string
	for _, group := range [][]choice{s.include, s.exclude} {
		for _, c := range group {
			if !c.used {
				list = append(list, c.said)
			}
		}
	}
	return list
}

// follow moves the scope with a base URL that redirects. It goes along within the
// registrable domain only ("example.govt.nz", by the Public Suffix List), and never
// into the part of another base URL: what is behind a redirect to a stranger, such
// as a sign-in service, is not the site that was asked for.
func (s *scope) follow(to *url.URL) bool {
	if s.admits(to) {
		return true
	}
	if !s.sameHost(to) && registrable(s.host) != registrable(to.Hostname()) {
		return false
	}
	for _, o := range s.others {
		if o.admits(to) && len(o.path) >= len(areaOf(to).path) {
			return false
		}
	}
	s.area = areaOf(to)
	return true
}

// registrable is the part of a host name that one owner registers.
func registrable(host string) string {
	if net.ParseIP(host) != nil {
		return host
	}
	domain, err := publicsuffix.EffectiveTLDPlusOne(host)
	if err != nil {
		return host
	}
	return domain
}
