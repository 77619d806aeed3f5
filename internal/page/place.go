package page

import (
	"context"

	"github.com/legwork-mcp/legwork/internal/browser"
)

// What a page may be instead of a form. Empty means an ordinary page.
const (
	VerdictBlocked = "blocked"
	VerdictCaptcha = "captcha"
	VerdictLogin   = "login"
	VerdictOTP     = "otp"
)

// Verdict says whether the page asks for something that a program must not or
// cannot do. It is reported, never worked around.
type Verdict struct {
	Kind     string `json:"kind"`
	Evidence string `json:"evidence"`
}

// Place is where the tab is.
type Place struct {
	URL     string  `json:"url"`
	Title   string  `json:"title"`
	Heading string  `json:"heading"`
	Status  int     `json:"status"`
	Verdict Verdict `json:"verdict"`
}

// Goto opens an address and reports where that led.
func (p *Page) Goto(ctx context.Context, url string) (Place, error) {
	if err := p.tab.Navigate(ctx, url); err != nil {
		return Place{}, err
	}
	p.forget()
	return p.Place(ctx)
}

// Place tells where the tab is and what kind of page that is.
func (p *Page) Place(ctx context.Context) (Place, error) {
	var place Place
	doc := p.tab.Doc()
	arg := map[string]any{"status": doc.Status}
	if err := p.read(ctx, p.tab.Main(), call{"place", arg}, &place); err != nil {
		return Place{}, err
	}
	return p.placed(ctx, p.tab.Main(), place), nil
}

// placed adds what a script in the document cannot know. The place of another
// frame than the main one is none.
func (p *Page) placed(ctx context.Context, frame browser.FrameID, place Place) Place {
	if frame != p.tab.Main() {
		return Place{}
	}
	place.Status = p.tab.Doc().Status
	if place.Heading == "" {
		place.Heading = p.headingInFrames(ctx)
	}
	return place
}

// headingInFrames is the heading of a page that is nothing but a frame.
func (p *Page) headingInFrames(ctx context.Context) string {
	main := p.tab.Main()
	for _, f := range p.tab.Frames() {
		var inner Place
		if f.ID == main || p.invoke(ctx, f.ID, call{"place", map[string]any{}}, &inner) != nil {
			continue
		}
		if inner.Heading != "" {
			return inner.Heading
		}
	}
	return ""
}
