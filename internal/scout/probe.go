package scout

import (
	"context"
	"maps"
	"slices"
	"time"

	"github.com/legwork-mcp/legwork/internal/page"
)

// Bounds of probing one step.
const (
	maxDepth      = 3
	maxProbes     = 400 // answers tried on one step
	manyOptions   = 30  // above it only samples are tried
	manySuggested = 12
	sampleOptions = 3
	maxTextProbes = 40
)

// prober changes one answer at a time on a step and watches what the page makes
// of it. It presses no button.
type prober struct {
	*walker
	node  *node
	count int
	texts int
}

// probeStep probes every question that the step shows, and those that come up
// meanwhile.
func (w *walker) probeStep(ctx context.Context, n *node) error {
	n.probed = true
	p := &prober{walker: w, node: n}
	shown := p.note(ctx, n)
	if err := p.probeAll(ctx, shown, 0); err != nil {
		return err
	}
	return p.tryRows(ctx)
}

func (p *prober) probeAll(ctx context.Context, list []*known, depth int) error {
	one, err := p.tryTogether(ctx, list)
	if err != nil {
		return err
	}
	for _, k := range one {
		if err := ctx.Err(); err != nil {
			return err
		}
		if p.spent(ctx) {
			return nil
		}
		if p.count >= maxProbes {
			p.remark("%s: not every answer was tried, there are too many", titleOf(p.node))
			return nil
		}
		if err := p.probeOne(ctx, k, depth); err != nil {
			return err
		}
	}
	return p.settleSets(ctx, list)
}

// probeOne tries the answers of one question.
func (p *prober) probeOne(ctx context.Context, k *known, depth int) error {
	c, there := now(p.inv, k)
	if !there {
		return nil
	}
	before := answerOf(c)
	base := copyOf(p.pass.overrides)
	for _, v := range p.answers(k) {
		if p.count >= maxProbes || p.spent(ctx) {
			break
		}
		was := p.shownNow()
		wasOn := p.onInSet(k)
		p.count++
		o, err := p.set(ctx, k, v)
		if err != nil {
			return err
		}
		if !o.State.OK() {
			continue
		}
		if err := p.react(ctx); err != nil {
			return err
		}
		if !p.stillHere() {
			if !p.sends(p.node) {
				p.remark("%s: answering %q leaves the step by itself", titleOf(p.node), labelOf(k.control))
			}
			return nil
		}
		p.pass.overrides = copyOf(base)
		if s := spelling(v); s != "given" {
			p.pass.overrides[k.id] = v
		}
		shown := p.note(ctx, p.node)
		p.exclusion(k, wasOn)
		var more []*known
		for _, s := range shown {
			if !was[s.id] && s != k {
				more = append(more, s)
			}
		}
		if err := p.sift(ctx, k, more); err != nil {
			return err
		}
		if len(more) > 0 && depth < maxDepth {
			if err := p.probeAll(ctx, more, depth+1); err != nil {
				return err
			}
		}
		p.pass.overrides = base
	}
	return p.restore(ctx, k, before)
}

// answers are those worth trying.
func (p *prober) answers(k *known) []any {
	list := p.candidates(k, k.control)
	switch k.control.Kind {
	case page.KindFile, page.KindRichText:
		return nil
	case page.KindRadio, page.KindCheckbox:
		return list
	case page.KindSelect:
		if len(list) <= manyOptions {
			return list
		}
		return samples(list)
	case page.KindTypeahead:
		if len(list) == 0 || p.texts >= maxTextProbes {
			return nil
		}
		p.texts++
		if len(k.control.Options) > 0 && len(list) <= manySuggested {
			return list
		}
		return list[:1]
	}
	if p.texts >= maxTextProbes || len(list) == 0 {
		return nil
	}
	p.texts++
	return append(list[:1:1], extremes(k, p.now())...)
}

// samples are the first, the middle and the last.
func samples(list []any) []any {
	if len(list) <= sampleOptions {
		return list
	}
	return []any{list[0], list[len(list)/2], list[len(list)-1]}
}

// react looks at what an answer sets off, at once and when the page has calmed
// down: passes give steps that are late more time.
func (p *prober) react(ctx context.Context) error {
	if err := p.look(ctx); err != nil {
		return err
	}
	at := namesOf(p.inv)
	if err := p.rest(ctx); err != nil {
		return err
	}
	p.node.slow = p.node.slow || !maps.Equal(at, namesOf(p.inv))
	return nil
}

