package engine

import (
	"context"
	"errors"

	"github.com/legwork-mcp/legwork/internal/browser"
	"github.com/legwork-mcp/legwork/internal/cwac/audit"
	"github.com/legwork-mcp/legwork/internal/fault"
)

// mostRests is how often a page is let come to rest that goes on to another document
// each time, such as one that loads itself without end.
const mostRests = 3

// steadily does something with a page, and again when its document went away meanwhile.
func steadily(do func() error) error {
	for try := 1; ; try++ {
		if err := do(); try == mostRests || !errors.Is(err, browser.ErrNavigated) {
			return err
		}
	}
}

// reading reads something of the page that was judged: again when that loaded itself
// anew meanwhile, and it is an errMoved when the page went elsewhere.
func (v *visit) reading(ctx context.Context, do func() error) error {
	return steadily(func() error {
		err := do()
		if errors.Is(err, browser.ErrNavigated) {
			_ = v.settle(ctx) // for what comes instead; whether it can be read is seen then
		}
		if moved := v.stayed(); moved != nil {
			return moved
		}
		return err
	})
}

// rest lets the page come to rest and reads its facts, both of one document: a page may
// go on to another one by itself.
func (v *visit) rest(ctx context.Context) error {
	for try := 1; ; try++ {
		err := steadily(func() error {
			if err := v.settle(ctx); err != nil {
				return err
			}
			if v.shown = v.page.Tab.Doc(); v.shown.NetError != "" || v.shown.Refused != "" {
				return fault.New(fault.Failed, "page_lost", "The page went by itself to an address that could not be loaded: "+v.shown.URL+".", "Look at the page in a browser.")
			}
			facts, err := v.page.Facts(ctx)
			v.facts = facts
			return err
		})
		switch {
		case err != nil:
			return err
		case v.page.Tab.Doc().Seq == v.shown.Seq:
			return nil
		case try == mostRests:
			return v.stayed()
		}
	}
}

// stayed is the fault of a page that went to another address by itself after it was
// judged: what can be read now is another page. One that loads itself again is still
// the same, also with another query, such as the time, and so is one whose script only
// changes its address.
func (v *visit) stayed() error {
	now := v.page.Tab.Doc()
	if now.Seq == v.shown.Seq || withoutQuery(now.URL) == withoutQuery(v.shown.URL) {
		v.shown = now
		return nil
	}
	return errMoved{
		fault.New(fault.Failed, "page_moved", "The page went to another address by itself while it was being audited: "+now.URL+".",
			"Scan that address."), now.URL,
	}
}

// back brings back a page that an audit has led away, at the viewport that it had.
func (v *visit) back(ctx context.Context) error {
	at := v.view.Viewport
	if err := v.load(ctx); err != nil {
		return err
	}
	return v.look(ctx, at)
}

// errMoved ends the work on a page that is not there any more.
type errMoved struct {
	error
	to string
}

// Unwrap gives the fault.
func (e errMoved) Unwrap() error { return e.error }

// leave makes the address to which the page went by itself one of its links, so that
// the crawl comes to it.
func (v *visit) leave(err error) {
	var moved errMoved
	if errors.As(err, &moved) {
		v.facts.Links = append(v.facts.Links, audit.Link{Raw: moved.to})
	}
}
