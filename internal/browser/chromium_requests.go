package browser

import (
	"net/http"
	"strings"

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
	RequestID string  `json:"requestId"`
	FrameID   FrameID `json:"frameId"`
	Type      string  `json:"type"`
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
	document := e.Type == "Document"
	b.tab.begin(b.view, begun{
		id: e.RequestID, session: b.session.id, url: e.Request.URL, loader: e.LoaderID,
		document: document, main: document && e.FrameID == b.view.main && e.RequestID == e.LoaderID,
		ignored: endless(e.Type),
	})
}

// The request of a main document bears the name of its load.
func (b *branch) responseReceived(e responseEvent) {
	a := answer{url: e.Response.URL, status: e.Response.Status, worker: e.Response.Worker}
	b.view.load(e.RequestID, func(*load) { a.headers = headerOf(e.Response.Headers) })
	b.tab.answered(b.view, e.RequestID, e.RequestID, a)
	if e.Type == "Document" {
		b.frameAnswered(e)
	}
}

// frameAnswered notes the load of a frame that the guard refused, or could not connect.
// Its words are what the frame shows then.
func (b *branch) frameAnswered(e responseEvent) {
	f := b.tab.frames[e.FrameID]
	if f == nil || !strings.HasPrefix(e.Response.URL, "http://") || e.Response.Worker {
		return // only to these can the guard give an answer of its own
	}
	if netError, refused := b.tab.guard.verdict(headerOf(e.Response.Headers)); netError != "" || refused != "" {
		f.unserved = unserved{loader: e.RequestID, url: e.Response.URL}
	}
}

// headerOf reads header fields; the browser joins those of one name by line breaks.
func headerOf(fields map[string]any) http.Header {
	h := http.Header{}
	for name, value := range fields {
		text, _ := value.(string)
		for line := range strings.SplitSeq(text, "\n") {
			h.Add(name, line)
		}
	}
	return h
}

func (b *branch) loadingFinished(e finishedEvent) { b.tab.ended(b.view, e.RequestID) }

func (b *branch) loadingFailed(e failedEvent) {
	b.tab.broken(b.view, e.RequestID, e.RequestID, e.ErrorText)
}

// orphaned drops the requests that this session will not report the end of.
func (b *branch) orphaned() { b.tab.orphaned(b.view, b.session.id) }
