package cwac

import (
	"cmp"
	"fmt"
	"iter"
	"maps"
	"slices"
	"strings"

	"github.com/legwork-mcp/legwork/internal/cwac/results"
)

// GroupItem is a number of results that have something in common.
type GroupItem struct {
	Key         string         `json:"key" jsonschema:"rule_id, fingerprint or url: filter by it to see the results"`
	Rule        string         `json:"rule_id,omitempty"`
	Audit       string         `json:"audit_type,omitempty"`
	Impact      string         `json:"impact,omitempty" jsonschema:"the worst"`
	Description string         `json:"description,omitempty"`
	Results     int            `json:"results"`
	Pages       int            `json:"pages,omitempty"`
	Impacts     map[string]int `json:"by_impact,omitempty"`
	URL         string         `json:"example_url,omitempty"`
	HTML        string         `json:"example_html,omitempty"`
	Target      string         `json:"example_target,omitempty"`
}

// impacts are all of them, the worst first.
var impacts = []string{"critical", "serious", "moderate", "minor", unknownImpact}

// group is one that is being counted.
type group struct {
	GroupItem
	pages map[string]bool
}

// maxGroups bounds what is held: a scan of a hostile site may have any number.
const maxGroups = 20_000

// grouped counts what matches, and returns the groups with the worst first.
func (p *pager) grouped(r *results.Results, in ResultsIn) error {
	all := map[string]*group{}
	for f, err := range found(r, in.Review) {
		if err != nil {
			return err
		}
		if !in.matches(f) {
			continue
		}
		key := in.key(f)
		g := all[key]
		if g == nil {
			if len(all) == maxGroups {
				p.out.Warnings = append(p.out.Warnings[:len(p.out.Warnings):len(p.out.Warnings)], "There are too many groups to count all of them: narrow the call.")
				break
			}
			g = newGroup(key, f, in.GroupBy)
			all[key] = g
		}
		g.add(f)
	}
	list := slices.SortedFunc(maps.Values(all), func(a, b *group) int {
		return cmp.Or(cmp.Compare(rank(a.Impact), rank(b.Impact)), cmp.Compare(b.Results, a.Results), cmp.Compare(a.Key, b.Key))
	})
	for _, g := range list {
		item := g.item(in.GroupBy)
		if p.takes(item, item.line(in.GroupBy)) {
			p.out.Groups = append(p.out.Groups, item)
		}
	}
	return nil
}

// found are the faults, or what no rule could decide.
func found(r *results.Results, review bool) iter.Seq2[results.Finding, error] {
	if review {
		return r.NeedsReview()
	}
	return r.Findings()
}

func (in ResultsIn) key(f results.Finding) string {
	switch in.GroupBy {
	case groupURL:
		return f.View.URL
	case groupIssue:
		return fingerprint(f)
	}
	return f.Audit + " " + f.Rule
}

func rank(impact string) int { return slices.Index(impacts, impact) }

func newGroup(key string, f results.Finding, by string) *group {
	g := &group{GroupItem{Key: site(key, 300), Impact: impactOf(f), Impacts: map[string]int{}}, map[string]bool{}}
	if by == groupURL {
		return g
	}
	if by == groupRule {
		g.Key = site(f.Rule, 80)
	}
	item := itemFor(f)
	g.Rule, g.Audit, g.Description, g.URL, g.HTML = item.Rule, item.Audit, item.Description, item.URL, item.HTML
	g.Target = cmp.Or(item.Selector, item.Target)
	return g
}

func (g *group) add(f results.Finding) {
	n := max(1, f.Count)
	g.Results += n
	g.Impacts[impactOf(f)] += n
	g.pages[f.View.URL] = true
	if rank(impactOf(f)) < rank(g.Impact) {
		g.Impact = impactOf(f)
	}
}

func (g *group) item(by string) GroupItem {
	item := g.GroupItem
	if by != groupURL {
		item.Pages = len(g.pages)
	}
	if len(item.Impacts) == 1 {
		item.Impacts = nil // the worst says it
	}
	return item
}

// line is the group in the text.
func (g GroupItem) line(by string) string {
	if by == groupURL {
		var parts []string
		for _, name := range impacts {
			if n := g.Impacts[name]; n > 0 {
				parts = append(parts, fmt.Sprintf("%d %s", n, name))
			}
		}
		if len(parts) == 0 {
			parts = []string{g.Impact}
		}
		return fmt.Sprintf("- %s: %s (%s)", g.Key, many(g.Results, "result"), strings.Join(parts, ", "))
	}
	line := fmt.Sprintf("- %s %s: %s on %s. %s", g.Impact, g.Rule, many(g.Results, "result"), many(g.Pages, "page"), g.Description)
	if by == groupIssue {
		line += " | fingerprint " + g.Key
	}
	return line + " | e.g. " + joined(" ", clip(g.URL, 120), clip(g.Target, 80), clip(g.HTML, 80))
}

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }
