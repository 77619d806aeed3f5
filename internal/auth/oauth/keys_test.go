package oauth_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/golang-jwt/jwt/v5"

	"github.com/legwork-mcp/legwork/internal/auth/oauth"
	"github.com/legwork-mcp/legwork/internal/auth/oauth/oauthtest"
	"github.com/legwork-mcp/legwork/internal/fault"
)

// forged is a token of a key that nobody has.
func forged(i *issuer, n int) string {
	_, key := i.Key()
	return i.Sign(jwt.SigningMethodES256, key, m{"kid": fmt.Sprint("forged-", n)}, nil)
}

// TestForgedKeyNames: anybody can name a key that is not there.
func TestForgedKeyNames(t *testing.T) {
	b := newBench(t, nil)
	b.good(b.issuer.Mint(nil))
	b.hits(oauthtest.KeysPath, 1)
	var wg sync.WaitGroup
	for n := range 50 {
		wg.Go(func() {
			if _, err := b.Verify(context.Background(), forged(b.issuer, n)); err == nil {
				t.Error("a forged token is accepted")
			}
		})
	}
	wg.Wait()
	for n := range 50 {
		b.bad(oauth.InvalidToken, forged(b.issuer, 100+n))
	}
	b.hits(oauthtest.KeysPath, 2)

	// A real rotation right after the flood waits for seconds, not for minutes.
	b.issuer.Rotate()
	fresh := b.issuer.Mint(nil)
	b.bad(oauth.InvalidToken, fresh)
	b.clock.pass(10 * time.Second)
	b.good(fresh)
	b.hits(oauthtest.KeysPath, 3)
	b.hits(oauthtest.OAuthMetadataPath, 1)
}

// TestRotation: new tokens are good at once, and what the old key signed is
// forgotten although it was remembered as good.
func TestRotation(t *testing.T) {
	b := newBench(t, nil)
	old := b.issuer.Mint(nil)
	b.good(old)
	b.issuer.Rotate()
	b.good(old) // nobody has told us yet
	b.good(b.issuer.Mint(nil))
	b.bad(oauth.InvalidToken, old)
	b.hits(oauthtest.KeysPath, 2)
	if !strings.Contains(b.log.String(), "has changed its keys") {
		t.Errorf("the log does not tell: %s", b.log)
	}
}

// TestRevokedKey: without any new token too, a key that was taken back is
// trusted for an hour at most.
func TestRevokedKey(t *testing.T) {
	b := newBench(t, nil)
	token := b.issuer.Mint(m{"exp": b.clock.now().Add(9 * time.Hour).Unix()})
	b.good(token)
	b.issuer.Rotate()
	b.clock.pass(time.Hour)
	b.bad(oauth.InvalidToken, token)
}

func TestIssuerDownAtStart(t *testing.T) {
	b := newBench(t, func(i *issuer, _ *oauth.Config) { i.Down() })
	if !strings.Contains(b.log.String(), "no token of the issuer can be checked until it answers") {
		t.Errorf("the log does not tell: %s", b.log)
	}
	token := b.issuer.Mint(nil)
	e := b.bad(oauth.Unavailable, token)
	if e.Status() != 503 || e.RetryAfter <= 0 || fault.From(e).Kind != fault.Unavailable {
		t.Errorf("status %d, retry after %v, fault %+v", e.Status(), e.RetryAfter, fault.From(e))
	}
	if err := b.Check(t.Context()); err == nil {
		t.Error("it says that it is ready")
	}
	b.issuer.Up()
	b.bad(oauth.Unavailable, token) // the pause is not over
	b.hits(oauthtest.OAuthMetadataPath, 1)
	b.clock.pass(time.Second)
	b.good(token)
	if err := b.Check(t.Context()); err != nil || !strings.Contains(b.log.String(), "the keys of the issuer are there") {
		t.Errorf("not ready: %v; log %s", err, b.log)
	}
}

