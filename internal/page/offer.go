package page

import (
	"context"
	"fmt"
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
	maxFrames    = 40               // of all depths
	framesTime   = 12 * time.Second // for those that are slow, together
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
	o := &offers{page: p, limit: limit}
	err := o.document(ctx, nil)
	if o.left > 0 {
		o.all.Untested = append(o.all.Untested, fmt.Sprintf("%d more frames: a look takes in %d, and waits %v for all of them", o.left, maxFrames, p.FramesTime))
	}
	return o.all, err
}

// offers collects what the documents of a page offer.
type offers struct {
	page  *Page
	limit int
	all   Inventory

	frames int           // looked into
	waited time.Duration // for frames, together
	left   int           // not looked into
}

// document adds what the document at the end of path offers, and its frames.
func (o *offers) document(ctx context.Context, path []string) error {
	p := o.page
	frame, err := p.frame(ctx, path)
	if err != nil {
		return err
	}
	if _, err := p.pierceIf(ctx, frame); err != nil {
		return err
	}
	var got offer
	if err := p.read(ctx, frame, call{"controls", map[string]any{"max": o.limit}}, &got); err != nil {
		return err
	}
	o.add(got.Inventory, path)
	for _, f := range got.Frames {
		o.frame(ctx, path, f)
	}
	return ctx.Err()
}

// frame adds what a frame offers, or why that is not known.
func (o *offers) frame(ctx context.Context, path []string, f frameSeen) {
	if !f.Shown || f.Selector == "" || len(path) >= frameDepth {
		return
	}
	if o.frames >= maxFrames || o.waited >= o.page.FramesTime {
		o.left++
		return
	}
	o.frames++
	if len(path) == 0 { // the time of inner frames is part of it
		defer func(since time.Time) { o.waited += time.Since(since) }(time.Now())
	}
	inner := append(slices.Clone(path), f.Selector)
	name := f.Title
	if name == "" {
		name = f.Selector
	}
	patient, cancel := context.WithTimeout(ctx, framePatient)
	defer cancel()
	err := o.document(patient, inner)
	switch {
	case ctx.Err() != nil:
	case err != nil:
		o.all.Untested = append(o.all.Untested, "frame "+name+": it did not answer")
	case o.page.unloaded(inner, f):
		o.all.Untested = append(o.all.Untested, "frame "+name+": it has not loaded")
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
func (o *offers) add(more Inventory, path []string) {
	inv := &o.all
	for i := range more.Controls {
		more.Controls[i].Frame = path
	}
	for i := range more.Buttons {
		more.Buttons[i].Frame = path
	}
	inv.Controls = append(inv.Controls, more.Controls[:min(len(more.Controls), o.limit-len(inv.Controls))]...)
	inv.Buttons = append(inv.Buttons, more.Buttons[:min(len(more.Buttons), o.limit-len(inv.Buttons))]...)
	inv.Total += more.Total
	inv.TotalButtons += more.TotalButtons
	inv.Headings = append(inv.Headings, more.Headings[:min(len(more.Headings), maxHeadings-len(inv.Headings))]...)
	inv.Drawn = append(inv.Drawn, more.Drawn...)
	if inv.Dialog == "" {
		inv.Dialog = more.Dialog
	}
}
