package audit

import (
	"context"
	"time"

	"github.com/legwork-mcp/legwork/internal/browser"
)

// Consent is what became of a banner that asks for consent.
type Consent struct {
	Found    bool   `json:"found"`
	Action   string `json:"action"`   // rejected, closed; empty: there is no button that gives nothing away
	Button   string `json:"button"`   // the name of the one that was pressed
	Gone     bool   `json:"gone"`     // the banner went away
	Text     string `json:"text"`     // the beginning of what it says
	Selector string `json:"selector"` // of the banner, in its frame
	Frame    string `json:"frame"`    // address of the frame; empty: the page itself
}

// goneLimit is how long a banner may take to go away.
const goneLimit = 3 * time.Second

// FindConsent looks for a consent banner in the page and its frames, and touches
// nothing. Action and Button say what [Page.DismissConsent] would press.
func (p *Page) FindConsent(ctx context.Context) (Consent, error) {
	found, err := p.banner(ctx)
	return found.Consent, err
}

// DismissConsent presses the button of a consent banner that refuses, or else the one
// that closes it. It never agrees to anything: a banner that only lets people agree
// stays.
func (p *Page) DismissConsent(ctx context.Context) (Consent, error) {
	b, err := p.banner(ctx)
	if err != nil || b.Action == "" {
		return b.Consent, err
	}
	if err := p.Tab.Click(ctx, b.frame, b.X, b.Y); err != nil {
		return b.Consent, err
	}
	err = p.invoke(ctx, request{Frame: b.frame, Name: "consentGone", Arg: map[string]any{"limit": goneLimit.Milliseconds()}}, &b.Gone)
	if err != nil && ctx.Err() == nil { // the frame or the page went away with it
		b.Gone = true
		return b.Consent, nil
	}
	return b.Consent, err
}

type banner struct {
	Consent
	X, Y  float64
	frame browser.FrameID
}

// banner is the first one in the page or its frames.
func (p *Page) banner(ctx context.Context) (banner, error) {
	var b banner
	if err := p.invoke(ctx, request{Name: "consentFind"}, &b); err != nil || b.Found {
		return b, err
	}
	main := p.Tab.Main()
	for _, f := range p.Tab.Frames() {
		if f.ID == main {
			continue
		}
		short, cancel := context.WithTimeout(ctx, frameLimit)
		err := p.invoke(short, request{Frame: f.ID, Name: "consentFind"}, &b)
		cancel()
		if err == nil && b.Found {
			b.frame, b.Frame = f.ID, f.URL
			return b, nil
		}
	}
	return b, nil
}
