package browser

import (
	"context"
	"errors"
	"sync"
	"time"

	cdpbrowser "github.com/chromedp/cdproto/browser"
	"github.com/chromedp/cdproto/cdp"
	jsonv2 "github.com/chromedp/cdproto/cdp/jsonv2"
	"github.com/chromedp/cdproto/target"
)

// engine is a running browser with the tabs in it.
type engine struct {
	*process
	headed bool

	mu    sync.Mutex
	tabs  map[cdp.BrowserContextID]*Tab
	spare *Tab      // prepared and unused, or nil
	size  area      // of the tab that was opened last: the spare gets it too
	last  time.Time // when its memory was looked at

	// The rest belongs to the pool and is under its lock.
	active   int  // tabs that are in use
	opened   int  // tabs so far
	draining bool // no new tabs
	filling  bool // a spare is on its way
}

// newEngine launches a browser and has it report its pages.
func newEngine(ctx context.Context, o Options, headed bool) (*engine, error) {
	p, err := launch(ctx, o, headed)
	if err != nil {
		return nil, err
	}
	e := &engine{process: p, headed: headed, tabs: map[cdp.BrowserContextID]*Tab{}}
	p.root = p.conn.open("", nil, e.event)
	// Pages are held at their start until they are prepared, popups too. So
	// are service workers, whether they are asked for or not.
	_, err = call(ctx, p.root, target.SetAutoAttach, target.SetAutoAttachParams{AutoAttach: true, WaitForDebuggerOnStart: true, Flatten: ptr(true)})
	if err != nil {
		p.kill()
		return nil, explain(ctx, err, "starting the browser")
	}
	return e, nil
}

// event applies an event of the browser itself.
func (e *engine) event(method string, params jsonv2.Value) {
	if v, ok := event(target.AttachedToTarget, method, params); ok {
		e.attached(v)
		return
	}
	if v, ok := event(target.DetachedFromTarget, method, params); ok {
		e.conn.drop(string(v.SessionID))
		for _, t := range e.all() {
			t.detach(string(v.SessionID))
		}
		return
	}
	e.downloadEvent(method, params)
}

func (e *engine) attached(v target.EventAttachedToTarget) {
	e.mu.Lock()
	t := e.tabs[v.TargetInfo.BrowserContextID]
	e.mu.Unlock()
	if t == nil || v.TargetInfo.Type != "page" {
		e.conn.pass(e.root, v)
		return
	}
	t.attach(string(v.SessionID), v.TargetInfo)
}

func (e *engine) all() []*Tab {
	e.mu.Lock()
	defer e.mu.Unlock()
	list := make([]*Tab, 0, len(e.tabs))
	for _, t := range e.tabs {
		list = append(list, t)
	}
	return list
}

func (e *engine) forget(t *Tab) {
	e.mu.Lock()
	defer e.mu.Unlock()
	delete(e.tabs, t.context)
}

// area is the size of a viewport in CSS pixels.
type area struct{ width, height int }

// create makes an isolated tab whose other options are not known yet.
func (e *engine) create(ctx context.Context, size area) (*Tab, error) {
	g, err := newGuard()
	if err != nil {
		return nil, err
	}
	t := newTab(e, g)
	if err := e.createIn(ctx, t, size); err != nil {
		_ = t.discard(ctx)
		return nil, explain(ctx, err, "opening a browser tab")
	}
	return t, nil
}

func (e *engine) createIn(ctx context.Context, t *Tab, size area) error {
	res, err := call(ctx, e.root, target.CreateBrowserContext, target.CreateBrowserContextParams{
		DisposeOnDetach: ptr(true), ProxyServer: t.guard.address(), ProxyBypassList: "<-loopback>",
	})
	if err != nil {
		return err
	}
	t.context = res.BrowserContextID
	e.mu.Lock()
	e.tabs[t.context] = t
	e.mu.Unlock()
	blank := target.CreateTargetParams{URL: "about:blank", BrowserContextID: t.context}
	if size.width > 0 {
		blank.Width, blank.Height = int64(size.width), int64(size.height)
	}
	_, err = call(ctx, e.root, target.CreateTarget, blank)
	if err != nil {
		return err
	}
	return t.await(ctx, "opening a browser tab", func() (bool, error) { return t.current() != nil, nil })
}

// take gives a tab with these options: the spare one if there is one.
func (e *engine) take(ctx context.Context, o TabOptions) (*Tab, error) {
	e.mu.Lock()
	t := e.spare
	e.spare = nil
	if !o.Headed {
		e.size = area{o.Width, o.Height}
	}
	size := e.size
	e.mu.Unlock()
	if t != nil {
		if err := t.dress(ctx, o); err == nil {
			return t, nil
		}
		_ = t.discard(ctx) // it went bad while it waited
	}
	t, err := e.create(ctx, size)
	if err != nil {
		return nil, err
	}
	if err := t.dress(ctx, o); err != nil {
		_ = t.discard(ctx)
		return nil, explain(ctx, err, "preparing a browser tab")
	}
	return t, nil
}

// fill prepares a spare tab, so that the next one costs nothing.
func (e *engine) fill(ctx context.Context) {
	e.mu.Lock()
	size := e.size
	e.mu.Unlock()
	t, err := e.create(ctx, size)
	if err != nil {
		return // the next tab is made when it is asked for, and reports why it cannot
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	e.spare = t
}

// dress gives a new tab its options, in one round trip if it has the size already.
func (t *Tab) dress(ctx context.Context, o TabOptions) error {
	if err := t.guard.apply(o.Policy); err != nil {
		return err
	}
	t.mu.Lock()
	t.options = o
	v := t.current()
	if v == nil || t.err != nil {
		t.mu.Unlock()
		return closedFault()
	}
	b := t.branches[v.session.id]
	list := b.prepare(o)
	t.mu.Unlock()
	list = append(list, start(t.engine.root, cdpbrowser.SetDownloadBehavior, t.downloadOptions()))
	list = append(list, t.setCookies(o.Cookies)...)
	shown, err := viewport(ctx, v.session)
	if err := errors.Join(err, settle(ctx, list...)); err != nil {
		return err
	}
	if !o.Headed && (int(shown.W) != o.Width || int(shown.H) != o.Height) {
		if err := b.resize(o).settle(ctx); err != nil {
			return err
		}
	}
	_, err = t.worldOf(ctx, "")
	return err
}

// due reports whether it is time to look at the browser's memory again.
func (e *engine) due() bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	if time.Since(e.last) < weighEvery {
		return false
	}
	e.last = time.Now()
	return true
}

// ready reports whether a spare tab waits.
func (e *engine) ready() bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.spare != nil
}
