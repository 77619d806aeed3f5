package report

import (
	"bytes"
	"crypto/sha256"
	_ "embed" // the page
	"encoding/base64"
	"fmt"
	"html/template"
	"io"
	"strings"
	"sync"

	"github.com/legwork-mcp/legwork/internal/cwac/results"
)

//go:embed page/report.html.tmpl
var pageText string

//go:embed page/report.css
var pageStyle string

var pageTemplate = sync.OnceValues(func() (*template.Template, error) {
	return template.New("report").Funcs(template.FuncMap{"changes": viewChanges}).Parse(pageText)
})

// What the page shows at most. It says what it leaves out.
const (
	pageRules    = 150
	pageReview   = 60
	pageGroups   = 12 // of a rule
	pageFirst    = 2  // of them without opening
	pagePlaces   = 600
	pagePages    = 150
	pageSites    = 100
	pageReading  = 15
	pageMore     = 8   // pages of a group beside its example
	pageHTML     = 300 // bytes of markup
	pageChanges  = 40
	pageStart    = 5
	pictureBytes = 3 << 20 // of all pictures of a page
)

// HTML writes one page that needs nothing else: its style and pictures are inside, it
// has no script, and its policy lets a browser load nothing. What the scanned pages
// said is text in it, and addresses are links only if they are of http or https.
func (rep *Report) HTML(w io.Writer) error {
	t, err := pageTemplate()
	if err != nil {
		return err
	}
	v := newPageView(rep)
	sum := sha256.Sum256([]byte(pageStyle))
	v.CSS = template.CSS(pageStyle) // our own file
	v.CSP = "default-src 'none'; style-src 'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'; img-src data:; base-uri 'none'; form-action 'none'"
	var b bytes.Buffer
	if err := t.Execute(&b, v); err != nil {
		return err
	}
	_, err = io.WriteString(w, inOrder.Replace(b.String()))
	return err
}

// inOrder makes the characters harmless that turn the direction of what follows, with
// which a page could turn the words of the report around, and the one with which a
// sequence for terminals begins, for those who read the file there.
var inOrder = strings.NewReplacer("\x1b", "\ufffd",
	"\u202a", "\ufffd", "\u202b", "\ufffd", "\u202c", "\ufffd", "\u202d", "\ufffd", "\u202e", "\ufffd",
	"\u2066", "\ufffd", "\u2067", "\ufffd", "\u2068", "\ufffd", "\u2069", "\ufffd")

// pageView is what the template shows.
type pageView struct {
	R           *Report
	CSS         template.CSS
	CSP         string
	Name        string
	Facts       string
	ReviewCount int
	Contents    []anchor
	ImpactBar   []segment
	Impacts     []Tally
	Start       []*ruleView
	StartShare  string
	Rules       []*ruleView
	RulesLeft   string
	Review      []*ruleView
	ReviewLeft  string

	Pages        []pageRow
	PagesCaption string
	Sites        []siteRow
	SitesLeft    string
	Formula      string
	Reading      []readingRow
	Ledger       string
	Unscanned    []unscannedRow
	Coverage     []coverageRow
	CoverageBar  []segment

	places int // shown so far
}

type anchor struct{ ID, Text string }

// segment is a part of a bar of 1000 units.
type segment struct {
	Class string
	X, W  int
}

func newPageView(rep *Report) *pageView {
	v := &pageView{R: rep, Name: rep.name(), Facts: rep.factsLine(), Ledger: rep.ledger(), Formula: Formula}
	gallery := newGallery(rep)
	for i, r := range rep.Rules[:min(len(rep.Rules), pageRules)] {
		v.Rules = append(v.Rules, v.rule(fmt.Sprintf("rule-%d", i+1), r, gallery))
	}
	for i, r := range rep.Review[:min(len(rep.Review), pageReview)] {
		v.Review = append(v.Review, v.rule(fmt.Sprintf("question-%d", i+1), r, gallery))
	}
	for _, r := range rep.Review {
		v.ReviewCount += r.Counts.Issues
	}
	v.RulesLeft = strings.TrimSpace(more(len(rep.Rules), pageRules, "rules"))
	v.ReviewLeft = strings.TrimSpace(more(len(rep.Review), pageReview, "questions"))
	v.start()
	v.bars()
	v.rows()
	v.contents()
	return v
}

