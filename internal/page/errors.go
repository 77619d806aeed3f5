package page

import (
	"context"
	"errors"
	"slices"

	"github.com/legwork-mcp/legwork/internal/browser"
)

// Errors lists what the form says about the entered values. extra are the
// form's own error selectors. FieldIndex refers to the fields of the last proof.
func (p *Page) Errors(ctx context.Context, extra []string) ([]FormError, error) {
	return p.harvest(ctx, p.fields, extra)
}

// harvest reads the errors of the main frame and of every frame with a field.
func (p *Page) harvest(ctx context.Context, fields []Target, extra []string) ([]FormError, error) {
	groups := byFrame(len(fields), func(i int) []string { return fields[i].Frame })
	if !slices.ContainsFunc(groups, func(g group) bool { return len(g.path) == 0 }) {
		groups = append([]group{{}}, groups...)
	}
	var out []FormError
	for _, g := range groups {
		frame, err := p.frame(ctx, g.path)
		if errors.Is(err, errNoFrame) {
			continue
		}
		if err != nil {
			return nil, err
		}
		list := make([]Target, len(g.indexes))
		for n, i := range g.indexes {
			list[n] = fields[i]
		}
		var got []FormError
		err = p.read(ctx, frame, call{"errors", map[string]any{"fields": list, "extra": extra}}, &got)
		if errors.Is(err, browser.ErrNavigated) && len(g.path) > 0 {
			continue
		}
		if err != nil {
			return nil, err
		}
		for _, e := range got {
			if e.FieldIndex >= 0 {
				e.FieldIndex = g.indexes[e.FieldIndex]
			}
			out = append(out, e)
		}
	}
	return out, nil
}
