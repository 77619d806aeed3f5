package scout

import (
	"context"
	"fmt"
	"time"
)

// budget is what one exploration may still cost. It is counted in what the
// exploration does, so that a form cannot raise it: one that shows another step
// for ever, or asks more the more is answered, ends it.
type budget struct {
	loads   int // documents and steps that are loaded
	steps   int // different ones
	answers int // fields that are set
	opened  int // choices that are opened to read what they offer
}

// wholeBudget is the budget of a form. The largest forms that are known need
// about a third of it.
var wholeBudget = budget{loads: 3000, steps: 120, answers: 40_000, opened: 300}

// allow gives the exploration a budget.
func (x *Explorer) allow(b budget) *Explorer {
	x.whole, x.left = b, b
	return x
}

// lastMoments is the time that is kept to write down what was seen.
const lastMoments = 5 * time.Second

// spent reports whether the exploration is over because it has used up its budget
// or its time, or because the form sends itself. What was not tried by then is not known, and is said once.
func (x *Explorer) spent(ctx context.Context) bool {
	if x.sentItself {
		return true // it was said
	}
	why := ""
	deadline, timed := ctx.Deadline()
	switch {
	case x.left.loads <= 0:
		why = fmt.Sprintf("it has loaded %d pages and steps", x.whole.loads)
	case x.left.steps <= 0:
		why = fmt.Sprintf("the form has more than %d different steps", x.whole.steps)
	case x.left.answers <= 0:
		why = fmt.Sprintf("it has given %d answers", x.whole.answers)
	case timed && deadline.Sub(x.now()) < lastMoments:
		why = "its time is over"
	default:
		return false
	}
	x.remark("the exploration was cut short: %s; not every answer was tried", why)
	return true
}

// exploring is the time that may be used to explore, out of the time for all of
// it: the rest is for the replays.
func exploring(ctx context.Context, now time.Time) (context.Context, context.CancelFunc) {
	deadline, timed := ctx.Deadline()
	if !timed {
		return context.WithCancel(ctx)
	}
	return context.WithDeadline(ctx, now.Add(deadline.Sub(now)*3/4))
}
