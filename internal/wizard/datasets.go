package wizard

import (
	"maps"
	"slices"
)

// maxDataSets bounds what GenerateDataSets returns.
const maxDataSets = 200

// GenerateDataSets lists valid answers that together choose every option of
// every choice and take both sides of every condition, as far as that can be
// reached: the branches to try before a wizard is trusted.
func GenerateDataSets(w *Wizard) []map[string]any {
	c, err := NewContract(w)
	if err != nil {
		return nil
	}
	return c.DataSets()
}

// DataSets is GenerateDataSets for this contract.
func (c *Contract) DataSets() []map[string]any {
	g := generator{c: c}
	g.all, g.shown = c.base()
	for _, goal := range c.goals() {
		if len(g.sets) == maxDataSets {
			break
		}
		g.reach(goal)
	}
	if len(g.sets) == 0 {
		if answers, ok := c.assembleFrom(nil, g.all, g.shown); ok {
			g.sets = append(g.sets, answers)
		}
	}
	return g.sets
}

// goal is something that at least one set must do. The wanted value of a field,
// or of a sub-field of its first row; or a side of a condition.
type goal struct {
	field string
	sub   string
	value any

	condition *Condition
	want      bool
	page      *Condition // where the condition is looked at
}

// goals lists every option and both sides of every condition.
func (c *Contract) goals() []goal {
	var list []goal
	for _, page := range c.w.OrderedPages() {
		list = append(list, sides(page.VisibleWhen, nil)...)
		for i := range page.Fields {
			f := &page.Fields[i]
			list = append(list, sides(f.VisibleWhen, page.VisibleWhen)...)
			list = append(list, sides(f.RequiredWhen, both(page.VisibleWhen, f.VisibleWhen))...)
			for _, value := range f.question().choices(f.shape()) {
				list = append(list, goal{field: f.FieldID, value: value})
			}
			for j := range f.SubFields {
				q := f.SubFields[j].question()
				for _, value := range q.choices(q.shape()) {
					list = append(list, goal{field: f.FieldID, sub: q.id, value: value})
				}
			}
		}
	}
	return list
}

func sides(condition, page *Condition) []goal {
	if condition == nil {
		return nil
	}
	return []goal{
		{condition: condition, want: true, page: page},
		{condition: condition, want: false, page: page},
	}
}

// choices are the values of a closed question.
func (q question) choices(s shape) []any {
	var list []any
	switch s {
	case shapeBoolean:
		if q.traits.MustBeTrue {
			return []any{true}
		}
		return []any{true, false}
	case shapeChoice, shapeChoices:
		for _, option := range q.traits.Options {
			if s == shapeChoices {
				list = append(list, []any{option.Value})
				continue
			}
			list = append(list, option.Value)
		}
	}
	return list
}

// met says whether a set reaches the goal.
func (g goal) met(a Answers) bool {
	if g.condition != nil {
		return g.page.Holds(a) && g.condition.Holds(a) == g.want
	}
	if g.sub == "" {
		return a[g.field] != nil && word(a[g.field]) == word(g.value)
	}
	rows, ok := a[g.field].([]any)
	if !ok {
		rows = []any{a[g.field]}
	}
	return slices.ContainsFunc(rows, func(entry any) bool {
		row, ok := entry.(map[string]any)
		return ok && row[g.sub] != nil && word(row[g.sub]) == word(g.value)
	})
}

type generator struct {
	c          *Contract
	all, shown Answers
	sets       []map[string]any
}

// reach adds a set for the goal, unless one is there already.
func (g *generator) reach(target goal) {
	if slices.ContainsFunc(g.sets, func(set map[string]any) bool { return target.met(set) }) {
		return
	}
	search := search{generator: g, goal: target, budget: maxAttempts}
	for _, start := range g.starts(target) {
		if pinned, answers, ok := search.complete(start); ok {
			g.sets = append(g.sets, g.enrich(target, pinned, answers))
			return
		}
	}
}

// starts are the pins that state the goal itself.
func (g *generator) starts(target goal) []pins {
	if target.condition != nil {
		when := both(target.page, sided(target.condition, target.want))
		return g.solve(when, true)
	}
	f := g.c.w.Field(target.field)
	if target.sub == "" {
		return g.offering(f, target)
	}
	var list []pins
	for _, row := range g.rows(f, target) {
		value := any(row)
		if f.shape() == shapeRows {
			value = repeated(row, g.all[target.field])
		}
		list = append(list, pins{target.field: value})
	}
	return list
}

// offering are the pins with which a choice is offered and taken.
func (g *generator) offering(f *Field, target goal) []pins {
	when := f.available(target.value)
	if when == nil {
		return []pins{{target.field: target.value}}
	}
	var list []pins
	for _, p := range g.solve(when, true) {
		p = maps.Clone(p)
		p[target.field] = target.value
		list = append(list, p)
	}
	return list
}

func sided(c *Condition, want bool) *Condition {
	if want {
		return c
	}
	return &Condition{Not: c}
}

// rows are rows with the wanted choice, if need be with another choice of a
// neighbour that makes the sub-field appear.
func (g *generator) rows(f *Field, target goal) []map[string]any {
	row := g.c.rowFrom(f)
	row[target.sub] = target.value
	list := []map[string]any{row}
	for i := range f.SubFields {
		q := f.SubFields[i].question()
		if q.id == target.sub {
			continue
		}
		for _, value := range q.choices(q.shape()) {
			other := maps.Clone(row)
			other[q.id] = value
			list = append(list, other)
		}
	}
	return list
}

// repeated is as many rows as the example has, of which the first is row.
func repeated(row map[string]any, example any) []any {
	rows, _ := example.([]any)
	if len(rows) == 0 {
		return []any{row}
	}
	rows = slices.Clone(rows)
	rows[0] = row
	return rows
}

// enrich changes other choices of a set to ones that no set has yet: fewer sets
// for the same coverage.
func (g *generator) enrich(target goal, pinned pins, answers Answers) Answers {
	tried := map[string]bool{}
	for _, other := range g.c.goals() {
		_, fixed := pinned[other.field]
		_, asked := answers[other.field]
		if other.condition != nil || other.sub != "" || fixed || !asked || tried[other.field] || g.covered(other) {
			continue
		}
		tried[other.field] = true
		more := maps.Clone(pinned)
		more[other.field] = other.value
		changed, ok := g.c.assembleFrom(more, g.all, g.shown)
		if ok && target.met(changed) && keeps(changed, more) {
			pinned, answers = more, changed
		}
	}
	return answers
}

func (g *generator) covered(target goal) bool {
	return slices.ContainsFunc(g.sets, func(set map[string]any) bool { return target.met(set) })
}

// keeps says whether the answers still are what was pinned. Rows count as kept:
// what a row does not ask is taken out of it.
func keeps(answers Answers, pinned pins) bool {
	for id, value := range pinned {
		got, in := answers[id]
		if (value == nil) == in {
			return false
		}
		if comparableAnswer(value) && word(got) != word(value) {
			return false
		}
	}
	return true
}

func comparableAnswer(value any) bool {
	switch v := value.(type) {
	case nil, map[string]any:
		return false
	case []any:
		return len(v) > 0 && comparableAnswer(v[0])
	}
	return true
}
