package check

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/legwork-mcp/legwork/internal/lazyregexp"
	"github.com/legwork-mcp/legwork/internal/mcptest/wire"
)

var (
	toolName = lazyregexp.New(`^[A-Za-z0-9_.-]{1,128}$`)
	reading  = lazyregexp.New(`(?i)(^|[_.-])(get|list|read|find|search|check|show|describe|count|fetch|query|preview|validate|view|diff)[_.-]`)
	changing = lazyregexp.New(`(?i)(^|[_.-])(delete|remove|drop|write|create|update|insert|destroy|kill|send|purge)([_.-]|$)`)
)

// costly is how many tokens a list of tools may cost before it is worth a warning: a
// tenth of a window of 200 000.
const costly = 20000

// tokenMethod says how tokens are counted. It is an estimate: each model has its own
// tokenizer.
const tokenMethod = "bytes of name, title, description, inputSchema and annotations as compact JSON, divided by 4"

func (r *run) lintTools(ctx context.Context, o Offer) {
	bytes, outputs := 0, false
	for _, i := range r.tools {
		if ctx.Err() == nil {
			r.lintTool(i, o.Modern)
		}
		_, has := i.fields["outputSchema"]
		outputs = outputs || has
		bytes += cost(i)
	}
	r.ambiguous()
	r.report.ToolTokens, r.report.TokenMethod = (bytes+3)/4, tokenMethod
	if r.report.ToolTokens > costly {
		r.add("tools-cost", spot{"tools/list", "/tools", fmt.Sprintf("about %d tokens for %d tools (%s)", r.report.ToolTokens, len(r.tools), tokenMethod)})
	}
	if len(r.tools) > 0 && !outputs {
		r.add("output-schema-missing", spot{"tools/list", "/tools", nil})
	}
}

// cost is how many bytes of a tool a host shows its model.
func cost(i item) int {
	seen := map[string]any{}
	for _, k := range []string{"name", "title", "description", "inputSchema", "annotations"} {
		if v, ok := i.fields[k]; ok {
			seen[k] = v
		}
	}
	b, err := json.Marshal(seen)
	if err != nil {
		return len(i.raw)
	}
	return len(b)
}

func (r *run) lintTool(i item, modern bool) {
	r.lintCommon(i)
	if i.name != "" && !toolName.MatchString(i.name) {
		r.add("tool-name-invalid", i.at("/name", i.name))
	}
	if strings.TrimSpace(i.text("description")) == "" {
		r.add("tool-description-missing", i.at("/description", nil))
	}
	r.lintAnnotations(i)
	if fault := wire.HeaderFault(i.raw); fault != "" && modern {
		r.add("header-annotation", i.at("/inputSchema/properties", fault))
	}
	if schema, ok := r.inputSchema(i); ok {
		l := schemaLint{run: r, item: i, root: schema, at: "/inputSchema"}
		if schema["type"] != "object" {
			r.add("schema-root-type", i.at("/inputSchema/type", "type is "+shown(schema["type"])))
		}
		for _, k := range []string{"oneOf", "anyOf", "allOf"} {
			if _, ok := schema[k]; ok {
				r.add("schema-root-combinator", i.at("/inputSchema/"+k, k))
			}
		}
		l.all()
	}
	r.lintOutput(i, modern)
}

// inputSchema is the schema of a tool, if it is an object.
func (r *run) inputSchema(i item) (map[string]any, bool) {
	schema, ok := i.fields["inputSchema"].(map[string]any)
	misplaced := ""
	for _, k := range []string{"input_schema", "parameters", "schema", "inputschema"} {
		if _, there := i.fields[k].(map[string]any); there {
			misplaced = "/" + k
		}
	}
	if a, there := i.fields["annotations"].(map[string]any); there {
		for _, k := range []string{"inputSchema", "properties", "type"} {
			if _, there := a[k]; there {
				misplaced = "/annotations/" + k
			}
		}
	}
	switch {
	case misplaced != "" && (!ok || len(schema) == 0 || len(schema) == 1 && schema["type"] != nil):
		r.add("tool-schema-misplaced", i.at(misplaced, misplaced))
	case !ok:
		r.add("tool-schema-missing", i.at("/inputSchema", "inputSchema is "+shown(i.fields["inputSchema"])))
	case len(schema) == 0:
		r.add("tool-schema-missing", i.at("/inputSchema", "inputSchema is {}"))
		return nil, false
	}
	return schema, ok
}

func (r *run) lintOutput(i item, modern bool) {
	v, given := i.fields["outputSchema"]
	if !given {
		return
	}
	schema, ok := v.(map[string]any)
	if !ok {
		r.add("schema-invalid", i.at("/outputSchema", "outputSchema is "+shown(v)))
		return
	}
	if !modern && schema["type"] != "object" {
		r.add("output-root-type", i.at("/outputSchema/type", "type is "+shown(schema["type"])))
	}
	l := schemaLint{run: r, item: i, root: schema, at: "/outputSchema", output: true}
	l.all()
}

func (r *run) lintAnnotations(i item) {
	v, given := i.fields["annotations"]
	if !given {
		r.add("annotations-missing", i.at("/annotations", nil))
		return
	}
	a, ok := v.(map[string]any)
	if !ok {
		r.add("annotation-type", i.at("/annotations", shown(v)))
		return
	}
	for _, k := range []string{"readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint"} {
		if v, ok := a[k]; ok {
			if _, ok := v.(bool); !ok {
				r.add("annotation-type", i.at("/annotations/"+k, k+" is "+shown(v)))
			}
		}
	}
	if v, ok := a["title"]; ok {
		if _, ok := v.(string); !ok {
			r.add("annotation-type", i.at("/annotations/title", "title is "+shown(v)))
		}
	}
	if a["readOnlyHint"] == true && a["destructiveHint"] == true {
		r.add("tool-hints-contradict", i.at("/annotations", shown(a)))
	}
	// what follows a verb that reads is what is read: get_update_status
	first, late := changing.FindStringIndex(i.name), reading.FindStringIndex(i.name)
	if a["readOnlyHint"] == true && first != nil && (late == nil || late[0] > first[0]) {
		r.add("name-against-hint", i.at("/annotations/readOnlyHint", i.name))
	}
}

// ambiguous finds tools with the same description, or with names that differ in
// separators and case only.
func (r *run) ambiguous() {
	names, texts := map[string]item{}, map[string]item{}
	strip := strings.NewReplacer("_", "", "-", "", ".", "", " ", "")
	for _, i := range r.tools {
		key := strings.ToLower(strip.Replace(i.name))
		if other, ok := names[key]; ok && key != "" && other.name != i.name {
			r.add("tools-ambiguous", i.at("/name", i.name+" and "+other.name))
		}
		names[key] = i
		text := strings.ToLower(strings.Join(strings.Fields(i.text("description")), " "))
		if other, ok := texts[text]; ok && text != "" && other.name != i.name {
			r.add("tools-ambiguous", i.at("/description", i.name+" and "+other.name+" have the same description"))
		}
		texts[text] = i
	}
}
