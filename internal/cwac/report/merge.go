package report

import (
	"cmp"
	"iter"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/legwork-mcp/legwork/internal/cwac/results"
)

const (
	maxHTML    = 1000 // bytes kept of an element's markup
	maxPlace   = 500  // of a selector or XPath
	maxSummary = 600  // of a text about one element
)

// place is what makes two findings at two viewports one issue.
type place struct {
	page, audit, rule, frame, element string
}

// merger merges findings over viewports.
type merger struct {
	pages  *pageTable
	issues map[place]*merged
	order  []*merged
	rows   map[[2]string]*Rule // by audit and rule
	texts  map[string]string   // strings that many issues share
}

// merged is one issue. There may be hundreds of thousands: it keeps nothing that its
// rule has too.
type merged struct {
	issue       *Issue
	rule        *Rule
	atViewport  []int // as often as it is at each of the issue's viewports, in their order
	fingerprint string
}

func merge(findings iter.Seq2[results.Finding, error], pages *pageTable) (*merger, error) {
	m := &merger{pages: pages, issues: map[place]*merged{}, rows: map[[2]string]*Rule{}, texts: map[string]string{}}
	for f, err := range findings {
		if err != nil {
			return nil, err
		}
		if f.Count > 0 || f.Review {
			f.Count = max(f.Count, 1)
			m.add(f)
		}
	}
	return m, nil
}

func (m *merger) add(f results.Finding) {
	element := f.Selector
	if element == "" {
		element = f.Target + "\x00" + f.HTML
	}
	f.View.URL = m.pages.page(f.View).URL // not where it was redirected to
	key := place{f.View.URL, m.intern(f.Audit), m.intern(f.Rule), m.intern(f.Frame), element}
	one := m.issues[key]
	if one == nil {
		one = m.first(f)
		m.issues[key] = one
		m.order = append(m.order, one)
	}
	one.at(m.intern(f.View.Viewport.Name), f.Count)
	one.issue.Instances += f.Count
	if worse(impactOf(f), one.issue.Impact) {
		one.issue.Impact = m.intern(impactOf(f))
	}
	if one.issue.box == nil && f.Box != nil && f.Frame == "" {
		one.issue.box, one.issue.shot, one.issue.shotWidth = f.Box, m.intern(f.View.AuditID()), f.View.Viewport.Width
	}
}

// at counts the issue at a viewport; results of other programs may not name it.
func (one *merged) at(view string, n int) {
	i := one.issue
	if view == "" {
		i.Count = max(i.Count, i.Instances+n)
		return
	}
	at := slices.Index(i.Viewports, view)
	if at < 0 {
		at = len(i.Viewports)
		i.Viewports, one.atViewport = append(i.Viewports, view), append(one.atViewport, 0)
	}
	one.atViewport[at] += n
	i.Count = max(i.Count, one.atViewport[at])
}

func (m *merger) first(f results.Finding) *merged {
	i := &Issue{
		Page: m.intern(f.View.URL), Title: m.intern(f.View.Title), Organisation: m.intern(f.View.Site.Organisation),
		Site: m.intern(f.View.Site.URL), Sector: m.intern(f.View.Site.Sector), Impact: m.intern(impactOf(f)),
		Selector: clip(f.Selector, maxPlace), Target: clip(f.Target, maxPlace), Frame: m.intern(f.Frame),
		HTML: m.intern(clip(f.HTML, maxHTML)), Summary: m.intern(clip(f.Summary, maxSummary)), Data: f.Data, IssueID: f.IssueID,
	}
	one := &merged{issue: i, fingerprint: m.intern(f.Fingerprint)}
	if one.fingerprint == "" {
		one.fingerprint = m.intern(results.Fingerprint(f))
	}
	key := [2]string{f.Audit, f.Rule}
	if one.rule = m.rows[key]; one.rule == nil {
		one.rule = newRule(f)
		m.rows[key] = one.rule
	}
	return one
}

// intern keeps one copy of a text.
func (m *merger) intern(text string) string {
	if kept, ok := m.texts[text]; ok {
		return kept
	}
	text = strings.Clone(text)
	m.texts[text] = text
	return text
}

