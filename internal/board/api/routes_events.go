package api

import (
	"context"
	"net/http"
	"time"

	"github.com/legwork-mcp/legwork/internal/board/data"
	"github.com/legwork-mcp/legwork/internal/board/task"
	"github.com/legwork-mcp/legwork/internal/board/webhook"
)

func (s *Server) eventRoutes() {
	register(s, Route{
		ID: "events", Method: http.MethodGet, Path: "/api/events", Tag: "events", Who: Agent, Scope: data.ScopeRead,
		Summary: "What happened to the account's tasks after a number, the oldest first; it can wait for the next",
	}, s.events)
	hook := func(id, method, path, summary string) Route {
		return Route{ID: id, Method: method, Path: "/api/webhooks" + path, Tag: "events", Who: Agent, Scope: data.ScopeAdmin, Summary: summary}
	}
	create := hook("create-webhook", http.MethodPost, "", "Have events sent to an address; the secret of the signatures is shown once")
	create.Status = http.StatusCreated
	register(s, create, s.createWebhook)
	register(s, hook("list-webhooks", http.MethodGet, "", "The account's webhooks, without secrets"), s.listWebhooks)
	register(s, hook("get-webhook", http.MethodGet, "/{id}", "One webhook"), s.getWebhook)
	register(s, hook("delete-webhook", http.MethodDelete, "/{id}", "Remove a webhook with its log"), s.deleteWebhook)
	register(s, hook("rotate-webhook", http.MethodPost, "/{id}/rotate", "Give a webhook a new secret; the old one signs beside it for a day"), s.rotateWebhook)
	register(s, hook("test-webhook", http.MethodPost, "/{id}/test", "Send a ping"), s.testWebhook)
	register(s, hook("webhook-deliveries", http.MethodGet, "/{id}/deliveries", "What was sent, the newest first"), s.deliveries)
	register(s, hook("replay-delivery", http.MethodPost, "/deliveries/{id}/replay", "Send an event once more"), s.replayDelivery)
}

const (
	maxEventWait = 25 * time.Second
	eventPoll    = 250 * time.Millisecond
)

type eventsQuery struct {
	After int64 `query:"after" minimum:"0" doc:"seq of the last event that was read"`
	Limit int   `query:"limit" minimum:"1" maximum:"100" default:"50"`
	Wait  int   `query:"wait" minimum:"0" maximum:"25" doc:"seconds to wait when nothing happened yet"`
}

// EventList are events in order.
type EventList struct {
	Events []Event `json:"events"`
	Next   int64   `json:"next_after" doc:"after of the next call"`
}

func (s *Server) events(ctx context.Context, in *eventsQuery) (*answer[EventList], error) {
	until := s.o.Clock().Add(min(time.Duration(in.Wait)*time.Second, maxEventWait))
	tick := time.NewTicker(eventPoll)
	defer tick.Stop()
	for going, waited := true, false; ; waited = true {
		all, err := s.o.Board.Events(ctx, caller(ctx).AgentID, in.After, in.Limit)
		if err != nil {
			return nil, err
		}
		if waited && len(all) > 0 && !s.still(ctx, caller(ctx)) {
			return nil, task.Refuse(task.InvalidCredentials)
		}
		if len(all) > 0 || !going || !s.o.Clock().Before(until) {
			out := EventList{Events: []Event{}, Next: in.After}
			for _, e := range all {
				out.Events, out.Next = append(out.Events, event(e)), e.Seq
			}
			return reply(out), nil
		}
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-s.o.Stop:
			going = false // with what there is: the caller asks the next process
		case <-tick.C:
		}
	}
}

// NewWebhook describes an endpoint.
type NewWebhook struct {
	Credentials
	URL    string   `json:"url" doc:"https address on the public internet" format:"uri"`
	Events []string `json:"events,omitempty" doc:"which events; default: all"`
}

// Webhook is an endpoint that is told of events.
type Webhook struct {
	ID         string     `json:"id"`
	URL        string     `json:"url"`
	Events     []string   `json:"events"`
	Secret     string     `json:"secret,omitempty" doc:"what deliveries are signed with; shown when it is made"`
	OverlapEnd *time.Time `json:"overlap_until,omitempty" doc:"until when the secret before signs too"`
	Disabled   string     `json:"disabled_reason,omitempty"`
	Failures   int64      `json:"failures"`
	CreatedAt  time.Time  `json:"created_at"`
}

// WebhookAnswer has the webhook under its name, and what was done.
type WebhookAnswer struct {
	Status  string  `json:"status" enum:"created,rotated,found"`
	Webhook Webhook `json:"webhook"`
}

func webhookView(e webhook.Endpoint, secret string) Webhook {
	return Webhook{
		ID: e.ID, URL: e.URL, Events: list(e.Events), Secret: secret, OverlapEnd: when(e.OverlapEnd), Disabled: e.Disabled,
		Failures: e.Failures, CreatedAt: e.CreatedAt,
	}
}

