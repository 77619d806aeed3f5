package scout

import (
	"context"
	"slices"

	"github.com/legwork-mcp/legwork/internal/page"
)

// opened reads the options of the choices that show them only when they are
// opened, once for each, where the wizard lists options to compare with.
func (w *onPage) opened(ctx context.Context, l located) error {
	for _, q := range w.pairs {
		if q.spot < 0 || len(q.item.traits.Options) == 0 || !w.expects(w.p, q.item) {
			continue
		}
		c := l.spots[q.spot].control
		if c.OptionsKnown || !asked(*c) || c.Kind != page.KindSelect && c.Kind != page.KindTypeahead {
			continue
		}
		name := ident(*c)
		if _, done := w.listed[name]; !done {
			got, err := w.page.Choices(ctx, *c, maxChoices)
			if ctx.Err() != nil {
				return ctx.Err()
			}
			w.listed[name] = listing{got.Options, got.Complete && err == nil}
		}
	}
	return nil
}

// offered are the options of a question as far as the whole list is known.
func (w *onPage) offered(s spotted) ([]page.ControlOption, bool) {
	c := s.control
	if s.part == nil && !c.OptionsKnown && (c.Kind == page.KindSelect || c.Kind == page.KindTypeahead) {
		got := w.listed[ident(*c)]
		return got.list, got.complete && len(got.list) > 0
	}
	list := s.options()
	return list, len(list) > 0 && (s.part != nil || c.OptionsTotal <= len(list))
}

// maxConfirmed bounds how many options of one choice are asked for by name.
const maxConfirmed = 6

// confirm asks for the options that a list which was read by opening it seems to
// lack: a slow list may not have shown all that it has.
func (w *onPage) confirm(ctx context.Context, it *item, s spotted, options *[]page.ControlOption) error {
	if s.part != nil || s.control.OptionsKnown || it.traits != &it.field.Traits {
		return nil
	}
	name := ident(*s.control)
	tries := 0
	for _, o := range it.traits.Options {
		if slices.ContainsFunc(*options, func(c page.ControlOption) bool { return sameOption(o, c) }) || tries >= maxConfirmed {
			continue
		}
		tries++
		var value any = o.Value
		if it.traits.Multiple {
			value = []any{o.Value}
		}
		got, err := w.page.Set(ctx, fieldAnswers(it.field, value))
		if err != nil {
			return err
		}
		delete(w.given, it.id) // its own answer comes after it
		if len(got) == 1 && got[0].State.OK() {
			*options = append(slices.Clone(*options), page.ControlOption{Value: o.Value, Label: o.Label, Selector: o.Selector})
			w.listed[name] = listing{*options, true}
		}
	}
	return nil
}
