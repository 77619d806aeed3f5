package wizard

import (
	"encoding/json"
	"math/rand/v2"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

func TestConditionHolds(t *testing.T) {
	answers := Answers{
		"word": "married", "n": json.Number("4"), "text": "4", "padded": "04", "money": "1200.50", "yes": true,
		"no": false, "yesWord": "true", "list": []any{"a", json.Number("2")}, "empty": []any{}, "blank": "  ", "null": nil, "minus": "-3",
	}
	tests := []struct {
		condition string
		want      bool
	}{
		{`{"field_id":"word","value":"married"}`, true},
		{`{"field_id":"word","value":"Married"}`, false},
		{`{"field_id":"word","op":"not_equals","value":"single"}`, true},
		{`{"field_id":"n","value":"4"}`, true},
		{`{"field_id":"n","value":4.0}`, true},
		{`{"field_id":"text","value":4}`, true},
		{`{"field_id":"padded","value":4}`, true},
		{`{"field_id":"padded","value":"4"}`, false},
		{`{"field_id":"yes","value":true}`, true},
		{`{"field_id":"yes","value":"true"}`, true},
		{`{"field_id":"yesWord","value":true}`, true},
		{`{"field_id":"word","value":true}`, false},
		{`{"field_id":"no","value":false}`, true},
		{`{"field_id":"gone","value":false}`, false},
		{`{"field_id":"gone","op":"not_equals","value":true}`, true},
		{`{"field_id":"gone","op":"not_in","value":["a"]}`, true},
		{`{"field_id":"gone","op":"absent"}`, true},
		{`{"field_id":"blank","op":"absent"}`, true},
		{`{"field_id":"null","op":"absent"}`, true},
		{`{"field_id":"empty","op":"present"}`, false},
		{`{"field_id":"no","op":"present"}`, true},
		{`{"field_id":"word","op":"in","value":["single","married"]}`, true},
		{`{"field_id":"n","op":"in","value":["4"]}`, true},
		{`{"field_id":"money","op":"gt","value":1200}`, true},
		{`{"field_id":"money","op":"lte","value":"1200.5"}`, true},
		{`{"field_id":"minus","op":"lt","value":0}`, true},
		{`{"field_id":"word","op":"gt","value":0}`, false},
		{`{"field_id":"gone","op":"lt","value":0}`, false},
		{`{"field_id":"list","op":"contains","value":"a"}`, true},
		{`{"field_id":"list","op":"contains","value":"2"}`, true},
		{`{"field_id":"word","op":"contains","value":"arri"}`, true},
		{`{"field_id":"list","value":"a"}`, false},
		{`{"all":[{"field_id":"n","value":4},{"field_id":"word","value":"x"}]}`, false},
		{`{"any":[{"field_id":"n","value":4},{"field_id":"word","value":"x"}]}`, true},
		{`{"not":{"field_id":"n","value":4}}`, false},
	}
	for _, test := range tests {
		var c Condition
		if err := json.Unmarshal([]byte(test.condition), &c); err != nil {
			t.Fatal(err)
		}
		if got := c.Holds(answers); got != test.want {
			t.Errorf("%s holds: %v", test.condition, got)
		}
		if got := compiled(t, &c).Validate(map[string]any(answers)) == nil; got != test.want {
			t.Errorf("%s as a schema: %v\n%s", test.condition, got, asJSON(t, c.schema()))
		}
	}
	if none := (*Condition)(nil); !none.Holds(nil) {
		t.Error("no condition does not hold")
	}
}

// compiled is the condition as a schema that can judge answers.
func compiled(t testing.TB, c *Condition) *jsonschema.Schema {
	t.Helper()
	compiler := newCompiler()
	document, err := decodeAny(asJSON(t, c.schema()))
	if err != nil {
		t.Fatal(err)
	}
	if err := compiler.AddResource(schemaURL, document); err != nil {
		t.Fatal(err)
	}
	schema, err := compiler.Compile(schemaURL)
	if err != nil {
		t.Fatalf("%v\n%s", err, asJSON(t, c.schema()))
	}
	return schema
}

// A condition and its schema must agree for any answers: the contract would
// demand a field that the runner does not meet, or the other way round.
func TestConditionAgreesWithItsSchema(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 500 {
		c := randomCondition(r, 3)
		schema := compiled(t, c)
		for range 25 {
			agree(t, c, schema, randomAnswers(r))
		}
	}
}

func FuzzConditionAgreesWithItsSchema(f *testing.F) {
	f.Add(uint64(1), uint64(2))
	f.Add(uint64(77), uint64(3))
	f.Fuzz(func(t *testing.T, a, b uint64) {
		r := rand.New(rand.NewPCG(a, b))
		c := randomCondition(r, 3)
		agree(t, c, compiled(t, c), randomAnswers(r))
	})
}

func agree(t *testing.T, c *Condition, schema *jsonschema.Schema, a Answers) {
	t.Helper()
	if holds, valid := c.Holds(a), schema.Validate(map[string]any(a)) == nil; holds != valid {
		t.Fatalf("condition %s\nanswers %s\nholds %v, schema %v:\n%s",
			asJSON(t, c), asJSON(t, a), holds, valid, asJSON(t, c.schema()))
	}
}

var (
	randomFields = []string{"a", "b", "c"}
	// Numbers around carries, signs, zeros and fractions: where the expressions
	// for texts can go wrong.
	randomNumbers = []string{"0", "-0", "1", "-1", "9", "10", "11", "19", "99", "100", "101", "4", "4.0", "4.5", "4.05", "-4.5",
		"0.1", "0.09", "0.99", "1.9", "999", "1000", "24999.99", "25000", "-10", "-9.9", "120000"}
	randomTexts = []string{"", " ", "x", "xy", "yes", "true", "false", "04", "007", "-0.0", "4.50", "$5", "1,000", "a.b", "*"}
)

func pick(r *rand.Rand, list []string) string { return list[r.IntN(len(list))] }

func randomScalar(r *rand.Rand) any {
	switch r.IntN(5) {
	case 0:
		return r.IntN(2) == 0
	case 1:
		return pick(r, randomTexts)
	case 2:
		return pick(r, randomNumbers)
	}
	return json.Number(pick(r, randomNumbers))
}

func randomAnswers(r *rand.Rand) Answers {
	a := Answers{}
	for _, id := range randomFields {
		switch r.IntN(8) {
		case 0:
		case 1:
			a[id] = nil
		case 2:
			list := []any{}
			for range r.IntN(3) {
				list = append(list, randomScalar(r))
			}
			a[id] = list
		case 3:
			a[id] = map[string]any{"k": "v"}
		default:
			a[id] = randomScalar(r)
		}
	}
	return a
}

func randomCondition(r *rand.Rand, depth int) *Condition {
	if depth > 0 {
		switch r.IntN(6) {
		case 0:
			return &Condition{All: []Condition{*randomCondition(r, depth-1), *randomCondition(r, depth-1)}}
		case 1:
			return &Condition{Any: []Condition{*randomCondition(r, depth-1), *randomCondition(r, depth-1)}}
		case 2:
			return &Condition{Not: randomCondition(r, depth-1)}
		}
	}
	ops := []string{"", opEquals, opNotEquals, opIn, opNotIn, opPresent, opAbsent, opGT, opGTE, opLT, opLTE, opContains}
	c := &Condition{FieldID: pick(r, randomFields), Op: pick(r, ops)}
	var value any
	switch c.Op {
	case opPresent, opAbsent:
		return c
	case opIn, opNotIn:
		value = []any{randomScalar(r), randomScalar(r)}
	case opGT, opGTE, opLT, opLTE:
		value = json.Number(pick(r, randomNumbers))
	default:
		value = randomScalar(r)
	}
	c.Value, _ = plainJSON(value)
	return c
}
