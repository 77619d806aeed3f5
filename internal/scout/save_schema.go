package scout

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/legwork-mcp/legwork/internal/fault"
	"github.com/legwork-mcp/legwork/internal/tool"
	"github.com/legwork-mcp/legwork/internal/wizard"
)

var saveSchema = tool.New(tool.Spec{
	Name: "federalscout_save_schema", Title: "Save a data schema",
	Description: "Save a draft-07 data schema for a saved wizard, or for the session that will become it. Without one the schema follows from the pages.",
	Effect:      tool.Write, Idempotent: true, Scope: scopeDiscover, Rate: rateExplore,
	Outline: []string{"success", "schema_path", "validation", "message"},
	Examples: []tool.Example{{Name: "a schema", Args: SaveSchemaIn{WizardID: "my-form", SchemaContent: json.RawMessage(
		`{"$schema":"http://json-schema.org/draft-07/schema#","title":"My form","type":"object","required":["birth_year"],"properties":{"birth_year":{"type":"string"}}}`)}}},
}, (*Server).saveSchema)

// SaveSchemaIn is a schema and what it is for.
type SaveSchemaIn struct {
	WizardID      string          `json:"wizard_id"`
	SchemaContent json.RawMessage `json:"schema_content" type:"object"`
	SessionID     string          `json:"session_id,omitempty" jsonschema:"keep it for this session's wizard, which is not complete yet"`
}

// SaveSchemaOut says where it is and what was checked.
type SaveSchemaOut struct {
	Reply
	WizardID   string         `json:"wizard_id"`
	SchemaPath string         `json:"schema_path,omitempty"`
	Version    string         `json:"version,omitempty"`
	Validation SchemaJudgment `json:"validation"`
}

// SchemaJudgment is what is known about a schema.
type SchemaJudgment struct {
	IsValid       bool     `json:"is_valid"`
	PropertyCount int      `json:"property_count"`
	RequiredCount int      `json:"required_count"`
	Warnings      []string `json:"warnings,omitempty"`
}

// Text is the answer for a client that reads nothing else.
func (o SaveSchemaOut) Text() string {
	var b strings.Builder
	fmt.Fprintf(&b, "status: success. %s %d properties, %d required.", o.Message, o.Validation.PropertyCount, o.Validation.RequiredCount)
	for _, w := range o.Validation.Warnings {
		b.WriteString("\n- warning " + clip(w, 300))
	}
	b.WriteString("\nAs of " + o.Timestamp)
	return b.String()
}

func (s *Server) saveSchema(ctx context.Context, in SaveSchemaIn) (SaveSchemaOut, error) {
	id, err := wizardID(in.WizardID)
	if err != nil {
		return SaveSchemaOut{}, err
	}
	if in.SessionID != "" {
		return on(ctx, s, in.SessionID, func(x *session) (SaveSchemaOut, error) {
			_, judged, err := judge(x.wizard(), in.SchemaContent)
			if err != nil {
				return SaveSchemaOut{}, err
			}
			x.schema = in.SchemaContent
			out := SaveSchemaOut{WizardID: id, Validation: judged}
			out.Reply = s.reply("The schema is kept for federalscout_complete_discovery of this session.")
			return out, nil
		})
	}
	e, err := s.wizards.Get(id)
	if err != nil {
		if errors.Is(err, wizard.ErrNotFound) {
			return SaveSchemaOut{}, fault.New(fault.NotFound, TypeWizardNotFound, "A schema belongs to a wizard: "+err.Error()+".",
				"Complete the discovery first, or give session_id to keep the schema for it.")
		}
		return SaveSchemaOut{}, fault.New(fault.Failed, "wizard_invalid", "The wizard's own file cannot be used: "+clip(err.Error(), 400), "Correct it first; legwork wizards check helps.")
	}
	c, judged, err := judge(e.Wizard, in.SchemaContent)
	if err != nil {
		return SaveSchemaOut{}, err
	}
	out := SaveSchemaOut{WizardID: id, Validation: judged}
	if out.Version, err = s.wizards.Save(e.Wizard, c); err != nil {
		return SaveSchemaOut{}, notSaved(err)
	}
	if e, err := s.wizards.Get(id); err == nil {
		out.SchemaPath = filepath.Join(filepath.Dir(filepath.Dir(e.Path)), "data-schemas", id+"-schema.json")
	}
	out.Reply = s.reply("The schema of %s is saved as version %s.", id, out.Version)
	return out, nil
}

