package browser

import (
	"context"
	"slices"
)

// FrameID names a frame of a tab. It stays the same when the frame loads
// another document, also one in another process.
type FrameID string

// Frame is one frame of the current window.
type Frame struct {
	ID, Parent FrameID
	URL, Name  string
	// Failed is the address that could not be loaded, or that is not allowed, when
	// Chromium shows an error in the place of its document.
	Failed string
	// Docs counts the documents that it has had.
	Docs int
}

// unserved is a load of a frame that the guard answered in the place of the site.
type unserved struct{ loader, url string }

// error is the address whose document an error stands for, or nothing.
func (f *frame) error() string {
	if f.failed == "" && f.unserved.loader != "" && (f.loader == "" || f.loader == f.unserved.loader) {
		return f.unserved.url
	}
	return f.failed
}

// frame is what is known about a frame.
type frame struct {
	id, parent FrameID
	url, name  string
	loader     string // Chromium's name for the load of its document, if it is known
	failed     string // the address that could not be loaded
	unserved   unserved
	view       *view
	session    string // the engine's connection that reports it
	world      *world // nil until its document has one
	order      int
	docs       int
}

// world is the isolated agent world of one document.
type world struct {
	session string        // the engine's connection to it
	realm   string        // the engine's name for it
	number  int64         // the engine's number for it, if it has one
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
		out = append(out, Frame{ID: f.id, Parent: f.parent, URL: f.url, Name: f.name, Failed: f.error(), Docs: f.docs})
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

// place records that a session of the engine reports a frame. The caller holds the lock.
func (t *Tab) place(v *view, session string, id, parent FrameID) *frame {
	f := t.frames[id]
	if f == nil {
		t.counts.frames++
		f = &frame{id: id, order: t.counts.frames}
		t.frames[id] = f
	}
	f.view = v
	if f.session != session {
		f.session = session
		t.endWorld(f)
	}
	if parent != "" {
		f.parent = parent
	}
	return f
}

// enter records that the document of a frame has its agent world. The caller holds
// the lock.
func (t *Tab) enter(f *frame, w *world) {
	t.endWorld(f)
	f.docs++
	f.world = w
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
