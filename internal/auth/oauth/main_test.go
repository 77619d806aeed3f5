package oauth_test

import (
	"bytes"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/rsa"
	"encoding/base64"
	"errors"
	"log/slog"
	"net/http"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/legwork-mcp/legwork/internal/auth"
	"github.com/legwork-mcp/legwork/internal/auth/oauth"
	"github.com/legwork-mcp/legwork/internal/auth/oauth/oauthtest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// clock is the time of a test.
type clock struct {
	mu sync.Mutex
	at time.Time
}

func newClock() *clock { return &clock{at: time.Date(2030, 1, 1, 12, 0, 0, 0, time.UTC)} }

func (c *clock) now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.at
}

func (c *clock) pass(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.at = c.at.Add(d)
}

// log collects what is logged.
type log struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (l *log) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(p)
}

func (l *log) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}

// bench is a verifier with its issuer.
type bench struct {
	*oauth.Verifier
	t      *testing.T
	issuer *oauthtest.Issuer
	clock  *clock
	log    *log
}

// newBench starts an issuer and a verifier of it. prepare may change both before
// the verifier starts.
func newBench(t *testing.T, prepare func(*oauthtest.Issuer, *oauth.Config)) *bench {
	t.Helper()
	b := &bench{t: t, issuer: oauthtest.New(t), clock: newClock(), log: &log{}}
	b.issuer.SetClock(b.clock.now)
	c := oauth.Config{
		Issuer: b.issuer.URL, Audiences: []string{"https://other.example/", oauthtest.Audience},
		HTTPClient: b.issuer.HTTPClient(), Clock: b.clock.now,
		Logger: slog.New(slog.NewTextHandler(b.log, &slog.HandlerOptions{Level: slog.LevelDebug})),
	}
	if prepare != nil {
		prepare(b.issuer, &c)
	}
	v, err := oauth.New(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(v.Close)
	b.Verifier = v
	return b
}

// introspecting lets the bench take opaque tokens.
func introspecting(_ *oauthtest.Issuer, c *oauth.Config) {
	c.Introspection = oauth.Introspection{ClientID: oauthtest.ClientID, ClientSecret: oauthtest.ClientSecret}
}

// good wants a token accepted.
func (b *bench) good(token string) auth.Principal {
	b.t.Helper()
	p, err := b.Verify(b.t.Context(), token)
	if err != nil {
		b.t.Fatalf("refused: %v (%v); log:\n%s", err, errors.Unwrap(errors.Unwrap(err)), b.log)
	}
	return p
}

// bad wants a token refused with a code.
func (b *bench) bad(code oauth.Code, token string) *oauth.Error {
	b.t.Helper()
	p, err := b.Verify(b.t.Context(), token)
	var e *oauth.Error
	if !errors.As(err, &e) {
		b.t.Fatalf("accepted or without a reason: %+v, %v", p, err)
	}
	if e.Code != code {
		b.t.Errorf("refused with %s (%s), want %s", e.Code, e.Description, code)
	}
	if !p.Equal(auth.Principal{}) {
		b.t.Errorf("refused, and yet it is %+v", p)
	}
	return e
}

// hits wants this many requests for a path so far.
func (b *bench) hits(path string, want int) {
	b.t.Helper()
	if got := b.issuer.Hits(path); got != want {
		b.t.Errorf("%s was asked for %d times, want %d", path, got, want)
	}
}

// strongKey is made once: RSA takes its time.
var strongKey = sync.OnceValue(func() *rsa.PrivateKey { return rsaKey(2048) })

func rsaKey(bits int) *rsa.PrivateKey {
	key, err := rsa.GenerateKey(rand.Reader, bits)
	if err != nil {
		panic(err)
	}
	return key
}

func curveKey(c elliptic.Curve) *ecdsa.PrivateKey {
	key, err := ecdsa.GenerateKey(c, rand.Reader)
	if err != nil {
		panic(err)
	}
	return key
}

// answer is a handler that always says the same.
func answer(status int, body string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(status)
		_, _ = w.Write([]byte(body)) // the client may have hung up
	}
}

// ecJWK is a public key as a header could hold it.
func ecJWK(key *ecdsa.PrivateKey) map[string]any {
	raw, err := key.PublicKey.Bytes()
	if err != nil {
		panic(err)
	}
	return map[string]any{"kty": "EC", "crv": "P-256", "x": b64(raw[1:33]), "y": b64(raw[33:])}
}

func curveKey256() *ecdsa.PrivateKey { return curveKey(elliptic.P256()) }

func b64(b []byte) string { return base64.RawURLEncoding.EncodeToString(b) }
