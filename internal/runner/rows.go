package runner

import (
	"context"
	"fmt"

	"github.com/legwork-mcp/legwork/internal/page"
	"github.com/legwork-mcp/legwork/internal/wizard"
)

// rows enters the repeatable groups of the current page, row by row. The page
// proves each one by the number of rows that it shows.
func (r *run) rows(ctx context.Context) error {
	for i := range r.current.Fields {
		f := &r.current.Fields[i]
		given, ok := r.answers[f.FieldID]
		if !ok || given == nil || !f.Repeatable {
			continue
		}
		r.out.used[f.FieldID] = true
		items, ok := given.([]any)
		if !ok {
			return fmt.Errorf("field %s: a repeatable group needs a list", f.FieldID)
		}
		for n, item := range items {
			if err := r.row(ctx, f, n, item); err != nil {
				return err
			}
		}
		if len(items) > 0 {
			r.filled = append(r.filled, f.FieldID)
			r.out.proofs = append(r.out.proofs, FieldProof{FieldID: f.FieldID, Page: r.number(), Verified: true})
		}
	}
	return nil
}

func (r *run) row(ctx context.Context, f *wizard.Field, n int, item any) error {
	parts, ok := item.(map[string]any)
	if !ok {
		return fmt.Errorf("field %s: row %d is no object", f.FieldID, n+1)
	}
	var answers []page.Answer
	for i := range f.SubFields {
		s := &f.SubFields[i]
		part, ok := parts[s.FieldID]
		if !ok || part == nil {
			continue
		}
		v, err := r.valueOf(s.Format, part)
		if err != nil {
			return err
		}
		answers = append(answers, page.Answer{Input: subInputOf(f, s), Value: v})
	}
	group := page.Group{
		Add:  page.Target{Selector: f.AddButtonSelector, Type: "auto", Frame: f.Frame},
		Save: page.Target{Selector: f.SaveButtonSelector, Type: "auto", Frame: f.Frame},
		Row:  page.Target{Selector: f.RowSelector, Frame: f.Frame},
	}
	got, err := r.page.AddRow(ctx, group, n, answers)
	if err != nil {
		return fmt.Errorf("row %d of %s: %w", n+1, f.FieldID, err)
	}
	for i, o := range got {
		if o.State != page.StateSet && o.State != page.StateAlready {
			return r.cannotSet(answers[i].Input, o)
		}
	}
	return nil
}
