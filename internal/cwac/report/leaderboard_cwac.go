package report

import (
	"bytes"
	"cmp"
	"encoding/csv"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/legwork-mcp/legwork/internal/cwac/results"
)

// File is one file of a report.
type File struct {
	Name string
	Data []byte
}

// CWACLeaderboards makes the files *_leaderboard.csv of CWAC's report script, of the
// audits that ran, in its shapes. With contract "A" or "B" the figures are those that
// CWAC of that contract computes from the same folder. With "" they are true:
//
//   - axe: num_issues are the groups of a site (equal faults of its pages once, viewports
//     merged, without good practice), num_pages_scanned all pages of it, and sites without
//     a fault are listed. CWAC counts a fault at each viewport, counts pages only if a
//     group was first seen there or they are clean, and A leaves clean sites out.
//   - language: the mean SMOG grade of the pages; reflow: the mean true overflow of the
//     pages, where CWAC stops at 100 pixels; focus: faults merged over viewports.
//
// average_num_issues_per_page is num_issues / num_pages_scanned to two decimals;
// percentile is the rank of that average among the sites, in percent, ties averaged,
// 100 the worst.
func (rep *Report) CWACLeaderboards(contract string) ([]File, error) {
	l := cwacLeague{rep: rep, contract: contract}
	var files []File
	for _, one := range []struct {
		audit string
		make  func() ([][]string, error)
	}{
		{results.AuditAxe, l.axe}, {results.AuditFocus, l.focus}, {results.AuditReflow, l.reflow}, {results.AuditLanguage, l.language},
	} {
		if !rep.source.Has(one.audit + ".csv") {
			continue
		}
		rows, err := one.make()
		if err != nil {
			return nil, err
		}
		var b bytes.Buffer
		if err := csv.NewWriter(&b).WriteAll(rows); err != nil {
			return nil, err
		}
		files = append(files, File{one.audit + "_leaderboard.csv", b.Bytes()})
	}
	return files, nil
}

type cwacLeague struct {
	rep      *Report
	contract string
}

// cwacSite is what is summed up of a base URL.
type cwacSite struct {
	organisation, url string
	pages             map[string]bool
	issues            int
	sum               float64
	rows              int
	average           float64
}

type cwacSites map[[2]string]*cwacSite

func (s cwacSites) of(organisation, url string) *cwacSite {
	key := [2]string{organisation, url}
	if s[key] == nil {
		s[key] = &cwacSite{organisation: organisation, url: url, pages: map[string]bool{}}
	}
	return s[key]
}

// sorted are the sites with the highest average first.
func (s cwacSites) sorted() []*cwacSite {
	var out []*cwacSite
	for _, one := range s {
		out = append(out, one)
	}
	slices.SortFunc(out, func(a, b *cwacSite) int {
		return cmp.Or(cmp.Compare(b.average, a.average), strings.Compare(a.organisation, b.organisation), strings.Compare(a.url, b.url))
	})
	return out
}

func (l cwacLeague) axe() ([][]string, error) {
	sites, err := l.trueAxe(), error(nil)
	if l.contract != "" {
		sites, err = l.templates()
	}
	if err != nil {
		return nil, err
	}
	for key, s := range sites {
		if l.contract == results.ContractA && s.issues == 0 {
			delete(sites, key)
			continue
		}
		if len(s.pages) > 0 {
			s.average = round2(float64(s.issues) / float64(len(s.pages)))
		}
	}
	rows := [][]string{{"organisation", "base_url", "num_pages_scanned", "num_issues", "average_num_issues_per_page", "percentile"}}
	order := sites.sorted()
	for _, s := range order {
		rows = append(rows, []string{s.organisation, s.url, strconv.Itoa(len(s.pages)), strconv.Itoa(s.issues), number(s.average), number(percentile(s, order))})
	}
	return rows, nil
}

// templates counts as CWAC does: groups of base URL, rule, markup and viewport; the
// pages are those of the first row of each group and those without a fault.
func (l cwacLeague) templates() (cwacSites, error) {
	sites, seen := cwacSites{}, map[[4]string]bool{}
	for r, err := range l.rep.source.Records(results.AuditAxe + ".csv") {
		if err != nil {
			return nil, err
		}
		s := sites.of(r.Get("organisation"), r.Get("base_url"))
		key := [4]string{r.Get("base_url"), r.Get("id"), r.Get("html"), r.Get("viewport_size")}
		switch {
		case r.Get("num_issues") == "0":
		case seen[key]:
			continue
		default:
			seen[key] = true
			if r.Get("best-practice") == "No" {
				s.issues++
			}
		}
		s.pages[r.Get("url")] = true
	}
	return sites, nil
}

