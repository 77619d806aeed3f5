package board

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/legwork-mcp/legwork/internal/fault"
	"github.com/legwork-mcp/legwork/internal/store"
)

// A board on Postgres is copied while it works, and the copy is a board with the same
// keys and tasks, whose books are sound and whose jobs go on.
func TestABoardOnPostgresIsRestored(t *testing.T) {
	from := options(t, databases.Postgres(t))
	s := open(t, from)
	s.running()
	key := s.json("POST", "/api/ai/accounts", "", map[string]any{"name": "Ada", "paypal_email": "ada@agents.net"})["api_key"].(string)
	post := func(at *site) string {
		return at.json("POST", "/api/tasks", key, map[string]any{
			"task": "Photograph the sign at the station.", "origin_country": "US", "task_label": "real_world_verification", "acceptance_criteria": "It can be read.",
			"not_allowed": "No people.", "budget_usd": 12.5, "deliverable": "text", "deadline_minutes": 600,
		})["id"].(string)
	}
	first := post(s)
	stop, done := make(chan bool), make(chan bool)
	go func() { // work goes on meanwhile
		defer close(done)
		for {
			select {
			case <-stop:
				return
			default:
				post(s)
			}
		}
	}()
	file := filepath.Join(t.TempDir(), "copy")
	err := store.Backup(t.Context(), from.Database, file)
	close(stop)
	<-done
	if err != nil {
		t.Fatal(err, fault.From(err).Cause)
	}
	to := from
	to.Database = databases.Postgres(t)
	if err := Restore(t.Context(), to, file); err != nil {
		t.Fatal(err, fault.From(err).Cause)
	}
	copied := open(t, to)
	if status, _, text := copied.request("GET", "/api/tasks/"+first, key, nil, nil); status != 200 || !strings.Contains(text, "Photograph the sign") {
		t.Errorf("the task in the copy: %d %s", status, text)
	}
	if wrong, err := copied.board.data.Audit(t.Context()); err != nil || len(wrong) > 0 {
		t.Errorf("the books of the copy: %v, %v", wrong, err)
	}
	jobs, err := copied.board.jobs.Counts(t.Context())
	if err != nil || len(jobs) == 0 {
		t.Errorf("jobs of the copy: %v, %v", jobs, err)
	}
	post(copied) // ids of jobs go on
	if err := Restore(t.Context(), to, file); err == nil || fault.From(err).Type != "database_not_empty" {
		t.Errorf("over a board that is there: %v", err)
	}
}
