// Package tooltest holds what clients see of a server's tools to files, for the tests
// of the servers. Nothing but tests imports it, and it never calls a tool.
package tooltest

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/legwork-mcp/legwork/internal/tool"
)

// Snapshots compares the definition of each tool with its file in testdata/tools, so
// that it changes only on purpose, and rewrites the files instead when update is true.
// All definitions together take at most budget bytes: every client loads them
// before its first call.
func Snapshots(t *testing.T, tools []tool.Bound, budget int, update bool) {
	t.Helper()
	dir := filepath.Join("testdata", "tools")
	known := map[string]bool{}
	total := 0
	for _, b := range tools {
		path := filepath.Join(dir, b.Spec.Name+".json")
		known[path] = true
		got := tool.Snapshot(b)
		total += wireSize(t, got)
		if update {
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
			t.Fatalf("%v (go test -run Snapshots -update writes it)", err)
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
	if total > budget {
		t.Errorf("the definitions take %d bytes, budget %d", total, budget)
	}
	t.Logf("the definitions take %d bytes", total)
}

// wireSize is the size of a definition without the white space of its snapshot.
func wireSize(t *testing.T, snapshot []byte) int {
	t.Helper()
	var b bytes.Buffer
	if err := json.Compact(&b, snapshot); err != nil {
		t.Fatal(err)
	}
	return b.Len() + len(",")
}
