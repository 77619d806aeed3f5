package suite

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/legwork-mcp/legwork/internal/mcptest/fixture"
	"github.com/legwork-mcp/legwork/internal/mcptest/wire"
)

// surfaceOf is a surface with one tool, whose members are given.
func surfaceOf(members string) *Surface {
	return &Surface{Version: 1, Tools: []json.RawMessage{json.RawMessage(`{"name":"a"` + members + `}`)}}
}

// says is the verdict on each change, with where it is.
func says(changes []Change) string {
	var out []string
	for _, c := range changes {
		out = append(out, string(c.Verdict)+" "+c.Pointer)
	}
	return strings.Join(out, ", ")
}

// TestSchemasCompared compares input and output schemas: what is loosened for one side is
// tightened for the other.
func TestSchemasCompared(t *testing.T) {
	object := func(properties, rest string) string {
		return `{"type":"object","properties":{` + properties + `}` + rest + `}`
	}
	p := func(s string) string { return object(`"p":`+s, "") }
	for _, c := range []struct{ name, old, new, input, output string }{
		{"the same", p(`{"type":"string"}`), p(`{"type":"string"}`), "", ""},
		{"words", p(`{"type":"string","description":"a"}`), p(`{"type":"string","description":"b"}`), "cosmetic /S/properties/p/description", "cosmetic /S/properties/p/description"},
		{"a type", p(`{"type":"string"}`), p(`{"type":"boolean"}`), "breaking /S/properties/p/type", "breaking /S/properties/p/type"},
		{"a wider type", p(`{"type":"string"}`), p(`{"type":["string","null"]}`), "additive /S/properties/p/type", "breaking /S/properties/p/type"},
		{"a narrower type", p(`{"type":"number"}`), p(`{"type":"integer"}`), "breaking /S/properties/p/type", "additive /S/properties/p/type"},
		{"any type", p(`{"type":"string"}`), p(`{}`), "additive /S/properties/p/type", "breaking /S/properties/p/type"},
		{"a narrower enum", p(`{"enum":["a","b"]}`), p(`{"enum":["a"]}`), "breaking /S/properties/p/enum", "additive /S/properties/p/enum"},
		{"a wider enum", p(`{"enum":["a"]}`), p(`{"enum":["a","b"]}`), "additive /S/properties/p/enum", "breaking /S/properties/p/enum"},
		{"another enum", p(`{"enum":["a"]}`), p(`{"enum":["b"]}`), "breaking /S/properties/p/enum", "breaking /S/properties/p/enum"},
		{"an enum in another order", p(`{"enum":["a","b"]}`), p(`{"enum":["b","a"]}`), "", ""},
		{"a property more", p(`{}`), object(`"p":{},"q":{}`, ""), "additive /S/properties/q", "additive /S/properties/q"},
		{"a required property more", p(`{}`), object(`"p":{},"q":{}`, `,"required":["q"]`), "breaking /S/properties/q", "additive /S/properties/q"},
		{"a property less", object(`"p":{},"q":{}`, ""), p(`{}`), "breaking /S/properties/q", "breaking /S/properties/q"},
		{"required now", p(`{}`), object(`"p":{}`, `,"required":["p"]`), "breaking /S/required", "additive /S/required"},
		{"no longer required", object(`"p":{}`, `,"required":["p"]`), p(`{}`), "additive /S/required", "breaking /S/required"},
		{"a higher minimum", p(`{"minimum":1}`), p(`{"minimum":2}`), "breaking /S/properties/p/minimum", "additive /S/properties/p/minimum"},
		{"a higher maximum", p(`{"maximum":1}`), p(`{"maximum":2}`), "additive /S/properties/p/maximum", "breaking /S/properties/p/maximum"},
		{"a pattern", p(`{}`), p(`{"pattern":"a"}`), "breaking /S/properties/p/pattern", "additive /S/properties/p/pattern"},
		{"another pattern", p(`{"pattern":"b"}`), p(`{"pattern":"a"}`), "breaking /S/properties/p/pattern", "breaking /S/properties/p/pattern"},
		{"closed", object("", ""), object("", `,"additionalProperties":false`), "breaking /S/additionalProperties", "additive /S/additionalProperties"},
		{"opened", object("", `,"additionalProperties":false`), object("", ""), "additive /S/additionalProperties", "breaking /S/additionalProperties"},
		{"inside an array", p(`{"items":{"type":"string"}}`), p(`{"items":{"type":"number"}}`), "breaking /S/properties/p/items/type", "breaking /S/properties/p/items/type"},
		{"behind a reference", object(`"p":{"$ref":"#/$defs/x"}`, `,"$defs":{"x":{"type":"string"}}`), object(`"p":{"$ref":"#/$defs/x"}`, `,"$defs":{"x":{"type":"number"}}`), "breaking /S/properties/p/type", "breaking /S/properties/p/type"},
		{"an alternative behind a reference", object(`"p":{"anyOf":[{"$ref":"#/$defs/x"},{"type":"null"}]}`, `,"$defs":{"x":{"type":"string"}}`), object(`"p":{"anyOf":[{"$ref":"#/$defs/x"},{"type":"null"}]}`, `,"$defs":{"x":{"type":"number"}}`), "breaking /S/properties/p/anyOf/0/type", "breaking /S/properties/p/anyOf/0/type"},
		{"a reference written out", object(`"p":{"$ref":"#/$defs/x"}`, `,"$defs":{"x":{"type":"string"}}`), p(`{"type":"string"}`), "", ""},
		{"a reference to itself", object(`"p":{"$ref":"#"}`, ""), object(`"p":{"$ref":"#"},"q":{}`, ""), "additive /S/properties/q", "additive /S/properties/q"},
		{"a default that is told", p(`{}`), p(`{"default":1}`), "cosmetic /S/properties/p/default", "cosmetic /S/properties/p/default"},
		{"a default", p(`{"default":1}`), p(`{"default":2}`), "breaking /S/properties/p/default", "breaking /S/properties/p/default"},
		{"alternatives", p(`{"oneOf":[{"type":"string"}]}`), p(`{"oneOf":[{"type":"number"}]}`), "breaking /S/properties/p/oneOf", "breaking /S/properties/p/oneOf"},
		{"a keyword of one's own", p(`{"x-ui":1}`), p(`{"x-ui":2}`), "cosmetic /S/properties/p/x-ui", "cosmetic /S/properties/p/x-ui"},
		{"a schema that is none", `7`, p(`{}`), "breaking /S", "breaking /S"},
	} {
		t.Run(c.name, func(t *testing.T) {
			for member, want := range map[string]string{"inputSchema": c.input, "outputSchema": c.output} {
				member = `,"` + member + `":`
				got := says(Diff(surfaceOf(member+c.old), surfaceOf(member+c.new)))
				want = strings.ReplaceAll(want, "/S", "/"+strings.Trim(member, `,":`))
				if diff := cmp.Diff(want, got); diff != "" {
					t.Errorf("%s\n%s", member, diff)
				}
			}
		})
	}
}

