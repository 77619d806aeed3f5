package web

import (
	"strings"
	"testing"

	"github.com/legwork-mcp/legwork/internal/board/data"
)

// Nothing is due of a task that has ended: the pages count no time for it.
func TestNothingIsDueOfWhatHasEnded(t *testing.T) {
	w := newWorld(t)
	hana, worker := w.worker("hana@example.org")
	requester := w.requesterClient()
	made := w.assigned(hana, nil)
	pages := func() map[string]string {
		return map[string]string{
			"the work": worker.get("/me/tasks/" + made.ID).body, "own tasks": worker.get("/me/tasks").body,
			"the request": requester.get("/requester/tasks/" + made.ID).body, "requests": requester.get("/requester").body,
		}
	}
	for name, body := range pages() {
		if strings.Count(body, "data-until") != 1 {
			t.Errorf("%s: a task that runs has %d timers", name, strings.Count(body, "data-until"))
		}
	}
	if _, err := w.board.Cancel(t.Context(), w.by(), data.Cancellation{TaskID: made.ID}); err != nil {
		t.Fatal("cancelling:", err)
	}
	for name, body := range pages() {
		if !strings.Contains(body, made.Title) || strings.Contains(body, "data-until") {
			t.Errorf("%s of a task that has ended:\n%s", name, body)
		}
	}
}
