package hosted

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// issuers are both, by name.
func issuers() map[string]tokenIssuer { return map[string]tokenIssuer{"provider": auth0, "Hydra": ory} }

// TestMachineRunsAForm: a program with client credentials, as the specification
// has it, gets the whole job done with the tokens of either issuer.
func TestMachineRunsAForm(t *testing.T) {
	for name, i := range issuers() {
		t.Run(name, func(t *testing.T) {
			s := startServer(t, i.env()...)
			errand(t, connect(t, s.base+"/", fixedToken(machineToken(t, i, "machine"))))
		})
	}
}

// TestTokensAreWhatTheTestsSay: a test with the wrong kind of token would prove
// nothing.
func TestTokensAreWhatTheTestsSay(t *testing.T) {
	type shape struct{ typ, iss string }
	got := map[string]shape{}
	for name, i := range issuers() {
		header, claims := parts(t, machineToken(t, i, "machine"))
		typ, _ := header["typ"].(string)
		iss, _ := claims["iss"].(string)
		got[name] = shape{typ, iss}
	}
	want := map[string]shape{"provider": {"at+jwt", auth0.url}, "Hydra": {"JWT", ory.public + "/"}}
	if d := cmp.Diff(want, got, cmp.AllowUnexported(shape{})); d != "" {
		t.Error(d)
	}
}

// TestBasicCredentials: the other way in which a machine proves itself.
func TestBasicCredentials(t *testing.T) {
	for name, i := range issuers() {
		t.Run(name, func(t *testing.T) {
			s := startServer(t, i.env()...)
			req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, i.tokenURL(), nil)
			if err != nil {
				t.Fatal(err)
			}
			req.SetBasicAuth("machine-basic", clientSecret)
			req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
			form := url.Values{"grant_type": {"client_credentials"}, "audience": {audience}}
			got := readTokens(t, send(t, http.MethodPost, i.tokenURL(), req.Header, form.Encode()))
			s.caller(t, "/", got.Access).open().list().want(t, http.StatusOK)
		})
	}
}

// TestOtherAudience: a good token of the right issuer for another API is refused,
// or whoever runs that API could call here with its users' tokens.
func TestOtherAudience(t *testing.T) {
	s := startServer(t, "AUTH0_ISSUER="+ory.issuer(), "AUTH0_API_AUDIENCE=https://other.example/api")
	r := s.caller(t, "/", machineToken(t, ory, "machine")).open().list().want(t, http.StatusUnauthorized)
	if !strings.Contains(r.challenge(), `error="invalid_token"`) {
		t.Errorf("the challenge is %s", r.challenge())
	}
	// The same token without a session, and where sessions do not count.
	s.caller(t, "/", machineToken(t, ory, "machine")).list().want(t, http.StatusUnauthorized)
}

// TestResourceIsTheAddress: what the metadata calls the resource is what an issuer
// makes tokens for, and those tokens are taken at every endpoint of the server.
func TestResourceIsTheAddress(t *testing.T) {
	s := startServer(t, "AUTH0_ISSUER="+auth0.url)
	auth0.admit(t, s)
	for path, want := range map[string]string{"/": s.base, "/mcp": s.base + "/mcp", "/mcp/runner": s.base + "/mcp/runner"} {
		got := s.metadata(t, path)
		if got.Resource != want || len(got.Servers) != 1 || got.Servers[0] != auth0.url {
			t.Errorf("%s: the metadata is %+v", path, got)
		}
		token := grant(t, auth0, url.Values{
			"grant_type": {"client_credentials"}, "client_id": {"machine"}, "client_secret": {clientSecret}, "resource": {got.Resource},
		}).Access
		if _, claims := parts(t, token); claims["aud"] != want {
			t.Errorf("%s: the token is for %v", path, claims["aud"])
		}
		s.caller(t, path, token).open().list().want(t, http.StatusOK)
	}
}
