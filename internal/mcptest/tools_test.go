package mcptest

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/legwork-mcp/legwork/internal/tool"
)

var update = flag.Bool("update", false, "rewrite the snapshots under testdata/tools")

// listBudget is the most bytes of tools/list, as every client loads it before
// its first call.
const listBudget = 9_500

// TestToolSnapshots: what clients see of each tool changes only on purpose.
func TestToolSnapshots(t *testing.T) {
	dir := filepath.Join("testdata", "tools")
	known := map[string]bool{}
	total := 0
	for _, b := range tool.BindAll(New(Options{}), Tools) {
		path := filepath.Join(dir, b.Spec.Name+".json")
		known[path] = true
		got := tool.Snapshot(b)
		total += compactSize(t, got)
		if *update {
			if err := os.MkdirAll(dir, 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(path, got, 0o644); err != nil {
				t.Fatal(err)
			}
			continue
		}
		want, err := os.ReadFile(path)
		if err != nil {
			t.Fatalf("%v (go test ./internal/mcptest -run Snapshots -update writes it)", err)
		}
		if diff := cmp.Diff(string(want), string(got)); diff != "" {
			t.Errorf("%s (-snapshot +now):\n%s", path, diff)
		}
	}
	files, err := filepath.Glob(filepath.Join(dir, "*.json"))
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		if !known[f] {
			t.Errorf("%s is stale: no such tool", f)
		}
	}
	if total > listBudget {
		t.Errorf("the definitions take %d bytes, budget %d", total, listBudget)
	}
	t.Logf("the definitions take %d bytes", total)
}

// compactSize is the size of a definition without the white space of its snapshot.
func compactSize(t *testing.T, snapshot []byte) int {
	t.Helper()
	var b bytes.Buffer
	if err := json.Compact(&b, snapshot); err != nil {
		t.Fatal(err)
	}
	return b.Len() + len(",")
}
