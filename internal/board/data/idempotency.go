package data

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/legwork-mcp/legwork/internal/store"

	"github.com/legwork-mcp/legwork/internal/board/task"
)

const (
	// maxRequestKey is how many characters a retry key has at most.
	maxRequestKey = 200
	// keepRequests is how long a retry gets the first answer.
	keepRequests = 7 * 24 * time.Hour
)

// RequestKey is a retry key of one caller for one operation.
type RequestKey struct {
	Principal string // who calls, authenticated: agent:ID or human:ID
	Operation string // such as POST /api/tasks
	Key       string // 1 to 200 visible ASCII characters
	Hash      string // of the request, canonical and without secrets
}

// check refuses a key that cannot be one.
func (k RequestKey) check() error {
	if k.Key == "" || len(k.Key) > maxRequestKey {
		return task.Refuse(task.IdempotencyKeyTooLong)
	}
	for _, c := range []byte(k.Key) {
		if c <= ' ' || c > '~' {
			return task.Refuse(task.IdempotencyKeyTooLong)
		}
	}
	return nil
}

// errTaken says that another request with the key committed first.
var errTaken = errors.New("another request has this key")

// pendingKey is a key on its way to the transaction that keeps it.
type pendingKey struct {
	RequestKey
	kept bool // by an attempt; a transaction that is tried again keeps it again
}

type requestKey struct{}

// Once runs a command once for a key: the command's transaction keeps its result
// with the key, so that there is no moment in which one is there without the
// other, and no key that waits for something that died. A retry gets the first
// result; while the first request still runs, it waits for it. Refusals are not
// kept: they changed nothing. run must call a command of the board with the
// context that it gets; when it calls several, the first one's result is kept. T
// must be the type of that result.
func Once[T any](ctx context.Context, b *Board, k RequestKey, run func(context.Context) (T, error)) (result T, replayed bool, err error) {
	if err := k.check(); err != nil {
		return result, false, err
	}
	if stored, found, err := recall[T](ctx, b, k); err != nil || found {
		return stored, found, err
	}
	pending := &pendingKey{RequestKey: k}
	result, err = run(context.WithValue(ctx, requestKey{}, pending))
	if err == nil && !pending.kept {
		// The command had nothing to do, such as a second approval.
		err = b.keep(context.WithValue(ctx, requestKey{}, pending), result)
	}
	if err == nil {
		return result, false, nil
	}
	// The first request may have committed meanwhile, and be the reason of the refusal.
	if stored, found, failed := recall[T](ctx, b, k); found || failed != nil && errors.Is(err, errTaken) {
		return stored, found, failed
	}
	return result, false, err
}

// recall is the kept result of a key.
func recall[T any](ctx context.Context, b *Board, k RequestKey) (result T, found bool, err error) {
	var hash, text string
	err = b.db.Read(ctx, func(ctx context.Context, tx store.Tx) error {
		return tx.QueryRow(ctx, "SELECT hash, result FROM request_keys WHERE principal = $1 AND operation = $2 AND req_key = $3",
			k.Principal, k.Operation, k.Key).Scan(&hash, &text)
	})
	switch {
	case errors.Is(err, store.ErrNoRows):
		return result, false, nil
	case err != nil:
		return result, false, fmt.Errorf("look a retry key up: %w", err)
	case hash != k.Hash:
		return result, false, task.Refuse(task.IdempotencyKeyConflict)
	}
	if err := json.Unmarshal([]byte(text), &result); err != nil {
		return result, false, fmt.Errorf("read the result of a retry key: %w", err)
	}
	return result, true, nil
}

// remember keeps the result of a command in its transaction, when the caller gave a
// key. A key that is there already undoes the command.
func remember(ctx context.Context, tx store.Tx, result any) error {
	k, given := ctx.Value(requestKey{}).(*pendingKey)
	if !given || k.kept && k.done(ctx, tx) {
		return nil
	}
	text, err := json.Marshal(result)
	if err != nil {
		return fmt.Errorf("write the result of a retry key: %w", err)
	}
	n, err := tx.Exec(ctx, "INSERT INTO request_keys (principal, operation, req_key, hash, result, created_ms) VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT DO NOTHING",
		k.Principal, k.Operation, k.Key, k.Hash, string(text), millis(tx.Now()))
	if err != nil {
		return fmt.Errorf("keep a retry key: %w", err)
	}
	if n == 0 {
		return errTaken
	}
	k.kept = true
	return nil
}

// done reports whether an earlier command of the same request has kept the key; an
// attempt that was rolled back has not.
func (k *pendingKey) done(ctx context.Context, tx store.Tx) bool {
	var one int
	err := tx.QueryRow(ctx, "SELECT 1 FROM request_keys WHERE principal = $1 AND operation = $2 AND req_key = $3", k.Principal, k.Operation, k.Key).Scan(&one)
	return err == nil
}

// keep keeps the result of a command that had nothing to do.
func (b *Board) keep(ctx context.Context, result any) error {
	return b.write(ctx, func(ctx context.Context, tx store.Tx) error { return remember(ctx, tx, result) })
}
