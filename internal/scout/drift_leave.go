package scout

import (
	"context"
	"strings"

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
		if err := s.look(ctx); err != nil {
			return true, err
		}
		if acted(s.place, s.inv.Headings) {
			s.itself[p.PageNumber] = true
			s.acted(p, "answering the page")
		}
		return true, nil
	}
	if !safe {
		s.drift.MayAct = orElse(s.drift.MayAct, "the button of page "+itoa(p.PageNumber)+" may really submit now")
		return true, nil
	}
	if s.acting[p.PageNumber] {
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

// acted tells of what should only lead on and, without having said so, seems to
// have submitted.
func (s *survey) acted(p *wizard.Page, by string) {
	what := by + " led to " + quoted(titleOfPlace(s.place)) + ": it may have submitted the example"
	s.drift.MayAct = orElse(s.drift.MayAct, what)
	s.drift.add(Finding{Kind: FoundActs, Page: p.PageNumber, Title: printable(p.PageTitle), Is: printable(titleOfPlace(s.place)), Breaks: true, Message: what + ", once; it was not done again"})
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
