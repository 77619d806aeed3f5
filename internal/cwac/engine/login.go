package engine

import (
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/legwork-mcp/legwork/internal/browser"
	"github.com/legwork-mcp/legwork/internal/lazyregexp"
)

// Login is how a scan gets behind a login: the "login" member of the configuration's
// "legwork" block. All of it is secret: it is never logged, and no results folder
// holds it.
type Login struct {
	// Headers are sent to an origin such as "https://example.org", and to no other.
	Headers map[string]map[string]string `json:"headers"`
	// Cookies are there from the start.
	Cookies []Cookie `json:"cookies"`
	// StateFile is a file with cookies and local storage as Playwright saves them
	// (storageState).
	StateFile string `json:"state_file"`
	// Steps are gone through in the browser before the first page, and again when the
	// session is lost.
	Steps []LoginStep `json:"steps"`
	// Lost says how a page looks when the session is over.
	Lost LostSession `json:"lost"`
	// File is a file that holds all of this in the place of the configuration, so that
	// no secret is copied into one. It stands alone.
	File string `json:"file"`

	storage map[string]map[string]string // of the state file
}

// Cookie is one cookie, with the names of Playwright's storageState.
type Cookie struct {
	Name     string  `json:"name"`
	Value    string  `json:"value"`
	URL      string  `json:"url,omitempty"`
	Domain   string  `json:"domain,omitempty"`
	Path     string  `json:"path,omitempty"`
	Expires  float64 `json:"expires,omitempty"` // seconds since 1970; -1 or 0: with the session
	HTTPOnly bool    `json:"httpOnly,omitempty"`
	Secure   bool    `json:"secure,omitempty"`
	SameSite string  `json:"sameSite,omitempty"`
}

// The actions of a login.
const (
	StepGoto  = "goto"  // load Value, an address
	StepFill  = "fill"  // put Value into the field that Selector finds
	StepPress = "press" // press the key Value ("Enter"), in the field of Selector if there is one
	StepClick = "click" // click what Selector finds
	StepWait  = "wait"  // wait until Selector finds something, or the address contains Value
)

// LoginStep is one action.
type LoginStep struct {
	Action   string `json:"action"`
	Selector string `json:"selector,omitempty"`
	Value    string `json:"value,omitempty"`
}

// LostSession is how a page looks when the session is over. Each that is given is
// enough; none given, only a redirect to the page of the first goto counts.
type LostSession struct {
	URL      string `json:"url"`      // part of the address
	Selector string `json:"selector"` // finds something, such as the login form
	Text     string `json:"text"`     // part of the visible text
}

const maxSteps = 50

var headerName = lazyregexp.New("^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,100}$") // RFC 9110, section 5.1: a token

// ofConnection are headers that belong to a connection or to its browser: with one of a
// login every request would wait for a body, or go astray.
var ofConnection = []string{
	"Connection", "Content-Length", "Expect", "Host", "Keep-Alive", "Proxy-Connection", "Te", "Trailer", "Transfer-Encoding", "Upgrade",
}

// problems never quote a value.
func (l *Login) problems() []string {
	var wrong []string
	add := func(bad bool, format string, args ...any) {
		if bad {
			wrong = append(wrong, fmt.Sprintf(format, args...))
		}
	}
	for _, origin := range slices.Sorted(maps.Keys(l.Headers)) {
		u, err := url.Parse(origin)
		add(err != nil || !isOrigin(u) || origin != u.Scheme+"://"+u.Host, "headers: one is for no origin such as https://example.org, in small letters and without the usual port")
		for name, value := range l.Headers[origin] {
			add(!headerName.MatchString(name) || strings.ContainsAny(value, "\r\n\x00"), "headers: %.40q is no header", name)
			add(slices.Contains(ofConnection, http.CanonicalHeaderKey(name)), "headers: %s belongs to the connection and cannot be set", name)
		}
	}
	for i, c := range l.Cookies {
		add(c.Name == "" || c.URL == "" && c.Domain == "", "cookies: number %d needs a name, and a url or a domain", i+1)
		add(!c.sound(), "cookies: number %d holds a character that no cookie may hold", i+1)
		add(!slices.Contains([]string{"", "Strict", "Lax", "None"}, c.SameSite), "cookies: the sameSite of number %d must be Strict, Lax or None", i+1)
	}
	add(len(l.Steps) > maxSteps, "steps: there are more than %d", maxSteps)
	for i, s := range l.Steps {
		switch s.Action {
		case StepGoto:
			u, err := url.Parse(s.Value)
			add(err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "", "steps: number %d needs an address as its value", i+1)
		case StepFill, StepClick:
			add(s.Selector == "", "steps: number %d needs a selector", i+1)
		case StepPress:
			add(s.Value == "", "steps: number %d needs the name of a key as its value", i+1)
		case StepWait:
			add(s.Selector == "" && s.Value == "", "steps: number %d needs a selector, or a part of an address as its value", i+1)
		default:
			add(true, "steps: the action of number %d must be goto, fill, press, click or wait", i+1)
		}
	}
	return wrong
}

// sound reports a cookie that a server could have set (RFC 6265, section 5.2): browsers
// refuse another one, and with it the whole scan.
func (c Cookie) sound() bool {
	breaks := func(r rune) bool { return r == ';' || r < ' ' && r != '\t' || r == 0x7f }
	return !strings.ContainsFunc(c.Name, func(r rune) bool { return breaks(r) || r == '=' }) && !strings.ContainsFunc(c.Value, breaks) &&
		!strings.ContainsFunc(c.Domain, breaks) && !strings.ContainsFunc(c.Path, breaks)
}

// isOrigin reports an address in the form in which the origins of requests are
// compared with it: another form of the same origin would never get its headers.
func isOrigin(u *url.URL) bool {
	usual := u.Scheme == "http" && u.Port() == "80" || u.Scheme == "https" && u.Port() == "443"
	return (u.Scheme == "http" || u.Scheme == "https") && u.Hostname() != "" && u.Host == strings.ToLower(u.Host) && !usual
}

// dress gives the options of a tab what the login has from the start.
func (l *Login) dress(o *browser.TabOptions) {
	if l == nil {
		return
	}
	o.Headers, o.Storage = l.Headers, l.storage
	for _, c := range l.Cookies {
		cookie := browser.Cookie{
			Name: c.Name, Value: c.Value, URL: c.URL, Domain: c.Domain, Path: c.Path, Secure: c.Secure, HTTPOnly: c.HTTPOnly, SameSite: c.SameSite,
		}
		if c.Expires > 0 {
			cookie.Expires = time.Unix(int64(c.Expires), 0)
		}
		o.Cookies = append(o.Cookies, cookie)
	}
}
