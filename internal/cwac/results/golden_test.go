package results

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// The folders are runs of the real CWAC. Whatever it wrote there, the writer must
// write again, byte for byte, from the values that the reader found.
func TestWriterRepeatsTheFilesOfCWAC(t *testing.T) {
	for _, folder := range []string{"contract-c-default-plugins", "contract-c-all-plugins", "contract-c-focus-only", "contract-c-odd-urls"} {
		t.Run(folder, func(t *testing.T) {
			original := filepath.Join("testdata", folder)
			r, err := Open(original)
			if err != nil {
				t.Fatal(err)
			}
			config := *r.Config
			config.Legwork.Compat = true
			config.AuditName = r.AuditName
			w, err := Create(t.TempDir(), config, r.Start, Scan{})
			if err != nil {
				t.Fatal(err)
			}
			repeat(t, r, w)
			if err := w.Finish(StateComplete, r.Start); err != nil {
				t.Fatal(err)
			}
			compared := compareFolders(t, original, w.Dir())
			if want := len(r.names) - 1; compared != want { // config.json has a test of its own
				t.Errorf("compared %d files of %d", compared, want)
			}
		})
	}
}

// compareFolders compares every CSV file of the original folder.
func compareFolders(t *testing.T, original, written string) int {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(original, "*.csv"))
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		want, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		got, err := os.ReadFile(filepath.Join(written, filepath.Base(file)))
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(strings.SplitAfter(string(want), "\n"), strings.SplitAfter(string(got), "\n")); diff != "" {
			t.Errorf("%s differs (-CWAC +Legwork):\n%s", filepath.Base(file), diff)
		}
	}
	return len(files)
}

// repeat writes everything that r has.
func repeat(t *testing.T, r *Results, w *Writer) {
	t.Helper()
	check := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	for view, findings := range viewsOf(t, r, AuditAxe) {
		check(w.Axe(view, Axe{Violations: findings}))
	}
	for view, findings := range viewsOf(t, r, AuditFocus) {
		check(w.Focus(view, Focus{Missing: findings}))
	}
	repeatFigures(t, r, w)
	each(t, r, "title_audit.csv", func(record Record) { check(w.Title(r.view(record))) })
	each(t, r, "screenshot_audit.csv", func(record Record) { check(w.Screenshot(r.view(record), []byte("png"))) })
	each(t, r, "element_audit.csv", func(record Record) {
		check(w.Elements(r.view(record), []string{record.Get("element_html")}))
	})
	site := func(record Record) Site {
		return Site{Organisation: record.Get("organisation"), URL: record.Get("base_url"), Sector: record.Get("sector")}
	}
	each(t, r, "audit_log.csv", func(record Record) { check(w.PageBegins(site(record), record.Get("url"))) })
	each(t, r, "pages_scanned.csv", func(record Record) {
		check(w.SiteEnds(SiteOutcome{Site: site(record), Pages: number(t, record.Get("number_of_pages"))}))
	})
	each(t, r, "progress.csv", func(record Record) {
		p, ok := parseProgress(record.Cells)
		if !ok {
			t.Fatalf("line %d is no progress", record.Line)
		}
		check(w.Progress(p))
	})
	each(t, r, "unexpected_response_codes.csv", func(record Record) {
		check(w.Code(ResponseCode{record.Get("base_url"), record.Get("parent_url"), record.Get("url"), number(t, record.Get("status_code"))}))
	})
}

