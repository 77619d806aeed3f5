package data

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/legwork-mcp/legwork/internal/store"

	"github.com/legwork-mcp/legwork/internal/board/money"
	"github.com/legwork-mcp/legwork/internal/board/task"
)

// The bounds of how long a person is asked for consent.
const (
	minConsent = 10 * time.Second
	maxConsent = 15 * time.Minute
)

const offerColumns = "id, task_id, human_id, status, created_ms, expires_ms"

// candidateSQL is the next person to be asked: who consents to instant offers at
// this take-home, works in the area and at this hour, is awake, was not asked for this task before
// and has room; whoever was asked longest ago comes first.
const candidateSQL = `SELECT h.id FROM humans h
WHERE h.instant_on AND NOT h.suspended AND h.deleted_ms = 0
AND (h.quiet_from = h.quiet_to
 OR (h.quiet_from < h.quiet_to AND NOT ($1 >= h.quiet_from AND $1 < h.quiet_to))
 OR (h.quiet_from > h.quiet_to AND NOT ($1 >= h.quiet_from OR $1 < h.quiet_to)))
AND ` + worksSQL + `
AND COALESCE(CASE WHEN $2 = 'JPY' THEN h.floor_jpy ELSE h.floor_usd END, 0) <= $3
AND h.country = $4
AND ($5 = '' OR EXISTS (SELECT 1 FROM human_tags a WHERE a.human_id = h.id AND a.kind = 'area' AND (a.tag = $5 OR a.tag = $6)))
AND NOT EXISTS (SELECT 1 FROM offers o WHERE o.task_id = $7 AND o.human_id = h.id)
AND NOT EXISTS (SELECT 1 FROM tasks own JOIN agents a ON a.id = own.agent_id WHERE own.id = $7 AND a.owner_human_id = h.id)
AND (SELECT COUNT(*) FROM tasks t WHERE t.human_id = h.id AND t.status = 'accepted')
 + (SELECT COUNT(*) FROM offers o WHERE o.human_id = h.id AND o.status = 'pending') < h.task_cap
ORDER BY h.offered_ms, h.id LIMIT 1`

// japan is the time zone of quiet hours, which has no summer time.
var japan = time.FixedZone("JST", 9*60*60)

func scanOffer(r row) (Offer, error) {
	var o Offer
	var created, expires int64
	if err := r.Scan(&o.ID, &o.TaskID, &o.HumanID, &o.Status, &created, &expires); err != nil {
		return Offer{}, fmt.Errorf("read an offer: %w", err)
	}
	o.CreatedAt, o.ExpiresAt = moment(created), moment(expires)
	return o, nil
}

// Offer is an offer by id.
func (b *Board) Offer(ctx context.Context, offerID string) (Offer, error) {
	return one(ctx, b, scanOffer, q("SELECT "+offerColumns+" FROM offers WHERE id = $1", offerID))
}

// OffersTo are the pending offers to a person.
func (b *Board) OffersTo(ctx context.Context, humanID string) ([]Offer, error) {
	return list(ctx, b, scanOffer, q("SELECT "+offerColumns+" FROM offers WHERE human_id = $1 AND status = 'pending' ORDER BY created_ms, id", humanID))
}

// OfferTask asks the next person who consents to instant offers, for at most wait.
// A task whose offer is still out keeps it. Without anybody it refuses with
// no_human_available and the task stays open.
func (b *Board) OfferTask(ctx context.Context, taskID string, wait time.Duration) (Offer, error) {
	pending := q("SELECT "+offerColumns+" FROM offers WHERE task_id = $1 AND status = 'pending'", taskID)
	if out, err := one(ctx, b, scanOffer, pending); err == nil {
		return out, nil
	}
	return actFor(ctx, b, act{taskID: taskID, by: task.Jobs, command: task.MakeOffer}, func(ctx context.Context, c *change) (Offer, error) {
		if _, err := scanOffer(c.tx.QueryRow(ctx, pending.sql, taskID)); !errors.Is(err, store.ErrNoRows) {
			return Offer{}, errors.Join(err, task.Because(task.OfferNotPending, "Another person is being asked for this task."))
		}
		humanID, err := c.candidate(ctx)
		if err != nil {
			return Offer{}, err
		}
		out := Offer{
			ID: newID(c.now()), TaskID: taskID, HumanID: humanID, Status: OfferPending, CreatedAt: kept(c.tx),
			ExpiresAt: moment(millis(c.now().Add(min(max(wait, minConsent), maxConsent)))),
		}
		_, err = c.tx.Exec(ctx, "INSERT INTO offers ("+offerColumns+") VALUES ("+placeholders(6)+")",
			out.ID, out.TaskID, out.HumanID, out.Status, millis(out.CreatedAt), millis(out.ExpiresAt))
		if err != nil {
			return Offer{}, fmt.Errorf("write an offer: %w", err)
		}
		c.data["offer_id"], c.data["human_id"] = out.ID, humanID
		c.jobs = append(c.jobs, Job{Kind: task.JobOffer, Key: out.ID, At: out.ExpiresAt, ID: out.ID})
		return out, nil
	})
}

