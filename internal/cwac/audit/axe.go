package audit

import (
	"context"
	"encoding/json"
	"errors"
	"strconv"
	"time"

	"github.com/legwork-mcp/legwork/internal/browser"
	"github.com/legwork-mcp/legwork/internal/cwac/results"
	"github.com/legwork-mcp/legwork/internal/fault"
)

// Axe runs axe-core in the page and, if asked, in every frame, and puts the parts
// together. Motion is taken out of the page first.
func (p *Page) Axe(ctx context.Context, o AxeOptions) (results.Axe, error) {
	o = o.withDefaults()
	r := &axeRun{page: p, options: o, end: time.Now().Add(o.Limit)}
	if _, err := p.Still(ctx); err != nil {
		return results.Axe{}, err
	}
	arg := o.arg()
	frames, err := r.document(ctx, visit{arg: arg})
	if err != nil {
		return results.Axe{}, err
	}
	partials := []json.RawMessage{}
	for _, f := range frames {
		partials = append(partials, r.frame(ctx, f)...)
	}
	if r.late > 0 {
		r.add("time_limit", "Time ran out before these frames were looked at: "+strconv.Itoa(r.late)+".", "")
	}
	var got axeReport
	if err := p.invoke(ctx, request{Name: "axeFinish", Arg: map[string]any{"partials": partials}}, &got); err != nil {
		return results.Axe{}, err
	}
	return r.outcome(got), nil
}

// axeRun is one audit over all documents of a page.
type axeRun struct {
	page    *Page
	options AxeOptions
	end     time.Time
	late    int // frames that were not entered, since the time was over
	notes   []results.Note
}

// visit is a document to look at.
type visit struct {
	frame browser.FrameID // empty: the page
	url   string
	arg   axeArg
}

// inside is a frame that a document has, as axe names it.
type inside struct {
	parent   visit
	Selector json.RawMessage `json:"frameSelector"`
	Context  json.RawMessage `json:"frameContext"`
}

// document runs the rules in one document, and names the frames in it.
func (r *axeRun) document(ctx context.Context, v visit) ([]inside, error) {
	p := r.page
	if err := p.invoke(ctx, request{Frame: v.frame, Name: "ping"}, nil); err != nil {
		return nil, err
	}
	r.closedRoots(ctx, v)
	if err := p.installAxe(ctx, v.frame); err != nil {
		return nil, err
	}
	left := max(time.Until(r.end), time.Millisecond)
	v.arg.Limit = left.Milliseconds()
	var got axeLimits
	short, cancel := context.WithTimeout(ctx, left+r.options.Grace)
	defer cancel()
	err := p.invoke(short, request{Frame: v.frame, Name: "axeRun", Arg: v.arg}, &got)
	if err != nil && short.Err() != nil && ctx.Err() == nil {
		got, err = r.rescue(ctx, v.frame)
	}
	if mistake := optionFault(err); mistake != nil {
		return nil, mistake
	}
	if err != nil {
		return nil, err
	}
	r.note(got, v.url)
	for i := range got.Frames {
		got.Frames[i].parent = v
	}
	return got.Frames, nil
}

// rescue ends a run that would not end, and keeps what its finished rules found.
func (r *axeRun) rescue(ctx context.Context, frame browser.FrameID) (axeLimits, error) {
	var got axeLimits
	if err := r.page.Tab.Interrupt(ctx, frame); err != nil {
		return got, err
	}
	if err := r.page.invoke(ctx, request{Frame: frame, Name: "axeRescue"}, &got); err != nil {
		return got, err
	}
	if !got.Rescued {
		return got, fault.New(fault.Timeout, "timeout", "The page is so heavy that no rule of axe finished in time.",
			"Audit a part of the page, or allow more time.")
	}
	return got, nil
}

