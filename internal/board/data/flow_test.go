package data_test

import (
	"testing"
	"time"

	"github.com/legwork-mcp/legwork/internal/board/data"
	"github.com/legwork-mcp/legwork/internal/board/money"
	"github.com/legwork-mcp/legwork/internal/board/task"
)

func TestATaskFromPostToPayout(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		ann := w.worker("ann", nil)
		posted := w.post(nil)
		if posted.Status != task.Open || posted.Version != 1 || posted.Quote().Takehome != 800 {
			t.Errorf("posted: %+v", posted)
		}
		a := w.apply(ann, posted.ID)
		got := try(w.AcceptApplication(t.Context(), w.agent, data.Acceptance{TaskID: posted.ID, ApplicationID: a.ID}))(t)
		if got.Task.Status != task.Accepted || got.Task.HumanID != ann.ID || got.Application.Status != data.ApplicationAccepted {
			t.Errorf("accepted: %+v", got)
		}
		if n := w.balance(money.Escrow(posted.ID)); n != 1000 {
			t.Errorf("the escrow holds %d", n)
		}
		s := try(w.Submit(t.Context(), ann, data.Delivery{TaskID: posted.ID, Type: task.Text, Text: "Open until 21:00"}))(t)
		if s.Round != 1 || s.Late {
			t.Errorf("submitted: %+v", s)
		}
		done := try(w.Approve(t.Context(), w.agent, data.Approval{TaskID: posted.ID, Checks: map[string]bool{"acceptance": true}}))(t)
		if done.Status != task.Completed || done.EndedAt.IsZero() || !done.RateUntil.Equal(done.EndedAt.Add(7*24*time.Hour)) {
			t.Errorf("completed: %+v", done)
		}
		again := try(w.Approve(t.Context(), w.agent, data.Approval{TaskID: posted.ID}))(t)
		if again.Version != done.Version {
			t.Errorf("the second approval changes the task to version %d", again.Version)
		}
		if n := w.balance(money.Worker(ann.ID)); n != 800 {
			t.Errorf("the worker is owed %d", n)
		}
		w.settle()
		w.settle()
		if owed, fees, out := w.balance(money.Worker(ann.ID)), w.balance(money.Fees), w.balance(money.External); owed != 0 || fees != 200 || out != -200 {
			t.Errorf("after the payout: owed %d, fees %d, outside %d", owed, fees, out)
		}
		w.sound()
		var types []task.Event
		for _, e := range try(w.History(t.Context(), posted.ID))(t) {
			types = append(types, e.Type)
		}
		want := []task.Event{task.TaskCreated, task.ApplicationReceived, task.TaskAccepted, task.SubmissionReceived, task.TaskCompleted, task.PayoutSettled}
		if len(types) != len(want) {
			t.Fatalf("the events are %v", types)
		}
		for i := range want {
			if types[i] != want[i] {
				t.Errorf("the events are %v", types)
			}
		}
	})
}
