package report

import (
	"cmp"
	"fmt"
	"slices"
	"testing"

	diff "github.com/google/go-cmp/cmp"

	"github.com/legwork-mcp/legwork/internal/cwac/results"
)

// scan is a small scan of the native engine.
type scan struct {
	base      string
	pages     map[string][]results.Finding // by path
	rules     []string
	viewports []results.Viewport
	version   string
	set       func(*results.Legwork)
	page      results.PageOutcome // what is true of all pages beside their address
}

func (s scan) folder(t *testing.T) string {
	t.Helper()
	config := results.DefaultConfig()
	config.Viewports = s.viewports
	if s.set != nil {
		s.set(&config.Legwork)
	}
	w, err := results.Create(t.TempDir(), config, start, results.Scan{Versions: map[string]string{"axe-core": s.version}})
	must(t, err)
	site := results.Site{Organisation: "Org", URL: s.base}
	for path, findings := range s.pages {
		for _, vp := range s.viewports {
			var here []results.Finding
			for _, f := range findings {
				if f.View.Viewport.Name == "" || f.View.Viewport.Name == vp.Name {
					f.View = results.View{}
					here = append(here, f)
				}
			}
			must(t, w.Axe(view(site, s.base+path, "Title", vp), results.Axe{Violations: here, Rules: s.rules}))
		}
		outcome := s.page
		outcome.Site, outcome.URL, outcome.State = site, s.base+path, cmp.Or(outcome.State, results.PageScanned)
		must(t, w.Page(outcome))
	}
	must(t, w.SiteEnds(results.SiteOutcome{Site: site, Pages: len(s.pages)}), w.Finish(results.StateComplete, start))
	return w.Dir()
}

// fault is a finding of a rule at an element, at all viewports or the one named.
func faultAt(rule, element string, only ...string) results.Finding {
	f := results.Finding{Rule: rule, Impact: "serious", HTML: "<" + element + ">", Selector: element, Target: "/" + element, Tags: []string{"wcag111"}}
	if len(only) > 0 {
		f.View.Viewport.Name = only[0]
	}
	return f
}

func TestCompare(t *testing.T) {
	both := []results.Viewport{small, medium}
	old := scan{base: "https://site.example", viewports: both, version: "4.13.0", rules: []string{"image-alt", "label", "list"}, pages: map[string][]results.Finding{
		"/":     {faultAt("image-alt", "img"), faultAt("label", "input"), faultAt("list", "ul")},
		"/gone": {faultAt("image-alt", "img")},
		"/two":  {faultAt("image-alt", "img"), faultAt("image-alt", "img:nth-child(2)")},
	}}
	now := scan{base: "https://site.example", viewports: []results.Viewport{small, {Name: "wide", Width: 1920, Height: 1080}}, version: "4.14.1", rules: []string{"image-alt", "label", "bypass"},
		pages: map[string][]results.Finding{
			"/":    {faultAt("image-alt", "img"), faultAt("image-alt", "picture"), faultAt("bypass", "html"), faultAt("image-alt", "canvas", "wide")},
			"/new": {faultAt("image-alt", "img")},
			"/two": {faultAt("image-alt", "img")},
		}}
	c := Compare(build(t, old.folder(t)), build(t, now.folder(t)))
	type part struct {
		Issues, Pages int
		Rules         []string
	}
	short := func(p Part) part {
		out := part{Issues: p.Issues, Pages: p.Pages}
		for _, c := range p.Changes {
			out.Rules = append(out.Rules, c.Rule+" "+c.Example.Selector)
		}
		return out
	}
	got := map[string]part{"new": short(c.New), "fixed": short(c.Fixed), "remaining": short(c.Remaining)}
	want := map[string]part{
		"new":       {1, 1, []string{"image-alt picture"}},
		"fixed":     {2, 2, []string{"image-alt img:nth-child(2)", "label input"}},
		"remaining": {2, 2, []string{"image-alt img"}},
	}
	if d := diff.Diff(want, got); d != "" {
		t.Error(d)
	}
	var gaps []Gap
	for _, g := range c.NotComparable {
		g.Text = ""
		gaps = append(gaps, g)
	}
	if d := diff.Diff([]Gap{
		{Reason: GapPageGone, Old: 1, What: []string{"https://site.example/gone"}}, {Reason: GapPageNew, Now: 1, What: []string{"https://site.example/new"}},
		{Reason: GapRuleGone, Old: 1, What: []string{"list"}}, {Reason: GapRuleNew, Now: 1, What: []string{"bypass"}},
		{Reason: GapViewport, Now: 1, What: []string{"https://site.example/"}},
	}, gaps); d != "" {
		t.Error(d)
	}
	if !slices.ContainsFunc(c.Warnings, func(w string) bool {
		return w == "The scans used different versions of axe-core (4.13, 4.14): its rules may judge differently."
	}) {
		t.Errorf("warnings are %q", c.Warnings)
	}
}

