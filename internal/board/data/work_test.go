package data_test

import (
	"strings"
	"testing"
	"time"

	"github.com/legwork-mcp/legwork/internal/board/data"
	"github.com/legwork-mcp/legwork/internal/board/money"
	"github.com/legwork-mcp/legwork/internal/board/task"
)

func TestDeliveriesThatDoNotFit(t *testing.T) {
	w := newWorld(t, databases.SQLite(t))
	ann := w.worker("ann", nil)
	give := func(id string, d data.Delivery) error {
		d.TaskID = id
		_, err := w.Submit(t.Context(), ann, d)
		return err
	}
	text := w.accepted(ann).ID
	posted := w.post(func(d *task.Draft) {
		d.Deliverable = "photo"
		d.Evidence = []task.Evidence{{Kind: task.Photo, Label: "door", Count: 2, Required: true}, {Kind: task.Text, Label: "hours", Required: true}, {Kind: task.Video, Label: "street"}}
	})
	photo := posted.ID
	try(w.AcceptApplication(t.Context(), w.agent, data.Acceptance{TaskID: photo, ApplicationID: w.apply(ann, photo).ID}))(t)
	one := data.Item{Kind: task.Photo, Upload: "u1", SHA256: "aa", MIME: "image/jpeg", Bytes: 10}
	for name, tt := range map[string]struct {
		id   string
		d    data.Delivery
		want task.Reason
	}{
		"another kind":       {text, data.Delivery{Type: task.Photo, Items: []data.Item{one}}, task.WrongDeliverable},
		"no kind":            {text, data.Delivery{Text: "x"}, task.WrongDeliverable},
		"no text":            {text, data.Delivery{Type: task.Text, Text: "\u200b "}, task.MissingText},
		"too much text":      {text, data.Delivery{Type: task.Text, Text: strings.Repeat("x", 20_001)}, task.InvalidRequest},
		"an odd item":        {text, data.Delivery{Type: task.Text, Text: "x", Items: []data.Item{{Kind: "smell"}}}, task.InvalidRequest},
		"no file":            {photo, data.Delivery{Type: task.Photo, Text: "x"}, task.MissingFile},
		"an item of nothing": {photo, data.Delivery{Type: task.Photo, Text: "x", Items: []data.Item{{Kind: task.Photo}}}, task.MissingFile},
		"one photo of two":   {photo, data.Delivery{Type: task.Photo, Text: "x", Items: []data.Item{one}}, task.MissingFile},
		"no hours":           {photo, data.Delivery{Type: task.Photo, Items: []data.Item{one, one}}, task.MissingText},
	} {
		if err := give(tt.id, tt.d); task.ReasonOf(err) != tt.want {
			t.Errorf("%s: %v, want %s", name, err, tt.want)
		}
	}
	if err := give(photo, data.Delivery{Type: task.Photo, Text: "9 to 5", Items: []data.Item{one, one}}); err != nil {
		t.Errorf("what fits: %v", err)
	}
	if err := give(photo, data.Delivery{Type: task.Photo, Text: "9 to 5", Items: []data.Item{one, one}}); task.ReasonOf(err) != task.NotAssigned {
		t.Errorf("the second time: %v", err)
	}
	again := w.accepted(ann).ID
	s, err := w.Submit(t.Context(), ann, data.Delivery{TaskID: again, Type: task.Text, Text: "x", Items: []data.Item{one}})
	if err != nil || !s.Items[0].Duplicate {
		t.Errorf("a file that was delivered before: %+v, %v", s, err)
	}
	third := w.accepted(ann).ID
	s, err = w.Submit(t.Context(), ann, data.Delivery{TaskID: third, Type: task.Text, Text: "x", Items: []data.Item{
		{Kind: task.Photo, Upload: "u2", SHA256: "other", Like: []string{"never delivered", "u1"}}, {Kind: task.Photo, Upload: "u3", SHA256: "new", Like: []string{"never delivered", "u2"}},
	}})
	if err != nil || !s.Items[0].Duplicate || s.Items[1].Duplicate {
		t.Errorf("one like a file of another task, and one like a file of its own: %+v, %v", s, err)
	}
}

