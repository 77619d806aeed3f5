package report

import (
	"bytes"
	"encoding/csv"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/legwork-mcp/legwork/internal/cwac/results"
)

// The golden files were made by CWAC's own report scripts from the same folders.
func TestCWACLeaderboardsAsCWACMakesThem(t *testing.T) {
	for _, c := range []struct{ folder, contract, golden string }{
		{samples + "contract-a", results.ContractA, "testdata/cwac/feb"},
		{"testdata/cwac/three-a", results.ContractA, "testdata/cwac/three-a"},
		{"testdata/cwac/three-b", results.ContractB, "testdata/cwac/three-b"},
	} {
		files, err := build(t, c.folder).CWACLeaderboards(c.contract)
		if err != nil {
			t.Fatal(err)
		}
		golden, err := filepath.Glob(c.golden + "/*_leaderboard.csv")
		if err != nil || len(golden) == 0 || len(golden) != len(files) {
			t.Fatalf("%s: made %d files, CWAC made %d (%v)", c.golden, len(files), len(golden), err)
		}
		for _, f := range files {
			want, err := os.ReadFile(filepath.Join(c.golden, f.Name))
			if err != nil {
				t.Fatal(err)
			}
			if d := cmp.Diff(string(want), string(f.Data)); d != "" {
				t.Errorf("%s/%s: %s", c.golden, f.Name, d)
			}
		}
	}
}

func TestCWACLeaderboardsWithTrueFigures(t *testing.T) {
	for _, c := range []struct {
		folder string
		want   map[string]string
	}{
		{samples + "contract-a", map[string]string{
			"axe_core_audit_leaderboard.csv": "organisation,base_url,num_pages_scanned,num_issues,average_num_issues_per_page,percentile\n" +
				"Bench Org,http://127.0.0.1:8765/,24,39,1.63,100.0\n",
			"language_audit_leaderboard.csv": "organisation,base_url,smog_grade_level,num_pages_scanned\nBench Org,http://127.0.0.1:8765/,12.7,2\n",
			"reflow_audit_leaderboard.csv":   "organisation,base_url,overflow_amount_px,num_pages_scanned\nBench Org,http://127.0.0.1:8765/,4.166666666666667,24\n",
		}},
		{"testdata/cwac/three-a", map[string]string{
			"axe_core_audit_leaderboard.csv": "organisation,base_url,num_pages_scanned,num_issues,average_num_issues_per_page,percentile\n" +
				"Third Org,http://third.example/,1,3,3.0,100.0\nBench Org,http://127.0.0.1:8765/,24,39,1.63,66.67\nClean Org,http://clean.example/,3,0,0.0,33.33\n",
		}},
	} {
		files, err := build(t, c.folder).CWACLeaderboards("")
		if err != nil {
			t.Fatal(err)
		}
		got := map[string]string{}
		for _, f := range files {
			got[f.Name] = string(f.Data)
		}
		if d := cmp.Diff(c.want, got); d != "" {
			t.Errorf("%s: %s", c.folder, d)
		}
	}
}

func TestLeaderboardHasCleanSitesAndThoseThatWereNotScanned(t *testing.T) {
	for folder, want := range map[string][]string{
		"testdata/cwac/three-b": {
			"1 Clean Org http://clean.example/ 3 0 0 0.00 ", "2 Bench Org http://127.0.0.1:8765/ 24 15 40 1.67 ", "3 Third Org http://third.example/ 1 1 3 3.00 ",
		},
		samples + "contract-c-all-plugins": {
			"1 Org A http://127.0.0.1:8765/focus.html 1 0 0 0.00 ", "1 Org, B http://127.0.0.1:8765/about.html 1 0 0 0.00 ",
			"3 Org A http://127.0.0.1:8765/overflow.html 1 1 1 1.00 ", "4 Org C http://127.0.0.1:8765/headings.html 1 1 2 2.00 ",
			"5 Org C http://127.0.0.1:8765/viewport.html 1 1 3 3.00 ", "6 Org B http://127.0.0.1:8765/forms.html 1 1 4 4.00 ",
			" Org D http://127.0.0.1:8765/gone.html 0 0 0  no page was scanned",
		},
	} {
		var b bytes.Buffer
		if err := build(t, folder).Leaderboard(&b); err != nil {
			t.Fatal(err)
		}
		rows, err := csv.NewReader(strings.NewReader(strings.TrimPrefix(b.String(), "\ufeff"))).ReadAll()
		if err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(leaderboardColumns, rows[0]); d != "" {
			t.Error(d)
		}
		var got []string
		for _, r := range rows[1:] {
			got = append(got, strings.Join([]string{r[0], r[1], r[2], r[4], r[5], r[6], r[7], r[16]}, " "))
		}
		if d := cmp.Diff(want, got); d != "" {
			t.Errorf("%s: %s", folder, d)
		}
	}
}

// As pandas ranks: equal sites share the mean of their places.
func TestPercentileOfTies(t *testing.T) {
	var sites []*cwacSite
	for _, average := range []float64{0, 2, 2, 5} {
		sites = append(sites, &cwacSite{average: average})
	}
	var got []float64
	for _, s := range sites {
		got = append(got, percentile(s, sites))
	}
	if d := cmp.Diff([]float64{25, 62.5, 62.5, 100}, got); d != "" {
		t.Error(d)
	}
}
