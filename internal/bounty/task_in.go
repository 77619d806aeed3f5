package bounty

import (
	"encoding/json"
	"strings"

	"github.com/legwork-mcp/legwork/internal/bounty/rest"
	"github.com/legwork-mcp/legwork/internal/lazyregexp"
)

// TaskIn is a task to post: the arguments of the specification's section 4.2, and what
// was added to them.
type TaskIn struct {
	Task               string       `json:"task" jsonschema:"what to do, complete and without private data; people read it as it is"`
	OriginCountry      string       `json:"origin_country" jsonschema:"country of the requester, who pays: two letters"`
	TaskLabel          string       `json:"task_label" enum:"real_world_verification,jp_local_research,ai_output_qa,bot_blocker_ops,lead_prep" jsonschema:"bot_blocker_ops: lawful steps that only a person may do"`
	AcceptanceCriteria string       `json:"acceptance_criteria" jsonschema:"what the submission must show"`
	NotAllowed         string       `json:"not_allowed" jsonschema:"what the person must not do"`
	BudgetUSD          json.Number  `json:"budget_usd,omitempty" jsonschema:"at least 5; or amount_minor with currency"`
	Location           string       `json:"location,omitempty" jsonschema:"area only, such as 東京都渋谷区"`
	Deliverable        string       `json:"deliverable,omitempty" enum:"photo,video,text" default:"text"`
	DeadlineMinutes    int          `json:"deadline_minutes,omitempty" minimum:"5" maximum:"43200"`
	Currency           string       `json:"currency,omitempty" enum:"USD,JPY"`
	AmountMinor        int64        `json:"amount_minor,omitempty" minimum:"1" maximum:"1000000000" jsonschema:"cents or yen, instead of budget_usd"`
	Prefecture         string       `json:"prefecture,omitempty" jsonschema:"such as 東京都; with city it finds people nearby"`
	City               string       `json:"city,omitempty"`
	ExactLocation      string       `json:"exact_location,omitempty" jsonschema:"shown only to the person who has the task"`
	Evidence           []EvidenceIn `json:"evidence,omitempty" jsonschema:"what a submission must have"`
	WorkCountry        string       `json:"work_country,omitempty" jsonschema:"where the work is, two letters; default JP"`
	ClientRef          string       `json:"client_ref,omitempty" jsonschema:"your own reference, to find the task again"`
	DryRun             bool         `json:"dry_run,omitempty" jsonschema:"check and quote only, post nothing"`
	AccountIn
	KeyIn
}

// EvidenceIn is one thing that a submission must have.
type EvidenceIn struct {
	Kind     string `json:"kind" enum:"photo,video,text"`
	Label    string `json:"label" jsonschema:"what it shows"`
	Count    int    `json:"count,omitempty" minimum:"1" maximum:"20"`
	Required bool   `json:"required,omitempty"`
}

// The longest texts of a task, in bytes; what a board takes may be less.
const (
	maxTask = 20_000
	maxLine = 500
)

var country = lazyregexp.New(`^[A-Z]{2}$`)

// request checks a task as far as it can be checked without the board, and says
// everything that is wrong with it at once.
func (s *Server) request(in TaskIn) (rest.NewTask, budget, error) {
	t := rest.NewTask{
		Task: strings.TrimSpace(in.Task), OriginCountry: strings.ToUpper(strings.TrimSpace(in.OriginCountry)), TaskLabel: in.TaskLabel,
		AcceptanceCriteria: strings.TrimSpace(in.AcceptanceCriteria), NotAllowed: strings.TrimSpace(in.NotAllowed),
		BudgetUSD: in.BudgetUSD, Location: strings.TrimSpace(in.Location), Deliverable: in.Deliverable, DeadlineMinutes: in.DeadlineMinutes,
		WorkCountry: strings.ToUpper(strings.TrimSpace(in.WorkCountry)), ClientRef: strings.TrimSpace(in.ClientRef),
	}
	t.Prefecture, t.City, t.ExactLocation = strings.TrimSpace(in.Prefecture), strings.TrimSpace(in.City), strings.TrimSpace(in.ExactLocation)
	for _, e := range in.Evidence {
		t.Evidence = append(t.Evidence, rest.Evidence(e))
	}
	fields := wrongTexts(t)
	if t.OriginCountry != "" && !country.MatchString(t.OriginCountry) {
		fields = append(fields, rest.FieldError{Field: "origin_country", Code: "invalid_value"})
	}
	if t.WorkCountry != "" && !country.MatchString(t.WorkCountry) {
		fields = append(fields, rest.FieldError{Field: "work_country", Code: "invalid_value"})
	}
	b, wrong := budgetOf(in.BudgetUSD, in.AmountMinor, in.Currency)
	if wrong != nil {
		fields = append(fields, *wrong)
	}
	switch {
	case t.OriginCountry == "":
		return t, b, refuse("missing_origin_country", "", append(fields, rest.FieldError{Field: "origin_country", Code: "required"})...)
	case len(fields) > 0:
		return t, b, refuse("invalid_request", "The task cannot be posted as it is.", fields...)
	}
	if in.BudgetUSD == "" {
		t.Currency, t.AmountMinor = b.currency, b.minor
	}
	return t, b, s.set.floor(b)
}

// wrongTexts are the texts of a task that are missing or too long.
func wrongTexts(t rest.NewTask) []rest.FieldError {
	var out []rest.FieldError
	for _, x := range []struct {
		name, text string
		needed     bool
		most       int
	}{
		{"task", t.Task, true, maxTask}, {"acceptance_criteria", t.AcceptanceCriteria, true, maxTask}, {"not_allowed", t.NotAllowed, true, maxTask},
		{"location", t.Location, false, maxLine}, {"client_ref", t.ClientRef, false, maxLine}, {"exact_location", t.ExactLocation, false, maxLine},
	} {
		switch {
		case x.needed && x.text == "":
			out = append(out, rest.FieldError{Field: x.name, Code: "required"})
		case len(x.text) > x.most:
			out = append(out, rest.FieldError{Field: x.name, Code: "too_long"})
		}
	}
	return out
}
