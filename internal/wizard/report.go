package wizard

import "encoding/json"

// Report is everything that is wrong with user data, at once.
type Report struct {
	Valid    bool           `json:"valid"`
	Missing  []MissingField `json:"missing_fields"`
	Invalid  []InvalidField `json:"invalid_fields"`
	Unknown  []UnknownKey   `json:"unknown_keys"`
	Warnings []Warning      `json:"warnings"`
}

// MissingField is a value that this branch of the form needs.
type MissingField struct {
	Label       string `json:"label"`
	FieldID     string `json:"field_id"`
	Example     string `json:"example"`
	Description string `json:"description,omitempty"`
	// Type is what to give, in words.
	Type     string `json:"type,omitempty"`
	Path     string `json:"path"`
	Required bool   `json:"required"`
}

// InvalidField is a value that the form would not take. ProvidedValue goes back
// to the caller, who sent it, and nowhere else.
type InvalidField struct {
	FieldID       string `json:"field_id"`
	Label         string `json:"label"`
	Path          string `json:"path"`
	ProvidedValue any    `json:"provided_value"`
	// ExpectedType is what to give, in words.
	ExpectedType  string `json:"expected_type"`
	Error         string `json:"error"`
	AllowedValues []any  `json:"allowed_values,omitempty"`
}

// UnknownKey is a key that is no field of the wizard; Nearest is the one that
// was probably meant.
type UnknownKey struct {
	Key     string `json:"key"`
	Nearest string `json:"nearest,omitempty"`
	Path    string `json:"path"`
}

// Warning is something odd that does not stop a run. Severity is low, medium or
// high.
type Warning struct {
	FieldID  string `json:"field_id"`
	Message  string `json:"message"`
	Severity string `json:"severity"`
}

// Validate checks user data against the contract and reports all that is wrong:
// what this branch of the form needs and lacks, what has the wrong form, and
// what is no field at all.
func (c *Contract) Validate(data json.RawMessage) Report {
	answers, err := DecodeAnswers(data)
	if err != nil {
		r := emptyReport()
		r.Invalid = append(r.Invalid, InvalidField{ExpectedType: "a JSON object", Error: err.Error()})
		return r
	}
	return c.ValidateAnswers(answers)
}

// ValidateAnswers is Validate for data that is already decoded.
func (c *Contract) ValidateAnswers(answers Answers) Report {
	v := validation{c: c, report: emptyReport(), at: map[string]bool{}}
	given := withoutBlanks(map[string]any(answers)).(map[string]any)
	effective := c.w.Effective(given)
	v.unknownKeys("", c.document, given)
	v.notAsked(given, effective)
	v.semantics(effective)
	v.schema(effective)
	v.sort()
	v.report.Valid = len(v.report.Missing)+len(v.report.Invalid)+len(v.report.Unknown) == 0
	return v.report
}

func emptyReport() Report {
	return Report{
		Missing: []MissingField{}, Invalid: []InvalidField{},
		Unknown: []UnknownKey{}, Warnings: []Warning{},
	}
}

// withoutBlanks is a copy without texts of only white space: a blank answer to
// a required question is a missing one.
func withoutBlanks(value any) any {
	switch v := value.(type) {
	case map[string]any:
		kept := make(map[string]any, len(v))
		for key, member := range v {
			if text, ok := member.(string); ok && !given(text) {
				continue
			}
			kept[key] = withoutBlanks(member)
		}
		return kept
	case []any:
		kept := make([]any, len(v))
		for i := range v {
			kept[i] = withoutBlanks(v[i])
		}
		return kept
	}
	return value
}
