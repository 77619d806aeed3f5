package queue_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"os/exec"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/legwork-mcp/legwork/internal/fault"
	"github.com/legwork-mcp/legwork/internal/store"
	"github.com/legwork-mcp/legwork/internal/store/queue"
	"github.com/legwork-mcp/legwork/internal/store/storetest"
)

func TestFailuresAreTriedAgainAndEnd(t *testing.T) {
	databases.Each(t, func(t *testing.T, u store.URL) {
		t.Parallel()
		db := storetest.Open(t, u)
		q, log := open(t, db)
		type seen struct {
			Kind   string
			Number int
			Last   bool
		}
		got := make(chan seen, 100)
		failing := func(err error) func(context.Context, queue.Attempt) error {
			return func(_ context.Context, a queue.Attempt) error {
				got <- seen{a.Kind, a.Number, a.Last}
				return err
			}
		}
		atOnce := func(int) time.Duration { return 0 }
		insert(t, db, q, queue.Job{Kind: "hopeless"}, queue.Job{Kind: "panics", Key: "canary-key", Args: map[string]string{"mail": "canary@example.org"}})
		stop := run(t, q, queue.Options{Poll: quick, Workers: 1, Handlers: []queue.Handler{
			{Kind: "hopeless", Do: failing(errRefused), Attempts: 3, Wait: atOnce},
			{Kind: "expected", Do: failing(queue.Again(errors.New("somebody's server"))), Wait: atOnce, Attempts: 2},
			{Kind: "dropped", Do: failing(queue.Drop(fault.New(fault.Denied, "not_ours", "m", "a")))},
			{Kind: "panics", Attempts: 2, Wait: atOnce, Do: func(_ context.Context, a queue.Attempt) error {
				got <- seen{a.Kind, a.Number, a.Last}
				if a.Number == 1 {
					panic("canary-panic")
				}
				return nil
			}},
		}})
		var of = map[string][]seen{}
		for range 5 {
			s := next(t, got)
			of[s.Kind] = append(of[s.Kind], s)
		}
		insert(t, db, q, queue.Job{Kind: "dropped"})
		of["dropped"] = []seen{next(t, got)}
		insert(t, db, q, queue.Job{Kind: "expected"})
		of["expected"] = []seen{next(t, got), next(t, got)}
		stop()
		want := map[string][]seen{
			"hopeless": {{"hopeless", 1, false}, {"hopeless", 2, false}, {"hopeless", 3, true}},
			"panics":   {{"panics", 1, false}, {"panics", 2, true}},
			"dropped":  {{"dropped", 1, false}},
			"expected": {{"expected", 1, false}, {"expected", 2, true}},
		}
		if diff := cmp.Diff(want, of); diff != "" {
			t.Errorf("attempts (-want +got):\n%s", diff)
		}
		if n := count(t, db, "state = 'cancelled'"); n != 3 {
			t.Errorf("%d jobs are given up, want 3", n)
		}
		text := log.String()
		for _, want := range []string{"failure=refused", "failure=not_ours", "a job is given up", "a job panicked"} {
			if !strings.Contains(text, want) {
				t.Errorf("the log does not say %q:\n%s", want, text)
			}
		}
		if strings.Count(text, "somebody's server") != 1 { // when it is given up
			t.Errorf("the log tells of a failure that was expected:\n%s", text)
		}
		if strings.Contains(text, "canary") {
			t.Errorf("the log tells what a job carries:\n%s", text)
		}
	})
}

func TestTheOnesThatRunAreFinished(t *testing.T) {
	databases.Each(t, func(t *testing.T, u store.URL) {
		t.Parallel()
		db := storetest.Open(t, u)
		q, _ := open(t, db)
		began, goOn, ended := make(chan bool), make(chan bool), make(chan error, 1)
		insert(t, db, q, queue.Job{Kind: "slow"})
		stop := run(t, q, queue.Options{Poll: quick, Handlers: []queue.Handler{{Kind: "slow", Do: func(ctx context.Context, _ queue.Attempt) error {
			close(began)
			<-goOn
			ended <- ctx.Err()
			return nil
		}}}})
		next(t, began)
		stopped := make(chan bool)
		go func() { stop(); close(stopped) }()
		select {
		case <-stopped:
			t.Error("Run returned while a job ran")
		case <-time.After(quick):
		}
		close(goOn)
		if err := next(t, ended); err != nil {
			t.Errorf("the job was cut off: %v", err)
		}
		next(t, stopped)
		if n := count(t, db, "state = 'completed'"); n != 1 {
			t.Errorf("%d jobs are completed, want 1", n)
		}
	})
}

// A job that does not end in time is left for the next process, untouched.
func TestTheDrainHasAnEnd(t *testing.T) {
	databases.Each(t, func(t *testing.T, u store.URL) {
		t.Parallel()
		db := storetest.Open(t, u)
		q, _ := open(t, db)
		began := make(chan bool)
		insert(t, db, q, queue.Job{Kind: "stuck"})
		stop := run(t, q, queue.Options{Poll: quick, Drain: quick, Handlers: []queue.Handler{{Kind: "stuck", Attempts: 1, Do: func(ctx context.Context, _ queue.Attempt) error {
			close(began)
			<-ctx.Done()
			return ctx.Err()
		}}}})
		next(t, began)
		stop()
		h, got := telling("stuck")
		run(t, q, queue.Options{Poll: quick, Handlers: []queue.Handler{h}})
		next(t, got)
	})
}

