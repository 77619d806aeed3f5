package wizard

import "slices"

// demand is a set of properties that are required when a condition holds.
type demand struct {
	when *Condition
	ids  []string
}

// both is the condition under which both hold; nil always holds.
func both(a, b *Condition) *Condition {
	switch {
	case a == nil:
		return b
	case b == nil:
		return a
	}
	return &Condition{All: []Condition{*a, *b}}
}

func (f *Field) demanded() bool {
	return f.Required || (f.Repeatable && f.MinInstances > 0)
}

// alwaysNeeded says whether every branch asks for the field and needs it.
func (f *Field) alwaysNeeded(page *Page) bool {
	return f.demanded() && page.VisibleWhen == nil && f.VisibleWhen == nil
}

// demands are the conditional requirements of the wizard. also names fields that
// a hand-written schema requires on top.
func (w *Wizard) demands(also map[string]bool) []demand {
	var list []demand
	for _, page := range w.OrderedPages() {
		for i := range page.Fields {
			f := &page.Fields[i]
			asked := both(page.VisibleWhen, f.VisibleWhen)
			switch {
			case f.demanded() || also[f.FieldID]:
				list = addDemand(list, asked, f.FieldID)
			case f.RequiredWhen != nil:
				list = addDemand(list, both(asked, f.RequiredWhen), f.FieldID)
			}
		}
	}
	return list
}

// addDemand merges demands with the same condition, which keeps contracts short.
func addDemand(list []demand, when *Condition, id string) []demand {
	if when == nil {
		return list
	}
	i := slices.IndexFunc(list, func(d demand) bool { return sameCondition(d.when, when) })
	if i < 0 {
		return append(list, demand{when, []string{id}})
	}
	list[i].ids = append(list[i].ids, id)
	return list
}

func sameCondition(a, b *Condition) bool {
	left, err := plainJSON(a)
	if err != nil {
		return false
	}
	right, err := plainJSON(b)
	return err == nil && string(left) == string(right)
}

// demandRules are the demands as rules. A checkbox that excludes the others of its
// group is needed ticked: that none of them applies is what it says. So is one that is
// needed when no other box is ticked. Rows have no such groups, so w is nil for them.
func demandRules(w *Wizard, demands []demand, r renderer) []any {
	var rules []any
	for _, d := range demands {
		ids, ticked := make([]any, len(d.ids)), object{}
		for i, id := range d.ids {
			ids[i] = id
			if w.needsTick(id) {
				ticked[id] = object{"const": true}
			}
		}
		then := object{"required": ids}
		if len(ticked) > 0 {
			then["properties"] = ticked
		}
		rules = append(rules, object{"if": r.schema(d.when), "then": then})
	}
	return rules
}

// needsTick reports whether a checkbox is needed ticked when it is needed.
func (w *Wizard) needsTick(id string) bool {
	if w == nil {
		return false
	}
	f := w.Field(id)
	return f != nil && f.RequiredWhen != nil && f.shape() == shapeBoolean && (f.Exclusive || w.noBoxTicked(f.RequiredWhen))
}

// noBoxTicked reports whether a condition says that none of some checkboxes is ticked.
func (w *Wizard) noBoxTicked(c *Condition) bool {
	if slices.ContainsFunc(c.All, func(part Condition) bool { return w.noBoxTicked(&part) }) {
		return true
	}
	if c.Not == nil {
		return false
	}
	boxes := c.Not.Any
	if len(boxes) == 0 {
		boxes = []Condition{*c.Not}
	}
	return !slices.ContainsFunc(boxes, func(part Condition) bool {
		f := w.Field(part.FieldID)
		return f == nil || f.shape() != shapeBoolean || part.operator() != opEquals || part.operand() != true
	})
}

// subDemands are the conditional requirements inside a row: those that look at
// the row itself, or those that look at the other fields of the form.
func (f *Field) subDemands(inRow bool) []demand {
	var list []demand
	for i := range f.SubFields {
		sub := &f.SubFields[i]
		when := sub.VisibleWhen
		if !sub.Required {
			if sub.RequiredWhen == nil {
				continue
			}
			when = both(when, sub.RequiredWhen)
		}
		if when != nil && f.looksInside(when) == inRow {
			list = addDemand(list, when, sub.FieldID)
		}
	}
	return list
}

func (f *Field) looksInside(c *Condition) bool {
	return slices.ContainsFunc(c.fields(), func(id string) bool { return f.subField(id) != nil })
}

// rules are everything that depends on answers, and the definitions that they
// refer to.
func (w *Wizard) rules() (rules []any, definitions object) {
	demands := w.demands(nil)
	var conditions []*Condition
	for _, d := range demands {
		conditions = append(conditions, d.when)
	}
	for _, o := range w.offers() {
		conditions = append(conditions, o.when)
	}
	r, definitions := named(conditions)
	rules = append(demandRules(w, demands, r), exclusionRules(w)...)
	rules = append(rules, offerRules(w, r)...)
	return append(rules, rowRules(w, r)...), definitions
}

// rowRules are the demands on rows that depend on the rest of the form.
func rowRules(w *Wizard, r renderer) []any {
	var rules []any
	for _, page := range w.OrderedPages() {
		for i := range page.Fields {
			f := &page.Fields[i]
			for _, d := range f.subDemands(false) {
				row := object{"required": d.ids}
				if f.shape() == shapeRows {
					row = object{"items": row}
				}
				rules = append(rules, object{
					"if":   r.schema(d.when),
					"then": object{"properties": object{f.FieldID: row}},
				})
			}
		}
	}
	return rules
}

// exclusionRules say that the "none of these" checkbox stands alone.
func exclusionRules(w *Wizard) []any {
	var rules []any
	for _, group := range w.exclusions() {
		for _, id := range group.alone {
			others := object{}
			for _, other := range group.ids {
				if other != id {
					others[other] = object{"not": object{"const": true}}
				}
			}
			rules = append(rules, object{
				"if":   where(id, object{"const": true}),
				"then": object{"properties": others},
			})
		}
	}
	return rules
}

// exclusion is a set of checkboxes of which some exclude all others.
type exclusion struct {
	name  string
	ids   []string
	alone []string
}

func (w *Wizard) exclusions() []exclusion {
	var list []exclusion
	for _, page := range w.OrderedPages() {
		for i := range page.Fields {
			f := &page.Fields[i]
			if f.ExclusiveGroup == "" {
				continue
			}
			at := slices.IndexFunc(list, func(e exclusion) bool { return e.name == f.ExclusiveGroup })
			if at < 0 {
				at = len(list)
				list = append(list, exclusion{name: f.ExclusiveGroup})
			}
			list[at].ids = append(list[at].ids, f.FieldID)
			if f.Exclusive {
				list[at].alone = append(list[at].alone, f.FieldID)
			}
		}
	}
	return list
}
