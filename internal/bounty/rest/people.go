package rest

import (
	"context"
	"encoding/json"
	"net/http"
	"net/url"
	"strconv"
)

// Person is somebody who can be asked, without anything that names him.
type Person struct {
	Ref            string          `json:"human_ref"`
	Handle         string          `json:"handle"`
	Area           json.RawMessage `json:"area"`
	Skills         []string        `json:"skills"`
	Languages      []string        `json:"languages"`
	Rating         json.Number     `json:"rating"`
	Completed      int             `json:"completed"`
	ResponseMedian json.Number     `json:"response_median_minutes"`
	FloorMinor     json.Number     `json:"floor_minor"`
	FloorCurrency  string          `json:"floor_currency"`
	Verified       []string        `json:"verified"`
}

// People is one page of a search.
type People struct {
	Humans     []Person `json:"humans"`
	NextCursor string   `json:"next_cursor"`
	Note       string   `json:"note"`
}

// SearchHumans looks for people; q has the parameters of the route.
func (c *Client) SearchHumans(ctx context.Context, who Credentials, q url.Values) (People, error) {
	var out People
	err := c.do(ctx, call{method: http.MethodGet, pattern: "/api/agent/humans/search", query: q, who: who}, &out)
	return out, err
}

// Application is a person's wish to do a task.
type Application struct {
	ID              string      `json:"id"`
	Ref             string      `json:"human_ref"`
	Handle          string      `json:"handle"`
	CoverLetter     string      `json:"cover_letter"`
	Availability    string      `json:"availability"`
	CounterMinor    json.Number `json:"counter_amount_minor"`
	CounterCurrency string      `json:"counter_currency"`
	Rating          json.Number `json:"rating"`
	Completed       int         `json:"completed"`
	CreatedAt       string      `json:"created_at"`
	Status          string      `json:"status"`
}

// Applications is one page of them.
type Applications struct {
	Applications []Application `json:"applications"`
	NextCursor   string        `json:"next_cursor"`
}

// Page is a place in a list.
type Page struct {
	Status, Cursor string
	Limit          int
}

// ListApplications reads who wants to do a task.
func (c *Client) ListApplications(ctx context.Context, who Credentials, taskID string, p Page) (Applications, error) {
	q := url.Values{}
	setTo(q, "status", p.Status)
	setTo(q, "cursor", p.Cursor)
	if p.Limit > 0 {
		q.Set("limit", strconv.Itoa(p.Limit))
	}
	var out Applications
	err := c.do(ctx, call{method: http.MethodGet, pattern: "/api/tasks/{}/applications", ids: []string{taskID}, query: q, who: who}, &out)
	return out, err
}

// Choice is an application that is accepted.
type Choice struct {
	ApplicationID   string `json:"application_id"`
	ExpectedVersion int64  `json:"expected_version,omitempty"`
	// AtCounter pays what the application asks for instead of the budget.
	AtCounter bool `json:"at_counter,omitempty"`
}

// AcceptApplication assigns a task to the person who applied.
func (c *Client) AcceptApplication(ctx context.Context, who Credentials, cmd Command, x Choice) (Done, error) {
	return c.act(ctx, who, deed{cmd, "accept-application", x})
}

// NewConversation begins to talk to somebody, or about a task.
type NewConversation struct {
	HumanRef string `json:"human_ref,omitempty"`
	TaskID   string `json:"task_id,omitempty"`
	Message  string `json:"message"`
}

// Conversation is one.
type Conversation struct {
	ID             string    `json:"id"`
	ConversationID string    `json:"conversation_id"`
	TaskID         string    `json:"task_id"`
	HumanRef       string    `json:"human_ref"`
	Status         string    `json:"status"`
	MessageID      string    `json:"message_id"`
	Messages       []Message `json:"messages"`
	NextCursor     string    `json:"next_cursor"`
}

// Message is one message of a conversation.
type Message struct {
	ID          string          `json:"id"`
	Sender      string          `json:"sender"`
	Body        string          `json:"body"`
	CreatedAt   string          `json:"created_at"`
	Attachments json.RawMessage `json:"attachments"`
	Untrusted   bool            `json:"untrusted"`
}

// StartConversation begins a conversation.
func (c *Client) StartConversation(ctx context.Context, who Credentials, n NewConversation, key string) (Conversation, error) {
	var out Conversation
	err := c.do(ctx, call{method: http.MethodPost, pattern: "/api/conversations", body: n, who: who, key: key}, &out)
	return out, err
}

// NewMessage is a message to send.
type NewMessage struct {
	Conversation string   `json:"-"`
	Key          string   `json:"-"` // idempotency key
	Body         string   `json:"body"`
	Attachments  []string `json:"attachments,omitempty"`
}

// Sent is a message that was sent.
type Sent struct {
	MessageID string `json:"message_id"`
	Status    string `json:"status"`
}

// SendMessage says something in a conversation.
func (c *Client) SendMessage(ctx context.Context, who Credentials, m NewMessage) (Sent, error) {
	var out Sent
	err := c.do(ctx, call{method: http.MethodPost, pattern: "/api/conversations/{}/messages", ids: []string{m.Conversation}, body: m, who: who, key: m.Key}, &out)
	return out, err
}

// Since is a place in a conversation: all, or what came after a cursor.
type Since struct {
	Cursor string
	Limit  int
}

// GetConversation reads messages.
func (c *Client) GetConversation(ctx context.Context, who Credentials, id string, from Since) (Conversation, error) {
	q := url.Values{}
	setTo(q, "since", from.Cursor)
	if from.Limit > 0 {
		q.Set("limit", strconv.Itoa(from.Limit))
	}
	var out Conversation
	err := c.do(ctx, call{method: http.MethodGet, pattern: "/api/conversations/{}", ids: []string{id}, query: q, who: who}, &out)
	return out, err
}
