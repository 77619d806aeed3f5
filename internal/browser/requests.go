package browser

import (
	"net/http"
	"strings"
	"time"
)

// request is one that has no complete answer yet.
type request struct {
	loader   string
	session  string // the engine's connection that reports it
	document bool   // of the page or of a frame, and not the one that is shown
	caused   bool   // by input, see reaction
	number   int    // in the order in which they begin
}

// load is how a main document is loaded, or was.
type load struct {
	loader   string // the engine's name for the load
	url      string // after redirects
	status   int
	netError string
	refused  string
	headers  http.Header // of the answer
}

// begun is a request at its start.
type begun struct {
	id, session, url string
	// loader names the document that the request belongs to, or that it loads.
	loader string
	// document of the page or of a frame; main: of the page.
	document, main bool
	// ignored when nobody waits for its end.
	ignored bool
}

// begin takes in a request, or where a redirect leads it. The caller holds the lock.
func (t *Tab) begin(v *view, r begun) {
	if r.main {
		v.loading = load{loader: r.loader, url: r.url}
	}
	t.counts.activity = time.Now()
	if r.ignored || strings.HasPrefix(r.url, "data:") {
		return
	}
	t.counts.requests++
	v.requests[r.id] = request{
		number: t.counts.requests,
		loader: r.loader, session: r.session, document: r.document,
		caused: t.reacting(), // a redirect is still there under its own id
	}
}

// answer is the beginning of one.
type answer struct {
	url     string
	status  int
	headers http.Header
	worker  bool // a script of the site made it
}

// answered takes in the beginning of an answer. main names the load of the document
// that the request is for, if it is one. The caller holds the lock.
func (t *Tab) answered(v *view, id, main string, a answer) {
	if r, ok := v.requests[id]; ok && r.document {
		r.document = false
		v.requests[id] = r
	}
	v.load(main, func(l *load) {
		l.status, l.headers = a.status, a.headers
		l.netError, l.refused = "", ""
		// Only these can come from the guard: what is encrypted it cannot write,
		// and in what it forwards it strikes out a mark that is not its own.
		if strings.HasPrefix(a.url, "http://") && !a.worker {
			l.netError, l.refused = t.guard.verdict(a.headers)
		}
	})
}

// broken takes in that a request failed. The caller holds the lock.
func (t *Tab) broken(v *view, id, main, text string) {
	v.load(main, func(l *load) {
		l.netError, l.refused = t.guard.explain(l.url, text)
	})
	t.ended(v, id)
}

// load applies fn to the main document that a load brings, if it does.
func (v *view) load(loader string, fn func(*load)) {
	if v.loading.loader == loader {
		fn(&v.loading)
	}
	if v.shown.loader == loader {
		fn(&v.shown)
	}
}

// ended takes out a request. The caller holds the lock.
func (t *Tab) ended(v *view, id string) {
	if _, ok := v.requests[id]; !ok {
		return
	}
	t.drop(v, id)
	t.idle()
}

// orphaned drops the requests of a session that will not report their end. The
// caller holds the lock.
func (t *Tab) orphaned(v *view, session string) {
	before := len(v.requests)
	for id, r := range v.requests {
		if r.session == session {
			t.drop(v, id)
		}
	}
	if before != len(v.requests) {
		t.idle()
	}
}

// idle notes that a request has ended. The caller holds the lock.
func (t *Tab) idle() {
	t.counts.activity = time.Now()
	if t.inFlight() == 0 {
		t.counts.idles++
	}
}

// inFlight is the number of requests of the current window, and of those that
// may become the page. The caller holds the lock.
func (t *Tab) inFlight() int { return t.begunAfter(0) }

// begunAfter is inFlight for the requests that came after the one of a number.
func (t *Tab) begunAfter(number int) int {
	n := 0
	if time.Now().Before(t.unheard) {
		n = 1
	}
	count := func(v *view) {
		for _, r := range v.requests {
			if r.number > number {
				n++
			}
		}
	}
	if v := t.current(); v != nil {
		count(v)
	}
	for _, v := range t.popups {
		count(v)
	}
	return n
}

// Pending is the number of requests in flight that began after a state of the
// document.
func (t *Tab) Pending(since Doc) int {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.begunAfter(since.Requests)
}
