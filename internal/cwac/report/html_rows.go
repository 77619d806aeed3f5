package report

import (
	"fmt"
	"strings"
)

// bar is one bar of a table, of 100 units.
type bar struct {
	Class string
	W     int
}

type pageRow struct {
	address
	Issues, Review int
	Bar            bar
}

type siteRow struct {
	address
	Organisation    string
	Scanned, Issues int
	PerPage         string
}

type readingRow struct {
	address
	Grade, SMOG float64
	Hardest     *hardest
}

type hardest struct {
	Title string
	List  []string
}

type unscannedRow struct {
	Label     string
	Count     int
	Addresses []unscannedAddress
	Left      string
}

type unscannedAddress struct {
	address
	More string
}

type coverageRow struct {
	Title    string
	Criteria []CriterionCoverage
}

// rows fills the tables.
func (v *pageView) rows() {
	most := 1
	for i, p := range v.R.Pages {
		if i == 0 {
			most = max(1, p.Counts.Issues)
		}
		if i == pagePages {
			break
		}
		row := pageRow{address: newAddress(p.URL, p.Title), Issues: p.Counts.Issues, Review: p.Review}
		row.Bar = bar{p.Worst, p.Counts.Issues * 100 / most}
		v.Pages = append(v.Pages, row)
	}
	v.PagesCaption = "No page has an issue." // and then bars would only look like some
	if v.R.Totals.Issues > 0 {
		v.PagesCaption = "Most issues first. The colour of a bar is the worst impact on the page."
	}
	if left := len(v.R.Pages) - len(v.Pages); left > 0 {
		v.PagesCaption += fmt.Sprintf(" %d more pages are not listed.", left)
	}
	for _, s := range v.R.Sites[:min(len(v.R.Sites), pageSites)] {
		row := siteRow{address: newAddress(s.URL, ""), Organisation: s.Organisation, Scanned: s.Scanned, Issues: s.Counts.Issues, PerPage: "not scanned"}
		if s.Scanned > 0 {
			row.PerPage = fmt.Sprintf("%.2f", s.PerPage)
		}
		v.Sites = append(v.Sites, row)
	}
	v.SitesLeft = strings.TrimSpace(more(len(v.R.Sites), pageSites, "sites"))
	for _, r := range v.R.Reading[:min(len(v.R.Reading), pageReading)] {
		row := readingRow{address: newAddress(r.URL, r.Title), Grade: r.Grade, SMOG: r.SMOG}
		if len(r.Hardest) > 0 {
			row.Hardest = &hardest{"Hardest sentences of " + clip(r.Title+", "+r.URL, 120), r.Hardest[:min(len(r.Hardest), 3)]}
		}
		v.Reading = append(v.Reading, row)
	}
	for _, u := range v.R.Unscanned {
		v.Unscanned = append(v.Unscanned, newUnscanned(u))
	}
}

func newUnscanned(u Unscanned) unscannedRow {
	row := unscannedRow{Label: u.Label(), Count: u.Count}
	for _, a := range u.Examples {
		one := unscannedAddress{address: newAddress(a.URL, "")}
		var facts []string
		if a.Status > 0 && a.Status != 200 {
			facts = append(facts, fmt.Sprintf("answered %d", a.Status))
		}
		if a.Detail != "" {
			facts = append(facts, clip(a.Detail, 200))
		}
		if a.Parent != "" && a.Parent != a.URL {
			facts = append(facts, "linked from "+clip(a.Parent, 200))
		}
		if facts != nil {
			one.More = "(" + strings.Join(facts, "; ") + ")"
		}
		row.Addresses = append(row.Addresses, one)
	}
	if left := u.Count - len(u.Examples); left > 0 {
		row.Left = fmt.Sprintf("and %d more", left)
	}
	return row
}

// changesView is one part of a comparison.
type changesView struct {
	Title, Groups string
	Issues        int
	Changes       []changeView
	Left          string
}

type changeView struct {
	Impact, Help, Amount, Place string
	Page                        address
}

func viewChanges(title string, p Part) changesView {
	v := changesView{Title: title, Issues: p.Issues, Groups: count(len(p.Changes), "place", "places")}
	for _, c := range p.Changes[:min(len(p.Changes), pageChanges)] {
		place := c.Example.Place()
		if place == "" {
			place = c.Rule
		}
		v.Changes = append(v.Changes, changeView{
			c.Impact, c.Help, count(c.Issues, "issue", "issues") + " on " + count(len(c.Pages), "page", "pages"), place, newAddress(c.Pages[0], ""),
		})
	}
	v.Left = strings.TrimSpace(more(len(p.Changes), pageChanges, "places"))
	return v
}
