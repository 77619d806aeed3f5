package data

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/legwork-mcp/legwork/internal/store"
)

const eventColumns = "id, agent_id, agent_seq, type, task_id, task_version, task_status, actor_kind, actor_id, at_ms, data"

// recordEvent gives the event its id, time and number and writes it. The number
// locks the agent until the commit, so that whoever reads events in their order
// never passes one that commits later.
func recordEvent(ctx context.Context, tx store.Tx, e Event) (Event, error) {
	err := tx.QueryRow(ctx, "UPDATE agents SET event_seq = event_seq + 1 WHERE id = $1 RETURNING event_seq", e.AgentID).Scan(&e.Seq)
	if err != nil {
		return Event{}, fmt.Errorf("number an event of agent %s: %w", e.AgentID, err)
	}
	e.ID, e.At = newID(tx.Now()), tx.Now()
	data, err := json.Marshal(e.Data)
	if err != nil {
		return Event{}, fmt.Errorf("write an event: %w", err)
	}
	_, err = tx.Exec(ctx, "INSERT INTO events ("+eventColumns+") VALUES ("+placeholders(11)+")",
		e.ID, e.AgentID, e.Seq, e.Type, orNull(e.TaskID), e.TaskVersion, e.Status, e.Actor.Kind, e.Actor.ID, millis(e.At), string(data))
	if err != nil {
		return Event{}, fmt.Errorf("write an event: %w", err)
	}
	return e, nil
}

func scanEvent(r row) (Event, error) {
	var e Event
	var taskID *string
	var at int64
	var data string
	err := r.Scan(&e.ID, &e.AgentID, &e.Seq, &e.Type, &taskID, &e.TaskVersion, &e.Status, &e.Actor.Kind, &e.Actor.ID, &at, &data)
	if err != nil {
		return Event{}, fmt.Errorf("read an event: %w", err)
	}
	e.TaskID, e.At = orEmpty(taskID), moment(at)
	if err := json.Unmarshal([]byte(data), &e.Data); err != nil {
		return Event{}, fmt.Errorf("read the data of event %s: %w", e.ID, err)
	}
	return e, nil
}

// Event is an event by id.
func (b *Board) Event(ctx context.Context, id string) (Event, error) {
	return one(ctx, b, scanEvent, q("SELECT "+eventColumns+" FROM events WHERE id = $1", id))
}

// Events are those of an agent after a sequence number, the oldest first.
func (b *Board) Events(ctx context.Context, agentID string, after int64, limit int) ([]Event, error) {
	return list(ctx, b, scanEvent, q("SELECT "+eventColumns+" FROM events WHERE agent_id = $1 AND agent_seq > $2 ORDER BY agent_seq LIMIT $3",
		agentID, after, Page{Limit: limit}.limit()))
}

// History is what happened to a task, the oldest first.
func (b *Board) History(ctx context.Context, taskID string) ([]Event, error) {
	return list(ctx, b, scanEvent, q("SELECT "+eventColumns+" FROM events WHERE task_id = $1 ORDER BY agent_seq", taskID))
}
