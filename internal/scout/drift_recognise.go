package scout

import (
	"context"

	"github.com/legwork-mcp/legwork/internal/wizard"
)

// recognise finds the page of the wizard that is shown, those that the answers
// lead to before the others.
func (s *survey) recognise(ctx context.Context) (*wizard.Page, error) {
	planned := map[int]bool{}
	for _, q := range s.wizard.Plan(s.data) {
		planned[q.Page.PageNumber] = true
	}
	var items []*item
	of := map[*wizard.Page][]*item{}
	var pages []*wizard.Page
	for _, want := range []bool{true, false} {
		for _, p := range s.wizard.OrderedPages() {
			if planned[p.PageNumber] == want && !s.done[p.PageNumber] {
				pages = append(pages, p)
				of[p] = itemsOf(p)
				items = append(items, of[p]...)
			}
		}
	}
	l, err := s.locate(ctx, items)
	if err != nil {
		return nil, err
	}
	rows, err := s.rowButtons(ctx, pages)
	if err != nil {
		return nil, err
	}
	var best *wizard.Page
	top := leastLike
	for _, p := range pages {
		score := s.resemblance(p, match(l, of[p], func(*item) bool { return true })) + rows[p]
		if planned[p.PageNumber] {
			score += 0.01
		}
		if score > top {
			best, top = p, score
		}
	}
	return best, nil
}

// leastLike is how much a page must look like one of the wizard.
const leastLike = 0.45

// resemblance weighs what the page shows of a page of the wizard: its questions,
// then its heading and address.
func (s *survey) resemblance(p *wizard.Page, pairs []*pair) float64 {
	expected, points := 0, 0.0
	for _, q := range pairs {
		asked := s.expects(p, q.item)
		if asked {
			expected++
		}
		switch {
		case q.how == byFirst || q.how == byOther:
			points++
		case q.how == byPage:
			points += 0.7
		case q.fails == failsHidden || q.fails == failsSeveral:
			points += 0.3
		}
	}
	score := 0.0
	if len(pairs) > 0 {
		score = min(1, points/float64(max(1, min(expected, len(pairs)))))
	}
	if s.sameHeading(p) {
		score += 0.5
	}
	if p.URLPattern != "" && pathOf(p.URLPattern) == pathOf(withoutQuery(s.place.URL)) {
		score += 0.15
		if len(pairs) == 0 {
			score += 0.2
		}
	}
	return score
}

func (s *survey) sameHeading(p *wizard.Page) bool {
	return letters(p.PageTitle) != "" && (letters(p.PageTitle) == letters(s.place.Heading) || letters(p.PageTitle) == letters(s.place.Title))
}

// expects tells whether the answers ask for an item of a page.
func (s *survey) expects(p *wizard.Page, it *item) bool {
	if !p.VisibleWhen.Holds(s.answers) || !it.field.VisibleWhen.Holds(s.answers) {
		return false
	}
	if it.traits == &it.field.Traits {
		return true
	}
	row, _ := s.answers[it.field.FieldID].(map[string]any)
	return it.traits.VisibleWhen.Holds(s.answers.InRow(row))
}
