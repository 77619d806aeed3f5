package oauth

import (
	"math"
	"slices"
	"strings"

	"github.com/legwork-mcp/legwork/internal/auth"
)

const (
	// maxName bounds a subject and a client. OpenID Connect Core section 2 allows
	// 255 characters for a subject.
	maxName = 512
	// maxScopes bounds what is compared on every call.
	maxScopes = 256
	// maxTime is the last second of the year 9999.
	maxTime = 253402300799
)

// claims are what an issuer says of a token, in a JWT or as an introspection's
// answer. Names are compared exactly, each value is read once.
type claims map[string]any

// principal is whose token it is and what it grants.
func (c claims) principal(issuer string) (auth.Principal, error) {
	if err := c.checkPurpose(); err != nil {
		return auth.Principal{}, err
	}
	p := auth.Principal{Issuer: issuer}
	var err error
	if p.Subject, err = c.name("sub"); err != nil {
		return auth.Principal{}, err
	}
	for _, key := range []string{"client_id", "azp"} {
		if p.Client != "" {
			break
		}
		if p.Client, err = c.name(key); err != nil {
			return auth.Principal{}, err
		}
	}
	if p.Subject == "" && p.Client == "" {
		return auth.Principal{}, invalid("it names neither a subject nor a client")
	}
	p.Scopes, err = c.scopes()
	return p.Identified(), err
}

// name reads an optional name.
func (c claims) name(key string) (string, error) {
	v, ok := c[key]
	if !ok || v == nil {
		return "", nil
	}
	s, ok := v.(string)
	if !ok || s == "" || len(s) > maxName {
		return "", invalid("its subject or client is not a usable name")
	}
	return s, nil
}

// checkPurpose refuses what an issuer signs or knows besides access tokens for
// anybody who bears them.
func (c claims) checkPurpose() error {
	// An ID token is a message to the client about a login: these are its claims
	// (OpenID Connect Core sections 2 and 3.3.2.11), or what some issuers mark it
	// with.
	for _, mark := range []string{"at_hash", "c_hash", "s_hash", "nonce"} {
		if _, ok := c[mark]; ok {
			return invalid("it is an ID token, not an access token")
		}
	}
	for _, key := range []string{"typ", "token_use"} {
		switch s, _ := c[key].(string); strings.ToLower(s) {
		case "", "bearer", "access", "access_token", "at+jwt", "jwt":
		default:
			return invalid("it is not an access token")
		}
	}
	// A logout token is a message too (OpenID Connect Back-Channel Logout
	// section 2.4), and so is every security event (RFC 8417).
	if _, ok := c["events"]; ok {
		return invalid("it is an event, not an access token")
	}
	// A token with a confirmation belongs to who can prove a key (RFC 7800, RFC
	// 8705, RFC 9449). Whoever merely bears it may have stolen it.
	if _, ok := c["cnf"]; ok {
		return invalid("it is bound to a key, and this server takes bearer tokens only")
	}
	return nil
}

// scopes are what the token grants: "scope" (RFC 9068 section 2.2.3, RFC 7662),
// or else "scp", or else "permissions", as Okta, Entra ID and Auth0 have them.
// The first that is there counts alone: permissions are what a user may do at
// all, which is more than what was granted to this client.
func (c claims) scopes() ([]string, error) {
	for _, key := range []string{"scope", "scp", "permissions"} {
		switch v := c[key].(type) {
		case nil:
			continue
		case string:
			return scopeList(strings.Split(v, " "))
		case []any:
			list := make([]string, 0, len(v))
			for _, one := range v {
				s, ok := one.(string)
				if !ok {
					return nil, invalid("its scopes are not readable")
				}
				list = append(list, s)
			}
			return scopeList(list)
		default:
			return nil, invalid("its scopes are not readable")
		}
	}
	return nil, nil
}

// scopeList keeps each scope once and drops what cannot be one: a member of a
// list with a space in it is not two scopes.
func scopeList(list []string) ([]string, error) {
	var out []string
	seen := map[string]bool{}
	for _, s := range list {
		if !isScope(s) || seen[s] {
			continue
		}
		if len(out) == maxScopes {
			return nil, invalid("it has too many scopes")
		}
		seen[s] = true
		out = append(out, s)
	}
	return slices.Clip(out), nil // what is remembered is shared: an append must copy
}

// checkTimes refuses numbers that are no dates, before anything calculates with
// them.
func (c claims) checkTimes() error {
	for _, key := range []string{"exp", "nbf", "iat"} {
		v, ok := c[key]
		if !ok {
			continue
		}
		if n, ok := v.(float64); !ok || math.IsNaN(n) || n < 0 || n > maxTime {
			return invalid("a date in it is not a date")
		}
	}
	return nil
}
