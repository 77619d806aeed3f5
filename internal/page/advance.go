package page

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"time"

	"github.com/legwork-mcp/legwork/internal/browser"
	"github.com/legwork-mcp/legwork/internal/fault"
)

// Advance presses the button and observes until it is decided whether the page
// was left. Only a proof counts as moved; what the form says instead is in the
// step's errors. The answers are not checked here: see [Page.Verify].
func (p *Page) Advance(ctx context.Context, button Target, proof Proof) (Step, error) {
	began := time.Now()
	p.fields = proof.Fields
	a := &leaving{page: p, button: button, proof: proof}
	if proof.URLPattern != "" {
		re, err := regexp.Compile(proof.URLPattern)
		if err != nil {
			return Step{}, fault.New(fault.Invalid, "", fmt.Sprintf("The address pattern %q is no regular expression.", proof.URLPattern),
				"Correct url_pattern of the page's advance.").WithCause(err)
		}
		a.pattern = re
	}
	step, err := a.do(ctx)
	if err != nil {
		return step, err
	}
	step.Dialogs, step.Alerts = p.messages(a.dialogs)
	if len(step.Lost) > 0 {
		step.Ms = int(time.Since(began).Milliseconds())
		return step, nil
	}
	if step.Place.URL == "" {
		if step.Place, err = p.Place(ctx); err != nil {
			return step, err
		}
	}
	if step.Moved {
		p.last = nil
	} else {
		if step.Errors, err = p.harvest(ctx, proof.Fields, proof.ErrorSelectors); err != nil {
			return step, err
		}
	}
	step.Ms = int(time.Since(began).Milliseconds())
	return step, nil
}

// messages are the texts of the message boxes that came after the first few, and
// those of them that only tell something. The tab keeps the latest only.
func (p *Page) messages(first int) (all, alerts []string) {
	list, since := p.tab.Dialogs(), p.tab.Doc().Dialogs-first
	for _, d := range list[max(0, len(list)-since):] {
		all = append(all, d.Message)
		if d.Type == "alert" {
			alerts = append(alerts, d.Message)
		}
	}
	return all, alerts
}

// leaving is one press of a button and what comes of it.
type leaving struct {
	page    *Page
	button  Target
	proof   Proof
	pattern *regexp.Regexp
	frame   browser.FrameID // where the button is
	fields  []Target        // those in that frame
	answers []Answer        // those in that frame
	before  browser.Doc
	mark    markOf
	dialogs int
	pressed time.Time

	busy     time.Time // since when requests are in flight, zero when none is
	answered time.Time // when a site that took its time had answered
}

// markOf is what the page was before the press, for the next document.
type markOf struct {
	URL     string    `json:"url"`
	Address string    `json:"address"`
	Heading string    `json:"heading"`
	Step    string    `json:"step"`
	Finger  string    `json:"finger"`
	Names   []*string `json:"names"`
	Errors  []string  `json:"errors"`
}

func (a *leaving) do(ctx context.Context) (Step, error) {
	p := a.page
	a.dialogs = p.tab.Doc().Dialogs
	frame, err := p.frameSoon(ctx, a.button.Frame)
	if errors.Is(err, errNoFrame) {
		return Step{}, notThere(a.button, nil)
	}
	if err != nil {
		return Step{}, err
	}
	a.frame = frame
	for _, f := range a.proof.Fields {
		if pathKey(f.Frame) == pathKey(a.button.Frame) {
			a.fields = append(a.fields, f)
		}
	}
	if lost, err := a.elsewhere(ctx); err != nil || len(lost) > 0 {
		return Step{Lost: lost}, err
	}
	for range presses {
		aim, err := a.aim(ctx)
		if err != nil {
			return Step{}, err
		}
		if aim.State == "lost" {
			return Step{Lost: mismatched(aim.Kept)}, nil
		}
		if aim.State != "ok" {
			return Step{Message: "the button could not be pressed: " + aim.Why}, nil
		}
		a.mark = *aim.Mark
		a.before = p.tab.Doc()
		a.pressed = time.Now()
		if a.proof.Script {
			p.tab.Acted()
		} else if err := p.tab.Click(ctx, frame, aim.X, aim.Y); err != nil {
			return Step{}, err
		}
		step, missed, err := a.watch(ctx)
		if !missed {
			step.Pressed = true
			return step, err
		}
	}
	return Step{Message: "the button moves away whenever it is pressed"}, nil
}

// presses bounds how often a button that moved away under the press is pressed
// again. Such a press had no effect: the page-side script caught it.
const presses = 6

// restores bounds how often values that a page loses are set again.
const restores = 3

