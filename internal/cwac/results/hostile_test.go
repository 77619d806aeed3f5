package results

import (
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/legwork-mcp/legwork/internal/fault"
)

const axeHeader = bom + columnsCommon + "," + columnsAxe + crlf

// axeRow is a row with n issues of the rule.
func axeRow(rule string, n int) string {
	return "Org,S,T,https://a.example/,https://a.example/1,\"{'width': 320, 'height': 450}\",1_small,1,AxeCoreAudit,0123456789,D,//p," +
		strconv.Itoa(n) + ",H,U," + rule + ",serious,<p>,\"['wcag2a', 'it''s']\",No" + crlf
}

func folder(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "2026-11-27_20-38-33_x")
	if err := os.Mkdir(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// rulesOf reads all findings up to the first error.
func rulesOf(t *testing.T, dir string) ([]string, error) {
	t.Helper()
	r, err := Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	var rules []string
	for f, err := range r.Findings() {
		if err != nil {
			return rules, err
		}
		rules = append(rules, f.Rule)
	}
	return rules, nil
}

func TestDamagedFilesAreNamed(t *testing.T) {
	line := func(rule string) string {
		text, _ := json.Marshal(Finding{Audit: AuditAxe, Rule: rule, Count: 1})
		return string(text) + "\n"
	}
	running := `{"state":"running"}`
	tests := []struct {
		name  string
		files map[string]string
		rules []string
		want  string // of the message; empty: no error
	}{
		{"zero rows are dropped", map[string]string{"axe_core_audit.csv": axeHeader + axeRow("", 0) + axeRow("a", 1)}, []string{"a"}, ""},
		{"the last row is being written", map[string]string{"axe_core_audit.csv": axeHeader + axeRow("a", 1) + axeRow("b", 1)[:60]}, []string{"a"}, ""},
		{"the last row lacks its line end only", map[string]string{"axe_core_audit.csv": axeHeader + axeRow("a", 1) + strings.TrimSpace(axeRow("b", 1))}, []string{"a"}, ""},
		{"the header is being written", map[string]string{"axe_core_audit.csv": axeHeader[:40]}, nil, ""},
		{"nothing is written", map[string]string{"axe_core_audit.csv": ""}, nil, ""},
		{"plain line ends, no mark", map[string]string{"axe_core_audit.csv": strings.ReplaceAll(strings.TrimPrefix(axeHeader, bom)+axeRow("a", 1), "\r", "")}, []string{"a"}, ""},
		{"another header", map[string]string{"axe_core_audit.csv": "a,b\r\n1,2\r\n"}, nil, "axe_core_audit.csv of 2026-11-27_20-38-33_x is damaged: line 1: the header has no column organisation"},
		{"a column twice", map[string]string{"axe_core_audit.csv": "id,id\r\n1,2\r\n"}, nil, `the column "id" is named twice`},
		{"a short row", map[string]string{"axe_core_audit.csv": axeHeader + axeRow("a", 1) + "x,y\r\n"}, []string{"a"}, "line 3: the row has 2 cells, the header 20"},
		{"no number", map[string]string{"axe_core_audit.csv": axeHeader + strings.Replace(axeRow("a", 7), ",7,", ",=1+1,", 1)}, nil, "line 2: num_issues is no number"},
		{"a huge cell", map[string]string{"axe_core_audit.csv": axeHeader + "\"" + strings.Repeat("x", maxReadCell+10)}, nil, "line 2: a cell is longer than 4194304 bytes"},
		{"a huge row", map[string]string{"axe_core_audit.csv": axeHeader + strings.Repeat(strings.Repeat("x", 100<<10)+",", 190)}, nil, "line 2: a row is longer than"},
		{"many columns", map[string]string{"axe_core_audit.csv": axeHeader + strings.Repeat(",", 1<<20)}, nil, "line 2: a row has more than 200 columns"},
		{"no overflow figure", map[string]string{"reflow_audit.csv": bom + columnsCommon + ",audit_type,overflows,num_issues,overflow_amount_px" + crlf + strings.Repeat("1,", 8) + "R,True,1,wide" + crlf}, nil, "overflow_amount_px is no number"},
		{"the last line is being written", map[string]string{FileScan: running, FileFindings: line("a") + line("b")[:20]}, []string{"a"}, ""},
		{"a broken line", map[string]string{FileScan: running, FileFindings: line("a") + "{]\n" + line("b")}, []string{"a"}, "findings.jsonl of 2026-11-27_20-38-33_x is damaged: line 2"},
		{"a huge line", map[string]string{FileScan: running, FileFindings: "\"" + strings.Repeat("x", maxLine+1<<20)}, nil, "line 1: it is longer than 4194304 bytes"},
		{"deep JSON", map[string]string{FileScan: running, FileFindings: strings.Repeat("[", 1<<20) + "\n"}, nil, "exceeded max depth"},
		{
			"the record lost a line, the rows are whole",
			map[string]string{FileScan: `{"state":"complete","counts":{"findings":2}}`, FileFindings: line("a"), "axe_core_audit.csv": axeHeader + axeRow("a", 1) + axeRow("b", 1)},
			[]string{"a", "b"}, "",
		},
		{
			"the record is whole",
			map[string]string{FileScan: `{"state":"complete","counts":{"findings":1}}`, FileFindings: line("a"), "axe_core_audit.csv": axeHeader + axeRow("b", 1)},
			[]string{"a"}, "",
		},
		{"the record's scan is unreadable", map[string]string{FileScan: "{", FileFindings: line("a"), "axe_core_audit.csv": axeHeader + axeRow("b", 1)}, []string{"b"}, ""},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			rules, err := rulesOf(t, folder(t, test.files))
			if diff := cmp.Diff(test.rules, rules); diff != "" {
				t.Error(diff)
			}
			switch {
			case test.want == "" && err != nil:
				t.Errorf("got %v", err)
			case test.want != "" && (err == nil || !strings.Contains(err.Error(), test.want) || fault.From(err).Type != "results_damaged"):
				t.Errorf("got %v, want %s", err, test.want)
			}
		})
	}
}