func (l cwacLeague) trueAxe() cwacSites {
	sites := l.scanned()
	for _, r := range l.rep.Rules {
		if r.Audit != results.AuditAxe || r.Best {
			continue
		}
		for _, g := range r.Groups {
			in := map[*cwacSite]bool{}
			for _, i := range g.Issues {
				in[sites.of(i.Organisation, i.Site)] = true
			}
			for s := range in {
				s.issues++
			}
		}
	}
	return sites
}

// scanned are the sites with their pages.
func (l cwacLeague) scanned() cwacSites {
	sites, owner := cwacSites{}, map[string]string{}
	for _, s := range l.rep.Sites {
		owner[s.URL] = s.Organisation
	}
	for _, p := range l.rep.Pages {
		if p.scanned() {
			sites.of(owner[p.Site], p.Site).pages[p.URL] = true
		}
	}
	return sites
}

func (l cwacLeague) focus() ([][]string, error) {
	sites := cwacSites{}
	for r, err := range l.rep.source.Records(results.AuditFocus + ".csv") {
		if err != nil {
			return nil, err
		}
		s := sites.of(r.Get("organisation"), r.Get("base_url"))
		s.pages[r.Get("url")] = true
		if n, err := strconv.Atoi(r.Get("num_issues")); err == nil && l.contract != "" {
			s.issues += n
		}
	}
	if l.contract == "" {
		sites = l.scanned()
		for _, r := range l.rep.Rules {
			if r.Audit == results.AuditFocus {
				for _, g := range r.Groups {
					for _, i := range g.Issues {
						sites.of(i.Organisation, i.Site).issues += i.Count
					}
				}
			}
		}
	}
	for _, s := range sites {
		if len(s.pages) > 0 {
			s.average = round2(float64(s.issues) / float64(len(s.pages)))
		}
	}
	rows := [][]string{{"organisation", "base_url", "num_issues", "num_pages_scanned", "average_count"}}
	for _, s := range sites.sorted() {
		rows = append(rows, []string{s.organisation, s.url, strconv.Itoa(s.issues), strconv.Itoa(len(s.pages)), number(s.average)})
	}
	return rows, nil
}

func (l cwacLeague) reflow() ([][]string, error) {
	wanted := "overflow_px"
	if l.contract != "" {
		wanted = "capped_px"
	}
	return l.mean(results.AuditReflow, []string{wanted, "capped_px"}, "overflow_amount_px")
}

func (l cwacLeague) language() ([][]string, error) {
	return l.mean(results.AuditLanguage, []string{"smog_gl"}, "smog_grade_level")
}

// mean averages a measure, of the first of the keys that a view has, over the views
// of a site; the true one over its pages.
func (l cwacLeague) mean(audit string, keys []string, column string) ([][]string, error) {
	sites := cwacSites{}
	for m, err := range measures(l.rep.source, audit) {
		if err != nil {
			return nil, err
		}
		s := sites.of(m.View.Site.Organisation, m.View.BaseURL)
		if l.contract == "" {
			s = sites.of(m.View.Site.Organisation, m.View.Site.URL)
		}
		at := slices.IndexFunc(keys, func(k string) bool { _, ok := m.Values[k].(float64); return ok })
		if at < 0 || l.contract == "" && s.pages[m.View.URL] || m.Values["skipped"] != nil {
			continue
		}
		s.pages[m.View.URL] = true
		s.sum += m.Values[keys[at]].(float64)
		s.rows++
	}
	rows := [][]string{{"organisation", "base_url", column, "num_pages_scanned"}}
	for _, s := range sites.sorted() {
		if s.rows > 0 {
			rows = append(rows, []string{s.organisation, s.url, number(s.sum / float64(s.rows)), strconv.Itoa(len(s.pages))})
		}
	}
	return rows, nil
}

// percentile is the share of sites that are not worse, in percent; equal sites share
// the mean of their places.
func percentile(s *cwacSite, all []*cwacSite) float64 {
	below, equal := 0, 0
	for _, o := range all {
		switch {
		case o.average < s.average:
			below++
		case o.average == s.average:
			equal++
		}
	}
	place := float64(below) + float64(equal+1)/2
	return round2(place / float64(len(all)) * 100)
}

func round2(f float64) float64 { return math.Round(f*100) / 100 }

// number is a float as Python prints it.
func number(f float64) string {
	text := strconv.FormatFloat(f, 'f', -1, 64)
	if !strings.Contains(text, ".") {
		text += ".0"
	}
	return text
}