// name is what the scan is of, for its heading.
func (rep *Report) name() string {
	if len(rep.Sites) == 1 {
		return strings.TrimSuffix(strings.TrimPrefix(strings.TrimPrefix(rep.Sites[0].URL, "https://"), "http://"), "/")
	}
	if rep.Scan.AuditName != "" {
		return rep.Scan.AuditName
	}
	return rep.Scan.Name
}

func (rep *Report) factsLine() string {
	parts := []string{rep.Scan.AuditName}
	if !rep.Scan.Start.IsZero() {
		parts = append(parts, rep.Scan.Start.Format("2 January 2006, 15:04"))
	}
	parts = append(parts, count(rep.Scan.Scanned, "page", "pages"))
	for _, vp := range rep.Scan.Viewports {
		parts = append(parts, viewportText(vp))
	}
	if version := rep.axeVersion(); version != "" {
		parts = append(parts, "axe-core "+version)
	}
	return strings.Join(parts, " · ")
}

func viewportText(v results.Viewport) string {
	return fmt.Sprintf("%s %d × %d", v.Name, v.Width, v.Height)
}

// start chooses the rules to begin with: they are sorted for it. Those beside WCAG
// come in only when there are no others.
func (v *pageView) start() {
	sum := 0
	for _, r := range v.Rules {
		if len(v.Start) == pageStart || v.R.WCAG.Issues > 0 && len(r.R.Criteria) == 0 {
			continue
		}
		v.Start = append(v.Start, r)
		sum += r.R.Counts.Issues
	}
	if v.R.Totals.Issues > 0 {
		v.StartShare = fmt.Sprintf("These rules make up %d of the %s (%d %%). What blocks most people comes first, then what is on most pages.",
			sum, count(v.R.Totals.Issues, "issue", "issues"), sum*100/v.R.Totals.Issues)
	}
}

func (v *pageView) bars() {
	var parts []Tally
	for _, t := range v.R.ByImpact {
		if t.Issues > 0 {
			v.Impacts = append(v.Impacts, t)
			parts = append(parts, t)
		}
	}
	v.ImpactBar = stack(parts, v.R.Totals.Issues)
	c := v.R.Coverage
	states := []struct {
		state, title string
		n            int
	}{
		{CriterionFailed, "Criteria with faults", c.Failed}, {CriterionReview, "Criteria with findings that a person must decide", c.Review},
		{CriterionTouched, "Criteria touched by rules that found nothing; a person checks the rest", c.Touched},
		{CriterionPerson, "Criteria that no rule looked at; a person checks them", c.Person},
	}
	parts = nil
	for _, s := range states {
		row := coverageRow{Title: s.title}
		for _, one := range c.Criteria {
			if one.State == s.state {
				row.Criteria = append(row.Criteria, one)
			}
		}
		if row.Criteria != nil {
			v.Coverage = append(v.Coverage, row)
			parts = append(parts, Tally{Name: s.state, Counts: Counts{Issues: s.n}})
		}
	}
	v.CoverageBar = stack(parts, len(c.Criteria))
}

// stack divides a bar by issues, with a gap between its parts.
func stack(parts []Tally, all int) []segment {
	const whole, gap = 1000, 3
	var out []segment
	sum := 0
	for _, p := range parts {
		from, to := sum*whole/max(all, 1), (sum+p.Issues)*whole/max(all, 1)
		out = append(out, segment{p.Name, from, max(to-from-gap, 1)})
		sum += p.Issues
	}
	return out
}

func (v *pageView) contents() {
	for _, s := range []struct {
		is       bool
		id, text string
	}{
		{len(v.Start) > 0, "start", "Where to start"}, {v.R.Comparison != nil, "since", "Since the last scan"},
		{len(v.Rules) > 0, "issues", "Issues by rule"}, {len(v.Review) > 0, "review", "Questions for a person"},
		{len(v.Pages) > 0, "pages", "Pages"}, {len(v.R.Sites) > 1, "sites", "Sites"}, {len(v.Reading) > 0, "reading", "Reading"},
		{true, "ledger", "Not scanned"}, {true, "coverage", "How far it looked"}, {true, "counted", "How it was counted"},
	} {
		if s.is {
			v.Contents = append(v.Contents, anchor{s.id, s.text})
		}
	}
}
