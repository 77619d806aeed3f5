package check

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/legwork-mcp/legwork/internal/mcptest/wire"
)

// compareEras opens the server once in the other era, and compares what it offers
// there. A server that speaks one of them only is no worse for it.
func (r *run) compareEras(ctx context.Context) outcome {
	if r.o.Wire.Era != "" && r.o.Wire.Era != wire.EraAuto || r.o.Wire.Version != "" {
		return skip("the era was given")
	}
	o := r.o.Wire
	o.Era, o.ConnectTimeout = wire.EraLegacy, min(o.ConnectTimeout, r.o.CallTimeout)
	if r.report.Era == string(wire.EraLegacy) {
		return outcome{detail: "legacy only: server/discover was not answered as modern servers do"}
	}
	conn, err := wire.Connect(ctx, r.target, o)
	if err != nil {
		return outcome{detail: "modern only: " + err.Error()}
	}
	defer conn.Close()
	r.report.Eras = append(r.report.Eras, string(wire.EraLegacy))
	got, err := conn.List(ctx, "tools/list", nil, wire.CallOptions{Timeout: r.o.CallTimeout})
	if limited(err) {
		return outcome{detail: "both eras; the legacy one was not asked for more, because the server limits how often it is asked"}
	}
	if err != nil {
		if len(r.tools) > 0 {
			r.add("eras-differ", spot{"tools/list", "/tools", fmt.Sprintf("legacy: %v", err)})
		}
		return outcome{detail: "both eras, tools/list fails in the legacy one"}
	}
	other := &run{report: &Report{}, conn: conn, o: r.o}
	here, there := r.tools, other.items("tool", "tools", "name", got.Items)
	r.sameItems("tools/list", here, there)
	if len(conn.Capability("resources")) > 0 || len(r.resources) > 0 {
		raws := other.read(ctx, list{"resources/list", "resources"})
		r.sameItems("resources/list", r.resources, other.items("resource", "resources", "uri", raws))
	}
	if len(conn.Capability("prompts")) > 0 || len(r.prompts) > 0 {
		raws := other.read(ctx, list{"prompts/list", "prompts"})
		r.sameItems("prompts/list", r.prompts, other.items("prompt", "prompts", "name", raws))
	}
	r.sameAnswer(ctx, conn)
	r.probeLegacy(ctx, conn)
	return outcome{detail: fmt.Sprintf("both: %s and %s, %d and %d tools", r.report.Version, conn.Version(), len(here), len(there))}
}

// sameItems compares what a list has in both eras: the names, and what each says of
// itself.
func (r *run) sameItems(method string, here, there []item) {
	byName := map[string]item{}
	names := func(all []item) []string {
		var out []string
		for _, i := range all {
			out = append(out, i.name)
		}
		slices.Sort(out)
		return out
	}
	if a, b := names(here), names(there); !slices.Equal(a, b) {
		r.add("eras-differ", spot{method, "", fmt.Sprintf("modern %s; legacy %s", strings.Join(a, " "), strings.Join(b, " "))})
		return
	}
	for _, i := range there {
		byName[i.name] = i
	}
	for _, i := range here {
		for _, member := range []string{"description", "inputSchema", "outputSchema", "annotations", "uri", "mimeType", "arguments"} {
			a, b := i.fields[member], byName[i.name].fields[member]
			if !equal(a, b) {
				r.add("eras-differ", i.at("/"+member, fmt.Sprintf("modern %s; legacy %s", shown(a), shown(b))))
			}
		}
	}
}

// sameAnswer calls one tool in the other era too. What a tool says may change from call
// to call; whether it has content, structure and an error may not.
func (r *run) sameAnswer(ctx context.Context, conn *wire.Conn) {
	was, ok := r.answer.(map[string]any)
	if !ok {
		return
	}
	ex, err := conn.Call(ctx, "tools/call", map[string]any{"name": r.quick.name, "arguments": r.quick.args}, wire.CallOptions{Timeout: r.o.CallTimeout, HandUp: true})
	if limited(err) {
		return
	}
	if err != nil {
		r.add("eras-differ", r.quick.at("", fmt.Sprintf("modern answers with a result, legacy: %v", err)))
		return
	}
	v, _ := decode(ex.Result) // the wire reports what is no JSON
	is, _ := v.(map[string]any)
	form := func(m map[string]any) string {
		list, _ := m["content"].([]any)
		var kinds []string
		for _, block := range list {
			b, _ := block.(map[string]any)
			kinds = append(kinds, fmt.Sprint(b["type"]))
		}
		structured, _ := m["structuredContent"].(map[string]any)
		return fmt.Sprintf("content [%s], structure {%s}, isError %t", strings.Join(kinds, " "), strings.Join(keys(structured), " "), m["isError"] == true)
	}
	if a, b := form(was), form(is); a != b {
		r.add("eras-differ", r.quick.at("", "modern: "+a+"; legacy: "+b))
	}
}

// probeLegacy probes what a server over HTTP has in its legacy era only.
func (r *run) probeLegacy(ctx context.Context, conn *wire.Conn) {
	if r.o.NoProbes || conn.Transport() != wire.HTTPTransport {
		return
	}
	w := &webProbes{r: &run{target: r.target, o: r.o, report: r.report, conn: conn}}
	if w.plain(ctx) == nil {
		w.legacy(ctx)
	}
}
