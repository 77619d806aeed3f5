package jobs_test

import (
	"context"
	"fmt"
	"log/slog"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/legwork-mcp/legwork/internal/board/data"
	"github.com/legwork-mcp/legwork/internal/board/jobs"
	"github.com/legwork-mcp/legwork/internal/board/money"
	"github.com/legwork-mcp/legwork/internal/board/notify"
	"github.com/legwork-mcp/legwork/internal/board/task"
	"github.com/legwork-mcp/legwork/internal/store"
	"github.com/legwork-mcp/legwork/internal/store/storetest"
)

var databases storetest.Databases

// TestMain is also the main of the worker that a test kills.
func TestMain(m *testing.M) {
	if url := os.Getenv(childURL); url != "" {
		fmt.Fprintln(os.Stderr, child(store.URL(url), os.Getenv(childTime)))
		os.Exit(1)
	}
	os.Exit(databases.Run(m))
}

const (
	base     = "https://board.example.org"
	patience = 90 * time.Second
	quick    = 100 * time.Millisecond
)

// noon in Japan
var noon = time.Date(2026, 11, 28, 3, 0, 0, 0, time.UTC)

// journal is a log that is written by many.
type journal struct {
	mu   sync.Mutex
	text strings.Builder
}

func (j *journal) Write(p []byte) (int, error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.text.Write(p)
}

func (j *journal) String() string {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.text.String()
}

// bench is jobs on a database at a fixed time.
type bench struct {
	*jobs.Jobs
	db  *store.DB
	box *notify.Mailbox
	log *journal
}

