package browser

import (
	"context"
	"errors"
	"slices"
	"sync"

	cdpbrowser "github.com/chromedp/cdproto/browser"
	"github.com/chromedp/cdproto/cdp"
	jsonv2 "github.com/chromedp/cdproto/cdp/jsonv2"
	"github.com/chromedp/cdproto/target"
)

// chromium is a running browser with the tabs in it, and one that waits.
type chromium struct {
	body
	conn  *conn
	root  *session
	agent string // its User-Agent

	scrollbars bool // that take room are what its pages begin with

	mu    sync.Mutex
	tabs  map[cdp.BrowserContextID][]*chromiumTab
	spare *chromiumTab // prepared and unused, or nil
	size  area         // of the tab that was opened last: the spare gets it too
}

// body is where a Chromium runs: a process of ours, or another machine.
type body interface {
	// kill ends what this program holds of it and waits until that is gone.
	kill()
	// runs is false once it has certainly ended.
	runs() bool
	// guardFor makes the guard of a tab in it.
	guardFor() (*guard, error)
	weight
}

// newChromium launches a browser and has it report its pages.
func newChromium(ctx context.Context, o Options, headed bool) (host, error) {
	e := &chromium{tabs: map[cdp.BrowserContextID][]*chromiumTab{}, scrollbars: o.Scrollbars}
	if err := e.launch(ctx, o, headed); err != nil {
		return nil, err
	}
	return e.attach(ctx)
}

// attach has a browser that answers report its pages.
func (e *chromium) attach(ctx context.Context) (host, error) {
	e.root = e.conn.open("", nil, e.event)
	// Pages are held at their start until they are prepared, popups too. So
	// are service workers, whether they are asked for or not.
	_, err := call(ctx, e.root, target.SetAutoAttach, target.SetAutoAttachParams{AutoAttach: true, WaitForDebuggerOnStart: true, Flatten: ptr(true)})
	if err != nil {
		e.kill()
		return nil, explain(ctx, err, "starting the browser")
	}
	return e, nil
}

// event applies an event of the browser itself.
func (e *chromium) event(method string, params jsonv2.Value) {
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

func (e *chromium) attached(v target.EventAttachedToTarget) {
	t := e.owner(v.TargetInfo)
	if t == nil || v.TargetInfo.Type != "page" {
		e.conn.pass(e.root, v)
		return
	}
	t.attach(string(v.SessionID), v.TargetInfo)
}

// owner is the tab of a new window: the one that it was made for, or one of whose
// windows opened it; a window that does not tell who opened it goes to the first.
func (e *chromium) owner(info *target.Info) *chromiumTab {
	e.mu.Lock()
	tabs := e.tabs[info.BrowserContextID]
	e.mu.Unlock()
	blank := info.OpenerID == "" && (info.URL == "" || info.URL == "about:blank")
	for _, t := range tabs {
		if t.shows(string(info.OpenerID)) || blank && t.empty() {
			return t
		}
	}
	if len(tabs) == 0 {
		return nil
	}
	return tabs[0]
}

func (e *chromium) all() []*chromiumTab {
	e.mu.Lock()
	defer e.mu.Unlock()
	list := make([]*chromiumTab, 0, len(e.tabs))
	for _, tabs := range e.tabs {
		list = append(list, tabs...)
	}
	return list
}

func (e *chromium) remember(t *chromiumTab) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.tabs[t.context] = append(slices.Clip(e.tabs[t.context]), t)
}

// forget takes a tab out, and tells whether others are left in its context.
func (e *chromium) forget(t *chromiumTab) (others bool) {
	e.mu.Lock()
	defer e.mu.Unlock()
	left := slices.DeleteFunc(slices.Clone(e.tabs[t.context]), func(have *chromiumTab) bool { return have == t })
	e.tabs[t.context] = left
	if len(left) == 0 {
		delete(e.tabs, t.context)
	}
	return len(left) > 0
}

// area is the size of a viewport in CSS pixels.
type area struct{ width, height int }