func TestCompareOfOneScanWithItself(t *testing.T) {
	for _, folder := range []string{samples + "contract-a", samples + "contract-c-all-plugins", nativeFolder(t)} {
		rep := build(t, folder)
		c := Compare(rep, build(t, folder))
		if c.New.Issues+c.Fixed.Issues != 0 || c.Remaining.Issues != rep.Totals.Issues || len(c.NotComparable) > 0 {
			t.Errorf("%s: %s", folder, c.Headline())
		}
	}
}

// A PDF file is looked at as pages are: what was repaired in it is fixed, and a file
// that the new scan did not read is not known.
func TestCompareDocuments(t *testing.T) {
	site := results.Site{URL: "https://site.example/"}
	at := func(read bool, rules ...string) *Report {
		w, err := results.Create(t.TempDir(), results.DefaultConfig(), start, results.Scan{Plugins: []string{results.AuditAxe, results.AuditPDF}})
		must(t, err)
		file := results.PageOutcome{Site: site, URL: "https://site.example/a.pdf", State: results.PageSkipped, Reason: "document"}
		if read {
			file.PageID = 2
			var found []results.Finding
			for _, rule := range rules {
				found = append(found, faultAt(rule, ""))
			}
			must(t, w.Issues(results.AuditPDF, view(site, file.URL, "", results.Viewport{}), found, []string{"pdf-lang", "pdf-title"}))
		}
		must(t, w.Page(results.PageOutcome{Site: site, URL: site.URL, State: results.PageScanned}), w.Page(file), w.Finish(results.StateComplete, start))
		return build(t, w.Dir())
	}
	for _, c := range []struct {
		now  *Report
		want string
	}{
		{at(true, "pdf-title"), "0 new, 1 fixed, 1 remaining, 0 gaps"},
		{at(true), "0 new, 2 fixed, 0 remaining, 0 gaps"},
		{at(false), "0 new, 0 fixed, 0 remaining, 1 gaps"},
	} {
		got := Compare(at(true, "pdf-lang", "pdf-title"), c.now)
		if line := fmt.Sprintf("%d new, %d fixed, %d remaining, %d gaps", got.New.Issues, got.Fixed.Issues, got.Remaining.Issues, len(got.NotComparable)); line != c.want {
			t.Errorf("%s instead of %s: %+v", line, c.want, got.NotComparable)
		}
	}
}

// Equal elements of one page have one fingerprint: their number decides.
func TestCompareCountsEqualElements(t *testing.T) {
	elements := func(n int) []results.Finding {
		var out []results.Finding
		for i := range n {
			f := faultAt("image-alt", "img")
			f.Selector = "li:nth-child(" + string(rune('1'+i)) + ") > img"
			out = append(out, f)
		}
		return out
	}
	at := func(n int) *Report {
		s := scan{base: "https://site.example", viewports: []results.Viewport{small, medium}, rules: []string{"image-alt"}, pages: map[string][]results.Finding{"/": elements(n)}}
		return build(t, s.folder(t))
	}
	for _, c := range []struct{ old, now, fresh, fixed, remaining int }{{5, 3, 0, 2, 3}, {3, 5, 2, 0, 3}, {0, 2, 2, 0, 0}, {2, 0, 0, 2, 0}} {
		got := Compare(at(c.old), at(c.now))
		if got.New.Issues != c.fresh || got.Fixed.Issues != c.fixed || got.Remaining.Issues != c.remaining {
			t.Errorf("from %d to %d: %s", c.old, c.now, got.Headline())
		}
	}
}

