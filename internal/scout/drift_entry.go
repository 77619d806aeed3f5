package scout

import (
	"context"

	"github.com/legwork-mcp/legwork/internal/page"
)

// goIn opens the form and takes the clicks before its first page.
func (s *survey) goIn(ctx context.Context) (bool, error) {
	s.entered = true // the wizard knows the way in
	if err := s.enter(ctx); err != nil {
		return false, err
	}
	steps := len(s.wizard.EntrySteps)
	if s.wizard.StartAction != nil {
		steps++
	}
	for i := range steps {
		if err := s.look(ctx); err != nil {
			return false, err
		}
		if ok, err := s.entryStep(ctx, i); err != nil || !ok {
			return s.needless > i, err
		}
	}
	return true, nil
}

// click is one click before the first page, however the wizard writes it.
type click struct {
	words    string
	selector *string
	kind     *string
	optional bool
}

func (s *survey) click(i int) click {
	if a := s.wizard.StartAction; a != nil {
		if i == 0 {
			if a.SelectorType == "" {
				a.SelectorType = "text"
			}
			return click{a.Description, &a.Selector, &a.SelectorType, false}
		}
		i--
	}
	e := &s.wizard.EntrySteps[i]
	return click{e.Description, &e.Selector, &e.SelectorType, e.Optional}
}

func (s *survey) entryStep(ctx context.Context, i int) (bool, error) {
	c := s.click(i)
	t := page.Target{Selector: *c.selector, Type: *c.kind}
	seen, err := s.page.Survey(ctx, []page.Target{t})
	if err != nil {
		return false, err
	}
	if !seen[0].Visible {
		if c.optional {
			return true, nil
		}
		if p, err := s.recognise(ctx); err != nil || p != nil {
			s.needless = i + 1
			s.drift.add(Finding{Kind: FoundEntry, Selector: *c.selector, Fails: failsNothing, Breaks: true, Message: "the click on " + quoted(*c.selector) + " is not needed any more: the form is there without it"})
			return false, err
		}
		b, ok := s.likePress(c.words+" "+*c.selector, starts(s.inv.Buttons))
		f := Finding{Kind: FoundEntry, Selector: *c.selector, Fails: failsNothing, Breaks: true}
		if ok {
			f.Works = &Works{Selector: b.Selector, From: fromPage, Score: b.Ways[0].Score}
			f.Is = printable(b.Text)
		}
		f.Message = "the way in, " + quoted(*c.selector) + ", " + failure(failsNothing, "") + f.Works.words()
		s.drift.add(f)
		if !ok {
			s.drift.unreached("everything: the way into the form was not found")
			return false, nil
		}
		*c.selector, *c.kind = b.Selector, "auto"
		t = page.Target{Selector: b.Selector, Type: "auto"}
	}
	step, err := s.page.Advance(ctx, t, page.Proof{})
	if err != nil {
		return false, err
	}
	if !step.Moved && !c.optional {
		s.drift.unreached("everything: the click on %s changed nothing", quoted(*c.selector))
		return false, nil
	}
	return true, nil
}
