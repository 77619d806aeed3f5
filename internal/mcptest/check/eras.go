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
	got, err := conn.List(ctx, "tools/list", nil, wire.CallOptions{Timeout: r.o.CallTimeout})
	if err != nil {
		if len(r.tools) > 0 {
			r.add("eras-differ", spot{"tools/list", "/tools", fmt.Sprintf("legacy: %v", err)})
		}
		return outcome{detail: "both eras, tools/list fails in the legacy one"}
	}
	names := func(all []item) []string {
		var out []string
		for _, i := range all {
			out = append(out, i.name)
		}
		slices.Sort(out)
		return out
	}
	quiet := &run{report: &Report{}}
	here, there := names(r.tools), names(quiet.items("tool", "tools", "name", got.Items))
	if !slices.Equal(here, there) {
		r.add("eras-differ", spot{"tools/list", "/tools", fmt.Sprintf("modern %s; legacy %s", strings.Join(here, " "), strings.Join(there, " "))})
	}
	return outcome{detail: fmt.Sprintf("both: %s and %s, %d and %d tools", r.report.Version, conn.Version(), len(here), len(there))}
}
