package login

import (
	"slices"
	"sync"
	"time"
)

// Name is a kind of step.
type Name string

// The steps of a login.
const (
	StepChallenge    Name = "challenge"
	StepResource     Name = "resource_metadata"
	StepServer       Name = "server_metadata"
	StepRegistration Name = "registration"
	StepScopes       Name = "scopes"
	StepLink         Name = "link"
	StepCallback     Name = "callback"
	StepToken        Name = "token"
	StepRefresh      Name = "refresh"
	StepClaims       Name = "claims"
	StepGiveUp       Name = "give_up"
)

// Outcome is what came of a step.
type Outcome string

// The outcomes.
const (
	OK      Outcome = "ok"
	Missing Outcome = "missing" // a candidate that is not there; the next one is tried
	Warning Outcome = "warning" // it works here, and need not elsewhere
	Failed  Outcome = "failed"
)

// Step is one step of a login. It holds no secret.
type Step struct {
	At      time.Time `json:"at"`
	Name    Name      `json:"step"`
	Outcome Outcome   `json:"outcome"`
	Detail  string    `json:"detail"`
	// Method, URL and Status are those of the HTTP request, when it made one.
	Method string `json:"method,omitempty"`
	URL    string `json:"url,omitempty"`
	Status int    `json:"status,omitempty"`
	Millis int64  `json:"ms,omitempty"`
	// Facts are what was read, chosen or sent, in order.
	Facts []Fact `json:"facts,omitempty"`
	// Body is the beginning of what came back, without secrets.
	Body string `json:"body,omitempty"`
	// Source is the document and section of the rule that decided.
	Source string `json:"source,omitempty"`
}

// Fact is something that a step read, chose or sent.
type Fact struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

// Trace is the way of a login so far.
type Trace struct {
	Steps []Step `json:"steps"`
	// Dropped are the steps beyond the first 200, which were not kept.
	Dropped int `json:"dropped,omitempty"`
}

// The bounds of a trace.
const (
	mostSteps = 200
	mostFact  = 2000
	mostBody  = 8 << 10
)

// recorder keeps the steps. It may be read while a login runs.
type recorder struct {
	hide *hider
	now  func() time.Time

	mu      sync.Mutex
	steps   []Step
	dropped int
}

// add keeps a step, without secrets.
func (r *recorder) add(s Step) {
	if s.At.IsZero() {
		s.At = r.now()
	}
	s.Detail, s.URL = r.hide.text(s.Detail), r.hide.text(s.URL)
	s.Body = cut(r.hide.text(s.Body), mostBody)
	facts := make([]Fact, 0, len(s.Facts))
	for _, f := range s.Facts {
		if f.Value != "" {
			facts = append(facts, Fact{f.Name, cut(r.hide.text(f.Value), mostFact)})
		}
	}
	s.Facts = facts
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.steps) >= mostSteps {
		r.dropped++
		return
	}
	r.steps = append(r.steps, s)
}

// soften makes a warning of the last step, which failed and is not the end.
func (r *recorder) soften(why string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if n := len(r.steps); n > 0 && r.steps[n-1].Outcome == Failed {
		r.steps[n-1].Outcome = Warning
		r.steps[n-1].Detail += " " + why
	}
}

// Trace gives the steps so far.
func (l *Login) Trace() Trace {
	l.rec.mu.Lock()
	defer l.rec.mu.Unlock()
	return Trace{slices.Clone(l.rec.steps), l.rec.dropped}
}

func cut(s string, most int) string {
	if len(s) <= most {
		return s
	}
	return s[:most] + "…"
}
