package scout

import (
	"context"
	"slices"

	"github.com/legwork-mcp/legwork/internal/page"
)

// await gives what is not there yet the time that a run would give it, once:
// pages draw themselves anew, and frames load. It reports whether anything came.
func (w *onPage) await(ctx context.Context) (bool, error) {
	var answers []page.Answer
	var items []*item
	for _, q := range w.pairs {
		f := *q.item.field
		if q.how == byFirst || w.awaited[q.item.id] || !w.due(q.item) || q.item.traits != &q.item.field.Traits || q.fails == failsOther || q.fails == failsDecoy || named(&f, w.answers) {
			continue
		}
		w.awaited[q.item.id] = true
		f.SelectorAlternatives, f.Options = nil, slices.Clone(f.Options)
		for i := range f.Options {
			f.Options[i].Selector = ""
		}
		if a := fieldAnswers(&f, w.answers[f.FieldID]); len(a) == 1 && f.Selector != "" {
			answers, items = append(answers, a...), append(items, q.item)
		}
	}
	if len(answers) == 0 {
		return false, nil
	}
	got, err := w.page.Set(ctx, answers)
	came := false
	for i, o := range got {
		came = came || o.State != page.StateNotFound && o.State != page.StateHidden
		if o.State.OK() {
			w.given[items[i].id] = true
		}
	}
	return came, err
}
