package bounty

import (
	"context"
	"fmt"
	"strings"

	"github.com/legwork-mcp/legwork/internal/bounty/rest"
	"github.com/legwork-mcp/legwork/internal/tool"
)

var listApplications = tool.New(tool.Spec{
	Name: "list_applications", Title: "Who wants to do it",
	Description: "List the applications for one of your tasks, with what people say and ask for.",
	Effect:      tool.Read, Idempotent: true, OpenWorld: true, Scope: scopeRead, Rate: rateRead, Timeout: limit, Budget: 160 << 10, Reword: asSpecified,
	Outline:  []string{"applications", "next_cursor"},
	Examples: []tool.Example{{Name: "one", Args: ApplicationsIn{TaskID: exampleID}}},
}, (*Server).listApplications)

// ApplicationsIn names a task.
type ApplicationsIn struct {
	TaskID string `json:"task_id"`
	Status string `json:"status,omitempty" enum:"pending,accepted,declined,withdrawn"`
	Limit  int    `json:"limit,omitempty" minimum:"1" maximum:"100" default:"20"`
	Cursor string `json:"cursor,omitempty"`
	AccountIn
}

// ApplicationsOut is one page of applications.
type ApplicationsOut struct {
	Applications []Application `json:"applications"`
	NextCursor   string        `json:"next_cursor,omitempty"`
	TaskID       string        `json:"task_id"`
	Untrusted    string        `json:"untrusted"`
}

// Application is a person's wish to do a task.
type Application struct {
	ID           string `json:"id"`
	HumanRef     string `json:"human_ref,omitempty"`
	Handle       string `json:"handle,omitempty"`
	CoverLetter  string `json:"cover_letter,omitempty"`
	Availability string `json:"availability,omitempty"`
	CounterMinor int64  `json:"counter_amount_minor,omitempty" jsonschema:"what the person asks for instead"`
	Currency     string `json:"counter_currency,omitempty"`
	Rating       string `json:"rating,omitempty"`
	Completed    int    `json:"completed,omitempty"`
	CreatedAt    string `json:"created_at,omitempty"`
	Status       string `json:"status"`
}

// Text is what a model reads.
func (o ApplicationsOut) Text() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%d applications for task %s.", len(o.Applications), o.TaskID)
	for _, a := range o.Applications {
		fmt.Fprintf(&b, "\n- application_id %s, %s", a.ID, a.Status)
		if a.HumanRef != "" {
			b.WriteString(", human_ref " + a.HumanRef)
		}
		if a.Rating != "" {
			b.WriteString(", rating " + a.Rating)
		}
		if a.Completed > 0 {
			fmt.Fprintf(&b, ", %d done", a.Completed)
		}
		if a.CounterMinor > 0 {
			fmt.Fprintf(&b, ", asks for %v", budget{a.CounterMinor, firstOf(a.Currency, "JPY")})
		}
		said := strings.Join(strings.Fields(a.Handle+": "+a.CoverLetter+" / "+a.Availability), " ")
		b.WriteString("\n" + marked(clip(said, 1500)))
	}
	if len(o.Applications) > 0 {
		b.WriteString("\n" + o.Untrusted + " Next: accept_application with the application_id that you choose.")
	}
	if o.NextCursor != "" {
		b.WriteString("\nThere are more: cursor " + o.NextCursor)
	}
	return b.String()
}

func (s *Server) listApplications(ctx context.Context, in ApplicationsIn) (ApplicationsOut, error) {
	k, err := s.mine(ctx, in.AccountIn)
	if err != nil {
		return ApplicationsOut{}, err
	}
	page, err := k.client.ListApplications(ctx, k.who, in.TaskID, rest.Page{Status: in.Status, Cursor: in.Cursor, Limit: in.Limit})
	if err != nil {
		return ApplicationsOut{}, explain(err, "")
	}
	out := ApplicationsOut{Applications: []Application{}, NextCursor: clean(page.NextCursor, 500), TaskID: clean(in.TaskID, 200), Untrusted: untrusted}
	for _, a := range page.Applications {
		counter, _ := a.CounterMinor.Int64() // none is zero
		out.Applications = append(out.Applications, Application{
			ID: clean(a.ID, 200), HumanRef: clean(a.Ref, 200), Handle: clean(a.Handle, 100), CoverLetter: prose(a.CoverLetter, 4000),
			Availability: prose(a.Availability, 500), CounterMinor: counter, Currency: clean(a.CounterCurrency, 3), Rating: clean(a.Rating.String(), 20), Completed: a.Completed,
			CreatedAt: clean(a.CreatedAt, 40), Status: clean(a.Status, 40),
		})
	}
	return out, nil
}
