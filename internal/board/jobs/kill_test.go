package jobs_test

import (
	"bufio"
	"context"
	"fmt"
	"log/slog"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/legwork-mcp/legwork/internal/board/data"
	"github.com/legwork-mcp/legwork/internal/board/jobs"
	"github.com/legwork-mcp/legwork/internal/board/money"
	"github.com/legwork-mcp/legwork/internal/board/notify"
	"github.com/legwork-mcp/legwork/internal/board/simulated"
	"github.com/legwork-mcp/legwork/internal/store"
)

// The variables that make the test binary a worker which is killed: the database,
// and the time of its board.
const (
	childURL  = "LEGWORK_TEST_JOBS_URL"
	childTime = "LEGWORK_TEST_JOBS_TIME"
)

// paidAndGone is a provider that moves the money and never gets to say so.
type paidAndGone struct{ *simulated.Provider }

func (p paidAndGone) PayOut(ctx context.Context, t money.Transfer) (money.Receipt, error) {
	if _, err := p.Provider.PayOut(ctx, t); err != nil {
		return money.Receipt{}, err
	}
	fmt.Println("paid", t.Key)
	<-ctx.Done()
	return money.Receipt{}, ctx.Err()
}

// child works the jobs of a board until it is killed.
func child(u store.URL, at string) error {
	ms, err := strconv.ParseInt(at, 10, 64)
	if err != nil {
		return err
	}
	now := func() time.Time { return time.UnixMilli(ms).UTC() }
	ctx := context.Background()
	db, err := store.Open(ctx, u)
	if err != nil {
		return err
	}
	db = db.WithClock(now)
	j, err := jobs.Open(ctx, db, jobs.Options{
		Key: []byte(strings.Repeat("k", 32)), Sender: notify.NewMailbox(db), Base: base, Logger: slog.New(slog.DiscardHandler), Clock: now,
	})
	if err != nil {
		return err
	}
	b, err := data.Open(db, data.Options{Pepper: []byte(strings.Repeat("p", 32)), Provider: paidAndGone{simulated.New(db)}, Outbox: j})
	if err != nil {
		return err
	}
	return j.Run(ctx, jobs.Work{Board: b, Poll: quick, Timeout: time.Hour})
}

// A worker that is killed after the money moved and before the ledger says so leaves
// the payout to another one, which pays nobody twice.
func TestAKilledWorkerPaysOnce(t *testing.T) {
	databases.Each(t, func(t *testing.T, u store.URL) {
		t.Parallel()
		l := newLive(t, u)
		ctx, cancel := context.WithCancel(context.Background())
		first := make(chan error, 1)
		go func() { first <- l.jobs.Run(ctx, jobs.Work{Board: l.Board, Poll: quick}) }()
		ann := l.signIn(t, "ann")
		cancel()
		if err := <-first; err != nil {
			t.Fatal(err)
		}
		var ids []string
		for range 3 {
			id := l.accepted(t, ann).ID
			l.submit(t, ann, id)
			must(l.Approve(t.Context(), l.agent, data.Approval{TaskID: id}))(t)
			ids = append(ids, id)
		}
		cmd := exec.Command(os.Args[0])
		cmd.Env = append(os.Environ(), childURL+"="+string(u), fmt.Sprintf("%s=%d", childTime, l.now().UnixMilli()))
		cmd.Stderr = os.Stderr
		out, err := cmd.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		paid := 0
		for lines := bufio.NewScanner(out); paid < 3 && lines.Scan(); {
			if strings.HasPrefix(lines.Text(), "paid ") {
				paid++
			}
		}
		if err := cmd.Process.Kill(); err != nil {
			t.Fatal(err)
		}
		if err := cmd.Wait(); err == nil || paid != 3 {
			t.Fatalf("%d payouts, and the worker ended by itself: %v", paid, err)
		}
		if done := must(l.Transfers(t.Context(), data.TransferStarted, l.now().Add(time.Hour)))(t); len(done) != 3 {
			t.Fatalf("%d payouts are under way, want 3", len(done))
		}
		l.run(t)
		l.idle(t)
		for _, id := range ids {
			n := 0
			for _, tr := range must(simulated.New(l.db).Transfers(t.Context()))(t) {
				if tr.Kind == money.KindPayOut && strings.Contains(tr.Key, id) {
					n++
				}
			}
			if n != 1 {
				t.Errorf("task %s was paid %d times", id, n)
			}
		}
		if left := must(l.Transfers(t.Context(), data.TransferStarted, l.now().Add(time.Hour)))(t); len(left) > 0 {
			t.Errorf("%d payouts are still under way", len(left))
		}
		l.sound(t)
	})
}
