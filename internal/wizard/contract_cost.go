package wizard

import (
	"errors"
	"fmt"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// maxSchemaParts is how many schemas checking one value may visit. References let
// forty lines stand for billions of them.
const maxSchemaParts = 200_000

// errSelfReference says that a data schema has no end.
var errSelfReference = errors.New("the schema refers to itself; the data of a form is no tree: write out what is meant")

// affordable refuses a schema with which checking a small value would not end.
func affordable(s *jsonschema.Schema) error {
	c := costs{map[*jsonschema.Schema]int{}}
	n, err := c.of(s)
	if err == nil && n > maxSchemaParts {
		err = fmt.Errorf("with its references written out the schema has more than %d parts: use fewer references in references", maxSchemaParts)
	}
	return err
}

// costs are the parts of each schema with its references written out; 0 marks one
// that is being counted.
type costs struct{ known map[*jsonschema.Schema]int }

func (c costs) of(s *jsonschema.Schema) (int, error) {
	if n, ok := c.known[s]; ok {
		if n == 0 {
			return 0, errSelfReference
		}
		return n, nil
	}
	c.known[s] = 0
	total := 1
	for _, part := range partsOf(s) {
		n, err := c.of(part)
		if err != nil {
			return 0, err
		}
		total = min(total+n, maxSchemaParts+1)
	}
	c.known[s] = total
	return total, nil
}

// partsOf are the schemas that a schema applies to a value or to parts of it.
func partsOf(s *jsonschema.Schema) []*jsonschema.Schema {
	out := []*jsonschema.Schema{s.Ref, s.RecursiveRef, s.Not, s.If, s.Then, s.Else, s.PropertyNames, s.UnevaluatedProperties,
		s.Contains, s.Items2020, s.UnevaluatedItems, s.ContentSchema}
	if s.DynamicRef != nil {
		out = append(out, s.DynamicRef.Ref)
	}
	for _, list := range [][]*jsonschema.Schema{s.AllOf, s.AnyOf, s.OneOf, s.PrefixItems} {
		out = append(out, list...)
	}
	for _, part := range s.Properties {
		out = append(out, part)
	}
	for _, part := range s.PatternProperties {
		out = append(out, part)
	}
	for _, part := range s.DependentSchemas {
		out = append(out, part)
	}
	for _, part := range s.Dependencies {
		out = append(out, schemasIn(part)...)
	}
	for _, part := range []any{s.AdditionalProperties, s.Items, s.AdditionalItems} {
		out = append(out, schemasIn(part)...)
	}
	kept := out[:0]
	for _, part := range out {
		if part != nil {
			kept = append(kept, part)
		}
	}
	return kept
}

// schemasIn are the schemas of a keyword that may hold something else.
func schemasIn(value any) []*jsonschema.Schema {
	switch v := value.(type) {
	case *jsonschema.Schema:
		return []*jsonschema.Schema{v}
	case []*jsonschema.Schema:
		return v
	}
	return nil
}
