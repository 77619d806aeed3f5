package signin_test

import (
	"net/url"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/legwork-mcp/legwork/internal/board/signin"
	"github.com/legwork-mcp/legwork/internal/fault"
)

func TestSignIn(t *testing.T) {
	for _, c := range []struct {
		name   string
		change func(*issuer)
		want   signin.Person
	}{
		{"a verified address", func(*issuer) {}, signin.Person{Subject: "u1", Email: "hana@example.org"}},
		{"an address that is not verified", func(i *issuer) { i.claims["email_verified"] = false }, signin.Person{Subject: "u1"}},
		{"an address of which nothing is said", func(i *issuer) { delete(i.claims, "email_verified") }, signin.Person{Subject: "u1"}},
		{"an address that is verified in words", func(i *issuer) { i.claims["email_verified"] = "true" }, signin.Person{Subject: "u1"}},
		{"no address", func(i *issuer) { delete(i.claims, "email") }, signin.Person{Subject: "u1"}},
		{"ECDSA", func(i *issuer) { i.algorithm = "ES256" }, signin.Person{Subject: "u1", Email: "hana@example.org"}},
		{"the secret in the body", func(i *issuer) { i.methods = []string{"client_secret_post"} }, signin.Person{Subject: "u1", Email: "hana@example.org"}},
		{"an issuer that does not name itself", func(i *issuer) { i.names = false }, signin.Person{Subject: "u1", Email: "hana@example.org"}},
		{"several audiences for this party", func(i *issuer) { i.claims["aud"], i.claims["azp"] = []string{clientID, "other"}, clientID }, signin.Person{Subject: "u1", Email: "hana@example.org"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			i := newIssuer(t)
			c.change(i)
			desk := newDesk(t, i, signin.Other("Test", i.url, clientID, clientSecret))
			c.want.Issuer = i.url
			got, err := i.signIn(t, desk, "oidc", nil)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// Whatever an attacker changes on the way, nobody is signed in.
func TestAttacks(t *testing.T) {
	other := newIssuer(t)
	other.rsa = newRSA()
	for _, c := range []struct {
		name   string
		issuer func(*issuer)
		answer func(*signin.Attempt, url.Values)
		want   string
	}{
		{"the state of another browser", nil, func(_ *signin.Attempt, q url.Values) { q.Set("state", "stolen") }, signin.Expired},
		{"no state", nil, func(a *signin.Attempt, q url.Values) { a.State = ""; q.Del("state") }, signin.Expired},
		{"too late", nil, func(a *signin.Attempt, _ url.Values) { a.Until = time.Now().Add(-time.Second) }, signin.Expired},
		{"a verifier that is not the one of the challenge", nil, func(a *signin.Attempt, _ url.Values) { a.Verifier = "w0ng-w0ng-w0ng-w0ng-w0ng-w0ng-w0ng-w0ng-w0ng" }, signin.Refused},
		{"a code of nobody", nil, func(_ *signin.Attempt, q url.Values) { q.Set("code", "made-up") }, signin.Refused},
		{"no code", nil, func(_ *signin.Attempt, q url.Values) { q.Del("code") }, signin.Refused},
		{"the answer of another issuer", nil, func(_ *signin.Attempt, q url.Values) { q.Set("iss", "https://evil.example") }, signin.Refused},
		{"the name of the issuer taken out", nil, func(_ *signin.Attempt, q url.Values) { q.Del("iss") }, signin.Refused},
		{"the person said no", nil, func(_ *signin.Attempt, q url.Values) { q.Del("code"); q.Set("error", "access_denied") }, signin.Declined},
		{"another error", nil, func(_ *signin.Attempt, q url.Values) { q.Set("error", "server_error") }, signin.Refused},
		{"a token of another attempt", func(i *issuer) { i.claims["nonce"] = "older" }, nil, signin.Refused},
		{"a token without a nonce", func(i *issuer) { i.claims["nonce"] = nil }, nil, signin.Refused},
		{"a token for another board", func(i *issuer) { i.claims["aud"] = "other" }, nil, signin.Refused},
		{"a token for several, of another party", func(i *issuer) { i.claims["aud"], i.claims["azp"] = []string{clientID, "other"}, "other" }, nil, signin.Refused},
		{"a token for several, of no party", func(i *issuer) { i.claims["aud"] = []string{clientID, "other"} }, nil, signin.Refused},
		{"a token of another issuer", func(i *issuer) { i.claims["iss"] = "https://evil.example" }, nil, signin.Refused},
		{"a token that is over", func(i *issuer) { i.claims["exp"] = time.Now().Add(-time.Hour).Unix() }, nil, signin.Refused},
		{"a token without a person", func(i *issuer) { i.claims["sub"] = "" }, nil, signin.Refused},
		{"no token", func(i *issuer) { i.sign = func(map[string]any) string { return "" } }, nil, signin.Refused},
		{"a token signed by somebody else", func(i *issuer) { i.sign = other.signed }, nil, signin.Refused},
		{"a token that nobody signed", func(i *issuer) { i.sign = i.unsigned }, nil, signin.Refused},
		{"a token signed with the public key as a secret", func(i *issuer) { i.sign = i.confused }, nil, signin.Refused},
		{"a token signed with the client secret", func(i *issuer) { i.sign = i.shared }, nil, signin.Refused},
		{"an issuer that fails", func(i *issuer) { i.broken = true }, nil, signin.Unavailable},
	} {
		t.Run(c.name, func(t *testing.T) {
			i := newIssuer(t)
			if c.issuer != nil {
				c.issuer(i)
			}
			desk := newDesk(t, i, signin.Other("Test", i.url, clientID, clientSecret))
			p, err := i.signIn(t, desk, "oidc", c.answer)
			if got := typeOf(err); got != c.want || p != (signin.Person{}) {
				t.Errorf("%+v, %v; want %s", p, err, c.want)
			}
		})
	}
}

func typeOf(err error) string {
	if err == nil {
		return ""
	}
	return fault.From(err).Type
}

// A code serves once.
func TestReplay(t *testing.T) {
	i := newIssuer(t)
	desk := newDesk(t, i, signin.Other("Test", i.url, clientID, clientSecret))
	target, attempt, err := desk.Start(t.Context(), "oidc", "ja")
	if err != nil {
		t.Fatal(err)
	}
	answer := i.authorize(t, target)
	if _, err := desk.Finish(t.Context(), attempt, answer); err != nil {
		t.Fatal(err)
	}
	if _, err := desk.Finish(t.Context(), attempt, answer); typeOf(err) != signin.Refused {
		t.Errorf("the second time: %v", err)
	}
}

// LINE signs with the channel secret, and its addresses are not taken.
func TestLINE(t *testing.T) {
	i := newIssuer(t)
	i.sign, i.methods, i.names = i.shared, nil, false
	i.claims["email_verified"] = true
	desk := newDesk(t, i, signin.LINEAt(i.url, clientID, clientSecret))
	got, err := i.signIn(t, desk, "line", nil)
	if err != nil || got != (signin.Person{Issuer: i.url, Subject: "u1"}) {
		t.Errorf("%+v, %v", got, err)
	}
	if i.basic {
		t.Error("the secret went into a header, which LINE does not read")
	}
	for name, sign := range map[string]func(map[string]any) string{"another secret": newIssuer(t).with("not the secret"), "the public key": i.confused, "nobody": i.unsigned} {
		i.sign = sign
		if p, err := i.signIn(t, desk, "line", nil); typeOf(err) != signin.Refused {
			t.Errorf("signed with %s: %+v, %v", name, p, err)
		}
	}
	i.sign = i.signed // as in LINE's apps, with ES256
	i.algorithm = "ES256"
	if _, err := i.signIn(t, newDesk(t, i, signin.LINEAt(i.url, clientID, clientSecret)), "line", nil); err != nil {
		t.Error(err)
	}
}

// An issuer that is down, or points elsewhere, signs nobody in; one that comes back does.
func TestDiscovery(t *testing.T) {
	for name, change := range map[string]func(*issuer){
		"another issuer's name":           func(i *issuer) { i.metadata["issuer"] = "https://evil.example" },
		"a token endpoint without TLS":    func(i *issuer) { i.metadata["token_endpoint"] = "http://evil.example/token" },
		"an authorization page of a word": func(i *issuer) { i.metadata["authorization_endpoint"] = "javascript:alert(1)" },
		"keys in a file":                  func(i *issuer) { i.metadata["jwks_uri"] = "file:///etc/passwd" },
		"down":                            func(i *issuer) { i.down = true },
	} {
		t.Run(name, func(t *testing.T) {
			i := newIssuer(t)
			change(i)
			desk := newDesk(t, i, signin.Other("Test", i.url, clientID, clientSecret))
			if target, _, err := desk.Start(t.Context(), "oidc", "ja"); typeOf(err) != signin.Unavailable {
				t.Errorf("it leads to %q, %v", target, err)
			}
			i.down, i.metadata = false, map[string]any{}
			if _, err := i.signIn(t, desk, "oidc", nil); err != nil {
				t.Error("it does not come back:", err)
			}
		})
	}
}

func TestSettings(t *testing.T) {
	i := newIssuer(t)
	for name, p := range map[string]signin.Provider{
		"no secret":         signin.Google("id", ""),
		"an issuer of HTTP": signin.Other("Test", "http://issuer.example", "id", "secret"),
		"no issuer":         signin.Other("Test", "", "id", "secret"),
		"no name":           signin.Other("", "https://issuer.example", "id", "secret"),
	} {
		if _, err := signin.New(signin.Options{Providers: []signin.Provider{p}, Client: i.client(), Clock: time.Now}); typeOf(err) != "invalid_setting" {
			t.Errorf("%s: %v", name, err)
		}
	}
	desk := newDesk(t, i, signin.Google("id", "secret"))
	if _, _, err := desk.Start(t.Context(), "nobody", "ja"); typeOf(err) != "not_found" {
		t.Error("a provider that is not there:", err)
	}
}
