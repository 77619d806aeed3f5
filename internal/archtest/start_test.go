package archtest

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/token"
	"regexp"
	"strings"
)

// startRules keep work out of the start of the program, which every command pays for.
func startRules() []rule {
	in := func(file, text, want string) sample { return sample{file, "package x\n" + text, want} }
	lazy := `import "` + module + `internal/lazyregexp"; `
	return []rule{
		{
			name: "expressions at the start", check: eagerExpressions,
			bad: []sample{
				in("internal/page/a.go", `import "regexp"; var a = regexp.MustCompile("a")`, "is compiled at each start"),
				in("internal/page/a.go", `import "regexp"; var a = []*regexp.Regexp{regexp.MustCompile("a")}`, "is compiled at each start"),
			},
			good: []sample{
				in("internal/page/a.go", `import "regexp"; func f(s string) { regexp.MustCompile(s) }`, ""),
				in("internal/page/a.go", `import "regexp"; var f = func(s string) { regexp.MustCompile(s) }`, ""),
				in("internal/page/a_test.go", `import "regexp"; var a = regexp.MustCompile("a")`, ""),
				in("bench/a.go", `import "regexp"; var a = regexp.MustCompile("a")`, ""),
			},
		},
		{
			name: "declared expressions compile", check: brokenExpressions,
			bad: []sample{
				in("internal/page/a.go", lazy+"var a = lazyregexp.New(`(`)", "missing closing"),
				in("internal/page/a.go", lazy+"const b = `(`; var a = lazyregexp.New(`a` + b)", "missing closing"),
				in("internal/page/a.go", lazy+"var a = lazyregexp.New(f())", "no constant"),
			},
			good: []sample{in("internal/page/a.go", lazy+"const b = `)`; var a = lazyregexp.New(`(` + b)", "")},
		},
	}
}

// eagerExpressions finds regular expressions that are compiled at package level.
func eagerExpressions(files []source) []string {
	var wrong []string
	for _, f := range files {
		if f.test || !within(f.pkg, "internal") || f.pkg == "internal/lazyregexp" {
			continue
		}
		inside := func(n ast.Node) bool {
			found := false
			ast.Inspect(f.ast, func(outer ast.Node) bool {
				switch outer.(type) {
				case *ast.FuncDecl, *ast.FuncLit:
					found = found || outer.Pos() <= n.Pos() && n.End() <= outer.End()
				}
				return !found
			})
			return found
		}
		for _, u := range f.uses() {
			if u.path == "regexp" && u.name == "MustCompile" && !inside(u.node) {
				wrong = append(wrong, f.at(u.node)+": a regular expression is compiled at each start: use lazyregexp.New")
			}
		}
	}
	return wrong
}

// brokenExpressions compiles what is declared, which the program itself would find
// out only when it is used.
func brokenExpressions(files []source) []string {
	constants := map[string]ast.Expr{} // by package and name
	for _, f := range files {
		for name, o := range f.ast.Scope.Objects {
			if spec, ok := o.Decl.(*ast.ValueSpec); ok && o.Kind == ast.Con {
				for i, n := range spec.Names {
					if n.Name == name && i < len(spec.Values) {
						constants[f.pkg+"."+name] = spec.Values[i]
					}
				}
			}
		}
	}
	var wrong []string
	for _, f := range files {
		ast.Inspect(f.ast, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok || f.test || len(call.Args) != 1 || !isLazy(call.Fun) {
				return true
			}
			text, known := textOf(call.Args[0], func(name string) ast.Expr { return constants[f.pkg+"."+name] })
			if !known {
				wrong = append(wrong, f.at(call)+": the expression is no constant of the package: no test can compile it")
			} else if _, err := regexp.Compile(text); err != nil {
				wrong = append(wrong, fmt.Sprintf("%s: %v", f.at(call), err))
			}
			return true
		})
	}
	return wrong
}

func isLazy(fn ast.Expr) bool {
	s, ok := fn.(*ast.SelectorExpr)
	if !ok || s.Sel.Name != "New" {
		return false
	}
	x, ok := s.X.(*ast.Ident)
	return ok && x.Name == "lazyregexp"
}

// textOf is a constant text that is put together from literals and named constants.
func textOf(e ast.Expr, named func(string) ast.Expr) (string, bool) {
	switch e := e.(type) {
	case *ast.BasicLit:
		v := constant.MakeFromLiteral(e.Value, e.Kind, 0)
		return constant.StringVal(v), e.Kind == token.STRING && v.Kind() == constant.String
	case *ast.Ident:
		value := named(e.Name)
		if value == nil {
			return "", false
		}
		return textOf(value, named)
	case *ast.BinaryExpr:
		left, ok := textOf(e.X, named)
		right, also := textOf(e.Y, named)
		return strings.Join([]string{left, right}, ""), ok && also
	}
	return "", false
}
