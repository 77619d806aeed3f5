package archtest

import (
	"encoding/json"
	"errors"
	"io"
	"os/exec"
	"slices"
	"strings"
	"testing"
)

const module = "github.com/legwork-mcp/legwork/"

// allowed is the import table: a package below the module and the packages of
// this module that it may import. A package without a row fails.
var allowed = map[string][]string{
	// rank 0: the standard library only
	"internal/fault":    nil,
	"internal/wizard":   nil,
	"internal/practice": nil,
	// rank 1
	"internal/observe": {"internal/fault"},
	"internal/config":  {"internal/fault"},
	"internal/tool":    {"internal/fault"},
	// rank 2
	"internal/browser": {"internal/fault", "internal/observe"},
	"internal/page":    {"internal/browser", "internal/fault"},
	// rank 3: domains never import each other, nor config
	"internal/runner": {"internal/fault", "internal/wizard", "internal/tool", "internal/browser", "internal/page", "internal/observe"},
	// rank 4: the kit's faces; they know no domain
	"internal/serve":  {"internal/fault", "internal/tool", "internal/observe"},
	"internal/docgen": {"internal/tool"},
	// rank 5: the composition root sees everything
	"internal/cli": {
		"internal/fault", "internal/wizard", "internal/practice", "internal/observe", "internal/config", "internal/tool",
		"internal/browser", "internal/page", "internal/runner", "internal/serve", "internal/docgen",
	},
	"cmd/legwork":       {"internal/cli"},
	"internal/archtest": nil,
}

// fences name the only packages that may import a library (prefix match).
var fences = []struct {
	library string
	only    []string
	reason  string
}{
	{"github.com/chromedp/", []string{"internal/browser"}, "browser libraries stay behind internal/browser"},
	{"github.com/modelcontextprotocol/go-sdk/", []string{"internal/tool", "internal/serve", "internal/cli"}, "MCP server types stay in tool and serve; cli uses the client"},
	{"github.com/santhosh-tekuri/jsonschema", []string{"internal/wizard"}, "contracts are checked in one place"},
	{"github.com/alecthomas/kong", []string{"internal/cli"}, "flags are the composition root's"},
	{"flag", []string{"internal/cli"}, "flags are the composition root's"},
	{"database/sql", nil, "nothing stores rows yet"},
}

// outgoing lists the packages that may import net/http as a client or server.
var outgoing = []string{"internal/browser", "internal/serve", "internal/practice", "internal/cli"}

type listed struct {
	ImportPath string
	Imports    []string
}

func list(t *testing.T) []listed {
	t.Helper()
	cmd := exec.Command("go", "list", "-json=ImportPath,Imports", module+"...")
	var stderr strings.Builder
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("go list: %v\n%s", err, stderr.String())
	}
	var pkgs []listed
	for dec := json.NewDecoder(strings.NewReader(string(out))); ; {
		var p listed
		if err := dec.Decode(&p); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatal(err)
		}
		p.ImportPath = strings.TrimPrefix(p.ImportPath, module)
		pkgs = append(pkgs, p)
	}
	if len(pkgs) < 5 {
		t.Fatalf("go list found %d packages only", len(pkgs))
	}
	return pkgs
}

func TestImportTable(t *testing.T) {
	for _, p := range list(t) {
		row, known := allowed[p.ImportPath]
		if !known {
			t.Errorf("package %s has no row in the import table of archtest", p.ImportPath)
			continue
		}
		for _, imp := range p.Imports {
			if ours, ok := strings.CutPrefix(imp, module); ok && !slices.Contains(row, ours) {
				t.Errorf("%s may not import %s", p.ImportPath, ours)
			}
		}
	}
}

func TestLibraryFences(t *testing.T) {
	for _, p := range list(t) {
		for _, imp := range p.Imports {
			for _, f := range fences {
				if within(imp, f.library) && !slices.Contains(f.only, p.ImportPath) {
					t.Errorf("%s imports %s: %s", p.ImportPath, imp, f.reason)
				}
			}
			if imp == "net/http" && !slices.Contains(outgoing, p.ImportPath) {
				t.Errorf("%s imports net/http: outgoing requests go through guarded clients", p.ImportPath)
			}
		}
	}
}

// within reports whether imp is the library or below it.
func within(imp, library string) bool {
	if strings.HasSuffix(library, "/") {
		return strings.HasPrefix(imp, library)
	}
	return imp == library || strings.HasPrefix(imp, library+"/")
}