func TestTheGraceAfterADeadline(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		ann := w.worker("ann", nil)
		first, second := w.accepted(ann), w.accepted(ann)
		w.clock.forward(first.DeadlineAt.Add(w.Terms().Grace).Sub(w.clock.now()))
		_, err := w.ExpireTask(t.Context(), first.ID)
		w.refused(err, task.InvalidTaskStatus)
		if s := try(w.Submit(t.Context(), ann, data.Delivery{TaskID: first.ID, Type: task.Text, Text: "late"}))(t); !s.Late {
			t.Error("a delivery in the grace is not marked late")
		}
		w.clock.forward(time.Millisecond)
		_, err = w.Submit(t.Context(), ann, data.Delivery{TaskID: second.ID, Type: task.Text, Text: "later"})
		w.refused(err, task.Timeout)
		ended := try(w.ExpireTask(t.Context(), second.ID))(t)
		if ended.FailureReason != task.TimedOut || ended.HumanID != ann.ID {
			t.Errorf("ended: %+v", ended)
		}
		_, err = w.Submit(t.Context(), ann, data.Delivery{TaskID: second.ID, Type: task.Text, Text: "later"})
		w.refused(err, task.Timeout)
		open := w.post(func(d *task.Draft) { five := 5.0; d.DeadlineMinutes = &five })
		w.clock.forward(5*time.Minute + time.Millisecond)
		if got := try(w.ExpireTask(t.Context(), open.ID))(t); got.FailureReason != task.NoHumanAvailable {
			t.Errorf("nobody took it: %v", got.FailureReason)
		}
		w.settle()
		if w.held() != 1000 {
			t.Errorf("the provider holds %d, want the money of the delivered task", w.held())
		}
		w.sound()
	})
}

func TestATaskThatIsGivenBackIsOpenAgain(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		ann, ben := w.worker("ann", nil), w.worker("ben", nil)
		got := w.accepted(ann)
		open := try(w.Decline(t.Context(), ann, got.ID, "I am ill"))(t)
		if open.Status != task.Open || open.HumanID != "" || open.FundKey != "" {
			t.Errorf("given back: %+v", open)
		}
		w.settle()
		if w.held() != 0 || w.balance(money.Escrow(got.ID)) != 0 {
			t.Errorf("the money did not go back: %d held", w.held())
		}
		_, err := w.Apply(t.Context(), ann, data.NewApplication{TaskID: got.ID, CoverLetter: "again", Availability: "now"})
		w.refused(err, task.AlreadyApplied)
		again := try(w.AcceptApplication(t.Context(), w.agent, data.Acceptance{TaskID: got.ID, ApplicationID: w.apply(ben, got.ID).ID}))(t)
		if again.Task.Assignments != 2 || w.held() != 1000 {
			t.Errorf("assigned again: %+v, %d held", again.Task, w.held())
		}
		if s := try(w.PersonStats(t.Context(), ann.ID))(t); s.Declined != 1 {
			t.Errorf("stats: %+v", s)
		}
		w.settle()
		w.sound()
	})
}

func TestCancellingCompensatesWhoHadStarted(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		ann := w.worker("ann", nil)
		early, late, open := w.accepted(ann), w.accepted(ann), w.post(nil)
		applied := w.apply(ann, open.ID)
		cancel := func(id string) {
			t.Helper()
			if got := try(w.Cancel(t.Context(), w.agent, data.Cancellation{TaskID: id, Reason: "No need"}))(t); got.FailureReason != task.CancelledByRequester {
				t.Errorf("cancelled: %+v", got)
			}
		}
		cancel(open.ID)
		cancel(early.ID)
		w.clock.forward(w.Terms().CancelFree + time.Second)
		cancel(late.ID)
		w.settle()
		if fees, left := w.balance(money.Fees), w.held(); fees != 60 || left != 60 {
			t.Errorf("fees %d, left at the provider %d; want 60: a fifth of 300", fees, left)
		}
		var paid int64
		for _, tr := range try(w.provider.Transfers(t.Context()))(t) {
			if tr.Kind == money.KindPayOut && tr.Party == ann.ID {
				paid += tr.Amount.Minor
			}
		}
		if paid != 240 {
			t.Errorf("the worker was paid %d, want 240", paid)
		}
		if a := try(w.Application(t.Context(), applied.ID))(t); a.Status != data.ApplicationDeclined {
			t.Errorf("the applicant is left %s", a.Status)
		}
		_, err := w.Cancel(t.Context(), w.agent, data.Cancellation{TaskID: late.ID})
		w.refused(err, task.AlreadyEnded)
		w.sound()
	})
}

