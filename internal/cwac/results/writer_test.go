package results

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/legwork-mcp/legwork/internal/fault"
)

var began = time.Date(2026, 11, 27, 20, 38, 33, 0, time.Local)

func newWriter(t *testing.T, change func(*Config)) *Writer {
	t.Helper()
	c := DefaultConfig()
	c.AuditName = "a test"
	if change != nil {
		change(&c)
	}
	w, err := Create(t.TempDir(), c, began, Scan{})
	if err != nil {
		t.Fatal(err)
	}
	return w
}

func view(page int) View {
	return View{
		Site: Site{Organisation: "Org, Ltd", URL: "https://a.example/", Sector: "S"}, BaseURL: "https://a.example/",
		Title: "A", URL: fmt.Sprintf("https://a.example/%d", page), PageID: page, Viewport: Viewport{"small", 320, 450},
	}
}

func contents(t *testing.T, dir string) map[string]string {
	t.Helper()
	files := map[string]string{}
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if e.Type().IsRegular() {
			text, err := os.ReadFile(filepath.Join(dir, e.Name()))
			if err != nil {
				t.Fatal(err)
			}
			files[e.Name()] = string(text)
		}
	}
	return files
}

// fullDisk writes half of what it is given once it has taken its share.
type fullDisk struct {
	handle
	left  int
	stuck bool // cannot be cut back either
}

func (f *fullDisk) Write(p []byte) (int, error) {
	if len(p) <= f.left {
		f.left -= len(p)
		return f.handle.Write(p)
	}
	n, err := f.handle.Write(p[:len(p)/2])
	return n, errors.Join(err, syscall.ENOSPC)
}

func (f *fullDisk) Truncate(size int64) error {
	if f.stuck {
		return syscall.EIO
	}
	return f.handle.Truncate(size)
}

// limit makes one file of w run into a full disk.
func limit(w *Writer, file string, left int, stuck bool) {
	w.open = func(path string) (handle, error) {
		h, err := openAppend(path)
		if err != nil || filepath.Base(path) != file {
			return h, err
		}
		return &fullDisk{h, left, stuck}, nil
	}
}

func TestFullDiskLeavesNoHalfRow(t *testing.T) {
	axe := Axe{
		Violations: []Finding{{Rule: "image-alt", HTML: "<img>"}, {Rule: "label", HTML: "<input>"}},
		Review:     []Finding{{Rule: "color-contrast", HTML: "<p>"}},
	}
	for _, file := range []string{FileFindings, AuditAxe + ".csv", FileReview} {
		t.Run(file, func(t *testing.T) {
			w := newWriter(t, nil)
			limit(w, file, 4000, false)
			var before map[string]string
			var err error
			for page := 1; err == nil; page++ {
				if page > 100 {
					t.Fatal("the disk was never full")
				}
				before = contents(t, w.Dir())
				err = w.Axe(view(page), axe)
			}
			if f := fault.From(err); f.Type != "disk_full" || f.Kind != fault.Unavailable {
				t.Errorf("got %v, want the fault disk_full", err)
			}
			if diff := cmp.Diff(before, contents(t, w.Dir())); diff != "" {
				t.Errorf("the failed call changed files:\n%s", diff)
			}
			r, err := Open(w.Dir())
			if err != nil {
				t.Fatal(err)
			}
			rows := 0
			each(t, r, AuditAxe+".csv", func(Record) { rows++ })
			if got := w.Scan().Counts; rows == 0 || got.Findings != rows || got.Review*2 != rows {
				t.Errorf("counted %+v, and %d rows", got, rows)
			}
		})
	}
}

// The first row of a file does not fit: there is no file.
func TestFullDiskLeavesNoEmptyFile(t *testing.T) {
	w := newWriter(t, nil)
	limit(w, AuditTitle+".csv", 0, false)
	if err := w.Title(view(1)); fault.From(err).Type != "disk_full" {
		t.Errorf("got %v, want disk_full", err)
	}
	if _, ok := contents(t, w.Dir())[AuditTitle+".csv"]; ok {
		t.Error("the file is there")
	}
}

