package browser

import (
	"context"
	"crypto/rand"
	"errors"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/legwork-mcp/legwork/internal/browser/webdriver"
	"github.com/legwork-mcp/legwork/internal/fault"
)

// webkitTab is a tab with a browser of its own, driven through W3C WebDriver. The
// protocol has no events: what a page does is looked at, see webkit_watch.go.
type webkitTab struct {
	*Tab
	host    *webkit
	process *webkitProcess
	session *webdriver.Session
	key     string // under which documents keep their agent world
	scripts string // of the tab, for every document
	calls   atomic.Int64

	life       context.Context // ends with the tab; its cause is why
	quit       context.CancelCauseFunc
	background sync.WaitGroup
	nudge      chan struct{} // holds a token when there is something to look at
	waiting    atomic.Int32  // callers who wait for a change

	// turn holds a token while somebody talks to the driver: it knows one current
	// window and one current frame, so whoever chooses a frame must have it for
	// himself until his command is done. The next three are under it.
	turn   chan struct{}
	window string    // that is current
	path   []FrameID // of the frame that is current, from the top
	blinds int       // looks in a row at which no script ran

	// Under the tab's lock.
	had      []int64         // calls whose outcome a document need not keep any more
	loads    map[string]load // of documents, by their address without fragment
	fetched  []string        // the same in order
	headings int             // how many navigations there were
	heading  string          // where the navigation that is under way leads, or empty
	barren   bool            // it leads to no document
	stranded bool            // it leads to a host that cannot be reached
	around   area            // what the window is larger than the page
	looks    int
	stale    bool            // a document came since the last look
	over     []string        // requests that have ended since then
	unwanted map[string]bool // windows that are being closed
}

func newWebKitTab(h *webkit, g *guard, p *webkitProcess) *webkitTab {
	t := &webkitTab{
		Tab: newTab(g), host: h, process: p, key: "legwork." + rand.Text(),
		nudge: make(chan struct{}, 1), turn: make(chan struct{}, 1), loads: map[string]load{}, unwanted: map[string]bool{},
	}
	t.life, t.quit = context.WithCancelCause(context.Background())
	t.drive = t
	return t
}

// joined is a context that also ends with the tab.
func (t *webkitTab) joined(ctx context.Context) (context.Context, context.CancelFunc) {
	inner, cancel := context.WithCancelCause(ctx)
	stop := context.AfterFunc(t.life, func() { cancel(context.Cause(t.life)) })
	return inner, func() {
		stop()
		cancel(nil)
	}
}

// within runs commands in a frame; an empty one is the main frame. A message box that
// is in the way is answered, and the commands, which did not run, are sent again. So
// they are when the driver has lost the frame, as it does when a document of another
// process takes its place.
func (t *webkitTab) within(ctx context.Context, frame FrameID, do func(context.Context) error) error {
	inner, cancel := t.joined(ctx)
	defer cancel()
	select {
	case t.turn <- struct{}{}:
	case <-inner.Done():
		return t.judge(ctx, context.Cause(inner))
	}
	defer func() { <-t.turn }()
	for again := true; ; {
		err := t.choose(inner, frame)
		if err == nil {
			err = do(inner)
		}
		switch {
		case errors.Is(err, webdriver.UnexpectedAlert):
			if err := t.answerPrompt(inner); err != nil {
				return t.judge(ctx, err)
			}
		case lostFrame(err) && again:
			again = false
			t.window = ""
		default:
			if err != nil && inner.Err() != nil && ctx.Err() == nil {
				err = context.Cause(inner)
			}
			return t.judge(ctx, err)
		}
	}
}

// lostFrame tells that the driver does not know its current frame any more, and
// that the command did not run.
func lostFrame(err error) bool {
	return (errors.Is(err, webdriver.NoSuchWindow) || errors.Is(err, webdriver.NoSuchFrame)) && !unloaded(err)
}

// unloaded tells that the document ended before its script had answered.
func unloaded(err error) bool {
	var refused *webdriver.Error
	return errors.As(err, &refused) && strings.Contains(refused.Message, "unload")
}

// judge makes of a failed command what is behind it. When one program of the tab ends
// all do, and the connection to the driver breaks.
func (t *webkitTab) judge(ctx context.Context, err error) error {
	var refused *webdriver.Error
	var script *ScriptError
	var known *fault.Error
	switch {
	case err == nil, ctx.Err() != nil, errors.As(err, &script), errors.As(err, &known):
		return err
	case errors.Is(err, ErrNavigated), errors.Is(err, errDetached), errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return err
	case unloaded(err):
		return errors.Join(ErrNavigated, err)
	case lostFrame(err), errors.Is(err, webdriver.StaleElement):
		return errors.Join(errDetached, err)
	case !errors.As(err, &refused):
		return t.crash("The browser process ended unexpectedly.", err)
	case errors.Is(err, webdriver.InvalidSession):
		return t.crash("The page crashed.", err)
	case errors.Is(err, webdriver.UnknownError):
		// So ends a command that the crash of the page cut off.
		if t.dismissed(ctx) {
			return t.crash("The page crashed.", err)
		}
		return err
	default:
		return err
	}
}

// crashNews is how long the driver may take to end the session of a crashed page.
const crashNews = time.Second

// dismissed tells whether the driver has ended the session, or is about to.
func (t *webkitTab) dismissed(ctx context.Context) bool {
	ctx, cancel := context.WithTimeout(ctx, crashNews)
	defer cancel()
	ask := time.NewTicker(20 * time.Millisecond)
	defer ask.Stop()
	for {
		_, err := t.session.Window(ctx)
		if errors.Is(err, webdriver.InvalidSession) {
			return true
		}
		select {
		case <-ask.C:
		case <-ctx.Done():
			return false
		}
	}
}

// crash marks a tab whose page or browser is gone, and ends what is left of it.
func (t *webkitTab) crash(what string, cause error) error {
	t.process.end()
	why := crashed(what, cause)
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.err != nil {
		return t.err
	}
	t.counts.crashed = true
	t.fail(why)
	return why
}

func (t *webkitTab) gone() <-chan struct{} { return t.process.exited }

func (t *webkitTab) abort(why error) { t.quit(why) }

// discard ends the browser of the tab. Its profile is temporary, so nothing is lost. One
// of another machine may take longer to end than the context allows; its host waits.
func (t *webkitTab) discard(ctx context.Context) error {
	defer t.host.forget(t)
	t.quit(closedFault())
	if t.process.seat == nil {
		t.process.kill()
	}
	t.process.end()
	select {
	case <-t.process.exited:
	case <-ctx.Done():
	}
	t.background.Wait()
	return nil
}
