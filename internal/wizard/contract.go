package wizard

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// Contract is the JSON Schema of the data that a wizard needs, bound to the
// wizard, so that errors can name labels and ask only what the branch asks.
type Contract struct {
	// Schema is draft-07 and complete: any validator can use it.
	Schema json.RawMessage
	// Generated says that the schema follows from the wizard file alone.
	Generated bool

	w        *Wizard
	source   []byte // as it was written, without the wizard's conditions
	document map[string]any
	schema   *jsonschema.Schema
	parts    map[string]*jsonschema.Schema // of the top-level properties
	mismatch []Problem
}

const draft07 = "http://json-schema.org/draft-07/schema#"

// generatedComment marks schemas that may be generated anew at any time.
const generatedComment = "Generated from the wizard file. Remove this comment to keep changes made by hand."

// schemaLimits bound a stored schema.
var schemaLimits = limits{what: "the data schema", bytes: 5 << 20, depth: 60}

// NewContract generates the contract from the structure. Conditions become
// if/then, so that a field is required exactly when it is asked.
func NewContract(w *Wizard) (*Contract, error) {
	required, properties := []any{}, pairs{}
	for _, page := range w.OrderedPages() {
		for i := range page.Fields {
			f := &page.Fields[i]
			properties = append(properties, pair{f.FieldID, fieldSchema(f)})
			if f.alwaysNeeded(page) {
				required = append(required, f.FieldID)
			}
		}
	}
	schema := pairs{
		{"$schema", draft07}, {"$comment", generatedComment},
		{"title", w.Name + " - User Data"},
		{"description", contractDescription(w)},
		{"type", "object"}, {"required", required}, {"properties", properties},
		{"additionalProperties", false},
	}
	rules, definitions := w.rules()
	schema = schema.with("allOf", rules).with("definitions", definitions)
	text, err := plainJSON(schema)
	if err != nil {
		return nil, fmt.Errorf("generate the contract of %s: %w", w.WizardID, err)
	}
	c := &Contract{Schema: text, Generated: true, w: w, source: text}
	if err := c.compile(); err != nil {
		return nil, fmt.Errorf("generate the contract of %s: %w", w.WizardID, err)
	}
	return c, nil
}

func contractDescription(w *Wizard) string {
	if w.Description != "" {
		return w.Description
	}
	return "Data needed to complete: " + w.Name
}

func indented(value any) (json.RawMessage, error) {
	compact, err := plainJSON(value)
	if err != nil {
		return nil, err
	}
	var out bytes.Buffer
	err = json.Indent(&out, compact, "", "  ")
	return out.Bytes(), err
}

func (c *Contract) compile() error {
	document, err := decodeAny(c.Schema)
	if err != nil {
		return err
	}
	root, ok := document.(map[string]any)
	if !ok {
		return errors.New("the data schema must be a JSON object")
	}
	c.document = root
	compiler := newCompiler()
	if err := compiler.AddResource(schemaURL, document); err != nil {
		return err
	}
	if c.schema, err = compiler.Compile(schemaURL); err != nil {
		return err
	}
	return c.compileParts(compiler)
}

func (c *Contract) compileParts(compiler *jsonschema.Compiler) error {
	properties, _ := c.document["properties"].(map[string]any)
	c.parts = make(map[string]*jsonschema.Schema, len(properties))
	for id := range properties {
		if !fieldIDPattern.MatchString(id) {
			continue
		}
		part, err := compiler.Compile(schemaURL + "#/properties/" + id)
		if err != nil {
			return err
		}
		c.parts[id] = part
	}
	return nil
}

