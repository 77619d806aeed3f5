package bounty

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/legwork-mcp/legwork/internal/bounty/rest"
	"github.com/legwork-mcp/legwork/internal/tool"
)

var listBounties = tool.New(tool.Spec{
	Name: "list_bounties", Title: "List tasks",
	Description: "List tasks for monitoring: your own, or with scope public those that anybody can see. The newest come first.",
	Effect:      tool.Read, Idempotent: true, OpenWorld: true, Scope: scopeRead, Rate: rateRead, Timeout: limit, Budget: 128 << 10, Reword: asSpecified,
	Outline:  []string{"tasks", "next_cursor"},
	Examples: []tool.Example{{Name: "what waits for a review", Args: ListIn{Status: stateReview}}},
}, (*Server).listBounties)

// ListIn chooses tasks.
type ListIn struct {
	TaskLabel    string `json:"task_label,omitempty"`
	Query        string `json:"q,omitempty" jsonschema:"words of the text"`
	Lang         string `json:"lang,omitempty" enum:"en,ja"`
	Status       string `json:"status,omitempty" enum:"open,accepted,review_pending,completed,failed"`
	Scope        string `json:"scope,omitempty" enum:"mine,public" jsonschema:"default mine, without an account public"`
	ClientRef    string `json:"client_ref,omitempty"`
	UpdatedSince string `json:"updated_since,omitempty" jsonschema:"RFC 3339"`
	Limit        int    `json:"limit,omitempty" minimum:"1" maximum:"100" default:"20"`
	Cursor       string `json:"cursor,omitempty" jsonschema:"next_cursor of the page before"`
	AccountIn
}

// ListOut is one page of tasks.
type ListOut struct {
	Tasks      []Row  `json:"tasks"`
	NextCursor string `json:"next_cursor,omitempty"`
	Scope      string `json:"scope"`
	Note       string `json:"note,omitempty"`
}

// Row is a task in a list (section 4.5).
type Row struct {
	ID            string      `json:"id"`
	Task          string      `json:"task"`
	Status        string      `json:"status"`
	BudgetUSD     json.Number `json:"budget_usd"`
	CreatedAt     string      `json:"created_at"`
	Budget        string      `json:"budget,omitempty"`
	SubState      string      `json:"sub_state,omitempty"`
	FailureReason string      `json:"failure_reason,omitempty"`
	TaskLabel     string      `json:"task_label,omitempty"`
	DeadlineAt    string      `json:"deadline_at,omitempty"`
	ClientRef     string      `json:"client_ref,omitempty"`
	Applications  int         `json:"application_count,omitempty"`
	Untrusted     string      `json:"untrusted,omitempty" jsonschema:"set for a task of somebody else"`
}

// The scopes of a list.
const (
	scopeMine   = "mine"
	scopePublic = "public"
)

// Text is what a model reads.
func (o ListOut) Text() string {
	var b strings.Builder
	strange := false
	fmt.Fprintf(&b, "%d tasks (%s).", len(o.Tasks), o.Scope)
	for _, r := range o.Tasks {
		fmt.Fprintf(&b, "\n- %s %s", r.ID, r.Status)
		for _, x := range []string{r.SubState, r.FailureReason, r.Budget, r.CreatedAt, r.ClientRef} {
			if x != "" {
				b.WriteString(", " + x)
			}
		}
		if r.Applications > 0 {
			fmt.Fprintf(&b, ", %d applications", r.Applications)
		}
		if r.Untrusted != "" {
			strange = true
			b.WriteString(": " + inline(r.Task, 160))
		} else {
			b.WriteString(": " + clean(r.Task, 160))
		}
	}
	if strange {
		b.WriteString("\n" + strangers)
	}
	if o.NextCursor != "" {
		b.WriteString("\nThere are more: cursor " + o.NextCursor)
	}
	if o.Note != "" {
		b.WriteString("\n" + o.Note)
	}
	return b.String()
}

func (s *Server) listBounties(ctx context.Context, in ListIn) (ListOut, error) {
	k, err := s.read(ctx, in.AccountIn)
	if err != nil {
		return ListOut{}, err
	}
	scope := in.Scope
	switch {
	case scope == "" && k.who.None():
		scope = scopePublic
	case scope == "":
		scope = scopeMine
	case scope == scopeMine && k.who.None():
		return ListOut{}, refuse("missing_credentials", "Your own tasks are those of an account, and there is none.")
	}
	page, err := k.client.ListTasks(ctx, k.who, rest.Filter{
		Label: in.TaskLabel, Query: in.Query, Lang: in.Lang, Status: in.Status, ClientRef: in.ClientRef,
		UpdatedSince: in.UpdatedSince, Cursor: in.Cursor, Scope: scope, Limit: in.Limit,
	})
	if err != nil {
		return ListOut{}, explain(err, "")
	}
	out := ListOut{Tasks: []Row{}, NextCursor: clean(page.NextCursor, 500), Scope: scope}
	if n := len(page.Tasks); n > in.Limit {
		out.Note = fmt.Sprintf("The board has no pages: the newest %d of %d tasks are shown. Filter with q, task_label or status.", in.Limit, n)
		page.Tasks = page.Tasks[:in.Limit]
	}
	for _, t := range page.Tasks {
		out.Tasks = append(out.Tasks, rowOf(t, k.who))
	}
	return out, nil
}

// rowOf is a task of the board as a row. A board that pays in another currency than
// dollars gives its own figure for budget_usd, or none, which is 0.
func rowOf(t rest.Task, who rest.Credentials) Row {
	usd := t.BudgetUSD
	if n, err := t.AmountMinor.Int64(); err == nil && usd == "" && strings.EqualFold(t.Currency, "USD") {
		usd = json.Number(fmt.Sprintf("%d.%02d", n/100, n%100))
	}
	return Row{
		ID: clean(t.ID, 200), Task: prose(firstOf(t.Display, t.Task), 600), Status: clean(t.Status, 40), BudgetUSD: json.Number(firstOf(usd.String(), "0")),
		CreatedAt: clean(t.CreatedAt, 40), Budget: budgetText(t), SubState: clean(t.SubState, 40), FailureReason: clean(t.FailureReason, 100),
		TaskLabel: clean(t.TaskLabel, 40), DeadlineAt: clean(t.DeadlineAt, 40), ClientRef: clean(t.ClientRef, 200), Applications: t.ApplicationCount,
		Untrusted: foreign(t, who),
	}
}
