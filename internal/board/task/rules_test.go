package task_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/legwork-mcp/legwork/internal/board/task"
)

// The table walked in every direction: what has no rule is refused with a reason,
// and what has one leads to a state that is there.
func TestEveryStateCommandAndActor(t *testing.T) {
	commands := map[task.Command]bool{}
	for _, r := range task.Rules {
		commands[r.Command] = true
	}
	used := map[string]bool{}
	for _, from := range append(task.States(), task.State{}) {
		for c := range commands {
			for _, by := range task.ActorKinds() {
				r, err := task.Find(from, c, by)
				at := fmt.Sprintf("%v %s by %s", from, c, by)
				if err != nil {
					if reason := task.ReasonOf(err); reason == "" || reason == task.Unknown {
						t.Errorf("%s is refused without a reason: %v", at, err)
					}
					continue
				}
				used[fmt.Sprint(r.From, r.Command, r.Actor, r.Subs)] = true
				after := r.After(from)
				if from.Status.Terminal() && after != from {
					t.Errorf("%s leaves a terminal state for %v", at, after)
				}
				if !slices.Contains(task.States(), after) {
					t.Errorf("%s leads to %v, which is no state", at, after)
				}
				if (after.Status == task.Failed && from.Status != task.Failed) != (r.Failure != task.NoFailure) {
					t.Errorf("%s fails for %q", at, r.Failure)
				}
				if r.Event == "" {
					t.Errorf("%s has no event", at)
				}
			}
		}
	}
	for _, r := range task.Rules {
		if !used[fmt.Sprint(r.From, r.Command, r.Actor, r.Subs)] {
			t.Errorf("the rule %+v is never used", r)
		}
	}
}

func TestAStateAndACommandHaveOneRulePerActor(t *testing.T) {
	for _, from := range task.States() {
		seen := map[string]int{}
		for _, r := range task.Rules {
			if r.From == from.Status && slices.Contains(r.Subs, from.Sub) {
				seen[fmt.Sprint(r.Command, " by ", r.Actor)]++
			}
		}
		for what, n := range seen {
			if n != 1 {
				t.Errorf("%v: %s has %d rules", from, what, n)
			}
		}
	}
}

// Every state that is not terminal can end, and without anybody's help.
func TestEveryStateReachesAnEndByItself(t *testing.T) {
	waitsForOperator := []task.SubState{task.Disputed}
	for _, from := range task.States() {
		if from.Status.Terminal() || slices.Contains(waitsForOperator, from.Sub) {
			continue
		}
		at := from
		for range 10 {
			for _, r := range task.Rules {
				if r.Actor == task.System && r.Command != task.MakeOffer && r.From == at.Status && slices.Contains(r.Subs, at.Sub) {
					at = r.After(at)
					break
				}
			}
		}
		if !at.Status.Terminal() {
			t.Errorf("left alone, a task in %v stays in %v", from, at)
		}
	}
}

func TestReasonsOfRefusals(t *testing.T) {
	tests := []struct {
		task task.Task
		c    task.Command
		by   task.ActorKind
		want task.Reason
	}{
		{task.Task{Status: task.Open}, task.Approve, task.Agent, task.NotReviewPending},
		{task.Task{Status: task.Accepted}, task.Apply, task.Human, task.AlreadyAssigned},
		{task.Task{Status: task.Completed}, task.Apply, task.Human, task.NotOpen},
		{task.Task{Status: task.Open, SubState: task.Held}, task.Apply, task.Human, task.NotOpen},
		{task.Task{Status: task.ReviewPending}, task.AcceptApplication, task.Agent, task.AlreadyAssigned},
		{task.Task{Status: task.Open}, task.Submit, task.Human, task.NotAssigned},
		{task.Task{Status: task.Failed, FailureReason: task.TimedOut}, task.Submit, task.Human, task.Timeout},
		{task.Task{Status: task.Failed, FailureReason: task.TimedOut}, task.Approve, task.Agent, task.Timeout},
		{task.Task{Status: task.Failed, FailureReason: task.TimedOut}, task.Approve, task.Human, task.Forbidden},
		{task.Task{Status: task.Failed, FailureReason: task.CancelledByRequester}, task.Submit, task.Human, task.NotAssigned},
		{task.Task{Status: task.Accepted}, task.Submit, task.Agent, task.Forbidden},
		{task.Task{Status: task.ReviewPending}, task.Cancel, task.Agent, task.InvalidTaskStatus},
		{task.Task{Status: task.Completed}, task.Cancel, task.Agent, task.AlreadyEnded},
		{task.Task{Status: task.Open}, task.Rate, task.Human, task.NotReviewable},
		{task.Task{Status: task.ReviewPending, SubState: task.Rejected}, task.Approve, task.System, task.NotReviewPending},
		{task.Task{Status: task.Open}, task.AcceptOffer, task.Human, task.OfferNotPending},
	}
	for _, tt := range tests {
		if _, err := tt.task.Rule(tt.c, tt.by); task.ReasonOf(err) != tt.want {
			t.Errorf("%v %s by %s: %v, want %s", tt.task.State(), tt.c, tt.by, task.ReasonOf(err), tt.want)
		}
	}
}

func TestEveryReasonHasWordsAndAStatus(t *testing.T) {
	for _, r := range task.Reasons() {
		f := task.Refuse(r)
		if f.Type != string(r) || f.Message == "" || f.Action == "" || r.Status() < 400 || r.Status() > 599 {
			t.Errorf("%s: %+v, %d", r, f, r.Status())
		}
		if task.ReasonOf(f) != r {
			t.Errorf("the reason of %s is %s", r, task.ReasonOf(f))
		}
	}
	if task.ReasonOf(nil) != "" || task.ReasonOf(fmt.Errorf("odd")) != task.Unknown || task.Reason("odd").Status() != 500 {
		t.Error("what is not known has the wrong reason")
	}
	// the strings of the published contract, section 5
	for _, r := range []task.Reason{
		"invalid_request", "below_min_budget", "missing_origin_country", "no_human_available", "timeout", "not_found", "already_assigned", "not_assigned", "unknown",
	} {
		if !slices.Contains(task.Reasons(), r) {
			t.Errorf("the reason %s is not there", r)
		}
	}
}
