package queue

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"runtime/debug"
	"time"

	"github.com/riverqueue/river"
	"github.com/riverqueue/river/rivertype"

	"github.com/legwork-mcp/legwork/internal/fault"
)

// errPanicked stands for a panic. Its value is not told: it may be anything.
var errPanicked = errors.New("the handler panicked")

// attempt calls the handler and says in the log what went wrong.
func (w *worker) attempt(ctx context.Context, a Attempt) (err error) {
	defer func() {
		if recover() != nil {
			w.log.ErrorContext(ctx, "a job panicked", "job", a.ID, "kind", a.Kind, "attempt", a.Number, "stack", string(debug.Stack()))
			err = errPanicked
		}
	}()
	return w.handler.Do(ctx, a)
}

// tell says that an attempt failed.
func (w *worker) tell(ctx context.Context, a Attempt, err error) {
	level, said := slog.LevelWarn, "a job failed and is tried again"
	var expected *again
	if errors.As(err, &expected) {
		level = slog.LevelDebug
	}
	var given *rivertype.JobCancelError
	if errors.As(err, &given) {
		level, said, err = slog.LevelError, "a job is given up", given.Unwrap()
	}
	w.log.Log(ctx, level, said, "job", a.ID, "kind", a.Kind, "attempt", a.Number, "failure", failure(err))
}

// failure is what may be told of an error: the word of a fault, or the text of an
// error that a handler wrote.
func failure(err error) string {
	var f *fault.Error
	if errors.As(err, &f) {
		return f.Type
	}
	return fmt.Sprint(err)
}

// quiet passes on what River itself finds wrong. What single jobs do wrong is said
// by tell.
func quiet(log *slog.Logger) *slog.Logger { return slog.New(onlyErrors{log.Handler()}) }

// onlyErrors is a handler that drops everything below errors.
type onlyErrors struct{ slog.Handler }

// Enabled implements slog.Handler.
func (h onlyErrors) Enabled(ctx context.Context, l slog.Level) bool {
	return l >= slog.LevelError && h.Handler.Enabled(ctx, l)
}

// WithAttrs implements slog.Handler.
func (h onlyErrors) WithAttrs(attrs []slog.Attr) slog.Handler {
	return onlyErrors{h.Handler.WithAttrs(attrs)}
}

// WithGroup implements slog.Handler.
func (h onlyErrors) WithGroup(name string) slog.Handler { return onlyErrors{h.Handler.WithGroup(name)} }

// Drop marks an error after which trying again would be useless: the job is given
// up at once.
func Drop(err error) error { return river.JobCancel(err) }

// Later puts a job off that could not begin; it counts as no attempt.
func Later(d time.Duration) error { return river.JobSnooze(d) }

// again is an error that is nobody's defect.
type again struct{ error }

// Unwrap is the error itself.
func (a *again) Unwrap() error { return a.error }

// Again marks an error of something outside that fails every day, such as a server
// of somebody else: the job is tried again, and nobody who reads the log must act.
func Again(err error) error { return &again{err} }