// When half a row cannot be removed, no other row is written after it.
func TestNothingIsWrittenBehindHalfARow(t *testing.T) {
	w := newWriter(t, nil)
	limit(w, AuditTitle+".csv", 300, true)
	var err error
	for page := 1; err == nil; page++ {
		err = w.Title(view(page))
	}
	half := contents(t, w.Dir())[AuditTitle+".csv"]
	w.files[AuditTitle+".csv"].handle.(*fullDisk).left = 1 << 20 // somebody has made room
	if err := w.Title(view(1)); err == nil {
		t.Error("a row was written behind half a row")
	}
	if got := contents(t, w.Dir())[AuditTitle+".csv"]; got != half {
		t.Errorf("the file has changed: %q", got)
	}
	r, err := Open(w.Dir())
	if err != nil {
		t.Fatal(err)
	}
	each(t, r, AuditTitle+".csv", func(record Record) {
		if record.Get("page_id") == "" {
			t.Error("half a row was read")
		}
	})
}

// A limit of the process on the size of files is the same as a full disk.
func TestFileSizeLimitIsAFullDisk(t *testing.T) {
	if f := fault.From(diskFault("write", &os.PathError{Op: "write", Path: "x", Err: syscall.EFBIG})); f.Type != "disk_full" {
		t.Errorf("got %s", f.Type)
	}
	if f := fault.From(diskFault("write", &os.PathError{Op: "write", Path: "/secret/x", Err: syscall.EACCES})); f.Type != "results_unwritable" || strings.Contains(f.Message, "secret") {
		t.Errorf("got %s: %s", f.Type, f.Message)
	}
}

func TestWriterTakesCallsFromSeveralGoroutines(t *testing.T) {
	const workers, pages = 8, 25
	w := newWriter(t, nil)
	var group sync.WaitGroup
	for worker := range workers {
		group.Go(func() {
			for i := range pages {
				page := worker*pages + i + 1
				err := errors.Join(
					w.Axe(view(page), Axe{Violations: []Finding{{Rule: "image-alt", HTML: strings.Repeat("x", 3000)}}}),
					w.Title(view(page)),
					w.Page(PageOutcome{URL: view(page).URL, State: PageScanned, PageID: page}),
				)
				if err != nil {
					t.Error(err)
				}
			}
		})
	}
	group.Wait()
	if err := w.Finish(StateComplete, began); err != nil {
		t.Fatal(err)
	}
	r, err := Open(w.Dir())
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]map[string]bool{"axe": {}, "findings": {}, "pages": {}}
	each(t, r, AuditAxe+".csv", func(record Record) { got["axe"][record.Get("page_id")] = true })
	for f, err := range r.Findings() {
		if err != nil {
			t.Fatal(err)
		}
		got["findings"][f.View.URL] = true
	}
	for p, err := range r.Pages() {
		if err != nil {
			t.Fatal(err)
		}
		got["pages"][p.URL] = true
	}
	for name, set := range got {
		if len(set) != workers*pages {
			t.Errorf("%s: %d, want %d", name, len(set), workers*pages)
		}
	}
}

func TestFilesAppearWithTheirFirstRow(t *testing.T) {
	w := newWriter(t, nil)
	if err := w.Elements(view(1), nil); err != nil {
		t.Fatal(err)
	}
	if err := w.Language(view(1), Language{Skipped: "too_short"}); err != nil {
		t.Fatal(err)
	}
	if err := w.Finish(StateComplete, began); err != nil {
		t.Fatal(err)
	}
	var names []string
	for name := range contents(t, w.Dir()) {
		names = append(names, name)
	}
	want := []string{"config.json", FileMeasures, FileScan}
	if diff := cmp.Diff(want, names, sorted); diff != "" {
		t.Error(diff)
	}
}

