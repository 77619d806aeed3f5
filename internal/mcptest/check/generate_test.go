package check

import (
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"testing"
	"time"
)

// TestGenerate makes values for schemas; the first that fits is always the same.
func TestGenerate(t *testing.T) {
	for name, c := range map[string]struct{ schema, want string }{
		"required only":     {`{"type":"object","properties":{"a":{"type":"string"},"b":{"type":"integer"}},"required":["b"]}`, `{"b":1}`},
		"through a ref":     {`{"type":"object","properties":{"p":{"$ref":"#/$defs/point"}},"required":["p"],"$defs":{"point":{"type":"object","properties":{"x":{"type":"number","minimum":2.5}},"required":["x"]}}}`, `{"p":{"x":3}}`},
		"all of":            {`{"allOf":[{"type":"object","properties":{"a":{"type":"boolean"}},"required":["a"]},{"properties":{"b":{"const":7}},"required":["b"]}]}`, `{"a":true,"b":7}`},
		"one of":            {`{"oneOf":[{"type":"null"},{"type":"array","items":{"type":"string"},"minItems":2,"uniqueItems":true}]}`, `["example","example1"]`},
		"a pattern":         {`{"type":"string","pattern":"^[A-Z]{3}-[0-9]+$"}`, `"AAA-1"`},
		"a format":          {`{"type":"string","format":"date"}`, `"2025-01-31"`},
		"an enum":           {`{"enum":["red","green"]}`, `"red"`},
		"bounds":            {`{"type":"integer","exclusiveMinimum":10,"multipleOf":7}`, `14`},
		"negative":          {`{"type":"integer","maximum":-3}`, `-3`},
		"large":             {`{"type":"integer","minimum":9007199254740993}`, `9007199254740993`},
		"a length":          {`{"type":"string","minLength":9,"maxLength":9}`, `"examplexx"`},
		"no endless values": {`{"$ref":"#/$defs/n","$defs":{"n":{"type":"object","properties":{"next":{"$ref":"#/$defs/n"}}}}}`, `{}`},
	} {
		got, err := Generate(json.RawMessage(c.schema))
		if err != nil || string(got) != c.want {
			t.Errorf("%s: got %s, %v; want %s", name, got, err, c.want)
		}
	}
	for name, schema := range map[string]string{
		"never":    `{"type":"integer","minimum":5,"maximum":4}`,
		"external": `{"$ref":"file:///etc/passwd"}`,
		"endless":  `{"$ref":"#/$defs/n","$defs":{"n":{"type":"object","properties":{"next":{"$ref":"#/$defs/n"}},"required":["next"]}}}`,
		"no JSON":  `{`,
	} {
		if got, err := Generate(json.RawMessage(schema)); err == nil {
			t.Errorf("%s: got %s", name, got)
		}
	}
}

// TestBranchingSchemas ends in time with small schemas that stand for large ones.
func TestBranchingSchemas(t *testing.T) {
	var b strings.Builder
	b.WriteString(`{"type":"object","$ref":"#/$defs/a0","$defs":{`)
	for n := range 60 {
		fmt.Fprintf(&b, `"a%d":{"anyOf":[{"$ref":"#/$defs/a%d"},{"$ref":"#/$defs/a%d"}]},`, n, n+1, n+1)
	}
	b.WriteString(`"a60":{"type":"string"}}}`)
	wide := `{"type":"object","properties":{"a":{"$ref":"#"},"b":{"$ref":"#"},"c":{"$ref":"#"},"d":{"$ref":"#"},"e":{"$ref":"#"},"f":{"$ref":"#"}},"required":["a","b","c","d","e","f"]}`
	for name, schema := range map[string]string{"alternatives": b.String(), "recursion": wide} {
		if got, err := Generate(json.RawMessage(schema)); err == nil {
			t.Errorf("%s: got %.100s", name, got)
		}
	}
	tool := strings.Replace(echo, echo[strings.Index(echo, `{"type":"object"`):strings.Index(echo, `,"annotations"`)], b.String(), 1)
	r := &Report{Findings: Lint(Offer{Tools: []json.RawMessage{json.RawMessage(tool)}})}
	if !ruleAmong(r, "schema-complex", 3) {
		t.Errorf("the schema was not refused:\n%s", asText(r))
	}
}

