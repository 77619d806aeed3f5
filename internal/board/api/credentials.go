package api

import (
	"encoding/json"
	"net/http"
	"strings"
)

// The headers of credentials, as the product that the specification describes has
// them. A key never comes in a query string, which proxies and browsers keep.
const (
	accountHeader = "X-AI-Account-Id"
	agentHeader   = "X-AI-Api-Key"
)

// SessionCookie is the cookie of a person's session. Its prefix has browsers keep it to
// this host and to secure connections; SessionCookieLocal is that of a board that is
// reached over plain HTTP on the machine itself.
const (
	SessionCookie      = "__Host-board-session"
	SessionCookieLocal = "board-session"
)

// credentials are what a request shows, all from one place: half of one pair is never
// mixed with half of another.
type credentials struct {
	account  string // of an agent; "" when the key alone has to tell
	key      string // of an agent
	session  string // of a person
	cookie   bool   // the session came from a browser, by itself
	fromBody bool
}

func (c credentials) empty() bool { return c.key == "" && c.session == "" && c.account == "" }

// credentialsOf reads the headers first, then the body, then the cookie.
func credentialsOf(r *http.Request, body []byte) credentials {
	account := strings.TrimSpace(r.Header.Get(accountHeader))
	key := strings.TrimSpace(r.Header.Get(agentHeader))
	if bearer, ok := bearerOf(r); ok {
		if !isKey(bearer) && account == "" {
			return credentials{session: bearer}
		}
		key = bearer
	}
	if key != "" {
		if account == "" {
			account = r.URL.Query().Get("ai_account_id")
		}
		return credentials{account: account, key: key}
	}
	if c := bodyCredentials(body); !c.empty() {
		return c
	}
	for _, name := range []string{SessionCookie, SessionCookieLocal} {
		if c, err := r.Cookie(name); err == nil && c.Value != "" {
			return credentials{session: c.Value, cookie: true}
		}
	}
	return credentials{account: account}
}

func bearerOf(r *http.Request) (string, bool) {
	scheme, token, ok := strings.Cut(r.Header.Get("Authorization"), " ")
	if !ok || !strings.EqualFold(scheme, "bearer") {
		return "", false
	}
	token = strings.TrimSpace(token)
	return token, token != ""
}

// bodyCredentials is the specification's way (section 4.2): ai_account_id and
// ai_api_key beside the other fields.
func bodyCredentials(body []byte) credentials {
	var said struct {
		Account string `json:"ai_account_id"`
		Key     string `json:"ai_api_key"`
	}
	if len(body) == 0 || json.Unmarshal(body, &said) != nil {
		return credentials{}
	}
	return credentials{account: strings.TrimSpace(said.Account), key: strings.TrimSpace(said.Key), fromBody: true}
}
