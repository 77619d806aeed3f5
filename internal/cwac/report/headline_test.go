package report

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/legwork-mcp/legwork/internal/cwac/results"
)

func TestHeadline(t *testing.T) {
	broken := results.Finding{Rule: "broken-link", Impact: "serious", HTML: "<a>", Selector: "a"}
	one := func(findings ...results.Finding) string {
		return scan{base: "https://site.example", viewports: []results.Viewport{small}, pages: map[string][]results.Finding{"/": findings, "/b": nil}}.folder(t)
	}
	got := map[string]string{}
	for name, folder := range map[string]string{
		"CWAC": samples + "contract-a", "empty": emptyFolder(t), "clean": one(), "one": one(faultAt("image-alt", "img")), "beside": one(broken, faultAt("image-alt", "img")),
	} {
		got[name] = build(t, folder).Headline()
	}
	want := map[string]string{
		"CWAC": "41 issues on 16 of 24 pages, 39 of them critical or serious.", "empty": "Nothing was scanned.",
		"clean": "The rules found no issue on 2 pages. People must check what rules cannot see.", "one": "1 issue on 1 of 2 pages, 1 of them critical or serious.",
		"beside": "2 issues on 1 of 2 pages, 2 of them critical or serious. 1 is about no criterion of WCAG.",
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}

// What is about WCAG comes before what has the same impact and is beside it.
func TestWhereToStart(t *testing.T) {
	broken := results.Finding{Rule: "broken-link", Impact: "serious", HTML: "<a>", Selector: "a"}
	pages := map[string][]results.Finding{"/": {broken, faultAt("image-alt", "img")}, "/b": {broken}}
	v := newPageView(build(t, scan{base: "https://site.example", viewports: []results.Viewport{small}, pages: pages}.folder(t)))
	var order, start []string
	for _, r := range v.Rules {
		order = append(order, r.R.ID)
	}
	for _, r := range v.Start {
		start = append(start, r.R.ID)
	}
	if d := cmp.Diff([]string{"image-alt", "broken-link"}, order); d != "" {
		t.Error(d)
	}
	if d := cmp.Diff([]string{"image-alt"}, start); d != "" {
		t.Error(d)
	}
}

func TestContrast(t *testing.T) {
	for name, c := range map[string]struct {
		data map[string]any
		want *contrast
	}{
		"as axe has it":  {contrastFinding("").Data, &contrast{[]string{"#999999", "#ffffff"}, "Contrast 2.84 to 1, needed 4.5 to 1: #999999 on #ffffff, text of 12.0pt (16px)"}},
		"no figures":     {nil, nil},
		"unknown colour": {map[string]any{"contrastRatio": 0.0, "bgColor": "#fff"}, nil},
		"hostile":        {map[string]any{"contrastRatio": "<b>", "fgColor": "#fff"}, nil},
		"hostile colour": {map[string]any{"contrastRatio": 2.0, "fgColor": "url(http://evil.example)", "bgColor": "#fff"}, &contrast{nil, "Contrast 2 to 1"}},
	} {
		if d := cmp.Diff(c.want, contrastOf(c.data)); d != "" {
			t.Errorf("%s: %s", name, d)
		}
	}
}

// What the engine says of every place alike is shown once.
func TestSharedSummary(t *testing.T) {
	for other, want := range map[string][3]string{"Add an alt": {"Add an alt", "", ""}, "Something else": {"", "Add an alt", "Something else"}} {
		first, second := faultAt("image-alt", "img"), faultAt("image-alt", "picture")
		first.Summary, second.Summary = "Add an alt", other
		rep := build(t, scan{base: "https://site.example", viewports: []results.Viewport{small}, pages: map[string][]results.Finding{"/": {first, second}}}.folder(t))
		r := newPageView(rep).Rules[0]
		got := [3]string{r.Summary, r.First[0].Summary, r.First[1].Summary}
		if got[1] == "Something else" { // the order of equal groups is that of their fingerprints
			got[1], got[2] = got[2], got[1]
		}
		if d := cmp.Diff(want, got); d != "" {
			t.Errorf("%s: %s", other, d)
		}
	}
}