func (p *Page) installAxe(ctx context.Context, frame browser.FrameID) error {
	var ready bool
	if err := p.invoke(ctx, request{Frame: frame, Name: "ready"}, &ready); err != nil || ready {
		return err
	}
	return scriptFault(p.Tab.Call(ctx, browser.Function{Frame: frame, Source: installAxeFn()}, nil), "axe")
}

// closedRoots opens the closed shadow roots of a document to axe, or notes them.
func (r *axeRun) closedRoots(ctx context.Context, v visit) {
	fn := sealFn
	if r.options.ClosedRoots {
		fn = adoptFn
	}
	n, err := r.page.Tab.PierceClosed(ctx, v.frame, fn)
	switch {
	case err != nil:
		r.add("closed_shadow_root", "It is not known whether the page has closed shadow roots, which were not tested.", v.url)
	case n > 0 && !r.options.ClosedRoots:
		r.add("closed_shadow_root", "Parts of the page are in closed shadow roots and were not tested.", v.url)
	}
}

func (r *axeRun) add(kind, text, where string) {
	r.notes = append(r.notes, results.Note{Audit: results.AuditAxe, Kind: kind, Text: text, Where: where})
}

// frame looks at the document of a frame and those inside it. Its parts come in the
// order in which axe expects them; null stands for what could not be looked at.
func (r *axeRun) frame(ctx context.Context, f inside) []json.RawMessage {
	untested := []json.RawMessage{json.RawMessage("null")}
	if !time.Now().Before(r.end) { // bringing axe into hundreds of frames takes minutes
		r.late++
		return untested
	}
	v, err := r.enter(ctx, f)
	if err != nil {
		r.add("frame_untested", "A frame was not tested: "+reason(err)+".", v.url)
		return untested
	}
	children, err := r.document(ctx, v)
	if err != nil {
		r.add("frame_untested", "A frame was not tested: "+reason(err)+".", v.url)
		return untested
	}
	var partial json.RawMessage
	if err := r.page.invoke(ctx, request{Frame: v.frame, Name: "axePartial"}, &partial); err != nil {
		r.add("frame_untested", "A frame was not tested: "+reason(err)+".", v.url)
		return untested
	}
	parts := []json.RawMessage{partial}
	for _, child := range children {
		parts = append(parts, r.frame(ctx, child)...)
	}
	return parts
}

// enter finds the document of a frame and its place in the page.
func (r *axeRun) enter(ctx context.Context, f inside) (visit, error) {
	v := visit{arg: r.options.arg()}
	v.arg.Include, v.arg.Exclude, v.arg.Context = [][][]string{}, [][][]string{}, f.Context
	where := map[string]any{"selector": f.Selector, "offset": f.parent.arg.Offset}
	id, err := r.page.Tab.FrameOf(ctx, f.parent.frame, elementFn, where)
	if err != nil {
		return v, err
	}
	v.frame = id
	for _, known := range r.page.Tab.Frames() {
		switch {
		case known.ID != id:
		case known.Failed != "":
			v.url = known.Failed
			return v, errNotLoaded
		default:
			v.url = known.URL
		}
	}
	if err := r.page.invoke(ctx, request{Frame: f.parent.frame, Name: "axeFrameAt", Arg: where}, &v.arg.Offset); err != nil {
		return v, err
	}
	short, cancel := context.WithTimeout(ctx, frameLimit)
	defer cancel()
	err = r.page.invoke(short, request{Frame: id, Name: "ping"}, &v.url)
	v.arg.Frame = v.url
	return v, err
}

// errNotLoaded is returned for a frame that shows the browser's own page of an error.
var errNotLoaded = errors.New("the document of the frame did not load")

// reason is why a frame could not be looked at, in a few words.
func reason(err error) string {
	var f *fault.Error
	switch {
	case errors.Is(err, browser.ErrNavigated):
		return "it went to another document"
	case errors.Is(err, errNotLoaded):
		return "its document could not be loaded"
	case errors.As(err, &f) && f.Kind == fault.Timeout:
		return "it does not answer"
	default:
		return "it cannot be entered"
	}
}