// TestTheNextOutageBeginsAnew: how long the last one lasted does not count.
func TestTheNextOutageBeginsAnew(t *testing.T) {
	b := newBench(t, func(i *issuer, _ *oauth.Config) { i.Down() })
	for range 5 {
		b.clock.pass(time.Minute)
		b.bad(oauth.Unavailable, b.issuer.Mint(nil))
	}
	b.issuer.Up()
	b.clock.pass(time.Minute)
	b.good(b.issuer.Mint(nil))
	b.issuer.Down()
	b.clock.pass(24 * time.Hour)
	b.bad(oauth.Unavailable, b.issuer.Mint(nil))
	b.issuer.Up()
	b.clock.pass(time.Second)
	b.good(b.issuer.Mint(nil))
}

// TestNoStorm: while the issuer is down it is asked less and less, however many
// requests come in.
func TestNoStorm(t *testing.T) {
	b := newBench(t, func(i *issuer, _ *oauth.Config) { i.Down() })
	token := b.issuer.Mint(nil)
	attempts := func() int { return b.issuer.Hits(oauthtest.OAuthMetadataPath) }
	for range 600 {
		b.clock.pass(time.Second)
		for range 5 {
			b.bad(oauth.Unavailable, token)
		}
	}
	// 1, 2, 4, 8, 16 and 32 s, then every minute.
	if got := attempts(); got < 10 || got > 20 {
		t.Errorf("%d attempts in 10 minutes", got)
	}
	if lines := strings.Count(b.log.String(), "level=WARN"); lines > 25 {
		t.Errorf("%d warnings: %s", lines, b.log)
	}
}

// TestOutage: known keys outlive an outage of a day, not more; what would need a
// new key cannot be decided.
func TestOutage(t *testing.T) {
	b := newBench(t, nil)
	token := b.issuer.Mint(m{"exp": b.clock.now().Add(72 * time.Hour).Unix()})
	b.issuer.Down()
	b.bad(oauth.Unavailable, forged(b.issuer, 1))
	b.clock.pass(23 * time.Hour)
	b.good(token)
	b.clock.pass(time.Hour)
	b.bad(oauth.Unavailable, token)
	b.issuer.Up()
	b.clock.pass(time.Minute)
	b.good(token)
}

// TestHostileKeySets: none of them is believed, followed or read to its end.
func TestHostileKeySets(t *testing.T) {
	weak := rsaKey(1024)
	for name, h := range map[string]http.HandlerFunc{
		"10 MB": func(w http.ResponseWriter, _ *http.Request) {
			_, _ = w.Write([]byte(`{"keys":[],"x":"` + strings.Repeat("x", 10<<20) + `"}`)) // it hangs up
		},
		"much space": keySetAnd(t, strings.Repeat(" ", 1<<20)),
		"redirect":   func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, "/elsewhere", http.StatusFound) },
		"redirect 307": func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, "/elsewhere", http.StatusTemporaryRedirect)
		},
		"an error":        answer(500, `{"keys":[]}`),
		"not found":       answer(404, ``),
		"a page":          answer(200, `<html>`),
		"nothing":         answer(200, ``),
		"null":            answer(200, `null`),
		"a list":          answer(200, `[]`),
		"no keys":         answer(200, `{"keys":[]}`),
		"keys are null":   answer(200, `{"keys":[null,1,"x",[]]}`),
		"keys are a word": answer(200, `{"keys":"x"}`),
		"oct":             answer(200, `{"keys":[{"kty":"oct","kid":"key-1","alg":"HS256","k":"c2VjcmV0"}]}`),
		"oct as RSA":      answer(200, `{"keys":[{"kty":"RSA","kid":"key-1","k":"c2VjcmV0"}]}`),
		"no kid":          keySet(t, map[string]any{"kid": nil}),
		"for encryption":  keySet(t, map[string]any{"use": "enc"}),
		"for signing":     keySet(t, map[string]any{"key_ops": []string{"sign"}}),
		"private":         keySet(t, map[string]any{"d": "AAAA"}),
		"unknown type":    keySet(t, map[string]any{"kty": "XX"}),
		"off the curve":   keySet(t, map[string]any{"x": "AAAA"}),
		"no point":        keySet(t, map[string]any{"x": nil}),
		"weak RSA":        rsaSet(t, weak.N.Bytes(), []byte{1, 0, 1}),
		"RSA without e":   rsaSet(t, weak.N.Bytes(), nil),
		"enormous RSA":    rsaSet(t, append([]byte{0xff}, make([]byte, 20000)...), []byte{1, 0, 1}),
		"200 keys":        answer(200, `{"keys":[`+strings.TrimSuffix(strings.Repeat(`{"kty":"EC"},`, 200), ",")+`]}`),
		"deep":            answer(200, `{"keys":`+strings.Repeat("[", 100_000)),
	} {
		t.Run(name, func(t *testing.T) {
			b := newBench(t, func(i *issuer, _ *oauth.Config) { i.Handle(oauthtest.KeysPath, h) })
			b.bad(oauth.Unavailable, b.issuer.Mint(nil))
			b.hits("/elsewhere", 0)
			b.issuer.Handle(oauthtest.KeysPath, nil)
			b.clock.pass(time.Second)
			b.good(b.issuer.Mint(nil))
		})
	}
}

