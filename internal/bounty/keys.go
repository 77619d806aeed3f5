package bounty

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"sync"
	"time"

	"github.com/legwork-mcp/legwork/internal/bounty/rest"
	"github.com/legwork-mcp/legwork/internal/lazyregexp"
	"github.com/legwork-mcp/legwork/internal/tool"
)

// resent is how long after a message the same one is taken for a second sending of it.
const resent = 2 * time.Minute

// mostKeys bounds the memory of a keyring.
const mostKeys = 10_000

// keyring makes idempotency keys for calls that name none. A client that got no answer
// may send its message again: the same message of the same caller gets the same key, so
// that the board does once what was asked once. Another message gets another key,
// though its arguments are the same: two equal tasks may well be wanted.
type keyring struct {
	clock func() time.Time

	mu   sync.Mutex
	made map[[sha256.Size]byte]madeKey
}

type madeKey struct {
	key string
	at  time.Time
}

// of is the key of a call of a tool with these arguments.
func (r *keyring) of(ctx context.Context, name string, args any) (string, error) {
	message := tool.Message(ctx)
	if message == "" {
		return newKey(), nil // nobody can send it again
	}
	raw, err := json.Marshal(args)
	if err != nil {
		return "", fmt.Errorf("derive an idempotency key: %w", err)
	}
	id := sha256.Sum256(fmt.Appendf(nil, "%q %q %q %s", tool.Caller(ctx).ID(), message, name, raw))
	r.mu.Lock()
	defer r.mu.Unlock()
	now := r.clock()
	if m, ok := r.made[id]; ok && now.Sub(m.at) < resent {
		return m.key, nil
	}
	if r.made == nil || len(r.made) >= mostKeys {
		r.made = recent(r.made, now)
	}
	key := newKey()
	r.made[id] = madeKey{key, now}
	return key, nil
}

// recent are the keys that can still be asked for; none when there are too many, since
// memory counts more than a second sending.
func recent(made map[[sha256.Size]byte]madeKey, now time.Time) map[[sha256.Size]byte]madeKey {
	out := map[[sha256.Size]byte]madeKey{}
	for id, m := range made {
		if now.Sub(m.at) < resent {
			out[id] = m
		}
	}
	if len(out) >= mostKeys {
		return map[[sha256.Size]byte]madeKey{}
	}
	return out
}

func newKey() string {
	var b [16]byte
	_, _ = rand.Read(b[:]) // never fails: crypto/rand ends the process instead
	return "lw-" + hex.EncodeToString(b[:])
}

// keyPattern is what a board takes as a key: printable ASCII, which a header can carry.
var keyPattern = lazyregexp.New(`^[!-~]{1,200}$`)

// checkKey refuses a key that would not arrive as it is.
func checkKey(key string) error {
	if len(key) > 200 {
		return refuse("idempotency_key_too_long", "", rest.FieldError{Field: "idempotency_key", Code: "too_long"})
	}
	if key != "" && !keyPattern.MatchString(key) {
		return refuse("invalid_request", "idempotency_key must be printable ASCII without spaces.", rest.FieldError{Field: "idempotency_key", Code: "invalid_value"})
	}
	return nil
}
