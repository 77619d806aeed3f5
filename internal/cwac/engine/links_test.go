package engine_test

import (
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/legwork-mcp/legwork/internal/cwac/results"
)

// TestLinksAreThoseOfTheBrowser: in a frame they are relative to the frame, and a long one
// is followed as it is, or not at all.
func TestLinksAreThoseOfTheBrowser(t *testing.T) {
	t.Parallel()
	long, tooLong := "/long?q="+strings.Repeat("x", 2500), "/long?q="+strings.Repeat("y", 6000)
	site := pages{
		"/":            doc(`<iframe title="menu" src="/menu/frame"></iframe><a href="` + long + `">long</a> <a href="` + tooLong + `">too long</a>`),
		"/menu/frame":  doc(`<a href="inside">inside</a>`),
		"/menu/inside": doc("here"),
		"/long": func(w http.ResponseWriter, r *http.Request) {
			if len(r.URL.RawQuery) != len("q=")+2500 {
				http.NotFound(w, r)
				return
			}
			doc("long")(w, r)
		},
	}
	_, read := scan(t, quick(t, site))
	got := map[string]string{}
	for address, state := range outcomes(t, read) {
		got[address[:min(len(address), 14)]] += state
	}
	want := map[string]string{"/": "scanned", "/menu/inside": "scanned", "/long?q=xxxxxx": "scanned", "/long?q=yyyyyy": "skipped too_long"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("outcomes (-want +got):\n%s", diff)
	}
}

// TestAPageOfVeryManyLinks: those that are not followed are told, and one that is there
// many times takes no place from others.
func TestAPageOfVeryManyLinks(t *testing.T) {
	t.Parallel()
	index := func(n int) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "text/html")
			_, _ = io.WriteString(w, `<!doctype html><html lang="en"><title>Index</title>`+strings.Repeat(`<a href="/">home</a> `, 6000))
			for i := range n {
				_, _ = fmt.Fprintf(w, `<a href="/p%d.pdf">%d</a> `, i, i)
			}
		}
	}
	for n, dropped := range map[int]bool{7000: false, 12_000: true} {
		_, read := scan(t, quick(t, pages{"/": index(n)}))
		known, told := 0, false
		for p, err := range read.Pages() {
			if err != nil {
				t.Fatal(err)
			}
			if p.Reason == "document" {
				known++
			}
		}
		for _, note := range read.Scan.Notes {
			told = told || note.Kind == "links_dropped"
		}
		if told != dropped || !dropped && known != n {
			t.Errorf("of %d links %d are known; it is told that there are more: %v, notes %v", n, known, told, read.Scan.Notes)
		}
	}
}

// TestDocumentsThatWereNotAskedFor are told: that no broken link to them was found shows
// nothing.
func TestDocumentsThatWereNotAskedFor(t *testing.T) {
	t.Parallel()
	for most, want := range map[int]string{2: "Of 1 of 3 documents that the site links to it is not known whether they are there", 5: ""} {
		o := quick(t, pages{"/": linking("/a.pdf", "/b.docx", "/c.pdf"), "/a.pdf": pdfFile, "/b.docx": pdfFile, "/c.pdf": pdfFile})
		only(&o.Config, results.AuditTitle, results.AuditCrawl)
		o.Limits.Documents = most
		_, read := scan(t, o)
		var told string
		for _, n := range read.Scan.Notes {
			if n.Kind == "documents_limit" {
				told = n.Text
			}
		}
		if (told == "") != (want == "") || !strings.HasPrefix(told, want) {
			t.Errorf("with at most %d it says %q", most, told)
		}
	}
}

func pdfFile(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "application/pdf")
	_, _ = io.WriteString(w, "%PDF-1.7")
}
