package rest

import (
	"bytes"
	"encoding/json"
	"errors"
	"net/http"
	"net/url"
	"strings"

	"github.com/legwork-mcp/legwork/internal/fault"
)

// maxID is more than any id has.
const maxID = 200

// target is the whole address of a request. An id that would leave its place in the
// path, such as "..", is refused: a server may resolve it after it was escaped.
func (c *Client) target(r call) (string, error) {
	path := r.pattern
	for _, id := range r.ids {
		if id == "" || id == "." || id == ".." || len(id) > maxID {
			return "", fault.New(fault.Invalid, "invalid_request", "An id is empty or has a form that no id has.", "Use the id as a tool gave it.")
		}
		path = strings.Replace(path, "{}", url.PathEscape(id), 1)
	}
	out := c.base.String() + path
	if len(r.query) > 0 {
		out += "?" + r.query.Encode()
	}
	return out, nil
}

// payload is the body of a write, with the credentials in it as the contract has them.
func payload(r call) ([]byte, error) {
	if r.method == http.MethodGet {
		return nil, nil
	}
	if r.body == nil {
		r.body = struct{}{}
	}
	raw, err := json.Marshal(r.body)
	if err != nil || r.who.None() {
		return raw, err
	}
	signed, err := json.Marshal(map[string]string{"ai_account_id": r.who.AccountID, "ai_api_key": r.who.APIKey.Reveal()})
	if err != nil {
		return nil, err
	}
	if len(raw) < 2 || raw[0] != '{' {
		return nil, errors.New("the body is no object")
	}
	if string(raw) == "{}" {
		return signed, nil
	}
	return bytes.Join([][]byte{raw[:len(raw)-1], signed[1:]}, []byte(",")), nil
}

// absolute is the address of a file of the board, "" when it is none that a program
// should open.
func (c *Client) absolute(link string) string {
	if link == "" {
		return ""
	}
	u, err := url.Parse(link)
	if err != nil {
		return ""
	}
	if u.Scheme == "" && u.Host == "" && strings.HasPrefix(u.Path, "/") {
		whole := *c.base
		whole.Path, whole.RawPath, whole.RawQuery = u.Path, u.RawPath, u.RawQuery
		return whole.String()
	}
	if u.Scheme != "https" && u.Scheme != "http" || u.Host == "" || u.User != nil {
		return ""
	}
	return u.String()
}