// TestTooComplex knows a schema that branches for ever behind names of its own, too.
func TestTooComplex(t *testing.T) {
	chain := func(name, ref, last string) string {
		var b strings.Builder
		for n := range 60 {
			fmt.Fprintf(&b, `"a%d":{%s"anyOf":[{"$ref":"%sa%d"},{"$ref":"%sa%d"}]},`, n, strings.ReplaceAll(name, "N", fmt.Sprint(n)), ref, n+1, ref, n+1)
		}
		return b.String() + `"a60":{` + last + `"type":"string"}`
	}
	long := "[" + strings.Repeat("1,", 200_000) + "1]"
	for name, c := range map[string]struct {
		schema, value string
		want          bool
	}{
		"plain":                       {`{"type":"object","properties":{"a":{"$ref":"#/$defs/a"}},"$defs":{"a":{"type":"string"}}}`, `{"a":"x"}`, false},
		"recursion":                   {`{"properties":{"next":{"$ref":"#"}}}`, `{"next":{"next":{}}}`, false},
		"its own name":                {`{"$id":"https://example.com/s","properties":{"a":{"$ref":"#/$defs/a"},"b":{"$ref":"https://example.com/other"}},"$defs":{"a":{}}}`, `{}`, false},
		"a long list":                 {`{"type":"array","items":{"type":"integer"}}`, long, false},
		"places":                      {`{"$ref":"#/$defs/a0","$defs":{` + chain("", "#/$defs/", "") + `}}`, `1`, true},
		"a property like a word":      {`{"properties":{"default":{"$ref":"#/$defs/a0"}},"$defs":{` + chain("", "#/$defs/", "") + `}}`, `{"default":1}`, true},
		"anchors":                     {`{"$ref":"#a0","$defs":{` + chain(`"$anchor":"aN",`, "#", `"$anchor":"a60",`) + `}}`, `1`, true},
		"dynamic anchors":             {`{"$dynamicRef":"#a0","$defs":{` + chain(`"$anchor":"aN",`, "#", `"$anchor":"a60",`) + `}}`, `1`, true},
		"names":                       {`{"$ref":"https://example.com/a0","$defs":{` + chain(`"$id":"https://example.com/aN",`, "https://example.com/", `"$id":"https://example.com/a60",`) + `}}`, `1`, true},
		"a decoy for an anchor":       {`{"a1":{},"$ref":"#a0","$defs":{` + chain(`"$anchor":"aN",`, "#", `"$anchor":"a60",`) + `}}`, `1`, true},
		"a decoy for a part":          {`{"$ref":"#/$defs/x","$defs":{"a0":{},"x":{"$id":"https://example.com/x","$ref":"#/$defs/a0","$defs":{` + chain("", "#/$defs/", "") + `}}}}`, `1`, true},
		"names of draft 4":            {`{"$schema":"http://json-schema.org/draft-04/schema#","$ref":"#a0","definitions":{` + chain(`"id":"#aN",`, "#", `"id":"#a60",`) + `}}`, `1`, true},
		"its own name in front":       {`{"$id":"https://example.com/s","$ref":"https://example.com/s#/$defs/a0","$defs":{` + chain("", "https://example.com/s#/$defs/", "") + `}}`, `1`, true},
		"a long enum":                 {`{"type":"array","items":{"enum":` + long + `}}`, long, true},
		"a constant of megabytes":     {`{"type":"array","items":{"const":"` + strings.Repeat("c", 1<<20) + `"}}`, long, true},
		"numbers of a million digits": {`{"type":"array","items":{"type":"integer"}}`, `[` + strings.Repeat("7e999999,", 2000) + `7e999999]`, true},
		"an expression on megabytes":  {`{"pattern":"[ab]{0,900}c"}`, `"` + strings.Repeat("a", 4<<20) + `"`, true},
		"expressions without end":     {`{"$defs":{` + numbered(`"pN":{"pattern":"[a-z]{900}"}`) + `}}`, `1`, true},
		"names of expressions":        {`{"patternProperties":{` + numbered(`"[a-z]{900}N":{}`) + `}}`, `1`, true},
		"schemas without end":         {`{"properties":{` + numbered(`"pN":{}`) + `,` + numbered(`"qN":true`) + `,` + numbered(`"sN":{"items":{}}`) + `}}`, `1`, true},
		"a name above many places":    {`{"properties":{"` + strings.Repeat("k", 1<<20) + `":{"properties":{` + numbered(`"pN":{}`) + `}}}}`, `1`, true},
		"a long reference":            {`{"$ref":"#/$defs/a0","$defs":{` + chain("", "#/$defs/", `"$ref":"#/$defs/`+strings.Repeat("x/", 1<<20)+`",`) + `}}`, `1`, true},
		"many times many":             {`{"type":"array","items":{"anyOf":[` + strings.Repeat(`{"type":"string"},`, 500) + `{}]}}`, long, true},
		"an anchor":                   {`{"properties":{"a":{"$ref":"#b"}},"$defs":{"a":{"$anchor":"b","type":"string"}}}`, `{"a":"x"}`, false},
		"an anchor twice":             {`{"$ref":"#a0","const":{"$anchor":"a0"},"$defs":{` + chain(`"$anchor":"aN",`, "#", `"$anchor":"a60",`) + `}}`, `1`, true},
	} {
		began := time.Now()
		schema, err := decode([]byte(c.schema))
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		value, err := decode([]byte(c.value))
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if err := held(schema, value); errors.Is(err, ErrComplex) != c.want {
			t.Errorf("%s: %v", name, err)
		}
		if took := time.Since(began); took > 20*time.Second { // most take milliseconds
			t.Errorf("%s: it took %s", name, took)
		}
	}
}

