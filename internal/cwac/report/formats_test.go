package report

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"encoding/xml"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/legwork-mcp/legwork/internal/fault"
)

func encode(t *testing.T, rep *Report, format string) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := rep.Encode(&b, format); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// reports are of every kind, for what must hold of all of them.
func reports(t *testing.T) map[string]*Report {
	compared := build(t, samples+"contract-c-default-plugins")
	compared.Comparison = Compare(build(t, samples+"contract-c-all-plugins"), compared)
	return map[string]*Report{
		"native": build(t, nativeFolder(t)), "compared": compared, "sites": build(t, "testdata/cwac/three-b"),
		"nothing scanned": build(t, emptyFolder(t)),
	}
}

func TestSARIFIsValid(t *testing.T) {
	c := jsonschema.NewCompiler()
	c.AssertFormat()
	schema, err := c.Compile("testdata/sarif/sarif-schema-2.1.0.json")
	if err != nil {
		t.Fatal(err)
	}
	for name, rep := range reports(t) {
		v, err := jsonschema.UnmarshalJSON(bytes.NewReader(encode(t, rep, "sarif")))
		if err != nil {
			t.Fatal(err)
		}
		if err := schema.Validate(v); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestNoReportIsTurnedAround: what people read has neither the characters with which a
// page turns its direction nor that with which it commands a terminal.
func TestNoReportIsTurnedAround(t *testing.T) {
	rep := build(t, nativeFolder(t))
	for _, format := range []string{"html", "markdown", "junit"} {
		out := string(encode(t, rep, format))
		if !strings.Contains(out, "abc") || strings.ContainsAny(out, "\u202e\u2066\x1b") {
			t.Errorf("%s lacks the texts of the page, or has what is not for people", format)
		}
	}
}

func TestSARIFOfAnIssue(t *testing.T) {
	var log sarifLog
	if err := json.Unmarshal(encode(t, build(t, nativeFolder(t)), "sarif"), &log); err != nil {
		t.Fatal(err)
	}
	kinds := map[string]int{}
	var first *sarifResult
	for i, r := range log.Runs[0].Results {
		kinds[r.Kind+" "+r.Level]++
		if log.Runs[0].Tool.Driver.Rules[r.Index].ID != r.Rule {
			t.Errorf("result %d has the index of rule %s", i, log.Runs[0].Tool.Driver.Rules[r.Index].ID)
		}
		if r.Rule == "axe_core_audit/color-contrast" && first == nil {
			first = &log.Runs[0].Results[i]
		}
	}
	// 3 contrast faults and the overflow; hostile ones have no impact that anybody knows
	want := map[string]int{"fail error": 4, "fail warning": len(hostile), "review none": len(hostile) + 3}
	if d := cmp.Diff(want, kinds); d != "" {
		t.Error(d)
	}
	if d := cmp.Diff(&sarifResult{
		Rule: "axe_core_audit/color-contrast", Index: first.Index, Kind: "fail", Level: "error", Occurrences: 1,
		Message:      sarifText{"Elements must meet minimum color contrast ratio thresholds: Fix any of the following: Element has insufficient contrast"},
		Fingerprints: map[string]string{"legwork/v1": first.Fingerprints["legwork/v1"]},
		Locations: []sarifLocation{{
			Physical: sarifPhysical{sarifArtifact{"https://site.example/"}}, Logical: []sarifLogical{{"main > p.lead", "element"}},
		}},
		Properties: map[string]any{"html": `<p class="lead">Welcome</p>`, "impact": "serious", "pageTitle": "Home", "viewports": []any{"small", "medium"}},
	}, first); d != "" {
		t.Error(d)
	}
}

func TestSARIFHasTheBaseline(t *testing.T) {
	rep := build(t, samples+"contract-c-default-plugins")
	rep.Comparison = Compare(rep, rep)
	var log sarifLog
	if err := json.Unmarshal(encode(t, rep, "sarif"), &log); err != nil {
		t.Fatal(err)
	}
	for _, r := range log.Runs[0].Results {
		if r.Baseline != "unchanged" {
			t.Errorf("%s is %q compared with itself", r.Rule, r.Baseline)
		}
	}
	if len(log.Runs[0].Results) == 0 {
		t.Error("there are no results")
	}
}

func TestJUnit(t *testing.T) {
	type counts struct{ Suites, Tests, Failures, Skipped, Errors int }
	all := reports(t)
	for name, want := range map[string]counts{
		// 3 pages with contrast and review, one overflow; 11 hostile ones; a hostile and an honest lost address each
		"native":          {4 + len(hostile), 7 + 3*len(hostile) + 1, 4 + len(hostile), 3 + len(hostile), len(hostile) + 1},
		"compared":        {24, 42, 34, 0, 0},
		"nothing scanned": {1, 2, 0, 0, 2},
	} {
		var s junitSuites
		if err := xml.Unmarshal(encode(t, all[name], "junit"), &s); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if d := cmp.Diff(want, counts{len(s.Suites), s.Tests, s.Failures, s.Skipped, s.Errors}); d != "" {
			t.Errorf("%s: %s", name, d)
		}
		tests := 0
		for _, one := range s.Suites {
			tests += len(one.Cases)
			if one.Tests != len(one.Cases) {
				t.Errorf("%s: the suite %s says %d tests and has %d", name, clip(one.Name, 40), one.Tests, len(one.Cases))
			}
		}
		if tests != s.Tests {
			t.Errorf("%s: %d cases, %d counted", name, tests, s.Tests)
		}
	}
}

func TestEARL(t *testing.T) {
	for name, rep := range reports(t) {
		var doc struct {
			Context map[string]any   `json:"@context"`
			Graph   []map[string]any `json:"@graph"`
		}
		if err := json.Unmarshal(encode(t, rep, "earl"), &doc); err != nil {
			t.Fatal(err)
		}
		outcomes := map[string]int{}
		for _, a := range doc.Graph {
			if a["@type"] != "Assertion" {
				continue
			}
			outcomes[a["result"].(map[string]any)["outcome"].(string)]++
			for key := range a {
				if _, known := doc.Context[key]; !known && !strings.HasPrefix(key, "@") {
					t.Errorf("%s: %s has no meaning in the context", name, key)
				}
			}
		}
		want := map[string]int{}
		for outcome, rules := range map[string][]*Rule{"earl:failed": rep.Rules, "earl:cantTell": rep.Review} {
			for _, r := range rules {
				for _, g := range r.Groups {
					want[outcome] += len(g.Issues)
				}
			}
		}
		if d := cmp.Diff(want, outcomes); d != "" {
			t.Errorf("%s: %s", name, d)
		}
	}
}

func TestCSVOfIssues(t *testing.T) {
	for name, rep := range reports(t) {
		text := encode(t, rep, "csv")
		rows, err := csv.NewReader(bytes.NewReader(bytes.TrimPrefix(text, []byte("\ufeff")))).ReadAll()
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if d := cmp.Diff(issueColumns, rows[0]); d != "" {
			t.Error(d)
		}
		want := 0
		for _, r := range slices.Concat(rep.Rules, rep.Review) {
			for _, g := range r.Groups {
				want += len(g.Issues)
			}
		}
		if len(rows)-1 != want {
			t.Errorf("%s: %d rows of %d issues", name, len(rows)-1, want)
		}
		for _, row := range rows {
			for _, cell := range row {
				if cell != "" && strings.ContainsAny(cell[:1], "=+-@\t\r") {
					t.Errorf("%s: the cell %q is a formula", name, cell)
				}
			}
		}
	}
}

func TestDataHasNoIssueListAndItsFormula(t *testing.T) {
	rep := build(t, nativeFolder(t))
	var data, whole struct {
		Format  int
		Formula string
		Totals  Counts
		Sites   []Site
		Rules   []struct {
			Groups []struct {
				Example map[string]any
				Issues  []map[string]any
			}
		}
	}
	if err := json.Unmarshal(encode(t, rep, "data"), &data); err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(encode(t, rep, "json"), &whole); err != nil {
		t.Fatal(err)
	}
	if data.Format != 1 || data.Formula != Formula || data.Totals != rep.Totals || whole.Totals != rep.Totals || len(data.Sites) != 2 {
		t.Errorf("the data are %+v", data)
	}
	issues := 0
	for i, r := range data.Rules {
		for j, g := range r.Groups {
			if g.Issues != nil || g.Example == nil {
				t.Errorf("group %d of rule %d has %d issues and the example %v", j, i, len(g.Issues), g.Example)
			}
			issues += len(whole.Rules[i].Groups[j].Issues)
		}
	}
	if issues != rep.Totals.Issues {
		t.Errorf("the whole report has %d issues of %d", issues, rep.Totals.Issues)
	}
}

func TestMarkdownGolden(t *testing.T) {
	rep := build(t, samples+"contract-c-default-plugins")
	rep.Comparison = Compare(build(t, samples+"contract-c-all-plugins"), rep)
	want, err := os.ReadFile("testdata/report.md")
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(string(want), string(encode(t, rep, "md"))); d != "" {
		t.Error(d)
	}
}

func TestMarkdownCannotBeBrokenOutOf(t *testing.T) {
	text := string(encode(t, build(t, nativeFolder(t)), "markdown"))
	for _, line := range strings.Split(text, "\n") {
		outside := withoutCode(line)
		for _, bad := range []string{"<script", "<img", "<svg", "](javascript", " @someone", "http://evil", "<!--"} {
			if at := strings.Index(outside, bad); at >= 0 && (at == 0 || outside[at-1] != '\\') {
				t.Errorf("%q is in %q", bad, outside)
			}
		}
		if strings.HasPrefix(line, "#") && !slices.Contains([]string{"# Accessibility: native", "## Where to start", "## Pages with most issues", "## Questions for a person", "## What was looked at"}, line) {
			t.Errorf("a heading of a page: %q", line)
		}
		if cells(line) != 0 && cells(line) != 7 && cells(line) != 4 {
			t.Errorf("a cell was added: %q", line)
		}
	}
}

// cells is the number of borders of a line of a table.
func cells(line string) int {
	if !strings.HasPrefix(line, "|") {
		return 0
	}
	return strings.Count(regexp.MustCompile(`\\.`).ReplaceAllString(line, ""), "|")
}

// TestCodeIsOneCell: a backslash in a selector must not free the border after it.
func TestCodeIsOneCell(t *testing.T) {
	for _, text := range []string{"a|b", `#a\|b`, `#a\\|b`, `a\`, "`|`", `\|` + "`x`", `<b>\|</b>`} {
		if got := cells("| " + code(text) + " |"); got != 2 {
			t.Errorf("%s has %d borders: %s", text, got, code(text))
		}
		if strings.Contains(withoutCode(code(text)), "<b>") && !strings.Contains(code(text), `\<b`) {
			t.Errorf("%s is markup: %s", text, code(text))
		}
	}
}

// withoutCode leaves out code spans.
func withoutCode(line string) string {
	var out strings.Builder
	for {
		at := strings.IndexByte(line, '`')
		if at < 0 || at > 0 && line[at-1] == '\\' {
			out.WriteString(line)
			return out.String()
		}
		out.WriteString(line[:at])
		rest := strings.TrimLeft(line[at:], "`")
		fence := line[at : len(line)-len(rest)]
		_, after, ok := strings.Cut(rest, fence)
		if !ok {
			out.WriteString(rest)
			return out.String()
		}
		line = after
	}
}

func TestWrite(t *testing.T) {
	dir := t.TempDir()
	rep := build(t, samples+"contract-c-all-plugins")
	victim := filepath.Join(t.TempDir(), "victim")
	must(t, os.WriteFile(victim, []byte("mine"), 0o600), os.Symlink(victim, filepath.Join(dir, "report.html")))
	paths, err := rep.Write(dir, Formats())
	if err != nil {
		t.Fatal(err)
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	if len(entries) != len(Formats()) || len(paths) != len(Formats()) {
		t.Errorf("%d files, %d paths of %d formats", len(entries), len(paths), len(Formats()))
	}
	if text, err := os.ReadFile(victim); err != nil || string(text) != "mine" {
		t.Errorf("a link was followed: %q, %v", text, err)
	}
	for i, path := range paths {
		got, err := os.ReadFile(path)
		if err != nil || !bytes.Equal(got, encode(t, rep, Formats()[i])) {
			t.Errorf("%s is not the report as %s (%v)", path, Formats()[i], err)
		}
	}
	if _, err := rep.Write(filepath.Join(dir, "gone"), []string{"csv"}); fault.From(err).Type != "report_unwritable" {
		t.Errorf("a folder that is not there: %v", err)
	}
	if err := rep.Encode(io.Discard, "docx"); fault.From(err).Type != "report_format" {
		t.Errorf("an unknown format: %v", err)
	}
}