// ParseContract reads a data schema that somebody wrote for the wizard and adds
// the wizard's conditions: what is asked only in a branch is no longer required
// in general. An empty schema, or one that was generated, is generated anew.
func ParseContract(w *Wizard, schema []byte) (*Contract, error) {
	if len(bytes.TrimSpace(schema)) == 0 {
		return NewContract(w)
	}
	const what = "data schema"
	if err := scan(schema, schemaLimits); err != nil {
		return nil, &InvalidError{what, []Problem{{"", err.Error()}}}
	}
	c := &Contract{Schema: bytes.Clone(schema), w: w, source: bytes.Clone(schema)}
	if err := c.compile(); err != nil {
		return nil, &InvalidError{what, []Problem{{"", err.Error()}}}
	}
	if c.document["$comment"] == generatedComment {
		return NewContract(w)
	}
	if err := affordable(c.schema); err != nil {
		return nil, &InvalidError{what, []Problem{{"", err.Error()}}}
	}
	if problems := writtenProblems(c.document); len(problems) > 0 {
		return nil, &InvalidError{what, problems}
	}
	c.mismatch = mismatches(w, c.document)
	if err := c.addConditions(); err != nil {
		return nil, fmt.Errorf("add the conditions of %s to its data schema: %w", w.WizardID, err)
	}
	return c, nil
}

// writtenProblems are what makes a schema unusable as a contract.
func writtenProblems(document map[string]any) []Problem {
	var problems []Problem
	for _, key := range []string{"$schema", "type", "properties"} {
		if _, ok := document[key]; !ok {
			problems = append(problems, Problem{"/" + key, "this key is required"})
		}
	}
	if t, ok := document["type"]; ok && t != "object" {
		problems = append(problems, Problem{"/type", `must be "object"`})
	}
	if _, ok := document["properties"].(map[string]any); !ok && document["properties"] != nil {
		problems = append(problems, Problem{"/properties", "must be an object"})
	}
	return problems
}

// addConditions appends the if/then rules to a hand-written schema. A schema
// without conditions on its wizard stays as it was written, byte for byte.
func (c *Contract) addConditions() error {
	required, _ := c.document["required"].([]any)
	demanded := map[string]bool{}
	for _, id := range required {
		if name, ok := id.(string); ok {
			demanded[name] = true
		}
	}
	demands := c.w.demands(demanded)
	if len(demands) == 0 {
		return nil
	}
	left := slices.DeleteFunc(append([]any{}, required...), func(id any) bool { return conditional(demands, id) })
	rules, _ := c.document["allOf"].([]any)
	c.document["required"] = left
	c.document["allOf"] = withRules(rules, demandRules(c.w, demands, renderer{}))
	text, err := rewrite(c.Schema, c.document)
	if err != nil {
		return err
	}
	c.Schema = text
	return c.compile()
}

// withRules appends the rules that are not there yet.
func withRules(rules, more []any) []any {
	list := slices.Clone(rules)
	for _, rule := range more {
		text := word(rule)
		if !slices.ContainsFunc(rules, func(old any) bool { return word(old) == text }) {
			list = append(list, rule)
		}
	}
	return list
}

func conditional(demands []demand, id any) bool {
	return slices.ContainsFunc(demands, func(d demand) bool {
		name, ok := id.(string)
		return ok && slices.Contains(d.ids, name)
	})
}

// rewrite replaces required and allOf in the schema's text and keeps the order
// and the spelling of everything else.
func rewrite(text []byte, document map[string]any) (json.RawMessage, error) {
	keys, raw, err := orderedKeys(text)
	if err != nil {
		return nil, err
	}
	var out pairs
	for _, key := range keys {
		if key == "required" || key == "allOf" {
			continue
		}
		out = append(out, pair{key, raw[key]})
	}
	out = append(out, pair{"required", document["required"]}, pair{"allOf", document["allOf"]})
	return indented(out)
}

// orderedKeys are an object's keys as they are written, and their values.
func orderedKeys(text []byte) ([]string, map[string]json.RawMessage, error) {
	var raw map[string]json.RawMessage
	if err := json.Unmarshal(text, &raw); err != nil {
		return nil, nil, err
	}
	decoder := json.NewDecoder(bytes.NewReader(text))
	if _, err := decoder.Token(); err != nil {
		return nil, nil, err
	}
	var keys []string
	for decoder.More() {
		key, err := decoder.Token()
		if err != nil {
			return nil, nil, err
		}
		var skipped json.RawMessage
		if err := decoder.Decode(&skipped); err != nil {
			return nil, nil, err
		}
		keys = append(keys, key.(string))
	}
	return keys, raw, nil
}
