package data_test

import (
	"testing"
	"time"

	"github.com/legwork-mcp/legwork/internal/board/data"
	"github.com/legwork-mcp/legwork/internal/board/money"
	"github.com/legwork-mcp/legwork/internal/board/task"
)

func TestOneRoundOfRevision(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		ann := w.worker("ann", nil)
		id := w.delivered(ann).ID
		w.clock.forward(7*24*time.Hour - time.Hour) // the deadline is near
		_, err := w.RequestRevision(t.Context(), w.agent, data.Revision{TaskID: id, Text: "too dark"})
		w.refused(err, task.InvalidRequest)
		back := try(w.RequestRevision(t.Context(), w.agent, data.Revision{TaskID: id, Text: because}))(t)
		if back.State() != (task.State{Status: task.Accepted, Sub: task.RevisionRequested}) || back.ReviewText != because || back.DeadlineAt.Sub(w.clock.now()) != 24*time.Hour {
			t.Errorf("sent back: %+v", back)
		}
		_, err = w.Approve(t.Context(), w.agent, data.Approval{TaskID: id})
		w.refused(err, task.NotReviewPending)
		_, err = w.Cancel(t.Context(), w.agent, data.Cancellation{TaskID: id}) // with the first delivery in hand
		w.refused(err, task.InvalidTaskStatus)
		_, err = w.AutoApprove(t.Context(), id) // the first timer comes
		w.refused(err, task.NotReviewPending)
		if s := try(w.Submit(t.Context(), ann, data.Delivery{TaskID: id, Type: task.Text, Text: "better"}))(t); s.Round != 2 {
			t.Errorf("round %d", s.Round)
		}
		_, err = w.RequestRevision(t.Context(), w.agent, data.Revision{TaskID: id, Text: because})
		w.refused(err, task.RevisionLimit)
		try(w.Approve(t.Context(), w.agent, data.Approval{TaskID: id}))(t)
		all := try(w.Submissions(t.Context(), id))(t)
		if len(all) != 2 || all[0].Text != "better" {
			t.Errorf("submissions: %+v", all)
		}
		w.settle()
		w.sound()
	})
}

func TestSilenceIsApproval(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		ann := w.worker("ann", nil)
		id := w.delivered(ann).ID
		w.clock.forward(72*time.Hour - time.Millisecond)
		_, err := w.AutoApprove(t.Context(), id)
		w.refused(err, task.NotReviewPending)
		w.clock.forward(time.Millisecond)
		if got := try(w.AutoApprove(t.Context(), id))(t); got.Status != task.Completed {
			t.Errorf("after the window: %v", got.State())
		}
		w.settle()
		if w.held() != 200 {
			t.Errorf("%d left, want the fee", w.held())
		}
		w.sound()
	})
}

func (w *world) rejected(by task.Actor) task.Task {
	w.t.Helper()
	id := w.delivered(by).ID
	return try(w.Reject(w.t.Context(), w.agent, data.Rejection{TaskID: id, Code: task.CriteriaNotMet, Text: because}))(w.t)
}

func TestARejectionIsFinalAfterItsWindow(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		ann := w.worker("ann", nil)
		got := w.rejected(ann)
		if got.State() != (task.State{Status: task.ReviewPending, Sub: task.Rejected}) || got.ReviewCode != task.CriteriaNotMet || got.FailureReason != task.NoFailure {
			t.Errorf("rejected: %+v", got)
		}
		w.clock.forward(72*time.Hour - time.Millisecond)
		_, err := w.EndAppeal(t.Context(), got.ID)
		w.refused(err, task.InvalidTaskStatus)
		_, err = w.AutoApprove(t.Context(), got.ID)
		w.refused(err, task.NotReviewPending)
		w.clock.forward(time.Millisecond)
		_, err = w.OpenDispute(t.Context(), ann, data.NewDispute{TaskID: got.ID, Text: because})
		w.refused(err, task.AppealClosed)
		if ended := try(w.EndAppeal(t.Context(), got.ID))(t); ended.FailureReason != task.RequesterRejected {
			t.Errorf("ended: %+v", ended)
		}
		w.settle()
		if w.held() != 0 {
			t.Errorf("%d left", w.held())
		}
		if s := try(w.AgentStats(t.Context(), w.agent.ID))(t); s.Rejected != 1 || s.Posted != 1 {
			t.Errorf("stats: %+v", s)
		}
		w.sound()
	})
}

func TestAnAgentMayThinkAgain(t *testing.T) {
	w := newWorld(t, databases.SQLite(t))
	got := w.rejected(w.worker("ann", nil))
	if done := try(w.Approve(t.Context(), w.agent, data.Approval{TaskID: got.ID}))(t); done.Status != task.Completed {
		t.Errorf("approved: %+v", done)
	}
	w.clock.forward(100 * time.Hour)
	_, err := w.EndAppeal(t.Context(), got.ID)
	w.refused(err, task.NotReviewPending)
	w.settle()
	w.sound()
}

