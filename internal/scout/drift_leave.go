package scout

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/legwork-mcp/legwork/internal/page"
	"github.com/legwork-mcp/legwork/internal/wizard"
)

// last looks for the button that submits, and does not press it.
func (s *survey) last(ctx context.Context, p *wizard.Page) error {
	if _, _, err := s.continueButton(ctx, p); err != nil {
		return err
	}
	if p.Submits {
		for _, q := range s.wizard.Plan(s.data) {
			if q.Page.PageNumber > p.PageNumber {
				s.drift.unreached("page %d (%s): it comes after the button that submits", q.Page.PageNumber, q.Page.PageTitle)
			}
		}
	}
	return nil
}

// press is the button of the page's wizard in the inventory, if it is there.
func (w *onPage) press(ctx context.Context) (page.Press, bool) {
	b, ok, err := w.findButton(ctx, w.p.ContinueButton)
	return b, ok && err == nil
}

// findButton is what a button's selector leads to now.
func (s *survey) findButton(ctx context.Context, b wizard.Button) (page.Press, bool, error) {
	t := page.Target{Selector: b.Selector, Type: orElse(b.SelectorType, "css"), Frame: b.Frame}
	targets := []page.Target{t}
	for _, x := range s.inv.Buttons {
		targets = append(targets, page.Target{Selector: x.Selector, Frame: x.Frame})
	}
	seen, err := s.page.Survey(ctx, targets[:1])
	if err != nil || !seen[0].Visible {
		return page.Press{}, false, err
	}
	boxes, err := s.page.Boxes(ctx, targets)
	if err != nil {
		return page.Press{}, false, err
	}
	var same []page.Press
	for i, x := range s.inv.Buttons {
		if near(boxes[0].X, boxes[i+1].X) && near(boxes[0].Y, boxes[i+1].Y) && near(boxes[0].W, boxes[i+1].W) && boxes[0].W > 0 || b.Selector == x.Selector {
			same = append(same, x)
		}
	}
	if seen[0].Count > 1 { // the one that says it, as the runner takes the one of the form
		for _, x := range s.inv.Buttons {
			if letters(x.Text) == letters(b.Text) && x.Enabled {
				return x, true, nil
			}
		}
	}
	if len(same) == 0 {
		return page.Press{Selector: b.Selector, Text: b.Text, Enabled: true, Ways: []page.Way{{Selector: b.Selector}}}, true, nil
	}
	return same[0], true, nil
}

// continueButton is the button that leads on, by the wizard or by what the page
// has now. It reports whether it may be pressed.
func (s *survey) continueButton(ctx context.Context, p *wizard.Page) (page.Target, bool, error) {
	b := &p.ContinueButton
	x, ok, err := s.findButton(ctx, *b)
	if err != nil {
		return page.Target{}, false, err
	}
	was := page.Press{Text: b.Text}
	f := Finding{Kind: FoundSelector, Page: p.PageNumber, Title: printable(p.PageTitle), Label: "button " + b.Text, Selector: b.Selector, Fails: failsNothing}
	if ok && turns(roleOf(was), roleOf(x)) {
		f.Fails, ok = failsOther, false
		f.Was, f.Is = b.Text, printable(x.Text)
	}
	if !ok {
		x, ok = s.likeButton(b.Text)
		if ok {
			f.Works = &Works{Selector: x.Selector, From: fromPage, Score: x.Ways[0].Score}
		}
		// A run finds a button by its text when the selector fails.
		f.Breaks = !ok || letters(x.Text) != letters(b.Text) || f.Fails == failsOther
		f.Message = "the button " + quoted(b.Text) + ": " + quoted(b.Selector) + " " + failure(f.Fails, foundWords([]string{f.Is})) + f.Works.words()
		f.Message = strings.ReplaceAll(f.Message, " ()", "")
		s.drift.add(f)
	}
	if !ok {
		return page.Target{}, false, nil
	}
	safe := !final(x, append(s.inv.Headings, s.place.Title)) || letters(x.Text) == letters(was.Text) || final(was, append(s.inv.Headings, s.place.Title))
	s.renamedButton(p, x)
	if f.Works != nil {
		b.Selector, b.SelectorType, b.Frame = x.Selector, "auto", x.Frame
	}
	t := page.Target{Selector: b.Selector, Type: orElse(b.SelectorType, "css"), Frame: b.Frame, Text: x.Text}
	if !safe {
		s.drift.unreached("what comes after page %d: its button says %s now, which may really submit, so it was not pressed", p.PageNumber, quoted(x.Text))
	}
	return t, safe, nil
}

