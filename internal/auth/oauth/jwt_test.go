package oauth_test

import (
	"crypto"
	"crypto/ed25519"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"encoding/base64"
	"encoding/pem"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/golang-jwt/jwt/v5"
	"github.com/google/go-cmp/cmp"

	"github.com/legwork-mcp/legwork/internal/auth"
	"github.com/legwork-mcp/legwork/internal/auth/oauth"
	"github.com/legwork-mcp/legwork/internal/auth/oauth/oauthtest"
)

type (
	issuer = oauthtest.Issuer
	m      = map[string]any
)

// es signs with the issuer's own key and a changed header.
func es(i *issuer, header, claims m) string {
	kid, key := i.Key()
	all := m{"kid": kid, "typ": "at+jwt"}
	for k, v := range header {
		all[k] = v
	}
	return i.Sign(jwt.SigningMethodES256, key, all, claims)
}

func TestWhoCalls(t *testing.T) {
	b := newBench(t, nil)
	got := b.good(b.issuer.Mint(m{"scope": "test:read  test:execute test:read", "aud": []string{"x", oauthtest.Audience}}))
	want := auth.Principal{
		Issuer: b.issuer.URL, Subject: "ann", Client: "assistant", Scopes: []string{"test:read", "test:execute"},
		Expires: b.clock.now().Add(time.Hour),
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("principal (-want +got):\n%s", diff)
	}
	machine := b.good(b.issuer.Mint(m{"sub": nil, "client_id": nil, "azp": "cron"}))
	if machine.Subject != "" || machine.Client != "cron" || machine.ID() == "" {
		t.Errorf("a program is %+v", machine)
	}
	if p := b.good(b.issuer.Mint(m{"azp": "other"})); p.Client != oauthtest.Client {
		t.Errorf("the client is %q", p.Client)
	}
}

// TestWhatIssuersSend: headers and claims as real issuers have them.
func TestWhatIssuersSend(t *testing.T) {
	var edKey ed25519.PrivateKey
	b := newBench(t, func(i *issuer, c *oauth.Config) {
		i.Publish("rsa", strongKey().Public())
		_, ed, err := ed25519.GenerateKey(rand.Reader)
		if err != nil {
			t.Fatal(err)
		}
		i.Publish("ed", ed.Public())
		c.Algorithms = append(oauth.DefaultAlgorithms(), "EdDSA")
		edKey = ed
	})
	now := b.clock.now().Unix()
	for name, token := range map[string]string{
		"JWT":             es(b.issuer, m{"typ": "JWT"}, nil),
		"media type":      es(b.issuer, m{"typ": "application/at+jwt"}, nil),
		"upper case":      es(b.issuer, m{"typ": "AT+JWT"}, nil),
		"no typ":          es(b.issuer, m{"typ": nil}, nil),
		"RS256":           b.issuer.Sign(jwt.SigningMethodRS256, strongKey(), m{"kid": "rsa"}, nil),
		"PS256":           b.issuer.Sign(jwt.SigningMethodPS256, strongKey(), m{"kid": "rsa"}, nil),
		"EdDSA":           b.issuer.Sign(jwt.SigningMethodEdDSA, edKey, m{"kid": "ed"}, nil),
		"no nbf, no iat":  b.issuer.Mint(m{"nbf": nil, "iat": nil}),
		"within leeway":   b.issuer.Mint(m{"exp": now - 29}),
		"a little early":  b.issuer.Mint(m{"nbf": now + 29, "iat": now + 29}),
		"fractions":       b.issuer.Mint(m{"exp": float64(now) + 0.5}),
		"Keycloak's typ":  b.issuer.Mint(m{"typ": "Bearer"}),
		"Cognito's use":   b.issuer.Mint(m{"token_use": "access"}),
		"auth_time":       b.issuer.Mint(m{"auth_time": now, "acr": "0", "amr": []string{"pwd"}}),
		"foreign headers": es(b.issuer, m{"jku": b.issuer.URL + "evil", "x5u": "http://169.254.169.254/", "x5c": []string{"x"}}, nil),
	} {
		t.Run(name, func(t *testing.T) {
			if _, err := b.Verify(t.Context(), token); err != nil {
				t.Error(err)
			}
		})
	}
	b.hits("/evil", 0)
}

