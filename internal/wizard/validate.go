package wizard

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/santhosh-tekuri/jsonschema/v6/kind"

	"github.com/legwork-mcp/legwork/internal/nearest"
)

// validation is one run of Validate.
type validation struct {
	c      *Contract
	report Report
	at     map[string]bool // paths that have an error already
}

// unknownKeys reports the keys that no property has, on every level.
func (v *validation) unknownKeys(path string, schema, value map[string]any) {
	properties, _ := schema["properties"].(map[string]any)
	names := slices.Sorted(maps.Keys(properties))
	for _, key := range slices.Sorted(maps.Keys(value)) {
		property, known := properties[key].(map[string]any)
		if known {
			v.unknownInside(join(path, key), property, value[key])
			continue
		}
		if _, any := properties[key]; any || open(schema) {
			continue
		}
		if v.full(len(v.report.Unknown)) {
			return
		}
		v.unknown(UnknownKey{Key: key, Nearest: nearest.Name(key, names), Path: join(path, key)})
	}
}

func (v *validation) unknownInside(path string, schema map[string]any, value any) {
	switch inner := value.(type) {
	case map[string]any:
		if _, described := schema["properties"]; described {
			v.unknownKeys(path, schema, inner)
		}
	case []any:
		items, ok := schema["items"].(map[string]any)
		if !ok {
			return
		}
		for i, entry := range inner {
			v.unknownInside(joinIndex(path, i), items, entry)
		}
	}
}

// open says whether a schema's author allows other keys on purpose.
func open(schema map[string]any) bool {
	if _, ok := schema["patternProperties"]; ok {
		return true
	}
	additional, ok := schema["additionalProperties"]
	return ok && additional != false
}

func (v *validation) unknown(key UnknownKey) {
	if !v.at[key.Path] && !v.full(len(v.report.Unknown)) {
		v.at[key.Path] = true
		v.report.Unknown = append(v.report.Unknown, key)
	}
}

// maxReported bounds each list of a report: whoever reads it corrects the first
// hundred and asks again.
const maxReported = 100

// full says whether a list has no room left, and warns once that it had not.
func (v *validation) full(entries int) bool {
	if entries < maxReported {
		return false
	}
	const message = "There are more problems than the report lists; correct these and validate again."
	more := Warning{Message: message, Severity: "high"}
	if !slices.Contains(v.report.Warnings, more) {
		v.report.Warnings = append(v.report.Warnings, more)
	}
	return true
}

// notAsked warns about answers to questions that this branch does not have.
func (v *validation) notAsked(given, effective Answers) {
	for _, id := range slices.Sorted(maps.Keys(given)) {
		if _, sent := effective[id]; sent {
			continue
		}
		v.report.Warnings = append(v.report.Warnings, Warning{
			FieldID: id, Severity: "medium",
			Message: "Not asked in this branch of the form, will not be sent" + v.c.w.asked(id) + ".",
		})
	}
}

// asked says in words when a field is on the form.
func (w *Wizard) asked(id string) string {
	when := w.askedWhen(id)
	if when == nil {
		return ""
	}
	return "; asked when " + when.String()
}

// schema adds the errors of the JSON Schema.
func (v *validation) schema(effective Answers) {
	explained := maps.Clone(v.at) // in better words than a schema has
	for _, leaf := range leaves(v.c.schema.Validate(map[string]any(effective))) {
		path := pointer(leaf.InstanceLocation)
		if explained[path] {
			continue
		}
		switch k := leaf.ErrorKind.(type) {
		case *kind.Required:
			for _, key := range k.Missing {
				v.missing(slices.Concat(leaf.InstanceLocation, []string{key}))
			}
		case *kind.AdditionalProperties:
			for _, key := range k.Properties {
				v.unknown(UnknownKey{Key: key, Path: join(path, key)})
			}
		default:
			v.invalid(leaf.InstanceLocation, v.sentence(leaf), lookUp(map[string]any(effective), leaf.InstanceLocation))
		}
	}
}

func (v *validation) missing(tokens []string) {
	path := pointer(tokens)
	if v.at[path] || v.full(len(v.report.Missing)) {
		return
	}
	v.at[path] = true
	property := v.c.property(tokens)
	v.report.Missing = append(v.report.Missing, MissingField{
		Label: v.c.label(tokens), FieldID: lastName(tokens), Path: path, Required: true,
		Example: v.c.exampleText(tokens), Type: expected(property),
		Description: textOf(property["description"]),
	})
}