// turns tells whether a button that led on does something else now.
func turns(was, is role) bool {
	bad := func(r role) bool {
		switch r {
		case roleBack, roleRemove, roleLogin, roleConsent, roleNever:
			return true
		}
		return false
	}
	return bad(is) && !bad(was)
}

// renamedButton tells of a button that says something else.
func (s *survey) renamedButton(p *wizard.Page, x page.Press) {
	b := &p.ContinueButton
	if letters(x.Text) == letters(b.Text) || letters(x.Text) == "" || !s.strict && alikeWords(b.Text, x.Text) && alikeWords(x.Text, b.Text) {
		return
	}
	s.drift.add(Finding{
		Kind: FoundButton, Page: p.PageNumber, Title: printable(p.PageTitle), Was: b.Text, Is: printable(x.Text),
		Message: "the button says " + quoted(x.Text) + " now, not " + quoted(b.Text),
	})
	b.Text = printable(x.Text)
}

// likeButton is the button that leads on when the wizard's is not there: the one
// with its words, or the one that most likely does.
func (s *survey) likeButton(text string) (page.Press, bool) {
	var list []page.Press
	for _, x := range s.inv.Buttons {
		if letters(x.Text) == letters(text) && letters(text) != "" && x.Enabled && len(x.Ways) > 0 {
			list = append(list, x)
		}
	}
	if len(list) == 1 {
		return list[0], true
	}
	x, ok := onward(s.inv.Buttons, slices.ContainsFunc(s.inv.Controls, asked))
	return x, ok && len(x.Ways) > 0
}

// maxRefusals bounds how often a page may come back with complaints.
const maxRefusals = 5

// leave presses the page's button. What the form complains about is told and
// answered, as far as an example does.
func (s *survey) leave(ctx context.Context, p *wizard.Page) (over bool, err error) {
	button, safe, err := s.continueButton(ctx, p)
	if err != nil {
		return true, err
	}
	if button.None() {
		s.drift.unreached("%s: no button leads on from it", s.behind())
		return true, nil
	}
	if !safe {
		return true, nil
	}
	for range maxRefusals {
		shown, f := s.filler()
		proof := page.Proof{ErrorSelectors: p.ErrorSelectors}
		for _, k := range shown {
			proof.Fields = append(proof.Fields, input(k.control, k.id).Target)
		}
		step, err := s.page.Advance(ctx, button, proof)
		if ambiguous(err) {
			s.drift.add(Finding{Kind: FoundSelector, Page: p.PageNumber, Title: printable(p.PageTitle), Selector: button.Selector, Fails: failsSeveral, Breaks: true,
				Message: "the button " + quoted(p.ContinueButton.Text) + ": " + quoted(button.Selector) + " " + failure(failsSeveral, "")})
			s.drift.unreached("%s: which of several buttons leads on is not known", s.behind())
			return true, nil
		}
		if err != nil {
			return true, err
		}
		if err := s.look(ctx); err != nil {
			return true, err
		}
		if step.Moved && !f.back(ctx, &step, shown) {
			s.done[p.PageNumber] = true
			s.letGo(p)
			s.passed(p)
			return false, nil
		}
		again, err := s.complaints(ctx, p, f.blamed(step, shown))
		if err != nil || !again {
			s.stuck(p, step)
			return true, err
		}
	}
	s.stuck(p, page.Step{})
	return true, nil
}

// filler is what knows the questions of the page as the exploration does, for
// what the form complains about.
func (s *survey) filler() ([]*known, *filler) {
	n, _ := s.graph.at(s.place, s.inv)
	shown := s.graph.merge(n, s.inv, nil)
	return shown, &filler{walker: s.walker, node: n, given: map[string]string{"": ""}, tries: map[string]int{}, at: map[string]int{}}
}

// stuck tells of a page that could not be left.
func (s *survey) stuck(p *wizard.Page, step page.Step) {
	said := step.Message
	for _, e := range step.Errors {
		said += "; " + strings.TrimPrefix(e.Label+": ", ": ") + e.Text
	}
	said = printable(clip(strings.TrimPrefix(said, "; "), 400))
	s.drift.add(Finding{Kind: FoundNotPassed, Page: p.PageNumber, Title: printable(p.PageTitle), Is: said, Breaks: true, Message: "the page was not left: " + orElse(said, "the form goes on complaining")})
	s.drift.unreached("%s: page %d was not left", s.behind(), p.PageNumber)
}