func TestScopesOfIssuers(t *testing.T) {
	b := newBench(t, nil)
	for name, tt := range map[string]struct {
		claims m
		want   []string
	}{
		"a string":             {m{"scope": "a b"}, []string{"a", "b"}},
		"scp as a list":        {m{"scope": nil, "scp": []string{"a", "b"}}, []string{"a", "b"}},
		"scp as a string":      {m{"scope": nil, "scp": "a b"}, []string{"a", "b"}},
		"permissions":          {m{"scope": nil, "permissions": []string{"a"}}, []string{"a"}},
		"scope before all":     {m{"scope": "a", "scp": []string{"b"}, "permissions": []string{"c"}}, []string{"a"}},
		"granted none":         {m{"scope": "", "permissions": []string{"c"}}, nil},
		"none":                 {m{"scope": nil}, nil},
		"null":                 {m{"scope": nil, "scp": []any{}}, nil},
		"two in one member":    {m{"scope": nil, "scp": []string{"a b", "c"}}, []string{"c"}},
		"other white space":    {m{"scope": "a\tb c\nd e"}, []string{"e"}},
		"quotes and the like":  {m{"scope": `a"b c\d é ` + "\u2028 f"}, []string{"f"}},
		"a list for scope":     {m{"scope": []string{"a"}}, []string{"a"}},
		"the case of the name": {m{"scope": nil, "Scope": "a", "SCP": "b"}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			p, err := b.Verify(t.Context(), b.issuer.Mint(tt.claims))
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.want, p.Scopes); diff != "" {
				t.Errorf("scopes (-want +got):\n%s", diff)
			}
		})
	}
}

// TestForgeries are tokens that somebody without the issuer's key can make.
func TestForgeries(t *testing.T) {
	b := newBench(t, func(i *issuer, _ *oauth.Config) {
		i.Publish("rsa", strongKey().Public())
		i.Publish("p384", curveKey(elliptic.P384()).Public())
	})
	i := b.issuer
	kid, key := i.Key()
	der, err := x509.MarshalPKIXPublicKey(strongKey().Public())
	if err != nil {
		t.Fatal(err)
	}
	asPEM := pem.EncodeToMemory(&pem.Block{Type: "PUBLIC KEY", Bytes: der})
	good := i.Mint(nil)
	parts := strings.Split(good, ".")
	own := curveKey256()
	// The last character has four bits to spare: another token of the same signature.
	spare := good[:len(good)-1] + string(alphabet[strings.IndexByte(alphabet, good[len(good)-1])+1])
	none := b64([]byte(`{"alg":"none","kid":"`+kid+`"}`)) + "." + parts[1] + "."
	for name, token := range map[string]string{
		"alg none":                i.Sign(jwt.SigningMethodNone, jwt.UnsafeAllowNoneSignatureType, m{"kid": kid}, nil),
		"alg none, old signature": none + parts[2],
		"alg nOnE":                b64([]byte(`{"alg":"nOnE","kid":"`+kid+`"}`)) + "." + parts[1] + ".",
		"alg twice":               b64([]byte(`{"alg":"ES256","alg":"none","kid":"`+kid+`"}`)) + "." + parts[1] + ".",
		"no alg":                  b64([]byte(`{"kid":"`+kid+`"}`)) + "." + parts[1] + "." + parts[2],
		"HS256, public key":       i.Sign(jwt.SigningMethodHS256, asPEM, m{"kid": "rsa"}, nil),
		"HS256, public key, DER":  i.Sign(jwt.SigningMethodHS256, der, m{"kid": "rsa"}, nil),
		"HS256, empty secret":     i.Sign(jwt.SigningMethodHS256, []byte{}, m{"kid": kid}, nil),
		"another key":             i.Sign(jwt.SigningMethodES256, own, m{"kid": kid}, nil),
		"key in the header":       i.Sign(jwt.SigningMethodES256, own, m{"kid": kid, "jwk": ecJWK(own)}, nil),
		"key in the header alone": i.Sign(jwt.SigningMethodES256, own, m{"kid": nil, "jwk": ecJWK(own)}, nil),
		"key of another type":     i.Sign(jwt.SigningMethodES256, key, m{"kid": "rsa"}, nil),
		"key of another curve":    i.Sign(jwt.SigningMethodES256, key, m{"kid": "p384"}, nil),
		"unknown kid":             i.Sign(jwt.SigningMethodES256, own, m{"kid": "nobody's"}, nil),
		"no kid":                  es(i, m{"kid": nil}, nil),
		"empty kid":               es(i, m{"kid": ""}, nil),
		"kid is no string":        es(i, m{"kid": 1}, nil),
		"kid is a path":           i.Sign(jwt.SigningMethodES256, own, m{"kid": "../../dev/null"}, nil),
		"a long kid":              es(i, m{"kid": strings.Repeat("k", 300)}, nil),
		"changed claims":          parts[0] + "." + b64([]byte(`{"sub":"root"}`)) + "." + parts[2],
		"no signature":            parts[0] + "." + parts[1] + ".",
		"cut signature":           good[:len(good)-4],
		"spare bits":              spare,
		"padded":                  good + "==",
		"three dots":              "..",
		"rubbish":                 "a.b.c",
		"header is a list":        b64([]byte(`["ES256"]`)) + "." + parts[1] + "." + parts[2],
		"header is null":          b64([]byte(`null`)) + "." + parts[1] + "." + parts[2],
		"claims are null":         parts[0] + "." + b64([]byte(`null`)) + "." + parts[2],
		"deep":                    parts[0] + "." + b64([]byte(strings.Repeat("[", 5000))) + "." + parts[2],
		"huge":                    i.Mint(m{"x": strings.Repeat("x", 9000)}),
		"in quotes":               `"` + good + `"`,
		"with a line break":       good + "\n",
		"empty":                   "",
	} {
		t.Run(name, func(t *testing.T) {
			b := *b
			b.t = t
			b.bad(oauth.InvalidToken, token)
		})
	}
	b.good(good)
}

