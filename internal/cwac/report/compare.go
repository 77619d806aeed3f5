package report

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/legwork-mcp/legwork/internal/cwac/results"
)

// Comparison is what changed from an older scan to this one. Only what both scans
// looked at is new, fixed or remaining; the rest is in NotComparable.
type Comparison struct {
	Old           Facts    `json:"old"`
	New           Part     `json:"new"`
	Fixed         Part     `json:"fixed"`
	Remaining     Part     `json:"remaining"`
	NotComparable []Gap    `json:"not_comparable"`
	Warnings      []string `json:"warnings,omitempty"`
}

// Part is one of the three outcomes.
type Part struct {
	Issues  int      `json:"issues"`
	Pages   int      `json:"pages"`
	Changes []Change `json:"changes"` // worst impact first
}

// Change is a group of issues with one fingerprint that have one outcome.
type Change struct {
	Rule        string   `json:"rule_id"`
	Audit       string   `json:"audit"`
	Impact      string   `json:"impact"`
	Help        string   `json:"help"`
	Fingerprint string   `json:"fingerprint"`
	Issues      int      `json:"issues"`
	Pages       []string `json:"pages"`
	Example     *Issue   `json:"example"`
}

// Gap is a number of issues that cannot be compared, and why.
type Gap struct {
	Reason string   `json:"reason"`
	Text   string   `json:"text"`
	Old    int      `json:"old_issues"`
	Now    int      `json:"new_issues"`
	What   []string `json:"what"` // pages, rules or viewports, up to 20
}

// The reasons of gaps.
const (
	GapPageGone = "page_not_in_new"
	GapPageNew  = "page_not_in_old"
	GapRuleGone = "rule_not_in_new"
	GapRuleNew  = "rule_not_in_old"
	GapViewport = "viewport"
	GapPartNow  = "page_in_part_in_new"
	GapPartOld  = "page_in_part_in_old"
)

var gapTexts = map[string]string{
	GapPageGone: "on pages that the new scan did not scan: whether they are fixed is not known",
	GapPageNew:  "on pages that the old scan did not scan: whether they are new is not known",
	GapRuleGone: "of rules that did not run in the new scan",
	GapRuleNew:  "of rules that did not run in the old scan",
	GapViewport: "at viewports that only one of the scans has",
	GapPartNow:  "on pages where the audit fell short in the new scan: whether they are fixed is not known",
	GapPartOld:  "on pages where the audit fell short in the old scan: whether they are new is not known",
}

// spot is the identity of issues across scans.
type spot struct{ page, audit, rule, fingerprint string }

type spotCount struct {
	rule  *Rule
	issue *Issue
	count int
}

// Compare tells what changed. Issues are the same when page, rule and fingerprint
// are; of equal elements on one page the numbers are compared. Two scans of one site
// each, at different addresses (a trial and a live one), are compared by path.
func Compare(old, now *Report) *Comparison {
	c := comparing{old: old, now: now, moved: moved(old, now), gaps: map[string]*Gap{}}
	same := func(url string) string { return url }
	c.inOld, c.inNow = scannedPages(old, c.moved), scannedPages(now, same)
	c.shortOld, c.shortNow = shortPages(old, c.moved), shortPages(now, same)
	c.out = &Comparison{Old: old.Scan, Warnings: c.warnings()}
	before, after := c.spots(old), c.spots(now)
	keys := slices.SortedFunc(maps.Keys(union(before, after)), func(a, b spot) int {
		return cmp.Or(strings.Compare(a.page, b.page), strings.Compare(a.audit+a.rule, b.audit+b.rule), strings.Compare(a.fingerprint, b.fingerprint))
	})
	fresh, fixed, remaining := parts{}, parts{}, parts{}
	for _, k := range keys {
		b, a := before[k], after[k]
		if c.gap(k, b, a) {
			continue
		}
		both := min(b.count, a.count)
		remaining.add(k, a, both)
		if more := a.count - both; more > 0 && c.shortOld[k.page].missed(k.audit, a.issue) {
			c.record(GapPartOld, k.page, 0, more)
		} else {
			fresh.add(k, a, more)
		}
		if fewer := b.count - both; fewer > 0 && c.shortNow[k.page].missed(k.audit, b.issue) {
			c.record(GapPartNow, k.page, fewer, 0)
		} else {
			fixed.add(k, b, fewer)
		}
	}
	c.out.New, c.out.Fixed, c.out.Remaining = fresh.part(), fixed.part(), remaining.part()
	for _, reason := range []string{GapPageGone, GapPageNew, GapRuleGone, GapRuleNew, GapViewport, GapPartNow, GapPartOld} {
		if g := c.gaps[reason]; g != nil {
			slices.Sort(g.What)
			c.out.NotComparable = append(c.out.NotComparable, *g)
		}
	}
	return c.out
}

