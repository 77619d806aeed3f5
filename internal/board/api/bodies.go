package api

import (
	"time"

	"github.com/legwork-mcp/legwork/internal/board/money"
	"github.com/legwork-mcp/legwork/internal/board/task"
)

// Credentials are what the specification has in bodies (section 4.2). The pipe reads
// them; handlers ignore them.
type Credentials struct {
	AccountID string `json:"ai_account_id,omitempty" doc:"agent account, when no header names it"`
	APIKey    string `json:"ai_api_key,omitempty" doc:"its key, when no header has it"`
}

// NewTask is the body of a new task (specification 4.2 and 4.3, with additions).
type NewTask struct {
	Credentials
	Task               string     `json:"task" doc:"what is to be done, in the language of the requester" minLength:"1" maxLength:"4000"`
	Title              string     `json:"title,omitempty" doc:"short heading; the beginning of task when it is missing"`
	OriginCountry      string     `json:"origin_country" doc:"ISO 3166 country of the requester, such as US" minLength:"2" maxLength:"2"`
	WorkCountry        string     `json:"work_country,omitempty" doc:"ISO 3166 country of the work" default:"JP"`
	Label              string     `json:"task_label" enum:"real_world_verification,jp_local_research,ai_output_qa,bot_blocker_ops,lead_prep" doc:"kind of task; bot_blocker_ops is lawful work that only a person can do, never the evasion of an access control"`
	AcceptanceCriteria string     `json:"acceptance_criteria" doc:"when the result is good"`
	NotAllowed         string     `json:"not_allowed" doc:"what must not be done"`
	BudgetUSD          *float64   `json:"budget_usd,omitempty" doc:"budget in US dollars, at least 5; or amount_minor with currency"`
	AmountMinor        *int64     `json:"amount_minor,omitempty" doc:"budget in cents or yen, with currency"`
	Currency           string     `json:"currency,omitempty" enum:"usd,jpy,USD,JPY" doc:"currency of amount_minor"`
	Location           string     `json:"location,omitempty" doc:"where, in words that everybody may read: no exact address"`
	Prefecture         string     `json:"prefecture,omitempty" doc:"prefecture of the work"`
	City               string     `json:"city,omitempty" doc:"city or ward of the work"`
	ExactLocation      string     `json:"exact_location,omitempty" doc:"exact place; only the person who has the task sees it"`
	Deliverable        string     `json:"deliverable,omitempty" enum:"photo,video,text" default:"text" doc:"kind of the result"`
	DeadlineMinutes    *float64   `json:"deadline_minutes,omitempty" doc:"whole minutes from now, 5 to 43200"`
	DeadlineAt         *time.Time `json:"deadline_at,omitempty" doc:"deadline, instead of deadline_minutes"`
	Lang               string     `json:"lang,omitempty" enum:"en,ja" doc:"language of the texts"`
	ClientRef          string     `json:"client_ref,omitempty" doc:"the caller's own name of the task, unique for the account" maxLength:"200"`
	Evidence           []Evidence `json:"evidence,omitempty" doc:"what a delivery must have" maxItems:"20"`
	EstimatedMinutes   int        `json:"estimated_minutes,omitempty" doc:"how long the work takes, as the requester thinks"`
	DryRun             bool       `json:"dry_run,omitempty" doc:"check everything and quote, post nothing"`
}

// Evidence is one thing that a delivery must have.
type Evidence struct {
	Kind     string `json:"kind" enum:"photo,video,text"`
	Label    string `json:"label" doc:"what it shows"`
	Count    int    `json:"count,omitempty" doc:"how many of it" default:"1"`
	Required bool   `json:"required,omitempty"`
}

