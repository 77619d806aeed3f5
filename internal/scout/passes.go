package scout

import (
	"context"
	"slices"

	"github.com/legwork-mcp/legwork/internal/page"
)

// unheard is a step of the pass with questions that no way had asked that got its
// answers changed; nil when there is none.
func (x *Explorer) unheard(p *pass) *node {
	for _, n := range p.path {
		for _, k := range n.controls {
			if p.asked[k.id] && !slices.ContainsFunc(x.bases, func(b *base) bool { return b.pass.asked[k.id] }) {
				return n
			}
		}
	}
	return nil
}

// note keeps to which steps of its way a changed answer did not lead.
func (x *Explorer) note(f *flip, p *pass) {
	if f.omit || f.base == nil {
		return
	}
	key := f.known.id + "=" + spelling(f.value)
	for _, n := range f.base.pass.path {
		if !slices.Contains(p.path, n) {
			x.off[key] = append(x.off[key], n)
		}
	}
}

// maxAlone is how many questions that may be left out are answered each on its own.
const maxAlone = 12

// giveOptional answers what may be left out, which no pass has brought through yet:
// each on its own, to see what the form makes of it and what it wants then, or all
// at once when there are many.
func (x *Explorer) giveOptional(ctx context.Context) error {
	var work []func(context.Context, int) error
	for _, n := range x.graph.nodes {
		for _, k := range n.controls {
			i := slices.IndexFunc(x.bases, func(b *base) bool { return slices.Contains(b.pass.path, n) })
			if i < 0 || n.final && !x.plan.AllowSubmit || k.example != nil || !clearable(k.control) {
				continue
			}
			f := flip{base: x.bases[i], known: k, omit: true, give: true}
			work = append(work, func(ctx context.Context, rank int) error { return x.try(ctx, f, rank) })
		}
	}
	if x.spent(ctx) {
		return nil
	}
	if len(work) > maxAlone || len(work) == 0 && x.untaken() {
		_, err := x.take(ctx, route{blind: true})
		return err
	}
	return x.inTurns(ctx, work)
}

// untaken reports whether there are questions whose examples no pass has brought
// through.
func (x *Explorer) untaken() bool {
	return slices.ContainsFunc(x.graph.nodes, func(n *node) bool {
		return slices.ContainsFunc(n.controls, func(k *known) bool { return k.example == nil && clearable(k.control) })
	})
}

// inTurns takes passes, some at a time.
func (x *Explorer) inTurns(ctx context.Context, work []func(context.Context, int) error) error {
	for at := 0; at < len(work) && len(x.passes) < x.plan.MaxPasses && !x.spent(ctx); at += abreast {
		if err := x.together(ctx, work[at:min(at+abreast, len(work))]); err != nil {
			return err
		}
	}
	return nil
}

// tasteAll goes through the form with each way of choosing.
func (x *Explorer) tasteAll(ctx context.Context) error {
	list := slices.Clone(tastes)
	for len(list) > 0 && !x.spent(ctx) {
		var work []func(context.Context, int) error
		for len(list) > 0 && len(work) < abreast {
			t := list[0]
			if list = list[1:]; !x.indifferent(t) {
				work = append(work, func(ctx context.Context, rank int) error {
					_, err := x.take(ctx, route{taste: t, rank: rank})
					return err
				})
			}
		}
		if err := x.together(ctx, work); err != nil {
			return err
		}
	}
	return nil
}

// leaveOut goes through the form once for each question that was never shown
// without being answered: whether it may be left out is not known yet.
func (x *Explorer) leaveOut(ctx context.Context) error {
	var work []func(context.Context, int) error
	for _, n := range x.graph.nodes {
		for _, k := range n.controls {
			i := slices.IndexFunc(x.bases, func(b *base) bool { return slices.Contains(b.pass.path, n) })
			if i < 0 || n.final && !x.plan.AllowSubmit || !k.untested() {
				continue
			}
			f := flip{base: x.bases[i], known: k, omit: true}
			work = append(work, func(ctx context.Context, rank int) error { return x.try(ctx, f, rank) })
		}
	}
	return x.inTurns(ctx, work)
}

// untested reports whether nothing tells if the question may be left out.
func (k *known) untested() bool {
	if len(k.need) > 0 || k.control.Required {
		return false
	}
	return k.awaited || !k.prefilled && k.control.Kind != page.KindCheckbox && k.control.Kind != page.KindRange
}