func repeatFigures(t *testing.T, r *Results, w *Writer) {
	t.Helper()
	for m, err := range r.Measures() {
		figure := func(name string) float64 { v, _ := m.Values[name].(float64); return v }
		mood, _ := m.Values["sentiment"].(map[string]any)
		share := func(name string) float64 { v, _ := mood[name].(float64); return v }
		switch {
		case err != nil:
		case m.Audit == AuditReflow:
			px := int(figure("capped_px"))
			err = w.Reflow(m.View, Reflow{Overflow: px, Capped: px})
		case m.Audit == AuditLanguage:
			err = w.Language(m.View, Language{
				FleschKincaid: figure("flesch_kincaid_gl"), SMOG: figure("smog_gl"), Sentences: int(figure("num_sentences")),
				WordsPerSentence: figure("words_per_sentence"), SyllablesPerWord: figure("syllables_per_word"),
				Sentiment: &Sentiment{share("negative"), share("neutral"), share("positive"), share("compound")},
			})
		}
		if err != nil {
			t.Fatal(err)
		}
	}
}

// viewsOf gives the findings of an audit by view, in the order of its file.
func viewsOf(t *testing.T, r *Results, audit string) func(func(View, []Finding) bool) {
	t.Helper()
	found := map[string][]Finding{}
	for f, err := range r.Findings() {
		if err != nil {
			t.Fatal(err)
		}
		if f.Audit == audit {
			found[f.View.AuditID()] = append(found[f.View.AuditID()], f)
		}
	}
	var views []View
	each(t, r, audit+".csv", func(record Record) {
		v := r.view(record)
		if len(views) == 0 || views[len(views)-1] != v {
			views = append(views, v)
		}
	})
	return func(yield func(View, []Finding) bool) {
		for _, v := range views {
			if !yield(v, found[v.AuditID()]) {
				return
			}
		}
	}
}

func each(t *testing.T, r *Results, file string, do func(Record)) {
	t.Helper()
	for record, err := range r.Records(file) {
		if err != nil {
			t.Fatal(err)
		}
		do(record)
	}
}

func number(t *testing.T, text string) int {
	t.Helper()
	n, err := strconv.Atoi(text)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

func TestConfigIsSavedAsCWACSavesIt(t *testing.T) {
	for _, folder := range []string{"contract-c-default-plugins", "contract-c-all-plugins", "contract-c-focus-only", "contract-c-odd-urls"} {
		path := filepath.Join("testdata", folder, "config.json")
		c, err := LoadConfig(path)
		if err != nil {
			t.Fatal(err)
		}
		saved := filepath.Join(t.TempDir(), "config.json")
		if err := c.Save(saved); err != nil {
			t.Fatal(err)
		}
		want, _ := os.ReadFile(path)
		got, _ := os.ReadFile(saved)
		if diff := cmp.Diff(string(want), string(got)); diff != "" || len(want) == 0 {
			t.Errorf("%s (-CWAC +Legwork):\n%s", folder, diff)
		}
	}
}

// With the true value, num_pages counts pages.
func TestTemplatesCountPages(t *testing.T) {
	w, err := Create(t.TempDir(), DefaultConfig(), time.Unix(0, 0), Scan{})
	if err != nil {
		t.Fatal(err)
	}
	image := Finding{Rule: "image-alt", HTML: "<img>", Impact: "critical"}
	for id := 1; id <= 3; id++ { // three pages with five equal images each
		v := View{Site: Site{URL: "https://a.example/"}, BaseURL: "https://a.example/", URL: "https://a.example/" + strconv.Itoa(id), PageID: id, Viewport: Viewport{"small", 320, 450}}
		if err := w.Axe(v, Axe{Violations: []Finding{image, image, image, image, image}}); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Finish(StateComplete, time.Unix(1, 0)); err != nil {
		t.Fatal(err)
	}
	r, err := Open(w.Dir())
	if err != nil {
		t.Fatal(err)
	}
	rows := 0
	each(t, r, fileTemplate+".csv", func(record Record) {
		rows++
		if record.Get("num_pages") != "3" || record.Get("num_issues") != "15" {
			t.Errorf("pages %s, issues %s; want 3 and 15", record.Get("num_pages"), record.Get("num_issues"))
		}
	})
	if rows != 1 {
		t.Errorf("%d rows, want 1", rows)
	}
}
