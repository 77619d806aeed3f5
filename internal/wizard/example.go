package wizard

import "maps"

// Example is a complete and valid set of answers for one branch of the form:
// the examples of the wizard file where they fit, derived values elsewhere.
func (c *Contract) Example() map[string]any {
	answers, _ := c.assemble(nil)
	return answers
}

// fits says whether a value alone satisfies its property.
func (c *Contract) fits(f *Field, value any) bool {
	part := c.parts[f.FieldID]
	if part == nil || part.Validate(value) != nil {
		return false
	}
	v := validation{c: c, report: emptyReport(), at: map[string]bool{}}
	v.field(f, value)
	return len(v.report.Invalid) == 0
}

// value is the best candidate that fits; own says that it comes from the
// wizard's own example.
func (c *Contract) value(f *Field) (value any, own, ok bool) {
	for _, candidate := range c.candidates(f) {
		if c.fits(f, candidate) {
			example, has := coerce(f.ExampleValue, f.shape())
			return candidate, has && plainText(example) == plainText(candidate), true
		}
	}
	return nil, false, false
}

// base has a value for every field, asked or not: all that could be derived, and
// what an example should show of it.
func (c *Contract) base() (all, shown Answers) {
	all, shown = Answers{}, Answers{}
	for _, page := range c.w.OrderedPages() {
		for i := range page.Fields {
			f := &page.Fields[i]
			value, own, ok := c.value(f)
			if !ok {
				continue
			}
			all[f.FieldID] = value
			if own || f.demanded() {
				shown[f.FieldID] = value
			}
		}
	}
	return all, shown
}

// pins are answers that a set must have; nil means not given.
type pins map[string]any

// maxRepairs bounds how often a set is corrected.
const maxRepairs = 4

// assemble builds a complete set of answers around the pinned ones and says
// whether it is valid.
func (c *Contract) assemble(pinned pins) (Answers, bool) {
	all, shown := c.base()
	return c.assembleFrom(pinned, all, shown)
}

func (c *Contract) assembleFrom(pinned pins, all, shown Answers) (Answers, bool) {
	answers := maps.Clone(shown)
	for id, value := range pinned {
		answers[id] = value
		if value == nil {
			delete(answers, id)
		}
	}
	c.w.exclude(answers, pinned)
	for range maxRepairs {
		effective := c.w.Effective(answers)
		report := c.ValidateAnswers(effective)
		if report.Valid {
			return effective, true
		}
		if !c.repair(answers, report, all, pinned) {
			return effective, false
		}
	}
	return c.w.Effective(answers), false
}

// exclude makes "none of these" and the others agree: what is pinned wins, then
// the others.
func (w *Wizard) exclude(answers Answers, pinned pins) {
	for _, group := range w.exclusions() {
		for _, alone := range group.alone {
			pinnedAlone := pinned[alone] == true
			for _, id := range group.ids {
				switch {
				case id == alone || answers[id] != true || answers[alone] != true:
				case pinnedAlone:
					answers[id] = false
				default:
					answers[alone] = false
				}
			}
		}
	}
}

// repair adds what is missing and replaces what is invalid, and says whether it
// changed anything.
func (c *Contract) repair(answers Answers, report Report, all Answers, pinned pins) bool {
	changed := false
	for _, missing := range report.Missing {
		id := topLevel(missing.Path)
		if _, fixed := pinned[id]; fixed {
			continue
		}
		if value, ok := all[id]; ok && missing.Path == "/"+id {
			answers[id] = value
			changed = true
		} else if missing.Path == "/"+id {
			changed = c.derived(answers, id) || changed
		}
	}
	for _, invalid := range report.Invalid {
		id := topLevel(invalid.Path)
		if _, fixed := pinned[id]; !fixed {
			changed = c.replace(answers, id) || changed
		}
	}
	return changed
}

// derived fills a property that no field of the wizard has.
func (c *Contract) derived(answers Answers, id string) bool {
	part := c.parts[id]
	for _, value := range derive(c.property([]string{id})) {
		if part != nil && part.Validate(value) == nil {
			answers[id] = value
			return true
		}
	}
	return false
}

// replace tries the other candidates for a value that does not go with the rest.
func (c *Contract) replace(answers Answers, id string) bool {
	f := c.w.Field(id)
	if f == nil {
		return false
	}
	before := answers[id]
	for _, candidate := range c.candidates(f) {
		if word(candidate) == word(before) || !c.fits(f, candidate) {
			continue
		}
		answers[id] = candidate
		if !c.complains(answers, id) {
			return true
		}
	}
	answers[id] = before
	return false
}

func (c *Contract) complains(answers Answers, id string) bool {
	for _, invalid := range c.ValidateAnswers(c.w.Effective(answers)).Invalid {
		if topLevel(invalid.Path) == id {
			return true
		}
	}
	return false
}
