package page

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/legwork-mcp/legwork/internal/browser"
)

// Bounds of a look into frames.
const (
	frameDepth   = 5
	framePatient = 3 * time.Second
	maxHeadings  = 20
)

// offer is what one document reports.
type offer struct {
	Inventory
	Frames []frameSeen `json:"frames"`
}

// frameSeen is a frame as the document around it describes it.
type frameSeen struct {
	Selector string `json:"selector"`
	Title    string `json:"title"`
	Src      string `json:"src"`
	Shown    bool   `json:"shown"`
}

// Controls describes everything that the page offers, in every frame and shadow
// root, at most limit controls (500 when limit is 0) and as many buttons.
func (p *Page) Controls(ctx context.Context, limit int) (Inventory, error) {
	if limit <= 0 {
		limit = 500
	}
	var out Inventory
	err := p.offers(ctx, nil, limit, &out)
	return out, err
}

// offers adds what the document at the end of path offers, and its frames.
func (p *Page) offers(ctx context.Context, path []string, limit int, out *Inventory) error {
	frame, err := p.frame(ctx, path)
	if err != nil {
		return err
	}
	if _, err := p.pierceIf(ctx, frame); err != nil {
		return err
	}
	var got offer
	if err := p.read(ctx, frame, call{"controls", map[string]any{"max": limit}}, &got); err != nil {
		return err
	}
	out.add(got.Inventory, path, limit)
	for _, f := range got.Frames {
		p.offersIn(ctx, path, f, limit, out)
	}
	return ctx.Err()
}

// offersIn adds what a frame offers, or why that is not known.
func (p *Page) offersIn(ctx context.Context, path []string, f frameSeen, limit int, out *Inventory) {
	if !f.Shown || f.Selector == "" || len(path) >= frameDepth {
		return
	}
	inner := append(slices.Clone(path), f.Selector)
	name := f.Title
	if name == "" {
		name = f.Selector
	}
	patient, cancel := context.WithTimeout(ctx, framePatient)
	defer cancel()
	err := p.offers(patient, inner, limit, out)
	switch {
	case ctx.Err() != nil:
	case err != nil:
		out.Untested = append(out.Untested, "frame "+name+": it did not answer")
	case p.unloaded(inner, f):
		out.Untested = append(out.Untested, "frame "+name+": it has not loaded")
	}
}

// unloaded tells whether a frame still has the empty document it began with.
func (p *Page) unloaded(path []string, f frameSeen) bool {
	if f.Src == "" || strings.HasPrefix(f.Src, "about:") || strings.HasPrefix(f.Src, "javascript:") {
		return false
	}
	id := p.frames[pathKey(path)]
	at := slices.IndexFunc(p.tab.Frames(), func(x browser.Frame) bool { return x.ID == id })
	if at < 0 {
		return true
	}
	url := p.tab.Frames()[at].URL
	return url == "" || url == "about:blank" || strings.HasPrefix(url, "chrome-error:")
}

// add puts the offers of one document behind those of others.
func (inv *Inventory) add(more Inventory, path []string, limit int) {
	for i := range more.Controls {
		more.Controls[i].Frame = path
	}
	for i := range more.Buttons {
		more.Buttons[i].Frame = path
	}
	inv.Controls = append(inv.Controls, more.Controls[:min(len(more.Controls), limit-len(inv.Controls))]...)
	inv.Buttons = append(inv.Buttons, more.Buttons[:min(len(more.Buttons), limit-len(inv.Buttons))]...)
	inv.Total += more.Total
	inv.TotalButtons += more.TotalButtons
	inv.Headings = append(inv.Headings, more.Headings[:min(len(more.Headings), maxHeadings-len(inv.Headings))]...)
	if inv.Dialog == "" {
		inv.Dialog = more.Dialog
	}
}
