package tool

import (
	"fmt"
	"strings"
	"time"

	"github.com/legwork-mcp/legwork/internal/fault"
)

// Effect says what a call may change. Hints and scopes follow from it.
type Effect int

// The three effects.
const (
	Read    Effect = iota + 1 // changes nothing
	Write                     // adds or updates
	Destroy                   // deletes, submits or pays: not to be taken back
)

// String names the effect.
func (e Effect) String() string {
	switch e {
	case Read:
		return "read"
	case Write:
		return "write"
	case Destroy:
		return "destroy"
	}
	return "unknown"
}

// DefaultBudget is the most bytes of a whole result when a spec names no other.
const DefaultBudget = 700 << 10

// DefaultTimeout ends a call of a tool whose spec names no other time.
const DefaultTimeout = 2 * time.Minute

// minBudget leaves room for the words that say what was cut.
const minBudget = 4 << 10

// Example is one call that documentation shows. Its arguments must pass the
// tool's own check.
type Example struct {
	Name string
	Args any
}

// Spec is everything about a tool that is not code.
type Spec struct {
	// Name is what clients call: [a-z0-9_], at most 40 characters.
	Name string
	// Title is for people, Description for the model.
	Title, Description string
	// Effect, Idempotent and OpenWorld become the four hints, all explicit.
	Effect     Effect
	Idempotent bool
	OpenWorld  bool
	// Scope is what a caller needs.
	Scope string
	// Rate is how often one caller may call over the network; the zero value is no
	// limit of its own.
	Rate Rate
	// Cost is what a call takes from the allowance that a caller has for all tools
	// together; zero means 1.
	Cost int
	// Timeout ends a call; zero means DefaultTimeout.
	Timeout time.Duration
	// Budget is the most bytes of the whole result as it goes over the wire,
	// images included; zero means DefaultBudget.
	Budget int
	// Outline names the members of the output that tools/list shows, by name
	// and type alone: every client loads the list before its first call. The
	// schema stays open, so that answers with more members fit it, and the
	// reference keeps all. Without an outline the whole schema is published.
	Outline []string
	// Reword gives a failure the form that a specification has for it; nil leaves all
	// as they are. It must not lose the type, the message or the action.
	Reword func(*fault.Error) *fault.Error
	// Examples are calls for the reference.
	Examples []Example
}

// Rate is a number of calls in a time, of which Burst may come at once; a Burst of
// zero means all.
type Rate struct {
	Calls int
	Per   time.Duration
	Burst int
}

// isName tells whether a name is one that every client takes.
func isName(name string) bool {
	const first, all = "abcdefghijklmnopqrstuvwxyz", "abcdefghijklmnopqrstuvwxyz0123456789_"
	return name != "" && len(name) <= 40 && strings.Contains(first, name[:1]) && strings.Trim(name, all) == ""
}

// check completes the spec and reports what is wrong with it.
func (s *Spec) check() error {
	if !isName(s.Name) {
		return fmt.Errorf("the name must be 1 to 40 of a-z, 0-9 and _")
	}
	if s.Title == "" || s.Description == "" || s.Scope == "" {
		return fmt.Errorf("title, description and scope are required")
	}
	if s.Effect < Read || s.Effect > Destroy {
		return fmt.Errorf("the effect must be Read, Write or Destroy")
	}
	if s.Timeout == 0 {
		s.Timeout = DefaultTimeout
	}
	if s.Budget == 0 {
		s.Budget = DefaultBudget
	}
	if s.Cost == 0 {
		s.Cost = 1
	}
	if s.Cost < 0 || s.Rate.Calls < 0 || s.Rate.Burst < 0 || (s.Rate.Calls > 0) != (s.Rate.Per > 0) {
		return fmt.Errorf("the rate needs a number of calls and a time, and the cost must be positive")
	}
	if s.Budget < minBudget || s.Timeout < 0 {
		return fmt.Errorf("the budget must be at least %d bytes and the timeout positive", minBudget)
	}
	return nil
}
