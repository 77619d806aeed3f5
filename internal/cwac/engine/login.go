package engine

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"net/url"
	"os"
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/legwork-mcp/legwork/internal/browser"
	"github.com/legwork-mcp/legwork/internal/fault"
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

const (
	maxLogin = 1 << 20 // bytes of a file
	maxSteps = 50
)

// parseLogin reads the login of a configuration; nil when there is none.
func parseLogin(raw json.RawMessage) (*Login, error) {
	if len(raw) == 0 || string(raw) == "null" {
		return nil, nil
	}
	l, err := decodeLogin(raw)
	if err != nil {
		return nil, err
	}
	if path := l.File; path != "" {
		if !reflect.DeepEqual(l, Login{File: path}) {
			return nil, loginFault("file stands alone")
		}
		if raw, err = readLogin(path, "file"); err != nil {
			return nil, err
		}
		if l, err = decodeLogin(raw); err != nil {
			return nil, err
		}
		if l.File != "" {
			return nil, loginFault("the file names another file")
		}
	}
	if l.StateFile != "" {
		if err := l.readState(); err != nil {
			return nil, err
		}
	}
	if wrong := l.problems(); len(wrong) > 0 {
		return nil, loginFault(strings.Join(wrong, "; "))
	}
	return &l, nil
}

// CheckLogin says what is wrong with a file that holds a login, without a word of what
// it holds.
func CheckLogin(path string) error {
	raw, err := json.Marshal(Login{File: path})
	if err != nil {
		return loginFault("its path cannot be written down")
	}
	_, err = parseLogin(raw)
	return err
}

func decodeLogin(raw []byte) (Login, error) {
	var l Login
	dec := json.NewDecoder(bytes.NewReader(raw))
	dec.DisallowUnknownFields()
	if err := dec.Decode(&l); err != nil {
		return Login{}, loginFault("it cannot be read") // the parser's own words may quote a secret
	}
	return l, nil
}

// readLogin reads one of the files of a login; member is where it is named.
func readLogin(path, member string) ([]byte, error) {
	info, err := os.Stat(path)
	if err != nil || !info.Mode().IsRegular() || info.Size() > maxLogin {
		return nil, loginFault(member + " cannot be read, or has more than 1 MiB")
	}
	raw, err := os.ReadFile(path)
	if err != nil {
		return nil, loginFault(member + " cannot be read")
	}
	return raw, nil
}

func loginFault(why string) error {
	return fault.New(fault.Invalid, "login_invalid", "The login of the scan is wrong: "+why+".",
		"See docs/scanning.md for what a login holds.")
}

// readState adds what a state file holds.
func (l *Login) readState() error {
	raw, err := readLogin(l.StateFile, "state_file")
	if err != nil {
		return err
	}
	var state struct {
		Cookies []Cookie `json:"cookies"`
		Origins []struct {
			Origin       string                         `json:"origin"`
			LocalStorage []struct{ Name, Value string } `json:"localStorage"`
		} `json:"origins"`
	}
	if err := json.Unmarshal(raw, &state); err != nil {
		return loginFault("state_file is no storageState")
	}
	l.Cookies = append(l.Cookies, state.Cookies...)
	for _, o := range state.Origins {
		entries := map[string]string{}
		for _, e := range o.LocalStorage {
			entries[e.Name] = e.Value
		}
		if len(entries) > 0 {
			if l.storage == nil {
				l.storage = map[string]map[string]string{}
			}
			l.storage[o.Origin] = entries
		}
	}
	return nil
}

var headerName = lazyregexp.New("^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,100}$") // RFC 9110, section 5.1: a token

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
		}
	}
	for i, c := range l.Cookies {
		add(c.Name == "" || c.URL == "" && c.Domain == "", "cookies: number %d needs a name, and a url or a domain", i+1)
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