func TestCompareByPathWhenTheSiteMoved(t *testing.T) {
	at := func(base string) *Report {
		s := scan{base: base, viewports: []results.Viewport{small}, rules: []string{"image-alt"}, pages: map[string][]results.Finding{"": {faultAt("image-alt", "img")}, "/a": {faultAt("image-alt", "p")}}}
		return build(t, s.folder(t))
	}
	c := Compare(at("https://trial.example/x"), at("https://live.example"))
	if c.Remaining.Issues != 2 || c.New.Issues+c.Fixed.Issues != 0 || len(c.NotComparable) > 0 {
		t.Error(c.Headline())
	}
	if d := diff.Diff([]string{"The scans are of different addresses (https://trial.example/x, https://live.example) and were compared by path."}, c.Warnings); d != "" {
		t.Error(d)
	}
	// a longer host name is not below a shorter one
	move := moved(at("https://trial.example"), at("https://live.example"))
	if got := move("https://trial.example.evil/a"); got != "https://trial.example.evil/a" {
		t.Errorf("moved to %s", got)
	}
}

// TestCompareTellsOtherSettings: scans that were told to look at different things are
// compared with a warning, those that only say the same in other words without.
func TestCompareTellsOtherSettings(t *testing.T) {
	at := func(set func(*results.Legwork)) *Report {
		s := scan{base: "https://a.example", viewports: []results.Viewport{small}, rules: []string{"image-alt"}, pages: map[string][]results.Finding{"": nil}, set: set}
		return build(t, s.folder(t))
	}
	usual := at(nil)
	for _, tt := range []struct {
		set  func(*results.Legwork)
		want []string
	}{
		{func(l *results.Legwork) { l.Consent = "keep" }, nil},
		{func(l *results.Legwork) { l.Consent = "dismiss" }, []string{"The scans dealt with consent banners differently (keep, dismiss): what is behind a banner, or comes with it, shows as new or fixed."}},
		{func(l *results.Legwork) { l.Login = []byte(`{"file":"a.json"}`) }, []string{"Only one of the scans was logged in: what a page has for those who are shows as new or fixed."}},
		{func(l *results.Legwork) { l.Frames = false }, []string{"Only one of the scans audited the documents inside frames: what is wrong in them shows as new or fixed."}},
		{func(l *results.Legwork) { l.Compat = true }, []string{"Only one of the scans used CWAC's own values (compat): what they judge differently shows as new or fixed."}},
	} {
		if d := diff.Diff(tt.want, Compare(usual, at(tt.set)).Warnings); d != "" {
			t.Error(d)
		}
	}
}

// TestCompareWhatWasMissed: an issue that an audit could not see again is not fixed, and
// one that the older scan could not see is not new.
func TestCompareWhatWasMissed(t *testing.T) {
	framed := faultAt("image-alt", "img")
	framed.Frame = "https://site.example/frame"
	scanOf := func(page results.PageOutcome, faults ...results.Finding) *Report {
		return build(t, scan{
			base: "https://site.example", viewports: []results.Viewport{small}, rules: []string{"image-alt", "label"},
			pages: map[string][]results.Finding{"/": faults}, page: page,
		}.folder(t))
	}
	note := func(audit, kind string) results.PageOutcome {
		return results.PageOutcome{Notes: []results.Note{{Audit: audit, Kind: kind, Text: kind}}}
	}
	whole := scanOf(results.PageOutcome{}, framed, faultAt("label", "input"), faultAt("label", "select"))
	tests := []struct {
		name         string
		page         results.PageOutcome
		fixed, fresh int // of 2; the rest is not known
	}{
		{"nothing was missed", results.PageOutcome{}, 2, 2},
		{"axe failed", note(results.AuditAxe, "failed"), 0, 0},
		{"axe ran out of time", note(results.AuditAxe, "time_limit"), 0, 0},
		{"another audit failed", note(results.AuditFocus, "failed"), 2, 2},
		{"a frame was not tested", note(results.AuditAxe, "frame_untested"), 1, 1},
		{"the page crashed", note("", "cut_short"), 0, 0},
		{"it is not said what was missed", results.PageOutcome{State: results.PagePartial}, 0, 0},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			short := scanOf(tt.page, faultAt("label", "input"))
			c := Compare(whole, short)
			if c.Remaining.Issues != 1 || c.New.Issues != 0 || c.Fixed.Issues != tt.fixed || len(c.NotComparable) > 0 != (tt.fixed < 2) {
				t.Errorf("%s, %+v", c.Headline(), c.NotComparable)
			}
			c = Compare(short, whole)
			if c.Remaining.Issues != 1 || c.Fixed.Issues != 0 || c.New.Issues != tt.fresh {
				t.Errorf("the other way round: %s", c.Headline())
			}
		})
	}
}
