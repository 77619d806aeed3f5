package browser

import (
	"mime"
	"net/http"
	"net/url"
	"strconv"
	"strings"
)

// requested takes in a request. Which document it belongs to nobody tells: it counts
// for the window that is shown.
func (t *webkitTab) requested(id int64, r *http.Request) {
	t.mu.Lock()
	defer t.mu.Unlock()
	v := t.current()
	if v == nil {
		return
	}
	accept := r.Header.Get("Accept")
	t.begin(v, begun{
		id: strconv.FormatInt(id, 10), session: v.session, url: r.URL.String(), loader: v.loader,
		document: wantsDocument(r), ignored: strings.Contains(accept, "text/event-stream") || strings.HasSuffix(r.URL.Path, "/favicon.ico"),
	})
	t.changed()
	t.glance()
}

// wantsDocument tells that a request is for a page or a frame: nothing else asks for
// HTML first.
func wantsDocument(r *http.Request) bool {
	return strings.HasPrefix(r.Header.Get("Accept"), "text/html")
}

// responded takes in the beginning of an answer.
func (t *webkitTab) responded(id int64, r *http.Request, status int, h http.Header) {
	t.mu.Lock()
	defer t.mu.Unlock()
	v := t.current()
	if v == nil {
		return
	}
	t.answered(v, strconv.FormatInt(id, 10), "-", answer{url: r.URL.String(), status: status, headers: h})
	switch {
	case !wantsDocument(r):
	case status < 300 || status >= 400:
		t.fetchedDocument(r, status, h)
	case withoutFragment(r.URL.String()) == withoutFragment(t.heading):
		if to, err := r.URL.Parse(h.Get("Location")); err == nil {
			t.heading = to.String()
		}
	}
	t.changed()
	t.glance()
}

// fetchedDocument keeps how a document was loaded until the browser shows it. The
// caller holds the lock.
func (t *webkitTab) fetchedDocument(r *http.Request, status int, h http.Header) {
	address := withoutFragment(r.URL.String())
	name, attached := attachment(h)
	if attached {
		id := "d" + strconv.Itoa(len(t.downloads)+t.counts.downloads)
		t.beginDownload(id, r.URL.String(), name, "")
		t.continueDownload(id, "canceled", 0)
	}
	if attached || status == http.StatusNoContent || status == http.StatusResetContent {
		t.barren = true
		return
	}
	l := load{url: address, status: status, headers: h}
	l.netError, l.refused = t.guard.verdict(h)
	if _, ok := t.loads[address]; !ok {
		if t.fetched = append(t.fetched, address); len(t.fetched) > kept {
			delete(t.loads, t.fetched[0])
			t.fetched = t.fetched[1:]
		}
	}
	t.loads[address] = l
	t.stale = true
}

// attachment tells that an answer is a file to keep, and its name.
func attachment(h http.Header) (name string, ok bool) {
	kind, params, err := mime.ParseMediaType(h.Get("Content-Disposition"))
	if err != nil || !strings.EqualFold(kind, "attachment") {
		return "", false
	}
	return params["filename"], true
}

// finished takes in the end of a request, once the page was looked at after it: who
// hears that the last request has ended finds the frames that it brought.
func (t *webkitTab) finished(id int64) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.over = append(t.over, strconv.FormatInt(id, 10))
	t.glance()
}

// takeOver gives the requests that have ended since the last look.
func (t *webkitTab) takeOver() []string {
	t.mu.Lock()
	defer t.mu.Unlock()
	list := t.over
	t.over = nil
	return list
}

// settle takes these requests out.
func (t *webkitTab) settle(ids []string) {
	if len(ids) == 0 {
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, id := range ids {
		t.eachView(func(v *view) bool {
			t.ended(v, id)
			return false
		})
	}
	t.changed()
}

// denied takes in that an encrypted connection to a host cannot be made. If it was for
// the page, the browser may or may not show an error page.
func (t *webkitTab) denied(host string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if u, err := url.Parse(t.heading); err == nil && u.Scheme == "https" && hostPort(u) == host {
		t.stranded = true
	}
	t.changed()
	t.glance()
}
