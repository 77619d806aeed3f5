package archtest

import (
	"fmt"
	"go/ast"
	"slices"
	"strings"
)

// The size budget: what the best-liked Go code keeps to.
const (
	fileP50, fileP90, fileMax = 120, 350, 600
	funcP50, funcP90, funcMax = 11, 40, 90
	funcLong                  = 50   // lines
	funcLongShare             = 0.03 // of all functions
	maxParams                 = 4
	maxMethods                = 4
)

func sizeRules() []rule {
	lines := func(n int) string { return "package x\n" + strings.Repeat("\n", n-1) }
	fn := func(n int) string { return "package x\nfunc f() {\n" + strings.Repeat("g()\n", n-2) + "}\n" }
	in := func(text, want string) sample { return sample{"internal/page/a.go", "package x\n" + text, want} }
	return []rule{
		{
			name: "file sizes", check: fileSizes,
			bad: []sample{
				{"internal/page/a_test.go", lines(fileMax + 1), "a_test.go has 601 lines"},
				{"internal/page/a.go", lines(fileP90 + 1), "90th percentile file has 351 lines"},
				{"internal/page/a.go", lines(fileP50 + 1), "median file has 121 lines"},
			},
			good: []sample{{"internal/page/a_test.go", lines(fileMax), ""}},
		},
		{
			name: "function sizes", check: functionSizes,
			bad: []sample{
				{"internal/page/a_test.go", fn(funcMax + 1), "f has 91 lines"},
				{"internal/page/a.go", fn(funcP90 + 1), "90th percentile function has 41 lines"},
				{"internal/page/a.go", fn(funcP50 + 1), "median function has 12 lines"},
				{"internal/page/a.go", fn(funcLong + 1), "1 of 1 functions are longer than 50 lines"},
			},
			good: []sample{{"internal/page/a_test.go", fn(funcMax), ""}},
		},
		{
			name: "parameters and interfaces", check: widths,
			bad: []sample{
				in("func f(a, b, c int, d, e string) {}", "f takes 5 parameters"),
				in("type i interface { a(); b(); c(); d(); e() }", "interface of 5 methods"),
			},
			good: []sample{in("type i interface { a(); b(); c(); d() }; func f(a, b, c, d int) {}", "")},
		},
		{
			name: "comments of exported names", check: undocumented,
			bad: []sample{
				in("func F() {}", "F has no doc comment"), in("type T int", "type T has no doc comment"),
				in("// T is.\ntype T[K any] int\nfunc (T[K]) M() {}", "M has no doc comment"),
				in("var V = 1", "V has no doc comment"), in("", "package internal/page has no package comment"),
			},
			good: []sample{in("// F does.\nfunc F() {}\ntype t int\nfunc (t) M() {}\n// C is.\nconst C = 1", "")},
		},
		{
			name: "no machine paths", check: machinePaths,
			bad:  []sample{in("var v = `/work/"+"main/x`", "mentions /work/"+"main")},
			good: []sample{in("var v = `/srv/place`", "")},
		},
	}
}

func percentile(v []int, p float64) int {
	slices.Sort(v)
	if len(v) == 0 {
		return 0
	}
	return v[min(len(v)-1, int(p*float64(len(v))))]
}

func fileSizes(files []source) []string {
	var wrong []string
	var lengths []int
	for _, f := range files {
		if f.lines > fileMax {
			wrong = append(wrong, fmt.Sprintf("%s has %d lines, at most %d: split it by meaning", f.path, f.lines, fileMax))
		}
		if !f.test {
			lengths = append(lengths, f.lines)
		}
	}
	if p := percentile(lengths, 0.5); p > fileP50 {
		wrong = append(wrong, fmt.Sprintf("median file has %d lines, budget %d", p, fileP50))
	}
	if p := percentile(lengths, 0.9); p > fileP90 {
		wrong = append(wrong, fmt.Sprintf("90th percentile file has %d lines, budget %d", p, fileP90))
	}
	return wrong
}