func newBench(t *testing.T, u store.URL) *bench {
	t.Helper()
	b := &bench{log: &journal{}}
	b.db = storetest.Open(t, u).WithClock(func() time.Time { return noon })
	b.box = notify.NewMailbox(b.db)
	var err error
	b.Jobs, err = jobs.Open(t.Context(), b.db, jobs.Options{
		Key: []byte(strings.Repeat("k", 32)), Sender: b.box, LINE: lineIssuer, Base: base, Logger: slog.New(slog.NewTextHandler(b.log, nil)),
	})
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func (b *bench) enqueue(t *testing.T, list ...data.Job) {
	t.Helper()
	err := b.db.Tx(t.Context(), func(ctx context.Context, tx store.Tx) error {
		for _, j := range list {
			if err := b.Enqueue(ctx, tx, j); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// run works the jobs until the test ends or the returned function is called.
func (b *bench) run(t *testing.T, w jobs.Work) (stop func()) {
	t.Helper()
	w.Poll = quick
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- b.Run(ctx, w) }()
	stop = sync.OnceFunc(func() {
		cancel()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	})
	t.Cleanup(stop)
	return stop
}

// count counts the jobs of a condition.
func (b *bench) count(t *testing.T, where string) (n int) {
	t.Helper()
	err := b.db.Read(t.Context(), func(ctx context.Context, tx store.Tx) error {
		return tx.QueryRow(ctx, "SELECT COUNT(*) FROM river_job WHERE "+where).Scan(&n)
	})
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// forget empties the tables of mails.
func (b *bench) forget(t *testing.T) {
	t.Helper()
	err := b.db.Tx(t.Context(), func(ctx context.Context, tx store.Tx) error {
		_, err := tx.Exec(ctx, "DELETE FROM mails")
		if err == nil {
			_, err = tx.Exec(ctx, "DELETE FROM mailbox")
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

// deliver sends the mails that wait and returns all letters by address and subject.
func (b *bench) deliver(t *testing.T) map[string]string {
	t.Helper()
	var ids []string
	err := b.db.Read(t.Context(), func(ctx context.Context, tx store.Tx) error {
		rows, err := tx.Query(ctx, "SELECT id FROM mails WHERE state = 'waiting'")
		if err != nil {
			return err
		}
		defer func() { _ = rows.Close() }()
		for rows.Next() {
			var id string
			if err := rows.Scan(&id); err != nil {
				return err
			}
			ids = append(ids, id)
		}
		return rows.Err()
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, id := range ids {
		if err := b.Post.Send(t.Context(), id, notify.Try{Number: 1}); err != nil {
			t.Fatal(err)
		}
	}
	letters, err := b.box.Letters(t.Context(), 100)
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]string{}
	for _, l := range letters {
		if out[l.To] != "" {
			t.Errorf("%s got two letters: %s and %s", l.To, out[l.To], l.Subject)
		}
		out[l.To] = l.Subject + "\n" + l.Body
	}
	return out
}

// stage is a board that answers from maps and writes its calls down. What decides in
// these tests are the jobs, not the board.
type stage struct {
	mu           sync.Mutex
	calls        []string
	called       chan string
	refuse       map[string]error
	event        data.Event
	task         task.Task
	offer        data.Offer
	people       map[string]data.Person
	agent        data.AgentAccount
	identities   map[string]string // the user at LINE by the id of the person
	applications []data.Application
	due          []data.Job
	transfers    []data.Transfer
	audit        []string
}

func (s *stage) call(name, id string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.calls = append(s.calls, name+" "+id)
	if s.called != nil {
		s.called <- name + " " + id
	}
	return s.refuse[name]
}

func (s *stage) ExpireTask(_ context.Context, id string) (task.Task, error) {
	return task.Task{}, s.call("ExpireTask", id)
}

func (s *stage) ExpireOffer(_ context.Context, id string) error { return s.call("ExpireOffer", id) }

func (s *stage) AutoApprove(_ context.Context, id string) (task.Task, error) {
	return task.Task{}, s.call("AutoApprove", id)
}

func (s *stage) EndAppeal(_ context.Context, id string) (task.Task, error) {
	return task.Task{}, s.call("EndAppeal", id)
}

func (s *stage) Settle(_ context.Context, key string) error { return s.call("Settle", key) }

func (s *stage) VoidStale(context.Context, time.Time) (int, error) { return 0, s.call("VoidStale", "") }

func (s *stage) Transfers(_ context.Context, status data.TransferStatus, before time.Time) ([]data.Transfer, error) {
	var list []data.Transfer
	for _, t := range s.transfers {
		if t.Status == status && t.At.Before(before) {
			list = append(list, t)
		}
	}
	return list, nil
}

func (s *stage) Audit(context.Context) ([]string, error) { return s.audit, nil }

func (s *stage) Event(_ context.Context, id string) (data.Event, error) {
	if id != s.event.ID {
		return data.Event{}, task.Refuse(task.NotFound)
	}
	return s.event, nil
}

func (s *stage) Task(context.Context, string) (task.Task, error) { return s.task, nil }

func (s *stage) Offer(context.Context, string) (data.Offer, error) { return s.offer, nil }

func (s *stage) Person(_ context.Context, id string) (data.Person, error) {
	p, ok := s.people[id]
	if !ok {
		return p, task.Refuse(task.NotFound)
	}
	return p, nil
}

func (s *stage) Identities(_ context.Context, id string) ([]data.Identity, error) {
	if s.identities[id] == "" {
		return nil, nil
	}
	return []data.Identity{{Provider: "https://other.example", Subject: "x"}, {Provider: lineIssuer, Subject: s.identities[id]}}, nil
}

// lineIssuer is who names the users at LINE.
const lineIssuer = "https://access.line.me"

func (s *stage) Agent(context.Context, string) (data.AgentAccount, error) { return s.agent, nil }

func (s *stage) Applications(_ context.Context, _ string, _ data.ApplicationStatus, p data.Page) ([]data.Application, string, error) {
	if p.Cursor == "" && len(s.applications) > 1 {
		return s.applications[:1], "next", nil
	}
	if p.Cursor != "" {
		return s.applications[1:], "", nil
	}
	return s.applications, "", nil
}

func (s *stage) Due(context.Context) ([]data.Job, error) { return s.due, nil }

func (s *stage) ForgetKeys(context.Context) (int64, error) { return 0, s.call("ForgetKeys", "") }

func (s *stage) ListPeople(context.Context, data.Page) ([]data.Person, string, error) {
	var list []data.Person
	for _, p := range s.people {
		list = append(list, p)
	}
	return list, "", nil
}

// town is a stage with people on it.
func town() *stage {
	return &stage{
		people: map[string]data.Person{
			"hanako": {ID: "hanako", Email: "hanako@example.org", Lang: "ja"},
			"taro":   {ID: "taro", Email: "taro@example.org", Lang: "en"},
			"owner":  {ID: "owner", Email: "owner@example.org", Lang: "en"},
			"boss":   {ID: "boss", Email: "boss@example.org", Lang: "en", Operator: true},
		},
		agent: data.AgentAccount{ID: "agent1", Name: "Ada's agent", Email: "agent@example.org", EmailVerified: noon, OwnerHumanID: "owner"},
		task: task.Task{
			ID: "task1", AgentID: "agent1", HumanID: "hanako", Title: "駅前の掲示", Budget: money.Of(2000, money.JPY), FeeBPS: 2000, OriginCountry: "JP",
			DeadlineAt: noon.Add(time.Hour), ReviewDeadlineAt: noon.Add(72 * time.Hour), AppealDeadlineAt: noon.Add(96 * time.Hour),
		},
		offer: data.Offer{ID: "offer1", TaskID: "task1", HumanID: "taro", Status: data.OfferPending, ExpiresAt: noon.Add(time.Minute)},
	}
}
