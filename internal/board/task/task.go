package task

import (
	"slices"
	"time"

	"github.com/legwork-mcp/legwork/internal/board/money"
)

// Label is what a task is for.
type Label string

// The labels.
const (
	RealWorldVerification Label = "real_world_verification"
	LocalResearch         Label = "jp_local_research"
	OutputQA              Label = "ai_output_qa"
	BotBlockerOps         Label = "bot_blocker_ops" // lawful steps that only a person may do: counters, calls, paper
	LeadPrep              Label = "lead_prep"
)

// Labels are all of them.
func Labels() []Label {
	return []Label{RealWorldVerification, LocalResearch, OutputQA, BotBlockerOps, LeadPrep}
}

// Deliverable is the kind of thing that is delivered.
type Deliverable string

// The deliverables.
const (
	Photo Deliverable = "photo"
	Video Deliverable = "video"
	Text  Deliverable = "text"
)

// Deliverables are all of them.
func Deliverables() []Deliverable { return []Deliverable{Photo, Video, Text} }

// Evidence is one thing that a delivery must have.
type Evidence struct {
	Kind     Deliverable `json:"kind"`
	Label    string      `json:"label"`
	Count    int         `json:"count"` // how many of it; 1 when not said
	Required bool        `json:"required"`
}

// Place says where the work is done. Exact is shown to the assigned person only.
type Place struct {
	Text       string `json:"location,omitempty"` // as the requester wrote it, public
	Prefecture string `json:"prefecture,omitempty"`
	City       string `json:"city,omitempty"`
	Exact      string `json:"exact_location,omitempty"`
}

// Task is a bounty. Times are UTC, and zero when they do not apply.
type Task struct {
	ID        string
	AgentID   string
	KeyID     string // the key that posted it
	ClientRef string // the requester's own name for it, unique per agent

	Title              string
	Text               string
	Lang               string // of the texts: ja or en, or empty when unknown
	Label              Label
	OriginCountry      string // of the requester, ISO 3166-1 alpha-2
	WorkCountry        string // where the work is done
	Place              Place
	AcceptanceCriteria string
	NotAllowed         string
	Deliverable        Deliverable
	Evidence           []Evidence
	EstimatedMinutes   int // of work, as the requester thinks; 0 when not said

	Budget money.Amount // what the requester pays; fixed at the acceptance
	Posted int64        // the budget as it was posted, in minor units; another one may be agreed
	FeeBPS int64        // what the board keeps of it, in basis points

	Status        Status
	SubState      SubState
	FailureReason FailureReason
	HumanID       string     // the assigned person; it stays after the end
	HoldClass     string     // why it is held, or was
	HoldExcerpt   string     // the words that the content policy minds
	ReviewCode    RejectCode // of the last rejection
	ReviewText    string     // of the last revision request or rejection
	Version       int64      // counts every change
	Assignments   int64      // how often it was accepted
	Revisions     int64      // how often a revision was requested
	FundKey       string     // under which the provider holds the money; empty when it holds none

	CreatedAt        time.Time
	UpdatedAt        time.Time
	DeadlineAt       time.Time // of the delivery; zero for none
	AcceptedAt       time.Time
	SubmittedAt      time.Time // of the last delivery
	ReviewDeadlineAt time.Time // it is approved by itself then
	AppealDeadlineAt time.Time // a rejection is final then
	EndedAt          time.Time // completed or failed
	RateUntil        time.Time // both sides may rate until then
}

// State is the state of the task with its sub state.
func (t Task) State() State { return State{t.Status, t.SubState} }

// Quote is who gets what of the budget.
func (t Task) Quote() money.Quote {
	fee := money.Fee(t.Budget.Minor, t.FeeBPS)
	return money.Quote{Takehome: t.Budget.Minor - fee, Fee: fee, Total: t.Budget.Minor, Currency: t.Budget.Currency}
}

// Rule is the rule for a command of an actor on this task now, or the refusal. A
// task that ended because its time was over refuses with Timeout.
func (t Task) Rule(c Command, by ActorKind) (Rule, error) {
	r, err := Find(t.State(), c, by)
	if err != nil && t.Status == Failed && t.FailureReason == TimedOut && ReasonOf(err) != Forbidden {
		return Rule{}, Refuse(Timeout)
	}
	return r, err
}

// RejectCode is why a delivery is rejected.
type RejectCode string

// The reject codes.
const (
	CriteriaNotMet   RejectCode = "criteria_not_met"
	WrongPlace       RejectCode = "wrong_place"
	Unreadable       RejectCode = "unreadable"
	NotAllowedAction RejectCode = "not_allowed_action"
	SuspectedFake    RejectCode = "suspected_fake"
	OtherRejection   RejectCode = "other"
)

// RejectCodes are all of them.
func RejectCodes() []RejectCode {
	return []RejectCode{CriteriaNotMet, WrongPlace, Unreadable, NotAllowedAction, SuspectedFake, OtherRejection}
}

// NextActions are the commands that the table allows the actor now, in the order
// of the table.
func (t Task) NextActions(by ActorKind) []Command {
	var all []Command
	for _, r := range Rules {
		if r.Actor == by && r.From == t.Status && slices.Contains(r.Subs, t.SubState) && !slices.Contains(all, r.Command) {
			all = append(all, r.Command)
		}
	}
	return all
}
