package cli

import (
	"strings"
	"testing"

	"github.com/legwork-mcp/legwork/internal/board/api"
	"github.com/legwork-mcp/legwork/internal/board/policy"
	"github.com/legwork-mcp/legwork/internal/board/task"
	"github.com/legwork-mcp/legwork/internal/bounty"
	"github.com/legwork-mcp/legwork/internal/runner"
)

// The task for a step that only a person may do asks for nothing that a board would
// refuse, names the facts, and always has the same key for one run.
func TestTasksOfStepsForPeople(t *testing.T) {
	t.Parallel()
	for _, needs := range []string{"captcha", "login", "otp", "something new"} {
		for _, page := range []int{0, 2} {
			s := runner.Step{RunID: "run_1", Form: "Benefit Calculator", URL: "https://forms.example.gov/start", Page: page, PageTitle: "Your earnings", Needs: needs}
			in := escalationTask(s)
			v := policy.Screen(policy.Text{Label: in.TaskLabel, Task: in.Task, AcceptanceCriteria: in.AcceptanceCriteria, NotAllowed: in.NotAllowed})
			if v.Action != policy.Allow {
				t.Errorf("%s: the content policy says %+v", needs, v)
			}
			for _, fact := range []string{s.Form, s.URL} {
				if strings.Count(in.Task, fact) != 2 {
					t.Errorf("%s: the task lacks %s in one of its languages:\n%s", needs, fact, in.Task)
				}
			}
			if strings.Contains(in.Task, s.PageTitle) != (page > 0) {
				t.Errorf("%s, page %d:\n%s", needs, page, in.Task)
			}
			if in.TaskLabel != "bot_blocker_ops" || in.Key != "legwork-run_1" || in.ClientRef != "run_1" {
				t.Errorf("%s: %+v", needs, in)
			}
		}
	}
}

// Every reason that the board of this program answers with has a code of its own.
func TestEveryReasonOfTheBoardHasACode(t *testing.T) {
	t.Parallel()
	seen := 0
	for _, r := range boardReasons() {
		seen++
		if !bounty.Known(r) {
			t.Errorf("%s has no code", r)
		}
	}
	if seen < 40 {
		t.Errorf("only %d reasons were looked at", seen)
	}
}

// boardReasons are the reasons of the API and of the domain behind it.
func boardReasons() []string {
	var out []string
	for _, r := range api.Reasons() {
		out = append(out, r.Name)
	}
	for _, r := range task.Reasons() {
		out = append(out, string(r))
	}
	return out
}

// A task that nobody can apply for yet says so.
func TestHeldTasks(t *testing.T) {
	t.Parallel()
	for _, tt := range [][3]string{{"open", "held", "held"}, {"open", "", "open"}, {"accepted", "held", "accepted"}} {
		if got := held(tt[0], tt[1]); got != tt[2] {
			t.Errorf("%s, %s: %s", tt[0], tt[1], got)
		}
	}
}
