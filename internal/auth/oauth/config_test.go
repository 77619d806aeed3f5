package oauth_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/legwork-mcp/legwork/internal/auth/oauth"
	"github.com/legwork-mcp/legwork/internal/auth/oauth/oauthtest"
	"github.com/legwork-mcp/legwork/internal/fault"
)

func TestUnusableSettings(t *testing.T) {
	for name, change := range map[string]func(*oauth.Config){
		"nothing":               func(c *oauth.Config) { *c = oauth.Config{} },
		"no audience":           func(c *oauth.Config) { c.Audiences = nil },
		"an empty audience":     func(c *oauth.Config) { c.Audiences = []string{"a", ""} },
		"no client":             func(c *oauth.Config) { c.HTTPClient = nil },
		"http":                  func(c *oauth.Config) { c.Issuer = "http://login.example/" },
		"http, looks local":     func(c *oauth.Config) { c.Issuer = "http://localhost.example/" },
		"http, private":         func(c *oauth.Config) { c.Issuer = "http://10.0.0.1/" },
		"no URL":                func(c *oauth.Config) { c.Issuer = "login.example" },
		"the local user":        func(c *oauth.Config) { c.Issuer = "local" },
		"the static tokens":     func(c *oauth.Config) { c.Issuer = "static" },
		"a file":                func(c *oauth.Config) { c.Issuer = "file:///etc/passwd" },
		"a query":               func(c *oauth.Config) { c.Issuer = "https://login.example/?a=b" },
		"an empty query":        func(c *oauth.Config) { c.Issuer = "https://login.example/?" },
		"a fragment":            func(c *oauth.Config) { c.Issuer = "https://login.example/#a" },
		"a user":                func(c *oauth.Config) { c.Issuer = "https://a:b@login.example/" },
		"keys over http":        func(c *oauth.Config) { c.JWKSURL = "http://login.example/jwks" },
		"keys local, not so it": func(c *oauth.Config) { c.JWKSURL = "http://127.0.0.1/jwks" },
		"a secret over http":    func(c *oauth.Config) { c.Introspection = oauth.Introspection{URL: "http://a.example/", ClientID: "x"} },
		"asking as nobody":      func(c *oauth.Config) { c.Introspection.URL = "https://login.example/introspect" },
		"alg none":              func(c *oauth.Config) { c.Algorithms = []string{"RS256", "none"} },
		"HS256":                 func(c *oauth.Config) { c.Algorithms = []string{"HS256"} },
		"unknown alg":           func(c *oauth.Config) { c.Algorithms = []string{"rs256"} },
		"an hour of leeway":     func(c *oauth.Config) { c.Leeway = time.Hour },
		"negative leeway":       func(c *oauth.Config) { c.Leeway = -1 },
		"negative size":         func(c *oauth.Config) { c.MaxToken = -1 },
		"negative memory":       func(c *oauth.Config) { c.Introspection.CacheFor = -1 },
	} {
		t.Run(name, func(t *testing.T) {
			c := oauth.Config{
				Issuer: "https://login.example/", Audiences: []string{"a"},
				HTTPClient: &http.Client{Transport: unreachable{t}},
			}
			change(&c)
			v, err := oauth.New(t.Context(), c)
			if f := fault.From(err); f == nil || f.Kind != fault.Invalid || f.Action == "" {
				t.Errorf("%v", err)
			}
			if v != nil {
				v.Close()
			}
		})
	}
}

// unreachable wants no request.
type unreachable struct{ t *testing.T }

func (u unreachable) RoundTrip(r *http.Request) (*http.Response, error) {
	u.t.Errorf("it asks %s", r.URL)
	return nil, http.ErrServerClosed
}

func TestMetadataOfAnIssuerWithAPath(t *testing.T) {
	for name, at := range map[string]string{
		"RFC 8414":      "/.well-known/oauth-authorization-server/tenant/7",
		"OIDC in front": "/.well-known/openid-configuration/tenant/7",
		"OIDC behind":   "/tenant/7/.well-known/openid-configuration",
	} {
		for _, slash := range []string{"", "/"} {
			t.Run(name+slash, func(t *testing.T) {
				var iss string
				b := newBench(t, func(i *issuer, c *oauth.Config) {
					iss = i.URL + "tenant/7" + slash
					i.Handle(at, answer(200, `{"issuer":"`+iss+`","jwks_uri":"`+i.URL+`jwks"}`))
					c.Issuer = iss
				})
				b.good(b.issuer.Mint(m{"iss": iss}))
				b.bad(oauth.InvalidToken, b.issuer.Mint(nil))
			})
		}
	}
}