func TestOneProcessAtATimeKeepsThePeriod(t *testing.T) {
	databases.Each(t, func(t *testing.T, u store.URL) {
		t.Parallel()
		var sweeps atomic.Int64
		swept := make(chan bool, 100)
		sweep := queue.Handler{Kind: "sweep", Every: time.Hour, Do: func(context.Context, queue.Attempt) error {
			sweeps.Add(1)
			swept <- true
			return nil
		}}
		h, got := telling("work")
		var db *store.DB
		var q *queue.Queue
		for range 2 {
			db = storetest.Open(t, u)
			q, _ = open(t, db)
			run(t, q, queue.Options{Handlers: []queue.Handler{sweep, h}, Poll: quick})
		}
		next(t, swept)
		for n := range 50 {
			insert(t, db, q, keyed("work", n))
		}
		seen := map[string]bool{}
		for range 50 {
			seen[next(t, got).Key] = true
		}
		if len(seen) != 50 || sweeps.Load() != 1 || len(got) > 0 {
			t.Errorf("%d of 50 jobs, %d sweeps, %d jobs doubled", len(seen), sweeps.Load(), len(got))
		}
	})
}

// childVariable makes the test binary a process that takes a job and never ends it.
const childVariable = "LEGWORK_TEST_QUEUE_CHILD"

func child(u store.URL) int {
	db, err := store.Open(context.Background(), u)
	if err == nil {
		var q *queue.Queue
		if q, err = queue.Open(db, slog.New(slog.DiscardHandler)); err == nil {
			err = q.Run(context.Background(), queue.Options{Poll: quick, Timeout: time.Hour, Handlers: []queue.Handler{{
				Kind: "deadly", Do: func(ctx context.Context, a queue.Attempt) error {
					fmt.Println("took", a.Key)
					<-ctx.Done()
					return ctx.Err()
				},
			}}})
		}
	}
	fmt.Fprintln(os.Stderr, err)
	return 1
}

func TestTheJobsOfAKilledProcessAreFinished(t *testing.T) {
	databases.Each(t, func(t *testing.T, u store.URL) {
		t.Parallel()
		db := storetest.Open(t, u)
		q, _ := open(t, db)
		insert(t, db, q, keyed("deadly", 0), keyed("deadly", 1), keyed("deadly", 2))
		cmd := exec.Command(os.Args[0])
		cmd.Env = append(os.Environ(), childVariable+"="+string(u))
		out, err := cmd.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		lines := bufio.NewScanner(out)
		for taken := 0; taken < 3 && lines.Scan(); taken++ {
		}
		if err := cmd.Process.Kill(); err != nil {
			t.Fatal(err)
		}
		var exit *exec.ExitError
		if err := cmd.Wait(); !errors.As(err, &exit) || exit.Exited() {
			t.Fatalf("the process ended by itself: %v", err)
		}
		if n := count(t, db, "kind = 'deadly' AND state = 'running'"); n != 3 {
			t.Fatalf("%d jobs are left running, want 3", n)
		}
		h, got := telling("deadly")
		run(t, q, queue.Options{Handlers: []queue.Handler{h}, Poll: quick, Timeout: quick})
		keys := map[string]int{}
		for range 3 {
			a := next(t, got)
			keys[a.Key] = a.Number
		}
		if diff := cmp.Diff(map[string]int{"k0": 2, "k1": 2, "k2": 2}, keys); diff != "" {
			t.Errorf("attempts (-want +got):\n%s", diff)
		}
	})
}

// TestALaneHasItsOwnWorkers: jobs that hang hold up nothing that goes another way, and what
// is put off is tried again without counting as an attempt.
func TestALaneHasItsOwnWorkers(t *testing.T) {
	databases.Each(t, func(t *testing.T, u store.URL) {
		t.Parallel()
		db := storetest.Open(t, u)
		q, log := open(t, db)
		release := make(chan struct{})
		numbers, tries := make(chan int, 10), atomic.Int64{}
		other, done := telling("other")
		insert(t, db, q, queue.Job{Kind: "hangs", Lane: "outside"}, queue.Job{Kind: "hangs", Lane: "outside"}, queue.Job{Kind: "other"}, queue.Job{Kind: "other", Lane: "nobody"}, queue.Job{Kind: "busy"})
		stop := run(t, q, queue.Options{Poll: quick, Workers: 1, Lanes: map[string]int{"outside": 1}, Handlers: []queue.Handler{
			{Kind: "hangs", Do: func(context.Context, queue.Attempt) error { <-release; return nil }},
			other,
			{Kind: "busy", Attempts: 2, Do: func(_ context.Context, a queue.Attempt) error {
				numbers <- a.Number
				if tries.Add(1) < 4 {
					return queue.Later(0)
				}
				return nil
			}},
		}})
		next(t, done)
		for range 4 { // more often than it has attempts
			if n := next(t, numbers); n != 1 {
				t.Errorf("attempt %d, want the first", n)
			}
		}
		if n := count(t, db, "queue = 'outside' AND state = 'running'"); n != 1 {
			t.Errorf("%d jobs of the lane run, want 1", n)
		}
		if n := count(t, db, "queue = 'nobody' AND state = 'available'"); n != 1 {
			t.Errorf("%d jobs of a lane that nobody works wait, want 1", n)
		}
		close(release)
		stop()
		if text := log.String(); text != "" {
			t.Errorf("the log: %s", text)
		}
	})
}
