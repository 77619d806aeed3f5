package scout

import (
	"slices"
	"strings"

	"github.com/legwork-mcp/legwork/internal/lazyregexp"
	"github.com/legwork-mcp/legwork/internal/page"
	"github.com/legwork-mcp/legwork/internal/wizard"
)

func kindLikeness(a, b page.Kind) int {
	if a == b {
		return 2
	}
	family := func(k page.Kind) string {
		switch k {
		case page.KindText, page.KindNumber, page.KindTextarea, page.KindSearch, page.KindRichText, page.KindDate, page.KindTypeahead, page.KindRange:
			return "typed"
		case page.KindSelect, page.KindRadio:
			return "chosen"
		}
		return string(k)
	}
	x, y := family(a), family(b)
	if x == y || a == page.KindTypeahead && y == "chosen" || b == page.KindTypeahead && x == "chosen" {
		return 1
	}
	return 0
}

// selectorName is what a selector says of the name that an author chose.
var selectorName = lazyregexp.New(`(?:#|\[(?:name|id|data-[a-z-]+)[*^$~|]?=["']?)((?:\\.|[\w:.-])+)`)

// nameLikeness compares what the authors called the item and the spot.
func nameLikeness(it *item, s spotted) int {
	old := []string{letters(it.id[strings.LastIndexByte(it.id, '.')+1:])}
	for _, sel := range it.selectors() {
		for _, m := range selectorName.FindAllStringSubmatch(sel, -1) {
			old = append(old, letters(m[1]))
		}
	}
	var now []string
	for _, w := range s.ways() {
		for _, m := range selectorName.FindAllStringSubmatch(w.Selector, -1) {
			if w.Basis == "id" || w.Basis == "name" || w.Basis == "testid" {
				now = append(now, letters(m[1]))
			}
		}
	}
	best := 0
	for _, a := range old {
		for _, b := range now {
			switch {
			case len(a) < 3 || len(b) < 3:
			case a == b:
				best = 2
			case len(a) > 3 && len(b) > 3 && (strings.Contains(a, b) || strings.Contains(b, a)):
				best = max(best, 1)
			}
		}
	}
	return best
}

// offerLikeness is how many options two choices have in common.
func offerLikeness(was []wizard.Option, is []page.ControlOption) float64 {
	if len(was) == 0 || len(is) == 0 {
		return 0
	}
	common := 0
	for _, o := range was {
		if slices.ContainsFunc(is, func(c page.ControlOption) bool { return sameOption(o, c) }) {
			common++
		}
	}
	return float64(common) / float64(max(len(was), len(choosable(is))))
}

// sameOption tells whether the page's option is the wizard's.
func sameOption(o wizard.Option, c page.ControlOption) bool {
	return o.Value != "" && (o.Value == c.Value || letters(o.Value) == letters(c.Label) && c.Label != "") ||
		o.Label != "" && letters(o.Label) == letters(c.Label) || o.Value == optionValue(c)
}
