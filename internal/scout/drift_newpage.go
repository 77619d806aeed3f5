package scout

import (
	"context"
	"slices"

	"github.com/legwork-mcp/legwork/internal/wizard"
)

// insertPages puts the new pages in their places. Numbers are made room for.
func (s *survey) insertPages() {
	for i, ins := range s.inserted {
		at := ins.after + 1
		for _, earlier := range s.inserted[:i] {
			if earlier.after < ins.after || earlier.after == ins.after {
				at++
			}
		}
		for j := range s.wizard.Pages {
			if s.wizard.Pages[j].PageNumber >= at {
				s.wizard.Pages[j].PageNumber++
			}
		}
		var earlier []string
		for _, p := range s.wizard.OrderedPages() {
			if p.PageNumber < at {
				for _, f := range p.Fields {
					earlier = append(earlier, f.FieldID)
				}
			}
		}
		p := s.pageOf(ins.node, at, earlier)
		p.VisibleWhen = s.when(ins)
		for k := range p.Fields {
			p.Fields[k] = cleaned(p.Fields[k])
		}
		p.PageTitle, p.ContinueButton.Text = printable(p.PageTitle), printable(p.ContinueButton.Text)
		s.wizard.Pages = append(s.wizard.Pages, p)
	}
	slices.SortStableFunc(s.wizard.Pages, func(a, b wizard.Page) int { return a.PageNumber - b.PageNumber })
}

// unknown handles a page that is none of the wizard's: one that is new, or the
// end of what can be followed. It goes through a new one with examples.
func (s *survey) unknown(ctx context.Context) (over bool, err error) {
	title := quoted(titleOfPlace(s.place))
	asks := slices.ContainsFunc(s.inv.Controls, asked)
	if b, ok := onward(s.inv.Buttons, asks); !ok || !asks && roleOf(b) != roleContinue && roleOf(b) != roleStart {
		s.drift.unreached("%s: %s came, which is no page of the wizard and leads nowhere", s.behind(), title)
		if s.current != nil && s.done[s.current.PageNumber] && acted(s.place, s.inv.Headings) {
			s.acting[s.current.PageNumber] = true
			s.acted(s.current, "the button "+quoted(s.current.ContinueButton.Text))
		}
		return true, nil
	}
	if !s.mayPress() {
		s.drift.unreached("%s: %s came, which is no page of the wizard; it may be the one that submits, so its button was not pressed", s.behind(), title)
		return true, nil
	}
	at := 0
	if s.current != nil {
		at = s.current.PageNumber
	}
	before := len(s.pass.path)
	if _, err := s.walker.step(ctx); err != nil {
		return true, err
	}
	if len(s.pass.path) > before {
		n := s.pass.path[len(s.pass.path)-1]
		s.insert(at, n)
	}
	if s.pass.end != "" {
		s.drift.unreached("what comes after the new page %s: %s", title, map[bool]string{true: "its button may really submit, so it was not pressed", false: printable(clip(s.pass.why, 300))}[s.pass.end == endFinal])
		return true, nil
	}
	return false, nil
}

// mayPress tells whether the button of an unknown page is none that submits: the
// page could be the last one, changed beyond recognition.
func (s *survey) mayPress() bool {
	b, _ := onward(s.inv.Buttons, slices.ContainsFunc(s.inv.Controls, asked))
	left, last := 0, ""
	for _, q := range s.wizard.Plan(s.data) {
		if !s.done[q.Page.PageNumber] {
			left++
			last = q.Page.ContinueButton.Text
			if q.Page.Submits {
				break
			}
		}
	}
	return left > 1 || left == 1 && letters(b.Text) != letters(last) && !final(b, s.inv, s.place)
}

func (s *survey) insert(after int, n *node) {
	if slices.ContainsFunc(s.inserted, func(i insertion) bool { return i.node == n }) {
		return
	}
	s.inserted = append(s.inserted, insertion{after, n})
	needs, names := false, []string{}
	for _, k := range n.controls {
		names = append(names, printable(labelOf(k.control)))
		needs = needs || k.control.Required || len(k.need) > 0
	}
	what := "it asks nothing"
	if len(names) > 0 {
		what = "it asks: " + list(names, 12)
	}
	where := "before page 1"
	if after > 0 {
		where = "after page " + itoa(after)
	}
	s.drift.add(Finding{
		Kind: FoundPage, Page: after, Title: printable(titleOf(n)), Is: printable(titleOf(n)), Required: needs, Breaks: true,
		Message: "there is a new page " + quoted(titleOf(n)) + " " + where + "; " + what,
	})
}

// insertion is a page that the wizard does not have.
type insertion struct {
	after int
	node  *node
}