func wizardID(given string) (string, error) {
	id, err := wizard.NormalizeID(given)
	if err != nil {
		return "", fault.New(fault.Invalid, TypeValidation, "This wizard_id is not possible: "+clip(err.Error(), 200)+".", "Use lower-case letters, digits and hyphens, like fsa-estimator.")
	}
	return id, nil
}

func notSaved(err error) error {
	var invalid *wizard.InvalidError
	if errors.As(err, &invalid) {
		return problemsFault(TypeSchema, "The wizard is not saved", invalid.Problems)
	}
	if errors.Is(err, wizard.ErrReadOnly) {
		return fault.New(fault.Unavailable, "not_saved", "This server has no wizards folder: nothing can be saved.", "Set LEGWORK_WIZARDS_DIR and start it again.")
	}
	return fault.New(fault.Unavailable, "not_saved", "The wizard could not be written to the wizards folder.", "Check that the folder (legwork config names it) can be written and has room.").WithCause(err)
}

// judge checks a schema against the structure that it is for.
func judge(w *wizard.Wizard, schema json.RawMessage) (*wizard.Contract, SchemaJudgment, error) {
	var root struct {
		Schema     string                     `json:"$schema"`
		Type       string                     `json:"type"`
		Properties map[string]json.RawMessage `json:"properties"`
		Required   []string                   `json:"required"`
	}
	if err := json.Unmarshal(schema, &root); err != nil {
		return nil, SchemaJudgment{}, fault.New(fault.Invalid, "invalid_schema", "schema_content is no JSON Schema object: a member of it has the wrong type.", "Give an object with $schema, type, properties and required.").WithCause(err)
	}
	var missing []string
	for _, m := range []struct {
		name  string
		there bool
	}{{"$schema", root.Schema != ""}, {"type", root.Type != ""}, {"properties", root.Properties != nil}} {
		if !m.there {
			missing = append(missing, m.name)
		}
	}
	if len(missing) > 0 {
		return nil, SchemaJudgment{}, fault.New(fault.Invalid, "incomplete_schema", "The schema lacks "+list(missing, 3)+".", "Add what is missing: a draft-07 schema of an object.").WithData("missing", missing)
	}
	c, err := wizard.ParseContract(w, schema)
	if err != nil {
		return nil, SchemaJudgment{}, fault.New(fault.Invalid, "invalid_schema", "This is no valid draft-07 schema: "+clip(err.Error(), 600), "Correct what the message names.")
	}
	out := SchemaJudgment{IsValid: true, PropertyCount: len(root.Properties), RequiredCount: len(root.Required)}
	var wrong []wizard.Problem
	for _, p := range c.Mismatches() {
		if strings.HasPrefix(p.Message, "the option ") {
			out.Warnings = append(out.Warnings, p.String()) // narrower than the form is safe
			continue
		}
		wrong = append(wrong, p)
	}
	if len(wrong) > 0 {
		return nil, out, problemsFault(TypeMismatch, "The schema does not fit the pages", wrong)
	}
	out.Warnings = append(out.Warnings, needless(w, root.Required)...)
	return c, out, nil
}

// needless names what a schema requires always and the form asks sometimes.
func needless(w *wizard.Wizard, required []string) []string {
	var out []string
	for _, id := range required {
		for _, p := range w.OrderedPages() {
			for i := range p.Fields {
				f := &p.Fields[i]
				if f.FieldID == id && (p.VisibleWhen != nil || f.VisibleWhen != nil) {
					out = append(out, fmt.Sprintf("/required: %s is asked only in some branches: it is required there only", id))
				}
			}
		}
	}
	return out
}
