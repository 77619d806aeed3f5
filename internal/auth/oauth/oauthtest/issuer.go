package oauthtest

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"
	"time"

	"github.com/MicahParks/jwkset"
	"github.com/golang-jwt/jwt/v5"
)

// What the tokens of an Issuer say unless a test says otherwise, and the client
// that may introspect.
const (
	Audience     = "https://api.example/"
	Subject      = "ann"
	Client       = "assistant"
	ClientID     = "resource server"
	ClientSecret = "introspection: secret/+%"
)

// The paths of an Issuer, for Handle and Hits.
const (
	MetadataPath      = "/.well-known/openid-configuration"
	OAuthMetadataPath = "/.well-known/oauth-authorization-server"
	KeysPath          = "/jwks"
	IntrospectionPath = "/introspect"
)

// Issuer is an authorization server. It is safe for concurrent use.
type Issuer struct {
	// URL is the issuer as its tokens name it, with a slash at the end.
	URL string

	t      testing.TB
	server *httptest.Server

	mu      sync.Mutex
	clock   func() time.Time
	key     *ecdsa.PrivateKey
	kid     string
	made    int
	more    []any // further members of the key set
	down    bool
	hits    map[string]int
	instead map[string]http.HandlerFunc
	opaque  map[string]map[string]any
}

// New starts an issuer that ends with the test.
func New(t testing.TB) *Issuer {
	t.Helper()
	i := &Issuer{
		t: t, clock: time.Now, hits: map[string]int{}, instead: map[string]http.HandlerFunc{}, opaque: map[string]map[string]any{},
	}
	i.server = httptest.NewServer(http.HandlerFunc(i.serve))
	t.Cleanup(i.server.Close)
	i.URL = i.server.URL + "/"
	i.Rotate()
	return i
}

// HTTPClient reaches the issuer, with a connection for each request so that none
// is repeated behind the test's back.
func (i *Issuer) HTTPClient() *http.Client {
	c := i.server.Client()
	if tr, ok := c.Transport.(*http.Transport); ok {
		tr.DisableKeepAlives = true
	}
	return c
}

// SetClock sets the time at which tokens are issued.
func (i *Issuer) SetClock(now func() time.Time) {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.clock = now
}

// Rotate replaces the key by a new one; tokens of the old one are void.
func (i *Issuer) Rotate() {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		i.t.Errorf("make a key: %v", err)
		return
	}
	i.mu.Lock()
	defer i.mu.Unlock()
	i.made++
	i.key, i.kid = key, fmt.Sprintf("key-%d", i.made)
}

// Key is the present key, which is for ES256, and its name.
func (i *Issuer) Key() (kid string, key *ecdsa.PrivateKey) {
	i.mu.Lock()
	defer i.mu.Unlock()
	return i.kid, i.key
}

// Publish adds a member to the key set: a public key, or anything else for a
// hostile set.
func (i *Issuer) Publish(kid string, key any) {
	member := key
	if jwk, err := jwkset.NewJWKFromKey(key, jwkset.JWKOptions{Metadata: jwkset.JWKMetadataOptions{KID: kid}}); err == nil {
		member = jwk.Marshal()
	}
	i.mu.Lock()
	defer i.mu.Unlock()
	i.more = append(i.more, member)
}

// Claims are those of a good access token, changed by the given ones; nil takes
// one away.
func (i *Issuer) Claims(change map[string]any) map[string]any {
	i.mu.Lock()
	now := i.clock()
	i.mu.Unlock()
	out := map[string]any{
		"iss": i.URL, "aud": Audience, "sub": Subject, "client_id": Client, "scope": "test:read",
		"iat": now.Unix(), "nbf": now.Unix(), "exp": now.Add(time.Hour).Unix(),
	}
	maps.Copy(out, change)
	maps.DeleteFunc(out, func(_ string, v any) bool { return v == nil })
	return out
}

// Mint signs an access token; see Claims.
func (i *Issuer) Mint(change map[string]any) string {
	kid, key := i.Key()
	return i.Sign(jwt.SigningMethodES256, key, map[string]any{"kid": kid, "typ": "at+jwt"}, change)
}

