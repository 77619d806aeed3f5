package ratelimit_test

import (
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/legwork-mcp/legwork/internal/ratelimit"
)

// step is one call of a sequence: some time after the last one, at some cost.
type step struct {
	after time.Duration
	cost  int
}

// manual is a clock that stands still until it is told to move.
type manual struct{ now time.Time }

func newManual() *manual { return &manual{time.Date(2026, 1, 15, 14, 0, 0, 0, time.UTC)} }

func (m *manual) read() time.Time { return m.now }

// interval is the time in which one unit comes back, rounded up.
func interval(l ratelimit.Limit) time.Duration {
	return (l.Per + time.Duration(l.Calls) - 1) / time.Duration(l.Calls)
}

func burst(l ratelimit.Limit) int {
	if l.Burst == 0 {
		return l.Calls
	}
	return l.Burst
}

// admitted is a call that was let through.
type admitted struct {
	at   time.Time
	cost int
}

// within adds up what was admitted in the closed interval that begins at i.
func within(all []admitted, i int, length time.Duration) int {
	sum := 0
	for _, a := range all[i:] {
		if a.at.Sub(all[i].at) <= length {
			sum += a.cost
		}
	}
	return sum
}

// checkSequence runs the steps and compares every answer with two independent
// readings of the rule: a bucket that leaks as time goes by, and the count of
// every interval that begins with an admitted call.
func checkSequence(t *testing.T, l ratelimit.Limit, steps []step) {
	t.Helper()
	clock := newManual()
	m := ratelimit.NewMemory(0, clock.read)
	var all []admitted
	var level time.Duration // how full the bucket is, in the time it takes to leak out
	size := time.Duration(burst(l)) * interval(l)
	for i, s := range steps {
		clock.now = clock.now.Add(s.after)
		level = max(0, level-s.after)
		want := ratelimit.Decision{Limit: l.Calls, Allowed: level+time.Duration(s.cost)*interval(l) <= size}
		if want.Allowed {
			level += time.Duration(s.cost) * interval(l)
			all = append(all, admitted{clock.now, s.cost})
		} else {
			want.RetryAfter = level + time.Duration(s.cost)*interval(l) - size
		}
		want.ResetAfter, want.Remaining = level, int((size-level)/interval(l))
		got, err := m.Take(t.Context(), "k", l, s.cost)
		if err != nil {
			t.Fatalf("%v, step %d: %v", l, i, err)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatalf("%v, step %d %+v (-want +got):\n%s", l, i, s, diff)
		}
	}
	for i := range all {
		for _, length := range []time.Duration{0, interval(l), l.Per / 2, l.Per, 3 * l.Per} {
			if n, most := within(all, i, length), burst(l)+int(length/interval(l)); n > most {
				t.Errorf("%v: %d units in %v, at most %d", l, n, length, most)
			}
		}
		if n := within(all, i, l.Per); n > l.Calls+burst(l) {
			t.Errorf("%v: %d units in %v", l, n, l.Per)
		}
	}
}

func TestNoIntervalHoldsMoreThanTheBound(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for range 400 {
		l := ratelimit.Limit{
			Calls: 1 + random.IntN(20), Per: 1 + time.Duration(random.Int64N(int64(time.Hour))), Burst: random.IntN(12),
		}
		var steps []step
		for range 150 {
			after := time.Duration(random.Int64N(int64(3 * interval(l))))
			if random.IntN(3) == 0 {
				after = 0
			}
			steps = append(steps, step{after, 1 + random.IntN(burst(l))})
		}
		checkSequence(t, l, steps)
	}
}

func FuzzSequences(f *testing.F) {
	f.Add(3, int64(time.Second), 0, []byte{0, 1, 2, 250, 0, 0, 17})
	f.Add(7, int64(10), 2, []byte{1, 1, 1, 0, 0, 0})
	f.Add(20, int64(time.Hour), 1, []byte{255, 255, 0, 0})
	f.Fuzz(func(t *testing.T, calls int, per int64, most int, moves []byte) {
		l := ratelimit.Limit{Calls: calls, Per: time.Duration(per), Burst: most}
		if l.Check() != nil || len(moves) > 200 {
			return
		}
		var steps []step
		for _, m := range moves {
			steps = append(steps, step{time.Duration(m>>2) * interval(l) / 16, 1 + int(m&3)%burst(l)})
		}
		checkSequence(t, l, steps)
	})
}

// The largest interval of all is reached: the bound is exact, not only safe.
func TestTheBoundIsReached(t *testing.T) {
	l := ratelimit.Limit{Calls: 20, Per: time.Hour}
	clock := newManual()
	m := ratelimit.NewMemory(0, clock.read)
	first := clock.now
	n := 0
	for !clock.now.After(first.Add(l.Per)) {
		if d, err := m.Take(t.Context(), "k", l, 1); err != nil {
			t.Fatal(err)
		} else if d.Allowed {
			n++
			continue
		}
		clock.now = clock.now.Add(time.Minute)
	}
	if n != 40 {
		t.Errorf("%d calls in an hour and its end, want 20 at once and 20 that came back", n)
	}
}

func TestMistakesAreErrors(t *testing.T) {
	good := ratelimit.Limit{Calls: 10, Per: time.Minute, Burst: 3}
	tests := map[string]struct {
		key   string
		limit ratelimit.Limit
		cost  int
		want  string
	}{
		"no limit":         {"k", ratelimit.Limit{}, 1, "calls must be at least 1"},
		"no calls":         {"k", ratelimit.Limit{Per: time.Hour}, 1, "calls must be at least 1"},
		"negative calls":   {"k", ratelimit.Limit{Calls: -1, Per: time.Hour}, 1, "calls must be at least 1"},
		"no time":          {"k", ratelimit.Limit{Calls: 1}, 1, "time must be more than 0"},
		"a century":        {"k", ratelimit.Limit{Calls: 1, Per: 100 * 366 * 24 * time.Hour}, 1, "time must be more than 0 and at most"},
		"negative burst":   {"k", ratelimit.Limit{Calls: 1, Per: time.Hour, Burst: -1}, 1, "burst must be at least 1"},
		"an endless burst": {"k", ratelimit.Limit{Calls: 1, Per: time.Hour, Burst: 1 << 62}, 1, "burst would take longer"},
		"a cost too high":  {"k", good, 4, "from 1 to the burst, 3"},
		"no cost":          {"k", good, 0, "from 1 to the burst, 3"},
		"a gift":           {"k", good, -1, "from 1 to the burst, 3"},
		"no key":           {"", good, 1, "the key must be"},
		"a long key":       {strings.Repeat("k", 1025), good, 1, "the key must be"},
		"half a character": {"k\xff", good, 1, "the key must be"},
		"a NUL":            {"k\x00", good, 1, "the key must be"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			m := ratelimit.NewMemory(0, nil)
			d, err := m.Take(t.Context(), tt.key, tt.limit, tt.cost)
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("error %v, want %q in it", err, tt.want)
			}
			if d.Allowed || m.Len() != 0 {
				t.Errorf("decided all the same: %+v, %d keys", d, m.Len())
			}
		})
	}
}
