package mcptest

import (
	"bytes"
	"encoding/json"
	"errors"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/legwork-mcp/legwork/internal/mcptest/check"
)

// mostSchema is the size of a schema that is still compiled.
const mostSchema = 256 << 10

// violations say where a value does not match a schema. A schema that cannot be
// compiled, or that would take too long, says nothing.
func violations(schema, value json.RawMessage) []string {
	if len(schema) == 0 || len(schema) > mostSchema || !sound(schema) || !sound(value) {
		return nil
	}
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(schema))
	if err != nil {
		return nil
	}
	compiled, _, err := check.Compile(doc)
	if err != nil {
		return nil
	}
	instance, err := jsonschema.UnmarshalJSON(bytes.NewReader(value))
	if err != nil {
		return nil
	}
	err = check.Conforms(compiled, doc, instance)
	if errors.Is(err, check.ErrBroken) {
		return []string{line(err.Error(), 300)}
	}
	var wrong *jsonschema.ValidationError
	if !errors.As(err, &wrong) {
		return nil
	}
	const most = 20
	var out []string
	all := wrong.BasicOutput()
	units := all.Errors
	if len(units) == 0 {
		units = []jsonschema.OutputUnit{*all}
	}
	for _, u := range units {
		if u.Error == nil || len(out) == most {
			continue
		}
		where := u.InstanceLocation
		if where == "" {
			where = "/"
		}
		out = append(out, line(where+": "+u.Error.String(), 300))
	}
	return out
}