func (s *Server) createWebhook(ctx context.Context, in *with[NewWebhook]) (*answer[WebhookAnswer], error) {
	e, secret, err := s.o.Webhooks.Create(ctx, caller(ctx).AgentID, in.Body.URL, in.Body.Events)
	if err != nil {
		return nil, err
	}
	return reply(WebhookAnswer{"created", webhookView(e, secret)}), nil
}

// WebhookList are the webhooks of an account.
type WebhookList struct {
	Webhooks []Webhook `json:"webhooks"`
}

func (s *Server) listWebhooks(ctx context.Context, _ *struct{}) (*answer[WebhookList], error) {
	all, err := s.o.Webhooks.List(ctx, caller(ctx).AgentID)
	if err != nil {
		return nil, err
	}
	out := WebhookList{Webhooks: []Webhook{}}
	for _, e := range all {
		out.Webhooks = append(out.Webhooks, webhookView(e, ""))
	}
	return reply(out), nil
}

// WebhookPath names a webhook, or a delivery.
type WebhookPath struct {
	ID string `path:"id" doc:"the webhook"`
}

type webhookCommand struct {
	WebhookPath
	Body Bare
}

func (s *Server) getWebhook(ctx context.Context, in *WebhookPath) (*answer[WebhookAnswer], error) {
	e, err := s.o.Webhooks.Get(ctx, caller(ctx).AgentID, in.ID)
	if err != nil {
		return nil, err
	}
	return reply(WebhookAnswer{"found", webhookView(e, "")}), nil
}

func (s *Server) deleteWebhook(ctx context.Context, in *WebhookPath) (*answer[Said], error) {
	if err := s.o.Webhooks.Delete(ctx, caller(ctx).AgentID, in.ID); err != nil {
		return nil, err
	}
	return reply(Said{"deleted", in.ID}), nil
}

func (s *Server) rotateWebhook(ctx context.Context, in *webhookCommand) (*answer[WebhookAnswer], error) {
	e, secret, err := s.o.Webhooks.Rotate(ctx, caller(ctx).AgentID, in.ID)
	if err != nil {
		return nil, err
	}
	return reply(WebhookAnswer{"rotated", webhookView(e, secret)}), nil
}

// Queued is a delivery that is under way.
type Queued struct {
	Status     string `json:"status" enum:"queued"`
	DeliveryID string `json:"delivery_id"`
}

func (s *Server) testWebhook(ctx context.Context, in *webhookCommand) (*answer[Queued], error) {
	id, err := s.o.Webhooks.Try(ctx, caller(ctx).AgentID, in.ID)
	if err != nil {
		return nil, err
	}
	return reply(Queued{"queued", id}), nil
}

func (s *Server) replayDelivery(ctx context.Context, in *webhookCommand) (*answer[Queued], error) {
	id, err := s.o.Webhooks.Replay(ctx, caller(ctx).AgentID, in.ID)
	if err != nil {
		return nil, err
	}
	return reply(Queued{"queued", id}), nil
}

type deliveriesQuery struct {
	WebhookPath
	Page
}

// Sending is one event on its way to one webhook.
type Sending struct {
	ID        string       `json:"id"`
	EventID   string       `json:"event_id"`
	EventType string       `json:"event_type"`
	State     string       `json:"state" enum:"pending,delivered,failed"`
	Replay    bool         `json:"replay,omitempty"`
	CreatedAt time.Time    `json:"created_at"`
	EndedAt   *time.Time   `json:"ended_at"`
	Attempts  []SendingTry `json:"attempts"`
}

// SendingTry is one try. What the endpoint answered is not kept.
type SendingTry struct {
	At         time.Time `json:"at"`
	DurationMS int64     `json:"duration_ms"`
	Status     int64     `json:"http_status,omitempty"`
	Failure    string    `json:"failure,omitempty"`
}

// SendingList is one page of deliveries.
type SendingList struct {
	Deliveries []Sending `json:"deliveries"`
	NextCursor string    `json:"next_cursor,omitempty"`
}

func (s *Server) deliveries(ctx context.Context, in *deliveriesQuery) (*answer[SendingList], error) {
	all, err := s.o.Webhooks.Log(ctx, caller(ctx).AgentID, in.ID, webhook.Page{Before: in.Cursor, Limit: in.Limit})
	if err != nil {
		return nil, err
	}
	out := SendingList{Deliveries: []Sending{}}
	for _, d := range all {
		v := Sending{ID: d.ID, EventID: d.EventID, EventType: d.EventType, State: string(d.State), Replay: d.Replay, CreatedAt: d.CreatedAt, EndedAt: when(d.EndedAt), Attempts: []SendingTry{}}
		for _, a := range d.Attempts {
			v.Attempts = append(v.Attempts, SendingTry{a.At, a.Took.Milliseconds(), a.Status, a.Failure})
		}
		out.Deliveries = append(out.Deliveries, v)
	}
	if len(all) == in.Limit {
		out.NextCursor = all[len(all)-1].ID
	}
	return reply(out), nil
}

// EventTypes are the events that webhooks can be told of.
func EventTypes() []string {
	var out []string
	for _, e := range task.Events() {
		out = append(out, string(e))
	}
	return out
}