// held holds a value against a schema.
func held(schema, value any) error {
	s, _, err := Compile(schema)
	if err != nil {
		return err
	}
	return Conforms(s, schema, value)
}

// numbered is a list of what stands for many, N being the number of each.
func numbered(one string) string {
	all := make([]string, 5000)
	for n := range all {
		all[n] = strings.ReplaceAll(one, "N", strconv.Itoa(n))
	}
	return strings.Join(all, ",")
}

// TestBriefArguments: what says how long a tool takes is made small, and nothing else is.
func TestBriefArguments(t *testing.T) {
	for schema, want := range map[string]string{
		`{"properties":{"duration":{"type":"number","default":10}}}`:                                                        `{"duration":1}`,
		`{"properties":{"delay_seconds":{"type":"integer","default":30,"minimum":5}}}`:                                      `{"delay_seconds":5}`,
		`{"required":["sleep"],"properties":{"sleep":{"type":"number","default":60}}}`:                                      `{"sleep":1}`,
		`{"required":["delay_ms"],"properties":{"delay_ms":{"type":"integer","default":250}}}`:                              `{"delay_ms":250}`,
		`{"properties":{"duration":{"type":"number","default":1}}}`:                                                         `{}`,
		`{"properties":{"duration":{"type":"number"},"wait":{"type":"boolean","default":true}}}`:                            `{}`,
		`{"properties":{"duration":{"type":"number","default":10,"enum":[10,20]}}}`:                                         `{}`,
		`{"required":["steps"],"properties":{"steps":{"type":"number","default":5},"await":{"type":"number","default":9}}}`: `{"steps":5}`,
	} {
		got, err := Generate(json.RawMessage(schema))
		if err != nil || string(got) != want {
			t.Errorf("%s gives %s, not %s: %v", schema, got, want, err)
		}
	}
}
