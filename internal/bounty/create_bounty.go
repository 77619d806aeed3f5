package bounty

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/legwork-mcp/legwork/internal/tool"
)

var createBounty = tool.New(tool.Spec{
	Name: "create_bounty", Title: "Post a task for people",
	Description: "Create an open task without immediate assignment: people read it and apply. Returns its id; then list_applications and accept_application.",
	Effect:      tool.Write, OpenWorld: true, Scope: scopePost, Rate: ratePost, Cost: 5, Timeout: limit, Budget: 16 << 10, Reword: asSpecified,
	Outline:  []string{"id", "status", "idempotency_key", "replayed", "deadline_at", "quote"},
	Examples: []tool.Example{{Name: "a photo of a shop", Args: exampleTask()}},
}, (*Server).createBounty)

// exampleTask is a task as the guides have it.
func exampleTask() TaskIn {
	return TaskIn{
		Task:          "Photograph the front of the bakery at the east exit of Ogikubo station so that today's opening hours on the door can be read.",
		OriginCountry: "JP", TaskLabel: "real_world_verification", AcceptanceCriteria: "One sharp photo, taken today, on which the hours can be read.",
		NotAllowed: "Do not enter, do not photograph people.", Currency: "JPY", AmountMinor: 1500, Location: "東京都杉並区", Deliverable: "photo", DeadlineMinutes: 240,
	}
}

// CreateOut is a task that was posted.
type CreateOut struct {
	ID             string   `json:"id,omitempty"`
	Status         string   `json:"status" jsonschema:"open; dry_run when nothing was posted"`
	IdempotencyKey string   `json:"idempotency_key,omitempty" jsonschema:"to repeat this call safely"`
	Replayed       bool     `json:"replayed,omitempty" jsonschema:"it had been posted by an earlier call with this key"`
	DeadlineAt     string   `json:"deadline_at,omitempty"`
	ClientRef      string   `json:"client_ref,omitempty"`
	SubState       string   `json:"sub_state,omitempty"`
	Quote          *Quote   `json:"quote,omitempty"`
	Warnings       []string `json:"warnings,omitempty" jsonschema:"what the board advises to change"`
	Note           string   `json:"note,omitempty"`
}

// statusDryRun is the status of a task that was only tried.
const statusDryRun = "dry_run"

// subHeld is the sub state of a task that waits for a person of the board.
const subHeld = "held"

// Text is what a model reads.
func (o CreateOut) Text() string {
	var b strings.Builder
	switch {
	case o.Status == statusDryRun:
		b.WriteString("dry_run: nothing was posted; the task can be posted as it is.")
	case o.Replayed:
		fmt.Fprintf(&b, "Task %s had been posted already by the first call with this idempotency_key; nothing was posted twice. Its status then: %s.", o.ID, o.Status)
	default:
		fmt.Fprintf(&b, "Task %s is posted; its status is %s.", o.ID, o.Status)
	}
	b.WriteString(o.Quote.text())
	if o.DeadlineAt != "" {
		b.WriteString(" Its deadline is " + o.DeadlineAt + ".")
	}
	if o.SubState == subHeld {
		b.WriteString(" A person of the board looks at it before it is published.")
	}
	if o.Note != "" {
		b.WriteString(" " + o.Note)
	}
	for _, w := range o.Warnings {
		b.WriteString("\nThe board advises: " + w)
	}
	if o.ID != "" {
		b.WriteString("\nNext: wait_for_bounty with this task_id, then list_applications and accept_application.")
	}
	if o.IdempotencyKey != "" {
		b.WriteString("\nidempotency_key: " + o.IdempotencyKey)
	}
	return b.String()
}

func (s *Server) createBounty(ctx context.Context, in TaskIn) (CreateOut, error) {
	t, _, err := s.request(in)
	if err != nil {
		return CreateOut{}, err
	}
	k, err := s.write(ctx, in.AccountIn, writing{"create_bounty", in.Key, in})
	if err != nil {
		return CreateOut{}, err
	}
	if in.DryRun {
		q, err := k.quote(t)
		return CreateOut{Status: statusDryRun, Quote: q.quote, SubState: q.subState, Warnings: q.warnings, Note: q.note, ClientRef: t.ClientRef}, err
	}
	p, err := k.client.CreateTask(ctx, k.who, t, k.key)
	if err != nil {
		return CreateOut{}, explain(err, k.key)
	}
	return CreateOut{
		ID: clean(firstOf(p.ID, p.TaskID), 200), Status: clean(p.Status, 40), IdempotencyKey: k.key, Replayed: p.Replayed,
		DeadlineAt: clean(p.DeadlineAt, 40), ClientRef: t.ClientRef, SubState: clean(p.SubState, 40), Quote: quoteOf(p.Quote),
		Warnings: words(p.Warnings),
	}, nil
}

// number is a decimal for an argument.
func number(text string) json.Number { return json.Number(text) }

// Post posts a task for another part of this program, under the rules of create_bounty.
func (s *Server) Post(ctx context.Context, in TaskIn) (CreateOut, error) {
	return s.createBounty(ctx, in)
}
