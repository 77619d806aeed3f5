package scout

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/legwork-mcp/legwork/internal/fault"
	"github.com/legwork-mcp/legwork/internal/page"
	"github.com/legwork-mcp/legwork/internal/wizard"
)

// The kinds of steps.
const (
	stepGoto    = "goto"
	stepPress   = "press"
	stepSet     = "set"
	stepProceed = "proceed" // a saved page was filled in and left
)

// step is one thing that was done in a session. What was typed or chosen stays
// in memory: a file holds where, never what.
type step struct {
	Action   string   `json:"action"`
	Selector string   `json:"selector,omitempty"`
	Type     string   `json:"selector_type,omitempty"`
	Frame    []string `json:"frame,omitempty"`
	Text     string   `json:"text,omitempty"`
	URL      string   `json:"url,omitempty"`
	Page     int      `json:"page_number,omitempty"`
	At       string   `json:"at,omitempty"`     // the step of the form that it was done on
	Moved    bool     `json:"moved,omitempty"`  // it led to another one
	Script   bool     `json:"script,omitempty"` // pressed by script
	Submits  bool     `json:"submits,omitempty"`
	Entry    bool     `json:"entry,omitempty"` // a click that the wizard needs before its first page

	answers []page.Answer
}

func (t step) target() page.Target {
	return page.Target{Selector: t.Selector, Type: t.Type, Frame: t.Frame}
}

// name is the step in words.
func (t step) name() string {
	switch {
	case t.Action == stepGoto:
		return "going to " + withoutQuery(t.URL)
	case t.Action == stepProceed:
		return fmt.Sprintf("leaving page %d", t.Page)
	case t.Action == stepSet:
		return "filling in " + t.Selector
	case t.Text != "":
		return fmt.Sprintf("pressing %q", t.Text)
	}
	return "pressing " + t.Selector
}

// replay does the steps of a trail again on a page that shows the start.
type replay struct {
	page  *page.Page
	pages []wizard.Page  // saved ones, whose examples stand in for what is not known any more
	data  wizard.Answers // examples that fit each other
	done  int
	notes []string
	// stopped says why the replay did not come to its end.
	stopped string
}

func (s *Server) newReplay(p *page.Page, x *session) *replay {
	return &replay{page: p, pages: x.pages, data: examples(x.wizard())}
}

// run does the steps in order. Only the browser's failures are errors: a form
// that took another way is told.
func (r *replay) run(ctx context.Context, trail []step) error {
	for _, t := range trail {
		if t.Submits {
			r.stopped = fmt.Sprintf("the next step is %s, which may really submit: it is not repeated", t.name())
			return nil
		}
		if err := r.step(ctx, t); err != nil {
			return err
		}
		if r.stopped != "" {
			return nil
		}
		r.done++
	}
	return r.page.Settle(ctx)
}

func (r *replay) step(ctx context.Context, t step) error {
	switch t.Action {
	case stepGoto:
		_, err := r.page.Goto(ctx, t.URL)
		return err
	case stepSet:
		return r.set(ctx, t)
	case stepProceed:
		return r.proceed(ctx, t)
	}
	return r.press(ctx, t)
}

// set gives a field what it held, or the example of the saved page.
func (r *replay) set(ctx context.Context, t step) error {
	answers := t.answers
	if answers == nil {
		f := r.field(t.Selector)
		if f == nil {
			r.note("%s was not repeated: what was filled in is not kept, and no saved page has an example for it", t.Selector)
			return nil
		}
		answers = fieldAnswers(f, r.data[f.FieldID])
	}
	return r.give(ctx, answers)
}

func (r *replay) give(ctx context.Context, answers []page.Answer) error {
	if len(answers) == 0 {
		return nil
	}
	got, err := r.page.Set(ctx, answers)
	if err != nil {
		return err
	}
	for _, o := range got {
		if !o.State.OK() && o.State != page.StateHidden {
			r.note("%s is %s", o.ID, o.State)
		}
	}
	return nil
}

func (r *replay) note(format string, args ...any) {
	r.notes = append(r.notes, fmt.Sprintf(format, args...))
}

// press presses again. When the form does not let go as it did before, the saved
// page that is shown is filled in with its examples first.
func (r *replay) press(ctx context.Context, t step) error {
	moved, why, err := r.try(ctx, t)
	if err != nil || moved || !t.Moved {
		return err
	}
	p, err := r.shown(ctx)
	if err != nil {
		return err
	}
	if p != nil {
		if err := r.fill(ctx, p); err != nil {
			return err
		}
		if moved, why, err = r.try(ctx, t); err != nil || moved {
			return err
		}
	}
	r.stopped = fmt.Sprintf("%s did not lead on as it did before (%q)", t.name(), why)
	return nil
}

