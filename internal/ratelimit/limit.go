package ratelimit

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"time"
	"unicode/utf8"
)

// Limit is how often a key may be taken: Calls in each Per, of which Burst may
// come at once. The zero Limit is no limit, and no source takes it.
type Limit struct {
	Calls int           // the rate is Calls in each Per
	Per   time.Duration // of the rate
	Burst int           // units that may come at once; zero means Calls
}

// Bounds of a limit. They keep every sum below inside 63 bits of nanoseconds
// until the year 2262.
const (
	maxPer  = 366 * 24 * time.Hour
	maxFill = 10 * maxPer // the time in which an empty allowance becomes full
)

// maxKey is the most bytes of a key, so that a bounded number of keys is a
// bounded amount of memory.
const maxKey = 1024

// Check reports a limit that cannot be kept. Its error says what is wrong.
func (l Limit) Check() error {
	switch {
	case l.Calls < 1:
		return errors.New("the calls must be at least 1")
	case l.Per <= 0 || l.Per > maxPer:
		return fmt.Errorf("the time must be more than 0 and at most %v", maxPer)
	case l.Burst < 0:
		return errors.New("the burst must be at least 1")
	case int64(l.burst()) > int64(maxFill)/l.interval():
		return fmt.Errorf("the burst would take longer than %v to come back", maxFill)
	}
	return nil
}

// burst is the most units that may come at once.
func (l Limit) burst() int {
	if l.Burst == 0 {
		return l.Calls
	}
	return l.Burst
}

// interval is the emission interval in nanoseconds: the time in which one unit
// comes back. It is rounded up, so that rounding never allows more.
func (l Limit) interval() int64 {
	calls := int64(l.Calls)
	return (int64(l.Per)-1)/calls + 1
}

// tolerance is the time in nanoseconds for which a whole burst counts.
func (l Limit) tolerance() int64 { return int64(l.burst()) * l.interval() }

// String writes the limit as Parse reads it, such as 100/1h0m0s:burst=10.
func (l Limit) String() string {
	if l == (Limit{}) {
		return off
	}
	text := strconv.Itoa(l.Calls) + "/" + l.Per.String()
	if l.Burst != 0 && l.Burst != l.Calls {
		text += burstMark + strconv.Itoa(l.Burst)
	}
	return text
}

// Decision is the answer to one call.
type Decision struct {
	Allowed bool
	// Limit is the rate: the calls of the limit in its time.
	Limit int
	// Remaining is how many calls of cost 1 would be allowed right after this.
	Remaining int
	// RetryAfter is how long to wait until the same call can be allowed; zero when
	// it was.
	RetryAfter time.Duration
	// ResetAfter is how long until the whole burst is there again.
	ResetAfter time.Duration
}

// decide applies the algorithm to one call of the given cost at now, both times
// in nanoseconds since a common origin. It returns the theoretical arrival time
// to keep, which is tat itself when the call is refused.
//
// In any interval of length w, both ends included, it admits at most
// burst + w/interval units: after the first of k admitted units tat is at least
// that instant plus the interval for each unit, and at the last one it is at most
// that instant plus the tolerance. So an interval of length Per holds at most
// Calls + Burst units, and one less when an end is left out. A clock that goes
// back brings now further from tat and can only refuse more.
func (l Limit) decide(tat, now int64, cost int) (int64, Decision) {
	next := max(tat, now) + int64(cost)*l.interval()
	d := Decision{Limit: l.Calls, Allowed: next-now <= l.tolerance()}
	if d.Allowed {
		tat = next
	} else {
		d.RetryAfter = time.Duration(next - now - l.tolerance())
	}
	ahead := max(0, tat-now)
	d.Remaining = int(max(0, l.tolerance()-ahead) / l.interval())
	d.ResetAfter = time.Duration(ahead)
	return tat, d
}

// checkTake refuses calls that are mistakes of the program or of its settings.
// Sources that keep keys in different ways must refuse the same ones.
func checkTake(key string, l Limit, cost int) error {
	if err := l.Check(); err != nil {
		return fmt.Errorf("rate limit %v: %w", l, err)
	}
	if cost < 1 || cost > l.burst() {
		return fmt.Errorf("rate limit %v: a call that costs %d can never be allowed: the cost must be from 1 to the burst, %d", l, cost, l.burst())
	}
	if key == "" || len(key) > maxKey || !utf8.ValidString(key) || containsNUL(key) {
		return fmt.Errorf("rate limit: the key must be 1 to %d bytes of UTF-8 without NUL", maxKey)
	}
	return nil
}

// containsNUL finds the one character that a database may refuse in a text.
func containsNUL(s string) bool {
	for i := range len(s) {
		if s[i] == 0 {
			return true
		}
	}
	return false
}

// never is before every instant: the arrival time of a key that was never taken.
const never = math.MinInt64 / 2
