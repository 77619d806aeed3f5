package hosted

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

const (
	// audience is the name of the API at the issuers, as Auth0 has it.
	audience = "https://legwork.example/api"
	// clientSecret must never be seen anywhere.
	clientSecret = "secret-5e1c2b90d4"
	// callback is where a login ends; nobody listens there.
	callback = "http://127.0.0.1:9/callback"

	allScopes = "federalrunner:read federalrunner:execute federalscout:discover cwac:read cwac:scan mcptest:run bounty:read bounty:post"
)

// provider is the Auth0-like issuer.
type provider struct {
	*process
	url  string // scheme and host, without a slash at the end
	name string // in tokens
}

// startProvider starts it. slash is "/" for an issuer whose name ends in one, as
// Auth0's do, or "".
func startProvider(addr, slash string) (*provider, error) {
	settings, err := json.Marshal(map[string]any{
		"resources": []string{audience}, "secret": clientSecret, "redirect": callback, "slash": slash != "",
	})
	if err != nil {
		return nil, err
	}
	p := &provider{url: "http://" + addr, name: "http://" + addr + slash}
	program := filepath.Join("..", "..", "scripts", "issuers", "provider.mjs")
	p.process, err = start(exec.Command(node, program, clients, portOf(addr), string(settings)), p.url+"/.well-known/openid-configuration")
	return p, err
}

// newProvider is an issuer of the test's own, for tests that change it.
func newProvider(t *testing.T, slash string) *provider {
	t.Helper()
	p, err := startProvider(freeAddr(), slash)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(p.stop)
	return p
}

// set changes settings while the issuer runs.
func (p *provider) set(t *testing.T, settings map[string]any) {
	t.Helper()
	raw, err := json.Marshal(settings)
	if err != nil {
		t.Fatal(err)
	}
	if r := send(t, http.MethodPost, p.url+"/admin", nil, string(raw)); r.status != http.StatusOK {
		t.Fatalf("the issuer does not change %s: %d %s", raw, r.status, r.body)
	}
}

// admit makes the issuer give tokens for the server's own addresses too.
func (p *provider) admit(t *testing.T, s *server) {
	t.Helper()
	resources := []string{audience, s.base}
	for _, path := range []string{"/", "/mcp", "/mcp/runner", "/mcp/scout"} {
		resources = append(resources, s.base+path)
	}
	p.set(t, map[string]any{"resources": resources})
}

func (p *provider) issuer() string { return p.name }

func (p *provider) tokenURL() string { return p.url + "/oauth/token" }

// env tells legwork about the issuer.
func (p *provider) env() []string {
	return []string{"AUTH0_ISSUER=" + p.name, "AUTH0_API_AUDIENCE=" + audience}
}

// introspecting lets legwork ask about opaque tokens.
func (p *provider) introspecting() []string {
	return append(p.env(), "LEGWORK_INTROSPECTION_CLIENT_ID=resource-server", "LEGWORK_INTROSPECTION_CLIENT_SECRET="+clientSecret, "LEGWORK_INTROSPECTION_CACHE=1s")
}

// tokenIssuer is what both issuers have in common.
type tokenIssuer interface {
	issuer() string
	tokenURL() string
	env() []string
}

// tokens is the answer of a token endpoint.
type tokens struct {
	Access  string `json:"access_token"`
	Refresh string `json:"refresh_token"`
	Type    string `json:"token_type"`
	Scope   string `json:"scope"`
	Lives   int    `json:"expires_in"`
}

// grant asks a token endpoint for tokens.
func grant(t *testing.T, i tokenIssuer, form url.Values) tokens {
	t.Helper()
	r := send(t, http.MethodPost, i.tokenURL(), http.Header{"Content-Type": {"application/x-www-form-urlencoded"}}, form.Encode())
	return readTokens(t, r)
}

func readTokens(t *testing.T, r reply) tokens {
	t.Helper()
	var got tokens
	if err := json.Unmarshal([]byte(r.body), &got); err != nil || r.status != http.StatusOK || got.Access == "" {
		t.Fatalf("no token: %d %s", r.status, r.body)
	}
	return got
}

// machineToken is what a program gets for its own credentials.
func machineToken(t *testing.T, i tokenIssuer, client string) string {
	t.Helper()
	return grant(t, i, url.Values{
		"grant_type": {"client_credentials"}, "client_id": {client}, "client_secret": {clientSecret}, "audience": {audience},
	}).Access
}

// parts are the header and the claims of a JWT, unverified.
func parts(t *testing.T, token string) (header, claims map[string]any) {
	t.Helper()
	for i, part := range strings.Split(token, ".")[:2] {
		raw, err := decodeSegment(part)
		into := &header
		if i == 1 {
			into = &claims
		}
		if err == nil {
			err = json.Unmarshal(raw, into)
		}
		if err != nil {
			t.Fatal(fmt.Errorf("not a JWT: %w", err))
		}
	}
	return header, claims
}
