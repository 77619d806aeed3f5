package webhook

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/legwork-mcp/legwork/internal/store"
)

// State is how far a delivery is.
type State string

// The states.
const (
	Pending   State = "pending"   // it is tried, perhaps again
	Delivered State = "delivered" // an answer of 2xx came
	GivenUp   State = "failed"    // it is no longer tried
)

// Delivery is one event on its way to one endpoint.
type Delivery struct {
	ID         string
	EndpointID string
	EventID    string
	EventType  string
	Body       string // what is sent
	Replay     bool
	State      State
	CreatedAt  time.Time
	EndedAt    time.Time
	Attempts   []Attempt // oldest first
}

// Attempt is one try.
type Attempt struct {
	Number  int64
	At      time.Time
	Took    time.Duration
	Status  int64  // of HTTP, 0 without an answer
	Failure string // a word, empty when it was delivered
}

const (
	// Retention is how long the log is kept.
	Retention = 30 * 24 * time.Hour
	mostShown = 100
)

// Fan makes a delivery of an event for each endpoint of the agent that wants it. An
// event that is fanned twice is delivered once.
func (h *Hooks) Fan(ctx context.Context, tx store.Tx, agent string, e Event) error {
	list, err := endpoints(ctx, tx, `agent_id = $1`, agent)
	if err != nil {
		return err
	}
	for _, endpoint := range list {
		if !endpoint.wants(e.Type) {
			continue
		}
		if _, err := h.send(ctx, tx, endpoint.ID, e); err != nil {
			return err
		}
	}
	return nil
}

// send makes one delivery with its job, unless there is one of this event.
func (h *Hooks) send(ctx context.Context, tx store.Tx, endpoint string, e Event) (string, error) {
	body, err := e.body()
	if err != nil {
		return "", err
	}
	d := Delivery{ID: h.newID(), EndpointID: endpoint, EventID: e.ID, EventType: e.Type, Body: body}
	return d.ID, h.keep(ctx, tx, d)
}

func (h *Hooks) keep(ctx context.Context, tx store.Tx, d Delivery) error {
	again := 0
	if d.Replay {
		again = 1
	}
	n, err := tx.Exec(ctx, `INSERT INTO webhook_deliveries (id, endpoint_id, event_id, event_type, body, again, state, created_ms)
VALUES ($1, $2, $3, $4, $5, $6, 'pending', $7) ON CONFLICT DO NOTHING`, d.ID, d.EndpointID, d.EventID, d.EventType, d.Body, again, tx.Now().UnixMilli())
	if err != nil {
		return fmt.Errorf("keep a delivery: %w", err)
	}
	if n == 0 {
		return nil
	}
	return h.later(ctx, tx, d.ID)
}

// Try sends a ping to an endpoint and returns the id of the delivery, whose outcome
// the log shows.
func (h *Hooks) Try(ctx context.Context, agent, id string) (string, error) {
	var delivery string
	err := h.db.Tx(ctx, func(ctx context.Context, tx store.Tx) error {
		if _, err := owned(ctx, tx, agent, id); err != nil {
			return err
		}
		var err error
		delivery, err = h.send(ctx, tx, id, Event{ID: h.newID(), Type: Ping, OccurredAt: tx.Now()})
		return err
	})
	return delivery, err
}

// Replay sends an event once more, as a new delivery with the old body, and returns
// its id.
func (h *Hooks) Replay(ctx context.Context, agent, delivery string) (string, error) {
	id := h.newID()
	err := h.db.Tx(ctx, func(ctx context.Context, tx store.Tx) error {
		old, err := one(ctx, tx, delivery)
		if err != nil {
			return err
		}
		if _, err := owned(ctx, tx, agent, old.EndpointID); err != nil {
			return err
		}
		old.ID, old.Replay = id, true
		return h.keep(ctx, tx, old)
	})
	if err != nil {
		return "", err
	}
	return id, nil
}

