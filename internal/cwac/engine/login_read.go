package engine

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"

	"github.com/legwork-mcp/legwork/internal/fault"
	"github.com/legwork-mcp/legwork/internal/nearest"
)

const maxLogin = 1 << 20 // bytes of a file

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
		if l.StateFile != "" && !filepath.IsAbs(l.StateFile) { // whatever folder the scan is started in
			l.StateFile = filepath.Join(filepath.Dir(path), l.StateFile)
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
	if len(l.Headers) == 0 && len(l.Cookies) == 0 && len(l.storage) == 0 && len(l.Steps) == 0 {
		return nil, loginFault("it holds no headers, no cookies, no state_file and no steps, so that nobody would be logged in")
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

// members are what a login may hold, in the order of [Login].
var members = []string{"headers", "cookies", "state_file", "steps", "lost", "file"}

// decodeLogin reads the JSON of a login. What is wrong is told without a word of it but
// the members that there are.
func decodeLogin(raw []byte) (Login, error) {
	raw = bytes.TrimPrefix(raw, []byte("\ufeff"))
	var given map[string]json.RawMessage
	if err := json.Unmarshal(raw, &given); err != nil {
		return Login{}, loginFault(notJSON(raw, err))
	}
	for name := range given {
		switch {
		case slices.Contains(members, name):
		case name == "redacted":
			return Login{}, loginFault("it was left out of the copy of the configuration in a results folder; give it again")
		case name == "origins" && given["cookies"] != nil:
			return Login{}, loginFault(`it is the session that Playwright saved; name that file in a login, as {"state_file": "PATH"}`)
		default:
			return Login{}, loginFault(noMember(name))
		}
	}
	var l Login
	dec := json.NewDecoder(bytes.NewReader(raw))
	dec.DisallowUnknownFields()
	if err := dec.Decode(&l); err != nil { // the parser's own words may quote a secret
		for _, name := range members {
			one, err := json.Marshal(map[string]json.RawMessage{name: given[name]})
			if err == nil && given[name] != nil && json.Unmarshal(one, new(Login)) != nil {
				return Login{}, loginFault("the value of " + name + " has a wrong type")
			}
		}
		return Login{}, loginFault("a cookie, a step or lost holds something that it does not have")
	}
	return l, nil
}

// notJSON says where a text stops to be the JSON of an object.
func notJSON(raw []byte, err error) string {
	var syntax *json.SyntaxError
	if len(bytes.TrimSpace(raw)) == 0 {
		return "it is empty"
	}
	if !errors.As(err, &syntax) {
		return "it is no JSON object"
	}
	before := raw[:min(int(syntax.Offset), len(raw))]
	return fmt.Sprintf("it is no JSON from line %d on", 1+bytes.Count(before, []byte("\n")))
}

func noMember(name string) string {
	why := "it holds something else than " + strings.Join(members, ", ")
	if near := nearest.Name(name, members); near != "" {
		why += "; " + near + " may be meant"
	}
	return why
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
	if err := json.Unmarshal(bytes.TrimPrefix(raw, []byte("\ufeff")), &state); err != nil {
		return loginFault("state_file is no storageState")
	}
	if len(state.Cookies) == 0 && len(state.Origins) == 0 {
		return loginFault("state_file holds no cookies and no origins, as the storageState of somebody who is logged in does")
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
