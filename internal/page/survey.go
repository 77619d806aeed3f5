package page

import (
	"context"
	"errors"
	"slices"

	"github.com/legwork-mcp/legwork/internal/browser"
)

// Survey looks once at many targets and waits for nothing.
func (p *Page) Survey(ctx context.Context, targets []Target) ([]Sight, error) {
	out := make([]Sight, len(targets))
	suspect := false
	look := func() error {
		for _, g := range byFrame(len(targets), func(i int) []string { return targets[i].Frame }) {
			var got surveyed
			if err := p.ask(ctx, g, call{"survey", g.targets(targets)}, &got); err != nil {
				return err
			}
			for n, s := range got.Seen {
				out[g.indexes[n]] = s
			}
			suspect = suspect || got.Suspect
		}
		return nil
	}
	if err := look(); err != nil || !suspect {
		return out, err
	}
	if more, err := p.pierce(ctx, p.tab.Main()); err != nil || !more {
		return out, err
	}
	return out, look()
}

// surveyed is the reply of the page-side survey.
type surveyed struct {
	Seen []Sight `json:"seen"`
	// Suspect: something is missing, and a closed root may hold it.
	Suspect bool `json:"suspect"`
}

// Texts reads the visible text of each target, empty where nothing matches.
func (p *Page) Texts(ctx context.Context, targets []Target) ([]string, error) {
	out := make([]string, len(targets))
	for _, g := range byFrame(len(targets), func(i int) []string { return targets[i].Frame }) {
		var got []string
		if err := p.ask(ctx, g, call{"readTargets", g.targets(targets)}, &got); err != nil {
			return nil, err
		}
		if slices.Contains(got, "") {
			frame, _ := p.frame(ctx, g.path)
			if more, err := p.pierceIf(ctx, frame); err == nil && more {
				if err := p.ask(ctx, g, call{"readTargets", g.targets(targets)}, &got); err != nil {
					return nil, err
				}
			}
		}
		for n, s := range got {
			out[g.indexes[n]] = s
		}
	}
	return out, nil
}

// Notices are the sentences by which the page says that pressing a button submits,
// in the order of targets; "" where it says nothing of the kind.
func (p *Page) Notices(ctx context.Context, targets []Target) ([]string, error) {
	out := make([]string, len(targets))
	for _, g := range byFrame(len(targets), func(i int) []string { return targets[i].Frame }) {
		var got []string
		if err := p.ask(ctx, g, call{"notices", g.targets(targets)}, &got); err != nil {
			return nil, err
		}
		for n, s := range got {
			out[g.indexes[n]] = s
		}
	}
	return out, nil
}

// Malformed is what is wrong with a selector that is meant to be CSS and is none; ""
// where nothing is.
func (p *Page) Malformed(ctx context.Context, t Target) (why string, err error) {
	err = p.read(ctx, p.tab.Main(), call{"malformed", map[string]any{"selector": t.Selector, "type": t.Type}}, &why)
	return why, err
}

// targets is the argument with the group's own targets.
func (g group) targets(all []Target) map[string]any {
	list := make([]Target, len(g.indexes))
	for n, i := range g.indexes {
		list[n] = all[i]
	}
	return map[string]any{"targets": list}
}

// ask calls a function in the group's frame. A frame that is not there answers
// nothing.
func (p *Page) ask(ctx context.Context, g group, c call, out any) error {
	frame, err := p.frame(ctx, g.path)
	if errors.Is(err, errNoFrame) {
		return nil
	}
	if err != nil {
		return err
	}
	err = p.read(ctx, frame, c, out)
	if errors.Is(err, browser.ErrNavigated) && len(g.path) > 0 {
		return nil // the frame went away
	}
	return err
}