// TestSurfacesCompared compares everything beside the schemas.
func TestSurfacesCompared(t *testing.T) {
	prompt := func(arguments string) *Surface {
		return &Surface{Prompts: []json.RawMessage{json.RawMessage(`{"name":"a","arguments":[` + arguments + `]}`)}}
	}
	resource := func(members string) *Surface {
		return &Surface{Resources: []json.RawMessage{json.RawMessage(`{"uri":"x:a"` + members + `}`)}}
	}
	able := func(capabilities string, versions ...string) *Surface {
		return &Surface{Capabilities: json.RawMessage(capabilities), Supported: versions}
	}
	for _, c := range []struct {
		name     string
		old, new *Surface
		want     string
	}{
		{"a tool is gone", surfaceOf(""), &Surface{}, "breaking "},
		{"a tool is new", &Surface{}, surfaceOf(""), "additive "},
		{"a description", surfaceOf(`,"description":"x"`), surfaceOf(`,"description":"y"`), "cosmetic /description"},
		{"results are described", surfaceOf(""), surfaceOf(`,"outputSchema":{}`), "additive /outputSchema"},
		{"results are no longer described", surfaceOf(`,"outputSchema":{}`), surfaceOf(""), "breaking /outputSchema"},
		{"no longer read-only", surfaceOf(`,"annotations":{"readOnlyHint":true}`), surfaceOf(`,"annotations":{"readOnlyHint":false}`), "breaking /annotations/readOnlyHint"},
		{"read-only", surfaceOf(``), surfaceOf(`,"annotations":{"readOnlyHint":true}`), "additive /annotations/readOnlyHint"},
		{"destructive", surfaceOf(`,"annotations":{"destructiveHint":false}`), surfaceOf(``), "breaking /annotations/destructiveHint"},
		{"a required argument", prompt(``), prompt(`{"name":"b","required":true}`), "breaking /arguments/name=b"},
		{"an argument", prompt(``), prompt(`{"name":"b"}`), "additive /arguments/name=b"},
		{"an argument less", prompt(`{"name":"b"}`), prompt(``), "breaking /arguments/name=b"},
		{"an argument is required", prompt(`{"name":"b"}`), prompt(`{"name":"b","required":true}`), "breaking /arguments/name=b"},
		{"an argument is optional", prompt(`{"name":"b","required":true}`), prompt(`{"name":"b"}`), "additive /arguments/name=b"},
		{"another MIME type", resource(`,"mimeType":"text/plain"`), resource(`,"mimeType":"text/html"`), "breaking /mimeType"},
		{"a MIME type", resource(``), resource(`,"mimeType":"text/html"`), "cosmetic /mimeType"},
		{"a capability is gone", able(`{"tools":{},"prompts":{}}`), able(`{"tools":{}}`), "breaking /capabilities/prompts"},
		{"a capability is new", able(`{"tools":{}}`), able(`{"tools":{},"prompts":{}}`), "additive /capabilities/prompts"},
		{"no more notifications", able(`{"tools":{"listChanged":true}}`), able(`{"tools":{"listChanged":false}}`), "breaking /capabilities/tools/listChanged"},
		{"a version less", able(`{}`, "2026-07-28", "2025-11-25"), able(`{}`, "2026-07-28"), "breaking /supported_versions"},
		{"a version more", able(`{}`, "2025-11-25"), able(`{}`, "2026-07-28", "2025-11-25"), "additive /supported_versions"},
		{"instructions", &Surface{Instructions: "a"}, &Surface{Instructions: "b"}, "cosmetic /instructions"},
		{"the worst first", surfaceOf(`,"description":"x","inputSchema":{"type":"object"}`), surfaceOf(`,"description":"y","inputSchema":{"type":"array"}`), "breaking /inputSchema/type, cosmetic /description"},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := Diff(c.old, c.new)
			if diff := cmp.Diff(c.want, says(got)); diff != "" {
				t.Error(diff)
			}
			if worst := Worst(got); !strings.HasPrefix(c.want, string(worst)) {
				t.Errorf("the worst is %s", worst)
			}
		})
	}
	if Worst(nil) != "" {
		t.Error("nothing has a verdict")
	}
}

