package browser

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/legwork-mcp/legwork/internal/browser/webdriver"
)

// webkit gives out tabs that each have a driver, a browser and a screen of their own:
// a driver has one session, and what is isolated by process needs no other care.
type webkit struct {
	kind    webkitKind
	options Options
	far     *webkitFar     // where its drivers are, nil for this machine
	parting sync.WaitGroup // sessions there that are being given back

	mu    sync.Mutex
	tabs  map[*webkitTab]bool
	spare *webkitTab // started with the usual options and unused, or nil
	ended bool
}

// newWebKit makes sure that the browser starts, and keeps it for the first tab.
func newWebKit(ctx context.Context, o Options, headed bool) (host, error) {
	if o.isFar(o.Engine) {
		return newWebKitThere(ctx, o)
	}
	kind, err := findWebKit(o.Engine, headed)
	if err != nil {
		return nil, err
	}
	h := &webkit{kind: kind, options: o, tabs: map[*webkitTab]bool{}}
	t, err := h.start(ctx, TabOptions{Headed: headed}.withDefaults())
	if err != nil {
		return nil, err
	}
	h.spare = t
	return h, nil
}

// usual tells whether a tab with these options can be one that was started before
// they were known: the rest can be given to it later.
func usual(o TabOptions) bool {
	d := TabOptions{}.withDefaults()
	return o.Locale == d.Locale && o.Timezone == d.Timezone && o.UserAgent == "" && !o.NoServiceWorkers
}

func (h *webkit) take(ctx context.Context, o TabOptions) (*Tab, error) {
	var t *webkitTab
	h.mu.Lock()
	if usual(o) {
		t, h.spare = h.spare, nil
	}
	h.mu.Unlock()
	if t != nil && !t.process.runs() { // it went bad while it waited
		_ = t.end(ctx)
		t = nil
	}
	if t == nil {
		var err error
		if t, err = h.start(ctx, o); err != nil {
			return nil, err
		}
	}
	if err := t.dress(ctx, o); err != nil {
		_ = t.end(ctx)
		return nil, explain(ctx, err, "preparing a browser tab")
	}
	return t.Tab, nil
}

// fill starts a browser for the next tab.
func (h *webkit) fill(ctx context.Context) {
	h.mu.Lock()
	ready := h.spare != nil || h.ended || h.far != nil // nobody else could have the seat
	h.mu.Unlock()
	if ready {
		return
	}
	t, err := h.start(ctx, TabOptions{}.withDefaults())
	if err != nil {
		return // the next tab is started when it is asked for, and reports why it cannot
	}
	h.mu.Lock()
	if !h.ended {
		h.spare, t = t, nil
	}
	h.mu.Unlock()
	if t != nil {
		_ = t.end(ctx)
	}
}

// start starts the programs of one tab and opens its window.
func (h *webkit) start(ctx context.Context, o TabOptions) (*webkitTab, error) {
	p, g, err := h.programs(ctx, o)
	if err != nil {
		return nil, err
	}
	t := newWebKitTab(h, g, p)
	h.mu.Lock()
	h.tabs[t] = true
	h.mu.Unlock()
	opening, cancel := context.WithTimeout(ctx, launchLimit)
	defer cancel()
	err = t.open(opening, o)
	if err == nil {
		return t, nil
	}
	_ = t.end(ctx)
	if p.seat != nil && errors.Is(err, webdriver.SessionNotCreated) && errors.Is(p.seat.free(ctx), errTaken) {
		return h.start(ctx, o) // another program was faster
	}
	return nil, p.notStarted(ctx, err)
}

// programs are those of one tab, with the guard that is their way to the network.
func (h *webkit) programs(ctx context.Context, o TabOptions) (*webkitProcess, *guard, error) {
	if h.far != nil {
		return h.startFar(ctx)
	}
	g, err := newGuard(loopback, nil)
	if err != nil {
		return nil, nil, err
	}
	p, err := startWebKit(ctx, h.kind, h.options, o)
	if err != nil {
		g.close()
		return nil, nil, err
	}
	return p, g, nil
}

