package api

import (
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "write the golden document")

const golden = "../../../docs/board/openapi.json"

// TestDocument: the document in the repository is the one that the code makes.
func TestDocument(t *testing.T) {
	b := newBench(t, func(o *Options) { o.Version = "1" })
	got, err := b.api.Document()
	if err != nil {
		t.Fatal(err)
	}
	if *update {
		if err := os.MkdirAll(filepath.Dir(golden), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(golden, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(strings.Split(string(want), "\n"), strings.Split(string(got), "\n")); diff != "" {
		t.Errorf("docs/board/openapi.json is not what the code makes (run the tests of this package with -update):\n%s", diff)
	}
}

// TestDocumentIsComplete: every route is there once, with a name, a caller and the one
// body of failures, whose reasons are all the reasons.
func TestDocumentIsComplete(t *testing.T) {
	b := newBench(t)
	a := b.must(200, call{method: "GET", path: "/api/openapi.json"})
	var doc struct {
		OpenAPI    string `json:"openapi"`
		Paths      map[string]map[string]operation
		Components struct {
			Schemas map[string]struct {
				Properties map[string]struct{ Enum []string }
			}
			SecuritySchemes map[string]any
		}
	}
	if err := json.Unmarshal([]byte(a.raw), &doc); err != nil {
		t.Fatal(err)
	}
	if doc.OpenAPI != "3.1.0" {
		t.Errorf("version %q", doc.OpenAPI)
	}
	for _, name := range []string{"agentBearer", "agentAccount", "agentKey", "session"} {
		if doc.Components.SecuritySchemes[name] == nil {
			t.Errorf("the security scheme %s is missing", name)
		}
	}
	seen := map[string]bool{}
	for _, r := range b.api.Routes() {
		op, ok := doc.Paths[r.Path][strings.ToLower(r.Method)]
		if !ok {
			t.Errorf("%s is not in the document", r.pattern())
			continue
		}
		if op.ID != r.ID || seen[op.ID] || op.Summary == "" || op.Responses["default"] == nil || len(op.Security) == 0 {
			t.Errorf("%s: incomplete or doubled: %+v", r.pattern(), op)
		}
		seen[op.ID] = true
	}
	var want []string
	for _, r := range Reasons() {
		want = append(want, r.Name)
	}
	if got := doc.Components.Schemas["Problem"].Properties["reason"].Enum; !slices.Equal(got, want) {
		t.Errorf("reasons of the document: %v", cmp.Diff(want, got))
	}
	if strings.Contains(a.raw, `"$schema"`) {
		t.Error("bodies have $schema")
	}
}

type operation struct {
	ID        string `json:"operationId"`
	Summary   string
	Responses map[string]any
	Security  []map[string][]string
}
