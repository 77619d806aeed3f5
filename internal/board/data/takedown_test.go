package data_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/legwork-mcp/legwork/internal/board/data"
	"github.com/legwork-mcp/legwork/internal/board/money"
	"github.com/legwork-mcp/legwork/internal/board/task"
)

// Whoever worked on a task that is taken down is paid for it: the requester wrote it.
func TestATakeDownPaysForWork(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		terms := w.Terms()
		number := 0
		nothing, half := int64(0), int64(625)
		for name, c := range map[string]struct {
			to     func(ann task.Actor) task.Task
			worker *int64
			gross  func(budget int64) int64
		}{
			"just accepted": {w.accepted, nil, func(int64) int64 { return 0 }},
			"worked on": {func(ann task.Actor) task.Task {
				at := w.accepted(ann)
				w.clock.forward(terms.CancelFree + time.Minute)
				return at
			}, nil, func(budget int64) int64 { return money.Share(budget, terms.CancelBPS) }},
			"delivered": {w.delivered, nil, func(budget int64) int64 { return budget }},
			"delivered, came back": {func(ann task.Actor) task.Task {
				return try(w.RequestRevision(t.Context(), w.agent, data.Revision{TaskID: w.delivered(ann).ID, Text: because}))(t)
			}, nil, func(budget int64) int64 { return budget }},
			"rejected":                {w.rejected, nil, func(budget int64) int64 { return budget }},
			"the worker knew":         {w.delivered, &nothing, func(int64) int64 { return 0 }},
			"the operator divides it": {w.delivered, &half, func(int64) int64 { return half }},
		} {
			ann := w.worker(fmt.Sprint("ann", number), nil)
			number++
			at := c.to(ann)
			got := try(w.TakeDown(t.Context(), operator, data.TakenDown{TaskID: at.ID, Note: "It asks for a code.", Worker: c.worker}))(t)
			if got.FailureReason != task.ContentPolicyViolation {
				t.Errorf("%s: %+v", name, got)
			}
			split := try(money.SplitAt(at.Budget.Minor, c.gross(at.Budget.Minor), at.FeeBPS))(t)
			if n := w.balance(money.Worker(ann.ID)); n != split.Worker {
				t.Errorf("%s: the worker has %d, want %d", name, n, split.Worker)
			}
			w.settle()
			w.sound()
		}
		open := w.post(nil)
		_, err := w.TakeDown(t.Context(), operator, data.TakenDown{TaskID: open.ID, Worker: &half})
		w.refused(err, task.InvalidRequest)
		tooMuch := int64(1 << 40)
		_, err = w.TakeDown(t.Context(), operator, data.TakenDown{TaskID: w.delivered(w.worker("bob", nil)).ID, Worker: &tooMuch})
		w.refused(err, task.InvalidRequest)
		w.settle()
		w.sound()
	})
}
