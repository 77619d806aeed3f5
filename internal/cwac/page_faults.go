package cwac

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/legwork-mcp/legwork/internal/cwac/results"
)

// maxPageFaults bounds what is held of one page.
const maxPageFaults = 500

// faultsOf are the faults of a page, those that several viewports show merged, the
// worst first, and how many there are: of a page with more than are held the mildest
// are left out.
func faultsOf(r *results.Results, p results.PageOutcome, review bool) ([]PageFault, int, error) {
	c := faultsOfPage{known: map[string]*PageFault{}, byRank: make([][]*PageFault, len(impacts))}
	for _, undecided := range []bool{false, true} {
		if undecided && !review {
			continue
		}
		for f, err := range found(r, undecided) {
			if err != nil {
				return nil, 0, fmt.Errorf("read the results of a scan: %w", err)
			}
			if f.View.URL == p.URL || p.Final != "" && f.View.URL == p.Final {
				c.take(f)
			}
		}
	}
	out := make([]PageFault, 0, len(c.known))
	for _, held := range c.byRank {
		for _, f := range held {
			out = append(out, *f)
		}
	}
	return out, len(c.known), nil
}

// faultsOfPage collects the faults of one page.
type faultsOfPage struct {
	known  map[string]*PageFault // by place; nil: it is only counted
	byRank [][]*PageFault        // those that are held, by impact, in the order met
	held   int
}

func (c *faultsOfPage) take(f results.Finding) {
	key := strings.Join([]string{f.Audit, f.Rule, f.Frame, cmp.Or(f.Selector, f.Target+"\x00"+f.HTML)}, "\x00") // as the report counts
	if before, known := c.known[key]; known {
		if before != nil {
			before.at(f)
		}
		return
	}
	c.known[key] = nil
	at := rank(impactOf(f))
	if c.held == maxPageFaults && !c.giveWay(at) {
		return
	}
	one := newPageFault(key, f)
	c.known[key] = one
	c.byRank[at] = append(c.byRank[at], one)
	c.held++
}

// giveWay drops the last of the mildest faults, if it is milder than one of this rank.
func (c *faultsOfPage) giveWay(to int) bool {
	for at := len(c.byRank) - 1; at > to; at-- {
		if n := len(c.byRank[at]); n > 0 {
			c.known[c.byRank[at][n-1].key] = nil
			c.byRank[at] = c.byRank[at][:n-1]
			c.held--
			return true
		}
	}
	return false
}

func newPageFault(key string, f results.Finding) *PageFault {
	item := itemFor(f)
	return &PageFault{
		Rule: item.Rule, Impact: item.Impact, Audit: item.Audit, Help: item.Description, Summary: item.Summary,
		Place: cmp.Or(item.Selector, item.Target), Frame: item.Frame, HTML: item.HTML, Review: item.Review, key: key, finding: f,
		Viewports: slices.DeleteFunc([]string{item.Viewport}, func(v string) bool { return v == "" }),
		boxes:     map[string]*results.Box{f.View.Viewport.Name: f.Box},
	}
}

// at adds the viewport of a finding that is the same fault.
func (f *PageFault) at(same results.Finding) {
	if name := site(same.View.Viewport.Name, 30); name != "" && !slices.Contains(f.Viewports, name) {
		f.Viewports = append(f.Viewports, name)
		f.boxes[same.View.Viewport.Name] = same.Box
	}
}