// try presses and reports what a form that stays says.
func (r *replay) try(ctx context.Context, t step) (moved bool, why string, err error) {
	target := t.target()
	if t.Text != "" {
		target.Text = t.Text
	}
	got, err := r.page.Advance(ctx, target, page.Proof{Script: t.Script})
	if err != nil {
		if elementFault(err) {
			return false, fault.From(err).Message, nil
		}
		return false, "", err
	}
	return got.Moved, clip(stays(got), longestText), nil
}

// stays says why the form did not go on.
func stays(got page.Step) string {
	var said []string
	for _, e := range got.Errors {
		said = append(said, e.Text)
	}
	if len(said) > 0 {
		return "the form says: " + list(said, 5)
	}
	return got.Message
}

// proceed fills a saved page in and leaves it.
func (r *replay) proceed(ctx context.Context, t step) error {
	i := slices.IndexFunc(r.pages, func(p wizard.Page) bool { return p.PageNumber == t.Page })
	switch {
	case t.answers != nil:
		if err := r.give(ctx, t.answers); err != nil {
			return err
		}
	case i >= 0:
		if err := r.fill(ctx, &r.pages[i]); err != nil {
			return err
		}
	}
	t.Moved = true
	return r.press(ctx, t)
}

// fill gives a page the examples of its fields.
func (r *replay) fill(ctx context.Context, p *wizard.Page) error {
	var answers []page.Answer
	for i := range p.Fields {
		f := &p.Fields[i]
		if v, ok := r.data[f.FieldID]; ok && f.VisibleWhen.Holds(r.data) {
			answers = append(answers, fieldAnswers(f, v)...)
		}
	}
	return r.give(ctx, answers)
}

// field is the saved field with that selector.
func (r *replay) field(selector string) *wizard.Field {
	for i := range r.pages {
		for j := range r.pages[i].Fields {
			f := &r.pages[i].Fields[j]
			if f.Selector == selector || slices.Contains(f.SelectorAlternatives, selector) ||
				slices.ContainsFunc(f.Options, func(o wizard.Option) bool { return o.Selector == selector }) {
				return f
			}
		}
	}
	return nil
}

// shown is the saved page most of whose fields are there, or nil.
func (r *replay) shown(ctx context.Context) (*wizard.Page, error) {
	var best *wizard.Page
	top := 0
	for i := range r.pages {
		p := &r.pages[i]
		seen, err := r.page.Survey(ctx, fieldTargets(p))
		if err != nil {
			return nil, err
		}
		n := 0
		for _, s := range seen {
			if s.Visible {
				n++
			}
		}
		if n > top {
			best, top = p, n
		}
	}
	return best, nil
}

// onward leaves the saved pages one after the other, for a session whose trail
// says nothing. It never presses what submits.
func (r *replay) onward(ctx context.Context) (left []*wizard.Page, err error) {
	last := 0
	for range r.pages {
		if err := r.page.Settle(ctx); err != nil {
			return left, err
		}
		p, err := r.shown(ctx)
		if err != nil || p == nil || p.PageNumber == last {
			return left, err
		}
		last = p.PageNumber
		if p.Submits || roleOf(page.Press{Text: p.ContinueButton.Text}) == roleSubmit {
			r.stopped = fmt.Sprintf("page %d ends with %q, which may really submit", p.PageNumber, p.ContinueButton.Text)
			return left, nil
		}
		if err := r.proceed(ctx, step{Action: stepProceed, Page: last, Selector: p.ContinueButton.Selector, Frame: p.ContinueButton.Frame, Text: p.ContinueButton.Text}); err != nil || r.stopped != "" {
			return left, err
		}
		left = append(left, p)
	}
	return left, nil
}

// restart opens the form in a fresh context and replays a trail. The session's
// own context is closed first: there may be no room for two.
func (s *Server) restart(ctx context.Context, x *session, trail []step) (*replay, error) {
	if err := x.close(ctx); err != nil {
		s.log.Warn("closing a tab", "session", x.id, "error", err)
	}
	if err := s.openTab(ctx, x); err != nil {
		return nil, err
	}
	if _, err := x.page.Goto(ctx, x.start); err != nil {
		return nil, err
	}
	r := s.newReplay(x.page, x)
	if err := r.run(ctx, trail); err != nil {
		return r, err
	}
	x.trail = slices.Clone(trail[:r.done])
	return r, x.look(ctx)
}

// words tell how a replay went.
func (r *replay) words(all int) string {
	var b strings.Builder
	fmt.Fprintf(&b, "Repeated %d of %s.", r.done, plural(all, "step"))
	if r.stopped != "" {
		b.WriteString(" Stopped: " + r.stopped + ".")
	}
	if len(r.notes) > 0 {
		b.WriteString(" Notes: " + clip(list(r.notes, 5), 600) + ".")
	}
	return b.String()
}

// elementFault tells a failure of one element from one of the browser.
func elementFault(err error) bool {
	switch fault.From(err).Type {
	case "selector_not_found", TypeAmbiguous, TypeNotClickable:
		return true
	}
	return false
}
