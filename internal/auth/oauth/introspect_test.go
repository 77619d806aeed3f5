package oauth_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/legwork-mcp/legwork/internal/auth"
	"github.com/legwork-mcp/legwork/internal/auth/oauth"
	"github.com/legwork-mcp/legwork/internal/auth/oauth/oauthtest"
)

func TestOpaqueTokens(t *testing.T) {
	b := newBench(t, introspecting)
	token := b.issuer.Opaque(m{"scope": "test:read test:execute", "token_type": "bearer", "username": "x"})
	want := auth.Principal{
		Issuer: b.issuer.URL, Subject: "ann", Client: "assistant", Scopes: []string{"test:read", "test:execute"},
		Expires: b.clock.now().Add(time.Hour),
	}
	if diff := cmp.Diff(want, b.good(token)); diff != "" {
		t.Errorf("principal (-want +got):\n%s", diff)
	}
	// A JWT of the same person is the same person.
	if a, b := b.good(token), b.good(b.issuer.Mint(nil)); a.ID() != b.ID() {
		t.Errorf("%q and %q", a.ID(), b.ID())
	}
	b.hits(oauthtest.IntrospectionPath, 1)
	bare := b.good(b.issuer.Opaque(m{"iss": nil, "exp": nil, "nbf": nil, "iat": nil}))
	if bare.Issuer != b.issuer.URL || !bare.Expires.IsZero() {
		t.Errorf("of an answer that says little: %+v", bare)
	}
}

// TestJWEIsAskedAbout: what only the issuer can read is opaque here.
func TestJWEIsAskedAbout(t *testing.T) {
	b := newBench(t, introspecting)
	b.issuer.Handle(oauthtest.IntrospectionPath, func(w http.ResponseWriter, r *http.Request) {
		said := b.issuer.Claims(m{"active": r.PostFormValue("token") == "eyJhbGciOiJkaXIifQ..iv.text.tag"})
		if err := json.NewEncoder(w).Encode(said); err != nil {
			t.Error(err)
		}
	})
	b.good("eyJhbGciOiJkaXIifQ..iv.text.tag")
}

// TestRevocation: a revoked token works for half a minute at most.
func TestRevocation(t *testing.T) {
	b := newBench(t, introspecting)
	token := b.issuer.Opaque(nil)
	b.good(token)
	b.issuer.Revoke(token)
	b.clock.pass(29 * time.Second)
	b.good(token)
	b.hits(oauthtest.IntrospectionPath, 1)
	b.clock.pass(time.Second)
	b.bad(oauth.InvalidToken, token)
	b.clock.pass(31 * time.Second)
	b.bad(oauth.InvalidToken, token)
}

// TestRememberedNoLongerThanValid: the end of a token ends its memory too.
func TestRememberedNoLongerThanValid(t *testing.T) {
	b := newBench(t, introspecting)
	token := b.issuer.Opaque(m{"exp": b.clock.now().Add(5 * time.Second).Unix()})
	b.good(token)
	b.clock.pass(5 * time.Second)
	b.issuer.Revoke(token)
	b.bad(oauth.InvalidToken, token)
}

func TestIntrospectionRefuses(t *testing.T) {
	b := newBench(t, introspecting)
	now := b.clock.now().Unix()
	for name, change := range map[string]m{
		"inactive":          {"active": false},
		"wrong audience":    {"aud": "https://elsewhere.example/"},
		"no audience":       {"aud": nil},
		"wrong issuer":      {"iss": "https://evil.example/"},
		"issuer slash":      {"iss": strings.TrimSuffix(b.issuer.URL, "/")},
		"expired":           {"exp": now - 31},
		"exp is a string":   {"exp": "9999999999"},
		"exp is absurd":     {"exp": 1e300},
		"not yet valid":     {"nbf": now + 31},
		"nbf is absurd":     {"nbf": 1e300},
		"from the future":   {"iat": now + 31},
		"nobody":            {"sub": nil, "client_id": nil},
		"refresh token":     {"token_use": "refresh_token"},
		"DPoP":              {"token_type": "DPoP"},
		"type is a number":  {"token_type": 1},
		"bound to a key":    {"cnf": m{"jkt": "x"}},
		"ID token":          {"nonce": "x"},
		"scopes unreadable": {"scope": m{}},
	} {
		t.Run(name, func(t *testing.T) {
			b := *b
			b.t = t
			token, before := b.issuer.Opaque(change), b.issuer.Hits(oauthtest.IntrospectionPath)
			b.bad(oauth.InvalidToken, token)
			b.bad(oauth.InvalidToken, token)
			b.hits(oauthtest.IntrospectionPath, before+1)
		})
	}
}

