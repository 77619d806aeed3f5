package data

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/legwork-mcp/legwork/internal/board/money"
	"github.com/legwork-mcp/legwork/internal/board/task"
)

// errVoided says that the money of an acceptance was given back before it could be
// held: another caller for the same was refused.
var errVoided = errors.New("the funding was given back meanwhile")

// fundAttempts is how often an acceptance is funded anew after errVoided.
const fundAttempts = 4

// AcceptApplication funds the task and assigns it to an applicant; the others are
// declined.
func (b *Board) AcceptApplication(ctx context.Context, by task.Actor, a Acceptance) (Assigned, error) {
	t, err := b.Task(ctx, a.TaskID)
	if err != nil {
		return Assigned{}, err
	}
	if t.AgentID != by.ID {
		return Assigned{}, task.Refuse(task.NotFound)
	}
	if _, err := t.Rule(task.AcceptApplication, by.Kind); err != nil {
		return Assigned{}, err // before any money moves
	}
	chosen, err := b.chosen(ctx, a)
	if err != nil {
		return Assigned{}, err
	}
	price := t.Budget
	if a.AtCounter && chosen.Counter.Minor > 0 {
		price = chosen.Counter
	}
	return funded(ctx, b, acceptance{t, chosen.ID, price}, func(ctx context.Context, key string) (Assigned, error) {
		return actFor(ctx, b, act{taskID: t.ID, by: by, command: task.AcceptApplication, version: a.Version}, func(ctx context.Context, c *change) (Assigned, error) {
			if price.Minor != c.task.Budget.Minor {
				if err := c.reprice(ctx, price); err != nil {
					return Assigned{}, err
				}
			}
			// First, so that one who was accepted and left meanwhile is no longer waiting:
			// the money of that acceptance has gone back already.
			accepted, err := c.answer(ctx, chosen.ID, ApplicationAccepted)
			if err != nil {
				return Assigned{}, err
			}
			if err := c.assign(ctx, chosen.HumanID, key, price); err != nil {
				return Assigned{}, err
			}
			c.data["application_id"] = chosen.ID
			return Assigned{Application: accepted}, c.closeOpenEnds(ctx)
		})
	})
}

// chosen is the application that an acceptance means.
func (b *Board) chosen(ctx context.Context, a Acceptance) (Application, error) {
	var chosen Application
	var err error
	if a.ApplicationID != "" {
		chosen, err = b.Application(ctx, a.ApplicationID)
	} else {
		chosen, err = b.ApplicationBy(ctx, a.TaskID, a.HumanID)
	}
	if task.ReasonOf(err) == task.NotFound || err == nil && chosen.TaskID != a.TaskID {
		return Application{}, task.Refuse(task.NotApplied)
	}
	if err == nil && chosen.Status != ApplicationPending {
		return Application{}, task.Refuse(task.ApplicationNotPending)
	}
	return chosen, err
}

// reprice lets an agent pay more than it posted only within its caps.
func (c *change) reprice(ctx context.Context, price money.Amount) error {
	if more := price.Minor - c.task.Budget.Minor; more > 0 {
		return c.spend(ctx, c.tx, c.act.by, money.Of(more, price.Currency))
	}
	return nil
}

// acceptance is what is funded: a task, for whom, at which price.
type acceptance struct {
	task      task.Task
	candidate string // id of the application or the offer
	price     money.Amount
}

// funded takes the money, runs the acceptance with its key, and gives the money back
// when the acceptance is refused.
func funded[T any](ctx context.Context, b *Board, a acceptance, accept func(context.Context, string) (T, error)) (T, error) {
	var none T
	for n := 1; ; n++ {
		key, err := b.fund(ctx, a.task, a.candidate, a.price)
		if err != nil {
			return none, err
		}
		out, err := accept(ctx, key)
		if err == nil {
			return out, nil
		}
		// Also when the caller has given up: money must not stay where it is of no use.
		undo := context.WithoutCancel(ctx)
		if !errors.Is(err, errVoided) {
			return none, errors.Join(err, b.void(undo, key))
		}
		if gone := b.giveBack(undo, money.Transfer{Key: key, Party: a.task.AgentID, Amount: a.price}); gone != nil {
			return none, gone
		}
		if n == fundAttempts {
			return none, task.Refuse(task.VersionConflict).WithCause(err)
		}
	}
}

// assign gives the task to a person who has room for it, and holds the money.
func (c *change) assign(ctx context.Context, humanID, key string, price money.Amount) error {
	p, err := lockPerson(ctx, c.tx, humanID)
	if reason := task.ReasonOf(err); reason == task.NotFound || reason == task.APIAccessDisabled {
		return task.Because(task.ApplicationNotPending, "This person no longer takes tasks.")
	}
	if err != nil {
		return err
	}
	working, err := busy(ctx, c.tx, humanID)
	if err != nil {
		return err
	}
	if working >= p.Instant.Cap {
		return task.Refuse(task.WorkerBusy)
	}
	held, err := c.hold(ctx, key, price)
	if err != nil {
		return err
	}
	if !held {
		return errVoided
	}
	c.task.HumanID, c.task.AcceptedAt = humanID, kept(c.tx)
	c.task.Assignments++
	c.data["human_id"] = humanID
	// Whoever is assigned late still has the shortest time that a task may have.
	if least := c.now().Add(task.MinDeadline * time.Minute); c.task.DeadlineAt.Before(least) {
		c.task.DeadlineAt = moment(millis(least))
	}
	if err := c.keepTerms(ctx); err != nil {
		return err
	}
	return c.openTaskThread(ctx)
}

// openTaskThread lets both sides write to each other about the task.
func (c *change) openTaskThread(ctx context.Context) error {
	_, err := c.tx.Exec(ctx, `INSERT INTO conversations (id, agent_id, human_id, task_id, status, unanswered, messages, agent_read, human_read, created_ms, updated_ms)
VALUES ($1, $2, $3, $4, 'open', 0, 0, 0, 0, $5, $5)
ON CONFLICT (task_id, human_id) WHERE task_id IS NOT NULL DO UPDATE SET status = 'open', updated_ms = $5`,
		newID(c.now()), c.task.AgentID, c.task.HumanID, c.task.ID, millis(c.now()))
	if err != nil {
		return fmt.Errorf("open the thread of task %s: %w", c.task.ID, err)
	}
	return nil
}