// TestMetadataWithoutRFC8414: many issuers have the OpenID document alone.
func TestMetadataWithoutRFC8414(t *testing.T) {
	b := newBench(t, func(i *issuer, _ *oauth.Config) { i.Handle(oauthtest.OAuthMetadataPath, http.NotFound) })
	b.good(b.issuer.Mint(nil))
	b.hits(oauthtest.MetadataPath, 1)
}

func TestKnownKeysURL(t *testing.T) {
	b := newBench(t, func(i *issuer, c *oauth.Config) { c.JWKSURL = i.URL + "jwks" })
	b.good(b.issuer.Mint(nil))
	b.hits(oauthtest.OAuthMetadataPath, 0)
	b.hits(oauthtest.MetadataPath, 0)
}

// TestMetadataIsNotBelieved: keys come from the issuer that is set, over a
// connection that is as good.
func TestMetadataIsNotBelieved(t *testing.T) {
	elsewhere := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { t.Errorf("it asks %s", r.URL) }))
	t.Cleanup(elsewhere.Close)
	for name, tt := range map[string]struct{ document, says string }{
		"of another issuer":  {`{"issuer":"https://evil.example/","jwks_uri":"` + elsewhere.URL + `/jwks"}`, "of another issuer"},
		"without the slash":  {`{"issuer":"ISSUER-","jwks_uri":"` + elsewhere.URL + `/jwks"}`, "only the slash at the end differs"},
		"without an issuer":  {`{"jwks_uri":"` + elsewhere.URL + `/jwks"}`, "of another issuer"},
		"without keys":       {`{"issuer":"ISSUER"}`, "jwks_uri"},
		"keys in a file":     {`{"issuer":"ISSUER","jwks_uri":"file:///etc/passwd"}`, "address"},
		"keys over http":     {`{"issuer":"ISSUER","jwks_uri":"http://10.0.0.1/jwks"}`, "not https"},
		"keys with a secret": {`{"issuer":"ISSUER","jwks_uri":"https://a:b@login.example/jwks"}`, "address"},
		"a page":             {`<html>`, "not JSON"},
		"a word":             {`"x"`, "not JSON"},
	} {
		t.Run(name, func(t *testing.T) {
			b := newBench(t, func(i *issuer, _ *oauth.Config) {
				text := strings.ReplaceAll(tt.document, "ISSUER-", strings.TrimSuffix(i.URL, "/"))
				h := answer(200, strings.ReplaceAll(text, "ISSUER", i.URL))
				i.Handle(oauthtest.OAuthMetadataPath, h)
				i.Handle(oauthtest.MetadataPath, h)
			})
			b.bad(oauth.Unavailable, b.issuer.Mint(nil))
			b.hits(oauthtest.KeysPath, 0)
			if !strings.Contains(b.log.String(), tt.says) {
				t.Errorf("the log does not say %q: %s", tt.says, b.log)
			}
		})
	}
}

// TestMetadataRedirect is not followed: it could lead anywhere.
func TestMetadataRedirect(t *testing.T) {
	b := newBench(t, func(i *issuer, _ *oauth.Config) {
		h := func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, "/elsewhere", http.StatusMovedPermanently)
		}
		i.Handle(oauthtest.OAuthMetadataPath, h)
		i.Handle(oauthtest.MetadataPath, h)
	})
	b.bad(oauth.Unavailable, b.issuer.Mint(nil))
	b.hits("/elsewhere", 0)
}

// TestTheCallersClientIsLeftAlone: it may be used for other things.
func TestTheCallersClientIsLeftAlone(t *testing.T) {
	var c *http.Client
	newBench(t, func(_ *issuer, cfg *oauth.Config) { c = cfg.HTTPClient })
	if c.CheckRedirect != nil {
		t.Error("it was changed")
	}
}
