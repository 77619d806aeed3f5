package practice

import (
	"crypto/rand"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"sync"
	"time"
)

const (
	maxSessions    = 2_000
	defaultTimeout = 20 * time.Minute
)

// progress is one visitor's way through one form, kept on the server.
type progress struct {
	flow    *flow
	rec     *recorder
	timeout time.Duration // until the page asks "Are you still there?"

	mu      sync.Mutex
	answers answers
	done    []string // accepted paths, in order
	extra   map[string]any
	ended   *outcome
}

// enter returns the step at path if the visitor may see it: every step of the
// route before it was accepted.
func (p *progress) enter(path string) (*step, bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.reach(path)
}

func (p *progress) reach(path string) (*step, bool) {
	for _, s := range p.flow.route(p.answers) {
		if s.Path == path {
			return s, true
		}
		if !slices.Contains(p.done, s.Path) {
			return nil, false
		}
	}
	return nil, false
}

// position tells where path is on the visitor's route, as "step n of m".
func (p *progress) position(path string) (n, total int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	route := p.flow.route(p.answers)
	return 1 + slices.IndexFunc(route, func(s *step) bool { return s.Path == path }), len(route)
}

// known returns a copy of the answers so far.
func (p *progress) known() answers {
	p.mu.Lock()
	defer p.mu.Unlock()
	return maps.Clone(p.answers)
}

// submit judges a posted page. It returns the next path, empty after the last
// page, or the complaints.
func (p *progress) submit(path string, form url.Values) (next string, complaints []complaint, ok bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	s, ok := p.reach(path)
	if !ok || p.ended != nil {
		return "", nil, false
	}
	r := s.collect(p.answers, form)
	maps.Copy(p.extra, r.extra)
	if len(r.complaints) > 0 {
		return "", r.complaints, true
	}
	p.answers = r.answers
	if i := slices.Index(p.done, path); i >= 0 {
		p.done = p.done[:i]
	}
	p.done = append(p.done, path)
	route := p.flow.route(p.answers)
	at := slices.Index(route, s)
	if at+1 < len(route) {
		return route[at+1].Path, nil, true
	}
	p.finish()
	return "", nil, true
}

// finish answers and records, once.
func (p *progress) finish() {
	out := p.flow.Answer(p.answers)
	out.Reference = p.rec.record(Submission{
		Site: p.flow.Site, Data: p.flow.data(p.answers), Pages: p.done, Answer: out.Values, Extra: p.extra,
	})
	p.ended = &out
}

// result returns the answer of a completed form.
func (p *progress) result() (outcome, bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.ended == nil {
		return outcome{}, false
	}
	return *p.ended, true
}

// sessions finds a visitor's progress by cookie. The oldest go first.
type sessions struct {
	mu    sync.Mutex
	byID  map[string]*progress
	order []string
}

func newSessions() *sessions { return &sessions{byID: map[string]*progress{}} }

// start begins a form anew and sets its cookie. The query's timeout_ms changes
// when the page asks whether somebody is there.
func (s *sessions) start(w http.ResponseWriter, r *http.Request, p *progress) {
	p.timeout, p.answers, p.extra = defaultTimeout, answers{}, map[string]any{}
	if ms, ok := wholeNumber(r.URL.Query().Get("timeout_ms")); ok && ms > 0 {
		p.timeout = time.Duration(ms) * time.Millisecond
	}
	id := rand.Text()
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.order) >= maxSessions {
		delete(s.byID, s.order[0])
		s.order = slices.Delete(s.order, 0, 1)
	}
	s.byID[id] = p
	s.order = append(s.order, id)
	http.SetCookie(w, &http.Cookie{
		Name: cookieName(p.flow.Site), Value: id, Path: "/", HttpOnly: true, SameSite: http.SameSiteLaxMode,
	})
}

// find returns the visitor's progress through a form, or nil.
func (s *sessions) find(r *http.Request, site string) *progress {
	c, err := r.Cookie(cookieName(site))
	if err != nil {
		return nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.byID[c.Value]
}

// end forgets the visitor.
func (s *sessions) end(r *http.Request, site string) {
	c, err := r.Cookie(cookieName(site))
	if err != nil {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.byID, c.Value)
	if i := slices.Index(s.order, c.Value); i >= 0 {
		s.order = slices.Delete(s.order, i, i+1)
	}
}

func cookieName(site string) string { return "practice_" + site }

func (p *progress) timeoutMillis() string { return strconv.FormatInt(p.timeout.Milliseconds(), 10) }
