package browser

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/target"
)

// chromiumTab is a tab in a browser context of Chromium.
type chromiumTab struct {
	*Tab
	engine   *chromium
	context  cdp.BrowserContextID
	branches map[string]*branch // by session id, under the tab's lock
	fitted   fitted             // the last that Resize gave, under the tab's lock
}

// branch is one session of a window: the page itself, or a frame that has a
// process of its own.
type branch struct {
	tab     *chromiumTab
	view    *view
	session *session
	root    FrameID
}

func newChromiumTab(e *chromium, g *guard) *chromiumTab {
	t := &chromiumTab{Tab: newTab(g), engine: e, branches: map[string]*branch{}}
	t.drive = t
	return t
}

// on is the session of an id, for commands.
func (t *chromiumTab) on(id string) *session { return &session{conn: t.engine.conn, id: id} }

func (t *chromiumTab) gone() <-chan struct{} { return t.engine.conn.done }

func (t *chromiumTab) abort(why error) {
	for id := range t.branches {
		t.engine.conn.fail(id, why)
	}
}

// attach takes in a window of this tab. It runs in the reader goroutine.
func (t *chromiumTab) attach(sessionID string, info *target.Info) {
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
	v := &view{id: string(info.TargetID), main: FrameID(info.TargetID), url: info.URL, requests: map[string]request{}}
	b := &branch{tab: t, view: v, root: v.main}
	b.session = t.engine.conn.open(sessionID, t.engine.root, b.event)
	v.session = sessionID
	t.branches[sessionID] = b
	b.place(v.main, "")
	t.show(v)
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

// shows tells whether a window is one of this tab's.
func (t *chromiumTab) shows(window string) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return window != "" && (t.popups[window] != nil || slices.ContainsFunc(t.views, func(v *view) bool { return v.id == window }))
}

// empty tells whether the tab still waits for its first window.
func (t *chromiumTab) empty() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return len(t.views) == 0 && t.err == nil
}

// detach ends a session of this tab. It runs in the reader goroutine.
func (t *chromiumTab) detach(sessionID string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if b := t.branches[sessionID]; b != nil {
		t.cut(b)
		t.changed()
	}
}

// cut drops a session with its frames and the sessions inside it. The caller
// holds the lock.
func (t *chromiumTab) cut(b *branch) {
	delete(t.branches, b.session.id)
	for id, f := range t.frames {
		if f.session == b.session.id {
			t.remove(id)
		}
	}
	b.orphaned()
	for _, inside := range t.branches {
		if inside.session.parent == b.session {
			t.cut(inside)
		}
	}
	if b.session.id == b.view.session {
		t.closeView(b.view)
	}
}

func (t *chromiumTab) discard(ctx context.Context) error {
	others := t.engine.forget(t)
	if !t.engine.alive() || t.context == "" {
		return nil
	}
	var err error
	if others {
		err = t.closeWindows(ctx)
	} else {
		_, err = call(ctx, t.engine.root, target.DisposeBrowserContext, target.DisposeBrowserContextParams{BrowserContextID: t.context})
	}
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

// closeWindows ends a tab whose context goes on.
func (t *chromiumTab) closeWindows(ctx context.Context) error {
	t.mu.Lock()
	ids := slices.Collect(maps.Keys(t.popups))
	for _, v := range t.views {
		ids = append(ids, v.id)
	}
	t.mu.Unlock()
	var err error
	for _, id := range ids {
		_, e := call(ctx, t.engine.root, target.CloseTarget, target.CloseTargetParams{TargetID: target.ID(id)})
		err = errors.Join(err, e)
	}
	return err
}
