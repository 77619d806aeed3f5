package serve

import "sync"

// sessions knows who opened which session and how many there may be. The SDK
// keeps the sessions themselves and ends idle ones.
type sessions struct {
	max  int
	live func() map[string]bool

	mu      sync.Mutex
	opening int
	owner   map[string]string // session id -> ID of the principal
}

// admit reserves a place for a new session. The caller must release it.
func (s *sessions) admit() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	live := s.live()
	for id := range s.owner {
		if !live[id] {
			delete(s.owner, id)
		}
	}
	if len(live)+s.opening >= s.max {
		return false
	}
	s.opening++
	return true
}

// opened binds a session to the subject that opened it and gives the reserved
// place back; id is "" when no session came of it.
func (s *sessions) opened(id, subject string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.opening--
	if id == "" {
		return
	}
	if s.owner == nil {
		s.owner = map[string]string{}
	}
	s.owner[id] = subject
}

// owned reports whether the session exists and is the subject's. A stranger's
// session looks like none.
func (s *sessions) owned(id, subject string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	owner, ok := s.owner[id]
	return ok && owner == subject
}