// TestIntrospectionFails: what is no answer is no yes, and is not remembered as
// a no either.
func TestIntrospectionFails(t *testing.T) {
	for name, h := range map[string]http.HandlerFunc{
		"an error":    answer(500, `{"active":true,"sub":"x","aud":"`+oauthtest.Audience+`"}`),
		"refused":     answer(401, `{"active":true,"sub":"x","aud":"`+oauthtest.Audience+`"}`),
		"bad request": answer(400, `{"error":"invalid_request"}`),
		"created":     answer(201, `{"active":true,"sub":"x","aud":"`+oauthtest.Audience+`"}`),
		"redirect": func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, "/elsewhere", http.StatusTemporaryRedirect)
		},
		"garbage":          answer(200, `{"active":tr`),
		"nothing":          answer(200, ``),
		"null":             answer(200, `null`),
		"a list":           answer(200, `[true]`),
		"no active":        answer(200, `{"sub":"x","aud":"`+oauthtest.Audience+`"}`),
		"active is a word": answer(200, `{"active":"true","sub":"x","aud":"`+oauthtest.Audience+`"}`),
		"active is one":    answer(200, `{"active":1,"sub":"x","aud":"`+oauthtest.Audience+`"}`),
		"Active":           answer(200, `{"Active":true,"sub":"x","aud":"`+oauthtest.Audience+`"}`),
		"1 MB":             answer(200, `{"active":true,"sub":"x","aud":"`+oauthtest.Audience+`","x":"`+strings.Repeat("x", 1<<20)+`"}`),
	} {
		t.Run(name, func(t *testing.T) {
			b := newBench(t, introspecting)
			token := b.issuer.Opaque(nil)
			b.issuer.Handle(oauthtest.IntrospectionPath, h)
			b.bad(oauth.Unavailable, token)
			b.hits("/elsewhere", 0)
			if n := strings.Count(b.log.String(), "level=WARN"); n != 1 {
				t.Errorf("%d warnings: %s", n, b.log)
			}
			b.issuer.Handle(oauthtest.IntrospectionPath, nil)
			b.clock.pass(time.Second)
			b.good(token)
		})
	}
}

// TestIntrospectionOutage: remembered answers count until they end, then nothing
// does; the issuer is not asked in a loop.
func TestIntrospectionOutage(t *testing.T) {
	b := newBench(t, introspecting)
	token := b.issuer.Opaque(nil)
	b.good(token)
	b.issuer.Down()
	b.good(token)
	b.clock.pass(30 * time.Second)
	before := b.issuer.Hits(oauthtest.IntrospectionPath)
	for range 20 {
		b.bad(oauth.Unavailable, token)
		b.bad(oauth.Unavailable, b.issuer.Opaque(nil))
	}
	b.hits(oauthtest.IntrospectionPath, before+1)
	b.issuer.Up()
	b.clock.pass(time.Second)
	b.good(token)
}

// TestGarbageIsNoFlood: invented tokens do not become as many questions, and
// people whose tokens were good are still served.
func TestGarbageIsNoFlood(t *testing.T) {
	b := newBench(t, introspecting)
	token := b.issuer.Opaque(nil)
	b.good(token)
	for range 10 {
		b.bad(oauth.InvalidToken, "garbage")
	}
	b.hits(oauthtest.IntrospectionPath, 2)
	limited := 0
	for n := range 200 {
		_, err := b.Verify(t.Context(), fmt.Sprint("garbage-", n))
		if e, ok := err.(*oauth.Error); ok && e.Code == oauth.Unavailable {
			limited++
		}
	}
	if asked := b.issuer.Hits(oauthtest.IntrospectionPath); asked > 45 || limited < 150 {
		t.Errorf("%d questions, %d refused unasked", asked, limited)
	}
	b.clock.pass(31 * time.Second)
	for n := range 200 {
		_, _ = b.Verify(t.Context(), fmt.Sprint("more-garbage-", n)) // refused one way or the other
	}
	b.good(token) // its answer is old, and it may be asked about
}

// TestATokenThatTheIssuerDislikes does not keep others from being asked about.
func TestATokenThatTheIssuerDislikes(t *testing.T) {
	b := newBench(t, introspecting)
	good := b.issuer.Opaque(nil)
	b.issuer.Handle(oauthtest.IntrospectionPath, answer(400, ``))
	b.bad(oauth.Unavailable, "odd")
	b.issuer.Handle(oauthtest.IntrospectionPath, nil)
	b.good(good)
}

func TestOneQuestionForManyRequests(t *testing.T) {
	b := newBench(t, introspecting)
	token := b.issuer.Opaque(nil)
	answered := b.issuer.Claims(m{"active": true})
	const callers = 20
	began, release := make(chan struct{}, callers), make(chan struct{})
	b.issuer.Handle(oauthtest.IntrospectionPath, func(w http.ResponseWriter, _ *http.Request) {
		began <- struct{}{}
		<-release
		if err := json.NewEncoder(w).Encode(answered); err != nil {
			t.Error(err)
		}
	})
	var wg sync.WaitGroup
	for range callers {
		wg.Go(func() {
			if _, err := b.Verify(t.Context(), token); err != nil {
				t.Error(err)
			}
		})
	}
	<-began
	close(release)
	wg.Wait()
	b.hits(oauthtest.IntrospectionPath, 1)
}

func TestAudienceOptional(t *testing.T) {
	b := newBench(t, func(i *issuer, c *oauth.Config) {
		introspecting(i, c)
		c.Introspection.AudienceOptional = true
	})
	b.good(b.issuer.Opaque(m{"aud": nil}))
	b.bad(oauth.InvalidToken, b.issuer.Opaque(m{"aud": "https://elsewhere.example/"}))
}

// TestWrongClientSecret: nobody gets in, and the log says why.
func TestWrongClientSecret(t *testing.T) {
	b := newBench(t, func(i *issuer, c *oauth.Config) {
		introspecting(i, c)
		c.Introspection.ClientSecret = "guess"
	})
	b.bad(oauth.Unavailable, b.issuer.Opaque(nil))
	if !strings.Contains(b.log.String(), "status 401") {
		t.Errorf("the log does not say why: %s", b.log)
	}
}