const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"

// TestAlgorithmsThatAreNotSet: a good key does not make them acceptable, and an
// algorithm has its curve.
func TestAlgorithmsThatAreNotSet(t *testing.T) {
	curve := curveKey256()
	b := newBench(t, func(i *issuer, c *oauth.Config) {
		i.Publish("rsa", strongKey().Public())
		i.Publish("curve", curve.Public())
		c.Algorithms = []string{"ES256", "ES384", "RS256"}
	})
	b.good(b.issuer.Sign(jwt.SigningMethodRS256, strongKey(), m{"kid": "rsa"}, nil))
	b.good(b.issuer.Sign(jwt.SigningMethodES256, curve, m{"kid": "curve"}, nil))
	b.bad(oauth.InvalidToken, b.issuer.Sign(jwt.SigningMethodRS512, strongKey(), m{"kid": "rsa"}, nil))
	b.bad(oauth.InvalidToken, b.issuer.Sign(jwt.SigningMethodPS256, strongKey(), m{"kid": "rsa"}, nil))
	mixed := &jwt.SigningMethodECDSA{Name: "ES384", Hash: crypto.SHA384, KeySize: 48, CurveBits: 256}
	token := b.issuer.Sign(mixed, curve, m{"kid": "curve"}, nil)
	dot := strings.LastIndex(token, ".")
	rs, err := base64.RawURLEncoding.DecodeString(token[dot+1:])
	if err != nil {
		t.Fatal(err)
	}
	wide := slices.Concat(make([]byte, 16), rs[:32], make([]byte, 16), rs[32:])
	e := b.bad(oauth.InvalidToken, token[:dot+1]+b64(wide))
	if !strings.Contains(e.Description, "not for this algorithm") {
		t.Errorf("it says %q", e.Description)
	}
}

// TestAVerdictIsRemembered: checking a signature is most of what a call costs.
func TestAVerdictIsRemembered(t *testing.T) {
	b := newBench(t, nil)
	for range 3 {
		b.good(b.issuer.Mint(m{"jti": "one"}))
	}
	token := b.issuer.Mint(m{"jti": "two"})
	b.good(token)
	b.good(token)
	b.bad(oauth.InvalidToken, b.issuer.Mint(m{"exp": 1}))
	if got := b.Remembered(); got != 4 {
		t.Errorf("%d are remembered, want the four good ones", got)
	}
	b.issuer.Rotate()
	b.good(b.issuer.Mint(nil))
	if got := b.Remembered(); got > 1 {
		t.Errorf("%d are remembered after the keys changed", got)
	}
}

