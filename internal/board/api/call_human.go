package api

import (
	"context"
	"time"

	"github.com/legwork-mcp/legwork/internal/fault"

	"github.com/legwork-mcp/legwork/internal/board/data"
	"github.com/legwork-mcp/legwork/internal/board/task"
)

const (
	defaultConsent = 20 * time.Second
	maxConsent     = 25 // seconds: with the rest of the call far below the 60 s of impatient clients
	// consentPoll is how often the database is asked whether the person answered. The
	// answer may come through another process.
	consentPoll = 200 * time.Millisecond
	// minOffer is the least time in which a person can be expected to answer.
	minOffer = time.Second
)

// callHuman posts a task and asks people one after the other until one consents or the
// time is over. Called again with the same key it goes on with the same task.
func (s *Server) callHuman(ctx context.Context, in *with[CallHuman]) (*answer[Called], error) {
	n := in.Body
	wait, err := n.wait()
	if err != nil {
		return nil, err
	}
	hold, _, err := screen(n.NewTask)
	if err != nil {
		return nil, err
	}
	if n.DryRun {
		return s.dryCall(n, hold)
	}
	t, err := s.post(ctx, n.NewTask, hold)
	if err != nil {
		return nil, err
	}
	taken, err := s.seek(ctx, t, s.o.Clock().Add(wait))
	if err != nil {
		return nil, err
	}
	if taken.Status != task.Open && taken.HumanID != "" {
		return reply(Called{TaskID: taken.ID, Status: string(task.Accepted), Quote: ptr(quoteOf(taken.Quote()))}), nil
	}
	return nil, s.unanswered(ctx, taken, n.OnNoSupply)
}

func (n CallHuman) wait() (time.Duration, error) {
	switch {
	case n.OnNoSupply != "" && n.OnNoSupply != "keep_open" && n.OnNoSupply != "fail":
		return 0, invalid(FieldError{"on_no_supply", string(task.InvalidEnum)})
	case n.WaitSeconds == nil:
		return defaultConsent, nil
	case *n.WaitSeconds < 0 || *n.WaitSeconds > maxConsent:
		return 0, invalid(FieldError{"consent_wait_seconds", string(task.InvalidNumber)})
	}
	return time.Duration(*n.WaitSeconds) * time.Second, nil
}

func (s *Server) dryCall(n CallHuman, hold *data.Hold) (*answer[Called], error) {
	dry, err := s.dryRun(n.NewTask, hold, nil)
	if err != nil {
		return nil, err
	}
	return reply(Called{Status: "dry_run", DryRun: true, Quote: &dry.Body.Quote}), nil
}

// seek makes offers until somebody takes the task, nobody is left, or the time is over.
func (s *Server) seek(ctx context.Context, t task.Task, until time.Time) (task.Task, error) {
	for t.Status == task.Open && t.SubState != task.Held {
		left := until.Sub(s.o.Clock())
		if left < minOffer && t.SubState != task.AwaitingConsent {
			return t, nil
		}
		_, err := s.o.Board.OfferTask(ctx, t.ID, max(left, minOffer))
		if task.ReasonOf(err) == task.NoSupply && t.SubState != task.AwaitingConsent {
			return s.o.Board.Task(ctx, t.ID)
		}
		if err != nil && task.ReasonOf(err) == task.Unknown {
			return t, err
		}
		if t, err = s.consent(ctx, t.ID, until); err != nil || t.SubState == task.AwaitingConsent {
			return t, err
		}
	}
	return t, nil
}

// consent waits until the offer that is out was answered, or the time is over.
func (s *Server) consent(ctx context.Context, id string, until time.Time) (task.Task, error) {
	tick := time.NewTicker(consentPoll)
	defer tick.Stop()
	for {
		t, err := s.o.Board.Task(ctx, id)
		if err != nil || t.SubState != task.AwaitingConsent || !s.o.Clock().Before(until) {
			return t, err
		}
		select {
		case <-ctx.Done():
			return t, ctx.Err()
		case <-tick.C:
		}
	}
}

// unanswered is the outcome without anybody: the task stays open for applications, as
// the answer says, unless the caller asked for it to end.
func (s *Server) unanswered(ctx context.Context, t task.Task, then string) error {
	if then == "fail" && !t.Status.Terminal() {
		ended, err := s.o.Board.Cancel(ctx, caller(ctx).actor(), data.Cancellation{TaskID: t.ID, Reason: string(task.NoSupply)})
		if err != nil && task.ReasonOf(err) == task.Unknown {
			return err
		}
		if err == nil {
			t = ended
		}
	}
	message := "Nobody who agreed to instant offers took the task. It stays open, and people can apply for it: do not post it again."
	if t.Status.Terminal() {
		message = "Nobody who agreed to instant offers took the task, and it was ended."
	}
	return fault.New(fault.Unavailable, string(task.NoSupply), message, task.Refuse(task.NoSupply).Action).
		WithData("task_id", t.ID).WithData("task_status", string(t.Status)).
		WithData("suggestions", []string{"extend the deadline", "raise the budget", "widen the area", "split the task"})
}
