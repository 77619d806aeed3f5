package data_test

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/legwork-mcp/legwork/internal/store"
	"github.com/legwork-mcp/legwork/internal/store/storetest"

	"github.com/legwork-mcp/legwork/internal/board/data"
	"github.com/legwork-mcp/legwork/internal/board/money"
	"github.com/legwork-mcp/legwork/internal/board/task"
)

// The environment of the process that is killed: when, on which database, for whom.
const (
	victimMoment = "LEGWORK_TEST_VICTIM"
	victimURL    = "LEGWORK_TEST_URL"
	victimAgent  = "LEGWORK_TEST_AGENT"
)

var killKey = data.RequestKey{Principal: "agent:a", Operation: "POST /api/tasks", Key: "k", Hash: "h"}

// reached tells the parent that the moment has come, and waits to be killed.
func reached(ctx context.Context, id string) error {
	fmt.Println("reached " + id)
	<-ctx.Done()
	return ctx.Err()
}

// stuck is an outbox that waits inside the transaction.
type stuck struct{}

// Enqueue implements data.Outbox.
func (stuck) Enqueue(ctx context.Context, _ store.Tx, _ data.Job) error { return reached(ctx, "") }

// victim posts a task and waits before or after the commit.
func victim(t *testing.T, moment string) {
	db := storetest.Open(t, store.URL(os.Getenv(victimURL)))
	o := data.Options{Pepper: pepper, Provider: money.NewFake(), Outbox: &outbox{}}
	if moment == "before" {
		o.Outbox = stuck{}
	}
	b, err := data.Open(db, o)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	_, _, err = data.Once(ctx, b, killKey, func(ctx context.Context) (task.Task, error) {
		posted, err := b.CreateTask(ctx, task.Actor{Kind: task.Agent, ID: os.Getenv(victimAgent)}, data.NewTask{Draft: draft()})
		if err != nil {
			return posted, err
		}
		return posted, reached(ctx, posted.ID)
	})
	t.Fatalf("nobody killed it: %v", err)
}

// kill runs this test in a process of its own and kills it at the moment.
func (w *world) kill(moment string) (id string) {
	w.t.Helper()
	c := exec.CommandContext(w.t.Context(), os.Args[0], "-test.run=^TestAKilledProcess$")
	c.Env = append(os.Environ(), victimMoment+"="+moment, victimURL+"="+plain(w.url), victimAgent+"="+w.agent.ID)
	out, err := c.StdoutPipe()
	if err != nil {
		w.t.Fatal(err)
	}
	if err := c.Start(); err != nil {
		w.t.Fatal(err)
	}
	var said []string
	for lines := bufio.NewScanner(out); lines.Scan(); {
		said = append(said, lines.Text())
		if found, ok := strings.CutPrefix(lines.Text(), "reached "); ok {
			id = found
			if err := c.Process.Kill(); err != nil { // SIGKILL: nothing is tidied up
				w.t.Error(err)
			}
		}
	}
	if err := c.Wait(); c.ProcessState.ExitCode() != -1 {
		w.t.Fatalf("it was not killed: %v: %s", err, strings.Join(said, "\n"))
	}
	return id
}

// plain is the URL with what it hides.
func plain(u store.URL) string { return string(u) }

// What was committed is answered to the retry, what was not is done by it, and no key
// waits for a process that is gone.
func TestAKilledProcess(t *testing.T) {
	if moment := os.Getenv(victimMoment); moment != "" {
		victim(t, moment)
	}
	each(t, func(t *testing.T, w *world) {
		w.kill("before")
		if n := w.count("SELECT COUNT(*) FROM tasks"); n != 0 {
			t.Errorf("%d tasks of a transaction that did not commit", n)
		}
		id := w.kill("after")
		got, replayed, err := createOnce(t, w.Board, w.agent, killKey)
		if err != nil || !replayed || got.ID != id || id == "" {
			t.Errorf("the retry gets %s, replayed %v, %v; the first was %s", got.ID, replayed, err, id)
		}
		if n := w.count("SELECT COUNT(*) FROM tasks"); n != 1 {
			t.Errorf("%d tasks, want 1", n)
		}
		w.sound()
	})
}

// Money is durable: a commit that was answered survives the loss of power.
func TestCommitsReachTheDisk(t *testing.T) {
	w := newWorld(t, databases.SQLite(t))
	var level int
	err := w.db.Tx(t.Context(), func(ctx context.Context, tx store.Tx) error {
		return tx.QueryRow(ctx, "PRAGMA synchronous").Scan(&level)
	})
	if err != nil || level != 2 {
		t.Errorf("synchronous is %d (%v), want 2, which is FULL", level, err)
	}
}