// elsewhere are the answers that another frame than the button's has lost. Those
// of its own are looked at in the moment of aiming.
func (a *leaving) elsewhere(ctx context.Context) ([]Outcome, error) {
	var other []Answer
	for _, one := range a.proof.Answers {
		if pathKey(one.Target.Frame) == pathKey(a.button.Frame) {
			a.answers = append(a.answers, one)
		} else {
			other = append(other, one)
		}
	}
	if len(other) == 0 {
		return nil, nil
	}
	got, err := a.page.Verify(ctx, other)
	return mismatched(got), err
}

// mismatched are the outcomes of answers that the page does not hold.
func mismatched(got []Outcome) []Outcome {
	return slices.DeleteFunc(got, func(o Outcome) bool { return o.State != StateValueMismatch })
}

// aim waits for the button. A page that made it wait may have drawn the form
// anew meanwhile, and a frame may have loaded itself again: answers that are
// lost by it are set again before the press.
func (a *leaving) aim(ctx context.Context) (aimed, error) {
	arg := aimArg{Button: a.button, Fields: a.fields, Extra: a.proof.ErrorSelectors, Answers: a.answers, Script: a.proof.Script, Mark: true}
	for try := 0; ; try++ {
		aim, err := a.page.aim(ctx, a.frame, arg)
		if err != nil || aim.State != "ok" || try == restores || !aim.Waited && !a.page.reloaded() {
			return aim, err
		}
		if lost, err := a.page.restore(ctx); err != nil || !lost {
			return aim, err
		}
	}
}

// observed is one look at the document in which the button was pressed.
type observed struct {
	State   string   `json:"state"` // waiting, moved, unproved, errors, same, lost
	How     string   `json:"how"`
	Missing []string `json:"missing"`
	Quiet   float64  `json:"quiet"`
	// Rested: that no request was in flight when the look began may have decided.
	Rested bool `json:"rested"`
}

// watch observes until something is decided. Missed tells that the press hit
// something else and was caught.
func (a *leaving) watch(ctx context.Context) (step Step, missed bool, err error) {
	for {
		doc := a.page.tab.Doc()
		if doc.Seq != a.before.Seq {
			step, err := a.landed(ctx, a.page.tab.Main())
			return step, false, err
		}
		o, err := a.observe(ctx)
		if errors.Is(err, browser.ErrNavigated) && ctx.Err() == nil {
			if step, decided, err := a.vanished(ctx); decided || err != nil {
				return step, false, err
			}
			continue
		}
		if err != nil {
			return Step{}, false, err
		}
		if o.Rested && a.page.tab.Pending(a.before) > 0 && time.Since(a.pressed) < a.page.NavigationTimeout {
			continue // a request has begun meanwhile: what comes of it decides
		}
		switch o.State {
		case "missed":
			return Step{}, true, nil
		case "moved":
			if a.addressHolds(ctx) {
				return Step{Moved: true, How: o.How}, false, nil
			}
			if time.Since(a.pressed) > a.page.ElementTimeout || a.calm(o) {
				return Step{How: o.How, Message: "the page changed, but its address does not match the proof"}, false, nil
			}
		case "unproved":
			if time.Since(a.pressed) > a.page.ElementTimeout || a.calm(o) {
				return Step{How: o.How, Message: fmt.Sprintf("the page changed, but %v of the proof is missing", o.Missing)}, false, nil
			}
		case "errors":
			return Step{}, false, nil
		case "same":
			return a.unchanged(), false, nil
		case "lost":
			step, err := a.landed(ctx, a.frame)
			return step, false, err
		}
	}
}

func (a *leaving) calm(o observed) bool {
	return a.page.tab.Pending(a.before) == 0 && o.Quiet > float64(patience.Milliseconds())
}

func (a *leaving) unchanged() Step {
	doc := a.page.tab.Doc()
	if doc.Downloads > a.before.Downloads {
		return Step{Message: "the button started a download"}
	}
	if doc.Windows > a.before.Windows {
		return Step{Message: "the button opened another window"}
	}
	return Step{Message: "nothing on the page changed after the button was pressed"}
}

// longAnswer is from when on a site's answer is what the press was about, and no
// small talk between page and site.
const longAnswer = 500 * time.Millisecond

// idle tells whether no request is in flight that the press has set off.
func (a *leaving) idle() bool {
	idle := a.page.tab.Pending(a.before) == 0
	switch {
	case !idle && a.busy.IsZero():
		a.busy = time.Now()
	case idle && !a.busy.IsZero():
		if time.Since(a.busy) > longAnswer {
			a.answered = time.Now()
		}
		a.busy = time.Time{}
	}
	return idle
}

