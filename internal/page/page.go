package page

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"time"

	"github.com/legwork-mcp/legwork/internal/browser"
	"github.com/legwork-mcp/legwork/internal/fault"
)

// Default limits of waiting.
const (
	defaultElement    = 10 * time.Second
	defaultNavigation = time.Minute
	quietTime         = 600 * time.Millisecond
)

// Page is the form page that a tab shows. It is used by one goroutine at a time.
type Page struct {
	// ElementTimeout bounds the wait for one element while the page is active.
	ElementTimeout time.Duration
	// NavigationTimeout bounds the wait for what a button leads to.
	NavigationTimeout time.Duration
	// FramesTime bounds how long one look at what the page offers waits for all of
	// its frames together.
	FramesTime time.Duration

	tab          watchedTab
	unresponsive time.Duration // how long a call may go without an answer

	frames  map[string]browser.FrameID // path to frame, for the document seq
	pierced map[browser.FrameID]int    // frames whose closed roots are known, by seq
	seq     int
	runs    int
	fields  []Target // of the page that was last left, for the index of errors
	last    []Answer // that were set on the present page
	filled  map[string]filledDoc
}

// Open looks at a tab as a form page.
func Open(_ context.Context, tab *browser.Tab) *Page {
	p := &Page{
		ElementTimeout: defaultElement, NavigationTimeout: defaultNavigation, FramesTime: framesTime, unresponsive: unresponsive,
		frames: map[string]browser.FrameID{}, pierced: map[browser.FrameID]int{}, filled: map[string]filledDoc{},
	}
	p.tab = watchedTab{Tab: tab, page: p}
	return p
}

// call is the argument of invokeFn.
type call struct {
	Name string `json:"name"`
	Arg  any    `json:"arg"`
}

// invoke calls one function of the page-side script in a frame.
func (p *Page) invoke(ctx context.Context, frame browser.FrameID, c call, out any) error {
	if c.Name == "set" { // it clicks what it sets
		p.tab.Acted()
	}
	for range 3 {
		var reply struct {
			Missing bool            `json:"missing"`
			Value   json.RawMessage `json:"value"`
		}
		if err := p.tab.Call(ctx, browser.Function{Frame: frame, Source: invokeFn, Arg: c}, &reply); err != nil {
			return scriptFault(err, c.Name)
		}
		if !reply.Missing {
			if out == nil || len(reply.Value) == 0 {
				return nil
			}
			return json.Unmarshal(reply.Value, out)
		}
		if err := p.tab.Call(ctx, browser.Function{Frame: frame, Source: installFn(), Arg: nil}, nil); err != nil {
			return scriptFault(err, "install")
		}
	}
	return fault.New(fault.Internal, "browser_error", "The page does not keep the script that reads it.",
		"Run the errand again; report it if it happens every time.")
}

// scriptFault hides the text of an exception: it may quote the page.
func scriptFault(err error, name string) error {
	var thrown *browser.ScriptError
	if !errors.As(err, &thrown) {
		return err
	}
	return fault.New(fault.Internal, "browser_error", "The page could not be read: the step "+name+" failed in it.",
		"Run the errand again; report it if it happens every time.").WithCause(err)
}

// read is invoke for what may be asked again: a document that goes away during
// the call is asked once more after it was replaced.
func (p *Page) read(ctx context.Context, frame browser.FrameID, c call, out any) error {
	main := frame == p.tab.Main()
	for try := 0; ; try++ {
		if main {
			frame = p.tab.Main()
		}
		err := p.invoke(ctx, frame, c, out)
		if err == nil || try >= 10 || ctx.Err() != nil || !errors.Is(err, browser.ErrNavigated) {
			return err
		}
		if err := p.loaded(ctx); err != nil {
			return err
		}
	}
}

// loaded waits until the main document is parsed.
func (p *Page) loaded(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, p.NavigationTimeout)
	defer cancel()
	for {
		doc := p.tab.Doc()
		if err := failure(doc); err != nil {
			return err
		}
		if doc.Loaded || doc.Crashed {
			return nil
		}
		if _, err := p.tab.Changed(ctx, doc); err != nil {
			return err
		}
	}
}

// replaceTime is how long the news of a new document may come after that of the end
// of the one before it. A browser sends one right after the other.
const replaceTime = 2 * time.Second

// replaced waits until the main document is another one than that of a number, and
// parsed. To ask the new one before it is parsed would only be in its way.
func (p *Page) replaced(ctx context.Context, seq int) error {
	soon, cancel := context.WithTimeout(ctx, replaceTime)
	defer cancel()
	for doc := p.tab.Doc(); doc.Seq == seq && !doc.Crashed && failure(doc) == nil; {
		var err error
		if doc, err = p.tab.Changed(soon, doc); err != nil {
			break // whoever asks next sees what there is
		}
	}
	return p.loaded(ctx)
}

// failure is the fault of a document that did not come.
func failure(doc browser.Doc) error {
	switch {
	case doc.Refused != "":
		return fault.New(fault.Denied, "origin_not_allowed", "The form leads to an address that is not allowed: "+doc.Refused+".",
			"If the address is yours, start legwork with --allow-private; if not, report it: the form or its site has been tampered with.")
	case strings.Contains(doc.NetError, "UNSAFE_PORT"):
		return fault.New(fault.Denied, "origin_not_allowed", "The form leads to a port that no web site is served from, so browsers refuse it.",
			"Report it: the form or its site has been tampered with.")
	case doc.NetError != "":
		return fault.New(fault.Unavailable, "navigation_failed", "The next page could not be loaded ("+doc.NetError+").",
			"Check with the site whether the step was taken before trying again.")
	}
	return nil
}

// busy tells whether more requests are in flight than before.
func (p *Page) busy(baseline int) bool { return p.tab.Doc().InFlight > baseline }

// over tells whether the wait for an element has lasted long enough.
func (p *Page) over(since time.Time) bool { return time.Since(since) > p.ElementTimeout }
