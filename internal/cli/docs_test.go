package cli

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net"
	"os"
	"path/filepath"
	"regexp"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/legwork-mcp/legwork/internal/auth"
	"github.com/legwork-mcp/legwork/internal/board"
	"github.com/legwork-mcp/legwork/internal/tool"
)

// TestGeneratedDocumentsAreCurrent: `make docs` was run after the last change.
func TestGeneratedDocumentsAreCurrent(t *testing.T) {
	t.Parallel()
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

// TestExamplesOfTheReferenceWork: what the reference shows can be called as it
// stands. Some examples name a run, a session, a scan, a wizard or a connection that
// nobody has, and one would scan a site of others: there is no program to do it with. The
// bounty server asks a board that has no tasks, or lacks an account on it.
func TestExamplesOfTheReferenceWork(t *testing.T) {
	t.Parallel()
	a := &app{std: Streams{Err: os.Stderr, Environ: []string{"HOME=" + t.TempDir(), "CWAC_PATH=" + t.TempDir(), "LEGWORK_BOUNTY_URL=" + emptyBoard(t)}}}
	kit, err := a.open()
	if err != nil {
		t.Fatal(err)
	}
	defer kit.close(t.Context())
	ctx := tool.WithCaller(t.Context(), auth.Local())
	missing := regexp.MustCompile(`"error_type":"(run_not_found|invalid_session|wizard_not_found|scan_not_found|cwac_not_found|not_connected|connection_failed)"|"reason":"(not_found|missing_credentials|no_human_available)"`)
	for _, b := range kit.tools() {
		if len(b.Spec.Examples) == 0 {
			t.Errorf("%s has no example", b.Spec.Name)
		}
		for _, e := range b.Spec.Examples {
			args, err := json.Marshal(e.Args)
			if err != nil {
				t.Fatal(err)
			}
			res := b.Call(ctx, kit.toolPolicy(), args)
			raw, err := json.Marshal(res.StructuredContent)
			if err != nil {
				t.Fatal(err)
			}
			if res.IsError && !missing.Match(raw) {
				t.Errorf("%s, example %q: %s", b.Spec.Name, e.Name, raw)
			}
		}
	}
}

// emptyBoard serves a board that nobody uses until the test ends, and returns its address.
func emptyBoard(t *testing.T) string {
	t.Helper()
	b, ln := openBoard(t)
	ctx, stop := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- serveBoard(ctx, ln, b, time.Second) }()
	t.Cleanup(func() {
		stop()
		if err := errors.Join(<-ended, b.Close()); err != nil {
			t.Error(err)
		}
	})
	return "http://" + ln.Addr().String()
}

func openBoard(t *testing.T) (*board.Board, net.Listener) {
	t.Helper()
	_, o, err := (&app{std: Streams{Err: io.Discard, Environ: []string{"HOME=" + t.TempDir()}}}).board("")
	if err != nil {
		t.Fatal(err)
	}
	ln, err := listenBoard(t.Context(), "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	o.BaseURL = "http://" + ln.Addr().String()
	b, err := board.Open(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	return b, ln
}
