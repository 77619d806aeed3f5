package report

import (
	"math"
	"slices"
	"strings"

	"github.com/legwork-mcp/legwork/internal/cwac/results"
)

// tally counts one part of the issues.
type tally struct {
	instances, issues, groups, templates int
	pages                                map[string]bool
}

func newTally() *tally { return &tally{pages: map[string]bool{}} }

func (t *tally) add(i *Issue) {
	t.instances += i.Instances
	t.issues += i.Count
	t.pages[i.Page] = true
}

// group counts a group that is on so many pages.
func (t *tally) group(pages int) {
	t.groups++
	if pages > 1 {
		t.templates++
	}
}

func (t *tally) counts() Counts {
	return Counts{t.instances, t.issues, len(t.pages), t.groups, t.templates}
}

// tallies count by name.
type tallies map[string]*tally

func (t tallies) of(name string) *tally {
	if t[name] == nil {
		t[name] = newTally()
	}
	return t[name]
}

// tally fills the counts of the whole, of audits, impacts and pages.
func (rep *Report) tally(pages *pageTable) {
	all, wcag := newTally(), newTally()
	audits, impacts, byPage := tallies{}, tallies{}, tallies{}
	for _, r := range rep.Rules {
		for _, g := range r.Groups {
			parts := []*tally{all, audits.of(r.Audit)}
			if len(r.Criteria) > 0 {
				parts = append(parts, wcag)
			}
			for _, t := range parts {
				t.group(g.Counts.Pages)
			}
			impacts.of(g.Impact).group(g.Counts.Pages)
			on := map[string]bool{}
			for _, i := range g.Issues {
				for _, t := range append(parts, impacts.of(i.Impact), byPage.of(i.Page)) {
					t.add(i)
				}
				if !on[i.Page] {
					on[i.Page] = true
					byPage.of(i.Page).group(g.Counts.Pages)
				}
				if p := pages.byURL[i.Page]; p.Worst == "" || worse(i.Impact, p.Worst) {
					p.Worst = i.Impact
				}
			}
		}
	}
	rep.Totals, rep.WCAG = all.counts(), wcag.counts()
	for _, name := range results.Audits() {
		if t := audits[name]; t != nil || slices.Contains(rep.Scan.Audits, name) && findsFaults(name) {
			rep.ByAudit = append(rep.ByAudit, Tally{name, audits.of(name).counts()})
		}
	}
	for _, impact := range Impacts() {
		rep.ByImpact = append(rep.ByImpact, Tally{impact, impacts.of(impact).counts()})
	}
	for url, t := range byPage {
		pages.byURL[url].Counts = t.counts()
		if !pages.byURL[url].scanned() {
			rep.Beside++
		}
	}
	for _, r := range rep.Review {
		for _, g := range r.Groups {
			for _, i := range g.Issues {
				pages.byURL[i.Page].Review += i.Count
			}
		}
	}
}

// PagesAffected is how many of the scanned pages have an issue.
func (rep *Report) PagesAffected() int { return rep.Totals.Pages - rep.Beside }

// findsFaults tells audits that judge from those that only record: their rows are no
// issues, however many there are.
func findsFaults(audit string) bool {
	switch audit {
	case results.AuditLanguage, results.AuditTitle, results.AuditScreenshot, results.AuditElement:
		return false
	}
	return true
}

// addSites counts by base URL. Sites without a fault are there too.
func (rep *Report) addSites(r *results.Results, pages *pageTable) error {
	sites := map[string]*Site{}
	var order []*Site
	site := func(s results.Site) *Site {
		one := sites[s.URL]
		if one == nil {
			one = &Site{URL: s.URL, ByImpact: map[string]int{}}
			sites[s.URL] = one
			order = append(order, one)
		}
		if one.Organisation == "" {
			one.Organisation, one.Sector = s.Organisation, s.Sector
		}
		return one
	}
	ended, err := r.Sites()
	if err != nil {
		return err
	}
	for _, o := range ended {
		site(o.Site).Reason = o.Reason
	}
	for _, p := range pages.order {
		if p.scanned() {
			one := site(p.owner)
			if one.Scanned++; p.State == results.PagePartial {
				one.Partly++
			}
		}
	}
	counts := tallies{}
	for _, rule := range rep.Rules {
		for _, g := range rule.Groups {
			seen := map[string]map[string]bool{}
			for _, i := range g.Issues {
				one := site(results.Site{Organisation: i.Organisation, URL: i.Site, Sector: i.Sector})
				one.ByImpact[i.Impact] += i.Count
				counts.of(i.Site).add(i)
				if seen[i.Site] == nil {
					seen[i.Site] = map[string]bool{}
				}
				seen[i.Site][i.Page] = true
			}
			for url, on := range seen {
				counts.of(url).group(len(on))
			}
		}
	}
	for _, one := range order {
		one.Counts = counts.of(one.URL).counts()
		if one.Scanned > 0 {
			one.PerPage = math.Round(float64(one.Counts.Issues)/float64(one.Scanned)*100) / 100
		}
		rep.Sites = append(rep.Sites, *one)
	}
	rankSites(rep.Sites)
	return nil
}

// rankSites sorts by issues per page, fewest first; sites without a page that was
// looked at wholly come last and have no rank, since too little is known of them.
func rankSites(sites []Site) {
	slices.SortStableFunc(sites, func(a, b Site) int {
		switch {
		case a.rankable() != b.rankable():
			if b.rankable() {
				return 1
			}
			return -1
		case a.PerPage != b.PerPage:
			if a.PerPage < b.PerPage {
				return -1
			}
			return 1
		case a.Organisation != b.Organisation:
			return strings.Compare(a.Organisation, b.Organisation)
		}
		return strings.Compare(a.URL, b.URL)
	})
	for i := range sites {
		switch {
		case !sites[i].rankable():
		case i > 0 && sites[i].PerPage == sites[i-1].PerPage:
			sites[i].Rank = sites[i-1].Rank
		default:
			sites[i].Rank = i + 1
		}
	}
}

// rankable reports whether the figures of a site can be compared with others.
func (s Site) rankable() bool { return s.Scanned > s.Partly }
