package results

import (
	"testing"
)

// counts are what a folder holds, all of it read.
type counts struct {
	issues, rows, unique, views int
}

func axeCounts(t *testing.T, r *Results) counts {
	t.Helper()
	var c counts
	merged := map[[4]string]map[string]int{}
	for f, err := range r.Findings() {
		if err != nil {
			t.Fatal(err)
		}
		if f.Audit != AuditAxe {
			continue
		}
		c.rows++
		c.issues += f.Count
		key := [4]string{f.View.URL, f.Rule, f.HTML, f.Target}
		if merged[key] == nil {
			merged[key] = map[string]int{}
		}
		merged[key][f.View.Viewport.Name] += f.Count
	}
	for _, byViewport := range merged {
		most := 0
		for _, n := range byViewport {
			most = max(most, n)
		}
		c.unique += most
	}
	seen := map[string]bool{}
	for record, err := range r.Records(AuditAxe + ".csv") {
		if err != nil {
			t.Fatal(err)
		}
		seen[record.Get("audit_id")] = true
	}
	c.views = len(seen)
	return c
}

func TestReaderCountsTheFoldersOfCWAC(t *testing.T) {
	for folder, want := range map[string]counts{
		"contract-a":                 {80, 80, 40, 48},
		"contract-c-default-plugins": {80, 80, 40, 48},
		"contract-c-all-plugins":     {18, 18, 9, 12},
	} {
		r, err := Open("testdata/" + folder)
		if err != nil {
			t.Fatal(err)
		}
		if got := axeCounts(t, r); got != want {
			t.Errorf("%s: got %+v, want %+v", folder, got, want)
		}
	}
}
