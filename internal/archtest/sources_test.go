package archtest

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"testing"
)

// source is one parsed Go file of the module.
type source struct {
	path, pkg string // relative to the module
	test      bool
	lines     int
	fset      *token.FileSet
	ast       *ast.File
}

// at is where a node stands, for a message.
func (s source) at(n ast.Node) string {
	return fmt.Sprintf("%s:%d", s.path, s.fset.Position(n.Pos()).Line)
}

// span is how many lines a node takes.
func (s source) span(n ast.Node) int {
	return s.fset.Position(n.End()).Line - s.fset.Position(n.Pos()).Line + 1
}

// parse reads the text of a file that stands at a path of the module.
func parse(name string, text []byte) (source, error) {
	s := source{
		path: name, pkg: path.Dir(name), test: strings.HasSuffix(name, "_test.go"),
		lines: strings.Count(string(text), "\n"), fset: token.NewFileSet(),
	}
	var err error
	s.ast, err = parser.ParseFile(s.fset, name, text, parser.ParseComments)
	return s, err
}

// tree parses every Go file once, for all rules: files of other systems too,
// which a build on this one would not see.
var tree = sync.OnceValues(func() ([]source, error) {
	top := os.DirFS(filepath.Join("..", ".."))
	if _, err := fs.Stat(top, "go.mod"); err != nil {
		return nil, err
	}
	var out []source
	err := fs.WalkDir(top, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		base := d.Name()
		if d.IsDir() && name != "." && (strings.HasPrefix(base, ".") || base == "testdata" || base == "node_modules") {
			return fs.SkipDir
		}
		if d.IsDir() || !strings.HasSuffix(base, ".go") {
			return nil
		}
		text, err := fs.ReadFile(top, name)
		if err != nil {
			return err
		}
		s, err := parse(name, text)
		out = append(out, s)
		return err
	})
	return out, err
})

func sources(t *testing.T) []source {
	t.Helper()
	all, err := tree()
	if err != nil {
		t.Fatal(err)
	}
	if len(all) < 100 {
		t.Fatalf("only %d Go files found", len(all))
	}
	return all
}

// imported is one import of a file.
type imported struct {
	path string
	name string // by which the file calls it; "." and "_" as they are
	spec *ast.ImportSpec
}

var majorVersion = regexp.MustCompile(`^v[0-9]+$`)

// imports lists what the file imports, with the name that the file has for it.
func (s source) imports() []imported {
	var out []imported
	for _, spec := range s.ast.Imports {
		p, err := strconv.Unquote(spec.Path.Value)
		if err != nil {
			continue // the parser accepts proper strings only
		}
		name := path.Base(p)
		if majorVersion.MatchString(name) {
			name = path.Base(path.Dir(p))
		}
		if spec.Name != nil {
			name = spec.Name.Name
		}
		out = append(out, imported{p, name, spec})
	}
	return out
}

// use is a mention of a name that another package exports.
type use struct {
	path, name string
	node       ast.Node
}

// uses finds every mention of an exported name of an imported package, called or
// not, whatever the file calls the package. The parser resolves local names, so a
// variable that has the name of a package is none; the compiler allows no name of
// the own package that is also one of an import.
func (s source) uses() []use {
	byName, dotted := map[string]string{}, []string{}
	for _, i := range s.imports() {
		byName[i.name] = i.path
		if i.name == "." {
			dotted = append(dotted, i.path)
		}
	}
	var out []use
	selected := map[*ast.Ident]bool{}
	ast.Inspect(s.ast, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.SelectorExpr:
			selected[n.Sel] = true
			if x, ok := n.X.(*ast.Ident); ok && x.Obj == nil && byName[x.Name] != "" {
				out = append(out, use{byName[x.Name], n.Sel.Name, n})
			}
		case *ast.Ident:
			if n.Obj != nil || selected[n] || !n.IsExported() {
				return true
			}
			for _, p := range dotted {
				out = append(out, use{p, n.Name, n})
			}
		}
		return true
	})
	return out
}