// TestAnEndlessAnswer is not read to where it would end.
func TestAnEndlessAnswer(t *testing.T) {
	var sent atomic.Int64
	b := newBench(t, func(i *issuer, _ *oauth.Config) {
		i.Handle(oauthtest.KeysPath, func(w http.ResponseWriter, _ *http.Request) {
			for range 256 {
				n, err := w.Write(make([]byte, 1<<20))
				if sent.Add(int64(n)); err != nil {
					return
				}
			}
		})
	})
	b.bad(oauth.Unavailable, b.issuer.Mint(nil))
	if got := sent.Load(); got > 64<<20 {
		t.Errorf("it took %d bytes", got)
	}
}

// keySet serves a set of one key that is good but for the change.
func keySet(t *testing.T, change map[string]any) http.HandlerFunc {
	return answer(200, keySetText(t, change))
}

func keySetAnd(t *testing.T, more string) http.HandlerFunc {
	return answer(200, keySetText(t, nil)+more)
}

func keySetText(t *testing.T, change map[string]any) string {
	key := ecJWK(curveKey256())
	key["kid"] = "key-1"
	for k, v := range change {
		key[k] = v
	}
	raw, err := json.Marshal(m{"keys": []any{key}})
	if err != nil {
		t.Fatal(err)
	}
	return string(raw)
}

func rsaSet(t *testing.T, n, e []byte) http.HandlerFunc {
	return keySet(t, map[string]any{"kty": "RSA", "n": b64(n), "e": b64(e)})
}

