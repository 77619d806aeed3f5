package wizard

import (
	"encoding/json"
	"maps"
	"math/big"
	"slices"
	"time"
)

// Bounds of the search for answers that satisfy conditions.
const (
	maxAttempts     = 400 // sets assembled for one goal
	maxAlternatives = 64  // ways to satisfy one condition
)

// search looks for a valid set that meets a goal.
type search struct {
	*generator
	goal   goal
	budget int
}

// complete pins, step by step, whatever makes the pinned fields asked.
func (s *search) complete(pinned pins) (pins, Answers, bool) {
	if s.budget--; s.budget < 0 {
		return nil, nil, false
	}
	answers, valid := s.c.assembleFrom(pinned, s.all, s.shown)
	if valid && s.goal.met(answers) && keeps(answers, pinned) {
		return pinned, answers, true
	}
	for _, id := range slices.Sorted(maps.Keys(pinned)) {
		if _, asked := answers[id]; asked && pinned[id] != nil {
			continue
		}
		for _, more := range s.needs(id, pinned[id] != nil) {
			merged, ok := merged(pinned, more)
			if !ok || len(merged) == len(pinned) {
				continue
			}
			if p, a, ok := s.complete(merged); ok {
				return p, a, true
			}
		}
	}
	return nil, nil, false
}

// needs are pins under which a field is asked, or need not be answered.
func (s *search) needs(id string, answered bool) []pins {
	if answered {
		return s.solve(s.c.w.askedWhen(id), true)
	}
	f := s.c.w.Field(id)
	if f == nil || f.RequiredWhen == nil {
		return nil
	}
	return s.solve(f.RequiredWhen, false)
}

// askedWhen is the condition under which a field is on the form.
func (w *Wizard) askedWhen(id string) *Condition {
	for i := range w.Pages {
		for j := range w.Pages[i].Fields {
			if f := &w.Pages[i].Fields[j]; f.FieldID == id {
				return both(w.Pages[i].VisibleWhen, f.VisibleWhen)
			}
		}
	}
	return nil
}

func merged(a, b pins) (pins, bool) {
	result := maps.Clone(a)
	for id, value := range b {
		if old, there := result[id]; there && word(old) != word(value) {
			return nil, false
		}
		result[id] = value
	}
	return result, true
}

// solve lists pins under which the condition has the wanted side.
func (g *generator) solve(c *Condition, want bool) []pins {
	switch {
	case c == nil && want:
		return []pins{{}}
	case c == nil:
		return nil
	case c.Not != nil:
		return g.solve(c.Not, !want)
	case len(c.All) > 0:
		return g.solveParts(c.All, want, want)
	case len(c.Any) > 0:
		return g.solveParts(c.Any, want, !want)
	}
	return g.solveLeaf(c, want)
}

// solveParts combines parts that must all have the side, or lists the ways in
// which one of them has it.
func (g *generator) solveParts(parts []Condition, want, every bool) []pins {
	if !every {
		var list []pins
		for i := range parts {
			list = append(list, g.solve(&parts[i], want)...)
		}
		return list[:min(len(list), maxAlternatives)]
	}
	list := []pins{{}}
	for i := range parts {
		var next []pins
		for _, more := range g.solve(&parts[i], want) {
			for _, sofar := range list {
				if both, ok := merged(sofar, more); ok && len(next) < maxAlternatives {
					next = append(next, both)
				}
			}
		}
		list = next
	}
	return list
}

func (g *generator) solveLeaf(c *Condition, want bool) []pins {
	f := g.c.w.Field(c.FieldID)
	if f == nil {
		return nil
	}
	var list []pins
	for _, value := range g.values(f, c) {
		if c.leafHolds(value) == want && g.c.fits(f, value) && len(list) < maxAlternatives {
			list = append(list, pins{c.FieldID: value})
		}
	}
	if c.leafHolds(nil) == want {
		list = append(list, pins{c.FieldID: nil})
	}
	return list
}

// values are answers to a field that a condition may tell apart.
func (g *generator) values(f *Field, c *Condition) []any {
	var list []any
	if value, ok := g.all[f.FieldID]; ok {
		list = append(list, value)
	}
	list = append(list, f.question().choices(f.shape())...)
	operand := c.operand()
	list = append(list, operand)
	list = append(list, c.operands()...)
	if n, ok := number(operand); ok {
		for _, step := range []int64{-1, 0, 1} {
			near := exact(new(big.Rat).Add(n, big.NewRat(step, 1)))
			list = append(list, json.Number(near), near)
		}
	}
	if text, ok := operand.(string); ok && isoDate.MatchString(text) {
		if date, err := time.Parse(time.DateOnly, text); err == nil {
			for _, years := range []int{-1, 1} {
				list = append(list, date.AddDate(years, 0, 0).Format(time.DateOnly))
			}
		}
	}
	return append(list, derive(g.c.property([]string{f.FieldID}))...)
}
