package archtest

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
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

func root(t *testing.T) string {
	t.Helper()
	dir, err := filepath.Abs(filepath.Join("..", ".."))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(filepath.Join(dir, "go.mod")); err != nil {
		t.Fatal(err)
	}
	return dir
}

func sources(t *testing.T) []source {
	t.Helper()
	top := root(t)
	var out []source
	err := filepath.WalkDir(top, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name := d.Name()
		if d.IsDir() {
			if path != top && (strings.HasPrefix(name, ".") || name == "testdata" || name == "node_modules") {
				return filepath.SkipDir
			}
			return nil
		}
		if !strings.HasSuffix(name, ".go") {
			return nil
		}
		s, err := read(top, path)
		out = append(out, s)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func read(top, path string) (source, error) {
	rel, err := filepath.Rel(top, path)
	if err != nil {
		return source{}, err
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return source{}, err
	}
	s := source{
		path: filepath.ToSlash(rel), pkg: filepath.ToSlash(filepath.Dir(rel)),
		test: strings.HasSuffix(path, "_test.go"), lines: strings.Count(string(data), "\n"), fset: token.NewFileSet(),
	}
	s.ast, err = parser.ParseFile(s.fset, path, data, parser.ParseComments)
	return s, err
}
