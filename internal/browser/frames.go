package browser

import (
	"context"
	"slices"

	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/cdproto/target"
)

// FrameID names a frame of a tab. It stays the same when the frame loads
// another document, also one in another process.
type FrameID string

// Frame is one frame of the current window.
type Frame struct {
	ID, Parent FrameID
	URL, Name  string
	// Docs counts the documents that it has had.
	Docs int
}

// frame is what is known about a frame.
type frame struct {
	id, parent FrameID
	url, name  string
	view       *view
	session    *session // that reports it
	world      *world   // nil until its document has one
	order      int
	docs       int
}

// world is the isolated agent world of one document.
type world struct {
	session *session
	id      runtime.ExecutionContextID
	unique  string
	gone    chan struct{} // closed when the document goes away
}

// worldName is the name of the agent world in every frame.
const worldName = "legwork"

// Main is the main frame of the current window, or empty when the tab is closed.
func (t *Tab) Main() FrameID {
	v, err := t.page()
	if err != nil {
		return ""
	}
	return v.main
}

// Frames are the frames of the current window, parents before their children.
func (t *Tab) Frames() []Frame {
	t.mu.Lock()
	defer t.mu.Unlock()
	v := t.current()
	if v == nil {
		return nil
	}
	children := map[FrameID][]*frame{}
	for _, f := range t.frames {
		if f.view == v && f.id != v.main {
			children[f.parent] = append(children[f.parent], f)
		}
	}
	var out []Frame
	var walk func(f *frame)
	walk = func(f *frame) {
		out = append(out, Frame{ID: f.id, Parent: f.parent, URL: f.url, Name: f.name, Docs: f.docs})
		list := children[f.id]
		slices.SortFunc(list, func(a, b *frame) int { return a.order - b.order })
		for _, child := range list {
			walk(child)
		}
	}
	if f := t.frames[v.main]; f != nil {
		walk(f)
	}
	return out
}

// place records that a session reports a frame. The caller holds the lock.
func (t *Tab) place(b *branch, id, parent FrameID) *frame {
	f := t.frames[id]
	if f == nil {
		t.counts.frames++
		f = &frame{id: id, order: t.counts.frames}
		t.frames[id] = f
	}
	f.view = b.view
	if f.session != b.session {
		f.session = b.session
		t.endWorld(f)
	}
	if parent != "" {
		f.parent = parent
	}
	return f
}

// remove forgets a frame with all that is in it. The caller holds the lock.
func (t *Tab) remove(id FrameID) {
	f := t.frames[id]
	if f == nil {
		return
	}
	t.endWorld(f)
	delete(t.frames, id)
	t.removeChildren(id)
}

func (t *Tab) removeChildren(id FrameID) {
	for child, f := range t.frames {
		if f.parent == id {
			t.remove(child)
		}
	}
}

func (t *Tab) endWorld(f *frame) {
	if f.world != nil {
		close(f.world.gone)
		f.world = nil
	}
}

// worldOf waits until the document of a frame has its agent world.
func (t *Tab) worldOf(ctx context.Context, id FrameID) (*world, error) {
	var found *world
	err := t.await(ctx, "waiting for the page", func() (bool, error) {
		if t.err != nil {
			return false, t.err
		}
		want := id
		if want == "" {
			want = t.current().main
		}
		f := t.frames[want]
		if f == nil {
			return false, navigatedFault(errDetached)
		}
		found = f.world
		return found != nil, nil
	})
	return found, err
}

func (b *branch) frameAttached(e page.EventFrameAttached) {
	b.tab.place(b, FrameID(e.FrameID), FrameID(e.ParentFrameID))
}

func (b *branch) frameDetached(e page.EventFrameDetached) {
	f := b.tab.frames[FrameID(e.FrameID)]
	if f == nil || f.session != b.session {
		return // it lives in another process already
	}
	if e.Reason == page.FrameDetachedReasonSwap {
		b.tab.endWorld(f) // its next document comes from another session
		return
	}
	b.tab.remove(f.id)
}

func (b *branch) frameNavigated(e page.EventFrameNavigated) {
	t := b.tab
	id := FrameID(e.Frame.ID)
	t.removeChildren(id)
	f := t.place(b, id, FrameID(e.Frame.ParentID))
	f.url, f.name = e.Frame.URL+e.Frame.URLFragment, e.Frame.Name
	if id == b.view.main {
		b.committed(e.Frame)
	}
}

func (b *branch) contextCreated(e runtime.EventExecutionContextCreated) {
	var aux struct {
		FrameID FrameID `json:"frameId"`
	}
	if e.Context.Name != worldName || decode(e.Context.AuxData, &aux) != nil || aux.FrameID == "" {
		return
	}
	f := b.tab.place(b, aux.FrameID, "")
	b.tab.endWorld(f)
	f.docs++
	f.world = &world{session: b.session, id: e.Context.ID, unique: e.Context.UniqueID, gone: make(chan struct{})}
}

func (b *branch) contextDestroyed(e runtime.EventExecutionContextDestroyed) {
	for _, f := range b.tab.frames {
		if f.world != nil && f.world.unique == e.ExecutionContextUniqueID {
			b.tab.endWorld(f)
		}
	}
}

func (b *branch) contextsCleared(runtime.EventExecutionContextsCleared) {
	for _, f := range b.tab.frames {
		if f.world != nil && f.world.session == b.session {
			b.tab.endWorld(f)
		}
	}
}

// childAttached takes in a frame that moved to a process of its own. The frame
// waits there until its session is prepared. Workers wait too, whether they
// are asked for or not, and are only let go.
func (b *branch) childAttached(e target.EventAttachedToTarget) {
	if e.TargetInfo.Type != "iframe" {
		b.session.conn.pass(b.session, e)
		return
	}
	b.tab.mu.Lock()
	defer b.tab.mu.Unlock()
	defer b.tab.changed()
	id := FrameID(e.TargetInfo.TargetID)
	child := &branch{tab: b.tab, view: b.view, root: id}
	child.session = b.session.conn.open(string(e.SessionID), b.session, child.event)
	b.tab.branches[child.session.id] = child
	f := b.tab.place(child, id, FrameID(e.TargetInfo.ParentFrameID))
	f.url = e.TargetInfo.URL
	child.enable()
	child.prepare(b.tab.options)
	child.run()
}
