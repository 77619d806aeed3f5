package cli

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestGeneratedDocumentsAreCurrent: `make docs` was run after the last change.
func TestGeneratedDocumentsAreCurrent(t *testing.T) {
	a := &app{std: Streams{Err: os.Stderr, Environ: []string{"HOME=" + t.TempDir()}}}
	kit, err := a.open()
	if err != nil {
		t.Fatal(err)
	}
	defer kit.close(t.Context())
	docs := kit.documents()
	if len(docs) == 0 {
		t.Fatal("nothing is generated")
	}
	for name, want := range docs {
		got, err := os.ReadFile(filepath.Join("..", "..", filepath.FromSlash(name)))
		if err != nil {
			t.Errorf("%v: run make docs", err)
			continue
		}
		if diff := cmp.Diff(string(want), string(got)); diff != "" {
			t.Errorf("%s is not current, run make docs (-generated +file):\n%s", name, diff)
		}
	}
}
