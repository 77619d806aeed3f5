package serve

import (
	"context"
	"sync"
	"time"

	"github.com/legwork-mcp/legwork/internal/auth"
)

// sessions knows whose each session is and how many there may be, and ends idle
// ones. The SDK keeps the sessions themselves, but does not see all of their calls.
type sessions struct {
	max  int
	each int           // the most of one principal
	idle time.Duration // until one ends that is not used
	live func() map[string]bool
	end  func(id string) // waits for the calls of the session

	ending sync.WaitGroup // sessions that gave way

	mu      sync.Mutex
	closed  bool
	opening int
	known   map[string]*sessionOwner // by session id
}

// sessionOwner is whose a session is.
type sessionOwner struct {
	id   string // of the principal; "" until its first call with a token
	used time.Time
	busy int             // calls that run
	wait *time.Timer     // until the session is idle
	over context.Context // ends with the session
	stop context.CancelFunc
}

func newOwner(principal string) *sessionOwner {
	o := &sessionOwner{id: principal, used: time.Now()}
	o.over, o.stop = context.WithCancel(context.Background()) // not a request's: sessions outlive those
	return o
}

// touch notes that the session is used. It needs the lock of all.
func (o *sessionOwner) touch(idle time.Duration) {
	o.used = time.Now()
	o.wait.Reset(idle)
}

// expire ends a session that nobody used for the idle time.
func (s *sessions) expire(id string, o *sessionOwner) {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case s.closed || s.known[id] != o:
	case o.busy > 0 || time.Since(o.used) < s.idle: // it was used while this waited for the lock
		o.wait.Reset(s.idle)
	default:
		s.giveWay(id)
	}
}

// close waits for the sessions that gave way; none does so afterwards.
func (s *sessions) close() {
	s.mu.Lock()
	s.closed = true
	for id := range s.known {
		s.remove(id)
	}
	s.mu.Unlock()
	s.ending.Wait()
}

// has reports whether the session goes on.
func (s *sessions) has(id string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.known[id] != nil
}

// remove needs the lock. The calls of the session are told to end.
func (s *sessions) remove(id string) {
	if o := s.known[id]; o != nil {
		o.stop()
		o.wait.Stop()
		delete(s.known, id)
	}
}

// giveWay ends a session and does not wait for its calls. It needs the lock.
func (s *sessions) giveWay(id string) {
	s.remove(id)
	s.ending.Go(func() { s.end(id) })
}

// during has cancel called when the session ends before the returned function is
// called. A session that is not known, as in the era without, has no end.
func (s *sessions) during(id string, cancel func()) (done func()) {
	if id == "" {
		return func() {}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	o := s.known[id]
	if o == nil {
		return func() {}
	}
	o.busy++
	stop := context.AfterFunc(o.over, cancel)
	return func() {
		stop()
		s.mu.Lock()
		defer s.mu.Unlock()
		o.busy--
		if s.known[id] == o {
			o.touch(s.idle)
		}
	}
}

// admit reserves a place for a new session of a principal, "" when it is not known
// yet; the caller must call opened. Opening takes no token, so a session that
// nobody has used with one yet gives way: a flood of them must not lock out those
// who have. Then one of the principal's own gives way, and then, for somebody known, one
// of whoever has most.
func (s *sessions) admit(principal string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	live := s.live()
	for id := range s.known {
		if !live[id] {
			s.remove(id)
		}
	}
	// Not those that live: one that is being opened may live already.
	if len(s.known)+s.opening >= s.max && !s.makeRoom() && !s.yield(principal, 1) && (principal == "" || !s.level()) {
		return false
	}
	s.opening++
	return true
}

// makeRoom ends the oldest session that is nobody's.
func (s *sessions) makeRoom() bool {
	oldest := ""
	for id, o := range s.known {
		if o.id == "" && (oldest == "" || o.used.Before(s.known[oldest].used)) {
			oldest = id
		}
	}
	if oldest == "" {
		return false
	}
	s.giveWay(oldest)
	return true
}

// opened gives the reserved place back and notes the session that came of it,
// with the principal who opened it: "" when it is not known yet. id is "" when
// no session came of it.
func (s *sessions) opened(id, principal string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.opening--
	if id == "" {
		return
	}
	if s.known == nil {
		s.known = map[string]*sessionOwner{}
	}
	s.yield(principal, s.each)
	o := newOwner(principal)
	o.wait = time.AfterFunc(s.idle, func() { s.expire(id, o) })
	s.known[id] = o
}

// yield ends the session that was used least lately of a principal who has as many
// as most, so that a caller who opens them without end takes nobody's place but its
// own. It needs the lock. The user of this machine has nobody to yield to.
func (s *sessions) yield(principal string, most int) bool {
	own, last := 0, ""
	for id, o := range s.known {
		if o.id != principal {
			continue
		}
		own++
		if last == "" || o.used.Before(s.known[last].used) {
			last = id
		}
	}
	if principal == "" || principal == auth.LocalIssuer || own < most {
		return false
	}
	s.giveWay(last)
	return true
}

// level ends the session that was used least lately of the principal who has most, unless
// nobody has two: a few who hold all of them must not keep everybody else out. A session
// that works is left alone. It needs the lock.
func (s *sessions) level() bool {
	has, last := map[string]int{}, map[string]string{}
	for id, o := range s.known {
		has[o.id]++
		if old := last[o.id]; o.busy == 0 && (old == "" || o.used.Before(s.known[old].used)) {
			last[o.id] = id
		}
	}
	most := ""
	for principal, n := range has {
		if principal != auth.LocalIssuer && n > max(1, has[most]) && last[principal] != "" {
			most = principal
		}
	}
	if most == "" {
		return false
	}
	s.giveWay(last[most])
	return true
}

// forget notes that a session ends.
func (s *sessions) forget(id string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.remove(id)
}

// use reports whether the session exists and is the principal's. The first one
// who uses a session with a token keeps it. open is for what needs no token. A
// stranger's session looks like none.
func (s *sessions) use(id, principal string, open bool) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	o := s.known[id]
	switch {
	case o == nil:
		return false
	case o.id == "" && principal != "":
		s.yield(principal, s.each)
		o.id = principal
	case principal == "":
		return open || o.id == ""
	}
	if o.id != principal {
		return false
	}
	o.touch(s.idle)
	return true
}

// bound reports whether the session is somebody's.
func (s *sessions) bound(id string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	o := s.known[id]
	return o != nil && o.id != ""
}