// observe looks for one slice at the document. Requests that the press has set
// off keep the decision open, and so does an answer that the page may still do
// something with; neither does for ever.
func (a *leaving) observe(ctx context.Context) (observed, error) {
	doc := a.page.tab.Doc()
	since := time.Since(a.pressed)
	idle := a.idle()
	arg := map[string]any{
		"slice": 200, "since": since.Milliseconds(), "extra": a.proof.ErrorSelectors,
		"idle":    idle || since > a.page.NavigationTimeout,
		"calm":    time.Since(a.answered) > patience,
		"dialog":  doc.Dialogs > a.before.Dialogs,
		"heading": a.proof.Heading, "selector": a.proof.Selector,
	}
	var o observed
	err := a.page.invoke(ctx, a.frame, call{"observe", arg}, &o)
	return o, err
}

// vanished handles a document that went away while it was observed: the main
// one, which the next look sees, or that of the button's frame.
func (a *leaving) vanished(ctx context.Context) (Step, bool, error) {
	p := a.page
	if p.tab.Doc().Seq != a.before.Seq || len(a.button.Frame) == 0 {
		return Step{}, false, p.replaced(ctx, a.before.Seq)
	}
	p.forgetFrames()
	frame, err := p.frameSoon(ctx, a.button.Frame)
	if errors.Is(err, errNoFrame) {
		step := Step{Moved: true, How: HowContent} // the frame with the form is gone
		return step, true, nil
	}
	if err != nil {
		return Step{}, false, err
	}
	step, err := a.landed(ctx, frame)
	return step, true, err
}

// landing is the judgement on a new document.
type landing struct {
	Same    bool     `json:"same"`
	Proved  bool     `json:"proved"`
	Missing []string `json:"missing"`
	Errors  int      `json:"errors"`
	Quiet   float64  `json:"quiet"`
	Place   Place    `json:"place"`
	// Next is the look at the proof's next targets, if it was taken.
	Next *surveyed `json:"next"`
}

// landed decides whether the new document is the next page or the same again.
// A proof that does not hold yet is waited for while the page is active.
func (a *leaving) landed(ctx context.Context, frame browser.FrameID) (Step, error) {
	p := a.page
	fields := a.fields
	if frame == p.tab.Main() && len(a.button.Frame) > 0 {
		fields = nil
	}
	for since := time.Now(); ; {
		if err := p.loaded(ctx); err != nil {
			return Step{How: HowNavigation}, err
		}
		var l landing
		arg := map[string]any{"fields": fields, "before": a.mark, "extra": a.proof.ErrorSelectors, "heading": a.proof.Heading, "selector": a.proof.Selector, "status": p.tab.Doc().Status}
		if frame == p.tab.Main() && !a.framed() {
			arg["next"] = a.proof.Next
		}
		if err := p.read(ctx, frame, call{"landed", arg}, &l); err != nil {
			return Step{How: HowNavigation}, err
		}
		proved := l.Proved && (a.pattern == nil || a.pattern.MatchString(p.tab.Doc().URL))
		if proved && !l.Same {
			step := Step{Moved: true, How: HowNavigation, Place: p.placed(ctx, frame, l.Place)}
			if l.Next != nil && !l.Next.Suspect {
				step.Next = l.Next.Seen
			}
			return step, nil
		}
		if l.Same && l.Errors > 0 {
			return Step{How: HowNavigation}, nil
		}
		still, err := p.rest(ctx, frame)
		if err != nil {
			return Step{How: HowNavigation}, err
		}
		if !still && !p.over(since) {
			continue
		}
		if l.Same && !(proved && a.asked()) {
			return Step{How: HowNavigation, Message: "the same page came back"}, nil
		}
		if proved {
			return Step{Moved: true, How: HowNavigation}, nil
		}
		if time.Since(since) > quietTime || p.over(since) {
			return Step{How: HowNavigation, Message: fmt.Sprintf("another page came, but the proof does not hold: %v", append(l.Missing, a.wrongAddress(ctx)...))}, nil
		}
	}
}

// framed tells whether any of the next targets is in a frame.
func (a *leaving) framed() bool {
	return slices.ContainsFunc(a.proof.Next, func(t Target) bool { return len(t.Frame) > 0 })
}

// asked tells whether the proof names anything by itself.
func (a *leaving) asked() bool {
	return a.pattern != nil || a.proof.Heading != "" || !a.proof.Selector.None()
}

func (a *leaving) addressHolds(ctx context.Context) bool {
	if a.pattern == nil {
		return true
	}
	place, err := a.page.Place(ctx)
	return err == nil && a.pattern.MatchString(place.URL)
}

func (a *leaving) wrongAddress(ctx context.Context) []string {
	if a.addressHolds(ctx) {
		return nil
	}
	return []string{"the address"}
}
