package runner

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/legwork-mcp/legwork/internal/fault"
	"github.com/legwork-mcp/legwork/internal/tool"
	"github.com/legwork-mcp/legwork/internal/wizard"
)

var validateUserData = tool.New(tool.Spec{
	Name: "federalrunner_validate_user_data", Title: "Check data against a contract",
	Description: "Validate user_data against a wizard's contract without opening a browser: all missing, invalid and unknown fields at once.",
	Effect:      tool.Read, Idempotent: true, Scope: scopeRead, Rate: rateCheck, Timeout: 20 * time.Second,
	Outline:  []string{"valid", "missing_fields", "invalid_fields", "unknown_keys", "warnings"},
	Examples: []tool.Example{{Name: "incomplete", Args: ValidateIn{WizardID: "fsa-estimator", UserData: json.RawMessage(`{"birth_month":"05"}`)}}},
}, (*Server).validateUserData)

// ValidateIn is the data to check.
type ValidateIn struct {
	WizardID string          `json:"wizard_id" jsonschema:"from federalrunner_list_wizards"`
	UserData json.RawMessage `json:"user_data" type:"object" jsonschema:"data keyed by the contract's property names"`
}

// ValidateOut lists everything that is wrong, or nothing.
type ValidateOut struct {
	Success       bool           `json:"success"`
	Status        string         `json:"status"`
	Valid         bool           `json:"valid"`
	WizardID      string         `json:"wizard_id"`
	MissingFields []MissingField `json:"missing_fields"`
	InvalidFields []InvalidField `json:"invalid_fields"`
	UnknownKeys   []UnknownKey   `json:"unknown_keys"`
	Warnings      []DataWarning  `json:"warnings"`
	Timestamp     string         `json:"timestamp"`
}

// InvalidField is one value that the contract refuses.
type InvalidField struct {
	FieldID       string `json:"field_id"`
	Label         string `json:"label,omitempty"`
	Path          string `json:"path,omitempty"`
	ProvidedValue any    `json:"provided_value"`
	ExpectedType  string `json:"expected_type"`
	Error         string `json:"error"`
	AllowedValues []any  `json:"allowed_values,omitempty"`
}

// UnknownKey is a property that the contract does not have.
type UnknownKey struct {
	Key     string `json:"key"`
	Path    string `json:"path,omitempty"`
	Nearest string `json:"nearest,omitempty" jsonschema:"the valid name that comes closest"`
}

// DataWarning is something that is allowed but probably not meant.
type DataWarning struct {
	FieldID  string `json:"field_id"`
	Message  string `json:"message"`
	Severity string `json:"severity" enum:"low,medium,high"`
}

// Text says whether the data can be executed, and if not why.
func (o ValidateOut) Text() string {
	var b strings.Builder
	if o.Valid {
		fmt.Fprintf(&b, "The data is complete and valid for %s.", o.WizardID)
	} else {
		fmt.Fprintf(&b, "The data cannot be executed with %s yet.", o.WizardID)
	}
	writeDefects(&b, o)
	if o.Valid {
		b.WriteString("\nNext: federalrunner_execute_wizard with the same data.")
	} else {
		b.WriteString("\nNext: correct these and validate again.")
	}
	b.WriteString("\nAs of " + o.Timestamp)
	return b.String()
}

func writeDefects(b *strings.Builder, o ValidateOut) {
	writeMissing(b, o.MissingFields)
	for _, f := range o.InvalidFields {
		fmt.Fprintf(b, "\n- invalid %s: %s", named(f.FieldID, f.Label, f.Path), f.Error)
		writeAllowed(b, f.Error, f.AllowedValues)
	}
	for _, u := range o.UnknownKeys {
		fmt.Fprintf(b, "\n- unknown key %s", named(u.Key, "", u.Path))
		if u.Nearest != "" {
			fmt.Fprintf(b, ", did you mean %s?", u.Nearest)
		}
	}
	for _, w := range o.Warnings {
		fmt.Fprintf(b, "\n- note on %s: %s", w.FieldID, w.Message)
	}
}

func (s *Server) validateUserData(_ context.Context, in ValidateIn) (ValidateOut, error) {
	e, err := s.entry(in.WizardID)
	if err != nil {
		return ValidateOut{}, err
	}
	if _, err := decode(in.UserData); err != nil {
		return ValidateOut{}, err
	}
	return validated(e, in.UserData), nil
}

// decode reads user data as answers; a refusal names what is wrong with the JSON.
func decode(raw json.RawMessage) (wizard.Answers, error) {
	answers, err := wizard.DecodeAnswers(raw)
	if err != nil {
		return nil, fault.New(fault.Invalid, "invalid_user_data", "user_data: "+err.Error(),
			"Send user_data as one JSON object whose keys are the contract's property names.")
	}
	return answers, nil
}

func validated(e *wizard.Entry, raw json.RawMessage) ValidateOut {
	rep := e.Contract.Validate(raw)
	out := ValidateOut{
		Success: true, Status: StatusSuccess, Valid: rep.Valid, WizardID: e.Wizard.WizardID,
		MissingFields: []MissingField{}, InvalidFields: []InvalidField{}, UnknownKeys: []UnknownKey{},
		Warnings: []DataWarning{}, Timestamp: rfc3339(time.Now()),
	}
	for _, m := range rep.Missing {
		out.MissingFields = append(out.MissingFields, MissingField{
			Label: m.Label, FieldID: m.FieldID, Example: m.Example, Required: true, Type: m.Type, Description: m.Description,
		})
	}
	for _, f := range rep.Invalid {
		out.InvalidFields = append(out.InvalidFields, InvalidField{
			FieldID: f.FieldID, Label: f.Label, Path: f.Path, ProvidedValue: f.ProvidedValue,
			ExpectedType: f.ExpectedType, Error: f.Error, AllowedValues: f.AllowedValues,
		})
	}
	for _, u := range rep.Unknown {
		out.UnknownKeys = append(out.UnknownKeys, UnknownKey{Key: u.Key, Path: u.Path, Nearest: u.Nearest})
	}
	for _, w := range rep.Warnings {
		out.Warnings = append(out.Warnings, DataWarning{FieldID: w.FieldID, Message: w.Message, Severity: w.Severity})
	}
	return out
}
