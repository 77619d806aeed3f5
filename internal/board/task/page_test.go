package task_test

import (
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/legwork-mcp/legwork/internal/board/task"
)

var update = flag.Bool("update", false, "write docs/board/rules.md")

const page = "../../../docs/board/rules.md"

// The page shows the table that the board acts by, not a copy that somebody keeps.
func TestThePageOfTheRules(t *testing.T) {
	want := rulesPage()
	if *update {
		if err := os.WriteFile(page, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, string(got)); diff != "" {
		t.Errorf("docs/board/rules.md is not what the table says (run the tests of this package with -update):\n%s", diff)
	}
}

const head = `# The rules of a task

Every command locks the task, looks its rule up in this table, checks the condition, and writes the task, the event, the postings of the
money, the jobs that follow and the answer for a retry in one transaction. What is not in the table is refused with a reason.
Nothing leaves ` + "`completed` and `failed`" + `.

The states are the five of the public contract; the sub state says more. A task is

- ` + "`open`" + `: it looks for a person; ` + "`held`" + ` while an operator checks its text, ` + "`awaiting_consent`" + ` while one person is asked,
- ` + "`accepted`" + `: a person works on it; ` + "`revision_requested`" + ` after the delivery came back, ` + "`disputed`" + ` while an operator decides,
- ` + "`review_pending`" + `: delivered; ` + "`appeal`" + ` after a rejection while the worker can object, ` + "`disputed`" + ` while an operator decides,
- ` + "`completed`" + ` or ` + "`failed`" + `.

## Money

All amounts are whole minor units (cents, yen) of one currency, fixed when the task is posted. The fee is
floor(budget x basis points / 10,000); the worker's take-home is the rest, and both are known before anybody posts or applies.
The budget is funded when a person is accepted and lies in escrow until the task ends: an approval pays the worker, a failure gives it back, a
dispute divides it. A task that an operator takes down pays who delivered the whole budget, and who did not what a late cancellation of the requester
pays: the person did what was published. An operator can decide otherwise for one task, such as when the person knew better. Every posting has an equal one on the other side, and no transaction can be posted twice.

## Leaving the board

A person can leave (` + "`DELETE /api/me`" + `, or the settings page), unless they work on a task, wait for a decision on one, or are still to be paid. At once go:
the address, the profile, the ways to sign in, sessions and keys, codes and from where they were entered, the texts of applications that
came to nothing; applications that wait are withdrawn, conversations end. What stays is what the other side of a contract and the books need, under an
id that leads to nobody: tasks with their deliveries, messages and terms, postings, ratings and reports. An agent account of the same address stays and
loses its owner. Mails that were sent are forgotten within 30 days, and backups have what they had. Who comes back with the same address is a new
person without ratings; somebody who is suspended cannot leave to come back.

## The table

| from | command | who | condition | to | event |
|---|---|---|---|---|---|
`

func rulesPage() string {
	var b strings.Builder
	b.WriteString(head)
	for _, r := range task.Rules {
		to := "stays"
		if !r.Stay {
			to = state(task.State{Status: r.To, Sub: r.ToSub})
		}
		if r.Failure != "" {
			to += ": `" + string(r.Failure) + "`"
		}
		fmt.Fprintf(&b, "| %s | `%s` | %s | %s | %s | `%s` |\n", from(r), r.Command, r.Actor, r.Guard, to, r.Event)
	}
	b.WriteString("\n## Reasons of refusals\n\n| reason | HTTP | what it means |\n|---|---|---|\n")
	for _, r := range task.Reasons() {
		fmt.Fprintf(&b, "| `%s` | %d | %s |\n", r, r.Status(), r.Message())
	}
	return b.String()
}

func from(r task.Rule) string {
	if r.From == "" {
		return "nothing"
	}
	var all []string
	for _, sub := range r.Subs {
		all = append(all, state(task.State{Status: r.From, Sub: sub}))
	}
	return strings.Join(all, ", ")
}

func state(s task.State) string {
	if s.Sub == task.Plain {
		return "`" + string(s.Status) + "`"
	}
	return "`" + string(s.Status) + "/" + string(s.Sub) + "`"
}
