package scout

import (
	"strings"
	"time"

	"github.com/legwork-mcp/legwork/internal/lazyregexp"
	"github.com/legwork-mcp/legwork/internal/page"
)

// taste is how a pass chooses where any answer would do.
type taste struct {
	no     bool   // "no" to questions of yes and no
	last   bool   // the last option of others
	number string // low or high
}

// tastes are the ways of choosing that are tried to find other steps.
var tastes = []taste{
	{no: true}, {number: "high"}, {no: true, number: "high"}, {number: "low"}, {no: true, number: "low"},
	{last: true}, {last: true, no: true}, {last: true, number: "high"}, {last: true, no: true, number: "high"},
}

// String says it in a report.
func (t taste) String() string {
	var parts []string
	if t.no {
		parts = append(parts, `"no"`)
	}
	if t.last {
		parts = append(parts, "the last options")
	}
	if t.number != "" {
		parts = append(parts, t.number+" numbers")
	}
	if len(parts) == 0 {
		return ""
	}
	return " with " + strings.Join(parts, ", ")
}

// choose is the value that the taste prefers, or nil.
func (t taste) choose(c page.Control, now time.Time) any {
	if t.number != "" && counts(c) {
		if v := extreme(c, t.number == "high", now); v != "" {
			return v
		}
	}
	if c.Kind != page.KindRadio && c.Kind != page.KindSelect || c.Multiple {
		return nil
	}
	list := choosable(c.Options)
	for _, o := range list {
		if isNo.MatchString(o.Label) && len(list) <= 3 {
			if t.no {
				return optionValue(o)
			}
			return nil
		}
	}
	if t.last && len(list) > 0 {
		return optionValue(list[len(list)-1])
	}
	return nil
}

var isNo = lazyregexp.New(`(?i)^(no|nein|non|nej|nei|ei|nie|いいえ)\b`)

// indifferent reports whether no question seen so far would be answered
// differently with the taste than with what it is made of.
func (x *Explorer) indifferent(t taste) bool {
	var no, last, number bool
	for _, n := range x.graph.nodes {
		for _, k := range n.controls {
			no = no || taste{no: true}.choose(k.control, x.now()) != nil
			last = last || taste{last: true}.choose(k.control, x.now()) != nil
			number = number || counts(k.control)
		}
	}
	return t.no && !no || t.last && !last || t.number != "" && !number
}