// rest waits for what an answer sets off.
func (p *prober) rest(ctx context.Context) error {
	return p.calm(ctx, reaction)
}

// reaction is how long a page may take to begin to react to an answer.
const reaction = 300 * time.Millisecond

// stillHere tells whether the page is the same step after an answer.
func (p *prober) stillHere() bool {
	idents := namesOf(p.inv)
	return p.node.same(p.place, idents)
}

func (p *prober) shownNow() map[string]bool {
	out := map[string]bool{}
	for _, k := range p.node.controls {
		if _, ok := now(p.inv, k); ok {
			out[k.id] = true
		}
	}
	return out
}

// restore brings a question back to what it held. A radio group cannot be
// emptied again: it goes back to its first option.
func (p *prober) restore(ctx context.Context, k *known, before any) error {
	value := plainAnswer(before)
	if k.control.Kind == page.KindCheckbox && k.control.Set != "" {
		return nil // settleSets does it, when the whole set was tried
	}
	if value == nil {
		switch k.control.Kind {
		case page.KindCheckbox:
			value = false
		case page.KindRadio:
			if list := candidates(k.control, p.now()); len(list) > 0 {
				value = list[0]
			}
		case page.KindSelect, page.KindTypeahead, page.KindDate, page.KindRange:
			return nil
		default:
			value = ""
		}
	}
	if value == nil {
		return nil
	}
	if _, ok := now(p.inv, k); !ok {
		return nil
	}
	if _, err := p.set(ctx, k, value); err != nil {
		return err
	}
	if err := p.rest(ctx); err != nil {
		return err
	}
	p.note(ctx, p.node)
	return nil
}

// onInSet lists the ticked members of a checkbox's set.
func (p *prober) onInSet(k *known) []string {
	var out []string
	if k.control.Set == "" {
		return nil
	}
	for _, c := range p.inv.Controls {
		if c.Set == k.control.Set && c.Checked {
			out = append(out, ident(c))
		}
	}
	return out
}

// exclusion sees that ticking one box of a set cleared the others.
func (p *prober) exclusion(k *known, wasOn []string) {
	if k.control.Kind != page.KindCheckbox || len(wasOn) == 0 {
		return
	}
	nowOn := p.onInSet(k)
	if len(nowOn) == 1 && nowOn[0] == k.ident && !slices.Contains(wasOn, k.ident) && len(wasOn) > 1 {
		k.exclusive = true
	}
}

// sift finds out which other ticks of its set a question needs that has come up
// with the latest one: each is taken away once.
func (p *prober) sift(ctx context.Context, k *known, more []*known) error {
	if len(more) == 0 || k.control.Kind != page.KindCheckbox || k.control.Set == "" {
		return nil
	}
	for _, m := range p.node.controls {
		if c, ok := now(p.inv, m); !ok || m == k || c.Set != k.control.Set || !c.Checked {
			continue
		}
		shown, err := p.tick(ctx, m, false)
		if err != nil {
			return err
		}
		for _, f := range more {
			if !slices.Contains(shown, f) {
				f.context[m.id] = true
			}
		}
		if _, err := p.tick(ctx, m, true); err != nil {
			return err
		}
	}
	return nil
}

// tick sets a box and says what is shown then.
func (p *prober) tick(ctx context.Context, m *known, on bool) ([]*known, error) {
	p.count++
	if _, err := p.set(ctx, m, on); err != nil {
		return nil, err
	}
	if err := p.rest(ctx); err != nil {
		return nil, err
	}
	return p.note(ctx, p.node), nil
}

// settleSets clears the checkboxes that were tried.
func (p *prober) settleSets(ctx context.Context, list []*known) error {
	changed := false
	for _, k := range list {
		if c, ok := now(p.inv, k); ok && k.control.Kind == page.KindCheckbox && k.control.Set != "" && c.Checked {
			if _, err := p.set(ctx, k, false); err != nil {
				return err
			}
			changed = true
		}
	}
	if !changed {
		return nil
	}
	if err := p.rest(ctx); err != nil {
		return err
	}
	p.note(ctx, p.node)
	return nil
}
