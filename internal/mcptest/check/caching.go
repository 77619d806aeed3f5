package check

import (
	"encoding/json"
	"slices"

	"github.com/legwork-mcp/legwork/internal/mcptest/wire"
)

// cacheHints checks what a complete modern result says of how long it may be kept, and for
// whom (MCP 2026-07-28, Caching).
func (r *run) cacheHints(subject string, ex *wire.Exchange) {
	if ex == nil || r.conn != nil && r.conn.Era() != wire.EraModern || ex.ResultType != "complete" || ex.Err != nil {
		return
	}
	v, _ := decode(ex.Result) // the wire reports what is no JSON
	result, ok := v.(map[string]any)
	if !ok {
		return
	}
	ttl, _ := result["ttlMs"].(json.Number)
	if ms, whole := wholeMillis(ttl); !whole || ms < 0 {
		r.add("cache-hints", spot{subject, "/ttlMs", "ttlMs is " + shown(result["ttlMs"])})
	}
	if !slices.Contains([]any{"public", "private"}, result["cacheScope"]) {
		r.add("cache-hints", spot{subject, "/cacheScope", "cacheScope is " + shown(result["cacheScope"])})
	}
}