func union(a, b map[spot]spotCount) map[spot]bool {
	out := map[spot]bool{}
	for k := range a {
		out[k] = true
	}
	for k := range b {
		out[k] = true
	}
	return out
}

type comparing struct {
	old, now *Report
	inOld    map[string]bool // addresses, as the new scan has them
	inNow    map[string]bool
	shortOld map[string]shortfall
	shortNow map[string]shortfall
	moved    func(string) string // an address of the old scan to one of the new
	out      *Comparison
	gaps     map[string]*Gap
}

func (c *comparing) spots(rep *Report) map[spot]spotCount {
	out := map[spot]spotCount{}
	for _, r := range rep.Rules {
		for _, g := range r.Groups {
			for _, i := range g.Issues {
				page := i.Page
				if rep == c.old {
					page = c.moved(page)
				}
				k := spot{page, r.Audit, r.ID, g.Fingerprint}
				s := out[k]
				if s.issue == nil {
					s.rule, s.issue = r, i
				}
				s.count += i.Count
				out[k] = s
			}
		}
	}
	return out
}

// gap records why a spot cannot be compared, if it cannot.
func (c *comparing) gap(k spot, before, after spotCount) bool {
	reason, what := "", k.page
	one := cmp.Or(before.rule, after.rule)
	switch {
	case !c.inNow[k.page]:
		reason = GapPageGone
	case !c.inOld[k.page]:
		reason = GapPageNew
	case !c.now.ran[one.ID]:
		reason, what = GapRuleGone, k.rule
	case !c.old.ran[one.ID]:
		reason, what = GapRuleNew, k.rule
	case before.count == 0 && !seenBy(after.issue, c.now, c.old), after.count == 0 && !seenBy(before.issue, c.old, c.now):
		reason = GapViewport
	default:
		return false
	}
	c.record(reason, what, before.count, after.count)
	return true
}

// record counts issues that cannot be compared.
func (c *comparing) record(reason, what string, old, now int) {
	g := c.gaps[reason]
	if g == nil {
		g = &Gap{Reason: reason, Text: gapTexts[reason]}
		c.gaps[reason] = g
	}
	g.Old += old
	g.Now += now
	if len(g.What) < maxExamples && !slices.Contains(g.What, what) {
		g.What = append(g.What, what)
	}
}

// shortPages are the pages on which an audit fell short, and how.
func shortPages(rep *Report, moved func(string) string) map[string]shortfall {
	out := map[string]shortfall{}
	for _, p := range rep.Pages {
		out[moved(p.URL)] = p.short
	}
	return out
}

// scannedPages are the addresses that a scan looked at, as pages or as documents.
func scannedPages(rep *Report, moved func(string) string) map[string]bool {
	out := map[string]bool{}
	for _, p := range rep.Pages {
		if p.scanned() {
			out[moved(p.URL)] = true
		}
	}
	for _, address := range rep.documents {
		out[moved(address)] = true
	}
	return out
}

// seenBy reports whether the other scan has a viewport of the issue's. Without a
// list of viewports there is no reason to doubt it.
func seenBy(i *Issue, own, other *Report) bool {
	if len(i.Viewports) == 0 || len(own.Scan.Viewports) == 0 || len(other.Scan.Viewports) == 0 {
		return true
	}
	for _, v := range own.Scan.Viewports {
		if !slices.Contains(i.Viewports, v.Name) {
			continue
		}
		for _, o := range other.Scan.Viewports {
			if o.Width == v.Width && o.Height == v.Height {
				return true
			}
		}
	}
	return false
}

func (c *comparing) warnings() []string {
	var out []string
	if a, b := c.old.Scan.Engine, c.now.Scan.Engine; a != b {
		out = append(out, fmt.Sprintf("The scans are of different engines (%s, %s): what only one of them can see, such as frames, shows as new or fixed.", a, b))
	}
	if a, b := c.old.axeVersion(), c.now.axeVersion(); a != "" && b != "" && a != b {
		out = append(out, fmt.Sprintf("The scans used different versions of axe-core (%s, %s): its rules may judge differently.", a, b))
	}
	out = append(out, c.settings()...)
	if c.old.Coverage.Assumed || c.now.Coverage.Assumed {
		out = append(out, "Which rules ran was not written down by one of the scans; the default ones are assumed.")
	}
	if len(c.old.Sites) == 1 && c.moved(c.old.Sites[0].URL) != c.old.Sites[0].URL {
		out = append(out, fmt.Sprintf("The scans are of different addresses (%s, %s) and were compared by path.", c.old.Sites[0].URL, c.now.Sites[0].URL))
	}
	return out
}

