package runner

import (
	"context"
	"time"
)

// Escalator asks people to do what a run may not: a run that ended with human_required
// can become a task for a person. The runner knows no board; whoever puts the program
// together connects one.
type Escalator interface {
	// Ask posts a task for the step and returns how it stands. Asked twice for one run,
	// it posts once.
	Ask(ctx context.Context, s Step, o Offer) (Asked, error)
	// Look returns how a task stands.
	Look(ctx context.Context, taskID string) (Asked, error)
}

// Step is what a person has to know about a step that only a person may do: facts of
// the form. Nothing that anybody gave or typed is in it, and no text of the page, which
// may greet the visitor by name.
type Step struct {
	RunID, WizardID string
	Form            string // name of the form
	URL             string // where it begins, without a query
	Page            int    // on which the run ended; 0 is before the first
	PageTitle       string // of that page, as the wizard has it
	Needs           string // captcha, login or otp
	At              time.Time
}

// Offer is what a person gets for it, and until when.
type Offer struct {
	Currency        string
	AmountMinor     int64
	DeadlineMinutes int
	OriginCountry   string
}

// Asked is how a task stands.
type Asked struct {
	TaskID, Status string
	// Answer is what the person delivered; it is not to be trusted.
	Answer string
}

// The states of a task that has an answer (section 4.4 of the bounty specification).
const (
	taskDelivered = "review_pending"
	taskCompleted = "completed"
	taskFailed    = "failed"
	taskHeld      = "held" // a sub state of open
)

// answered reports whether the person has delivered something.
func (a Asked) answered() bool { return a.Status == taskDelivered || a.Status == taskCompleted }

// What became of an escalation.
const (
	escalationAsked    = "asked"    // a person is wanted, or works on it
	escalationAnswered = "answered" // the answer is there
	escalationFailed   = "failed"   // nobody did it
	escalationClosed   = "closed"   // the run ends with the person's answer
	escalationResumed  = "resumed"  // the form was run again
)

// escalation is what is kept of one with its run.
type escalation struct {
	asked  Asked
	state  string
	run    string // that went on, when it was resumed
	closed bool
}

// needs are the words for what a page asks for.
func (o *outcome) needs() string {
	if o == nil || o.problem == nil || o.problem.typ != TypeHuman {
		return ""
	}
	return o.problem.needs
}

// step are the facts of a run for a person.
func (x *execution) step(needs string, page int) Step {
	w := x.job.Entry.Wizard
	s := Step{
		RunID: x.id, WizardID: w.WizardID, Form: w.Name, URL: withoutQuery(w.URL), Page: page, Needs: needs, At: x.started,
	}
	if page > 0 && page <= len(w.Pages) {
		s.PageTitle = w.Pages[page-1].PageTitle
	}
	return s
}
