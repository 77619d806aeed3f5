package audit

import (
	"context"
	"errors"
	"fmt"
	"image"
	"time"

	"github.com/legwork-mcp/legwork/internal/browser"
	"github.com/legwork-mcp/legwork/internal/cwac/results"
)

// FocusOptions bound the focus audit.
type FocusOptions struct {
	// Stops is how many elements to come to at most; default 150.
	Stops int
	// Limit bounds the audit in time; default 60 s.
	Limit time.Duration
	// Frames compares what is inside of frames as well; otherwise a frame is one stop.
	Frames bool
}

// stop is where one press of the Tab key has led to.
type stop struct {
	Kind    string `json:"kind"` // none, frame, element
	Key     int    `json:"key"`
	Seen    bool   `json:"seen"`
	Place   mark   `json:"place"`
	Caret   bool   `json:"caret"`
	Modal   bool   `json:"modal"`
	Regions []rect `json:"regions"` // of the window
	Offset  *point `json:"offset"`  // of the document in the frame
	Doc     point  `json:"doc"`     // how far the document is scrolled

	Obscured struct {
		Points  int    `json:"points"`
		Covered int    `json:"covered"`
		By      string `json:"by"`
	} `json:"obscured"`

	frame browser.FrameID
	url   string
}

// focusRun is one way through a page with the Tab key.
type focusRun struct {
	page    *Page
	options FocusOptions
	out     results.Focus
	at      browser.FrameID // that has the focus
	first   string
	last    string
	around  int // stops one after another that were seen before
	end     time.Time
	seq     int
	moving  bool // told already
	frame   bool // told already
}

// Focus goes through the page with the Tab key, as a person does who cannot use a
// mouse. At each stop it compares the element's own place with and without the focus,
// both at the same scroll position, so that only what the focus draws can differ
// (WCAG 2.2, 2.4.7); it looks for content that covers the element (2.4.11) and for
// parts that the focus cannot leave (2.1.2). The page is not as it was afterwards.
func (p *Page) Focus(ctx context.Context, o FocusOptions) (results.Focus, error) {
	o.Stops, o.Limit = orDefault(o.Stops, 150), orDefault(o.Limit, time.Minute)
	r := &focusRun{page: p, options: o, end: time.Now().Add(o.Limit), seq: p.Tab.Doc().Seq}
	r.out.Missing = []results.Finding{}
	var positive []string
	if err := p.invoke(ctx, request{Name: "focusStart"}, &positive); err != nil {
		return r.out, err
	}
	for _, selector := range positive {
		r.note("positive_tabindex", "An element asks to come out of its turn; most often the order is then not what people expect.", selector)
	}
	for range 2 * o.Stops {
		more, err := r.step(ctx)
		if err != nil || !more {
			return r.out, err
		}
		if r.out.Stops >= o.Stops {
			r.note("stop_limit", fmt.Sprintf("The audit ended after %d elements.", r.out.Stops), "")
			break
		}
		if time.Now().After(r.end) {
			r.note("time_limit", fmt.Sprintf("Time ran out after %d elements.", r.out.Stops), "")
			break
		}
	}
	return r.out, nil
}

func (r *focusRun) note(kind, text, where string) {
	r.out.Notes = append(r.out.Notes, results.Note{Audit: results.AuditFocus, Kind: kind, Text: text, Where: where})
}

// step presses Tab once and judges where that leads. It tells whether there is more.
func (r *focusRun) step(ctx context.Context) (bool, error) {
	s, err := r.press(ctx, "Tab")
	if errors.Is(err, browser.ErrNavigated) || r.page.Tab.Doc().Seq != r.seq {
		r.note("focus_navigates", "The page went to another document when an element got the focus (WCAG 2.2, 3.2.1).", "")
		return false, nil
	}
	if err != nil {
		return false, err
	}
	if s.Kind == "none" { // the end of the page; the next press begins again
		ended := r.out.Stops > 0 || r.last == "none"
		r.last = "none"
		return !ended, nil
	}
	id := fmt.Sprint(s.frame, " ", s.Key)
	stuck := id == r.last
	r.last = id
	if s.Seen {
		if id == r.first && !stuck {
			return false, r.cycle(ctx, s)
		}
		r.around++
		if stuck && r.around < 2 {
			return true, nil // a widget may take one Tab for itself
		}
		return false, r.cycle(ctx, s)
	}
	r.around = 0
	if r.first == "" {
		r.first = id
	}
	r.out.Stops++
	if r.cover(s) {
		return true, nil
	}
	if s.Kind == "frame" {
		r.opaque(s)
		return true, nil
	}
	return true, r.indicator(ctx, s)
}

// opaque passes over a frame that takes the focus and has nothing to give it to. Its
// focus cannot be taken away for a comparison: when a script gives it back, Chromium
// walks on through the frames after it and goes on to name the first, which looks like
// a trap.
func (r *focusRun) opaque(s stop) {
	if !r.frame {
		r.frame = true
		r.note("frame_focus", "A frame takes the focus as a whole; whether that shows was not compared.", s.Place.Selector)
	}
}

