package browser

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/target"
)

// Tab is one isolated page: cookies, storage, cache and network policy are its
// own. Windows that the page opens belong to the same tab. All methods may be
// used from several goroutines.
type Tab struct {
	engine  *engine
	context cdp.BrowserContextID
	guard   *guard
	options TabOptions

	mu        sync.Mutex
	wake      chan struct{}        // closed and replaced at every change
	frames    map[FrameID]*frame   // of all windows
	views     []*view              // adopted windows, the current one last
	popups    map[target.ID]*view  // windows without content so far
	branches  map[string]*branch   // by session id
	counts    counts               // what Changed watches
	reaction  reaction             // to the last input
	policy    DialogPolicy         // how to answer dialogs
	dialogs   []Dialog             // that were answered
	downloads []*Download          // in order of their start
	files     map[string]*Download // the same by guid
	err       error                // why the tab cannot be used any more
	release   func()               // gives the slot back; set by the pool
	closing   sync.Once
}

// view is one window of a tab.
type view struct {
	id      target.ID
	main    FrameID
	session *session

	loader   string // of the document that is shown
	url      string
	loaded   bool // DOMContentLoaded has fired
	shown    load // how the shown document was loaded
	loading  load // the latest request for a main document
	requests map[string]request
}

// branch is one session of a window: the page itself, or a frame that has a
// process of its own.
type branch struct {
	tab     *Tab
	view    *view
	session *session
	root    FrameID
}

func newTab(e *engine, g *guard) *Tab {
	return &Tab{
		engine: e, guard: g,
		wake: make(chan struct{}), frames: map[FrameID]*frame{},
		popups: map[target.ID]*view{}, branches: map[string]*branch{}, files: map[string]*Download{},
	}
}

// changed tells everyone who waits. The caller holds the lock.
func (t *Tab) changed() {
	close(t.wake)
	t.wake = make(chan struct{})
}

// await waits until ready returns true. ready runs under the lock, at once and
// after every change.
func (t *Tab) await(ctx context.Context, doing string, ready func() (bool, error)) error {
	for {
		t.mu.Lock()
		wake := t.wake
		ok, err := ready()
		if err == nil && !ok {
			err = t.err
		}
		t.mu.Unlock()
		if ok || err != nil {
			return err
		}
		select {
		case <-wake:
		case <-t.engine.conn.done:
			t.lost() // ready may be waiting for just that
		case <-ctx.Done():
			return interrupted(ctx, doing)
		}
	}
}

// lost marks a tab whose browser is gone.
func (t *Tab) lost() {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.err == nil {
		t.err = crashed("The browser process ended unexpectedly.", nil)
		t.counts.crashed = true
		t.changed()
	}
}

// current is the window that the tab shows. The caller holds the lock.
func (t *Tab) current() *view {
	if len(t.views) == 0 {
		return nil
	}
	return t.views[len(t.views)-1]
}

// page returns the current window, or why there is none.
func (t *Tab) page() (*view, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.err != nil {
		return nil, t.err
	}
	v := t.current()
	if v == nil {
		return nil, closedFault()
	}
	return v, nil
}

// attach takes in a window of this tab. It runs in the reader goroutine.
func (t *Tab) attach(sessionID string, info *target.Info) {
	t.mu.Lock()
	defer t.mu.Unlock()
	first := len(t.views) == 0
	if !first && !t.admit() {
		t.counts.strays++
		post(t.engine.root, target.CloseTarget, target.CloseTargetParams{TargetID: info.TargetID})
		t.engine.conn.pass(t.engine.root, target.EventAttachedToTarget{SessionID: target.SessionID(sessionID), TargetInfo: info, WaitingForDebugger: true})
		t.changed()
		return
	}
	v := &view{id: info.TargetID, main: FrameID(info.TargetID), url: info.URL, requests: map[string]request{}}
	b := &branch{tab: t, view: v, root: v.main}
	b.session = t.engine.conn.open(sessionID, t.engine.root, b.event)
	v.session = b.session
	t.branches[sessionID] = b
	t.place(b, v.main, "")
	if first {
		t.views = append(t.views, v)
	} else {
		t.popups[v.id] = v
	}
	b.enable()
	if !first { // the first window is prepared when its options are known
		b.prepare(t.options)
		if !t.options.Headed {
			b.resize(t.options)
		}
	}
	b.run()
	t.changed()
}

// detach ends a session of this tab. It runs in the reader goroutine.
func (t *Tab) detach(sessionID string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if b := t.branches[sessionID]; b != nil {
		t.cut(b)
		t.changed()
	}
}

// cut drops a session with its frames and the sessions inside it. The caller
// holds the lock.
func (t *Tab) cut(b *branch) {
	delete(t.branches, b.session.id)
	for id, f := range t.frames {
		if f.session == b.session {
			t.remove(id)
		}
	}
	b.orphaned()
	for _, inside := range t.branches {
		if inside.session.parent == b.session {
			t.cut(inside)
		}
	}
	if b.session == b.view.session {
		t.closeView(b.view)
	}
}

// closeView drops a window; the one that opened it is the page again. The
// caller holds the lock.
func (t *Tab) closeView(v *view) {
	delete(t.popups, v.id)
	for i, have := range t.views {
		if have == v {
			t.views = append(t.views[:i:i], t.views[i+1:]...)
			t.counts.seq++
			t.counts.windows++
		}
	}
	if len(t.views) > 0 {
		return
	}
	for id, p := range t.popups {
		delete(t.popups, id)
		t.views = append(t.views, p)
		t.counts.windows++
		return
	}
	if t.err == nil {
		t.err = closedFault()
	}
}

// adopt makes a popup the page. The caller holds the lock.
func (t *Tab) adopt(v *view) {
	delete(t.popups, v.id)
	t.views = append(t.views, v)
	t.counts.windows++
}

// fail marks the tab as unusable and fails all its calls. The caller holds the lock.
func (t *Tab) fail(err error) {
	if t.err == nil {
		t.err = err
	}
	for id := range t.branches {
		t.engine.conn.fail(id, t.err)
	}
	t.changed()
}

// closeLimit is how long the browser may take to give up a tab.
const closeLimit = 10 * time.Second

// Close ends the tab with everything that it loaded, also when a page in it
// is stuck. It can be called more than once.
func (t *Tab) Close(ctx context.Context) error {
	var err error
	t.closing.Do(func() {
		err = t.discard(ctx)
		if t.release != nil {
			t.release()
		}
	})
	return err
}

// discard takes the tab out of its browser. A browser that cannot even do that
// is broken, and is ended.
func (t *Tab) discard(ctx context.Context) error {
	t.mu.Lock()
	t.fail(closedFault())
	t.mu.Unlock()
	t.guard.close()
	defer t.engine.forget(t)
	if !t.engine.alive() || t.context == "" {
		return nil
	}
	// A caller who is in a hurry must not leave a page behind.
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), closeLimit)
	defer cancel()
	_, err := call(ctx, t.engine.root, target.DisposeBrowserContext,
		target.DisposeBrowserContextParams{BrowserContextID: t.context})
	switch {
	case err == nil || !t.engine.alive():
		return nil
	case errors.Is(err, ctx.Err()):
		t.engine.kill()
		return fmt.Errorf("closing a tab: %w", crashed("The browser did not answer any more and was ended.", err))
	default:
		return fmt.Errorf("closing a tab: %w", err)
	}
}
