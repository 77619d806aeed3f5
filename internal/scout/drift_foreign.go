package scout

import (
	"context"
	"slices"
	"strings"

	"github.com/legwork-mcp/legwork/internal/page"
)

// cssWay is a selector of a spot that can stand inside another one.
func cssWay(ways []page.Way) string {
	for _, w := range ways {
		if !strings.Contains(w.Selector, ":has") && (w.Basis != "label" && w.Basis != "role") {
			return w.Selector
		}
	}
	return ""
}

// foreign are the spots that lie in another form of the page than the button and
// the questions that are known.
func (w *onPage) foreign(ctx context.Context, l located) (map[int]bool, error) {
	var anchors []string
	add := func(sel string) {
		if sel != "" && !slices.Contains(anchors, sel) {
			anchors = append(anchors, sel)
		}
	}
	if b, ok := w.press(ctx); ok {
		add(cssWay(b.Ways))
	}
	for _, q := range w.pairs {
		if q.how == byFirst && q.spot >= 0 && len(anchors) < maxAnchors {
			add(cssWay(l.spots[q.spot].ways()))
		}
	}
	out := map[int]bool{}
	if len(anchors) == 0 {
		return out, nil
	}
	with := ":has(" + strings.Join(anchors, ", ") + ")"
	var targets []page.Target
	var of []int
	for i, s := range l.spots {
		if sel := cssWay(s.ways()); sel != "" && asked(*s.control) {
			targets = append(targets, page.Target{Selector: "form:has(" + sel + ")", Type: "css", Frame: s.control.Frame},
				page.Target{Selector: "form:has(" + sel + ")" + with, Type: "css", Frame: s.control.Frame})
			of = append(of, i)
		}
	}
	targets = append(targets, page.Target{Selector: "form" + with, Type: "css"})
	seen, err := w.page.Survey(ctx, targets)
	if err != nil {
		return nil, err
	}
	known := seen[len(seen)-1].Present
	for n, i := range of {
		out[i] = known && seen[2*n].Present && !seen[2*n+1].Present && len(l.spots[i].control.Frame) == 0
	}
	return out, nil
}

// maxAnchors bounds how many questions tell which form is meant.
const maxAnchors = 6
