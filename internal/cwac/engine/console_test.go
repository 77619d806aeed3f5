package engine_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/legwork-mcp/legwork/internal/cwac/engine"
	"github.com/legwork-mcp/legwork/internal/cwac/results"
	"github.com/legwork-mcp/legwork/internal/fault"
)

// TestBarsAreThoseOfCWAC: the lines are CWAC's own, of a real run of it.
func TestBarsAreThoseOfCWAC(t *testing.T) {
	tests := []struct {
		line string
		p    results.Progress
	}{
		{"|--------------------| 3.3% p:1/30 v:0.06p/s t:0h 0m  t-:0h 8m      ", results.Progress{Done: 1, Total: 30, Percent: 100.0 / 30, Speed: 0.06, Elapsed: 17 * time.Second, Remaining: 8*time.Minute + 3*time.Second}},
		{"|███████████---------| 56.7% p:17/30 v:0.12p/s t:0h 2m  t-:0h 1m      ", results.Progress{Done: 17, Total: 30, Percent: 1700.0 / 30, Speed: 0.12, Elapsed: 140 * time.Second, Remaining: 110 * time.Second}},
		{"|████████████████████| 100.0% p:24/24 v:0.14p/s t:0h 2m  t-:0h 0m      ", results.Progress{Done: 24, Total: 24, Percent: 100, Speed: 0.14, Elapsed: 170 * time.Second}},
		{"|--------------------| 0.0% p:0/3 v:0.00p/s t:0h 0m  t-:0h 0m      ", results.Progress{Total: 3}},
	}
	for _, tt := range tests {
		var b bytes.Buffer
		engine.Console{Out: &b}.Step(engine.Step{Progress: tt.p})
		if diff := cmp.Diff(tt.line+"\n", b.String()); diff != "" {
			t.Errorf("(-CWAC +this):\n%s", diff)
		}
	}
}

func TestTheConsoleNamesTheFolderAndTheEnd(t *testing.T) {
	c := results.DefaultConfig()
	c.UserAgent = "evil\x1b[2J\nCWAC complete! Data can be found in the ./results folder."
	var b bytes.Buffer
	out := engine.Console{Out: &b}
	out.Begin(engine.Begun{Config: c, Name: "2026-11-27_20-38-33_bench", Sites: 2, Start: time.Now()})
	text := b.String()
	for _, line := range []string{strings.Repeat("*", 80), "Audit name: 2026-11-27_20-38-33_bench", "    small: {'width': 320, 'height': 450}", "Number of websites to be scanned: 2", "Max links per domain: 50"} {
		if !strings.Contains(text, line+"\n") {
			t.Errorf("the line %q is missing in\n%s", line, text)
		}
	}
	if strings.Contains(text, "\x1b") || strings.Contains(text, "\nCWAC complete!") {
		t.Errorf("a setting makes lines of its own:\n%q", text)
	}
	site := results.SiteOutcome{Site: results.Site{URL: "http://a.example/"}, Reason: "robots.txt forbids it"}
	tests := []struct {
		out  engine.Outcome
		last string
	}{
		{engine.Outcome{State: results.StateComplete, Pages: 3}, "CWAC complete! Data can be found in the ./results folder."},
		{engine.Outcome{State: results.StateComplete, Sites: []results.SiteOutcome{site}}, "CWAC ended with no page scanned. The reasons can be found in the ./results folder."},
		{engine.Outcome{State: results.StateFailed, Pages: 3}, "CWAC ended with an error: 3 pages were scanned before. Data can be found in the ./results folder."},
		{engine.Outcome{State: results.StateCancelled, Pages: 3}, "CWAC stopped early: 3 pages were scanned. Data can be found in the ./results folder."},
	}
	for _, tt := range tests {
		b.Reset()
		out.End(tt.out)
		lines := strings.Split(strings.TrimSpace(b.String()), "\n")
		if lines[len(lines)-1] != tt.last {
			t.Errorf("the last line is %q, not %q", lines[len(lines)-1], tt.last)
		}
		if len(tt.out.Sites) > 0 && !strings.Contains(b.String(), "Nothing was scanned of http://a.example/: robots.txt forbids it\n") {
			t.Errorf("it does not say what was not scanned:\n%s", b.String())
		}
	}
}

