package browser

import (
	"strconv"

	"github.com/legwork-mcp/legwork/internal/browser/bidi"
)

// contextCreated takes in a window or a frame of this tab.
func (t *firefoxTab) contextCreated(e bidi.ContextInfo) {
	id := FrameID(e.Context)
	if e.Parent != "" {
		if v, _ := t.viewOf(e.Parent); v != nil {
			f := t.place(v, "", id, FrameID(e.Parent))
			f.url = e.URL
		}
		return
	}
	if e.UserContext != t.context || t.frames[id] != nil {
		return // a window of the browser itself
	}
	if len(t.views) > 0 && !t.admit() {
		t.counts.strays++
		bidi.Post(t.process.conn, bidi.Close, bidi.ContextParams{Context: e.Context})
		return
	}
	v := &view{id: string(e.Context), main: id, url: e.URL, requests: map[string]request{}}
	t.place(v, "", id, "").url = e.URL
	t.show(v)
}

// contextDestroyed drops a window or a frame.
func (t *firefoxTab) contextDestroyed(e bidi.ContextInfo) {
	v, f := t.viewOf(e.Context)
	if f == nil {
		return
	}
	t.orphaned(v, string(f.id))
	t.remove(f.id)
	if f.id == v.main {
		t.closeView(v)
		if now := t.current(); now != nil { // a page behind another window has no focus
			bidi.Post(t.process.conn, bidi.Activate, bidi.ContextParams{Context: bidi.ContextID(now.main)})
		}
	}
}

// realmCreated takes in an agent world. While a document is on its way the browser
// makes worlds for the empty documents before it, too: the world counts once the
// document is there.
func (t *firefoxTab) realmCreated(e bidi.RealmInfo) {
	_, f := t.viewOf(e.Context)
	if f == nil || e.Sandbox != worldName {
		return
	}
	w := &world{realm: string(e.Realm), gone: make(chan struct{})}
	if _, ok := t.underway[f.id]; ok {
		t.arriving[f.id] = w
		return
	}
	t.enter(f, w)
}

// realmDestroyed ends an agent world. One that ends while no document is on its way
// is that of a frame which ends too, or of a page that crashed: the next event says
// which, and so does the error of who waits.
func (t *firefoxTab) realmDestroyed(e bidi.RealmInfo) {
	for id, w := range t.arriving {
		if w.realm == string(e.Realm) {
			delete(t.arriving, id)
		}
	}
	for _, f := range t.frames {
		if _, ok := t.underway[f.id]; ok && f.world != nil && f.world.realm == string(e.Realm) {
			t.endWorld(f)
		}
	}
}

// settleWorld gives a frame the world of the document that was just shown. The
// first document of a frame from its parent's own site takes the place of the empty
// one without a world of its own: the scripts of the agent world, which know the
// empty document, run once more in a fresh one. The caller holds the lock.
func (t *firefoxTab) settleWorld(f *frame) {
	w := t.arriving[f.id]
	delete(t.arriving, f.id)
	if w != nil {
		t.enter(f, w)
		return
	}
	if f.world == nil {
		return // it will be told
	}
	t.worlds++
	name := worldName + strconv.Itoa(t.worlds)
	w = &world{session: string(f.id) + " " + name, gone: make(chan struct{})}
	for _, script := range foxScripts(t.options) {
		bidi.Post(t.process.conn, bidi.CallFunction, bidi.CallFunctionParams{
			Function: script, Arguments: []any{foxNames}, Target: bidi.Target{Context: bidi.ContextID(f.id), Sandbox: name},
		})
	}
	t.enter(f, w)
}

// frameNamed takes in the name of a frame, which its document tells.
func (t *firefoxTab) frameNamed(e bidi.MessageInfo) {
	if _, f := t.viewOf(e.Source.Context); f != nil && e.Channel == foxNames.Value.Channel {
		f.name = e.Data.Text()
	}
}
