package push

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/hkdf"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"time"
)

// Key is what push services know the board by (RFC 8292, "VAPID").
type Key struct {
	private *ecdsa.PrivateKey
	public  []byte // the uncompressed point
}

// minSecret is the least length of the secret of a key, in bytes.
const minSecret = 32

// NewKey derives the key from a secret. The same secret gives the same key, on every
// machine of a board: browsers bind each subscription to it.
func NewKey(secret []byte) (Key, error) {
	if len(secret) < minSecret {
		return Key{}, fmt.Errorf("derive the push key: the secret must have at least %d bytes", minSecret)
	}
	for n := range 8 { // a number that is no key of P-256 comes once in 2^32
		raw, err := hkdf.Key(sha256.New, secret, nil, fmt.Sprintf("legwork board push key %d", n), 32)
		if err != nil {
			return Key{}, fmt.Errorf("derive the push key: %w", err)
		}
		if k, err := keyOf(raw); err == nil {
			return k, nil
		}
	}
	return Key{}, errors.New("derive the push key: the secret gives none")
}

func keyOf(raw []byte) (Key, error) {
	private, err := ecdsa.ParseRawPrivateKey(elliptic.P256(), raw)
	if err != nil {
		return Key{}, fmt.Errorf("read a push key: %w", err)
	}
	public, err := private.PublicKey.Bytes()
	if err != nil {
		return Key{}, fmt.Errorf("read a push key: %w", err)
	}
	return Key{private, public}, nil
}

// encoding is how keys and tokens are written.
var encoding = base64.RawURLEncoding

// Public is the key as browsers take it for a subscription (RFC 8292, section 3.2).
func (k Key) Public() string { return encoding.EncodeToString(k.public) }

// tokenLife is how long a token is good; push services refuse more than 24 hours
// (RFC 8292, section 2).
const tokenLife = 12 * time.Hour

// authorization is the header that shows a push service who sends: a token for its
// origin alone, signed with ES256 (RFC 8292, sections 2 and 3; RFC 7518, section 3.4).
func (k Key) authorization(service *url.URL, contact string, now time.Time) (string, error) {
	claims, err := json.Marshal(struct {
		Audience string `json:"aud"`
		Expires  int64  `json:"exp"`
		Subject  string `json:"sub,omitempty"`
	}{service.Scheme + "://" + service.Host, now.Add(tokenLife).Unix(), contact})
	if err != nil {
		return "", fmt.Errorf("write a push token: %w", err)
	}
	token := encoding.EncodeToString([]byte(`{"typ":"JWT","alg":"ES256"}`)) + "." + encoding.EncodeToString(claims)
	sum := sha256.Sum256([]byte(token))
	r, s, err := ecdsa.Sign(rand.Reader, k.private, sum[:])
	if err != nil {
		return "", fmt.Errorf("sign a push token: %w", err)
	}
	var signature [64]byte
	r.FillBytes(signature[:32])
	s.FillBytes(signature[32:])
	return "vapid t=" + token + "." + encoding.EncodeToString(signature[:]) + ", k=" + k.Public(), nil
}
