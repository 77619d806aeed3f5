package browser

import (
	"encoding/json"
	"maps"
	"net/http"
	"slices"
	"strings"

	"github.com/legwork-mcp/legwork/internal/browser/bidi"
)

// requestSent takes in a request, or where a redirect leads it.
func (t *firefoxTab) requestSent(e bidi.RequestInfo) {
	v, f := t.viewOf(e.Context)
	if f == nil {
		return // of a worker or of the browser itself
	}
	document := e.Navigation != ""
	loader := e.Navigation
	if !document {
		loader = v.loader
		// Requests of a document can be told before that it is shown.
		if v.loading.status != 0 && v.loading.loader != v.loader {
			loader = v.loading.loader
		}
	}
	t.begin(v, begun{
		id: e.Request.Request, session: string(f.id), url: e.Request.URL, loader: loader,
		document: document, main: document && f.id == v.main, ignored: foxEndless(e),
	})
}

// foxEndless tells the requests that say nothing about whether a page is busy.
func foxEndless(e bidi.RequestInfo) bool {
	switch e.Request.Destination {
	case "audio", "video", "report":
		return true
	}
	if e.Request.Initiator == "beacon" || e.Request.Initiator == "ping" {
		return true
	}
	h := bidi.HeaderOf(e.Request.Headers)
	return h.Get("Accept") == "text/event-stream" || strings.EqualFold(h.Get("Upgrade"), "websocket") ||
		h.Get("Sec-Purpose") != "" || strings.Contains(h.Get("Content-Type"), "csp-report")
}

func (t *firefoxTab) responseStarted(e bidi.RequestInfo) {
	v, f := t.viewOf(e.Context)
	if f == nil {
		return
	}
	t.answered(v, e.Request.Request, foxMain(v, f, e), answer{
		url: e.Response.URL, status: e.Response.Status, headers: bidi.HeaderOf(e.Response.Headers),
	})
}

// foxMain names the load of the main document that a request is for, if it is one.
func foxMain(v *view, f *frame, e bidi.RequestInfo) string {
	if f.id != v.main || e.Navigation == "" {
		return "none"
	}
	return e.Navigation
}

func (t *firefoxTab) responseCompleted(e bidi.RequestInfo) {
	v, f := t.viewOf(e.Context)
	if f == nil || foxRedirects(e) {
		return
	}
	if trip, ok := t.underway[f.id]; ok && trip.navigation == e.Navigation {
		trip.request = e.Request.Request
		t.underway[f.id] = trip
		return
	}
	t.ended(v, e.Request.Request)
}

// foxRedirects tells whether the same request goes on to another address.
func foxRedirects(e bidi.RequestInfo) bool {
	switch e.Response.Status {
	case http.StatusMovedPermanently, http.StatusFound, http.StatusSeeOther, http.StatusTemporaryRedirect, http.StatusPermanentRedirect:
		return bidi.HeaderOf(e.Response.Headers).Get("Location") != ""
	}
	return false
}

func (t *firefoxTab) fetchError(e bidi.RequestInfo) {
	v, f := t.viewOf(e.Context)
	if f == nil {
		return
	}
	word := foxWords(e.ErrorText)
	t.broken(v, e.Request.Request, foxMain(v, f, e), word)
	if word == "net::ERR_ABORTED" && e.Navigation != "" && t.underway[f.id].navigation == e.Navigation {
		t.navigationGivenUp(bidi.NavigationInfo{Context: e.Context, Navigation: e.Navigation})
	}
}

// answerIntercepted lets a request go on that the browser holds, and reports
// whether that was all there is to do. It needs no tab: no request may be left held.
func (p *foxProcess) answerIntercepted(method string, params json.RawMessage) bool {
	if method != bidi.AuthRequired && method != bidi.BeforeRequestSent {
		return false
	}
	var e bidi.RequestInfo
	if json.Unmarshal(params, &e) != nil || !e.Blocked {
		return method == bidi.AuthRequired
	}
	if method == bidi.AuthRequired {
		bidi.Post(p.conn, bidi.ContinueWithAuth, bidi.AuthParams{Request: e.Request.Request, Action: "cancel"})
		return true
	}
	p.mu.Lock()
	t := p.tab
	p.mu.Unlock()
	next := bidi.ContinueParams{Request: e.Request.Request}
	if t != nil {
		t.mu.Lock()
		next.Headers = foxHeaders(e, t.options.Headers)
		t.mu.Unlock()
	}
	bidi.Post(p.conn, bidi.ContinueRequest, next)
	return false
}

// foxHeaders are the fields of a request with those of its origin, and without
// those that a redirect brought along from another; nil when nothing changes.
func foxHeaders(e bidi.RequestInfo, all map[string]map[string]string) []bidi.Header {
	extra := all[originOf(e.Request.URL)]
	var list []bidi.Header
	dropped := false
	for _, h := range e.Request.Headers {
		if named(extra, h.Name) || leaked(h, all) {
			dropped = true
			continue
		}
		list = append(list, h)
	}
	if len(extra) == 0 && !dropped {
		return nil
	}
	for _, name := range slices.Sorted(maps.Keys(extra)) {
		list = append(list, bidi.Header{Name: name, Value: bidi.Text(extra[name])})
	}
	return list
}

// leaked tells whether a field is one that was given for some origin.
func leaked(h bidi.Header, all map[string]map[string]string) bool {
	for _, fields := range all {
		for name, value := range fields {
			if strings.EqualFold(name, h.Name) && value == h.Value.String() {
				return true
			}
		}
	}
	return false
}