// complaints takes in what the form says is missing or wrong, and fills the page
// in again with it. It reports whether there was anything to change.
func (s *survey) complaints(ctx context.Context, p *wizard.Page, blamed map[*known]string) (bool, error) {
	w := &onPage{survey: s, p: p, whole: true}
	items := itemsOf(p)
	l, err := s.locate(ctx, items)
	if err != nil {
		return false, err
	}
	w.pairs = match(l, items, w.due)
	changed := false
	for k, text := range blamed {
		if q := w.pairOf(l, k); q != nil {
			changed = w.complaint(q, k, text) || changed
		} else {
			changed = w.newlyNeeded(k) || changed
		}
	}
	if !changed {
		return false, nil
	}
	s.settle()
	return true, s.work(ctx, p)
}

// complaint is what the form says about a question of the wizard. It reports
// whether there is another answer to give.
func (w *onPage) complaint(q *pair, k *known, text string) bool {
	if w.tried[q.item.id] {
		w.tried[q.item.id] = false // it does insist, as the wizard has it
		return true
	}
	f := w.about(FoundRefused, q.item)
	f.Is, f.Breaks = printable(clip(text, 200)), true
	f.Message = "the form refuses the example: " + quoted(text)
	_, given := w.answers[q.item.field.FieldID]
	if !given && w.expects(w.p, q.item) {
		f.Kind, f.Required = FoundRequired, true
		f.Was, f.Is = "optional", "required"
		f.Message = "the form demands it: " + quoted(text) + "; the wizard has it as optional"
		q.item.field.Required = true
	}
	w.drift.add(f)
	v := w.otherExample(q.item, k.control)
	if v == nil {
		return false
	}
	w.take(q.item, v)
	return true
}

// pairOf is the item that a question of the page is.
func (w *onPage) pairOf(l located, k *known) *pair {
	for _, q := range w.pairs {
		if q.spot >= 0 && ident(*l.spots[q.spot].control) == k.ident {
			return q
		}
	}
	return nil
}

// newlyNeeded notes a question that the wizard does not have and the form
// demands. It reports whether that was not known before.
func (w *onPage) newlyNeeded(k *known) bool {
	at := slices.IndexFunc(w.inv.Controls, func(c page.Control) bool { return ident(c) == k.ident })
	a := w.addition(k.control, max(at, 0))
	if a.field.Required {
		return false
	}
	a.field.Required = true
	return true
}

// otherExample is a value that was not tried yet.
func (s *survey) otherExample(it *item, c page.Control) any {
	if it.traits != &it.field.Traits || it.parts != nil {
		return nil
	}
	was := fmt.Sprint(s.answers[it.field.FieldID])
	for _, v := range candidates(c, s.now()) {
		if fmt.Sprint(v) != was && spelling(v) != spelling(exampleValue(it.field.ExampleValue)) {
			return v
		}
	}
	return nil
}

// take makes a value the example of an item, here and in the mended wizard.
func (s *survey) take(it *item, v any) {
	was := s.data[it.field.FieldID]
	it.field.ExampleValue = exampleJSON(v)
	s.data[it.field.FieldID] = exampleValue(it.field.ExampleValue)
	s.instead[it.field.FieldID] = [2]any{was, s.data[it.field.FieldID]}
	s.settle()
}

// exampleValue is an example as the answers hold it.
func exampleValue(raw json.RawMessage) any {
	a, err := wizard.DecodeAnswers(json.RawMessage(`{"v":` + string(raw) + `}`))
	if err != nil {
		return nil
	}
	return a["v"]
}

// exampleFor keeps a field's example where the control still takes it.
func exampleFor(c page.Control, f *wizard.Field, now time.Time) any {
	list := candidates(c, now)
	was := exampleValue(f.ExampleValue)
	if text, ok := was.(string); ok && len(c.Options) == 0 && c.Kind != page.KindNumber && c.Kind != page.KindRange && fitsText(c, text) {
		return was
	}
	if slices.ContainsFunc(list, func(v any) bool { return fmt.Sprint(v) == fmt.Sprint(was) }) || len(list) == 0 {
		return was
	}
	return list[0]
}
