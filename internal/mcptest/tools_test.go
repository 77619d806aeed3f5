package mcptest

import (
	"flag"
	"testing"

	"github.com/legwork-mcp/legwork/internal/tool"
	"github.com/legwork-mcp/legwork/internal/tool/tooltest"
)

var update = flag.Bool("update", false, "rewrite the snapshots under testdata/tools")

// listBudget is the most bytes of tools/list, as every client loads it before
// its first call.
const listBudget = 14_900

// TestToolSnapshots: what clients see of each tool changes only on purpose.
func TestToolSnapshots(t *testing.T) {
	tooltest.Snapshots(t, tool.BindAll(New(Options{}), Tools), listBudget, *update)
}
