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
			if i < 0 || n.final && !x.plan.AllowSubmit || k.example != nil || !clearable(k.control) && x.picks[boxOf(k.control)] == "" {
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

// Bounds of the passes that look for what an answer makes needless.
const (
	maxSpare        = 16 // in all
	maxSpareOptions = 6  // of a question whose answers are tried for it
)

// spare goes through the form once more for the other answers to the choices of steps
// that insist on questions without marking them: what the form wanted with one answer
// it may not want with another.
func (x *Explorer) spare(ctx context.Context) error {
	var work []func(context.Context, int) error
	for _, n := range x.graph.nodes {
		i := slices.IndexFunc(x.bases, func(b *base) bool { return slices.Contains(b.pass.path, n) })
		if i < 0 || n.final && !x.plan.AllowSubmit {
			continue
		}
		unsure := n.insisted()
		for _, k := range n.controls {
			others := slices.ContainsFunc(unsure, func(o *known) bool { return o != k })
			list := flips(k)
			if !others || k.dependent || len(list) > maxSpareOptions || k.control.Kind == page.KindCheckbox && k.control.Set != "" {
				continue
			}
			for _, v := range list {
				if len(work) == maxSpare || spelling(plainAnswer(x.bases[i].pass.answers[k.id])) == spelling(v) {
					continue
				}
				r := route{base: x.bases[i], flip: &flip{base: x.bases[i], known: k, value: v, spare: n}}
				work = append(work, func(ctx context.Context, rank int) error {
					r.rank = rank
					_, err := x.take(ctx, r)
					return err
				})
			}
		}
	}
	return x.inTurns(ctx, work)
}

// insisted are the questions of a step that it always insisted on, without a mark that
// says so.
func (n *node) insisted() []*known {
	var out []*known
	for _, k := range n.controls {
		if k.unmarked() {
			out = append(out, k)
		}
	}
	return out
}

// unmarked reports whether nothing but complaints says that the question must be
// answered, and none of them was ever absent.
func (k *known) unmarked() bool {
	if k.control.Required || k.awaited || k.prefilled || k.control.Kind == page.KindCheckbox || len(k.need) == 0 {
		return false
	}
	return !slices.ContainsFunc(k.need, func(m moment) bool { return !m.holds })
}