// invalid adds one error; several about the same value become one sentence.
func (v *validation) invalid(tokens []string, sentence string, provided any) {
	path := pointer(tokens)
	i := slices.IndexFunc(v.report.Invalid, func(f InvalidField) bool { return f.Path == path })
	if i >= 0 {
		if f := &v.report.Invalid[i]; !strings.Contains(f.Error, sentence) {
			f.Error += "; " + sentence
		}
		return
	}
	if v.full(len(v.report.Invalid)) {
		return
	}
	v.at[path] = true
	property := v.c.property(tokens)
	enum, _ := property["enum"].([]any)
	if items, ok := property["items"].(map[string]any); ok && enum == nil {
		enum, _ = items["enum"].([]any)
	}
	v.report.Invalid = append(v.report.Invalid, InvalidField{
		FieldID: lastName(tokens), Label: v.c.label(tokens), Path: path, ProvidedValue: short(provided),
		ExpectedType: expected(property), Error: sentence, AllowedValues: enum,
	})
}

const maxEchoed = 500 // bytes of a value that goes back to the caller

// short replaces a value too large to be repeated, such as a file.
func short(value any) any {
	if text := word(value); len(text) > maxEchoed {
		return fmt.Sprintf("(%d bytes)", len(text))
	}
	return value
}

// sentence says what is wrong with a value and, where it helps, what would do.
func (v *validation) sentence(leaf *jsonschema.ValidationError) string {
	switch k := leaf.ErrorKind.(type) {
	case *kind.Enum:
		return explain(k) + v.c.optionMeant(leaf.InstanceLocation, k.Got, k.Want)
	case *kind.Pattern:
		return v.patternSentence(leaf.InstanceLocation, k.Want, v.like(leaf.InstanceLocation))
	case *kind.Type:
		if (k.Got == "number" || k.Got == "integer") && len(k.Want) == 1 && k.Want[0] == "string" {
			return explain(k) + v.giveText(leaf.InstanceLocation)
		}
	case *kind.Format:
		if text, ok := k.Got.(string); ok && k.Want == "date" && datePattern.MatchString(text) {
			return "is no day of the calendar"
		}
		return "must be " + formatWords(k.Want) + v.like(leaf.InstanceLocation)
	case *kind.AnyOf, *kind.OneOf:
		var forms []string
		for _, cause := range leaf.Causes {
			for _, part := range leaves(cause) {
				forms = append(forms, explain(part.ErrorKind))
			}
		}
		return strings.Join(unrepeated(forms), ", or ")
	}
	return explain(leaf.ErrorKind)
}

// patternSentence says which form a value must have. People read the words and
// the example of the field; its expression comes last, for programs.
func (v *validation) patternSentence(tokens []string, pattern, example string) string {
	if words, ok := patternWords[pattern]; ok {
		return "must be " + words + example
	}
	said := strings.TrimSuffix(textOf(v.c.property(tokens)["description"]), ".")
	if said != "" {
		said = ": " + said
	}
	if said+example == "" {
		return "must have the form " + pattern
	}
	return "must have the form of this field" + said + example + " (pattern " + pattern + ")"
}

// giveText is the end of a sentence about a number that lacks the spelling of a
// text, such as a leading zero.
func (v *validation) giveText(tokens []string) string {
	example := v.c.exampleText(tokens)
	if example == "" {
		return "; give a text"
	}
	return "; give a text such as " + strconv.Quote(example)
}

// like is an example of a right value, at the end of a sentence.
func (v *validation) like(tokens []string) string {
	example := v.c.exampleText(tokens)
	if example == "" {
		return ""
	}
	return ", for example " + strconv.Quote(example)
}

func unrepeated(texts []string) []string {
	slices.Sort(texts)
	return slices.Compact(texts)
}

// lookUp is the value at a location, or nil.
func lookUp(value any, tokens []string) any {
	for _, token := range tokens {
		switch v := value.(type) {
		case map[string]any:
			value = v[token]
		case []any:
			i, err := strconv.Atoi(token)
			if err != nil || i >= len(v) {
				return nil
			}
			value = v[i]
		default:
			return nil
		}
	}
	return value
}

// sort brings all lists into the order of the form.
func (v *validation) sort() {
	order := map[string]int{}
	for i, id := range v.c.w.fieldIDs() {
		order[id] = i + 1
	}
	place := func(a, b string) int {
		first := func(path string) string { return strings.SplitN(path, "/", 3)[1] }
		return cmp.Or(cmp.Compare(order[first(a)], order[first(b)]), naturally(a, b))
	}
	slices.SortStableFunc(v.report.Missing, func(a, b MissingField) int { return place(a.Path+"/", b.Path+"/") })
	slices.SortStableFunc(v.report.Invalid, func(a, b InvalidField) int { return place(a.Path+"/", b.Path+"/") })
	slices.SortStableFunc(v.report.Warnings, func(a, b Warning) int { return cmp.Compare(order[a.FieldID], order[b.FieldID]) })
}

// naturally compares paths with row 2 before row 10.
func naturally(a, b string) int {
	return cmp.Or(cmp.Compare(len(a), len(b)), strings.Compare(a, b))
}
