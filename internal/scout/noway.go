package scout

import (
	"context"

	"github.com/legwork-mcp/legwork/internal/page"
)

// choice is the first unanswered choice of a step without a button that leads on:
// answering it may bring one up.
func (f *filler) choice(shown []*known) *known {
	for _, k := range shown {
		c, ok := now(f.inv, k)
		if _, done := f.given[k.id]; ok && !done && empty(c) && k.id != f.flipped && (c.Kind == page.KindSelect || c.Kind == page.KindRadio) && len(f.candidates(k)) > 0 {
			return k
		}
	}
	return nil
}

// forWay has a choice answered in the next round, and notes that the step needs it.
func (f *filler) forWay(ctx context.Context, k *known) error {
	k.need = append(k.need, moment{copyOf(f.pass.answers), true})
	f.pass.learned = true
	return f.look(ctx)
}

// wentOn reports whether a step without a button was left for another page when it
// was answered, and says where that led: a wizard has no word for such a step.
func (f *filler) wentOn() bool {
	if f.node.button.Selector != "" || pathOf(f.place.URL) == pathOf(f.node.place.URL) {
		return false
	}
	names := namesOf(f.inv)
	for _, k := range f.node.controls {
		if names[k.ident] || names[loose(k.control)] {
			return false
		}
	}
	f.remark("%q has no button: answering it leads on by itself, which a wizard cannot do. Discover the page that comes then, for each answer that matters: one is %s", titleOf(f.node), f.place.URL)
	return true
}