// TestOneBadKeyAmongGood: the bad one is not used, and the others are.
func TestOneBadKeyAmongGood(t *testing.T) {
	weak := rsaKey(1024)
	b := newBench(t, func(i *issuer, _ *oauth.Config) {
		i.Publish("weak", weak.Public())
		i.Publish("", m{"kty": "RSA", "kid": "pinned", "alg": "RS256", "n": b64(strongKey().N.Bytes()), "e": "AQAB"})
		i.Publish("", m{"kty": "RSA", "kid": "enc", "use": "enc", "n": b64(strongKey().N.Bytes()), "e": "AQAB"})
		i.Publish("", m{"kty": "oct", "kid": "oct", "k": "c2VjcmV0"})
		i.Publish("key-1", strongKey().Public()) // in the name of another
	})
	i := b.issuer
	b.good(i.Mint(nil))
	b.good(i.Sign(jwt.SigningMethodRS256, strongKey(), m{"kid": "pinned"}, nil))
	b.bad(oauth.InvalidToken, i.Sign(jwt.SigningMethodPS256, strongKey(), m{"kid": "pinned"}, nil))
	b.bad(oauth.InvalidToken, i.Sign(jwt.SigningMethodRS256, weak, m{"kid": "weak"}, nil))
	b.bad(oauth.InvalidToken, i.Sign(jwt.SigningMethodRS256, strongKey(), m{"kid": "enc"}, nil))
	b.bad(oauth.InvalidToken, i.Sign(jwt.SigningMethodHS256, []byte("secret"), m{"kid": "oct"}, nil))
	b.bad(oauth.InvalidToken, i.Sign(jwt.SigningMethodRS256, strongKey(), m{"kid": "key-1"}, nil))
	if !strings.Contains(b.log.String(), "RSA of 1024 bits") || !strings.Contains(b.log.String(), "has the same kid") {
		t.Errorf("the log does not say why: %s", b.log)
	}
}

// TestSlowIssuer: a caller who gives up is let go, and the time is bounded for
// the others.
func TestSlowIssuer(t *testing.T) {
	asked := make(chan struct{}, 10)
	b := newBench(t, func(i *issuer, c *oauth.Config) {
		i.Handle(oauthtest.KeysPath, func(_ http.ResponseWriter, r *http.Request) {
			asked <- struct{}{}
			<-r.Context().Done()
		})
		c.HTTPClient.Timeout = 50 * time.Millisecond
	})
	b.bad(oauth.Unavailable, b.issuer.Mint(nil))
	if !strings.Contains(b.log.String(), "it does not answer within") {
		t.Errorf("the log does not say why: %s", b.log)
	}

	patient := newBench(t, func(i *issuer, c *oauth.Config) {
		i.Down()
		c.HTTPClient.Transport = deadlines{t, c.HTTPClient.Transport}
	})
	patient.issuer.Up()
	patient.clock.pass(time.Second)
	patient.issuer.Handle(oauthtest.KeysPath, func(_ http.ResponseWriter, r *http.Request) {
		asked <- struct{}{}
		<-r.Context().Done()
	})
	for len(asked) > 0 {
		<-asked
	}
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() {
		_, err := patient.Verify(ctx, patient.issuer.Mint(nil))
		done <- err
	}()
	<-asked
	cancel()
	var e *oauth.Error
	if err := <-done; !errors.As(err, &e) || e.Code != oauth.Unavailable {
		t.Errorf("the caller who gave up got %v", err)
	}
}

// deadlines wants every request to end by itself.
type deadlines struct {
	t    *testing.T
	next http.RoundTripper
}

func (d deadlines) RoundTrip(r *http.Request) (*http.Response, error) {
	if _, ok := r.Context().Deadline(); !ok {
		d.t.Errorf("%s has no deadline", r.URL)
	}
	return d.next.RoundTrip(r)
}

// TestPanicWhileAsking: it is an outage, not the end of the process.
func TestPanicWhileAsking(t *testing.T) {
	b := newBench(t, func(_ *issuer, c *oauth.Config) { c.HTTPClient.Transport = panics{} })
	b.bad(oauth.Unavailable, b.issuer.Mint(nil))
	if !strings.Contains(b.log.String(), "panic: value of type string") {
		t.Errorf("the log does not tell: %s", b.log)
	}
}

type panics struct{}

func (panics) RoundTrip(*http.Request) (*http.Response, error) { panic("defect") }

// TestClosed: a closed verifier decides nothing new, and waits for nothing.
func TestClosed(t *testing.T) {
	b := newBench(t, introspecting)
	b.Close()
	b.Close()
	b.bad(oauth.InvalidToken, "a.b.c")
	b.bad(oauth.Unavailable, b.issuer.Opaque(nil))
	b.bad(oauth.Unavailable, forged(b.issuer, 1))
}
