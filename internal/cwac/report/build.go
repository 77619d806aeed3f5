package report

import (
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"slices"
	"strings"

	"github.com/legwork-mcp/legwork/internal/cwac/results"
)

// Build counts a results folder of either engine, also one that is still being
// written. It reads the folder once and holds one value for each issue.
func Build(r *results.Results) (*Report, error) {
	rep := &Report{Scan: facts(r)}
	pages, err := readPages(r)
	if err != nil {
		return nil, fmt.Errorf("read the pages of %s: %w", r.Name, err)
	}
	faults, err := merge(r.Findings(), pages)
	if err != nil {
		return nil, fmt.Errorf("read the findings of %s: %w", r.Name, err)
	}
	review, err := merge(r.NeedsReview(), pages)
	if err != nil {
		return nil, fmt.Errorf("read what needs review of %s: %w", r.Name, err)
	}
	rep.Rules, rep.Review = faults.rules(), review.rules()
	rep.tally(pages)
	rep.addPages(pages)
	if err := rep.addSites(r, pages); err != nil {
		return nil, fmt.Errorf("read the sites of %s: %w", r.Name, err)
	}
	if err := rep.addReading(r); err != nil {
		return nil, fmt.Errorf("read the texts of %s: %w", r.Name, err)
	}
	rep.Coverage = coverage(r, rep)
	rep.source, rep.Untested, rep.documents = r, pages.untested, pages.documents
	rep.Notes = notes(r, rep)
	return rep, nil
}

func facts(r *results.Results) Facts {
	f := Facts{Name: r.Name, AuditName: r.AuditName, Engine: r.Engine, Start: r.Start, Audits: r.Audits}
	if s := r.Scan; s != nil {
		f.Versions, f.State, f.End, f.Viewports, f.Audits = s.Versions, s.State, s.End, s.Viewports, s.Plugins
		if s.AuditName != "" {
			f.AuditName = s.AuditName
		}
	} else if r.Config != nil {
		f.Viewports = r.Config.Viewports
	}
	return f
}

// notes are what makes the figures say less than they seem to.
func notes(r *results.Results, rep *Report) []string {
	var out []string
	switch rep.Scan.State {
	case results.StateRunning:
		out = append(out, "The scan is still running: these are its results so far.")
	case results.StateCancelled:
		out = append(out, "The scan was cancelled: it did not see all pages.")
	case results.StateFailed:
		out = append(out, "The scan failed: "+r.Scan.Error)
	}
	if rep.Scan.Scanned == 0 {
		out = append(out, "No page was scanned. No fault was found because nothing was looked at.")
	}
	if text := rep.InPart(); text != "" {
		out = append(out, text)
	}
	for _, g := range rep.Untested {
		out = append(out, g.String())
	}
	if r.Engine == results.EngineCWAC {
		out = append(out, "CWAC tests the top document only: faults inside frames are not in these figures. It keeps no list of what needs review.")
	}
	if rep.Coverage.Assumed {
		out = append(out, "The engine did not write down which rules ran. The coverage statement takes the rules that axe-core runs by default.")
	}
	if r.Scan != nil {
		out = append(out, together(r.Scan.Notes)...)
	}
	for _, p := range r.Problems {
		out = append(out, "A file of the results could not be read: "+p)
	}
	return out
}

// together says once what is true of several places.
func together(notes []results.Note) []string {
	var texts []string
	places := map[string][]string{}
	for _, n := range notes {
		if _, known := places[n.Text]; !known {
			texts = append(texts, n.Text)
			places[n.Text] = nil
		}
		if n.Where != "" && !slices.Contains(places[n.Text], n.Where) {
			places[n.Text] = append(places[n.Text], n.Where)
		}
	}
	for i, text := range texts {
		if at := places[text]; len(at) > 0 {
			texts[i] = placed(at[0], len(at)) + text
		}
	}
	return texts
}

// placed begins a text that is about some places, with the first of them.
func placed(first string, n int) string {
	if n == 1 {
		return first + ": "
	}
	return fmt.Sprintf("%s and %d more: ", first, n-1)
}

// InPart says how many pages were scanned in part only, and of one of them why; nothing
// when none was. No issue on such a page is no clean result.
func (rep *Report) InPart() string {
	said, one := rep.PartlyScanned()
	if one != nil {
		said = strings.TrimSuffix(said, ".") + " (on " + clip(one.URL, 200) + ": " + strings.TrimRight(clip(one.Reason, 300), ".") + ")."
	}
	return said
}

// PartlyScanned is the same in words that hold nothing of a site, and the first of these
// pages whose reason is known.
func (rep *Report) PartlyScanned() (said string, example *Page) {
	n := partly(rep.Pages)
	if n == 0 {
		return "", nil
	}
	said = count(n, "page was", "pages were") + " scanned in part only: some of their audits failed or ran out of time."
	for _, p := range rep.Pages {
		if p.State == results.PagePartial && p.Reason != "" {
			return said, p
		}
	}
	return said, nil
}

func partly(pages []*Page) int {
	n := 0
	for _, p := range pages {
		if p.State == results.PagePartial {
			n++
		}
	}
	return n
}

// pageTable is what is known of addresses, scanned or not.
type pageTable struct {
	byURL     map[string]*Page
	skipped   map[string]results.PageOutcome // addresses that an audit can still have something to say of
	order     []*Page
	unscanned map[[2]string]*Unscanned
	known     int
	documents []string // those that an audit looked at
	untested  []Untested
}

const maxExamples = 20 // addresses listed of each reason

