package notify_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/legwork-mcp/legwork/internal/board/notify"
	"github.com/legwork-mcp/legwork/internal/store"
	"github.com/legwork-mcp/legwork/internal/store/storetest"
)

var databases storetest.Databases

func TestMain(m *testing.M) { os.Exit(databases.Run(m)) }

// bench is a post with a clock, the jobs that it leaves and a mailbox.
type bench struct {
	*notify.Post
	db   *store.DB
	box  *notify.Mailbox
	mu   sync.Mutex
	time time.Time
	jobs []notify.Job
	ids  atomic.Int64
	fail error // of sending
}

// noon in Japan
var noon = time.Date(2026, 11, 28, 3, 0, 0, 0, time.UTC)

func newBench(t *testing.T, u store.URL) *bench {
	t.Helper()
	b := &bench{time: noon}
	b.db = storetest.Open(t, u).WithClock(func() time.Time { return b.time })
	b.box = notify.NewMailbox(b.db)
	b.Post = notify.New(b.db, notify.Options{
		Sender: b, Base: "https://board.example.org",
		NewID: func() string { return fmt.Sprintf("id-%06d", b.ids.Add(1)) },
		Later: func(_ context.Context, _ store.Tx, j notify.Job) error {
			b.mu.Lock()
			defer b.mu.Unlock()
			b.jobs = append(b.jobs, j)
			return nil
		},
	})
	return b
}

// Send shadows Post.Send: the bench is the sender of its own post.
func (b *bench) Send(ctx context.Context, l notify.Letter) error {
	if b.fail != nil {
		return b.fail
	}
	return b.box.Send(ctx, l)
}

func (b *bench) take() []notify.Job {
	b.mu.Lock()
	defer b.mu.Unlock()
	jobs := b.jobs
	b.jobs = nil
	return jobs
}

func (b *bench) keep(t *testing.T, mails ...notify.Mail) {
	t.Helper()
	for _, m := range mails {
		if err := b.db.Tx(t.Context(), func(ctx context.Context, tx store.Tx) error { return b.Keep(ctx, tx, m) }); err != nil {
			t.Fatal(err)
		}
	}
}

// send carries the jobs out and returns the letters so far, newest first.
func (b *bench) send(t *testing.T) []notify.Letter {
	t.Helper()
	for _, j := range b.take() {
		if err := b.Post.Send(t.Context(), j.MailID, notify.Try{Number: 1}); err != nil {
			t.Fatal(err)
		}
	}
	list, err := b.box.Letters(t.Context(), 100)
	if err != nil {
		t.Fatal(err)
	}
	return list
}

// column reads one text of the table of mails.
func (b *bench) column(t *testing.T, sql string) string {
	t.Helper()
	var text string
	err := b.db.Read(t.Context(), func(ctx context.Context, tx store.Tx) error {
		err := tx.QueryRow(ctx, sql).Scan(&text)
		if errors.Is(err, store.ErrNoRows) {
			return nil
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return text
}

func message(reference string, s notify.Settings) notify.Mail {
	return notify.Mail{
		Reference: reference, Template: notify.WorkerMessage, To: "hanako@example.org", Lang: "ja", Owner: "human1", Settings: s,
		Slots: map[string]string{"title": "商店街の写真", "url": "https://board.example.org/tasks/1"},
	}
}