// TestWrongTokens are tokens that the issuer signed for something else.
func TestWrongTokens(t *testing.T) {
	b := newBench(t, nil)
	i, now := b.issuer, b.clock.now().Unix()
	for name, tt := range map[string]struct {
		header, claims m
		says           string
	}{
		"wrong audience":       {nil, m{"aud": "https://elsewhere.example/"}, "audience"},
		"audience slash":       {nil, m{"aud": strings.TrimSuffix(oauthtest.Audience, "/")}, "audience"},
		"audience case":        {nil, m{"aud": strings.ToUpper(oauthtest.Audience)}, "audience"},
		"audience prefix":      {nil, m{"aud": oauthtest.Audience + "admin"}, "audience"},
		"no audience":          {nil, m{"aud": nil}, "audience"},
		"empty audience":       {nil, m{"aud": ""}, "audience"},
		"no audience in list":  {nil, m{"aud": []string{}}, "audience"},
		"audience is a number": {nil, m{"aud": 1}, ""},
		"wrong issuer":         {nil, m{"iss": "https://evil.example/"}, "another issuer"},
		"issuer without slash": {nil, m{"iss": strings.TrimSuffix(i.URL, "/")}, "another issuer"},
		"issuer with more":     {nil, m{"iss": i.URL + "/"}, "another issuer"},
		"issuer in a list":     {nil, m{"iss": []string{i.URL}}, ""},
		"no issuer":            {nil, m{"iss": nil}, ""},
		"expired":              {nil, m{"exp": now - 31}, "expired"},
		"expired long ago":     {nil, m{"exp": 1}, "expired"},
		"no exp":               {nil, m{"exp": nil}, ""},
		"exp zero":             {nil, m{"exp": 0}, ""},
		"exp is a string":      {nil, m{"exp": "9999999999"}, "date"},
		"exp is absurd":        {nil, m{"exp": 1e300}, "date"},
		"exp is negative":      {nil, m{"exp": -1}, "date"},
		"exp spelled else":     {nil, m{"exp": nil, "EXP": now + 60}, ""},
		"not yet valid":        {nil, m{"nbf": now + 31}, "not valid yet"},
		"nbf is absurd":        {nil, m{"nbf": 1e20}, "date"},
		"issued in the future": {nil, m{"iat": now + 31}, "in the future"},
		"nobody":               {nil, m{"sub": nil, "client_id": nil}, "neither"},
		"sub is a number":      {nil, m{"sub": 1}, "name"},
		"sub is empty":         {nil, m{"sub": ""}, "name"},
		"sub is long":          {nil, m{"sub": strings.Repeat("s", 600)}, "name"},
		"scope is a number":    {nil, m{"scope": 1}, "scopes"},
		"scopes are numbers":   {nil, m{"scope": []int{1}}, "scopes"},
		"too many scopes":      {nil, m{"scope": manyScopes()}, "too many"},
		"crit":                 {m{"crit": []string{"exp"}}, nil, "extension"},
		"crit is empty":        {m{"crit": []string{}}, nil, "extension"},
		"b64":                  {m{"b64": false, "crit": []string{"b64"}}, nil, "extension"},
		"typ of DPoP":          {m{"typ": "dpop+jwt"}, nil, "not an access token"},
		"typ of logout":        {m{"typ": "logout+jwt"}, nil, "not an access token"},
		"typ of an event":      {m{"typ": "secevent+jwt"}, nil, "not an access token"},
		"typ of introspection": {m{"typ": "token-introspection+jwt"}, nil, "not an access token"},
		"typ is a number":      {m{"typ": 1}, nil, "not an access token"},
		"typ is null":          {m{"typ": []any(nil)}, nil, "not an access token"},
		"ID token":             {m{"typ": "JWT"}, m{"nonce": "n", "scope": nil}, "ID token"},
		"ID token, hash":       {m{"typ": "JWT"}, m{"at_hash": "h"}, "ID token"},
		"ID token, Cognito":    {m{"typ": "JWT"}, m{"token_use": "id"}, "not an access token"},
		"ID token, Keycloak":   {m{"typ": "JWT"}, m{"typ": "ID"}, "not an access token"},
		"refresh token":        {m{"typ": "JWT"}, m{"typ": "Refresh"}, "not an access token"},
		"logout token":         {m{"typ": "JWT"}, m{"events": m{}}, "event"},
		"DPoP-bound":           {nil, m{"cnf": m{"jkt": "x"}}, "bound"},
		"certificate-bound":    {nil, m{"cnf": m{"x5t#S256": "x"}}, "bound"},
	} {
		t.Run(name, func(t *testing.T) {
			b := *b
			b.t = t
			e := b.bad(oauth.InvalidToken, es(i, tt.header, tt.claims))
			if !strings.Contains(e.Description, tt.says) {
				t.Errorf("it says %q, not %q", e.Description, tt.says)
			}
		})
	}
}

// TestExpiry: what was accepted is refused once its time is over, although it is
// remembered.
func TestExpiry(t *testing.T) {
	b := newBench(t, nil)
	token := b.issuer.Mint(m{"exp": b.clock.now().Add(time.Minute).Unix()})
	b.good(token)
	b.good(token)
	b.clock.pass(time.Minute + 29*time.Second)
	b.good(token)
	b.clock.pass(time.Second)
	b.bad(oauth.InvalidToken, token)
}

// TestJWEIsOpaque: Auth0 gives encrypted tokens when it was not told an audience.
func TestJWEIsOpaque(t *testing.T) {
	b := newBench(t, nil)
	e := b.bad(oauth.InvalidToken, "eyJhbGciOiJkaXIifQ..iv.text.tag")
	if !strings.Contains(e.Description, "opaque") {
		t.Errorf("it says %q", e.Description)
	}
}

func manyScopes() string {
	var s []string
	for n := range 300 {
		s = append(s, fmt.Sprint("s", n))
	}
	return strings.Join(s, " ")
}