// press presses a key and finds out which element has the focus then.
func (r *focusRun) press(ctx context.Context, key string) (stop, error) {
	if err := r.page.Tab.Press(ctx, r.at, key); err != nil {
		return stop{}, err
	}
	return r.where(ctx)
}

// where follows the focus from the page into the frame that has it. A frame that
// does not say more is itself the stop.
func (r *focusRun) where(ctx context.Context) (stop, error) {
	s, err := r.ask(ctx, stop{})
	if err != nil {
		return s, err
	}
	origin := s.Doc
	for s.Kind == "frame" && r.options.Frames {
		id, err := r.page.Tab.FrameOf(ctx, s.frame, elementFn, map[string]any{"focused": true})
		if err != nil {
			break
		}
		short, cancel := context.WithTimeout(ctx, frameLimit)
		inner, err := r.ask(short, stop{frame: id, Offset: s.Offset, Doc: origin})
		cancel()
		if err != nil || inner.Kind == "none" {
			break
		}
		s = inner
	}
	r.at = s.frame
	return s, nil
}

// ask asks one document what has the focus in it.
func (r *focusRun) ask(ctx context.Context, in stop) (stop, error) {
	out := stop{frame: in.frame}
	arg := map[string]any{"offset": in.Offset}
	if in.frame != "" {
		arg["document"] = point{X: in.Offset.X + in.Doc.X, Y: in.Offset.Y + in.Doc.Y}
		for _, f := range r.page.Tab.Frames() {
			if f.ID == in.frame {
				out.url = f.URL
			}
		}
	}
	err := r.page.invoke(ctx, request{Frame: in.frame, Name: "focusAt", Arg: arg}, &out)
	return out, err
}

// indicator compares the place of the element with and without the focus. Only what
// differs needs a third picture, which tells what would have moved anyway.
func (r *focusRun) indicator(ctx context.Context, s stop) error {
	with, without, err := r.bothWays(ctx, s)
	if err != nil {
		return err
	}
	changed := compare(with, without)
	if inside, everywhere := changed.count(s.Regions); inside == 0 {
		r.invisible(s, everywhere)
		return r.back(ctx, s)
	}
	again, err := r.page.snap(ctx)
	if err != nil {
		return err
	}
	moving := compare(without, again)
	if _, moves := moving.count(nil); moves > 0 {
		r.behindMotion(s, changed.without(moving))
	}
	return r.back(ctx, s)
}

// bothWays takes the pictures at one scroll position.
func (r *focusRun) bothWays(ctx context.Context, s stop) (with, without *image.NRGBA, err error) {
	if with, err = r.page.snap(ctx); err != nil {
		return nil, nil, err
	}
	if err = r.page.invoke(ctx, request{Frame: s.frame, Name: "focusDrop"}, nil); err != nil {
		return nil, nil, err
	}
	without, err = r.page.snap(ctx)
	return with, without, err
}

func (r *focusRun) back(ctx context.Context, s stop) error {
	return r.page.invoke(ctx, request{Frame: s.frame, Name: "focusBack"}, nil)
}

func (r *focusRun) behindMotion(s stop, changed differences) {
	if !r.moving {
		r.moving = true
		r.note("moving_content", "Parts of the page move all the time; what the focus draws over them is not seen (see WCAG 2.2, 2.2.2).", "")
	}
	if inside, everywhere := changed.count(s.Regions); inside == 0 {
		r.invisible(s, everywhere)
	}
}

// invisible records that nothing showed the focus at its own place.
func (r *focusRun) invisible(s stop, elsewhere int) {
	if s.Caret && len(s.Regions) > 0 {
		return // the text cursor shows it; between two blinks it is away
	}
	f := r.page.finding(results.AuditFocus, results.RuleFocusVisible, s.Place)
	f.Frame = s.url
	f.Summary = "Nothing about the element changes when it gets the keyboard focus."
	if len(s.Regions) == 0 {
		f.Summary = "The element gets the keyboard focus but is not drawn."
	}
	if elsewhere > 0 {
		f.Review = true
		f.Summary = "Nothing changes at the element's own place when it gets the keyboard focus, but something does elsewhere."
		f.Data = map[string]any{"changed_elsewhere_px": elsewhere}
	}
	r.out.Missing = append(r.out.Missing, f)
}

// cover judges what lies over the focused element, and tells whether it is all of it.
func (r *focusRun) cover(s stop) bool {
	o := s.Obscured
	if o.Covered == 0 {
		return false
	}
	if o.Covered < o.Points {
		r.note("focus_partly_obscured", "Fixed content covers a part of the focused element.", s.Place.Selector)
		return false
	}
	f := r.page.finding(results.AuditFocus, results.RuleFocusObscured, s.Place)
	f.Frame = s.url
	f.Summary = "The focused element lies wholly under " + o.By + "."
	f.Data = map[string]any{"covered_by": o.By}
	r.out.Missing = append(r.out.Missing, f)
	return true
}
