package bounty

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/legwork-mcp/legwork/internal/bounty/rest"
	"github.com/legwork-mcp/legwork/internal/tool"
)

var callHumanFast = tool.New(tool.Spec{
	Name: "call_human_fast", Title: "Ask somebody who is available now",
	Description: "Create a task and assign it to one available human who agrees within seconds. Without one the answer is rejected, no_human_available, and the task stays open by default.",
	Effect:      tool.Write, OpenWorld: true, Scope: scopePost, Rate: ratePost, Cost: 5, Timeout: limit, Budget: 16 << 10, Reword: asSpecified,
	Outline:  []string{"task_id", "status", "reason", "task_status", "suggestions", "error", "idempotency_key", "replayed"},
	Examples: []tool.Example{{Name: "a phone call", Args: CallIn{TaskIn: exampleCall()}}},
}, (*Server).callHumanFast)

func exampleCall() TaskIn {
	return TaskIn{
		Task:          "Call the ward office of Setagaya (the number is on its site) and ask whether the counter for resident records is open this Saturday.",
		OriginCountry: "US", TaskLabel: "jp_local_research", AcceptanceCriteria: "The answer in one sentence, with the time of the call.",
		NotAllowed: "Do not give anybody's personal data.", BudgetUSD: number("8"), DeadlineMinutes: 60,
	}
}

// CallIn is a task for somebody who is available now.
type CallIn struct {
	TaskIn
	OnNoSupply  string `json:"on_no_supply,omitempty" enum:"keep_open,fail" default:"keep_open" jsonschema:"what becomes of the task when nobody is available"`
	ConsentWait *int   `json:"consent_wait_seconds,omitempty" minimum:"0" maximum:"25" jsonschema:"how long people may think; default 25"`
}

// CallOut is what became of it.
type CallOut struct {
	TaskID         string      `json:"task_id,omitempty"`
	Status         string      `json:"status" jsonschema:"accepted, or rejected with a reason; dry_run when nothing was posted"`
	Reason         string      `json:"reason,omitempty"`
	TaskStatus     string      `json:"task_status,omitempty" jsonschema:"open: people can still apply, do not post it again"`
	Suggestions    []string    `json:"suggestions,omitempty"`
	Error          *ErrorBlock `json:"error,omitempty"`
	IdempotencyKey string      `json:"idempotency_key,omitempty"`
	Replayed       bool        `json:"replayed,omitempty"`
	DeadlineAt     string      `json:"deadline_at,omitempty"`
	Quote          *Quote      `json:"quote,omitempty"`
	Note           string      `json:"note,omitempty"`
}

// statusRejected is the status of a call that found nobody.
const statusRejected = "rejected"

// Failed reports whether nobody took the task.
func (o CallOut) Failed() bool { return o.Status == statusRejected }

// Text is what a model reads.
func (o CallOut) Text() string {
	var b strings.Builder
	switch o.Status {
	case statusDryRun:
		b.WriteString("dry_run: nothing was posted; the task can be posted as it is.")
	case statusRejected:
		fmt.Fprintf(&b, "status: rejected, reason: %s (%s). %s", o.Reason, o.Error.Code, o.Error.Message)
		if o.TaskID != "" {
			fmt.Fprintf(&b, "\ntask_id: %s", o.TaskID)
		}
		switch o.TaskStatus {
		case "open":
			b.WriteString("\nThe task is still open and people can apply: do not post it again. Wait with wait_for_bounty, or cancel_bounty.")
		case "failed":
			b.WriteString("\nThe task has failed and is over.")
		}
		for _, s := range o.Suggestions {
			b.WriteString("\n- " + s)
		}
	default:
		if o.Replayed {
			b.WriteString("This had been done already by the first call with this idempotency_key. ")
		}
		fmt.Fprintf(&b, "Task %s is %s: a person has it now. Wait for the submission with wait_for_bounty.", o.TaskID, o.Status)
	}
	b.WriteString(o.Quote.text())
	if o.Note != "" {
		b.WriteString(" " + o.Note)
	}
	if o.IdempotencyKey != "" {
		b.WriteString("\nidempotency_key: " + o.IdempotencyKey)
	}
	return b.String()
}

func (s *Server) callHumanFast(ctx context.Context, in CallIn) (CallOut, error) {
	t, _, err := s.request(in.TaskIn)
	if err != nil {
		return CallOut{}, err
	}
	t.OnNoSupply, t.ConsentWait = in.OnNoSupply, in.ConsentWait
	k, err := s.write(ctx, in.AccountIn, writing{"call_human_fast", in.Key, in})
	if err != nil {
		return CallOut{}, err
	}
	if in.DryRun {
		q, err := k.quote(t)
		return CallOut{Status: statusDryRun, Quote: q.quote, Note: q.note}, err
	}
	p, err := k.client.CallHuman(ctx, k.who, t, k.key)
	var e *rest.Error
	if errors.As(err, &e) && e.Trouble == "" && e.Reason == "no_human_available" {
		return k.nobody(e), nil
	}
	if err != nil {
		return CallOut{}, explain(err, k.key)
	}
	return CallOut{
		TaskID: clean(firstOf(p.TaskID, p.ID), 200), Status: clean(p.Status, 40), IdempotencyKey: k.key, Replayed: p.Replayed,
		DeadlineAt: clean(p.DeadlineAt, 40), Quote: quoteOf(p.Quote),
	}, nil
}

// suggestions are what gets a task taken, in the order in which it costs least.
var suggestions = []string{
	"give more time: extend_deadline", "raise the budget in a new task, after cancel_bounty", "widen the location", "split the task into smaller ones",
}

// nobody is the outcome that the specification has in section 4.3 and that is an error
// in its section 5: both forms are in the answer.
func (k *call) nobody(e *rest.Error) CallOut {
	f := failureOf(e)
	f.more["idempotency_key"] = k.key
	out := CallOut{
		Status: statusRejected, Reason: e.Reason, IdempotencyKey: k.key, Suggestions: suggestions, Replayed: e.Replayed,
	}
	out.TaskID, _ = f.more["task_id"].(string)
	out.TaskStatus = memberOf(e.Body, "task_status")
	if out.TaskID != "" && out.TaskStatus == "" {
		// A board that does not say is asked: an agent that does not know posts again.
		if t, err := k.client.GetTask(k.ctx, k.who, out.TaskID, ""); err == nil {
			out.TaskStatus = clean(t.Status, 40)
		}
	}
	if list := membersOf(e.Body, "suggestions"); len(list) > 0 {
		out.Suggestions = list
	}
	block := f.block()
	out.Error = &block
	return out
}
