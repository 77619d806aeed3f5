package archtest

import (
	"go/ast"
	"slices"
	"strings"
	"testing"
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

func percentile(v []int, p float64) int {
	slices.Sort(v)
	if len(v) == 0 {
		return 0
	}
	return v[min(len(v)-1, int(p*float64(len(v))))]
}

func TestFileSizes(t *testing.T) {
	var lengths []int
	for _, f := range sources(t) {
		if f.lines > fileMax {
			t.Errorf("%s has %d lines, at most %d: split it by meaning", f.path, f.lines, fileMax)
		}
		if !f.test {
			lengths = append(lengths, f.lines)
		}
	}
	if p := percentile(lengths, 0.5); p > fileP50 {
		t.Errorf("median file has %d lines, budget %d", p, fileP50)
	}
	if p := percentile(lengths, 0.9); p > fileP90 {
		t.Errorf("90th percentile file has %d lines, budget %d", p, fileP90)
	}
}

func TestFunctionSizes(t *testing.T) {
	var lengths []int
	long := 0
	for _, f := range sources(t) {
		for _, d := range f.ast.Decls {
			fn, ok := d.(*ast.FuncDecl)
			if !ok || fn.Body == nil {
				continue
			}
			n := f.span(fn)
			if n > funcMax {
				t.Errorf("%s: %s has %d lines, at most %d", f.at(fn), fn.Name.Name, n, funcMax)
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
		t.Errorf("median function has %d lines, budget %d", p, funcP50)
	}
	if p := percentile(lengths, 0.9); p > funcP90 {
		t.Errorf("90th percentile function has %d lines, budget %d", p, funcP90)
	}
	if share := float64(long) / float64(max(1, len(lengths))); share > funcLongShare {
		t.Errorf("%d of %d functions are longer than %d lines, at most %.0f %%", long, len(lengths), funcLong, funcLongShare*100)
	}
}

func TestParametersAndInterfaces(t *testing.T) {
	for _, f := range sources(t) {
		if f.test {
			continue
		}
		ast.Inspect(f.ast, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.FuncDecl:
				if c := n.Type.Params.NumFields(); c > maxParams {
					t.Errorf("%s: %s takes %d parameters, at most %d", f.at(n), n.Name.Name, c, maxParams)
				}
			case *ast.InterfaceType:
				if c := n.Methods.NumFields(); c > maxMethods {
					t.Errorf("%s: interface of %d methods, at most %d", f.at(n), c, maxMethods)
				}
			}
			return true
		})
	}
}

func TestExportedNamesAreDocumented(t *testing.T) {
	documented := map[string]bool{}
	for _, f := range sources(t) {
		if f.test {
			continue
		}
		if f.ast.Doc != nil {
			documented[f.pkg] = true
		} else if _, seen := documented[f.pkg]; !seen {
			documented[f.pkg] = false
		}
		for _, d := range f.ast.Decls {
			checkDoc(t, f, d)
		}
	}
	for pkg, ok := range documented {
		if !ok {
			t.Errorf("package %s has no package comment", pkg)
		}
	}
}

func checkDoc(t *testing.T, f source, d ast.Decl) {
	t.Helper()
	switch d := d.(type) {
	case *ast.FuncDecl:
		if d.Name.IsExported() && exportedReceiver(d) && d.Doc == nil {
			t.Errorf("%s: %s has no doc comment", f.at(d), d.Name.Name)
		}
	case *ast.GenDecl:
		for _, s := range d.Specs {
			switch s := s.(type) {
			case *ast.TypeSpec:
				if s.Name.IsExported() && d.Doc == nil && s.Doc == nil {
					t.Errorf("%s: type %s has no doc comment", f.at(s), s.Name.Name)
				}
			case *ast.ValueSpec:
				for _, n := range s.Names {
					if n.IsExported() && d.Doc == nil && s.Doc == nil && s.Comment == nil {
						t.Errorf("%s: %s has no doc comment", f.at(s), n.Name)
					}
				}
			}
		}
	}
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

// TestNoMachinePaths keeps paths and hosts of whoever builds out of the tree.
func TestNoMachinePaths(t *testing.T) {
	for _, f := range sources(t) {
		ast.Inspect(f.ast, func(n ast.Node) bool {
			if l, ok := n.(*ast.BasicLit); ok {
				for _, bad := range []string{"/work/" + "main", "../" + "shared", "/tmp/" + "brief"} {
					if strings.Contains(l.Value, bad) {
						t.Errorf("%s mentions %s", f.at(n), bad)
					}
				}
			}
			return true
		})
	}
}