func functionSizes(files []source) []string {
	var wrong []string
	var lengths []int
	long := 0
	for _, f := range files {
		for _, d := range f.ast.Decls {
			fn, ok := d.(*ast.FuncDecl)
			if !ok || fn.Body == nil {
				continue
			}
			n := f.span(fn)
			if n > funcMax {
				wrong = append(wrong, fmt.Sprintf("%s: %s has %d lines, at most %d", f.at(fn), fn.Name.Name, n, funcMax))
			}
			if f.test {
				continue
			}
			lengths = append(lengths, n)
			if n > funcLong {
				long++
			}
		}
	}
	if p := percentile(lengths, 0.5); p > funcP50 {
		wrong = append(wrong, fmt.Sprintf("median function has %d lines, budget %d", p, funcP50))
	}
	if p := percentile(lengths, 0.9); p > funcP90 {
		wrong = append(wrong, fmt.Sprintf("90th percentile function has %d lines, budget %d", p, funcP90))
	}
	if share := float64(long) / float64(max(1, len(lengths))); share > funcLongShare {
		wrong = append(wrong, fmt.Sprintf("%d of %d functions are longer than %d lines, at most %.0f %%", long, len(lengths), funcLong, funcLongShare*100))
	}
	return wrong
}

func widths(files []source) []string {
	var wrong []string
	for _, f := range files {
		if f.test {
			continue
		}
		ast.Inspect(f.ast, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.FuncDecl:
				if c := n.Type.Params.NumFields(); c > maxParams {
					wrong = append(wrong, fmt.Sprintf("%s: %s takes %d parameters, at most %d", f.at(n), n.Name.Name, c, maxParams))
				}
			case *ast.InterfaceType:
				if c := n.Methods.NumFields(); c > maxMethods {
					wrong = append(wrong, fmt.Sprintf("%s: interface of %d methods, at most %d", f.at(n), c, maxMethods))
				}
			}
			return true
		})
	}
	return wrong
}

func undocumented(files []source) []string {
	var wrong []string
	documented := map[string]bool{}
	for _, f := range files {
		if f.test {
			continue
		}
		documented[f.pkg] = documented[f.pkg] || f.ast.Doc != nil
		for _, d := range f.ast.Decls {
			wrong = append(wrong, uncommented(f, d)...)
		}
	}
	for pkg, ok := range documented {
		if !ok {
			wrong = append(wrong, fmt.Sprintf("package %s has no package comment", pkg))
		}
	}
	return wrong
}

func uncommented(f source, d ast.Decl) []string {
	var wrong []string
	missing := func(n ast.Node, what string) {
		wrong = append(wrong, fmt.Sprintf("%s: %s has no doc comment", f.at(n), what))
	}
	switch d := d.(type) {
	case *ast.FuncDecl:
		if d.Name.IsExported() && exportedReceiver(d) && d.Doc == nil {
			missing(d, d.Name.Name)
		}
	case *ast.GenDecl:
		for _, s := range d.Specs {
			switch s := s.(type) {
			case *ast.TypeSpec:
				if s.Name.IsExported() && d.Doc == nil && s.Doc == nil {
					missing(s, "type "+s.Name.Name)
				}
			case *ast.ValueSpec:
				for _, n := range s.Names {
					if n.IsExported() && d.Doc == nil && s.Doc == nil && s.Comment == nil {
						missing(s, n.Name)
					}
				}
			}
		}
	}
	return wrong
}

// exportedReceiver reports whether a method belongs to an exported type, or is
// no method. Methods that only satisfy a well-known interface need no comment.
func exportedReceiver(d *ast.FuncDecl) bool {
	if slices.Contains([]string{"Error", "String", "Unwrap", "Is", "MarshalJSON", "UnmarshalJSON", "LogValue"}, d.Name.Name) {
		return false
	}
	if d.Recv == nil || len(d.Recv.List) == 0 {
		return true
	}
	typ := d.Recv.List[0].Type
	if s, ok := typ.(*ast.StarExpr); ok {
		typ = s.X
	}
	switch x := typ.(type) {
	case *ast.IndexExpr:
		typ = x.X
	case *ast.IndexListExpr:
		typ = x.X
	}
	id, ok := typ.(*ast.Ident)
	return ok && id.IsExported()
}

// machinePaths keeps paths of whoever builds out of the tree.
func machinePaths(files []source) []string {
	var wrong []string
	for _, f := range files {
		ast.Inspect(f.ast, func(n ast.Node) bool {
			if l, ok := n.(*ast.BasicLit); ok {
				for _, bad := range []string{"/work/" + "main", "../" + "shared", "/tmp/" + "brief"} {
					if strings.Contains(l.Value, bad) {
						wrong = append(wrong, fmt.Sprintf("%s mentions %s", f.at(n), bad))
					}
				}
			}
			return true
		})
	}
	return wrong
}
