package wizard

import (
	"fmt"
	"maps"
	"slices"
)

// Mismatches are where a hand-written schema and the wizard disagree: fields
// without a property, properties without a field, options that differ. They do
// not make the contract invalid; whoever wrote it should see them.
func (c *Contract) Mismatches() []Problem { return slices.Clone(c.mismatch) }

func mismatches(w *Wizard, document map[string]any) []Problem {
	properties, _ := document["properties"].(map[string]any)
	var problems []Problem
	ids := w.fieldIDs()
	for _, id := range ids {
		property, ok := properties[id].(map[string]any)
		if !ok {
			problems = append(problems, Problem{join("/properties", id), "the wizard has this field, the schema does not"})
			continue
		}
		problems = append(problems, optionMismatch(w.Field(id), property)...)
	}
	for _, key := range slices.Sorted(maps.Keys(properties)) {
		if !slices.Contains(ids, key) {
			problems = append(problems, Problem{join("/properties", key), "no field of the wizard has this id" + suggestion(key, ids)})
		}
	}
	return problems
}

func optionMismatch(f *Field, property map[string]any) []Problem {
	enum, ok := property["enum"].([]any)
	if !ok || len(f.Options) == 0 {
		return nil
	}
	var problems []Problem
	options := optionValues(f.Options)
	path := join("/properties", f.FieldID) + "/enum"
	for _, value := range enum {
		if !slices.Contains(options, value) {
			problems = append(problems, Problem{path, fmt.Sprintf("%v is no option of the field", value)})
		}
	}
	for _, value := range options {
		if !slices.Contains(enum, value) {
			problems = append(problems, Problem{path, fmt.Sprintf("the option %v is missing", value)})
		}
	}
	return problems
}
