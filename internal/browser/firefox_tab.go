package browser

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/legwork-mcp/legwork/internal/browser/bidi"
)

// firefoxTab is a tab in a user context of a Firefox that has no other.
type firefoxTab struct {
	*Tab
	engine  *firefox
	process *foxProcess
	context bidi.UserContext
	quit    chan struct{} // closed when the tab fails
	held    []string      // the intercepts of this tab

	// Under the tab's lock, by frame:
	underway map[FrameID]voyage // the navigation that has not ended yet
	arriving map[FrameID]*world // the world of a document that is not shown yet
	parsed   map[FrameID]string // the navigation whose document is parsed already
	worlds   int                // that had to be made anew
}

func newFirefoxTab(e *firefox, p *foxProcess, g *guard) *firefoxTab {
	t := &firefoxTab{
		Tab: newTab(g), engine: e, process: p, quit: make(chan struct{}),
		underway: map[FrameID]voyage{}, arriving: map[FrameID]*world{}, parsed: map[FrameID]string{},
	}
	t.drive = t
	p.use(t)
	return t
}

func (t *firefoxTab) gone() <-chan struct{} { return t.process.conn.Done() }

func (t *firefoxTab) abort(error) {
	select {
	case <-t.quit:
	default:
		close(t.quit)
	}
	for _, f := range t.frames {
		t.endWorld(f)
	}
}

// dress makes the user context with all that its options ask for, and the first
// window in it.
func (t *firefoxTab) dress(ctx context.Context, o TabOptions) error {
	if err := t.guard.apply(o.Policy); err != nil {
		return err
	}
	t.mu.Lock()
	t.options = o
	t.mu.Unlock()
	c := t.process.conn
	proxy := strings.TrimPrefix(t.guard.address(), "http://")
	made, err := bidi.Call(ctx, c, bidi.CreateUserContext, bidi.UserContextParams{
		Proxy:   &bidi.Proxy{Type: "manual", HTTP: proxy, SSL: proxy},
		Prompts: map[string]string{"default": "ignore", "file": "dismiss"},
	})
	if err != nil {
		return err
	}
	t.mu.Lock()
	t.context = made.UserContext
	t.mu.Unlock()
	for _, pending := range t.settings(o) {
		if err := pending.Done(ctx); err != nil {
			return err
		}
	}
	if err := t.holdFor(ctx, o.Headers); err != nil {
		return err
	}
	if _, err := bidi.Call(ctx, c, bidi.Create, bidi.CreateParams{Type: "tab", UserContext: t.context}); err != nil {
		return err
	}
	if err := t.await(ctx, "opening a browser tab", func() (bool, error) { return t.current() != nil, nil }); err != nil {
		return err
	}
	_, err = t.worldOf(ctx, "")
	return err
}

// voyage is a navigation on its way.
type voyage struct {
	navigation string
	frames     int    // that there had been at its start
	request    string // that brought the document already, or empty
}

// settling is a command whose answer only matters when it is a refusal.
type settling interface{ Done(context.Context) error }

// settings tell the browser what the tab's options ask for.
func (t *firefoxTab) settings(o TabOptions) []settling {
	c, own := t.process.conn, []bidi.UserContext{t.context}
	list := []settling{
		bidi.Start(c, bidi.SetLocale, bidi.LocaleParams{Locale: o.Locale, UserContexts: own}),
		bidi.Start(c, bidi.SetTimezone, bidi.TimezoneParams{Timezone: o.Timezone, UserContexts: own}),
		bidi.Start(c, bidi.SetDownloadBehavior, bidi.DownloadBehaviorParams{Behavior: foxDownloads(o), UserContexts: own}),
	}
	if !o.Headed {
		list = append(list, bidi.Start(c, bidi.SetViewport, bidi.ViewportParams{
			UserContexts: own, Viewport: bidi.Viewport{Width: o.Width, Height: o.Height}, PixelRatio: 1,
		}))
	}
	if o.UserAgent != "" {
		list = append(list, bidi.Start(c, bidi.SetUserAgent, bidi.UserAgentParams{UserAgent: o.UserAgent, UserContexts: own}))
	}
	for _, script := range foxScripts(o) {
		list = append(list, bidi.Start(c, bidi.AddPreloadScript, bidi.PreloadParams{
			Function: script, Arguments: []any{foxNames}, UserContexts: own, Sandbox: worldName,
		}))
	}
	for _, cookie := range foxCookies(o.Cookies) {
		list = append(list, bidi.Start(c, bidi.SetCookie, bidi.CookieParams{
			Cookie: cookie, Partition: &bidi.CookiePartition{Type: "storageKey", UserContext: t.context},
		}))
	}
	return list
}

// foxNames is where the documents tell the names of their frames, which the protocol
// does not.
var foxNames = bidi.Channel("names")

// foxScripts are the functions that run in the agent world of each new document.
// The first makes sure that there is one.
func foxScripts(o TabOptions) []string {
	list := []string{"(names) => names(window.name)"}
	for _, script := range slices.Concat(storageScripts(o.Storage), o.InitScripts) {
		list = append(list, "() => {\n"+script.Source+"\n}")
	}
	return list
}

// discard takes the tab out of its Firefox, which may then have another.
func (t *firefoxTab) discard(ctx context.Context) error {
	p := t.process
	defer t.engine.back(p)
	defer p.use(nil)
	if !p.alive() || t.context == "" {
		return nil
	}
	list := []settling{bidi.Start(p.conn, bidi.RemoveUserContext, bidi.UserContextResult{UserContext: t.context})}
	for _, id := range t.held {
		list = append(list, bidi.Start(p.conn, bidi.RemoveIntercept, bidi.InterceptResult{Intercept: id}))
	}
	var err error
	for _, pending := range list {
		err = errors.Join(err, pending.Done(ctx))
	}
	switch {
	case err == nil || !p.alive():
		return nil
	case ctx.Err() != nil:
		p.kill()
		return fmt.Errorf("closing a tab: %w", crashed("The browser did not answer any more and was ended.", err))
	default:
		p.kill() // what is left in it must not meet the next tab
		return fmt.Errorf("closing a tab: %w", err)
	}
}
