package scout

import (
	"context"
	"strings"

	"github.com/legwork-mcp/legwork/internal/page"
	"github.com/legwork-mcp/legwork/internal/wizard"
)

// fill sets what the answers have for the items that are there and not set yet,
// then what the page demands besides. It reports whether it set anything.
func (w *onPage) fill(ctx context.Context) (bool, error) {
	var answers []page.Answer
	spots := spotsOf(w.inv)
	for _, q := range w.pairs {
		f := q.item.field
		if w.given[q.item.id] || !q.there() || !w.expects(w.p, q.item) || w.given[f.FieldID] {
			continue
		}
		w.given[q.item.id] = true
		if w.doubtful(q, spots) {
			w.tried[q.item.id] = true
		}
		if w.tried[q.item.id] {
			continue
		}
		if q.item.traits == &f.Traits {
			more := fieldAnswers(f, w.answers[f.FieldID])
			if named(f, w.answers) && q.spot >= 0 {
				more[0].Value = candidates(*spots[q.spot].control, w.now())[0]
			}
			answers = append(answers, more...)
			continue
		}
		answers = append(answers, w.partAnswers(q.item)...)
	}
	if len(answers) > 0 {
		return true, w.set(ctx, answers)
	}
	if done, err := w.rows(ctx); done || err != nil {
		return done, err
	}
	if !w.whole {
		return false, nil
	}
	return w.demanded(ctx)
}

// named tells whether the answer to a field is a file of the uploads folder, which
// a check does not read: a sample takes its place.
func named(f *wizard.Field, answers wizard.Answers) bool {
	_, path := answers[f.FieldID].(string)
	return f.Format == "file" && path
}

// partAnswers sets one input of a group.
func (w *onPage) partAnswers(it *item) []page.Answer {
	for _, a := range fieldAnswers(it.field, w.answers[it.field.FieldID]) {
		if it.field.FieldID+"."+a.ID == it.id {
			return []page.Answer{a}
		}
	}
	return nil
}

// set sets answers and tells of those that the page does not take.
func (w *onPage) set(ctx context.Context, answers []page.Answer) error {
	got, err := w.page.Set(ctx, answers)
	if err != nil {
		return err
	}
	for i, o := range got {
		if o.State.OK() || o.State == page.StateHidden || i >= len(answers) {
			continue
		}
		it := w.itemOf(answers[i].ID)
		if it == nil {
			continue
		}
		f := w.about(FoundRefused, it)
		f.Is, f.Breaks = string(o.State), true
		f.Message = "the page does not take the example: " + strings.ReplaceAll(string(o.State), "_", " ")
		if o.Message != "" {
			f.Message += " (" + printable(clip(o.Message, 200)) + ")"
		}
		if o.State == page.StateOptionNotFound && len(o.Candidates) > 0 {
			f.Message += "; it offers: " + printable(list(o.Candidates, 12))
		}
		ok, err := w.another(ctx, it)
		if err != nil {
			return err
		}
		if ok {
			f.Message += "; it takes another one"
			w.refused[it.id] = f // unless what the page takes has changed
			continue
		}
		w.drift.add(f)
	}
	return nil
}
