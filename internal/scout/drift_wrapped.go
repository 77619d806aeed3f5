package scout

import (
	"context"
	"slices"

	"github.com/legwork-mcp/legwork/internal/lazyregexp"
	"github.com/legwork-mcp/legwork/internal/page"
)

// wrapped finds the question inside of an element that stands for it, where the
// place alone did not tell.
func (s *survey) wrapped(ctx context.Context, l *located) error {
	type inside struct {
		t    *try
		spot int
	}
	var pairs []inside
	var targets []page.Target
	for it, tries := range l.tries {
		for i := range tries {
			t := &tries[i]
			if t.fails != "" || t.spot >= 0 || !plainCSS.MatchString(t.selector) {
				continue
			}
			for j, sp := range l.spots {
				if sel := cssWay(sp.ways()); sp.part == nil && sel != "" && slices.Equal(sp.control.Frame, it.frame) {
					pairs = append(pairs, inside{t, j})
					targets = append(targets, page.Target{Selector: t.selector + " " + sel, Type: "css", Frame: it.frame})
				}
			}
		}
	}
	if len(targets) == 0 {
		return nil
	}
	seen, err := s.page.Survey(ctx, targets)
	if err != nil {
		return err
	}
	several := map[*try]bool{}
	for n, sight := range seen {
		if sight.Present {
			several[pairs[n].t] = pairs[n].t.spot >= 0 || several[pairs[n].t]
			pairs[n].t.spot = pairs[n].spot
		}
	}
	for t, more := range several {
		if more {
			t.spot = -1
		}
	}
	return nil
}

// plainCSS are selectors behind which another one can stand.
var plainCSS = lazyregexp.New(`^[#.\[][^,=]*$|^[#.\[][^,]*\]$`)
