package browser

import (
	"net/url"
	"strings"

	"github.com/legwork-mcp/legwork/internal/browser/bidi"
)

func (t *firefoxTab) navigationStarted(e bidi.NavigationInfo) {
	if _, f := t.viewOf(e.Context); f != nil {
		t.underway[f.id] = voyage{navigation: e.Navigation, frames: t.counts.frames}
	}
}

// navigationGivenUp ends the wait for a document that does not come.
func (t *firefoxTab) navigationGivenUp(e bidi.NavigationInfo) {
	v, f := t.viewOf(e.Context)
	if f == nil || !t.ashore(v, f, e.Navigation) {
		return
	}
	if w := t.arriving[f.id]; w != nil {
		delete(t.arriving, f.id)
		t.enter(f, w)
	}
}

// navigationCommitted takes in a new document.
func (t *firefoxTab) navigationCommitted(e bidi.NavigationInfo) {
	v, f := t.viewOf(e.Context)
	if f == nil {
		return
	}
	trip := t.underway[f.id]
	if t.wreck(v, f, e) {
		t.contentCrashed(v, f)
		return
	}
	if t.ashore(v, f, e.Navigation) {
		t.leaveBehind(f, trip.frames)
	}
	address, failed := foxAddress(e.URL)
	f.url = address
	t.settleWorld(f)
	if f.id != v.main {
		return
	}
	t.commit(v, e.Navigation, address, failed)
	v.loaded = t.parsed[f.id] == e.Navigation
}

// ashore ends a navigation that is on its way. The request that brought the document
// has ended before, but counts until the document is shown, so that the end of the
// last request is never the end of nothing to see. The caller holds the lock.
func (t *firefoxTab) ashore(v *view, f *frame, navigation string) bool {
	trip, ok := t.underway[f.id]
	if !ok || trip.navigation != navigation {
		return false
	}
	delete(t.underway, f.id)
	if trip.request != "" {
		t.ended(v, trip.request)
	}
	return true
}

// wreck tells whether a document is what Firefox puts in the place of one whose
// process ended: it bears the name of the navigation of that one. The caller holds
// the lock.
func (t *firefoxTab) wreck(v *view, f *frame, e bidi.NavigationInfo) bool {
	if strings.HasPrefix(e.URL, "about:tabcrashed") || strings.HasPrefix(e.URL, "about:framecrashed") {
		return true
	}
	return f.id == v.main && e.Navigation == v.loader && e.URL == "about:blank" && v.url != "about:blank"
}

// leaveBehind forgets the frames of the last document: those that were there when
// the navigation began. Frames of the new one can be told before it is shown. The
// caller holds the lock.
func (t *firefoxTab) leaveBehind(f *frame, order int) {
	for id, child := range t.frames {
		if child.parent == f.id && child.order <= order {
			t.orphaned(child.view, string(id))
			t.remove(id)
		}
	}
}

// foxAddress tells the address that an error page of the browser stands for.
func foxAddress(address string) (meant string, failed bool) {
	for _, page := range []string{"about:neterror?", "about:certerror?", "about:blocked?", "about:httpsonlyerror?"} {
		query, ok := strings.CutPrefix(address, page)
		if !ok {
			continue
		}
		values, err := url.ParseQuery(query)
		if err != nil {
			return address, true
		}
		return values.Get("u"), true
	}
	return address, false
}

// contentCrashed ends a tab whose page crashed; a frame ends alone.
func (t *firefoxTab) contentCrashed(v *view, f *frame) {
	t.orphaned(v, string(f.id))
	if f.id != v.main {
		t.remove(f.id)
		return
	}
	t.counts.crashed = true
	t.fail(crashed("The page crashed.", nil))
}

func (t *firefoxTab) movedWithin(e bidi.NavigationInfo) {
	if v, f := t.viewOf(e.Context); f != nil {
		t.ashore(v, f, e.Navigation)
		t.step(v, f, e.URL)
	}
}

// historyUpdated takes in another address of the same document. A popup that gets
// its content from its opener, and never navigates, tells its writing so.
func (t *firefoxTab) historyUpdated(e bidi.NavigationInfo) {
	v, f := t.viewOf(e.Context)
	if f == nil {
		return
	}
	if f.id == v.main && t.popups[v.id] != nil {
		v.loaded = true
		t.adopt(v)
		t.counts.seq++
		return
	}
	t.step(v, f, e.URL)
}

// domContent may come before the news that the document is shown.
func (t *firefoxTab) domContent(e bidi.NavigationInfo) {
	v, f := t.viewOf(e.Context)
	if f == nil || f.id != v.main {
		return
	}
	t.parsed[f.id] = e.Navigation
	if v.loader == e.Navigation {
		v.loaded = true
	}
}
