package cli_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/legwork-mcp/legwork/internal/cwac/engine/planted"
	"github.com/legwork-mcp/legwork/internal/cwac/results"
)

// TestCWACRunTellsOfItsInputs: what of a configuration does nothing, and which rows are
// scanned by nobody, stands on the terminal and in the record.
func TestCWACRunTellsOfItsInputs(t *testing.T) {
	t.Parallel()
	url := "http://" + serveLocal(t, planted.New()) + "/"
	cmd := command(t, nil, "--allow-private", "cwac-run", "mine.json")
	cmd.Dir = cwacRoot(t, url, `{"max_links_per_domain":1,"only_allow_https":false,"follow_robot_txt":false,"legwork":{"exlude":["/logout"]},
		"audit_plugins":{"title_audit":{"class_name":"TitleAudit","enabled":true}}}`)
	rows := "organisation,url,sector\nOrg," + url + "#top,Test\nOrg,example.org,Test\nOrg,http://me:s3cret@example.org/,Test\n"
	if err := os.WriteFile(filepath.Join(cmd.Dir, "base_urls", "visit", "z.csv"), []byte(rows), 0o644); err != nil {
		t.Fatal(err)
	}
	stdout, stderr, code := output(t, cmd)
	for text, want := range map[string][]string{
		stderr: {`"follow_robot_txt" is not known and does nothing; follow_robots_txt may be meant`, `legwork."exlude" is not known and does nothing; exclude may be meant`},
		stdout: {
			"Skipped: " + url + "#top (Org: this base URL is the same page as " + url, "Skipped: example.org (z.csv:3: the address has no scheme",
			"Skipped: http://***@example.org/ (z.csv:4: the address holds a user name or a password",
		},
	} {
		for _, w := range want {
			if !strings.Contains(text, w) {
				t.Errorf("it does not say %s\n%s", w, text)
			}
		}
	}
	if code != 0 {
		t.Errorf("exit code %d", code)
	}
	read, err := results.Open(folder(t, filepath.Join(cmd.Dir, "results")))
	if err != nil || read.Scan == nil || read.Scan.Counts.Pages[results.PageScanned] != 1 || len(read.Scan.Notes) != 5 {
		t.Errorf("the record is %+v, %v", read.Scan, err)
	}
	files, err := filepath.Glob(filepath.Join(cmd.Dir, "results", "*", "*"))
	if err != nil || len(files) == 0 {
		t.Fatalf("%q, %v", files, err)
	}
	for _, path := range files {
		if raw, err := os.ReadFile(path); err == nil && strings.Contains(string(raw), "s3cret") {
			t.Errorf("%s holds the password", filepath.Base(path))
		}
	}
}

// TestAReportThatCannotBeWritten: what was found is on the terminal all the same.
func TestAReportThatCannotBeWritten(t *testing.T) {
	t.Parallel()
	addr := serveLocal(t, planted.New())
	dir := t.TempDir()
	cmd := command(t, nil, "scan", addr, "--max-links", "4", "--plugins", "axe", "--out", dir, "--format", "json,html")
	var out syncBuffer
	cmd.Stdout, cmd.Stderr = &out, &out
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	eventually(t, time.Minute, "the first page", func() bool { return strings.Contains(out.String(), " 1/4 ") })
	if err := os.MkdirAll(filepath.Join(folder(t, dir), "report.html", "in the way"), 0o755); err != nil {
		t.Fatal(err)
	}
	code := ended(t, cmd)
	for _, want := range []string{"image-alt", "report.json\n", "The report report.html cannot be written"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("it does not say %s", want)
		}
	}
	if code != 4 {
		t.Errorf("exit code %d\n%s", code, out.String())
	}
}

// TestAResultsFolderThatIsTakenAway is no clean result of a scan.
func TestAResultsFolderThatIsTakenAway(t *testing.T) {
	t.Parallel()
	addr := serveLocal(t, planted.NewMany(30))
	for name, take := range map[string]func(dir string) error{
		"removed": os.RemoveAll,
		"moved":   func(dir string) error { return os.Rename(dir, dir+"-away") },
		"emptied": func(dir string) error {
			files, err := filepath.Glob(filepath.Join(dir, "*"))
			for _, path := range files {
				err = errors.Join(err, os.RemoveAll(path))
			}
			return err
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			cmd := command(t, nil, "scan", addr, "--max-links", "8", "--plugins", "title,screenshot", "--out", dir)
			var out syncBuffer
			cmd.Stdout, cmd.Stderr = &out, &out
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			eventually(t, time.Minute, "the second page", func() bool { return strings.Contains(out.String(), " 2/8 ") })
			if err := take(folder(t, dir)); err != nil {
				t.Error(err)
			}
			if code := ended(t, cmd); code != 4 || !strings.Contains(out.String(), "removed") || strings.Contains(out.String(), "found no issue") {
				t.Errorf("exit code %d\n%s", code, out.String())
			}
			left, err := os.ReadDir(dir)
			if err != nil || name == "removed" && len(left) != 0 || name == "moved" && len(left) != 1 {
				t.Errorf("it left %v, %v", left, err)
			}
		})
	}
}

// TestADiskWithoutAnyRoom gets no empty results folder.
func TestADiskWithoutAnyRoom(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	scan := command(t, nil, "scan", serveLocal(t, planted.New()), "--max-links", "1", "--out", dir)
	cmd := command(t, nil)
	cmd.Path, cmd.Args = "/bin/sh", append([]string{"sh", "-c", `ulimit -f 0; exec "$@"`, "sh"}, scan.Args...)
	stdout, stderr, code := output(t, cmd)
	if code != 4 || !strings.Contains(stderr, "the disk is full") {
		t.Errorf("exit code %d\n%s\n%s", code, stdout, stderr)
	}
	if left, err := os.ReadDir(dir); err != nil || len(left) != 0 {
		t.Errorf("it left %v, %v", left, err)
	}
}
