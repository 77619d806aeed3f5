package cli_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// elsewhere are error types that no tool answers with here, and why.
var elsewhere = map[string]string{
	"not_clickable":        "a run answers not_advanced",
	"unknown_server":       "the program does not start",
	"invalid_setting":      "the program does not start",
	"invalid_address":      "the program does not start",
	"issuer_required":      "the program does not start",
	"server_url_required":  "the program does not start",
	"ledger_unusable":      "the disk is full; the text is that of every fault",
	"limits_unavailable":   "the counts are in memory; tested in serve with a source that fails",
	"address_unavailable":  "the program does not start",
	"database_unavailable": "is for /ready; tested beside it",
	"no_escalator":         "the program always has one; tested in runner",
	"not_escalatable":      "asks a board; tested in runner",
	"not_asked":            "asks a board; tested in runner",
	"not_answered":         "asks a board; tested in bounty/flows, with its text",
	"may_be_submitted":     "asks a board; tested in runner",
}

// errorTypes are all error types that the code below the tools can make, each
// with the place where it is written.
func errorTypes(t *testing.T) map[string]string {
	t.Helper()
	out := map[string]string{"missing_data": "runner", "validation_error": "runner"} // statuses are their own types
	for _, pattern := range []string{"../fault/*.go", "../tool/*.go", "../runner/*.go", "../serve/*.go", "../browser/*.go", "../page/*.go", "access.go"} {
		files, err := filepath.Glob(pattern)
		if err != nil || len(files) == 0 {
			t.Fatalf("%s: no files, %v", pattern, err)
		}
		for _, name := range files {
			if strings.HasSuffix(name, "_test.go") {
				continue
			}
			fset := token.NewFileSet()
			f, err := parser.ParseFile(fset, name, nil, parser.SkipObjectResolution)
			if err != nil {
				t.Fatal(err)
			}
			ast.Inspect(f, func(n ast.Node) bool {
				if typ := errorTypeIn(n); typ != "" && elsewhere[typ] == "" {
					out[typ] = fset.Position(n.Pos()).String()
				}
				return true
			})
		}
	}
	if len(out) < 30 {
		t.Fatalf("only %d error types found: the code names them in another way now", len(out))
	}
	return out
}

// errorTypeIn is the type that a node gives to an error: fault.New with a word,
// or a constant named Type....
func errorTypeIn(n ast.Node) string {
	switch n := n.(type) {
	case *ast.CallExpr:
		name := ""
		switch fun := n.Fun.(type) {
		case *ast.SelectorExpr:
			if x, ok := fun.X.(*ast.Ident); ok && x.Name == "fault" {
				name = fun.Sel.Name
			}
		case *ast.Ident:
			name = fun.Name // inside of the package
		}
		if name == "New" && len(n.Args) == 4 {
			return word(n.Args[1])
		}
	case *ast.ValueSpec:
		for i, id := range n.Names {
			if rest, ok := strings.CutPrefix(id.Name, "Type"); ok && rest != "" && i < len(n.Values) {
				return word(n.Values[i])
			}
		}
	}
	return ""
}

func word(e ast.Expr) string {
	lit, ok := e.(*ast.BasicLit)
	if !ok || lit.Kind != token.STRING {
		return ""
	}
	s, err := strconv.Unquote(lit.Value)
	if err != nil {
		return ""
	}
	return s
}
