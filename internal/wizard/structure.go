package wizard

import (
	"bytes"
	_ "embed"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/santhosh-tekuri/jsonschema/v6/kind"
)

//go:embed schema/wizard-structure-v1.2.schema.json
var structureSchemaJSON []byte

// StructureSchema is the published JSON Schema of the wizard file.
func StructureSchema() []byte { return bytes.Clone(structureSchemaJSON) }

// structureSchema is compiled at first use; the schema is part of the program,
// so that a failure is a defect that every test finds.
var structureSchema = sync.OnceValue(func() *jsonschema.Schema {
	document, err := decodeAny(structureSchemaJSON)
	if err != nil {
		panic(err)
	}
	compiler := newCompiler()
	if err := compiler.AddResource(schemaURL, document); err != nil {
		panic(err)
	}
	return compiler.MustCompile(schemaURL)
})

const schemaURL = "mem:///schema.json"

// newCompiler compiles draft-07 schemas that refer to nothing outside themselves.
func newCompiler() *jsonschema.Compiler {
	compiler := jsonschema.NewCompiler()
	compiler.DefaultDraft(jsonschema.Draft7)
	compiler.UseLoader(noLoader{})
	return compiler
}

// noLoader refuses every reference to another document: a schema is data, and
// data does not make this program open files or connections.
type noLoader struct{}

// Load always fails.
func (noLoader) Load(url string) (any, error) {
	return nil, fmt.Errorf("the schema refers to %s; only references inside the schema are allowed", url)
}

// structureProblems checks the shape of a wizard file.
func structureProblems(document any) []Problem {
	var problems []Problem
	for _, leaf := range leaves(structureSchema().Validate(document)) {
		path := pointer(leaf.InstanceLocation)
		if required, ok := leaf.ErrorKind.(*kind.Required); ok {
			for _, key := range required.Missing {
				problems = append(problems, Problem{join(path, key), "this key is required"})
			}
			continue
		}
		problems = append(problems, Problem{path, explain(leaf.ErrorKind)})
	}
	slices.SortStableFunc(problems, func(a, b Problem) int { return strings.Compare(a.Path, b.Path) })
	return slices.CompactFunc(problems, func(a, b Problem) bool { return a == b })
}

func pointer(tokens []string) string {
	path := ""
	for _, token := range tokens {
		path = join(path, token)
	}
	return path
}

// leaves are the errors that say something: those without causes, and failed
// alternatives as a whole.
func leaves(err error) []*jsonschema.ValidationError {
	failure, ok := err.(*jsonschema.ValidationError)
	if !ok {
		return nil
	}
	switch failure.ErrorKind.(type) {
	case *kind.AnyOf, *kind.OneOf, *kind.Not, *kind.Contains:
		return []*jsonschema.ValidationError{failure}
	}
	if len(failure.Causes) == 0 {
		return []*jsonschema.ValidationError{failure}
	}
	var list []*jsonschema.ValidationError
	for _, cause := range failure.Causes {
		list = append(list, leaves(cause)...)
	}
	return list
}