// candidate chooses and locks a person. Between the choice and the lock the person
// may have become busy with another task; then the next one is asked.
func (c *change) candidate(ctx context.Context) (string, error) {
	now := c.now().In(japan)
	area := c.task.Place.Prefecture
	for range 10 {
		var id string
		err := c.tx.QueryRow(ctx, candidateSQL, now.Hour()*60+now.Minute(), c.task.Budget.Currency, c.task.Quote().Takehome,
			c.task.WorkCountry, area, area+"/"+c.task.Place.City, c.task.ID, int(now.Weekday()), int(dayBefore(now.Weekday()))).Scan(&id)
		if errors.Is(err, store.ErrNoRows) {
			return "", task.Refuse(task.NoSupply)
		}
		if err != nil {
			return "", fmt.Errorf("choose a person for task %s: %w", c.task.ID, err)
		}
		free, err := c.take(ctx, id)
		if err != nil || free {
			return id, err
		}
	}
	return "", task.Refuse(task.NoSupply)
}

// take locks a person whose turn it is, and reports whether there is still room.
func (c *change) take(ctx context.Context, humanID string) (bool, error) {
	var room int64
	err := c.tx.QueryRow(ctx, "UPDATE humans SET offered_ms = $2 WHERE id = $1 RETURNING task_cap", humanID, millis(c.now())).Scan(&room)
	if err != nil {
		return false, fmt.Errorf("lock the person %s: %w", humanID, err)
	}
	var taken int64
	err = c.tx.QueryRow(ctx, `SELECT (SELECT COUNT(*) FROM tasks WHERE human_id = $1 AND status = 'accepted')
+ (SELECT COUNT(*) FROM offers WHERE human_id = $1 AND status = 'pending')`, humanID).Scan(&taken)
	if err != nil {
		return false, fmt.Errorf("count what the person %s does: %w", humanID, err)
	}
	return taken < room, nil
}

// ownOffer is a pending offer to a person; nobody else learns of it.
func (b *Board) ownOffer(ctx context.Context, by task.Actor, offerID string) (Offer, error) {
	o, err := b.Offer(ctx, offerID)
	if err != nil {
		return Offer{}, err
	}
	if o.HumanID != by.ID {
		return Offer{}, task.Refuse(task.NotFound)
	}
	if o.Status != OfferPending {
		return Offer{}, task.Refuse(task.OfferNotPending)
	}
	return o, nil
}

// answerOffer ends a pending offer, and refuses one that is not.
func (c *change) answerOffer(ctx context.Context, o Offer, to OfferStatus) error {
	n, err := c.tx.Exec(ctx, "UPDATE offers SET status = $2 WHERE id = $1 AND status = 'pending'", o.ID, to)
	if err != nil {
		return fmt.Errorf("answer offer %s: %w", o.ID, err)
	}
	if n != 1 {
		return task.Refuse(task.OfferNotPending)
	}
	c.data["offer_id"], c.data["human_id"] = o.ID, o.HumanID
	return nil
}

// AcceptOffer assigns the task to the person who was asked and consents.
func (b *Board) AcceptOffer(ctx context.Context, by task.Actor, offerID string) (task.Task, error) {
	o, err := b.ownOffer(ctx, by, offerID)
	if err != nil {
		return task.Task{}, err
	}
	t, err := b.Task(ctx, o.TaskID)
	if err != nil {
		return task.Task{}, err
	}
	if _, err := t.Rule(task.AcceptOffer, by.Kind); err != nil {
		return task.Task{}, err
	}
	return funded(ctx, b, acceptance{t, o.ID, t.Budget}, func(ctx context.Context, key string) (task.Task, error) {
		return b.act(ctx, act{taskID: t.ID, by: by, command: task.AcceptOffer}, func(ctx context.Context, c *change) error {
			if !o.ExpiresAt.After(c.now()) {
				return task.Refuse(task.OfferNotPending)
			}
			if err := c.answerOffer(ctx, o, OfferAccepted); err != nil {
				return err
			}
			if err := c.assign(ctx, by.ID, key, money.Of(t.Budget.Minor, t.Budget.Currency)); err != nil {
				return err
			}
			return c.closeOpenEnds(ctx)
		})
	})
}

// DeclineOffer says no.
func (b *Board) DeclineOffer(ctx context.Context, by task.Actor, offerID string) (task.Task, error) {
	o, err := b.ownOffer(ctx, by, offerID)
	if err != nil {
		return task.Task{}, err
	}
	return b.act(ctx, act{taskID: o.TaskID, by: by, command: task.DeclineOffer}, func(ctx context.Context, c *change) error {
		return c.answerOffer(ctx, o, OfferDeclined)
	})
}

// ExpireOffer ends an offer whose time is over. One that was answered stays so.
func (b *Board) ExpireOffer(ctx context.Context, offerID string) error {
	o, err := b.Offer(ctx, offerID)
	if err != nil || o.Status != OfferPending {
		return err
	}
	_, err = b.act(ctx, act{taskID: o.TaskID, by: task.Jobs, command: task.ExpireOffer}, func(ctx context.Context, c *change) error {
		if o.ExpiresAt.After(c.now()) {
			return task.Refuse(task.InvalidTaskStatus)
		}
		return c.answerOffer(ctx, o, OfferExpired)
	})
	return err
}
