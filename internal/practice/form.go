package practice

import (
	"slices"
	"strconv"
)

// kind is how a question looks and what it records.
type kind string

const (
	radios    kind = "radio"
	checks    kind = "checkbox"  // a group of boxes; every box is a field
	text      kind = "text"      // any single-line input
	dropdown  kind = "select"    // a native select
	typeahead kind = "typeahead" // counts only a picked suggestion
	date      kind = "date"      // three inputs: month, day, year
	rowTable  kind = "rows"      // a repeatable group, stored row by row
)

// choice is one answer of a question.
type choice struct {
	Value     string // what user data and the record hold
	Label     string // what the page shows
	Attr      string // the input's value attribute; empty means Value
	InputID   string
	Field     string // the field that this box is (checks only)
	Exclusive bool   // clears, and refuses, the other boxes
}

func (c choice) attr() string {
	if c.Attr != "" {
		return c.Attr
	}
	return c.Value
}

// part is one input of a date.
type part struct {
	Field, Label, InputID, Name string
	Width                       int
}

// need says that another answer on the same page has one of the values;
// without values, that it was answered.
type need struct {
	ID     string   `json:"id"`
	Values []string `json:"values,omitempty"`
}

func (n need) holds(a answers) bool {
	switch v := a[n.ID].(type) {
	case bool:
		return slices.Contains(n.Values, strconv.FormatBool(v))
	case string:
		return v != "" && (len(n.Values) == 0 || slices.Contains(n.Values, v))
	}
	return false
}

// question is one question of a step.
type question struct {
	ID       string
	Kind     kind
	Label    string
	Hint     string
	InputID  string
	Name     string // the input's name attribute; empty means ID
	Choices  []choice
	Parts    []part
	Sub      []question // the cells of a row
	Optional bool
	Prefix   string
	Suffix   string
	Default  string
	Look     string // a variant of the rendering: tile, hidden
	Source   string // where a typeahead asks for suggestions
	// Shows are the answers on this page that make the question appear.
	Shows []need
	// Asked decides from earlier pages; nil means always.
	Asked func(answers) bool
	// Check returns what is wrong with a value, or nothing.
	Check func(value string) string
	// Known says whether a typeahead's value is one of its suggestions.
	Known func(value string, a answers) bool
}

func (q question) name() string {
	if q.Name != "" {
		return q.Name
	}
	return q.ID
}

// asked reports whether the page asks the question, given all answers so far.
func (q question) asked(a answers) bool {
	if q.Asked != nil && !q.Asked(a) {
		return false
	}
	for _, n := range q.Shows {
		if !n.holds(a) {
			return false
		}
	}
	return true
}

// fields lists the fields that the question records.
func (q question) fields() []string {
	switch q.Kind {
	case checks:
		var ids []string
		for _, c := range q.Choices {
			ids = append(ids, c.Field)
		}
		return ids
	case date:
		var ids []string
		for _, p := range q.Parts {
			ids = append(ids, p.Field)
		}
		return ids
	}
	return []string{q.ID}
}

// names lists the form names that the question's inputs may post.
func (q question) names() []string {
	switch q.Kind {
	case checks:
		return q.fields()
	case date:
		var names []string
		for _, p := range q.Parts {
			names = append(names, p.Name)
		}
		return names
	case typeahead:
		return []string{q.name(), q.name() + typedSuffix}
	case rowTable:
		return nil
	}
	return []string{q.name()}
}

// typedSuffix names the visible input of a typeahead, whose text alone never
// counts.
const typedSuffix = "_text"

// complaint is one error of a rejected page.
type complaint struct {
	ID      string `json:"id"`       // the question
	InputID string `json:"input_id"` // where the summary's link leads
	Text    string `json:"text"`
}

// step is one page of a form.
type step struct {
	Path      string // below the form's base address
	Title     string
	Intro     string
	Questions []question
	// Asked decides from earlier pages whether the page comes; nil means always.
	Asked func(answers) bool
	// Check finds contradictions between answers that are fine each.
	Check func(answers) []complaint
}

// answers are the accepted values by field: string, bool, or the rows.
type answers map[string]any

func (a answers) text(id string) string {
	s, _ := a[id].(string)
	return s
}

func (a answers) is(id string, values ...string) bool {
	return slices.Contains(values, a.text(id))
}

func (a answers) ticked(id string) bool {
	b, _ := a[id].(bool)
	return b
}

func (a answers) rows(id string) []map[string]any {
	list, _ := a[id].([]any)
	var rows []map[string]any
	for _, item := range list {
		if row, ok := item.(map[string]any); ok {
			rows = append(rows, row)
		}
	}
	return rows
}

// pair is a term and its value on the answer page.
type pair struct {
	Label string `json:"label"`
	Value string `json:"value"`
}

// outcome is the answer to a completed form.
type outcome struct {
	Heading   string         `json:"heading"`
	Headline  pair           `json:"headline"`
	Pairs     []pair         `json:"pairs"`
	Table     [][]string     `json:"table"` // the first row is the header
	Values    map[string]any `json:"-"`     // what the record's Answer holds
	Reference string         `json:"reference"`
}

// flow is a whole form: its pages, and how it answers.
type flow struct {
	Site   string
	Steps  []step
	Answer func(answers) outcome
}

// route returns the steps that come, given the answers so far.
func (f *flow) route(a answers) []*step {
	var steps []*step
	for i := range f.Steps {
		if s := &f.Steps[i]; s.Asked == nil || s.Asked(a) {
			steps = append(steps, s)
		}
	}
	return steps
}

// data keeps only the answers of the branch that was visited.
func (f *flow) data(a answers) map[string]any {
	data := map[string]any{}
	for _, s := range f.route(a) {
		for _, q := range s.Questions {
			if !q.asked(a) {
				continue
			}
			for _, id := range q.fields() {
				if v, ok := a[id]; ok && v != "" {
					data[id] = v
				}
			}
		}
	}
	return data
}