func readPages(r *results.Results) (*pageTable, error) {
	t := &pageTable{byURL: map[string]*Page{}, skipped: map[string]results.PageOutcome{}, unscanned: map[[2]string]*Unscanned{}}
	for o, err := range r.Pages() {
		if err != nil {
			return nil, err
		}
		t.outcome(o)
	}
	if len(t.order) > 0 || r.Engine == results.EngineLegwork {
		return t, nil
	}
	// A folder of copies, without the list of pages: those that have a row.
	for _, audit := range r.Audits {
		for record, err := range r.Records(audit + ".csv") {
			if err != nil && !errors.Is(err, fs.ErrNotExist) {
				return nil, err
			}
			t.page(results.View{URL: record.Get("url"), Title: record.Get("page_title"), Site: results.Site{
				Organisation: record.Get("organisation"), URL: record.Get("base_url"), Sector: record.Get("sector"),
			}})
		}
	}
	return t, nil
}

func (t *pageTable) outcome(o results.PageOutcome) {
	t.known++
	if o.State == results.PageScanned || o.State == results.PagePartial {
		p := t.page(results.View{URL: o.URL, Title: o.Title, Site: o.Site})
		if p.State = o.State; o.State == results.PagePartial {
			p.Reason = orElse(o.Detail, ReasonText(o.Reason))
		}
		p.short = shortfallOf(o)
		t.untested = withUntested(t.untested, o)
		for _, n := range o.Notes {
			p.Notes = append(p.Notes, n.Text)
		}
		if o.Final != "" {
			t.byURL[o.Final] = p
		}
		return
	}
	if o.Reason == "document" && o.PageID > 0 {
		o.Reason = checkedDocument
		t.documents = append(t.documents, o.URL)
	}
	t.skipped[o.URL] = o
	key := [2]string{o.State, o.Reason}
	u := t.unscanned[key]
	if u == nil {
		u = &Unscanned{State: o.State, Reason: o.Reason}
		t.unscanned[key] = u
	}
	if u.Count++; len(u.Examples) < maxExamples {
		u.Examples = append(u.Examples, UnscannedAddress{URL: o.URL, Parent: o.Parent, Detail: clip(o.Detail, maxPlace), Status: o.Status})
	}
}

// page finds the page of a view. A view with a finding whose page has no outcome yet
// is of a scan that still runs, or was killed.
func (t *pageTable) page(v results.View) *Page {
	p := t.byURL[v.URL]
	if p == nil {
		p = &Page{URL: v.URL, Site: v.Site.URL, State: results.PageScanned, owner: v.Site}
		if o, ok := t.skipped[v.URL]; ok {
			p.State, p.Reason = o.State, o.Reason
		}
		t.byURL[v.URL] = p
		t.order = append(t.order, p)
	}
	if p.Title == "" {
		p.Title = v.Title
	}
	return p
}

func (p *Page) scanned() bool {
	return p.State == results.PageScanned || p.State == results.PagePartial
}

func (rep *Report) addPages(t *pageTable) {
	rep.Pages = t.order
	slices.SortStableFunc(rep.Pages, func(a, b *Page) int {
		if a.Counts.Issues != b.Counts.Issues {
			return b.Counts.Issues - a.Counts.Issues
		}
		return strings.Compare(a.URL, b.URL)
	})
	for _, u := range t.unscanned {
		rep.Unscanned = append(rep.Unscanned, *u)
	}
	slices.SortFunc(rep.Unscanned, func(a, b Unscanned) int {
		if a.Count != b.Count {
			return b.Count - a.Count
		}
		return strings.Compare(a.State+a.Reason, b.State+b.Reason)
	})
	for _, p := range t.order {
		if p.scanned() {
			rep.Scan.Scanned++
		}
	}
	rep.Scan.Known = max(t.known, len(t.order))
}

// addReading keeps one measure a page: its text is the same at every viewport.
func (rep *Report) addReading(r *results.Results) error {
	seen := map[string]bool{}
	for m, err := range measures(r, results.AuditLanguage) {
		if err != nil {
			return err
		}
		grade, ok := m.Values["flesch_kincaid_gl"].(float64)
		if sentences, _ := m.Values["num_sentences"].(float64); !ok || sentences == 0 || seen[m.View.URL] {
			continue
		}
		seen[m.View.URL] = true
		rep.Reading = append(rep.Reading, reading(m, grade))
	}
	slices.SortStableFunc(rep.Reading, func(a, b Reading) int {
		switch {
		case a.Grade > b.Grade:
			return -1
		case a.Grade < b.Grade:
			return 1
		}
		return strings.Compare(a.URL, b.URL)
	})
	return nil
}

func reading(m results.Measure, grade float64) Reading {
	out := Reading{URL: m.View.URL, Title: m.View.Title, Grade: grade}
	out.SMOG, _ = m.Values["smog_gl"].(float64)
	sentences, _ := m.Values["num_sentences"].(float64)
	out.Sentences = int(sentences)
	hardest, _ := m.Values["hardest"].([]any)
	for _, h := range hardest {
		if text, ok := h.(string); ok {
			out.Hardest = append(out.Hardest, clip(text, maxSummary))
		}
	}
	return out
}

func measures(r *results.Results, audit string) iter.Seq2[results.Measure, error] {
	return func(yield func(results.Measure, error) bool) {
		for m, err := range r.Measures() {
			if (err != nil || m.Audit == audit) && !yield(m, err) {
				return
			}
		}
	}
}

// count is a number with its noun.
func count(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}
