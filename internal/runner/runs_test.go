package runner

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/legwork-mcp/legwork/internal/fault"
	"github.com/legwork-mcp/legwork/internal/wizard"
)

func testExecution(owner, key, print string) *execution {
	id := newRunID()
	return &execution{id: id, owner: owner, key: key, print: print, job: &Job{RunID: id, Entry: &wizard.Entry{Wizard: &wizard.Wizard{WizardID: "w"}}}}
}

// until blocks until its context ends, as a run does.
func until(ctx context.Context) *outcome {
	<-ctx.Done()
	return &outcome{problem: ended(context.Cause(ctx), 1)}
}

func TestIdempotencyKeyReturnsTheSameRun(t *testing.T) {
	rs := newRuns(4, 4, time.Hour, nil)
	first, err := rs.start(testExecution("a", "a\x00k", "p"), until)
	if err != nil {
		t.Fatal(err)
	}
	again, err := rs.start(testExecution("a", "a\x00k", "p"), until)
	if err != nil || again != first {
		t.Errorf("same key: %p %v, want %p", again, err, first)
	}
	if _, err := rs.start(testExecution("a", "a\x00k", "other"), until); fault.From(err).Type != "idempotency_conflict" {
		t.Errorf("same key, other data: %v", err)
	}
	other, err := rs.start(testExecution("b", "b\x00k", "p"), until)
	if err != nil || other == first {
		t.Errorf("another owner's key must not meet: %v", err)
	}
	drainNow(t, rs)
}

func drainNow(t *testing.T, rs *runs) {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if err := rs.drain(ctx); err != nil {
		t.Fatal(err)
	}
}

func TestRunsBelongToTheirOwner(t *testing.T) {
	rs := newRuns(4, 4, time.Hour, nil)
	x, err := rs.start(testExecution("a", "", ""), until)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := rs.get(x.id, "b"); fault.From(err).Type != "run_not_found" {
		t.Errorf("somebody else's run: %v", err)
	}
	if got, err := rs.get(x.id, "a"); err != nil || got != x {
		t.Errorf("own run: %v %v", got, err)
	}
	drainNow(t, rs)
}

func TestDrainCancelsWhatIsLeftAndRefusesNew(t *testing.T) {
	rs := newRuns(4, 4, time.Hour, nil)
	x, err := rs.start(testExecution("a", "", ""), until)
	if err != nil {
		t.Fatal(err)
	}
	drainNow(t, rs)
	out, _ := x.state()
	if out == nil || out.problem.typ != TypeCancelled {
		t.Fatalf("after the drain: %+v", out)
	}
	if _, err := rs.start(testExecution("a", "", ""), until); fault.From(err).Type != "shutting_down" {
		t.Errorf("new run after the drain: %v", err)
	}
}

func TestRunsAreBoundedAndForgotten(t *testing.T) {
	rs := newRuns(1, 1, time.Nanosecond, nil)
	x, err := rs.start(testExecution("a", "", ""), until)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := rs.start(testExecution("a", "", ""), until); fault.From(err).Type != "busy" {
		t.Errorf("over the bound: %v", err)
	}
	x.cancel(errCancelled)
	<-x.done
	if _, err := rs.get(x.id, "a"); err == nil {
		t.Error("a run past its retention is still there")
	}
}

func TestEndedNamesTheCause(t *testing.T) {
	for cause, want := range map[error]string{errDeadline: TypeTimeout, errCancelled: TypeCancelled, errShutdown: TypeCancelled} {
		if p := ended(cause, 3); p.typ != want || p.page != 3 {
			t.Errorf("%v: %s on page %d", cause, p.typ, p.page)
		}
	}
	ctx, cancel := context.WithCancelCause(context.Background())
	cancel(errCancelled)
	if p := asProblem(ctx, errors.New("websocket closed"), 2); p.typ != TypeCancelled {
		t.Errorf("an error after the cancellation is %s", p.typ)
	}
}

// TestKeyOfARunThatSubmittedNothingIsFree: the same key may try again, unless a
// button that submits was pressed.
func TestKeyOfARunThatSubmittedNothingIsFree(t *testing.T) {
	for _, pressed := range []bool{false, true} {
		rs := newRuns(4, 4, time.Hour, nil)
		first, err := rs.start(testExecution("a", "k", "p"), func(context.Context) *outcome {
			return &outcome{problem: failed(TypeNavigation, 0, "no answer"), pressed: pressed}
		})
		if err != nil {
			t.Fatal(err)
		}
		<-first.done
		again, err := rs.start(testExecution("a", "k", "p"), until)
		if err != nil || (again == first) != pressed {
			t.Errorf("pressed %v: the same run %v, %v", pressed, again == first, err)
		}
		drainNow(t, rs)
	}
}

// TestPanicEndsOneRunOnly: the others, and who waits for it, go on.
// A run that submitted nothing is forgotten before the one that had its key next:
// the key still stands for that one.
func TestAForgottenRunTakesNoKeyAlong(t *testing.T) {
	rs := newRuns(4, 4, time.Hour, nil)
	run := func(work func(context.Context) *outcome) *execution {
		t.Helper()
		x, err := rs.start(testExecution("a", "a\x00k", "p"), work)
		if err != nil {
			t.Fatal(err)
		}
		<-x.done
		return x
	}
	failed := run(func(context.Context) *outcome { return &outcome{problem: ended(context.Canceled, 1)} })
	submitted := run(func(context.Context) *outcome { return &outcome{pressed: true} })
	failed.mu.Lock()
	failed.ended = time.Now().Add(-2 * time.Hour)
	failed.mu.Unlock()
	if again := run(func(context.Context) *outcome { return &outcome{pressed: true} }); again != submitted {
		t.Errorf("the key stands for %s, and %s has submitted already", again.id, submitted.id)
	}
}

func TestPanicEndsOneRunOnly(t *testing.T) {
	rs := newRuns(4, 4, time.Hour, nil)
	x, err := rs.start(testExecution("a", "", ""), func(context.Context) *outcome { panic("a value that somebody typed") })
	if err != nil {
		t.Fatal(err)
	}
	<-x.done
	out, _ := x.state()
	if out.problem.typ != TypeInternal || strings.Contains(out.problem.Error(), "somebody typed") {
		t.Errorf("the panic became %v", out.problem)
	}
	drainNow(t, rs)
}

// TestOneCallerLeavesRoomForOthers: who holds his share is refused, somebody else is
// not.
func TestOneCallerLeavesRoomForOthers(t *testing.T) {
	rs := newRuns(3, 2, time.Hour, nil)
	for range 2 {
		if _, err := rs.start(testExecution("a", "", ""), until); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := rs.start(testExecution("a", "", ""), until); fault.From(err).Type != "busy" {
		t.Errorf("a third one: %v", err)
	}
	x, err := rs.start(testExecution("b", "", ""), until)
	if err != nil {
		t.Fatal(err)
	}
	x.cancel(errCancelled)
	<-x.done
	if len(rs.of) != 1 {
		t.Errorf("who has runs: %v", rs.of)
	}
	drainNow(t, rs)
	if len(rs.of) != 0 {
		t.Errorf("afterwards: %v", rs.of)
	}
}
