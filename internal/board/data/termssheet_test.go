package data_test

import (
	"context"
	"testing"
	"time"

	"github.com/legwork-mcp/legwork/internal/store"

	"github.com/legwork-mcp/legwork/internal/board/data"
	"github.com/legwork-mcp/legwork/internal/board/task"
)

// The terms are written with the assignment and stay what they were, whatever
// happens to the task; somebody who changes them is found out.
func TestTermsOfAnAssignmentNeverChange(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		ann := w.worker("ann", nil)
		posted := w.post(func(d *task.Draft) { d.Place = task.Place{Prefecture: "Osaka", Exact: "Umeda 1-1"} })
		if _, err := w.TermsOf(t.Context(), posted.ID); task.ReasonOf(err) != task.NotFound {
			t.Errorf("terms before an assignment: %v", err)
		}
		a := w.apply(ann, posted.ID)
		assigned := try(w.AcceptApplication(t.Context(), w.agent, data.Acceptance{TaskID: posted.ID, ApplicationID: a.ID}))(t).Task
		first := try(w.TermsOf(t.Context(), posted.ID))(t)
		want := data.TermsSheet{
			TaskID: posted.ID, Assignment: 1, OrderedAt: assigned.AcceptedAt.Format(time.RFC3339), Requester: "Ada's agent", Worker: "ann",
			Content: posted.Text, Criteria: posted.AcceptanceCriteria, NotAllowed: posted.NotAllowed, Deliverable: "text", Place: "大阪府 Umeda 1-1",
			DueAt: assigned.DeadlineAt.Format(time.RFC3339), ReviewHours: 72, PayDays: 60, Takehome: 800, Fee: 200, Total: 1000, Currency: "USD", SHA256: first.SHA256,
		}
		if first != want || len(first.SHA256) != 64 {
			t.Errorf("the terms are %+v, want %+v", first, want)
		}
		try(w.ExtendDeadline(t.Context(), w.agent, data.Extension{TaskID: posted.ID, DeadlineAt: assigned.DeadlineAt.Add(time.Hour)}))(t)
		if again := try(w.TermsOf(t.Context(), posted.ID))(t); again != first {
			t.Errorf("the terms became %+v", again)
		}
		try(w.Decline(t.Context(), ann, posted.ID, "I am ill"))(t)
		bob := w.worker("bob", nil)
		b := w.apply(bob, posted.ID)
		try(w.AcceptApplication(t.Context(), w.agent, data.Acceptance{TaskID: posted.ID, ApplicationID: b.ID}))(t)
		if second := try(w.TermsOf(t.Context(), posted.ID))(t); second.Assignment != 2 || second.Worker != "bob" || second.SHA256 == first.SHA256 {
			t.Errorf("the second terms are %+v", second)
		}
		err := w.db.Tx(t.Context(), func(ctx context.Context, tx store.Tx) error {
			_, err := tx.Exec(ctx, `UPDATE terms_sheets SET body = REPLACE(body, '"fee_minor":200', '"fee_minor":900') WHERE task_id = $1`, posted.ID)
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		if got, err := w.TermsOf(t.Context(), posted.ID); err == nil {
			t.Errorf("altered terms are shown: %+v", got)
		}
	})
}