// Sign makes a token as Mint does, with any key and header; nil takes a header's
// member away.
func (i *Issuer) Sign(method jwt.SigningMethod, key any, header, change map[string]any) string {
	i.t.Helper()
	token := jwt.NewWithClaims(method, jwt.MapClaims(i.Claims(change)))
	maps.Copy(token.Header, header)
	maps.DeleteFunc(token.Header, func(_ string, v any) bool { return v == nil })
	out, err := token.SignedString(key)
	if err != nil {
		i.t.Errorf("sign a token: %v", err)
	}
	return out
}

// Opaque makes a token that only introspection explains; see Claims.
func (i *Issuer) Opaque(change map[string]any) string {
	answer := i.Claims(change)
	if _, ok := change["active"]; !ok {
		answer["active"] = true
	}
	token := "opaque_" + rand.Text()
	i.mu.Lock()
	defer i.mu.Unlock()
	i.opaque[token] = answer
	return token
}

// Revoke makes an opaque token void.
func (i *Issuer) Revoke(token string) {
	i.mu.Lock()
	defer i.mu.Unlock()
	delete(i.opaque, token)
}

// Down lets the issuer close every connection without an answer.
func (i *Issuer) Down() { i.setDown(true) }

// Up ends Down.
func (i *Issuer) Up() { i.setDown(false) }

func (i *Issuer) setDown(down bool) {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.down = down
}

// Handle lets h answer at a path instead; nil restores the path.
func (i *Issuer) Handle(path string, h http.HandlerFunc) {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.instead[path] = h
}

// Hits counts the requests for a path so far, also those while it was down.
func (i *Issuer) Hits(path string) int {
	i.mu.Lock()
	defer i.mu.Unlock()
	return i.hits[path]
}

func (i *Issuer) serve(w http.ResponseWriter, r *http.Request) {
	i.mu.Lock()
	i.hits[r.URL.Path]++
	down, instead := i.down, i.instead[r.URL.Path]
	i.mu.Unlock()
	switch {
	case down:
		panic(http.ErrAbortHandler)
	case instead != nil:
		instead(w, r)
	case r.URL.Path == MetadataPath, r.URL.Path == OAuthMetadataPath:
		i.reply(w, map[string]any{
			"issuer": i.URL, "jwks_uri": i.server.URL + KeysPath, "introspection_endpoint": i.server.URL + IntrospectionPath,
		})
	case r.URL.Path == KeysPath:
		i.reply(w, map[string]any{"keys": i.keys()})
	case r.URL.Path == IntrospectionPath:
		i.introspect(w, r)
	default:
		http.NotFound(w, r)
	}
}

func (i *Issuer) keys() []any {
	kid, key := i.Key()
	jwk, err := jwkset.NewJWKFromKey(key.Public(), jwkset.JWKOptions{
		Metadata: jwkset.JWKMetadataOptions{KID: kid, ALG: jwkset.AlgES256, USE: jwkset.UseSig},
	})
	if err != nil {
		i.t.Errorf("publish a key: %v", err)
	}
	i.mu.Lock()
	defer i.mu.Unlock()
	return append([]any{jwk.Marshal()}, i.more...)
}

// introspect is RFC 7662 for one client.
func (i *Issuer) introspect(w http.ResponseWriter, r *http.Request) {
	user, password, _ := r.BasicAuth()
	if user != "resource+server" || password != "introspection%3A+secret%2F%2B%25" || r.Method != http.MethodPost {
		w.WriteHeader(http.StatusUnauthorized)
		return
	}
	i.mu.Lock()
	answer, ok := i.opaque[r.PostFormValue("token")]
	i.mu.Unlock()
	if !ok {
		answer = map[string]any{"active": false}
	}
	i.reply(w, answer)
}

func (i *Issuer) reply(w http.ResponseWriter, v any) {
	w.Header().Set("Content-Type", "application/json")
	if err := json.NewEncoder(w).Encode(v); err != nil {
		i.t.Logf("write an answer: %v", err)
	}
}