// rules groups the issues by rule and fingerprint.
func (m *merger) rules() []*Rule {
	groups := map[*Rule]map[string]*Group{}
	for _, one := range m.order {
		r := one.rule
		if worse(one.issue.Impact, r.Impact) {
			r.Impact = one.issue.Impact
		}
		if groups[r] == nil {
			groups[r] = map[string]*Group{}
		}
		g := groups[r][one.fingerprint]
		if g == nil {
			g = &Group{Fingerprint: one.fingerprint, Impact: one.issue.Impact}
			groups[r][one.fingerprint] = g
			r.Groups = append(r.Groups, g)
		}
		g.add(one.issue)
	}
	out := make([]*Rule, 0, len(m.rows))
	for _, r := range m.rows {
		r.settle()
		out = append(out, r)
	}
	slices.SortFunc(out, func(a, b *Rule) int {
		return cmp.Or(rank(a.Impact)-rank(b.Impact), beside(a)-beside(b), b.Counts.Pages-a.Counts.Pages, b.Counts.Issues-a.Counts.Issues,
			strings.Compare(a.ID, b.ID), strings.Compare(a.Audit, b.Audit))
	})
	return out
}

// beside is 1 for a rule that is about no success criterion.
func beside(r *Rule) int {
	if len(r.Criteria) == 0 {
		return 1
	}
	return 0
}

func (g *Group) add(i *Issue) {
	g.Issues = append(g.Issues, i)
	if worse(i.Impact, g.Impact) {
		g.Impact = i.Impact
	}
	if g.Example == nil || telling(i) > telling(g.Example) {
		g.Example = i
	}
}

// telling is how much an issue shows to who looks at it as an example.
func telling(i *Issue) int {
	score := 0
	for points, has := range map[int]bool{8: i.box != nil, 4: i.Selector != "", 2: i.Summary != "", 1: i.HTML != "" && len(i.HTML) < maxHTML} {
		if has {
			score += points
		}
	}
	return score
}

// settle counts the groups of a rule and sorts them.
func (r *Rule) settle() {
	all := newTally()
	for _, g := range r.Groups {
		one := newTally()
		for _, i := range g.Issues {
			one.add(i)
			all.add(i)
		}
		one.group(len(one.pages))
		all.group(len(one.pages))
		g.Counts = one.counts()
	}
	r.Counts = all.counts()
	slices.SortStableFunc(r.Groups, func(a, b *Group) int {
		return cmp.Or(b.Counts.Pages-a.Counts.Pages, b.Counts.Issues-a.Counts.Issues, strings.Compare(a.Example.Page, b.Example.Page),
			strings.Compare(a.Fingerprint, b.Fingerprint))
	})
}

func newRule(f results.Finding) *Rule {
	k := known(f.Rule)
	r := &Rule{
		ID: f.Rule, Audit: f.Audit, Impact: impactOf(f), Help: f.Help, Description: f.Description, HelpURL: f.HelpURL,
		Tags: f.Tags, Best: f.Best, Fix: k.fix, Effort: k.effort, Criteria: criteriaOf(f.Tags, k.criteria),
	}
	r.Clauses = clauses(r.Criteria)
	if f.Audit == results.AuditPDF {
		for i, c := range r.Clauses { // chapter 10 is that of documents, with the same numbers
			r.Clauses[i] = "10" + strings.TrimPrefix(c, "9")
		}
	}
	r.Best = r.Best || len(r.Criteria) == 0 && slices.Contains(f.Tags, "best-practice")
	if f.Review {
		r.Question = k.question(f)
	}
	if r.Help == "" {
		r.Help = cmp.Or(f.Description, f.Rule)
	}
	return r
}

func impactOf(f results.Finding) string {
	if rank(f.Impact) < rank(Unknown) {
		return f.Impact
	}
	return Unknown
}

// rank is 0 for the worst impact. What is none of them is unknown.
func rank(impact string) int {
	if at := slices.Index(Impacts(), impact); at >= 0 {
		return at
	}
	return len(Impacts()) - 1
}

func worse(a, b string) bool { return rank(a) < rank(b) }

// clip cuts a text at a character's border, and says that it did.
func clip(text string, limit int) string {
	if len(text) <= limit {
		return text
	}
	for limit > 0 && !utf8.RuneStart(text[limit]) {
		limit--
	}
	return text[:limit] + "…"
}
