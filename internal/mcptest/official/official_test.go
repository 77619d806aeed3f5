package official

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

// program writes a program of the tests.
func program(t *testing.T, dir, name, text string) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(dir, name), []byte("#!/bin/sh\n"+text), 0o700); err != nil {
		t.Fatal(err)
	}
}

// install writes a suite whose script the node of the tests does not read.
func install(t *testing.T, dir, about string) {
	t.Helper()
	folder := filepath.Join(dir, "node_modules", "@modelcontextprotocol", "conformance")
	if err := os.MkdirAll(filepath.Join(folder, "dist"), 0o700); err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{"package.json": about, "dist/index.js": "// not read"} {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

const about = `{"name":"@modelcontextprotocol/conformance","version":"9.9.9"}`

// place is a folder with a node that does something.
func place(t *testing.T, does string) Place {
	t.Helper()
	dir := t.TempDir()
	program(t, dir, "node", `[ "$1" = --version ] && { echo v22.1.0; exit; }
`+does)
	install(t, dir, about)
	return Place{Dir: dir, Environ: append(os.Environ(), "MCPTEST_SECRET=canary")}
}

// TestFind: a Node that is new enough, in the folder or in PATH, and the suite.
func TestFind(t *testing.T) {
	good, empty, old, odd, broken := t.TempDir(), t.TempDir(), t.TempDir(), t.TempDir(), t.TempDir()
	program(t, good, "node", "echo v22.19.0")
	program(t, old, "node", "echo v20.20.2")
	program(t, odd, "node", "echo hello")
	program(t, broken, "node", "exit 3")
	for _, dir := range []string{good, old, odd, broken} {
		install(t, dir, about)
	}
	bare := t.TempDir()
	install(t, bare, about)
	for name, tt := range map[string]struct {
		dir, path string
		want      error
	}{
		"in the folder":   {good, "", nil},
		"in PATH":         {bare, empty + string(os.PathListSeparator) + good, nil},
		"relative PATH":   {bare, "bin", ErrNoNode},
		"too old":         {old, good, ErrNoNode},
		"no Node":         {bare, empty, ErrNoNode},
		"no version":      {odd, "", ErrNoNode},
		"a broken one":    {broken, "", ErrNoNode},
		"no suite":        {empty, good, ErrNoSuite},
		"no folder":       {filepath.Join(empty, "none"), good, ErrNoSuite},
		"a node too much": {good, old, nil},
	} {
		t.Run(name, func(t *testing.T) {
			s, err := Find(t.Context(), Place{Dir: tt.dir, Environ: []string{"PATH=" + tt.path + string(os.PathListSeparator) + "/usr/bin:/bin"}})
			if name == "relative PATH" || name == "no Node" {
				// a machine may have one of its own
				s, err = Find(t.Context(), Place{Dir: tt.dir, Environ: []string{"PATH=" + tt.path}})
			}
			if !errors.Is(err, tt.want) || err == nil && s.Version != "9.9.9" {
				t.Errorf("it gives %+v, %v", s, err)
			}
		})
	}
	install(t, good, `{`)
	if _, err := Find(t.Context(), Place{Dir: good}); err == nil || errors.Is(err, ErrNoSuite) {
		t.Errorf("a package that cannot be read gives %v", err)
	}
}

// TestRun: what the suite wrote is read, and it gets no more of the environment than it
// needs.
func TestRun(t *testing.T) {
	p := place(t, `
[ "$2 $3 $4 $5 $6" = "server --url http://x/mcp --requirements 2025-11-25" ] || { echo "called with $*"; exit 9; }
[ -z "$MCPTEST_SECRET" ] || { echo leaked; exit 9; }
mkdir "$8/server-ping-2026-01-02T03-04-05-678Z" "$8/server-tasks-x-2026-01-02T03-04-05-678Z" "$8/other"
cat > "$8/server-ping-2026-01-02T03-04-05-678Z/checks.json" <<'END'
[{"id":"a","name":"A","description":"does a","status":"SUCCESS"},
 {"id":"b","name":"B","description":"does b","status":"FAILURE","errorMessage":"it did not","specReferences":[{"id":"S","url":"https://s/"}],"details":{"more":[1]}}]
END
echo '[]' > "$8/server-tasks-x-2026-01-02T03-04-05-678Z/checks.json"
printf 'Not scored:\n  ✗ tasks-x (extension)\n'
exit 1
`)
	s, err := Find(t.Context(), p)
	if err != nil {
		t.Fatal(err)
	}
	got, err := s.Run(t.Context(), Run{URL: "http://x/mcp", Revision: "2025-11-25", Dir: t.TempDir()})
	want := &Outcome{Revision: "2025-11-25", Scenarios: []Scenario{
		{Name: "ping", Checks: []Check{
			{ID: "a", Name: "A", Description: "does a", Status: Success},
			{ID: "b", Name: "B", Description: "does b", Status: Failure, Error: "it did not", References: []Reference{{"S", "https://s/"}}},
		}},
		{Name: "tasks-x", Unscored: "extension", Checks: []Check{}},
	}}
	if diff := cmp.Diff(want, got, cmpopts.IgnoreFields(Outcome{}, "Started", "Took")); diff != "" || err != nil {
		t.Errorf("it gives %v (-want +got):\n%s", err, diff)
	}
	if !got.Scenarios[0].Judges(got.Scenarios[0].Checks[0]) || got.Scenarios[1].Judges(Check{}) {
		t.Error("what needs fixtures is mixed up")
	}
}

// TestRunFails: a suite that ends badly, says too much or never ends.
func TestRunFails(t *testing.T) {
	for name, tt := range map[string]struct{ does, want string }{
		"nothing ran":      {`echo "no such option"; exit 2`, "no such option"},
		"broken results":   {`mkdir "$8/server-a-2026-01-02T03-04-05-678Z"; echo '{' > "$8/server-a-2026-01-02T03-04-05-678Z/checks.json"`, "read what"},
		"missing results":  {`mkdir "$8/server-a-2026-01-02T03-04-05-678Z"`, "read what"},
		"a flood of words": {`i=0; while [ $i -lt 300 ]; do head -c 65536 /dev/zero | tr '\0' x; i=$((i+1)); done; echo the end`, "the end"},
	} {
		t.Run(name, func(t *testing.T) {
			s, err := Find(t.Context(), place(t, tt.does))
			if err != nil {
				t.Fatal(err)
			}
			_, err = s.Run(t.Context(), Run{URL: "http://x", Revision: "2026-07-28", Dir: t.TempDir()})
			if err == nil || !strings.Contains(err.Error(), tt.want) || len(err.Error()) > 2000 {
				t.Errorf("it fails with %.300v", err)
			}
		})
	}
	s, err := Find(t.Context(), place(t, "exec sleep 60"))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.Run(t.Context(), Run{Revision: "2024-11-05"}); err == nil || !strings.Contains(err.Error(), "no requirements") {
		t.Errorf("an unknown revision gives %v", err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 300*time.Millisecond)
	defer cancel()
	if _, err := s.Run(ctx, Run{Revision: "2026-07-28", Dir: t.TempDir()}); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("one that never ends gives %v", err)
	}
}

// TestInstall: npm brings the suite, and runs nothing.
func TestInstall(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "new", "folder")
	bin := t.TempDir()
	program(t, bin, "npm", fmt.Sprintf(`
case "$*" in *--ignore-scripts*%s@%s) ;; *) echo "called with $*"; exit 1;; esac
[ -z "$MCPTEST_SECRET" ] || exit 1
: > installed
`, packageName, Version))
	p := Place{Dir: dir, Environ: []string{"PATH=" + bin + ":/usr/bin:/bin", "MCPTEST_SECRET=canary"}}
	if err := Install(t.Context(), p); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(filepath.Join(dir, "installed")); err != nil {
		t.Error(err)
	}
	program(t, bin, "npm", "echo the registry is away; exit 1")
	if err := Install(t.Context(), p); err == nil || !strings.Contains(err.Error(), "the registry is away") {
		t.Errorf("it fails with %v", err)
	}
	if err := Install(t.Context(), Place{Dir: dir, Environ: []string{"PATH=" + t.TempDir()}}); err == nil {
		t.Error("without npm it installs")
	}
}
