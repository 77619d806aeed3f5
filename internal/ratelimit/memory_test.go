package ratelimit_test

import (
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/legwork-mcp/legwork/internal/ratelimit"
)

var hourly = ratelimit.Limit{Calls: 20, Per: time.Hour}

// take takes one call and fails the test when the source does.
func take(t *testing.T, s ratelimit.Source, key string, l ratelimit.Limit) ratelimit.Decision {
	t.Helper()
	d, err := s.Take(t.Context(), key, l, 1)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// exhaust takes until a call is refused, and returns how many were not.
func exhaust(t *testing.T, s ratelimit.Source, key string, l ratelimit.Limit) int {
	t.Helper()
	for n := range 1000 {
		if !take(t, s, key, l).Allowed {
			return n
		}
	}
	t.Fatalf("the key %s is never refused", key)
	return 0
}

func TestManyAtOnceTakeExactlyTheBurst(t *testing.T) {
	m := ratelimit.NewMemory(0, newManual().read)
	l := ratelimit.Limit{Calls: 100, Per: time.Hour}
	var allowed atomic.Int64
	var wg sync.WaitGroup
	for range 16 {
		wg.Go(func() {
			for range 50 {
				if d, err := m.Take(t.Context(), "k", l, 1); err == nil && d.Allowed {
					allowed.Add(1)
				}
			}
		})
	}
	wg.Wait()
	if allowed.Load() != 100 {
		t.Errorf("%d calls, want 100", allowed.Load())
	}
}

func TestKeysDoNotShareACount(t *testing.T) {
	m := ratelimit.NewMemory(0, newManual().read)
	for _, key := range []string{"ann execute", "ann list", "bob execute"} {
		if n := exhaust(t, m, key, hourly); n != 20 {
			t.Errorf("%s: %d calls, want 20", key, n)
		}
	}
}

func TestAClockThatGoesBackGrantsNothing(t *testing.T) {
	for _, back := range []time.Duration{time.Second, 30 * time.Minute, 59 * time.Minute, 24 * time.Hour, 365 * 24 * time.Hour} {
		clock := newManual()
		m := ratelimit.NewMemory(0, clock.read)
		start := clock.now
		exhaust(t, m, "k", hourly)
		// The clock jumps ahead, the key is long free and forgotten; then it goes back.
		clock.now = start.Add(back)
		take(t, m, "other", hourly)
		clock.now = start
		for range 3 {
			if d := take(t, m, "k", hourly); d.Allowed {
				t.Errorf("back by %v: a call is allowed again", back)
			}
			clock.now = clock.now.Add(-back)
		}
	}
}

func TestManyKeysDoNotResetOne(t *testing.T) {
	tests := map[string]struct {
		keys, callsOfEach int
	}{
		"a call for each":         {500, 1},
		"more than the victim's":  {500, 20},
		"a few keys again":        {11, 20},
		"exactly as many as room": {10, 20},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			clock := newManual()
			m := ratelimit.NewMemory(10, clock.read)
			exhaust(t, m, "victim", hourly)
			clock.now = clock.now.Add(time.Minute) // whoever comes now outlasts the victim
			for round := range 3 {
				for k := range tt.keys {
					for range tt.callsOfEach {
						take(t, m, fmt.Sprint("hostile", k), hourly)
					}
				}
				if take(t, m, "victim", hourly).Allowed {
					t.Fatalf("round %d: the count is reset", round)
				}
				if m.Len() > 10 {
					t.Fatalf("%d keys are kept", m.Len())
				}
			}
			clock.now = clock.now.Add(hourly.Per / 20)
			if !take(t, m, "victim", hourly).Allowed {
				t.Error("what comes back with time does not come back")
			}
		})
	}
}

// A flood of keys of one tool must not cost the callers of another anything, and
// new callers of the same tool little.
func TestAFloodCostsOthersLittle(t *testing.T) {
	m := ratelimit.NewMemory(10, newManual().read)
	for k := range 1000 {
		take(t, m, fmt.Sprint("hostile", k), hourly)
	}
	if n := exhaust(t, m, "new caller", hourly); n < 14 {
		t.Errorf("a new caller gets %d calls of 20", n)
	}
	if n := exhaust(t, m, "another tool", ratelimit.Limit{Calls: 5, Per: time.Minute}); n != 5 {
		t.Errorf("a caller of another tool gets %d calls, want 5", n)
	}
}

func TestFreeKeysAreForgotten(t *testing.T) {
	clock := newManual()
	m := ratelimit.NewMemory(0, clock.read)
	take(t, m, "the one that stays", ratelimit.Limit{Calls: 100, Per: time.Hour})
	for k := range 100 {
		take(t, m, fmt.Sprint("k", k), hourly)
	}
	clock.now = clock.now.Add(50 * time.Minute)
	take(t, m, "the one that stays", ratelimit.Limit{Calls: 100, Per: time.Hour})
	clock.now = clock.now.Add(20 * time.Minute)
	for range 100 {
		take(t, m, "the one that stays", ratelimit.Limit{Calls: 100, Per: time.Hour})
	}
	if m.Len() != 1 {
		t.Errorf("%d keys are kept, want 1", m.Len())
	}
	if n := exhaust(t, m, "k5", hourly); n != 20 {
		t.Errorf("a forgotten key has %d calls, want 20", n)
	}
}

func TestTheSystemClockIsTheDefault(t *testing.T) {
	m := ratelimit.NewMemory(0, nil)
	daily := ratelimit.Limit{Calls: 2, Per: 24 * time.Hour}
	if n := exhaust(t, m, "k", daily); n != 2 {
		t.Errorf("%d calls, want 2", n)
	}
}
