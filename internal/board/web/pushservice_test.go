package web

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/ecdh"
	"crypto/hkdf"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"io"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/legwork-mcp/legwork/internal/board/data"
	"github.com/legwork-mcp/legwork/internal/board/push"
	"github.com/legwork-mcp/legwork/internal/store"
)

// pushService stands in for the push service of a browser: it takes pushes and opens
// them, as the browser would.
type pushService struct {
	mu      sync.Mutex
	private *ecdh.PrivateKey
	auth    []byte
	bodies  [][]byte
}

func newPushService(t *testing.T, db *store.DB) (*pushService, *push.Push) {
	t.Helper()
	private, err := ecdh.P256().GenerateKey(rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	s := &pushService{private: private, auth: []byte("sixteen letters.")}
	key, err := push.NewKey([]byte(strings.Repeat("signing.", 4)))
	if err != nil {
		t.Fatal(err)
	}

	return s, push.New(db, push.Options{Key: key, NewID: func() string { return data.NewID(time.Now()) }, Client: &http.Client{Transport: s}})
}

// RoundTrip implements http.RoundTripper.
func (s *pushService) RoundTrip(r *http.Request) (*http.Response, error) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.bodies = append(s.bodies, body)
	return &http.Response{StatusCode: http.StatusCreated, Body: http.NoBody, Request: r}, nil
}

// form is what a browser that subscribed here sends to the board.
func (s *pushService) form(path string) url.Values {
	b64 := base64.RawURLEncoding.EncodeToString
	return url.Values{"endpoint": {"https://push.example.com/" + path}, "p256dh": {b64(s.private.PublicKey().Bytes())}, "auth": {b64(s.auth)}}
}

// last opens the last push (RFC 8291).
func (s *pushService) last(t *testing.T) string {
	t.Helper()
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.bodies) == 0 {
		t.Fatal("there was no push")
	}
	body := s.bodies[len(s.bodies)-1]
	theirs, err := ecdh.P256().NewPublicKey(body[21:86])
	if err != nil {
		t.Fatal(err)
	}
	shared, err := s.private.ECDH(theirs)
	if err != nil {
		t.Fatal(err)
	}
	derive := func(secret, salt []byte, info string, n int) []byte {
		out, err := hkdf.Key(sha256.New, secret, salt, info, n)
		if err != nil {
			t.Fatal(err)
		}
		return out
	}
	ikm := derive(shared, s.auth, "WebPush: info\x00"+string(s.private.PublicKey().Bytes())+string(body[21:86]), 32)
	block, err := aes.NewCipher(derive(ikm, body[:16], "Content-Encoding: aes128gcm\x00", 16))
	if err != nil {
		t.Fatal(err)
	}
	gcm, err := cipher.NewGCM(block)
	if err != nil {
		t.Fatal(err)
	}
	text, err := gcm.Open(nil, derive(ikm, body[:16], "Content-Encoding: nonce\x00", 12), body[86:], nil)
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSuffix(strings.TrimRight(string(text), "\x00"), "\x02")
}
