package archtest

import (
	"go/ast"
	"slices"
	"testing"
)

// calls are functions that only some packages may use.
var calls = []struct {
	pkg, name string
	only      []string
	reason    string
}{
	{"os", "Exit", []string{"cmd/legwork", "bench"}, "only main ends the process"},
	{"log", "Fatal", nil, "errors travel up to main"},
	{"os", "Getenv", []string{"internal/config"}, "settings come through config"},
	{"os", "LookupEnv", []string{"internal/config"}, "settings come through config"},
	{"os", "Environ", []string{"internal/config", "internal/browser", "cmd/legwork", "bench"}, "settings come through config; main hands the environment over, the browser passes it on"},
	{"time", "Sleep", nil, "waiting is by observation, never by sleeping"},
	{"http", "Get", nil, "outgoing requests go through guarded clients"},
	{"http", "Post", nil, "outgoing requests go through guarded clients"},
}

func TestFencedCalls(t *testing.T) {
	for _, f := range sources(t) {
		if f.test {
			continue
		}
		ast.Inspect(f.ast, func(n ast.Node) bool {
			sel, ok := n.(*ast.SelectorExpr)
			if !ok {
				return true
			}
			x, ok := sel.X.(*ast.Ident)
			if !ok || x.Obj != nil {
				return true
			}
			for _, c := range calls {
				if x.Name == c.pkg && sel.Sel.Name == c.name && !slices.Contains(c.only, f.pkg) {
					t.Errorf("%s uses %s.%s: %s", f.at(n), c.pkg, c.name, c.reason)
				}
			}
			return true
		})
	}
}

// TestNoInit keeps import order from being behaviour.
func TestNoInit(t *testing.T) {
	for _, f := range sources(t) {
		for _, d := range f.ast.Decls {
			if fn, ok := d.(*ast.FuncDecl); ok && fn.Recv == nil && fn.Name.Name == "init" {
				t.Errorf("%s: no init functions", f.at(fn))
			}
		}
	}
}

// TestNoSkippedTests: a test that can skip itself is a test that nobody misses.
func TestNoSkippedTests(t *testing.T) {
	for _, f := range sources(t) {
		if !f.test {
			continue
		}
		ast.Inspect(f.ast, func(n ast.Node) bool {
			if sel, ok := n.(*ast.SelectorExpr); ok && slices.Contains([]string{"Skip", "Skipf", "SkipNow"}, sel.Sel.Name) {
				if x, ok := sel.X.(*ast.Ident); ok && (x.Name == "t" || x.Name == "b" || x.Name == "tb") {
					t.Errorf("%s: tests do not skip", f.at(n))
				}
			}
			return true
		})
	}
}
