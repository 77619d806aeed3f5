//go:build unix

package wizard

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// TestPipeInTheFolderIsNotOpened: it would wait for a writer for ever.
func TestPipeInTheFolderIsNotOpened(t *testing.T) {
	dir := t.TempDir()
	sub := filepath.Join(dir, structuresDir)
	if err := os.MkdirAll(sub, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Mkfifo(filepath.Join(sub, "pipe.json"), 0o600); err != nil {
		t.Fatal(err)
	}
	s, err := OpenStore(dir)
	if err != nil {
		t.Fatal(err)
	}
	entries, broken := s.List()
	if len(entries) != 0 || len(broken) != 1 || !strings.Contains(broken[0].Error(), "regular file") {
		t.Errorf("listed %v, broken %v", entries, broken)
	}
}
