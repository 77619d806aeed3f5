package scout

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"sync"
	"time"

	"github.com/legwork-mcp/legwork/internal/fault"
)

// sessions is the registry of what is being explored. A session belongs to the
// caller who started it; for everybody else it does not exist.
type sessions struct {
	set   Settings
	log   *slog.Logger
	clock func() time.Time
	// patience is how long a call waits for another one on the same session.
	patience time.Duration

	mu     sync.Mutex
	byID   map[string]*session
	closed bool
	stop   context.CancelFunc // of the reaper, once there is one
	wg     sync.WaitGroup
}

// defaultPatience is shorter than what clients wait for a reply.
const defaultPatience = 20 * time.Second

func newSessions(set Settings, log *slog.Logger, clock func() time.Time) *sessions {
	return &sessions{set: set, log: log, clock: clock, patience: defaultPatience, byID: map[string]*session{}}
}

// card is what can be told about a session while somebody works on it.
type card struct {
	place   string
	title   string
	pages   int
	partial string
	live    bool
	used    time.Time
}

// add registers a session whose turn the caller has.
func (r *sessions) add(x *session) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.closed {
		return fault.New(fault.Unavailable, "shutting_down", "The server is shutting down and starts no new sessions.",
			"Try again in a few seconds.").WithRetryAfter(5 * time.Second)
	}
	if old := r.byID[x.id]; old != nil {
		return fault.New(fault.Conflict, "busy", "The session is being resumed by another call.", "Wait for that call to end.").WithRetryAfter(5 * time.Second)
	}
	if err := r.room(x.owner); err != nil {
		return err
	}
	x.card.used = r.clock()
	r.byID[x.id] = x
	if r.stop == nil {
		r.reaper()
	}
	return nil
}

// room needs the lock. Only the caller's own sessions are named.
func (r *sessions) room(owner string) error {
	var own []string
	for _, x := range r.sorted(owner) {
		own = append(own, fmt.Sprintf("%s (%s)", x.id, x.start))
	}
	if len(r.byID) < r.set.Sessions && len(own) < r.set.PerCaller {
		return nil
	}
	message := fmt.Sprintf("All %d sessions of this server are in use.", r.set.Sessions)
	action := "Try again when one of them has ended; idle ones end by themselves."
	if len(own) >= r.set.PerCaller {
		message = fmt.Sprintf("You have %d sessions open, the most that one caller may have.", len(own))
	}
	if len(own) > 0 {
		action = "Close one of yours with federalscout_close_session: " + list(own, 10) + "."
	}
	return fault.New(fault.Limited, "too_many_sessions", message, action).WithData("sessions", own).WithRetryAfter(time.Minute)
}

// sorted are the sessions of one owner, the oldest first. It needs the lock.
func (r *sessions) sorted(owner string) []*session {
	var out []*session
	for _, x := range r.byID {
		if x.owner == owner {
			out = append(out, x)
		}
	}
	slices.SortFunc(out, func(a, b *session) int {
		return cmp.Or(a.opened.Compare(b.opened), cmp.Compare(a.id, b.id))
	})
	return out
}

// of lists what one owner has open, with their cards.
func (r *sessions) of(owner string) ([]*session, []card) {
	r.mu.Lock()
	defer r.mu.Unlock()
	all := r.sorted(owner)
	cards := make([]card, len(all))
	for i, x := range all {
		cards[i] = x.card
	}
	return all, cards
}

func unknownSession() error {
	return fault.New(fault.NotFound, "invalid_session", "There is no session of yours with this session_id: it was never started, was closed, or nobody used it for too long.",
		"federalscout_list_sessions shows yours and those that federalscout_resume_session can bring back; federalscout_start_discovery starts a new one.")
}

// find returns a session of this owner.
func (r *sessions) find(id, owner string) (*session, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	x := r.byID[id]
	if x == nil || x.owner != owner {
		return nil, unknownSession()
	}
	return x, nil
}

// take waits for the turn of a session. The caller gives it back with done.
func (r *sessions) take(ctx context.Context, x *session) error {
	timer := time.NewTimer(r.patience)
	defer timer.Stop()
	select {
	case x.turn <- struct{}{}:
	case <-timer.C:
		return fault.New(fault.Conflict, "busy", "Another call works on this session and has not ended yet.",
			"Send one call at a time for a session; try again when the other one has answered.").WithRetryAfter(5 * time.Second)
	case <-ctx.Done():
		return ctx.Err()
	}
	r.mu.Lock()
	gone := r.byID[x.id] != x
	r.mu.Unlock()
	if gone {
		<-x.turn
		return unknownSession()
	}
	return nil
}

// done gives the turn back and notes what can be told about the session.
func (r *sessions) done(x *session) {
	r.mu.Lock()
	x.card = card{place: x.place.URL, title: x.place.Title, pages: len(x.pages), partial: x.partial, live: x.tab != nil, used: r.clock()}
	r.mu.Unlock()
	<-x.turn
}

// remove takes a session out; the caller has its turn and closes it.
func (r *sessions) remove(x *session) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.byID[x.id] == x {
		delete(r.byID, x.id)
	}
}

// The reaper looks this often for sessions that nobody uses.
const (
	reapShare   = 10
	slowestReap = 30 * time.Second
	fastestReap = 10 * time.Millisecond
)

// reaper needs the lock. It runs until drain.
func (r *sessions) reaper() {
	ctx, cancel := context.WithCancel(context.Background())
	r.stop = cancel
	r.wg.Go(func() {
		ticker := time.NewTicker(min(max(r.set.Idle/reapShare, fastestReap), slowestReap))
		defer ticker.Stop()
		for {
			select {
			case <-ctx.Done():
				return
			case <-ticker.C:
				r.reap(ctx)
			}
		}
	})
}

// reap ends the sessions that nobody has used for too long. One that somebody
// works on is used.
func (r *sessions) reap(ctx context.Context) {
	for _, x := range r.idle() {
		select {
		case x.turn <- struct{}{}:
		default:
			continue
		}
		r.remove(x)
		if err := x.close(ctx); err != nil {
			r.log.Warn("closing an idle session", "session", x.id, "error", err)
		}
		<-x.turn
	}
}

func (r *sessions) idle() []*session {
	r.mu.Lock()
	defer r.mu.Unlock()
	var out []*session
	for _, x := range r.byID {
		if r.clock().Sub(x.card.used) > r.set.Idle {
			out = append(out, x)
		}
	}
	return out
}

// drain ends everything: see Server.Drain. Calls in flight get until ctx ends.
func (r *sessions) drain(ctx context.Context) error {
	r.mu.Lock()
	r.closed = true
	stop := r.stop
	var all []*session
	for _, x := range r.byID {
		all = append(all, x)
	}
	r.mu.Unlock()
	if stop != nil {
		stop()
	}
	r.wg.Wait()
	var errs []error
	for _, x := range all {
		select {
		case x.turn <- struct{}{}:
		case <-ctx.Done():
			x.abort() // the call that has the turn ends with it
			x.turn <- struct{}{}
		}
		r.remove(x)
		errs = append(errs, x.close(ctx))
		<-x.turn
	}
	return errors.Join(errs...)
}
