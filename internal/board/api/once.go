package api

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"net/http"

	"github.com/legwork-mcp/legwork/internal/board/data"
	"github.com/legwork-mcp/legwork/internal/board/task"
)

// The headers of idempotency. The second says that an answer is the first one again.
const (
	keyHeader    = "Idempotency-Key"
	replayHeader = "Idempotency-Replayed"
	maxKey       = 200
)

// secretFields are not part of what is compared between two requests of one key: a
// key of an agent may have been rotated between them.
var secretFields = []string{"ai_account_id", "ai_api_key"}

// retry is what the pipe found of an Idempotency-Key.
type retry struct {
	key data.RequestKey
	w   http.ResponseWriter
}

type retryKey struct{}

// retryOf reads the key of a request whose caller is known: whoever is not, can claim
// no key for anybody.
func retryOf(w http.ResponseWriter, req *http.Request, r Route, body []byte) (*retry, error) {
	who := caller(req.Context())
	key := req.Header.Get(keyHeader)
	if key == "" || who.Kind == Anonymous {
		return nil, nil
	}
	if len(key) > maxKey || !printable(key) {
		return nil, task.Refuse(task.IdempotencyKeyTooLong)
	}
	principal := "human:" + who.HumanID
	if who.Kind == Agent {
		principal = "agent:" + who.AgentID
	}
	return &retry{data.RequestKey{Principal: principal, Operation: r.pattern(), Key: key, Hash: fingerprint(req.URL.Path, body)}, w}, nil
}

func printable(key string) bool {
	for i := range len(key) {
		if key[i] < 0x21 || key[i] > 0x7e {
			return false
		}
	}
	return true
}

// fingerprint is the same for two requests that ask for the same: the order of fields
// and the space between them do not count, and neither do credentials.
func fingerprint(path string, body []byte) string {
	canonical := body
	d := json.NewDecoder(bytes.NewReader(body))
	d.UseNumber()
	var fields map[string]any
	if d.Decode(&fields) == nil {
		for _, name := range secretFields {
			delete(fields, name)
		}
		if sorted, err := json.Marshal(fields); err == nil { // maps are written in order
			canonical = sorted
		}
	}
	sum := sha256.Sum256(append([]byte(path+"\x00"), canonical...))
	return hex.EncodeToString(sum[:])
}

// once runs a command, once for the request's key when it has one.
func once[T any](ctx context.Context, s *Server, run func(context.Context) (T, error)) (T, error) {
	again, _ := ctx.Value(retryKey{}).(*retry)
	if again == nil {
		return run(ctx)
	}
	result, replayed, err := data.Once(ctx, s.o.Board, again.key, run)
	if replayed {
		again.w.Header().Set(replayHeader, "true")
	}
	return result, err
}