// TestSnapshot reads everything that a server offers, in both eras and twice the same, and
// finds what a changed server offers otherwise.
func TestSnapshot(t *testing.T) {
	for _, era := range []wire.Era{wire.EraLegacy, wire.EraModern} {
		target := started(t, "everything", fixture.HTTP)
		s, err := Snapshot(t.Context(), connected(t, target, era))
		if err != nil {
			t.Fatal(err)
		}
		if got := fmt.Sprintf("%d %d %d %d %s", len(s.Tools), len(s.Resources), len(s.Templates), len(s.Prompts), s.Protocol); got != map[wire.Era]string{wire.EraLegacy: "14 2 1 1 2025-11-25", wire.EraModern: "14 2 1 1 2026-07-28"}[era] {
			t.Errorf("%s: %s", era, got)
		}
		text, err := s.JSON()
		if err != nil {
			t.Fatal(err)
		}
		again, err := ParseSurface(text)
		if err != nil {
			t.Fatal(err)
		}
		if changes := Diff(s, again); len(changes) != 0 {
			t.Errorf("%s: a surface differs from itself: %+v", era, changes)
		}
		other, err := Snapshot(t.Context(), connected(t, started(t, "plain", fixture.HTTP), wire.EraLegacy))
		if err != nil {
			t.Fatal(err)
		}
		changes := Diff(s, other)
		if Worst(changes) != Breaking || len(changes) < 17 {
			t.Errorf("%s: %d changes", era, len(changes))
		}
		var b strings.Builder
		if err := WriteChanges(&b, changes); err != nil || !strings.Contains(b.String(), "breaking  tool picture : it is gone") {
			t.Errorf("%v\n%s", err, b.String())
		}
	}
	for _, name := range []string{"tools-null", "cursor-repeats", "tools-broken"} {
		if s, err := Snapshot(t.Context(), connected(t, started(t, name, fixture.HTTP), wire.EraLegacy)); err == nil {
			t.Errorf("a snapshot of %s: %+v", name, s)
		}
	}
	for _, text := range []string{``, `{}`, `{"version":2}`, `[]`} {
		if s, err := ParseSurface([]byte(text)); err == nil {
			t.Errorf("%q is a snapshot: %+v", text, s)
		}
	}
}

// TestLongNames: the pointers of changes below a name of megabytes do not take all memory.
func TestLongNames(t *testing.T) {
	surface := func(kind string) *Surface {
		var b strings.Builder
		fmt.Fprintf(&b, `,"inputSchema":{"type":"object","properties":{%q:{"type":"object","properties":{`, strings.Repeat("k", 1<<20))
		for n := range 3000 {
			fmt.Fprintf(&b, `"p%d":{"type":%q},`, n, kind)
		}
		return surfaceOf(b.String() + `"last":{}}}}}`)
	}
	total := 0
	changes := Diff(surface("string"), surface("number"))
	for _, c := range changes {
		total += len(c.Pointer)
	}
	if len(changes) == 0 || total > 64<<20 {
		t.Errorf("%d changes with pointers of %d bytes", len(changes), total)
	}
}
