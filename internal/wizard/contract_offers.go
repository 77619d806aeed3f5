package wizard

import "slices"

// offer is a set of options of one field that the page offers when a condition holds.
type offer struct {
	field *Field
	when  *Condition
	// values are those options and the ones that are always there.
	values []any
}

// offers are the lists of options that follow from other answers.
func (w *Wizard) offers() []offer {
	var list []offer
	for _, page := range w.OrderedPages() {
		for i := range page.Fields {
			list = append(list, page.Fields[i].offers()...)
		}
	}
	return list
}

func (f *Field) offers() []offer {
	var list []offer
	for _, o := range f.Options {
		if o.AvailableWhen != nil && !slices.ContainsFunc(list, func(x offer) bool { return sameCondition(x.when, o.AvailableWhen) }) {
			list = append(list, offer{field: f, when: o.AvailableWhen})
		}
	}
	for i := range list {
		for _, o := range f.Options {
			if o.AvailableWhen == nil || sameCondition(list[i].when, o.AvailableWhen) {
				list[i].values = append(list[i].values, o.Value)
			}
		}
	}
	return list
}

// offerRules let through what is offered. Conditions that cannot hold together say
// which options there are; others, which are not.
func offerRules(w *Wizard, r renderer) []any {
	var rules []any
	for _, page := range w.OrderedPages() {
		for i := range page.Fields {
			f := &page.Fields[i]
			list := f.offers()
			apart := disjoint(list)
			for _, o := range list {
				when, values := r.schema(o.when), object{"enum": o.values}
				if !apart {
					when, values = object{"not": when}, object{"not": object{"enum": f.only(o)}}
				}
				if f.shape() == shapeChoices {
					values = object{"items": values}
				}
				rules = append(rules, object{"if": when, "then": object{"properties": object{f.FieldID: values}}})
			}
		}
	}
	return rules
}

// only are the options that no other answers offer.
func (f *Field) only(o offer) []any {
	var out []any
	for _, x := range f.Options {
		if x.AvailableWhen != nil && sameCondition(x.AvailableWhen, o.when) {
			out = append(out, x.Value)
		}
	}
	return out
}

// disjoint reports whether the conditions are about different answers to one field.
func disjoint(list []offer) bool {
	seen := map[string]bool{}
	for _, o := range list {
		c := o.when
		if c.FieldID == "" || c.FieldID != list[0].when.FieldID {
			return false
		}
		var wants []any
		switch c.operator() {
		case opEquals:
			wants = []any{c.operand()}
		case opIn:
			wants = c.operands()
		default:
			return false
		}
		for _, v := range wants {
			if seen[word(v)] {
				return false
			}
			seen[word(v)] = true
		}
	}
	return true
}

// available is the condition under which an option is offered, nil for always.
func (f *Field) available(value any) *Condition {
	if list, ok := value.([]any); ok && len(list) == 1 {
		value = list[0]
	}
	for _, o := range f.Options {
		if word(o.Value) == word(value) {
			return o.AvailableWhen
		}
	}
	return nil
}
