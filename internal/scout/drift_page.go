package scout

import (
	"context"
	"slices"

	"github.com/legwork-mcp/legwork/internal/page"
	"github.com/legwork-mcp/legwork/internal/wizard"
)

// onPage is the work on one page of the wizard.
type onPage struct {
	*survey
	p       *wizard.Page
	pairs   []*pair
	given   map[string]bool // items and new controls that were set
	asks    map[string]bool // idents of the controls that are items
	rowed   map[string]bool // repeatable groups that got their rows
	awaited map[string]bool // items that were given time to come
	// refused are the examples that the page did not take, while it took others.
	refused map[string]Finding
	whole   bool // everything is set: what is not there by now does not come
}

// maxRevealed bounds how often a page may show more after it was filled in.
const maxRevealed = 8

// work compares a page with the wizard, mends what it can, and fills it in.
func (s *survey) work(ctx context.Context, p *wizard.Page) error {
	s.first = map[string][]page.ControlOption{}
	w := &onPage{survey: s, p: p, given: map[string]bool{}, asks: map[string]bool{}, rowed: map[string]bool{}, awaited: map[string]bool{}, refused: map[string]Finding{}}
	w.origin(p)
	w.heading()
	for range maxRevealed {
		if err := w.see(ctx); err != nil {
			return err
		}
		set, err := w.fill(ctx)
		if err != nil {
			return err
		}
		if !set && w.whole {
			break
		}
		w.whole = !set
		if set {
			if err := s.look(ctx); err != nil {
				return err
			}
		}
	}
	w.judge()
	return nil
}

// see pairs the items of the page with what it shows, and mends the selectors
// that do not lead there any more.
func (w *onPage) see(ctx context.Context) error {
	items := itemsOf(w.p)
	l, err := w.locate(ctx, items)
	if err != nil {
		return err
	}
	w.pairs = match(l, items, w.due)
	if late, err := w.await(ctx); late || err != nil {
		if err != nil {
			return err
		}
		if err := w.look(ctx); err != nil {
			return err
		}
		if l, err = w.locate(ctx, items); err != nil {
			return err
		}
		w.pairs = match(l, items, w.due)
	}
	if slices.ContainsFunc(w.pairs, func(p *pair) bool { return p.how != byFirst }) {
		if l.foreign, err = w.foreign(ctx, l); err != nil {
			return err
		}
		w.pairs = match(l, items, w.due)
	}
	for _, q := range w.pairs {
		if q.spot >= 0 {
			w.asks[ident(*l.spots[q.spot].control)] = true
		}
		if q.there() {
			w.found[q.item.id] = true
		}
		if q.how == byOther || q.how == byPage {
			w.mend(q, l.spots[q.spot])
		}
	}
	if err := w.opened(ctx, l); err != nil {
		return err
	}
	return w.mendOptions(ctx, l)
}

// due tells whether an item must be on the page by now: one that comes with
// another answer may come later.
func (w *onPage) due(it *item) bool {
	return w.expects(w.p, it) && (w.whole || it.field.VisibleWhen == nil && it.traits.VisibleWhen == nil)
}
