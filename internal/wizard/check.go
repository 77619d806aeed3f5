package wizard

import (
	"fmt"
	"slices"
)

// Check reports everything that is wrong with a wizard that was built by a
// program, as Parse does for one that was read.
func (w *Wizard) Check() error {
	data, err := w.Marshal()
	if err != nil {
		return err
	}
	_, err = Parse(data)
	return err
}

// checker collects the problems that a schema cannot see.
type checker struct {
	w        *Wizard
	problems []Problem
}

func (c *checker) add(path, format string, args ...any) {
	c.problems = append(c.problems, Problem{path, fmt.Sprintf(format, args...)})
}

// problems checks what concerns more than one key.
func (w *Wizard) problems() []Problem {
	c := checker{w: w}
	c.pageNumbers()
	c.fieldIDs()
	for i := range w.Pages {
		c.page(joinIndex("/pages", i), &w.Pages[i])
	}
	c.results()
	return c.problems
}

func (c *checker) pageNumbers() {
	n := len(c.w.Pages)
	if c.w.TotalPages != n {
		c.add("/total_pages", "is %d, but there are %d pages", c.w.TotalPages, n)
	}
	seen := map[int]bool{}
	for i, page := range c.w.Pages {
		path := joinIndex("/pages", i) + "/page_number"
		switch {
		case page.PageNumber < 1 || page.PageNumber > n:
			c.add(path, "is %d; %d pages have the numbers 1 to %d", page.PageNumber, n, n)
		case seen[page.PageNumber]:
			c.add(path, "is %d, like that of another page", page.PageNumber)
		}
		seen[page.PageNumber] = true
	}
}

func (c *checker) fieldIDs() {
	first := map[string]string{}
	for i := range c.w.Pages {
		for j := range c.w.Pages[i].Fields {
			path := joinIndex(joinIndex("/pages", i)+"/fields", j) + "/field_id"
			id := c.w.Pages[i].Fields[j].FieldID
			if other, twice := first[id]; twice {
				c.add(path, "%q is already the id of the field at %s; ids are unique in the whole wizard", id, other)
				continue
			}
			first[id] = path
		}
	}
}

func (c *checker) page(path string, page *Page) {
	c.condition(path+"/visible_when", page.VisibleWhen, scope{c: c})
	for i := range page.Fields {
		c.field(joinIndex(path+"/fields", i), &page.Fields[i])
	}
	if a := page.Advance; a != nil && a.URLPattern == "" && a.Heading == "" && a.Selector == "" {
		c.add(path+"/advance", "needs at least one of url_pattern, heading and selector")
	}
}

func (c *checker) field(path string, f *Field) {
	q := f.question()
	if f.FieldType == "group" {
		c.group(path, f)
	} else {
		c.selector(path, f.Selector, q)
		if f.Repeatable {
			c.add(path+"/repeatable", "only a field of type group can be repeatable")
		}
	}
	if f.MaxInstances > 0 && f.MaxInstances < f.MinInstances {
		c.add(path+"/max_instances", "is %d, less than min_instances %d", f.MaxInstances, f.MinInstances)
	}
	c.traits(path, q, scope{c: c, self: f.FieldID})
}

func (c *checker) group(path string, f *Field) {
	if len(f.SubFields) == 0 {
		c.add(path+"/sub_fields", "a group needs at least one sub-field")
	}
	if f.Repeatable && f.AddButtonSelector == "" {
		c.add(path+"/add_button_selector", "a repeatable group needs the button that adds a row")
	}
	seen := map[string]bool{}
	parts := map[string]int{}
	for i := range f.SubFields {
		sub := &f.SubFields[i]
		at := joinIndex(path+"/sub_fields", i)
		if seen[sub.FieldID] {
			c.add(at+"/field_id", "%q is there twice in this group", sub.FieldID)
		}
		seen[sub.FieldID] = true
		parts[sub.DatePart()]++
		if sub.FieldType == "group" {
			c.add(at+"/field_type", "a group inside a group is not possible")
		}
		c.selector(at, sub.Selector, sub.question())
		c.traits(at, sub.question(), scope{c: c, self: sub.FieldID, group: f})
	}
	if f.IsDate() && (len(f.SubFields) != 3 || parts["month"] != 1 || parts["day"] != 1 || parts["year"] != 1) {
		c.add(path+"/sub_fields", "a date group needs exactly one sub-field for each part: month, day and year")
	}
}

// selector demands a way to the input: its own selector, or one for each option.
func (c *checker) selector(path, selector string, q question) {
	if selector != "" {
		return
	}
	options := q.traits.Options
	if len(options) > 0 && !slices.ContainsFunc(options, func(o Option) bool { return o.Selector == "" }) {
		return
	}
	c.add(path+"/selector", "is needed, unless every option has a selector")
}

func (c *checker) traits(path string, q question, s scope) {
	t := q.traits
	c.options(path, q)
	for i := range t.Options {
		at := joinIndex(path+"/options", i) + "/available_when"
		c.condition(at, t.Options[i].AvailableWhen, s)
		if s.group != nil && t.Options[i].AvailableWhen != nil {
			c.add(at, "is for options of fields; in a row, list them all")
		}
	}
	c.condition(path+"/visible_when", t.VisibleWhen, s)
	c.condition(path+"/required_when", t.RequiredWhen, s)
	if t.MinLength != nil && t.MaxLength != nil && *t.MaxLength < *t.MinLength {
		c.add(path+"/max_length", "is less than min_length")
	}
	if t.Minimum != nil && t.Maximum != nil && *t.Maximum < *t.Minimum {
		c.add(path+"/maximum", "is less than minimum")
	}
	if t.Exclusive && t.ExclusiveGroup == "" {
		c.add(path+"/exclusive", "needs exclusive_group: which checkboxes it excludes")
	}
}

func (c *checker) options(path string, q question) {
	seen := map[string]bool{}
	for i, option := range q.traits.Options {
		at := joinIndex(path+"/options", i) + "/value"
		switch {
		case !given(option.Value):
			c.add(at, "must not be blank: a blank answer counts as none")
		case seen[option.Value]:
			c.add(at, "%q is already the value of another option", option.Value)
		}
		seen[option.Value] = true
	}
	if q.traits.Multiple && len(seen) == 0 && q.traits.Format != "file" && q.fieldType != "typeahead" {
		c.add(path+"/multiple", "several options at once need the options")
	}
}

func (c *checker) results() {
	seen := map[string]bool{}
	for i, rule := range c.w.Results {
		path := joinIndex("/results", i)
		if seen[rule.Name] {
			c.add(path+"/name", "%q is already the name of another result", rule.Name)
		}
		seen[rule.Name] = true
		if countTrue(rule.Label != "", rule.Selector != "", rule.Regex != "") != 1 {
			c.add(path, "needs exactly one of label, selector and regex")
		}
	}
	for i, check := range c.w.SuccessWhen {
		if check.URLPattern == "" && check.Heading == "" && check.Selector == "" && check.Text == "" {
			c.add(joinIndex("/success_when", i), "needs at least one of url_pattern, heading, selector and text")
		}
	}
}

func countTrue(values ...bool) int {
	n := 0
	for _, value := range values {
		if value {
			n++
		}
	}
	return n
}
