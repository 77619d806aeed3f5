package data_test

import (
	"context"
	"testing"
	"time"

	"github.com/legwork-mcp/legwork/internal/board/data"
	"github.com/legwork-mcp/legwork/internal/board/money"
	"github.com/legwork-mcp/legwork/internal/board/task"
)

// TestADeclinedPriceLeavesTheOtherAlone: a funding at one price that was declined does
// not stand for one at another price, which would go back at the wrong amount: not at all.
func TestADeclinedPriceLeavesTheOtherAlone(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		ann, posted, twice := w.worker("ann", nil), w.post(nil), int64(2000)
		a := try(w.Apply(t.Context(), ann, data.NewApplication{TaskID: posted.ID, CoverLetter: "me", Availability: "now", Counter: &twice}))(t)
		w.provider.FailWith(func(money.Transfer) error { return money.ErrDeclined })
		_, err := w.AcceptApplication(t.Context(), w.agent, data.Acceptance{TaskID: posted.ID, ApplicationID: a.ID, AtCounter: true})
		w.refused(err, task.PaymentFailed)
		w.provider.FailWith(nil)
		if err := w.stopAfterFunding(posted.ID, a.ID); err == nil {
			t.Fatal("the process did not die")
		}
		w.clock.forward(time.Hour)
		try(w.VoidStale(t.Context(), w.clock.now()))(t)
		w.settle()
		if n := w.held(); n != 0 {
			t.Errorf("the provider still holds %d of the requester's money", n)
		}
		w.sound()
	})
}

// meanwhile is a provider while which takes the money something else happens, once.
type meanwhile struct {
	*money.Fake
	then *func()
}

// Fund takes the money.
func (m meanwhile) Fund(ctx context.Context, t money.Transfer) (money.Receipt, error) {
	r, err := m.Fake.Fund(ctx, t)
	if then := *m.then; then != nil {
		*m.then = nil
		then()
	}
	return r, err
}

// TestALateAcceptanceReturnsNothingTwice: the same acceptance is called twice; between
// the two the person was accepted and gave the task back.
func TestALateAcceptanceReturnsNothingTwice(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		ann, posted := w.worker("ann", nil), w.post(nil)
		choice := data.Acceptance{TaskID: posted.ID, ApplicationID: w.apply(ann, posted.ID).ID}
		then := func() {
			try(w.AcceptApplication(t.Context(), w.agent, choice))(t)
			try(w.Decline(t.Context(), ann, posted.ID, "ill"))(t)
		}
		late := try(data.Open(w.db, data.Options{Pepper: pepper, Provider: meanwhile{w.provider, &then}, Outbox: w.outbox}))(t)
		_, err := late.AcceptApplication(t.Context(), w.agent, choice)
		w.refused(err, task.ApplicationNotPending)
		w.settle()
		if n := w.held(); n != 0 {
			t.Errorf("the provider holds %d of the requester's money", n)
		}
		if n := w.count("SELECT COUNT(*) FROM transfers WHERE status = 'started'"); n != 0 {
			t.Errorf("%d transfers hang", n)
		}
		w.sound()
	})
}

// TestATakenDownTaskIsNotInDispute: nobody can resolve a dispute about it any more.
func TestATakenDownTaskIsNotInDispute(t *testing.T) {
	w := newWorld(t, databases.SQLite(t))
	at := w.delivered(w.worker("ann", nil))
	try(w.OpenDispute(t.Context(), w.agent, data.NewDispute{TaskID: at.ID, Text: because}))(t)
	try(w.TakeDown(t.Context(), operator, data.TakenDown{TaskID: at.ID, Note: "It asks for a code."}))(t)
	d := try(w.Disputes(t.Context(), at.ID))(t)[0]
	if d.Open || d.ResolvedAt.IsZero() || d.ResolvedBy != operator.ID || d.Note == "" {
		t.Errorf("the dispute of a task that was taken down: %+v", d)
	}
	if all, _, err := w.OpenDisputes(t.Context(), data.Page{}); err != nil || len(all) != 0 {
		t.Errorf("disputes wait: %v %v", all, err)
	}
	w.settle()
	w.sound()
}

// TestTheThreadOfATaskIsThatOfItsPerson: whoever had the task before cannot put their
// own thread in its place.
func TestTheThreadOfATaskIsThatOfItsPerson(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		ann, bob := w.worker("ann", nil), w.worker("bob", nil)
		at := w.accepted(ann)
		before := try(w.ConversationOf(t.Context(), at.ID))(t)
		try(w.Decline(t.Context(), ann, at.ID, "ill"))(t)
		a := w.apply(bob, at.ID)
		try(w.AcceptApplication(t.Context(), w.agent, data.Acceptance{TaskID: at.ID, ApplicationID: a.ID}))(t)
		try(w.Cancel(t.Context(), w.agent, data.Cancellation{TaskID: at.ID}))(t)
		now := try(w.ConversationOf(t.Context(), at.ID))(t)
		for _, c := range []struct {
			by task.Actor
			id string
		}{{bob, now.ID}, {ann, before.ID}} {
			w.clock.forward(time.Minute)
			if err := w.CloseConversation(t.Context(), c.by, c.id, false); err != nil {
				t.Fatal(err)
			}
		}
		if got := try(w.ConversationOf(t.Context(), at.ID))(t); got.HumanID != bob.ID {
			t.Errorf("the thread of the task is that of %s, who gave it back", got.HumanID)
		}
	})
}

// TestOneReporterDoesNotFillTheQueue: the reports of others are still read.
func TestOneReporterDoesNotFillTheQueue(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		ann, bob, at := w.person("ann"), w.person("bob"), w.post(nil)
		file := func(by task.Actor) (data.Report, error) {
			return w.FileReport(t.Context(), data.Report{By: by, TaskID: at.ID, Class: "other", Text: "It asks for a code."})
		}
		first := try(file(ann))(t)
		for range 19 {
			try(file(ann))(t)
		}
		_, err := file(ann)
		w.refused(err, task.RateLimited)
		try(file(bob))(t)
		if err := w.CloseReport(t.Context(), operator, first.ID, "seen"); err != nil {
			t.Fatal(err)
		}
		try(file(ann))(t)
	})
}

// TestAFundingIsGivenBackWhateverItsJobDid: the job that should have done it is lost.
func TestAFundingIsGivenBackWhateverItsJobDid(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		posted := w.post(nil)
		if err := w.stopAfterFunding(posted.ID, w.apply(w.worker("ann", nil), posted.ID).ID); err == nil {
			t.Fatal("the process did not die")
		}
		w.clock.forward(time.Hour)
		try(w.VoidStale(t.Context(), w.clock.now()))(t)
		due := func() (all []data.Job) {
			for _, j := range try(w.Due(t.Context()))(t) {
				if j.Kind == task.JobRefund {
					all = append(all, j)
				}
			}
			return all
		}
		if n := len(due()); n != 0 {
			t.Errorf("%d returns are asked for again at once", n)
		}
		w.clock.forward(time.Hour)
		again := due()
		if len(again) != 1 {
			t.Fatalf("the return is asked for again as %v", again)
		}
		if err := w.Settle(t.Context(), again[0].ID); err != nil {
			t.Fatal(err)
		}
		if n := w.held(); n != 0 || len(due()) != 0 {
			t.Errorf("the provider holds %d, and %v is still due", n, due())
		}
		w.sound()
	})
}