func TestCellsAreReadAsPythonReadsThem(t *testing.T) {
	dir := folder(t, map[string]string{"x.csv": "a,b,c\r\n\r\n\"1\r\n\"\"2\"\"\",\r,\"\"\n\n,x\"y\",\xff\n"})
	r, err := Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	var got []Record
	each(t, r, "x.csv", func(record Record) { got = append(got, record) })
	header := []string{"a", "b", "c"}
	want := []Record{{header, []string{"1\r\n\"2\"", "\r", ""}, 3}, {header, []string{"", "x\"y\"", "\ufffd"}, 6}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]string{"x.csv"}, r.Unknown); diff != "" {
		t.Error(diff)
	}
}

// A folder is made by someone else: its links must not show other files.
func TestLinksOutOfAFolderAreNotFollowed(t *testing.T) {
	secret := filepath.Join(t.TempDir(), "secret.csv")
	if err := os.WriteFile(secret, []byte(axeHeader+axeRow("secret", 1)), 0o600); err != nil {
		t.Fatal(err)
	}
	dir := folder(t, map[string]string{"title_audit.csv": "x\r\n"})
	for _, name := range []string{"axe_core_audit.csv", "config.json", FileScan, FileFindings} {
		if err := os.Symlink(secret, filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink(filepath.Dir(secret), filepath.Join(dir, DirShots)); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(filepath.Join(dir, "reflow_audit.csv"), 0o755); err != nil {
		t.Fatal(err)
	}
	r, err := Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	if r.Files != 1 || r.Scan != nil || r.Config != nil || len(r.Audits) != 1 {
		t.Errorf("a link was followed: %+v", r)
	}
	for _, name := range []string{"axe_core_audit.csv", "reflow_audit.csv", "../secret.csv", "/etc/passwd", "config.json"} {
		failed := false
		for record, err := range r.Records(name) {
			failed = failed || err != nil
			if len(record.Cells) > 0 {
				t.Errorf("%s: read %q", name, record.Cells)
			}
		}
		if !failed {
			t.Errorf("%s: no error", name)
		}
	}
	if _, err := r.Picture("../../secret"); err == nil {
		t.Error("a picture outside of the folder was read")
	}
	if _, err := r.Picture("secret.csv\x00"); err == nil {
		t.Error("a picture behind a link was read")
	}
}

// A large folder is streamed: half way through, almost nothing of it is held.
func TestFindingsAreStreamed(t *testing.T) {
	const findings, limit = 12_000, 2 << 20
	w := newWriter(t, nil)
	many := make([]Finding, 100)
	for i := range many {
		many[i] = Finding{Rule: "image-alt", HTML: strings.Repeat("<p>", 100), Data: map[string]any{"n": i}}
	}
	for page := 1; page <= findings/len(many); page++ {
		if err := w.Axe(view(page), Axe{Violations: many}); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Finish(StateComplete, began); err != nil {
		t.Fatal(err)
	}
	heap := func() uint64 {
		var m runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&m)
		return m.HeapAlloc
	}
	r, err := Open(w.Dir())
	if err != nil {
		t.Fatal(err)
	}
	for name, all := range map[string]func(func(Finding, error) bool){FileFindings: r.Findings(), AuditAxe: r.auditFindings(AuditAxe)} {
		before, count, held := heap(), 0, uint64(0)
		for _, err := range all {
			if err != nil {
				t.Fatal(err)
			}
			if count++; count == findings/2 {
				held = max(heap(), before) - before
			}
		}
		if count != findings || held > limit {
			t.Errorf("%s: %d findings, %d bytes held; want %d, at most %d", name, count, held, findings, limit)
		}
	}
}

func TestOpenSaysWhatIsMissing(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	for dir, want := range map[string]string{filepath.Join(t.TempDir(), "none"): "results_missing", file: "results_no_folder"} {
		if _, err := Open(dir); fault.From(err).Type != want {
			t.Errorf("%s: got %v, want %s", dir, err, want)
		}
	}
	if _, _, err := List(filepath.Join(t.TempDir(), "none")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("got %v, want that it does not exist", err)
	}
}

func TestListShowsTheNewestFirst(t *testing.T) {
	dir := t.TempDir()
	old := time.Date(2020, 1, 2, 3, 4, 5, 0, time.Local)
	for _, name := range []string{"2026-02-24_14-35-42_scan", "fincap_audit_20260220_091500", "plain", ".hidden"} {
		if err := os.MkdirAll(filepath.Join(dir, name, DirShots), 0o755); err != nil {
			t.Fatal(err)
		}
		for _, file := range []string{"axe_core_audit.csv", "audit_log.csv", "own.csv", "x.log", DirShots + "/1_small.png", ".new-123"} {
			if err := os.WriteFile(filepath.Join(dir, name, file), make([]byte, 10), 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := os.Chtimes(filepath.Join(dir, "plain"), old, old); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(t.TempDir(), filepath.Join(dir, "2026-01-01_00-00-00_link")); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "notes.txt"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	got, problems, err := List(dir)
	if err != nil || len(problems) > 0 {
		t.Fatal(err, problems)
	}
	entry := func(name, audit string, start time.Time) Folder {
		return Folder{
			Name: name, Path: filepath.Join(dir, name), AuditName: audit, Engine: EngineCWAC, Start: start,
			Audits: []string{AuditAxe}, Files: 5, Size: 50,
		}
	}
	want := []Folder{
		entry("2026-02-24_14-35-42_scan", "scan", time.Date(2026, 2, 24, 14, 35, 42, 0, time.Local)),
		entry("fincap_audit_20260220_091500", "fincap_audit", time.Date(2026, 2, 20, 9, 15, 0, 0, time.Local)),
		entry("plain", "plain", old),
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}
