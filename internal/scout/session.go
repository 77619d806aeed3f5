package scout

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"sync/atomic"
	"time"

	"github.com/legwork-mcp/legwork/internal/browser"
	"github.com/legwork-mcp/legwork/internal/fault"
	"github.com/legwork-mcp/legwork/internal/page"
	"github.com/legwork-mcp/legwork/internal/tool"
	"github.com/legwork-mcp/legwork/internal/wizard"
)

// session is one form that a caller explores. Whoever has its turn works on it.
type session struct {
	id, owner string
	start     string // the address that was asked for
	size      Viewport
	opened    time.Time
	turn      chan struct{}
	card      card // guarded by the registry

	tab   *browser.Tab // nil: the browser ended, the session can be resumed
	page  *page.Page
	live  atomic.Pointer[browser.Tab] // the same tab, for whoever must end it without the turn
	place page.Place
	inv   page.Inventory
	known map[string]string // what was last listed, for the difference

	trail    []step
	pages    []wizard.Page   // saved, by number
	spots    map[int]string  // where the saved pages were seen
	schema   json.RawMessage // written for the wizard before it is complete
	partial  string          // name of the file with the work so far
	explorer *Explorer       // what the drafts of this session know
	answers  map[string]any  // examples with which pages were left
}

// Viewport is the size of the window.
type Viewport struct {
	Width  int `json:"width" minimum:"320" maximum:"3000" jsonschema:"CSS pixels"`
	Height int `json:"height" minimum:"320" maximum:"3000"`
}

// newSession returns a session whose turn the caller has.
func (s *Server) newSession(ctx context.Context, start string) *session {
	return &session{
		id: newID(), owner: tool.Caller(ctx).ID(), start: start, opened: s.clock(), turn: held(),
		size: Viewport{s.set.Width, s.set.Height}, spots: map[int]string{}, known: map[string]string{},
	}
}

func held() chan struct{} {
	turn := make(chan struct{}, 1)
	turn <- struct{}{}
	return turn
}

// newID is a random UUID: knowing it is part of being allowed to use the session.
func newID() string {
	var b [16]byte
	_, _ = rand.Read(b[:]) // never fails: crypto/rand ends the process instead
	b[6], b[8] = b[6]&0x0f|0x40, b[8]&0x3f|0x80
	return fmt.Sprintf("%x-%x-%x-%x-%x", b[:4], b[4:6], b[6:8], b[8:10], b[10:])
}

// openTab gives the session a fresh, isolated browser context.
func (s *Server) openTab(ctx context.Context, x *session) error {
	tab, p, err := s.scratchTab(ctx, x)
	if err != nil {
		return err
	}
	x.tab, x.page = tab, p
	x.live.Store(tab)
	return nil
}

// scratchTab is a context of its own with the session's policy and size.
func (s *Server) scratchTab(ctx context.Context, x *session) (*browser.Tab, *page.Page, error) {
	policy, err := s.policy(x.start)
	if err != nil {
		return nil, nil, err
	}
	tab, err := s.browser.Open(ctx, browser.TabOptions{Policy: policy, Width: x.size.Width, Height: x.size.Height, InitScripts: page.InitScripts()})
	if err != nil {
		return nil, nil, err
	}
	p := page.Open(ctx, tab)
	p.ElementTimeout, p.NavigationTimeout = s.set.Element, s.set.Navigation
	return tab, p, nil
}

// closeTime is what closing a tab may take after the caller's own time is over.
const closeTime = 10 * time.Second

func closeTab(ctx context.Context, tab *browser.Tab) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), closeTime)
	defer cancel()
	return tab.Close(ctx)
}

// close ends the session's browser context. The caller has the turn.
func (x *session) close(ctx context.Context) error {
	tab := x.tab
	if tab == nil {
		return nil
	}
	x.tab, x.page = nil, nil
	x.live.Store(nil)
	return closeTab(ctx, tab)
}

// abort ends the browser context under a call that works with it.
func (x *session) abort() {
	if tab := x.live.Load(); tab != nil {
		_ = closeTab(context.Background(), tab) // whoever has the turn sees what comes of it
	}
}

// on does work on a session of the caller. The session stays for the next call
// whatever happens; a browser that ended is taken from it.
func on[Out any](ctx context.Context, s *Server, id string, work func(*session) (Out, error)) (Out, error) {
	var none Out
	x, err := s.sessions.find(id, tool.Caller(ctx).ID())
	if err != nil {
		return none, err
	}
	if err := s.sessions.take(ctx, x); err != nil {
		return none, err
	}
	defer s.sessions.done(x)
	out, err := work(x)
	return out, s.settle(ctx, x, err)
}

// live is on for work that needs the browser.
func live[Out any](ctx context.Context, s *Server, id string, work func(*session) (Out, error)) (Out, error) {
	return on(ctx, s, id, func(x *session) (Out, error) {
		if x.tab == nil {
			var none Out
			return none, lost(x, nil)
		}
		return work(x)
	})
}

// settle makes the errors of the browser ones of the session.
func (s *Server) settle(ctx context.Context, x *session, err error) error {
	if err == nil || !errors.Is(err, browser.ErrCrashed) && !errors.Is(err, browser.ErrClosed) {
		return err
	}
	if err := x.close(ctx); err != nil {
		s.log.Warn("closing the tab of a browser that ended", "session", x.id, "error", err)
	}
	return lost(x, err)
}

func lost(x *session, cause error) error {
	f := fault.New(fault.Unavailable, "browser_error", "The browser of this session has ended unexpectedly. The saved pages and the steps that led to them are kept.",
		"Call federalscout_resume_session with this session_id: it opens a new browser and goes back to where the saved pages end.").
		WithData("session_id", x.id).WithData("pages_saved", len(x.pages))
	if cause != nil {
		return f.WithCause(cause)
	}
	return f
}

// look takes in the page once it has come to rest.
func (x *session) look(ctx context.Context) error {
	if err := x.page.Settle(ctx); err != nil {
		return err
	}
	return x.glance(ctx)
}

// glance takes in the page as it is.
func (x *session) glance(ctx context.Context) error {
	place, err := x.page.Place(ctx)
	if err != nil {
		return err
	}
	inv, err := x.page.Controls(ctx, maxControls)
	if err != nil {
		return err
	}
	x.place, x.inv = place, inv
	return nil
}

// spot names a step of the form: one address may show many.
func spot(p page.Place) string { return pathOf(p.URL) + "|" + fold(p.Heading) }