var sorted = cmp.Transformer("set", func(names []string) map[string]bool {
	set := map[string]bool{}
	for _, n := range names {
		set[n] = true
	}
	return set
})

func TestFoldersOfOneSecondAreApart(t *testing.T) {
	parent, c := t.TempDir(), DefaultConfig()
	c.AuditName = "  Über us/../etc  "
	var names []string
	for range 3 {
		w, err := Create(parent, c, began, Scan{})
		if err != nil {
			t.Fatal(err)
		}
		names = append(names, w.Name())
	}
	want := []string{"2026-11-27_20-38-33__ber_us_.._etc", "2026-11-27_20-38-33__ber_us_.._etc_2", "2026-11-27_20-38-33__ber_us_.._etc_3"}
	if diff := cmp.Diff(want, names); diff != "" {
		t.Error(diff)
	}
}

func TestSecretsStayOutOfTheFolder(t *testing.T) {
	w := newWriter(t, func(c *Config) { c.Legwork.Login = json.RawMessage(`{"password":"hunter2"}`) })
	if err := w.Finish(StateComplete, began); err != nil {
		t.Fatal(err)
	}
	for name, text := range contents(t, w.Dir()) {
		if strings.Contains(text, "hunter2") {
			t.Errorf("%s has the password", name)
		}
	}
	if text := contents(t, w.Dir())["config.json"]; !strings.Contains(text, `"login"`) {
		t.Errorf("config.json does not say that there was a login: %s", text)
	}
	if info, err := os.Stat(w.Dir()); err != nil || runtime.GOOS != "windows" && info.Mode().Perm()&0o077 != 0 {
		t.Errorf("others can read what lies behind the login: %v, %v", info.Mode(), err)
	}
}

func TestReflowSaysTheTrueOverflowUnlessItMustNot(t *testing.T) {
	for compat, want := range map[bool]string{false: "True,1,480", true: "True,1,100"} {
		w := newWriter(t, func(c *Config) { c.Legwork.Compat = compat })
		box := &Box{Width: 800}
		err := w.Reflow(view(1), Reflow{Overflow: 480, Capped: 100, Culprits: []Finding{{HTML: "<pre>", Selector: "pre", Box: box}, {HTML: "<b>", Selector: "b"}}})
		if err != nil {
			t.Fatal(err)
		}
		if text := contents(t, w.Dir())[AuditReflow+".csv"]; !strings.HasSuffix(text, want+"\r\n") {
			t.Errorf("compat %v: %q, want %s", compat, text, want)
		}
		r, err := Open(w.Dir())
		if err != nil {
			t.Fatal(err)
		}
		for f, err := range r.Findings() {
			if err != nil || f.Data["overflow_px"] != 480.0 || len(f.Data["culprits"].([]any)) != 2 || cmp.Diff(box, f.Box) != "" {
				t.Errorf("%v %+v", err, f)
			}
		}
	}
}

// A page that is too wide is as much of a fault when nothing shows what makes it so.
func TestReflowWithoutACulpritIsSerious(t *testing.T) {
	w := newWriter(t, nil)
	if err := w.Reflow(view(1), Reflow{Overflow: 8, Capped: 8}); err != nil {
		t.Fatal(err)
	}
	r, err := Open(w.Dir())
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for f, err := range r.Findings() {
		if n++; err != nil || f.Impact != "serious" {
			t.Errorf("%v %+v", err, f)
		}
	}
	if n != 1 {
		t.Errorf("%d findings", n)
	}
}

