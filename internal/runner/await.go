package runner

import (
	"context"
	"time"

	"github.com/legwork-mcp/legwork/internal/tool"
)

// await follows the execution for at most wait and passes its progress on to
// the caller. When the caller cancels, so is the run: nobody would learn what it
// submitted. A run with an idempotency key goes on, since others may wait for it
// and the key finds it again. When only the wait is over every run goes on.
func (s *Server) await(ctx context.Context, x *execution, wait time.Duration) Answer {
	updates, stop := x.watch()
	defer stop()
	timer := time.NewTimer(wait)
	defer timer.Stop()
	for {
		select {
		case <-x.done:
			return s.answerOf(x)
		case p := <-updates:
			tool.Progress(ctx, p.reached(), float64(max(p.Total, p.Done)), p.String())
		case <-timer.C:
			return s.answerOf(x)
		case <-ctx.Done():
			if x.key == "" {
				x.cancel(errCancelled)
				<-x.done
			}
			return s.answerOf(x)
		}
	}
}

// reached is the progress as a growing number: a page that is worked on counts
// half, since the protocol drops what does not grow.
func (p Progress) reached() float64 {
	switch p.State {
	case "filling":
		return float64(p.Done) + 0.5
	case "queued":
		return 0
	}
	return float64(p.Done)
}

// String is the progress in words for a person.
func (p Progress) String() string {
	switch p.State {
	case "queued":
		return "waiting for a free browser, position " + itoa(p.Queue)
	case "filling":
		return "page " + itoa(p.Page) + " of " + itoa(p.Total) + ": " + p.Title
	case "reading":
		return "reading the answer"
	}
	return p.State + " " + p.Title
}

// answerOf is the reply for an execution as it stands now.
func (s *Server) answerOf(x *execution) Answer {
	out, last := x.state()
	if out == nil {
		a := newAnswer(x.job)
		a.Status, a.StartedAt = StatusRunning, rfc3339(x.started)
		a.ExecutionTimeMS = time.Since(x.started).Milliseconds()
		a.Progress = &progress{State: last.State, Page: last.Page, Title: last.Title, Done: last.Done, Total: last.Total, Queue: last.Queue}
		a.Message = "The run goes on. Poll it with federalrunner_get_run and this run_id; do not execute again."
		return a
	}
	return x.reply(func(out *outcome) Answer { return answerFor(x.job, out, s.set) })
}