func TestTheEstimateIsCorrectedAsSitesEnd(t *testing.T) {
	began := time.Date(2026, 11, 27, 20, 0, 0, 0, time.UTC)
	m := engine.NewMeter(began, 2, 10)
	if p := engine.Read(m, began); p.Total != 20 || p.Percent != 0 || p.Remaining != 0 {
		t.Errorf("at the start: %+v", p)
	}
	for range 4 {
		m.Page()
	}
	if p := engine.Read(m, began.Add(40*time.Second)); p.Done != 4 || p.Percent != 20 || p.Speed != 0.1 || p.Remaining != 160*time.Second {
		t.Errorf("after four pages: %+v", p)
	}
	m.Site(4, 10)
	m.Site(0, 10)
	if p := engine.Read(m, began.Add(50*time.Second)); p.Total != 4 || p.Percent != 100 || p.Remaining != 0 {
		t.Errorf("at the end: %+v", p)
	}
}

func TestSitesOfOneHostAreSpread(t *testing.T) {
	var sites []results.Site
	for _, u := range []string{"http://a.example/1", "http://a.example/2", "http://a.example/3", "http://b.example/", "http://c.example/"} {
		sites = append(sites, results.Site{URL: u})
	}
	var got []string
	for _, s := range engine.Spread(sites) {
		got = append(got, s.URL)
	}
	want := []string{"http://a.example/1", "http://b.example/", "http://c.example/", "http://a.example/2", "http://a.example/3"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// installation makes a folder as CWAC's is.
func installation(t *testing.T, files map[string]string) string {
	t.Helper()
	root := t.TempDir()
	for name, text := range files {
		path := filepath.Join(root, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return root
}

const header = "\ufefforganisation,url,sector\r\n"

func TestLoadReadsWhatCWACsCommandLineNames(t *testing.T) {
	root := installation(t, map[string]string{
		"config/one.json":           `{"audit_name":"one","base_urls_visit_path":"./base_urls/visit/","filter_to_organisations":["Org"]}`,
		"base_urls/visit/a.csv":     header + "\"Org, A\",HTTPS://A.example/Path,S1\r\nOther,https://b.example/,S2\r\nOrg C,c.example,S3\r\n",
		"base_urls/nohead/list.csv": "url\r\nhttps://a.example/Path\r\n",
	})
	in, err := engine.Load(root, "one.json")
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]results.Site{{Organisation: "Org, A", URL: "https://a.example/Path", Sector: "S1"}}, in.Sites); diff != "" {
		t.Errorf("sites (-want +got):\n%s", diff)
	}
	if in.Config.AuditName != "one" || in.OutDir != filepath.Join(root, "results") || len(in.NoHead) != 1 || len(in.Skipped) != 1 {
		t.Errorf("the rest is %+v", in)
	}
}

func TestLoadRefusesAsCWACDoes(t *testing.T) {
	outside := t.TempDir()
	root := installation(t, map[string]string{
		"config/gone.json":     `{"base_urls_visit_path":"./base_urls/gone/"}`,
		"config/outside.json":  `{"base_urls_visit_path":"` + outside + `"}`,
		"config/dots.json":     `{"base_urls_visit_path":"./base_urls/../config/"}`,
		"config/fields.json":   `{"base_urls_visit_path":"./base_urls/four/"}`,
		"config/broken.json":   `{"headless":`,
		"base_urls/four/a.csv": header + "a,https://a.example/,s,more\r\n",
		"secret.json":          `{}`,
	})
	tests := []struct{ config, says string }{
		{"nope.json", "FileNotFoundError: [Errno 2] No such file or directory: './config/nope.json'"},
		{"../secret.json", "ValueError: config_filename must be alphanumeric"},
		{"a b.json", "ValueError: config_filename must be alphanumeric"},
		{"..", "ValueError: config_filename must be alphanumeric"},
		{"gone.json", "gone"},
		{"outside.json", "not inside of base_urls"},
		{"dots.json", "not inside of base_urls"},
		{"fields.json", "line 2"},
		{"broken.json", "broken.json"},
	}
	for _, tt := range tests {
		t.Run(tt.config, func(t *testing.T) {
			_, err := engine.Load(root, tt.config)
			if err == nil || !strings.Contains(fault.From(err).Message, tt.says) {
				t.Errorf("it says %v; %q is missing", err, tt.says)
			}
		})
	}
}

// TestRowsThatNameNoSite: some are told, and the rest is counted.
func TestRowsThatNameNoSite(t *testing.T) {
	o := quick(t, pages{})
	o.Sites = nil
	for i := range 1000 {
		o.Skipped = append(o.Skipped, results.SkippedRow{Place: fmt.Sprintf("a.csv:%d", i), Reason: "why"})
	}
	out, err := engine.Run(patience(t), o)
	// The last note says that no site is left.
	if n := len(out.Notes); err != nil || n != 102 || !strings.HasPrefix(out.Notes[n-2].Text, "900 more rows") {
		t.Errorf("%d notes, %v", n, err)
	}
}