// What a hostile page chooses is cut, and never breaks a row.
func TestHostileCellsStayCells(t *testing.T) {
	w := newWriter(t, nil)
	v := view(1)
	v.Title = "a\",\r\n=cmd|' /C calc'!A0\x00\xff" + strings.Repeat("ä", maxLabel)
	huge := strings.Repeat("<b>", maxLine)
	err := errors.Join(
		w.Axe(v, Axe{Violations: []Finding{{Rule: "x", HTML: huge, Target: huge, Selector: huge, Summary: huge, Data: map[string]any{"a": huge}}}}),
		w.Issues(AuditHTML, v, []Finding{{Rule: "y", HTML: "\"\n", Data: map[string]any{"line": 3}}}, nil),
		w.Elements(v, []string{huge, "a\r\nb\n"}),
	)
	if err != nil {
		t.Fatal(err)
	}
	r, err := Open(w.Dir())
	if err != nil {
		t.Fatal(err)
	}
	var rules, elements []string
	for f, err := range r.Findings() {
		if err != nil {
			t.Fatal(err)
		}
		rules = append(rules, f.Rule)
		if !strings.HasPrefix(f.View.Title, "a\",\r\n=cmd|' /C calc'!A0\x00\ufffd") || len(f.View.Title) > maxLabel+2 {
			t.Errorf("the title is %d bytes: %.40q", len(f.View.Title), f.View.Title)
		}
	}
	each(t, r, AuditElement+".csv", func(record Record) { elements = append(elements, record.Get("element_html")) })
	if diff := cmp.Diff([]string{"x", "y"}, rules); diff != "" {
		t.Error(diff)
	}
	if len(elements) != 2 || len(elements[0]) != maxCell || elements[1] != "a\r\nb\n" {
		t.Errorf("the elements are %d: %.40q", len(elements), elements)
	}
}

// What one page says of itself must not end the scan of all: no line is too long to
// be written.
func TestNoPageIsTooMuch(t *testing.T) {
	w := newWriter(t, nil)
	huge := strings.Repeat("<\x01", maxLine)
	v := view(1)
	v.Title = huge
	notes := make([]Note, 2*maxNotes)
	for i := range notes {
		notes[i] = Note{Text: huge[:maxCell], Where: huge[:maxCell]}
	}
	err := errors.Join(
		w.Reflow(v, Reflow{}), w.Focus(v, Focus{}), w.Language(v, Language{Hardest: []string{huge}}),
		w.Measure(Measure{View: v, Audit: AuditSEO, Values: map[string]any{"title": huge}}),
		w.Page(PageOutcome{URL: v.URL, State: PageScanned, Notes: notes}),
	)
	if err != nil {
		t.Fatal(err)
	}
	r, err := Open(w.Dir())
	if err != nil {
		t.Fatal(err)
	}
	count := 0
	for m, err := range r.Measures() {
		if count++; err != nil || len(m.View.Title) > maxLabel {
			t.Errorf("a measure with a title of %d bytes: %v", len(m.View.Title), err)
		}
	}
	for p, err := range r.Pages() {
		if count++; err != nil || len(p.Notes) != maxNotes {
			t.Errorf("a page with %d notes: %v", len(p.Notes), err)
		}
	}
	if count != 5 {
		t.Errorf("%d lines", count)
	}
}

// TestAFolderThatIsTakenAway ends the scan: open files would be written on, and the
// folder made anew for the next picture would look like a scan that found nothing.
func TestAFolderThatIsTakenAway(t *testing.T) {
	parent := t.TempDir()
	w, err := Create(parent, DefaultConfig(), began, Scan{})
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Axe(view(1), Axe{Violations: []Finding{{Rule: "image-alt"}}}); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(w.Dir(), filepath.Join(parent, "elsewhere")); err != nil {
		t.Fatal(err)
	}
	for name, err := range map[string]error{
		"a row": w.Axe(view(2), Axe{Violations: []Finding{{Rule: "image-alt"}}}), "a picture": w.Picture(view(2), []byte("png")),
		"the end": w.Finish(StateComplete, began),
	} {
		if f := fault.From(err); f.Type != "results_gone" || f.Kind != fault.Unavailable {
			t.Errorf("%s: %v", name, err)
		}
	}
	if entries, err := os.ReadDir(parent); err != nil || len(entries) != 1 {
		t.Errorf("there is %v, %v", entries, err)
	}
}
