package scout

import (
	"context"
	"maps"
	"slices"

	"github.com/legwork-mcp/legwork/internal/page"
)

// manyTexts is how many questions of free text a step must have for them to be
// tried together first: little ever depends on such an answer, and each of them
// on its own takes the page a while.
const manyTexts = 8

// tryTogether tries the questions of free text of a long step all at once. When the page
// makes nothing of that, none of them decides anything by itself; what is left to
// be tried one by one is returned.
func (p *prober) tryTogether(ctx context.Context, list []*known) ([]*known, error) {
	var group []*known
	var fill, empty []page.Answer
	for _, k := range list {
		c, there := now(p.inv, k)
		if !there || !freeText(c) || answerOf(c) != nil || counts(c) {
			continue
		}
		if values := p.candidates(k, k.control); len(values) > 0 {
			group = append(group, k)
			fill, empty = append(fill, p.answer(k, values[0])), append(empty, p.answer(k, ""))
		}
	}
	if len(group) < manyTexts {
		return list, nil
	}
	before := p.sight()
	p.count++
	if _, err := p.setAll(ctx, fill); err != nil {
		return nil, err
	}
	if err := p.react(ctx); err != nil {
		return nil, err
	}
	if !p.stillHere() {
		if !p.sends(p.node) {
			p.remark("%s: answering its questions leaves the step by itself", titleOf(p.node))
		}
		return nil, nil
	}
	quiet := maps.Equal(before, p.sight())
	if quiet {
		p.note(ctx, p.node)
	}
	if _, err := p.setAll(ctx, empty); err != nil {
		return nil, err
	}
	if err := p.rest(ctx); err != nil {
		return nil, err
	}
	p.note(ctx, p.node)
	if !quiet {
		return list, nil
	}
	return slices.DeleteFunc(slices.Clone(list), func(k *known) bool { return slices.Contains(group, k) }), nil
}

// freeText tells the questions that offer nothing to choose from.
func freeText(c page.Control) bool {
	switch c.Kind {
	case page.KindText, page.KindTextarea, page.KindNumber:
		return len(c.Options) == 0
	}
	return false
}

// sight is what the step asks now, and how: which questions are shown, which of
// them are required, and what they offer.
func (p *prober) sight() map[string]string {
	out := map[string]string{}
	for _, c := range p.inv.Controls {
		if !asked(c) {
			continue
		}
		how := "optional"
		if c.Required {
			how = "required"
		}
		for _, o := range c.Options {
			how += "|" + o.Value + "=" + o.Label
		}
		out[ident(c)] = how
	}
	return out
}
