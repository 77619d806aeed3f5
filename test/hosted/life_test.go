package hosted

import (
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/auth"
)

// TestRevocation: a revoked opaque token stops working within the time for which
// the issuer's answer is believed.
func TestRevocation(t *testing.T) {
	p := newProvider(t, "")
	p.set(t, map[string]any{"format": "opaque"})
	for name, c := range map[string]struct {
		issuer              tokenIssuer
		env                 []string
		revoke              string
		client, otherClient string
	}{
		"provider": {p, p.introspecting(), p.url + "/oauth/revoke", "machine", "other-machine"},
		"Hydra":    {ory, ory.introspecting(), ory.public + "/oauth2/revoke", "opaque-machine", "opaque-other"},
	} {
		t.Run(name, func(t *testing.T) {
			s := startServer(t, c.env...)
			token, other := machineToken(t, c.issuer, c.client), machineToken(t, c.issuer, c.otherClient)
			if strings.Count(token, ".") == 2 {
				t.Fatal("the token is a JWT")
			}
			call := s.caller(t, "/", token).open()
			call.list().want(t, http.StatusOK)

			form := url.Values{"token": {token}, "client_id": {c.client}, "client_secret": {clientSecret}}
			header := http.Header{"Content-Type": {"application/x-www-form-urlencoded"}}
			send(t, http.MethodPost, c.revoke, header, form.Encode()).want(t, http.StatusOK)
			eventually(t, "the revoked token is refused", func() bool { return call.list().status == http.StatusUnauthorized })
			if r := call.list(); !strings.Contains(r.challenge(), `error="invalid_token"`) {
				t.Errorf("the challenge is %s", r.challenge())
			}
			s.caller(t, "/", other).open().list().want(t, http.StatusOK)
		})
	}
}

// TestOpaqueTokensWithoutIntrospection are refused: a server that cannot ask must
// not guess.
func TestOpaqueTokensWithoutIntrospection(t *testing.T) {
	p := newProvider(t, "")
	p.set(t, map[string]any{"format": "opaque"})
	s := startServer(t, p.env()...)
	s.caller(t, "/", machineToken(t, p, "machine")).open().list().want(t, http.StatusUnauthorized)
}

// TestTokenExpiresInSession: the answer is 401 invalid_token, the client renews its
// token, and the session goes on.
func TestTokenExpiresInSession(t *testing.T) {
	p := newProvider(t, "")
	s := startServer(t, append(p.env(), "LEGWORK_TOKEN_LEEWAY=1s")...)
	p.set(t, map[string]any{"ttl": 2})
	c := s.caller(t, "/", machineToken(t, p, "machine")).open()
	c.list().want(t, http.StatusOK)
	session := c.session
	eventually(t, "the token expires", func() bool { return c.list().status == http.StatusUnauthorized })
	if r := c.list(); !strings.Contains(r.challenge(), `error="invalid_token", error_description="it has expired"`) {
		t.Errorf("the challenge is %s", r.challenge())
	}
	p.set(t, map[string]any{"ttl": 3600})
	c.token = machineToken(t, p, "machine")
	c.list().want(t, http.StatusOK)
	if c.session != session {
		t.Error("the session is another one")
	}
}

// TestGoClientRenews: the official client renews its token with the refresh token,
// unseen by its user, in the same session.
func TestGoClientRenews(t *testing.T) {
	p := newProvider(t, "")
	s := startServer(t, append(p.env(), "LEGWORK_TOKEN_LEEWAY=1s")...)
	p.admit(t, s)
	p.set(t, map[string]any{"ttl": 2})
	person := newPerson(t, "alice")
	h := loggingIn(t, person, "", func(*auth.AuthorizationCodeHandlerConfig) {})
	cs := connect(t, s.base+"/", h)
	first := accessToken(t, h, cs)
	session := cs.ID()
	eventually(t, "the first token expires", func() bool { return s.caller(t, "/", first).list().status == http.StatusUnauthorized })
	if second := accessToken(t, h, cs); second == first {
		t.Error("the token was not renewed")
	}
	if cs.ID() != session || len(person.seen) != 1 {
		t.Errorf("session %q became %q, with %d logins", session, cs.ID(), len(person.seen))
	}
}

// TestStaticTokens: tokens of the file are taken and refused as its lines come and
// go, while the server runs.
func TestStaticTokens(t *testing.T) {
	file := filepath.Join(t.TempDir(), "tokens")
	newToken := func(name string, more ...string) string {
		out, err := command(t.TempDir(), nil, append([]string{"token", name, "--file", file}, more...)...).Output()
		if err != nil {
			t.Fatal(err)
		}
		return strings.TrimSpace(string(out))
	}
	alice := newToken("alice")
	s := startServer(t, "LEGWORK_TOKENS_FILE="+file)
	c := s.caller(t, "/", alice).open()
	r := c.list().want(t, http.StatusOK)
	if !strings.Contains(r.body, "federalrunner_execute_wizard") {
		t.Errorf("the tools are %.500s", r.body)
	}

	bob := newToken("bob")
	b := s.caller(t, "/", bob).open()
	eventually(t, "the added token works", func() bool { return b.list().status == http.StatusOK })

	// Watching the server is a scope of its own, which no caller has by the way.
	watch := newToken("watch", "--scope", "metrics:read")
	metrics := func(token string) int {
		return send(t, http.MethodGet, s.base+"/metrics", http.Header{"Authorization": {"Bearer " + token}}, "").status
	}
	eventually(t, "the watcher may watch", func() bool { return metrics(watch) == http.StatusOK })
	if got := metrics(bob); got != http.StatusForbidden {
		t.Errorf("a caller reads the metrics: %d", got)
	}

	raw, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.SplitAfter(string(raw), "\n")
	if strings.Contains(string(raw), alice) || !strings.HasPrefix(lines[0], "alice ") {
		t.Fatalf("the file is\n%s", raw)
	}
	if err := os.WriteFile(file, []byte(strings.Join(lines[1:], "")), 0o600); err != nil {
		t.Fatal(err)
	}
	eventually(t, "the removed token is refused", func() bool { return c.list().status == http.StatusUnauthorized })
	b.list().want(t, http.StatusOK)
	// There is no issuer, so nothing may send clients to one.
	c.token = ""
	if r := c.list(); strings.Contains(r.challenge(), "resource_metadata") || !strings.Contains(r.body, "whoever runs the server gave you") {
		t.Errorf("the challenge is %s, and the error %s", r.challenge(), r.body)
	}
}
