package scout

import (
	"context"
	"strings"

	"github.com/legwork-mcp/legwork/internal/page"
	"github.com/legwork-mcp/legwork/internal/wizard"
)

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
	// A discovered wizard would have marked a page that says what its button does.
	safe := !final(x, s.inv, s.place) || !s.strict && letters(x.Text) == letters(was.Text) || final(was, s.inv, s.place)
	s.renamedButton(p, x)
	if f.Works != nil {
		b.Selector, b.SelectorType, b.Frame = x.Selector, "auto", x.Frame
	}
	t := page.Target{Selector: b.Selector, Type: orElse(b.SelectorType, "css"), Frame: b.Frame, Text: x.Text}
	if !safe {
		why := "its button says " + quoted(x.Text) + " now, which may really submit"
		if x.Notice != "" {
			why = "the page says now that its button submits"
		}
		s.drift.unreached("what comes after page %d: %s, so it was not pressed", p.PageNumber, why)
	}
	return t, safe, nil
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
