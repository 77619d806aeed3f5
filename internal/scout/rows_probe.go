package scout

import (
	"context"
	"slices"
	"time"

	"github.com/legwork-mcp/legwork/internal/page"
	"github.com/legwork-mcp/legwork/internal/wizard"
)

// maxRowLooks bounds how many answers of one row are tried.
const maxRowLooks = 60

// probeRow changes one choice of the open row at a time, to see which of its
// questions come and go with it. The row is left with its first answers.
func (f *filler) probeRow(ctx context.Context, r *rows, o *openRow) error {
	for at := 0; at < len(r.fields) && len(r.looks) < maxRowLooks && !f.spent(ctx); at++ {
		k := r.fields[at]
		list := rowAnswers(k)
		if len(list) == 0 {
			continue
		}
		if err := f.bringUp(ctx, r, o, k); err != nil {
			return err
		}
		for _, v := range append(list, list[0]) { // the first again, so that the row is as it was
			if len(r.looks) >= maxRowLooks {
				break
			}
			if err := f.setInRow(ctx, o, k, v); err != nil {
				return err
			}
		}
	}
	return nil
}

// rowAnswers are the answers of a choice that are tried; another question has none.
func rowAnswers(k *known) []any {
	switch k.control.Kind {
	case page.KindCheckbox:
		return []any{false, true}
	case page.KindRadio, page.KindSelect:
		if k.control.Multiple {
			return nil
		}
		list := candidates(k.control, time.Time{})
		if len(list) > maxFlips {
			return samples(list)
		}
		return list
	}
	return nil
}

// bringUp gives the answers with which a question of the row was first seen.
func (f *filler) bringUp(ctx context.Context, r *rows, o *openRow, k *known) error {
	if _, there := r.here(f.inv, o)[k]; there {
		return nil
	}
	for _, other := range r.fields {
		v, ok := k.context[other.id]
		if !ok || other == k || len(rowAnswers(other)) == 0 {
			continue
		}
		if err := f.setInRow(ctx, o, other, v); err != nil {
			return err
		}
	}
	return nil
}

// setInRow gives one answer of the open row and looks at what the row asks then.
func (f *filler) setInRow(ctx context.Context, o *openRow, k *known, v any) error {
	c, there := o.rows.here(f.inv, o)[k]
	if !there {
		return nil
	}
	if _, ok := v.(bool); !ok {
		v = plainAnswer(v)
	}
	got, err := f.setAll(ctx, []page.Answer{{Input: input(c, k.id), Value: v}})
	if err != nil || len(got) == 0 || !got[0].State.OK() {
		return err
	}
	if err := f.calm(ctx, reaction); err != nil {
		return err
	}
	f.late(ctx)
	f.see(o.rows, o)
	return nil
}

// settleRow gives examples to what the row asks in the end, so that it can be kept.
func (f *filler) settleRow(ctx context.Context, r *rows, o *openRow) error {
	var answers []page.Answer
	for k, c := range r.here(f.inv, o) {
		if v, ok := r.row[k.id]; ok && empty(c) {
			answers = append(answers, page.Answer{Input: input(c, k.id), Value: v})
			continue
		}
		if list := candidates(c, f.now()); empty(c) && len(list) > 0 && c.Kind != page.KindCheckbox {
			r.row[k.id] = list[0]
			answers = append(answers, page.Answer{Input: input(c, k.id), Value: list[0]})
		}
	}
	if len(answers) == 0 {
		return nil
	}
	if _, err := f.setAll(ctx, answers); err != nil {
		return err
	}
	return f.look(ctx)
}

// here are the questions that the open row shows now.
func (r *rows) here(inv page.Inventory, o *openRow) map[*known]page.Control {
	out := map[*known]page.Control{}
	list := o.questions(inv)
	for i, k := range r.pair(list) {
		if k != nil {
			out[k] = list[i]
		}
	}
	return out
}

// pair finds the questions that controls of one row ask: by name, by words, and
// by words without the number of the row. Nil is one that was never seen.
func (r *rows) pair(list []page.Control) []*known {
	out := make([]*known, len(list))
	for _, same := range []func(*known, page.Control) bool{
		func(k *known, c page.Control) bool { return k.ident == ident(c) },
		func(k *known, c page.Control) bool { return loose(k.control) == loose(c) },
		func(k *known, c page.Control) bool { return alike(k.control) == alike(c) },
	} {
		for i, c := range list {
			if out[i] != nil {
				continue
			}
			if at := slices.IndexFunc(r.fields, func(k *known) bool { return same(k, c) && !slices.Contains(out, k) }); at >= 0 {
				out[i] = r.fields[at]
			}
		}
	}
	return out
}

// see takes in what the open row asks, and what it holds.
func (f *filler) see(r *rows, o *openRow) {
	l := look{answers: map[string]any{}, shown: map[string]bool{}, calm: true}
	list := o.questions(f.inv)
	at := 0
	for i, k := range r.pair(list) {
		c := list[i]
		if k == nil {
			k = r.field(c, false)
			r.fields = slices.Insert(r.fields[:len(r.fields)-1], at, k) // where the page has it
			if list := candidates(c, f.now()); len(list) > 0 && c.Kind != page.KindCheckbox {
				k.example = list[0]
			}
		}
		at = slices.Index(r.fields, k) + 1
		l.shown[k.id] = true
		if a := answerOf(c); a != nil {
			l.answers[k.id] = a
		}
	}
	for _, k := range r.fields {
		if l.shown[k.id] && k.context == nil {
			k.context = l.answers
		}
	}
	r.looks = append(r.looks, l)
}

// condition says for which answers of its row a question is asked; nil means
// always, or that nothing explains it.
func (r *rows) condition(i int) *wizard.Condition {
	var order []string
	for _, k := range r.fields {
		if k != r.fields[i] && len(rowAnswers(k)) > 0 {
			order = append(order, k.id)
		}
	}
	var moments []moment
	for _, l := range r.looks {
		moments = append(moments, moment{l.answers, l.shown[r.fields[i].id]})
	}
	when, _ := explain(moments, order)
	return when
}