// open makes the session and takes in its window.
func (t *webkitTab) open(ctx context.Context, o TabOptions) error {
	s, err := t.process.lend(ctx, t.capabilities(o))
	if err != nil {
		return err
	}
	t.session = s
	// A script is never stopped by the driver, which would be in the way from then on:
	// contexts end the waiting.
	const never = 24 * time.Hour
	if err := s.SetTimeouts(ctx, webdriver.Timeouts{Script: never, PageLoad: never}); err != nil {
		return err
	}
	w, err := s.Window(ctx)
	if err != nil {
		return fmt.Errorf("finding the window: %w", err)
	}
	t.window = string(w)
	v := &view{id: string(w), main: FrameID(w), session: string(w), url: "about:blank", requests: map[string]request{}}
	t.mu.Lock()
	t.show(v)
	t.place(v, v.session, v.main, "")
	t.mu.Unlock()
	t.guard.listen(t)
	t.look(ctx)
	t.background.Go(t.watch)
	return nil
}

// webkitFlags keep the browser quiet and on the way through the network guard: no
// WebRTC, which goes around proxies, and no look-ups of names ahead of time.
var webkitFlags = map[string][]string{
	EngineWebKitGTK: {
		"--automation", "--autoplay-policy=deny", "--enable-webrtc=false", "--enable-media-stream=false", "--enable-dns-prefetching=false",
		"--enable-page-cache=false", "--enable-hyperlink-auditing=false", "--enable-smooth-scrolling=false", "--enable-developer-extras=false",
		"--javascript-can-open-windows-automatically=true", // who asked for a window is decided here
	},
	EngineWPE: {"--automation", "--platform=headless", "--enable-webrtc=false", "--enable-media-stream=false", "--enable-dns-prefetching=false",
		"--enable-page-cache=false", "--enable-hyperlink-auditing=false", "--enable-smooth-scrolling=false", "--enable-developer-extras=false"},
}

func (t *webkitTab) capabilities(o TabOptions) webdriver.Capabilities {
	args := append([]string{}, webkitFlags[t.process.kind.name]...)
	if o.UserAgent != "" {
		args = append(args, "--user-agent="+o.UserAgent)
	}
	if o.NoServiceWorkers {
		args = append(args, "--features=!ServiceWorkersEnabled")
	}
	// The protocol's own proxy would be spoken to over TLS for encrypted pages.
	args = append(args, "--proxy="+t.guard.address())
	browser := map[string]any{"args": args} // of another machine: the driver's own
	if t.process.kind.browser != "" {
		browser["binary"] = t.process.kind.browser
	}
	return webdriver.Capabilities{
		// After a page that did not load in time every later command would fail too.
		"pageLoadStrategy":        "none",
		"unhandledPromptBehavior": "ignore",
		t.process.kind.option:     browser,
	}
}

func (h *webkit) forget(t *webkitTab) {
	h.mu.Lock()
	defer h.mu.Unlock()
	delete(h.tabs, t)
}

func (h *webkit) all() []*webkitTab {
	h.mu.Lock()
	defer h.mu.Unlock()
	list := make([]*webkitTab, 0, len(h.tabs))
	for t := range h.tabs {
		list = append(list, t)
	}
	return list
}

func (h *webkit) end() {
	h.mu.Lock()
	h.ended = true
	h.mu.Unlock()
	for _, t := range h.all() {
		t.guard.close()
		_ = t.discard(context.Background())
	}
	h.parting.Wait()
}

// alive until it is ended: the end of one tab's browser is not that of the others.
func (h *webkit) alive() bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	return !h.ended
}

// pid is that of one of its browsers, 0 when none runs.
func (h *webkit) pid() int {
	for _, t := range h.all() {
		return t.process.pid()
	}
	return 0
}

func (h *webkit) program() string {
	if h.far != nil {
		return "WebKitGTK of other machines"
	}
	return h.kind.browser
}

func (h *webkit) memory() int64 {
	var sum int64
	for _, t := range h.all() {
		if pid := t.process.pid(); pid != 0 {
			sum += groupMemory(pid)
		}
	}
	return sum
}