// Log is the newest deliveries of an endpoint, at most limit and 100, from before
// the given one on or from the newest.
func (h *Hooks) Log(ctx context.Context, agent, id string, page Page) ([]Delivery, error) {
	if page.Limit < 1 || page.Limit > mostShown {
		page.Limit = mostShown
	}
	var list []Delivery
	err := h.db.Read(ctx, func(ctx context.Context, tx store.Tx) error {
		if _, err := owned(ctx, tx, agent, id); err != nil {
			return err
		}
		var err error
		if page.Before == "" {
			list, err = deliveries(ctx, tx, `endpoint_id = $1 ORDER BY created_ms DESC, id DESC LIMIT $2`, id, page.Limit)
		} else {
			list, err = deliveries(ctx, tx, `endpoint_id = $1 AND (created_ms, id) < (SELECT created_ms, id FROM webhook_deliveries WHERE id = $2)
ORDER BY created_ms DESC, id DESC LIMIT $3`, id, page.Before, page.Limit)
		}
		if err != nil {
			return err
		}
		for i := range list {
			if list[i].Attempts, err = attempts(ctx, tx, list[i].ID); err != nil {
				return err
			}
		}
		return nil
	})
	return list, err
}

// Page is a part of the log.
type Page struct {
	Before string // the id of the last delivery of the page before
	Limit  int
}

// Sweep forgets deliveries that are older than Retention, some at a time, and says
// how many.
func (h *Hooks) Sweep(ctx context.Context) (int64, error) {
	var n int64
	err := h.db.Tx(ctx, func(ctx context.Context, tx store.Tx) error {
		var err error
		n, err = tx.Exec(ctx, `DELETE FROM webhook_deliveries WHERE id IN
(SELECT id FROM webhook_deliveries WHERE created_ms < $1 AND state <> 'pending' ORDER BY created_ms LIMIT 1000)`, tx.Now().Add(-Retention).UnixMilli())
		return err
	})
	if err != nil {
		return 0, fmt.Errorf("sweep the log of webhooks: %w", err)
	}
	return n, nil
}

func one(ctx context.Context, tx store.Tx, id string) (Delivery, error) {
	list, err := deliveries(ctx, tx, `id = $1`, id)
	if err != nil {
		return Delivery{}, err
	}
	if len(list) == 0 {
		return Delivery{}, notFound()
	}
	return list[0], nil
}

func deliveries(ctx context.Context, tx store.Tx, where string, args ...any) (list []Delivery, err error) {
	rows, err := tx.Query(ctx, `SELECT id, endpoint_id, event_id, event_type, body, again, state, created_ms, ended_ms FROM webhook_deliveries WHERE `+where, args...)
	if err != nil {
		return nil, fmt.Errorf("read deliveries: %w", err)
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	for rows.Next() {
		var d Delivery
		var again, created, ended int64
		if err := rows.Scan(&d.ID, &d.EndpointID, &d.EventID, &d.EventType, &d.Body, &again, &d.State, &created, &ended); err != nil {
			return nil, fmt.Errorf("read a delivery: %w", err)
		}
		d.Replay, d.CreatedAt = again == 1, time.UnixMilli(created).UTC()
		if ended > 0 {
			d.EndedAt = time.UnixMilli(ended).UTC()
		}
		list = append(list, d)
	}
	return list, rows.Err()
}

func attempts(ctx context.Context, tx store.Tx, delivery string) (list []Attempt, err error) {
	rows, err := tx.Query(ctx, `SELECT number, at_ms, took_ms, status, failure FROM webhook_attempts WHERE delivery_id = $1 ORDER BY number`, delivery)
	if err != nil {
		return nil, fmt.Errorf("read attempts: %w", err)
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	for rows.Next() {
		var a Attempt
		var at, took int64
		if err := rows.Scan(&a.Number, &at, &took, &a.Status, &a.Failure); err != nil {
			return nil, fmt.Errorf("read an attempt: %w", err)
		}
		a.At, a.Took = time.UnixMilli(at).UTC(), time.Duration(took)*time.Millisecond
		list = append(list, a)
	}
	return list, rows.Err()
}
