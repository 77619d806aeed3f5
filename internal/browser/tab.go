package browser

import (
	"context"
	"sync"
	"time"
)

// Tab is one isolated page: cookies, storage, cache and network policy are its
// own. Windows that the page opens belong to the same tab. All methods may be
// used from several goroutines.
type Tab struct {
	drive   driver
	guard   *guard
	options TabOptions

	mu        sync.Mutex
	wake      chan struct{}        // closed and replaced at every change
	frames    map[FrameID]*frame   // of all windows
	views     []*view              // adopted windows, the current one last
	popups    map[string]*view     // windows without content so far
	counts    counts               // what Changed watches
	reaction  reaction             // to the last input
	unheard   time.Time            // until then a request may be under way that nobody has told of
	policy    DialogPolicy         // how to answer dialogs
	dialogs   []Dialog             // that were answered
	downloads []*Download          // in order of their start
	files     map[string]*Download // the same by the engine's name for them
	err       error                // why the tab cannot be used any more
	release   func()               // gives the slot back; set by the pool
	home      *engine              // where it is; set by the pool
	closing   sync.Once
}

// view is one window of a tab.
type view struct {
	id      string // the engine's name for it
	main    FrameID
	session string // the engine's connection to it

	loader   string // of the document that is shown
	url      string
	loaded   bool // DOMContentLoaded has fired
	shown    load // how the shown document was loaded
	loading  load // the latest request for a main document
	requests map[string]request
}

func newTab(g *guard) *Tab {
	return &Tab{
		guard: g, wake: make(chan struct{}), frames: map[FrameID]*frame{},
		popups: map[string]*view{}, files: map[string]*Download{},
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
	if w, ok := t.drive.(watcher); ok {
		defer w.watched()()
	}
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
		case <-t.drive.gone():
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
	t.drive.abort(t.err)
	t.changed()
}

// show takes in a window. The first one is the page at once; others become it when
// they show something. The caller holds the lock.
func (t *Tab) show(v *view) {
	if len(t.views) == 0 {
		t.views = append(t.views, v)
		return
	}
	t.popups[v.id] = v
}

// closeLimit is how long the browser may take to give up a tab.
const closeLimit = 10 * time.Second

// Close ends the tab with everything that it loaded, also when a page in it
// is stuck. It can be called more than once.
func (t *Tab) Close(ctx context.Context) error {
	var err error
	t.closing.Do(func() {
		err = t.end(ctx)
		if t.release != nil {
			t.release()
		}
	})
	return err
}

// end gives up all that the tab holds.
func (t *Tab) end(ctx context.Context) error {
	t.mu.Lock()
	t.fail(closedFault())
	t.mu.Unlock()
	t.guard.close()
	// A caller who is in a hurry must not leave a page behind.
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), closeLimit)
	defer cancel()
	return t.drive.discard(ctx)
}
