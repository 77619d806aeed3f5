package browser

import (
	"context"
	"net/http"
	"time"
)

// Doc describes the current main document.
type Doc struct {
	// Seq counts committed navigations, and changes of the window.
	Seq int
	// Steps counts navigations within the same document.
	Steps int
	// Idles counts how often the last request in flight ended.
	Idles int
	// Dialogs counts those that came, Windows how often another window became
	// the page, Downloads how often one began or ended.
	Dialogs, Downloads, Windows int
	// Strays counts windows that opened without any input and were closed.
	Strays int
	// URL of the document; for an error page the address that failed.
	URL string
	// Status is the HTTP status; 0 when there was no answer.
	Status int
	// NetError is the net::ERR_... of a document that could not be loaded.
	NetError string
	// Refused is the network guard's reason when it refused the document.
	Refused string
	// Loaded is true once DOMContentLoaded has fired.
	Loaded bool
	// Crashed is true when the page or the browser ended.
	Crashed bool
	// Loading is true while a document of the page or of a frame is asked for.
	// Until it comes the browser may hold back every call to the page.
	Loading bool
	// InFlight is the number of requests that have no answer yet, also those of
	// windows that were opened and show nothing so far.
	InFlight int
	// Requests is the number of requests that have begun.
	Requests int
	// LastActivity is when a request or a navigation last began or ended.
	LastActivity time.Time
}

// Header is that of the answer that brought the current main document; nil when
// there was none. The site wrote it.
func (t *Tab) Header() http.Header {
	t.mu.Lock()
	defer t.mu.Unlock()
	v := t.current()
	if v == nil || v.shown.headers == nil {
		return nil
	}
	return v.shown.headers.Clone()
}

// counts are the numbers of a tab that only grow.
type counts struct {
	seq, steps, idles, windows, frames, dialogs, downloads, strays, requests int
	activity                                                                 time.Time
	crashed                                                                  bool
}

// Doc returns the state of the current main document.
func (t *Tab) Doc() Doc {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.doc()
}

func (t *Tab) doc() Doc {
	d := Doc{
		Seq: t.counts.seq, Steps: t.counts.steps, Idles: t.counts.idles, Windows: t.counts.windows,
		Dialogs: t.counts.dialogs, Downloads: t.counts.downloads, Strays: t.counts.strays,
		Crashed: t.counts.crashed, LastActivity: t.counts.activity, Requests: t.counts.requests,
	}
	v := t.current()
	if v == nil {
		return d
	}
	d.URL, d.Loaded, d.InFlight = v.url, v.loaded, t.inFlight()
	for _, r := range v.requests {
		d.Loading = d.Loading || r.document
	}
	d.Status, d.NetError, d.Refused = v.shown.status, v.shown.netError, v.shown.refused
	return d
}

// differs leaves out what changes all the time.
func (d Doc) differs(from Doc) bool {
	d.InFlight, from.InFlight = 0, 0
	d.Requests, from.Requests = 0, 0
	d.LastActivity, from.LastActivity = time.Time{}, time.Time{}
	return d != from
}

// Changed waits until the document differs from since: another document or
// address, a document that is asked for, DOMContentLoaded, the end of the last request, a dialog, download
// or window, or a crash. It returns the new state.
func (t *Tab) Changed(ctx context.Context, since Doc) (Doc, error) {
	ctx, cancel := bounded(ctx)
	defer cancel()
	var now Doc
	err := t.await(ctx, "waiting for the page to change", func() (bool, error) {
		now = t.doc()
		return now.differs(since), nil
	})
	return now, err
}

// commit takes in a new main document of a window. failed says that it is an error
// page, and url the address that could not be loaded. The caller holds the lock.
func (t *Tab) commit(v *view, loader, url string, failed bool) {
	v.loader, v.url, v.loaded = loader, url, false
	v.shown = load{}
	if v.loading.loader == v.loader || failed {
		v.shown = v.loading
	}
	for id, r := range v.requests {
		if r.loader != v.loader {
			t.drop(v, id)
		}
	}
	t.counts.activity = time.Now()
	if t.popups[v.id] != nil {
		if v.url == "about:blank" || v.url == "" {
			return
		}
		t.adopt(v)
	}
	if v == t.current() {
		t.counts.seq++
	}
}

// step takes in a change of address within a document. The caller holds the lock.
func (t *Tab) step(v *view, f *frame, url string) {
	f.url = url
	if f.id != v.main {
		return
	}
	v.url = url
	if v == t.current() {
		t.counts.steps++
		t.counts.activity = time.Now()
	}
}
