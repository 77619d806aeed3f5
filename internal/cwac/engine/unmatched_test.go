package engine_test

import (
	"strings"
	"testing"

	"github.com/legwork-mcp/legwork/internal/cwac/engine"
	"github.com/legwork-mcp/legwork/internal/cwac/results"
	"github.com/legwork-mcp/legwork/internal/fault"
)

// TestAnIncludeThatMatchesNothing: a mistyped pattern must not look like a clean site.
func TestAnIncludeThatMatchesNothing(t *testing.T) {
	t.Parallel()
	site := pages{"/": linking("/blog/one", "/blog/two", "/about"), "/blog/one": doc("1"), "/blog/two": doc("2"), "/about": doc("a")}
	tests := []struct {
		name    string
		include []string
		most    int
		says    string
		pages   int
	}{
		{"mistyped", []string{"/blgo/"}, 10, "Did you mean /blog?", 1},
		{"one of two", []string{"/blog/", "/abuot"}, 10, "include pattern /abuot.", 3},
		{"nothing like it", []string{"/x"}, 10, "Correct it and scan again", 1},
		{"right", []string{"/blog/*"}, 10, "", 3},
		{"cut short by the limit", []string{"/blog/", "/deep/"}, 2, "", 2},
		{"one page alone", []string{"/blgo/"}, 1, "", 1},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			o := quick(t, site)
			o.Config.Legwork.Include, o.Config.MaxLinksPerDomain = tt.include, tt.most
			out, err := engine.Run(patience(t), o)
			if out.Pages != tt.pages {
				t.Errorf("%d pages were scanned", out.Pages)
			}
			if tt.says == "" {
				if err != nil || out.State != results.StateComplete {
					t.Errorf("the scan is %s, %v", out.State, err)
				}
				return
			}
			f := fault.From(err)
			if err == nil || f.Type != "include_unmatched" || f.Kind != fault.Invalid || !strings.Contains(f.Message+" "+f.Action, tt.says) {
				t.Errorf("it says %v %s", err, f.Action)
			}
			read, err := results.Open(out.Dir)
			if err != nil || read.Scan.State != results.StateFailed || !strings.Contains(read.Scan.Error, tt.says) {
				t.Errorf("the record says %+v, %v", read.Scan, err)
			}
		})
	}
}

// TestABaseURLThatIsListedTwice: its page is scanned once, or every fault would count
// twice. A reader is told.
func TestABaseURLThatIsListedTwice(t *testing.T) {
	t.Parallel()
	o := quick(t, pages{"/": linking("/a"), "/a": doc("a")})
	o.Config.Legwork.Compat = false
	for _, again := range []string{o.Sites[0].URL, strings.TrimSuffix(o.Sites[0].URL, "/"), o.Sites[0].URL + "#top", o.Sites[0].URL + "?utm_source=x"} {
		o.Sites = append(o.Sites, results.Site{Organisation: "Other Org", URL: again, Sector: "Test"})
	}
	out, read := scan(t, o)
	if out.Pages != 2 || len(out.Sites) != 1 || read.Scan.Counts.Pages[results.PageScanned] != 2 {
		t.Errorf("%d pages of %+v, counted %v", out.Pages, out.Sites, read.Scan.Counts.Pages)
	}
	said := strings.Join(out.Unused(), "\n")
	if n := strings.Count(said, "is the same page as "+o.Sites[0].URL); n != 4 || !strings.Contains(said, "Other Org: ") || !strings.Contains(said, "#top") {
		t.Errorf("it says %s", said)
	}
}
