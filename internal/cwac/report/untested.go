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
