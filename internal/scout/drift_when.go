package scout

import (
	"maps"
	"slices"

	"github.com/legwork-mcp/legwork/internal/wizard"
)

// trip is what one branch came by.
type trip struct {
	answers map[string]any
	nodes   []*node
	last    int // the last page of the wizard that it reached
}

// remember keeps what the branch came by.
func (s *survey) remember() {
	t := trip{answers: map[string]any{}, nodes: slices.Clone(s.pass.path)}
	maps.Copy(t.answers, s.answers)
	if s.current != nil {
		t.last = s.current.PageNumber
	}
	s.trips = append(s.trips, t)
}

// when is the condition on the answers before it under which a new page comes, as
// the branches tell; nil when it always came, or nothing explains it.
func (s *survey) when(ins insertion) *wizard.Condition {
	var moments []moment
	for _, t := range s.trips {
		came := slices.Contains(t.nodes, ins.node)
		if came || t.last > ins.after { // else it ended before it could come
			moments = append(moments, moment{t.answers, came})
		}
	}
	var order []string
	for _, p := range s.was.OrderedPages() {
		for i := range p.Fields {
			if p.PageNumber <= ins.after && !p.Fields[i].Repeatable {
				order = append(order, p.Fields[i].FieldID)
			}
		}
	}
	c, ok := explain(moments, order)
	if !ok {
		s.drift.unreached("the new page %s came only sometimes; no answer explains when", quoted(titleOf(ins.node)))
	}
	return c
}

// tellConditions adds to what is told of new pages when they come.
func (s *survey) tellConditions() {
	for _, ins := range s.inserted {
		when := s.when(ins)
		for i := range s.drift.Findings {
			f := &s.drift.Findings[i]
			if f.Kind != FoundPage || f.Page != ins.after || f.Title != printable(titleOf(ins.node)) {
				continue
			}
			if when != nil && f.When == nil {
				f.When = when
				f.Message += "; it comes when " + printable(when.String())
			}
		}
	}
}

// otherAnswers are more data sets, which together give every answer of every
// choice: they tell when a new page comes.
func otherAnswers(e *wizard.Entry, gone []wizard.Answers) ([]wizard.Answers, error) {
	var out []wizard.Answers
	for _, set := range e.Contract.DataSets() {
		a, err := answersOf(set)
		if err != nil {
			return nil, err
		}
		same := func(o wizard.Answers) bool {
			return maps.EqualFunc(o, a, func(x, y any) bool { return spelling(x) == spelling(y) })
		}
		if len(gone)+len(out) < maxReplays && !slices.ContainsFunc(gone, same) {
			out = append(out, a)
		}
	}
	return out, nil
}