// create makes an isolated tab whose other options are not known yet.
func (e *chromium) create(ctx context.Context, size area) (*chromiumTab, error) {
	g, err := e.guardFor()
	if err != nil {
		return nil, err
	}
	t := newChromiumTab(e, g)
	if err := e.createIn(ctx, t, size); err != nil {
		_ = t.end(ctx)
		return nil, explain(ctx, err, "opening a browser tab")
	}
	return t, nil
}

func (e *chromium) createIn(ctx context.Context, t *chromiumTab, size area) error {
	res, err := call(ctx, e.root, target.CreateBrowserContext, target.CreateBrowserContextParams{
		DisposeOnDetach: ptr(true), ProxyServer: t.guard.address(), ProxyBypassList: "<-loopback>",
	})
	if err != nil {
		return err
	}
	t.context = res.BrowserContextID
	e.remember(t)
	return e.window(ctx, t, target.CreateTargetParams{URL: "about:blank"}, size)
}

// window makes the first window of a tab.
func (e *chromium) window(ctx context.Context, t *chromiumTab, blank target.CreateTargetParams, size area) error {
	blank.BrowserContextID = t.context
	if size.width > 0 {
		blank.Width, blank.Height = int64(size.width), int64(size.height)
	}
	if _, err := call(ctx, e.root, target.CreateTarget, blank); err != nil {
		return err
	}
	return t.await(ctx, "opening a browser tab", func() (bool, error) { return t.current() != nil, nil })
}

// take gives a tab with these options: the spare one if there is one.
func (e *chromium) take(ctx context.Context, o TabOptions) (*Tab, error) {
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
			return t.Tab, nil
		}
		_ = t.end(ctx) // it went bad while it waited
	}
	t, err := e.create(ctx, size)
	if err != nil {
		return nil, err
	}
	if err := t.dress(ctx, o); err != nil {
		_ = t.end(ctx)
		return nil, explain(ctx, err, "preparing a browser tab")
	}
	return t.Tab, nil
}

// beside gives a tab in the context of another one. What belongs to the context, such
// as its cookies, is left as it is.
func (e *chromium) beside(ctx context.Context, first *Tab, o TabOptions) (*Tab, error) {
	if _, err := first.page(); err != nil {
		return nil, err
	}
	peer, ok := first.drive.(*chromiumTab)
	if !ok || !peer.guard.share() {
		return nil, closedFault()
	}
	t := newChromiumTab(e, peer.guard)
	t.context = peer.context
	e.remember(t)
	o.Cookies = nil
	err := e.window(ctx, t, target.CreateTargetParams{URL: "about:blank", NewWindow: ptr(true)}, area{o.Width, o.Height})
	if err == nil {
		err = t.dress(ctx, o)
	}
	if err != nil {
		_ = t.end(ctx)
		return nil, explain(ctx, err, "opening a browser tab")
	}
	return t.Tab, nil
}

// fill prepares a spare tab, so that the next one costs nothing.
func (e *chromium) fill(ctx context.Context) {
	e.mu.Lock()
	size, ready := e.size, e.spare != nil
	e.mu.Unlock()
	if ready {
		return
	}
	t, err := e.create(ctx, size)
	if err != nil {
		return // the next tab is made when it is asked for, and reports why it cannot
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	e.spare = t
}

// dress gives a new tab its options, in one round trip if it has the size already.
func (t *chromiumTab) dress(ctx context.Context, o TabOptions) error {
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
	b := t.branches[v.session]
	list := b.prepare(o)
	t.mu.Unlock()
	list = append(list, start(t.engine.root, cdpbrowser.SetDownloadBehavior, t.downloadOptions()))
	list = append(list, t.setCookies(o.Cookies)...)
	shown, err := viewport(ctx, t.on(v.session))
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

func (e *chromium) alive() bool {
	select {
	case <-e.conn.done:
		return false
	default:
		return e.runs()
	}
}

func (e *chromium) end() {
	for _, t := range e.all() {
		t.guard.close()
	}
	e.kill()
}
