package push

import (
	"context"
	"crypto/aes"
	"crypto/cipher"
	"crypto/ecdh"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/big"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/legwork-mcp/legwork/internal/store"
	"github.com/legwork-mcp/legwork/internal/store/storetest"
)

var databases storetest.Databases

func TestMain(m *testing.M) { os.Exit(databases.Run(m)) }

// noon in Japan
var noon = time.Date(2026, 11, 28, 3, 0, 0, 0, time.UTC)

// browser is a device: what it keeps to itself, and what it gives away.
type browser struct {
	private *ecdh.PrivateKey
	auth    []byte
	sub     Subscription
}

func newBrowser(t *testing.T, path string) browser {
	t.Helper()
	private, err := ecdh.P256().GenerateKey(rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	auth := make([]byte, 16)
	_, _ = rand.Read(auth)
	return browser{private, auth, Subscription{
		Endpoint: "https://example.com" + path, P256DH: encoding.EncodeToString(private.PublicKey().Bytes()), Auth: encoding.EncodeToString(auth), Name: "Chrome, Android",
	}}
}

// open decrypts what a push service hands to the browser, from RFC 8188 and RFC 8291 and
// not with what the package uses.
func (b browser) open(body []byte) ([]byte, error) {
	if len(body) < 86 || len(body) > 4096 || body[20] != 65 {
		return nil, fmt.Errorf("%d bytes are no message", len(body))
	}
	salt, size, sender, rest := body[:16], binary.BigEndian.Uint32(body[16:20]), body[21:86], body[86:]
	if int(size) < len(rest) {
		return nil, fmt.Errorf("a record of %d bytes, and %d follow", size, len(rest))
	}
	theirs, err := ecdh.P256().NewPublicKey(sender)
	if err != nil {
		return nil, err
	}
	shared, err := b.private.ECDH(theirs)
	if err != nil {
		return nil, err
	}
	mac := func(key []byte, parts ...string) []byte {
		h := hmac.New(sha256.New, key)
		for _, p := range parts {
			_, _ = io.WriteString(h, p)
		}
		return h.Sum(nil)
	}
	ikm := mac(mac(b.auth, string(shared)), "WebPush: info\x00", string(b.private.PublicKey().Bytes()), string(sender), "\x01")
	prk := mac(salt, string(ikm))
	block, err := aes.NewCipher(mac(prk, "Content-Encoding: aes128gcm\x00\x01")[:16])
	if err != nil {
		return nil, err
	}
	gcm, err := cipher.NewGCM(block)
	if err != nil {
		return nil, err
	}
	text, err := gcm.Open(nil, mac(prk, "Content-Encoding: nonce\x00\x01")[:12], rest, nil)
	if err != nil {
		return nil, err
	}
	trimmed := strings.TrimRight(string(text), "\x00")
	if !strings.HasSuffix(trimmed, "\x02") {
		return nil, errors.New("the last record has no delimiter")
	}
	return []byte(trimmed[:len(trimmed)-1]), nil
}

// signed checks the header of RFC 8292 and returns the claims and the key.
func signed(header string) (claims map[string]any, key string, err error) {
	rest, ok := strings.CutPrefix(header, "vapid t=")
	token, key, two := strings.Cut(rest, ", k=")
	parts := strings.Split(token, ".")
	if !ok || !two || len(parts) != 3 {
		return nil, "", fmt.Errorf("%q is no header", header)
	}
	point, err1 := encoding.DecodeString(key)
	signature, err2 := encoding.DecodeString(parts[2])
	raw, err3 := encoding.DecodeString(parts[1])
	if err := errors.Join(err1, err2, err3); err != nil || len(signature) != 64 {
		return nil, "", fmt.Errorf("%d bytes of a signature: %w", len(signature), err)
	}
	public, err := ecdsa.ParseUncompressedPublicKey(elliptic.P256(), point)
	if err != nil {
		return nil, "", err
	}
	sum := sha256.Sum256([]byte(parts[0] + "." + parts[1]))
	if !ecdsa.Verify(public, sum[:], new(big.Int).SetBytes(signature[:32]), new(big.Int).SetBytes(signature[32:])) {
		return nil, "", errors.New("the signature is not the key's")
	}
	return claims, key, json.Unmarshal(raw, &claims)
}

// taken is what a push service took.
type taken struct {
	path   string
	header http.Header
	body   []byte
}

// service is a push service on TLS; it answers 201, or what a path was given.
type service struct {
	mu     sync.Mutex
	taken  []taken
	status map[string]int
	server *httptest.Server
}

func newService(t *testing.T) *service {
	t.Helper()
	s := &service{status: map[string]int{}}
	s.server = httptest.NewTLSServer(s)
	t.Cleanup(s.server.Close)
	return s
}

func (s *service) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.taken = append(s.taken, taken{r.Method + " " + r.URL.Path, r.Header, body})
	status := s.status[r.URL.Path]
	if status == 0 {
		status = http.StatusCreated
	}
	w.Header().Set("Location", "https://example.com/message/1")
	w.WriteHeader(status)
}

// client reaches the service as example.com, which its certificate is for.
func (s *service) client() *http.Client {
	c := s.server.Client()
	c.Transport.(*http.Transport).DialContext = func(ctx context.Context, network, _ string) (net.Conn, error) {
		return (&net.Dialer{}).DialContext(ctx, network, s.server.Listener.Addr().String())
	}
	c.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	return c
}

// bench is the pushes of a board with two people.
type bench struct {
	*Push
	*service
	db *store.DB
}

func newBench(t *testing.T, u store.URL) *bench {
	t.Helper()
	b := &bench{service: newService(t)}
	var n atomic.Int64
	clock := func() time.Time { return noon.Add(time.Duration(n.Load()) * time.Second) }
	b.db = storetest.Open(t, u).WithClock(clock)
	key, err := NewKey([]byte(strings.Repeat("secret..", 4)))
	if err != nil {
		t.Fatal(err)
	}
	b.Push = New(b.db, Options{Key: key, Contact: "https://board.example.org", Client: b.service.client(), NewID: func() string { return fmt.Sprintf("id-%06d", n.Add(1)) }})
	for _, id := range []string{"hanako", "taro"} {
		err := b.db.Tx(t.Context(), func(ctx context.Context, tx store.Tx) error {
			_, err := tx.Exec(ctx, `INSERT INTO humans (id, handle, lang, country, prefecture, city, headline, bio, notify, instant_on, quiet_from, quiet_to, task_cap,
payout_ready, operator, suspended, offered_ms, created_ms, updated_ms, deleted_ms) VALUES ($1, $1, 'ja', '', '', '', '', '', '{}', FALSE, 0, 0, 1, FALSE, FALSE, FALSE, 0, 1, 1, 0)`, id)
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return b
}

func (b *bench) add(t *testing.T, human string, all ...browser) {
	t.Helper()
	for _, one := range all {
		if err := b.Add(t.Context(), human, one.sub); err != nil {
			t.Fatal(err)
		}
	}
}

// endpoints are the paths of a person's devices.
func (b *bench) endpoints(t *testing.T, human string) string {
	t.Helper()
	list, err := b.Devices(t.Context(), human)
	if err != nil {
		t.Fatal(err)
	}
	var all []string
	for _, d := range list {
		all = append(all, strings.TrimPrefix(d.Endpoint, "https://example.com"))
	}
	return strings.Join(all, " ")
}