// settings are the differences of what both scans were told to look at, as far as both
// wrote it down. CWAC knows none of them, and that the engines differ is said already.
func (c *comparing) settings() []string {
	a, b := c.old.source.Config, c.now.source.Config
	if a == nil || b == nil || c.old.Scan.Engine != c.now.Scan.Engine || c.now.Scan.Engine != results.EngineLegwork {
		return nil
	}
	var out []string
	const shows = " shows as new or fixed."
	x, y := cmp.Or(a.Legwork.Consent, "keep"), cmp.Or(b.Legwork.Consent, "keep")
	if x != y {
		out = append(out, fmt.Sprintf("The scans dealt with consent banners differently (%s, %s): what is behind a banner, or comes with it,%s", x, y, shows))
	}
	if (len(a.Legwork.Login) > 0) != (len(b.Legwork.Login) > 0) {
		out = append(out, "Only one of the scans was logged in: what a page has for those who are"+shows)
	}
	if a.Legwork.Frames != b.Legwork.Frames {
		out = append(out, "Only one of the scans audited the documents inside frames: what is wrong in them"+shows)
	}
	if a.Legwork.Compat != b.Legwork.Compat {
		out = append(out, "Only one of the scans used CWAC's own values (compat): what they judge differently"+shows)
	}
	return out
}

// axeVersion is the one that the engine names, or that the addresses of its help do:
// .../rules/axe/4.13/...
func (rep *Report) axeVersion() string {
	if v := rep.Scan.Versions["axe-core"]; v != "" {
		if parts := strings.SplitN(v, ".", 3); len(parts) == 3 {
			return parts[0] + "." + parts[1]
		}
		return v
	}
	for _, r := range rep.Rules {
		if _, rest, ok := strings.Cut(r.HelpURL, "/axe/"); ok {
			v, _, _ := strings.Cut(rest, "/")
			return v
		}
	}
	return ""
}

// moved maps addresses of the old scan to the site of the new one, when each scan
// has one site and they are not the same.
func moved(old, now *Report) func(string) string {
	if len(old.Sites) == 1 && len(now.Sites) == 1 && old.Sites[0].URL != now.Sites[0].URL && !shareSite(old, now) {
		from, to := strings.TrimRight(old.Sites[0].URL, "/"), strings.TrimRight(now.Sites[0].URL, "/")
		return func(url string) string {
			if rest, ok := strings.CutPrefix(url, from); ok && (rest == "" || strings.ContainsAny(rest[:1], "/?#")) {
				return to + rest
			}
			return url
		}
	}
	return func(url string) string { return url }
}

func shareSite(a, b *Report) bool {
	for _, p := range a.Pages {
		if slices.ContainsFunc(b.Pages, func(q *Page) bool { return q.URL == p.URL }) {
			return true
		}
	}
	return false
}

// parts collects changes by group.
type parts map[[3]string]*Change

func (p parts) add(k spot, s spotCount, n int) {
	if n <= 0 {
		return
	}
	key := [3]string{k.audit, k.rule, k.fingerprint}
	c := p[key]
	if c == nil {
		c = &Change{Rule: k.rule, Audit: k.audit, Impact: s.issue.Impact, Help: s.rule.Help, Fingerprint: k.fingerprint, Example: s.issue}
		p[key] = c
	}
	if worse(s.issue.Impact, c.Impact) {
		c.Impact = s.issue.Impact
	}
	c.Issues += n
	c.Pages = append(c.Pages, k.page)
}

func (p parts) part() Part {
	out := Part{Changes: []Change{}}
	pages := map[string]bool{}
	for _, c := range p {
		out.Issues += c.Issues
		for _, u := range c.Pages {
			pages[u] = true
		}
		out.Changes = append(out.Changes, *c)
	}
	out.Pages = len(pages)
	slices.SortFunc(out.Changes, func(a, b Change) int {
		return cmp.Or(rank(a.Impact)-rank(b.Impact), len(b.Pages)-len(a.Pages), b.Issues-a.Issues, strings.Compare(a.Rule, b.Rule), strings.Compare(a.Fingerprint, b.Fingerprint))
	})
	return out
}
