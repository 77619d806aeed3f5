package wizard

import (
	"fmt"
	"math/big"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/santhosh-tekuri/jsonschema/v6/kind"
)

// explain says in one plain sentence what a schema keyword wanted. It never
// repeats the value itself.
func explain(k jsonschema.ErrorKind) string {
	switch k := k.(type) {
	case *kind.Type:
		return fmt.Sprintf("must be %s, not %s", typeWords(k.Want), typeWords([]string{k.Got}))
	case *kind.Enum:
		return "must be one of " + list(k.Want)
	case *kind.Const:
		return "must be " + word(k.Want)
	case *kind.Pattern:
		return "must have the form " + k.Want
	case *kind.Format:
		return fmt.Sprintf("is not a valid %s", k.Want)
	case *kind.MinLength:
		return fmt.Sprintf("is too short: at least %d characters", k.Want)
	case *kind.MaxLength:
		return fmt.Sprintf("is too long: at most %d characters", k.Want)
	case *kind.MinItems:
		return fmt.Sprintf("has %d entries; at least %d are needed", k.Got, k.Want)
	case *kind.MaxItems:
		return fmt.Sprintf("has %d entries; at most %d are allowed", k.Got, k.Want)
	case *kind.UniqueItems:
		return "must not name the same entry twice"
	case *kind.Required:
		return "needs " + strings.Join(k.Missing, ", ")
	case *kind.AdditionalProperties:
		return "has unknown keys: " + strings.Join(k.Properties, ", ")
	}
	return explainRest(k)
}

func explainRest(k jsonschema.ErrorKind) string {
	switch k := k.(type) {
	case *kind.Minimum:
		return "must be at least " + decimal(k.Want)
	case *kind.Maximum:
		return "must be at most " + decimal(k.Want)
	case *kind.ExclusiveMinimum:
		return "must be more than " + decimal(k.Want)
	case *kind.ExclusiveMaximum:
		return "must be less than " + decimal(k.Want)
	case *kind.MultipleOf:
		return "must be a multiple of " + decimal(k.Want)
	case *kind.FalseSchema:
		return "must not be given here"
	case *kind.AnyOf, *kind.OneOf:
		return "fits none of the allowed forms"
	case *kind.Contains:
		return "lacks an entry that is needed"
	case *kind.Dependency:
		return fmt.Sprintf("with %s, %s is needed too", k.Prop, strings.Join(k.Missing, ", "))
	}
	return "does not fit the schema"
}

func typeWords(types []string) string {
	words := make([]string, len(types))
	for i, t := range types {
		words[i] = typeWord(t)
	}
	return strings.Join(words, " or ")
}

func typeWord(t string) string {
	switch t {
	case "boolean":
		return "true or false"
	case "integer":
		return "a whole number"
	case "array":
		return "a list"
	case "object":
		return "an object"
	case "null":
		return "null"
	case "string":
		return "a text"
	}
	return "a " + t
}

const maxListed = 30 // allowed values in one sentence; AllowedValues has them all

func list(values []any) string {
	words := make([]string, 0, min(len(values), maxListed+1))
	for i, value := range values {
		if i == maxListed {
			words = append(words, fmt.Sprintf("(%d more)", len(values)-maxListed))
			break
		}
		words = append(words, word(value))
	}
	return strings.Join(words, ", ")
}

func word(value any) string {
	text, err := plainJSON(value)
	if err != nil {
		return fmt.Sprint(value)
	}
	return string(text)
}

func decimal(r *big.Rat) string {
	if r.IsInt() {
		return r.Num().String()
	}
	return strings.TrimRight(r.FloatString(6), "0")
}