// draft is the body as the domain checks it.
func (n NewTask) draft() task.Draft {
	d := task.Draft{
		Title: n.Title, Text: n.Task, Lang: n.Lang, Label: n.Label, OriginCountry: n.OriginCountry, WorkCountry: n.WorkCountry,
		Place:              task.Place{Text: n.Location, Prefecture: n.Prefecture, City: n.City, Exact: n.ExactLocation},
		AcceptanceCriteria: n.AcceptanceCriteria, NotAllowed: n.NotAllowed, Deliverable: n.Deliverable, EstimatedMinutes: n.EstimatedMinutes,
		BudgetUSD: n.BudgetUSD, AmountMinor: n.AmountMinor, Currency: n.Currency, DeadlineMinutes: n.DeadlineMinutes, ClientRef: n.ClientRef,
	}
	if n.DeadlineAt != nil {
		d.DeadlineAt = *n.DeadlineAt
		if d.DeadlineAt.IsZero() {
			d.DeadlineAt = time.Unix(0, 0) // said, and as long over as the year 1
		}
	}
	for _, e := range n.Evidence {
		d.Evidence = append(d.Evidence, task.Evidence{Kind: task.Deliverable(e.Kind), Label: e.Label, Count: e.Count, Required: e.Required})
	}
	return d
}

// CallHuman is NewTask with what to do when nobody takes it at once.
type CallHuman struct {
	NewTask
	OnNoSupply  string `json:"on_no_supply,omitempty" enum:"keep_open,fail" default:"keep_open" doc:"whether the task stays open when nobody consents in time"`
	WaitSeconds *int   `json:"consent_wait_seconds,omitempty" minimum:"0" maximum:"25" default:"20" doc:"how long to wait for a person's consent"`
}

// Created is the answer to a new task.
type Created struct {
	ID         string     `json:"id,omitempty" doc:"the task"`
	Status     string     `json:"status" doc:"open; dry_run when nothing was posted"`
	SubState   string     `json:"sub_state,omitempty" doc:"held: an operator looks at it before it is published"`
	Quote      Quote      `json:"quote"`
	DeadlineAt *time.Time `json:"deadline_at"`
	ClientRef  string     `json:"client_ref,omitempty"`
	Warnings   []string   `json:"warnings,omitempty" doc:"what the content policy advises to change"`
	Version    int64      `json:"version,omitempty"`
	DryRun     bool       `json:"dry_run,omitempty"`
}

// Quote says who gets what of a budget, in minor units: cents or yen.
type Quote struct {
	Takehome int64  `json:"worker_takehome_minor" doc:"what the person receives"`
	Fee      int64  `json:"fee_minor" doc:"what the board keeps"`
	Total    int64  `json:"total_minor" doc:"what the requester pays"`
	Currency string `json:"currency" enum:"USD,JPY"`
}

func quoteOf(q money.Quote) Quote {
	return Quote{Takehome: q.Takehome, Fee: q.Fee, Total: q.Total, Currency: string(q.Currency)}
}

// Called is the answer to call_human when somebody took the task.
type Called struct {
	TaskID string `json:"task_id,omitempty"`
	Status string `json:"status" enum:"accepted,dry_run"`
	Quote  *Quote `json:"quote,omitempty"`
	DryRun bool   `json:"dry_run,omitempty"`
}

// Done is the answer to a command on a task.
type Done struct {
	Status           string     `json:"status" doc:"what was done"`
	TaskID           string     `json:"task_id"`
	TaskStatus       string     `json:"task_status" doc:"state of the task now"`
	SubState         string     `json:"sub_state,omitempty"`
	FailureReason    string     `json:"failure_reason,omitempty"`
	ApplicationID    string     `json:"application_id,omitempty"`
	DisputeID        string     `json:"dispute_id,omitempty"`
	DeadlineAt       *time.Time `json:"deadline_at,omitempty"`
	ReviewDeadlineAt *time.Time `json:"review_deadline_at,omitempty"`
	AppealUntil      *time.Time `json:"appeal_until,omitempty" doc:"until when the person can appeal"`
	Version          int64      `json:"version,omitempty"`
	RepostedTaskID   string     `json:"reposted_task_id,omitempty" doc:"the task that was posted again"`
	RepostRefused    string     `json:"repost_refused,omitempty" doc:"why it was not; the rejection stands"`
}