func TestADeadlineIsOnlyExtended(t *testing.T) {
	w := newWorld(t, databases.SQLite(t))
	posted := w.accepted(w.worker("ann", nil))
	for name, at := range map[string]time.Time{
		"earlier": posted.DeadlineAt.Add(-time.Hour), "the same": posted.DeadlineAt, "past": w.clock.now().Add(-time.Hour), "too far": w.clock.now().AddDate(1, 0, 0), "none": {},
	} {
		if _, err := w.ExtendDeadline(t.Context(), w.agent, data.Extension{TaskID: posted.ID, DeadlineAt: at}); task.ReasonOf(err) != task.InvalidRequest {
			t.Errorf("%s: %v", name, err)
		}
	}
	later := posted.DeadlineAt.Add(time.Hour)
	got := try(w.ExtendDeadline(t.Context(), w.agent, data.Extension{TaskID: posted.ID, DeadlineAt: later}))(t)
	if !got.DeadlineAt.Equal(later) || got.Status != task.Accepted {
		t.Errorf("extended: %+v", got)
	}
	w.clock.forward(posted.DeadlineAt.Add(w.Terms().Grace + time.Second).Sub(w.clock.now()))
	_, err := w.ExpireTask(t.Context(), posted.ID) // the early timer comes
	w.refused(err, task.InvalidTaskStatus)
	jobs := w.outbox.of(task.JobDeadline)
	if last := jobs[len(jobs)-1]; !last.At.Equal(later.Add(w.Terms().Grace)) {
		t.Errorf("the timer is at %v", last.At)
	}
}

func TestHeldTasks(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		hold := func() task.Task {
			return try(w.CreateTask(t.Context(), w.agent, data.NewTask{Draft: draft(), Hold: &data.Hold{Class: "parcel_forwarding", Excerpt: "荷受"}}))(t)
		}
		held, bad := hold(), hold()
		ann := w.worker("ann", func(p *data.Person) { p.Instant.On = true })
		_, err := w.Apply(t.Context(), ann, data.NewApplication{TaskID: held.ID, CoverLetter: "me", Availability: "now"})
		w.refused(err, task.NotOpen)
		_, err = w.OfferTask(t.Context(), held.ID, time.Minute)
		w.refused(err, task.NotOpen)
		list := func(f data.TaskFilter) int {
			all, _, err := w.Tasks(t.Context(), f)
			if err != nil {
				t.Error(err)
			}
			return len(all)
		}
		if list(data.TaskFilter{Public: true}) != 0 || list(data.TaskFilter{Held: true}) != 2 {
			t.Error("held tasks are listed in public, or not for operators")
		}
		try(w.ReleaseHold(t.Context(), operator, held.ID))(t)
		if got := try(w.TakeDown(t.Context(), operator, data.TakenDown{TaskID: bad.ID, Note: "forwarding of parcels"}))(t); got.FailureReason != task.ContentPolicyViolation {
			t.Errorf("taken down: %+v", got)
		}
		if list(data.TaskFilter{Public: true}) != 1 || list(data.TaskFilter{Held: true}) != 0 {
			t.Error("the released task is not listed, or the other one still is")
		}
		w.apply(ann, held.ID)
		w.sound()
	})
}