func TestDisputesAreDecidedInParts(t *testing.T) {
	tests := map[string]struct {
		completed    bool
		worker       int64
		paid, refund int64
		status       task.Status
	}{
		"for the worker":    {true, 1000, 800, 0, task.Completed},
		"in part":           {true, 333, 267, 667, task.Completed},
		"for the requester": {false, 0, 0, 1000, task.Failed},
		"failed, part paid": {false, 5, 4, 995, task.Failed},
	}
	each(t, func(t *testing.T, w *world) {
		ann := w.worker("ann", nil)
		w.Board, _ = w.another(data.Terms{RejectFree: 10})
		for name, tt := range tests {
			id := w.rejected(ann).ID
			d := try(w.OpenDispute(t.Context(), ann, data.NewDispute{TaskID: id, Text: because}))(t)
			w.clock.forward(100 * time.Hour)
			_, err := w.EndAppeal(t.Context(), id)
			w.refused(err, task.NotReviewPending)
			_, err = w.OpenDispute(t.Context(), ann, data.NewDispute{TaskID: id, Text: because})
			w.refused(err, task.NotDisputable)
			for _, share := range []int64{-1, 1001} {
				_, err := w.Resolve(t.Context(), operator, data.Resolution{TaskID: id, Completed: true, Worker: share, Note: because})
				w.refused(err, task.InvalidRequest)
			}
			got := try(w.Resolve(t.Context(), operator, data.Resolution{TaskID: id, Completed: tt.completed, Worker: tt.worker, Note: because}))(t)
			if got.Status != tt.status {
				t.Errorf("%s: %v", name, got.State())
			}
			before := w.held()
			w.settle()
			if moved := before - w.held(); moved != tt.paid+tt.refund {
				t.Errorf("%s: %d moved, want %d and %d", name, moved, tt.paid, tt.refund)
			}
			if all := try(w.Disputes(t.Context(), id))(t); len(all) != 1 || all[0].ID != d.ID || all[0].Open || all[0].WorkerMinor != tt.worker {
				t.Errorf("%s: disputes %+v", name, all)
			}
			if w.balance(money.Worker(ann.ID)) != 0 {
				t.Errorf("%s: the worker is still owed %d", name, w.balance(money.Worker(ann.ID)))
			}
		}
		w.sound()
	})
}

// A requester with many workers cannot reject everything that comes in.
func TestTheRejectQuota(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		ann := w.worker("ann", nil)
		var ids []string
		for range 8 {
			ids = append(ids, w.delivered(ann).ID)
		}
		reject := func(n int) error {
			_, err := w.Reject(t.Context(), w.agent, data.Rejection{TaskID: ids[n], Code: task.OtherRejection, Text: because})
			return err
		}
		all := w.race(func(b *data.Board, n int) error {
			_, err := b.Reject(t.Context(), w.agent, data.Rejection{TaskID: ids[n%len(ids)], Code: task.OtherRejection, Text: because})
			return err
		})
		w.winners(all, 3, task.RejectQuota, task.NotReviewPending)
		for _, r := range []data.Rejection{{Text: because}, {Code: "mood", Text: because}, {Code: task.OtherRejection, Text: "no"}} {
			r.TaskID = ids[0]
			_, err := w.Reject(t.Context(), w.agent, r)
			w.refused(err, task.InvalidRequest)
		}
		w.clock.forward(24 * time.Hour)
		for n := range ids {
			if err := reject(n); err != nil && task.ReasonOf(err) != task.RejectQuota && task.ReasonOf(err) != task.NotReviewPending {
				t.Errorf("rejecting %d: %v", n, err)
			}
		}
		if n := w.count("SELECT COUNT(*) FROM events WHERE type = 'task.rejected'"); n != 3 {
			t.Errorf("%d rejections of 8 deliveries", n)
		}
	})
}

func TestRatingsAreDoubleBlind(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		ann := w.worker("ann", nil)
		done := func() string {
			id := w.delivered(ann).ID
			try(w.Approve(t.Context(), w.agent, data.Approval{TaskID: id}))(t)
			return id
		}
		both, alone := done(), done()
		rate := func(by task.Actor, id string, stars int) error {
			_, err := w.Rate(t.Context(), by, data.Rating{TaskID: id, Stars: stars, Comment: "ok"})
			return err
		}
		for _, stars := range []int{0, 6, -1} {
			w.refused(rate(ann, both, stars), task.InvalidRequest)
		}
		for _, stars := range []int{1, 4} { // may be changed
			if err := rate(ann, both, stars); err != nil {
				t.Error(err)
			}
		}
		if all := try(w.Reviews(t.Context(), both))(t); len(all) != 1 || all[0].Published || all[0].Stars != 4 {
			t.Errorf("one side: %+v", all)
		}
		if s := try(w.AgentStats(t.Context(), w.agent.ID))(t); s.Ratings != 0 {
			t.Errorf("an unpublished rating counts: %+v", s)
		}
		if err := rate(w.agent, both, 5); err != nil {
			t.Error(err)
		}
		w.refused(rate(ann, both, 1), task.ReviewPublished)
		if s := try(w.PersonStats(t.Context(), ann.ID))(t); s.Ratings != 1 || s.Rating != 5 || s.Completed != 2 {
			t.Errorf("stats: %+v", s)
		}
		if err := rate(w.agent, alone, 2); err != nil {
			t.Error(err)
		}
		w.clock.forward(7*24*time.Hour + time.Second)
		w.refused(rate(ann, alone, 3), task.ReviewWindowClosed)
		if s := try(w.PersonStats(t.Context(), ann.ID))(t); s.Ratings != 2 || s.Rating != 3.5 {
			t.Errorf("after the window: %+v", s)
		}
		first, next, err := w.ReviewsAbout(t.Context(), ann.ID, data.Page{Limit: 1})
		if err != nil || len(first) != 1 || first[0].Stars != 2 && first[0].Stars != 5 || next == "" {
			t.Errorf("about her: %+v, %q, %v", first, next, err)
		}
		second, next, err := w.ReviewsAbout(t.Context(), ann.ID, data.Page{Limit: 1, Cursor: next})
		if err != nil || len(second) != 1 || second[0].TaskID == first[0].TaskID || next != "" {
			t.Errorf("about her, further: %+v, %q, %v", second, next, err)
		}
		w.refused(rate(w.agent, w.delivered(ann).ID, 5), task.NotReviewable)
		w.sound()
	})
}
