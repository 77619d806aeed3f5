package browser

import (
	"strings"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/network"
)

// The events of requests are many and large. These types take in only the few
// fields that count.
var (
	requestWillBeSent = cdp.Event[requestEvent]{Method: network.RequestWillBeSent.Method}
	responseReceived  = cdp.Event[responseEvent]{Method: network.ResponseReceived.Method}
	loadingFinished   = cdp.Event[finishedEvent]{Method: network.LoadingFinished.Method}
	loadingFailed     = cdp.Event[failedEvent]{Method: network.LoadingFailed.Method}
)

type requestEvent struct {
	RequestID string  `json:"requestId"`
	LoaderID  string  `json:"loaderId"`
	FrameID   FrameID `json:"frameId"`
	Type      string  `json:"type"`
	Request   struct {
		URL string `json:"url"`
	} `json:"request"`
}

type responseEvent struct {
	RequestID string `json:"requestId"`
	Type      string `json:"type"`
	Response  struct {
		URL     string         `json:"url"`
		Status  int            `json:"status"`
		Headers map[string]any `json:"headers"`
		// Worker: a script of the site made the answer.
		Worker bool `json:"fromServiceWorker"`
	} `json:"response"`
}

type finishedEvent struct {
	RequestID string `json:"requestId"`
}

type failedEvent struct {
	RequestID string `json:"requestId"`
	ErrorText string `json:"errorText"`
}

// request is one that has no complete answer yet.
type request struct {
	loader   string
	session  *session
	document bool // of the page or of a frame, and not the one that is shown
	caused   bool // by input, see reaction
	number   int  // in the order in which they begin
}

// load is how a main document is loaded, or was.
type load struct {
	loader   string // also the id of its request
	url      string // after redirects
	status   int
	netError string
	refused  string
	headers  map[string]any // of the answer, as the browser tells them
}

// endless are the kinds of request that say nothing about whether a page is
// busy: they stay open, or nobody waits for them.
func endless(kind string) bool {
	switch kind {
	case "EventSource", "WebSocket", "Ping", "Prefetch", "Media", "CSPViolationReport":
		return true
	}
	return false
}

func (b *branch) requestSent(e requestEvent) {
	v := b.view
	if e.Type == "Document" && e.FrameID == v.main && e.RequestID == e.LoaderID {
		v.loading = load{loader: e.LoaderID, url: e.Request.URL}
	}
	b.tab.counts.activity = time.Now()
	if !endless(e.Type) && !strings.HasPrefix(e.Request.URL, "data:") {
		b.tab.counts.requests++
		v.requests[e.RequestID] = request{
			number: b.tab.counts.requests,
			loader: e.LoaderID, session: b.session, document: e.Type == "Document",
			caused: b.tab.reacting(), // a redirect is still there under its own id
		}
	}
}

func (b *branch) responseReceived(e responseEvent) {
	if r, ok := b.view.requests[e.RequestID]; ok && r.document {
		r.document = false
		b.view.requests[e.RequestID] = r
	}
	b.load(e.RequestID, func(l *load) {
		l.status, l.headers = e.Response.Status, e.Response.Headers
		l.netError, l.refused = "", ""
		// Only these can come from the guard: what is encrypted it cannot write,
		// and in what it forwards it strikes out a mark that is not its own.
		if strings.HasPrefix(e.Response.URL, "http://") && !e.Response.Worker {
			l.netError, l.refused = b.tab.guard.verdict(e.Response.Headers)
		}
	})
}

func (b *branch) loadingFinished(e finishedEvent) { b.ended(e.RequestID) }

func (b *branch) loadingFailed(e failedEvent) {
	b.load(e.RequestID, func(l *load) {
		l.netError, l.refused = b.tab.guard.explain(l.url, e.ErrorText)
	})
	b.ended(e.RequestID)
}

// load applies fn to the main document that a request loads, if it does.
func (b *branch) load(requestID string, fn func(*load)) {
	if b.view.loading.loader == requestID {
		fn(&b.view.loading)
	}
	if b.view.shown.loader == requestID {
		fn(&b.view.shown)
	}
}

func (b *branch) ended(requestID string) {
	v := b.view
	if _, ok := v.requests[requestID]; !ok {
		return
	}
	b.tab.drop(v, requestID)
	b.tab.idle()
}

// orphaned drops the requests of a session that will not report their end.
func (b *branch) orphaned() {
	before := len(b.view.requests)
	for id, r := range b.view.requests {
		if r.session == b.session {
			b.tab.drop(b.view, id)
		}
	}
	if before != len(b.view.requests) {
		b.tab.idle()
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
