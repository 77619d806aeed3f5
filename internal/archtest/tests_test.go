package archtest

import (
	"fmt"
	"go/ast"
	"slices"
	"strings"
)

// testRules are about test files: a test that can pass without its subject, or
// that passes by luck, is a test that nobody misses.
func testRules() []rule {
	in := func(file, text, want string) sample { return sample{file, "package x\n" + text, want} }
	return []rule{
		{
			name: "tests do not skip", check: skippedTests,
			bad: []sample{
				in("internal/page/a_test.go", `func TestA(t *testing.T) { t.Skip("later") }`, "tests do not skip"),
				in("internal/page/a_test.go", `func FuzzA(fuzz *testing.F) { fuzz.SkipNow() }`, "tests do not skip"),
				in("internal/page/a_test.go", `import "testing"; func TestA(t *testing.T) { if testing.Short() { return } }`, "tests do not skip"),
			},
			good: []sample{in("internal/page/a_test.go", `import "io/fs"; var v = fs.SkipDir`, "")},
		},
		{
			name: "tests do not sleep", check: sleepingTests,
			bad: []sample{
				in("internal/page/a_test.go", `import "time"; func TestA(t *testing.T) { time.Sleep(1) }`, "tests do not sleep"),
				in("internal/page/a_test.go", `import . "time"; func TestA(t *testing.T) { Sleep(1) }`, "tests do not sleep"),
			},
			good: []sample{in("internal/page/a_test.go", `import "time"; var v time.Time`, "")},
		},
		{
			name: "tests can fail", check: testsThatCannotFail,
			bad: []sample{
				in("internal/page/a_test.go", `func TestA(t *testing.T) { _ = 1 + 1 }`, "TestA cannot fail"),
				in("internal/page/a_test.go", `func TestA(t *testing.T) { t.Log("fine"); t.Cleanup(nil) }`, "TestA cannot fail"),
				in("internal/page/a_test.go", `func TestA(_ *testing.T) { check() }`, "TestA cannot fail"),
			},
			good: []sample{
				in("internal/page/a_test.go", `func TestA(t *testing.T) { t.Error("no") }`, ""),
				in("internal/page/a_test.go", `func TestA(t *testing.T) { check(t, 1) }`, ""),
				in("internal/page/a_test.go", `func TestA(t *testing.T) { t.Run("a", TestB) }`, ""),
				in("internal/page/a_test.go", `func TestMain(m *testing.M) {}; func Testing() {}`, ""),
			},
		},
	}
}

func skippedTests(files []source) []string {
	var wrong []string
	for _, f := range files {
		if !f.test {
			continue
		}
		ast.Inspect(f.ast, func(n ast.Node) bool {
			if sel, ok := n.(*ast.SelectorExpr); ok && slices.Contains([]string{"Skip", "Skipf", "SkipNow"}, sel.Sel.Name) {
				wrong = append(wrong, f.at(n)+": tests do not skip")
			}
			return true
		})
		for _, u := range f.uses() {
			if u.path == "testing" && u.name == "Short" {
				wrong = append(wrong, f.at(u.node)+": tests do not skip, not for being short either")
			}
		}
	}
	return wrong
}

func sleepingTests(files []source) []string {
	var wrong []string
	for _, f := range files {
		for _, u := range f.uses() {
			if f.test && u.path == "time" && u.name == "Sleep" {
				wrong = append(wrong, f.at(u.node)+": tests do not sleep, they wait for what they test")
			}
		}
	}
	return wrong
}

// testsThatCannotFail finds tests that neither report by themselves nor hand
// their *testing.T to something that could.
func testsThatCannotFail(files []source) []string {
	var wrong []string
	for _, f := range files {
		if !f.test {
			continue
		}
		for _, d := range f.ast.Decls {
			fn, ok := d.(*ast.FuncDecl)
			if !ok || fn.Recv != nil || fn.Body == nil || fn.Type.Params.NumFields() != 1 {
				continue
			}
			prefix := strings.HasPrefix(fn.Name.Name, "Test") || strings.HasPrefix(fn.Name.Name, "Fuzz")
			if prefix && fn.Name.Name != "TestMain" && !reports(fn) {
				wrong = append(wrong, fmt.Sprintf("%s: %s cannot fail", f.at(fn), fn.Name.Name))
			}
		}
	}
	return wrong
}

// reports says whether a test mentions its parameter for more than a log line.
func reports(fn *ast.FuncDecl) bool {
	idle := []string{"Log", "Logf", "Helper", "Cleanup", "Parallel", "Setenv", "Chdir", "TempDir", "Context", "Name", "Deadline", "Output", "Attr"}
	names := fn.Type.Params.List[0].Names
	if len(names) == 0 {
		return false
	}
	found, harmless := false, map[*ast.Ident]bool{}
	ast.Inspect(fn.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.SelectorExpr:
			if x, ok := n.X.(*ast.Ident); ok && slices.Contains(idle, n.Sel.Name) {
				harmless[x] = true
			}
		case *ast.Ident:
			found = found || n.Name == names[0].Name && !harmless[n]
		}
		return !found
	})
	return found
}
