package report

import (
	"slices"

	"github.com/legwork-mcp/legwork/internal/cwac/results"
)

// untestedKinds are the notes of a page that say that something on it was not looked at.
var untestedKinds = []string{"frame_untested", "closed_shadow_root", "rule_error", "time_limit", "stop_limit", "truncated", "byte_limit"}

// maxUntested bounds the texts: those of time limits differ from page to page.
const maxUntested = 5

// Untested is what was not looked at on some pages that were scanned.
type Untested struct {
	Text  string
	Pages int
	URL   string // of the first of them

	last string // of those that were counted
}

// String says it in a sentence.
func (g Untested) String() string { return placed(g.URL, g.Pages) + g.Text }

// withUntested counts those of a page, in the order in which they are first met.
func withUntested(list []Untested, o results.PageOutcome) []Untested {
	for _, n := range o.Notes {
		if !slices.Contains(untestedKinds, n.Kind) {
			continue
		}
		at := slices.IndexFunc(list, func(known Untested) bool { return known.Text == n.Text })
		if at < 0 && len(list) < maxUntested {
			at = len(list)
			list = append(list, Untested{Text: n.Text, URL: o.URL})
		}
		if at >= 0 && list[at].last != o.URL { // two frames of one page, for instance
			list[at].last = o.URL
			list[at].Pages++
		}
	}
	return list
}

// shortfall is what an engine wrote down of how far its audits got on a page: that an
// issue is missing there shows nothing.
type shortfall struct {
	whole  bool            // any audit
	audits map[string]bool // by name
	frames bool            // axe, in frames
}

// shortKinds are the notes that say that an audit did not look at all of its page.
var shortKinds = []string{"failed", "time_limit", "stop_limit", "truncated", "rule_error"}

func shortfallOf(o results.PageOutcome) shortfall {
	s := shortfall{audits: map[string]bool{}}
	for _, n := range o.Notes {
		switch {
		case n.Kind == "cut_short", n.Kind == "byte_limit":
			s.whole = true
		case n.Kind == "frame_untested":
			s.frames = true
		case slices.Contains(shortKinds, n.Kind):
			s.audits[n.Audit] = true
		}
	}
	if o.State == results.PagePartial && len(s.audits) == 0 {
		s.whole = true // the record does not say what is missing
	}
	return s
}

// missed reports whether the audit may have missed an issue.
func (s shortfall) missed(audit string, i *Issue) bool {
	return s.whole || s.audits[audit] || s.frames && i.Frame != ""
}
