package webhook

import (
	"encoding/json"
	"fmt"
	"slices"
	"time"
)

// Ping is the type of the delivery with which an endpoint is tried.
const Ping = "ping"

// Event is what a delivery tells: that something happened, and to what. Everything
// else is fetched.
type Event struct {
	ID          string    `json:"id"`
	Type        string    `json:"type"`
	OccurredAt  time.Time `json:"-"`
	TaskID      string    `json:"task_id,omitempty"`
	TaskVersion int64     `json:"task_version,omitempty"`
	TaskStatus  string    `json:"task_status,omitempty"` // at that version
	Actor       string    `json:"actor,omitempty"`       // the kind of who did it: agent, human, operator or system
}

// body is the JSON of a delivery. It is the same in all attempts, so that the log
// shows what was sent.
func (e Event) body() (string, error) {
	text, err := json.Marshal(struct {
		Event
		OccurredAt string `json:"occurred_at"`
	}{e, e.OccurredAt.UTC().Format(time.RFC3339Nano)})
	if err != nil {
		return "", fmt.Errorf("write the event %s: %w", e.ID, err)
	}
	return string(text), nil
}

// wants reports whether an endpoint subscribed to a type.
func (e Endpoint) wants(typ string) bool { return e.Disabled == "" && slices.Contains(e.Events, typ) }
