package scout

import (
	"slices"
	"strconv"
	"time"

	"github.com/legwork-mcp/legwork/internal/lazyregexp"
	"github.com/legwork-mcp/legwork/internal/page"
)

// nextFlip is the next answer that was not changed yet on a way through the
// form: every option may lead to other steps.
func (x *Explorer) nextFlip(b *base) (flip, bool) {
	for _, numbers := range []bool{false, true} {
		for i, n := range b.pass.path {
			if n.final && !x.plan.AllowSubmit {
				continue // nothing behind it will be seen; probing has shown what is on it
			}
			for _, k := range n.controls {
				list := flips(k)
				if numbers {
					list = extremes(k, x.now())
				}
				if (k.prefilled || k.silent && len(k.need) == 0) && !numbers && clearable(k.control) {
					list = append(list, emptied(k.control))
				}
				for _, v := range list {
					key := k.id + "=" + spelling(v)
					if b.tried[key] || spelling(plainAnswer(b.pass.answers[k.id])) == spelling(v) {
						continue
					}
					b.tried[key] = true
					if b.focus != nil && (i >= slices.Index(b.pass.path, b.focus) || slices.Contains(x.off[key], b.focus)) {
						continue // probing has shown it, or it leads elsewhere
					}
					if n.final && n.inert(k, v) {
						continue // probing has shown that nothing on the last step depends on it
					}
					return flip{base: b, known: k, value: v, number: numbers && counts(k.control)}, true
				}
			}
		}
	}
	return flip{}, false
}

// untangle are the answers that a route settles, without those that exclude what
// it is about: ticking "none of these" would take it back. Of a set that insists on
// any of its boxes, the one that was ticked for it is left out, too.
func (x *Explorer) untangle(r route) map[string]any {
	out := r.overrides()
	if r.flip == nil {
		return out
	}
	about := copyOf(r.flip.known.context)
	if !r.flip.omit {
		about[r.flip.known.id] = r.flip.value
	}
	for _, n := range x.graph.nodes {
		for _, k := range n.controls {
			if about[k.id] != true || k.control.Set == "" {
				continue
			}
			for _, o := range n.controls {
				if o != k && o.control.Set == k.control.Set && (o.control.Exclusive || o.exclusive || k.control.Exclusive || k.exclusive || len(o.need) > 0 && !o.control.Required) {
					delete(out, o.id)
				}
			}
		}
	}
	return out
}

// inert reports whether an answer was tried on the step and brought up nothing
// that the step does not always show.
func (n *node) inert(k *known, v any) bool {
	tried := false
	for _, l := range n.looks {
		if a := plainAnswer(l.answers[k.id]); a == nil || spelling(a) != spelling(v) {
			continue
		}
		tried = true
		for id := range l.shown {
			if !n.looks[0].shown[id] {
				return false
			}
		}
	}
	return tried
}

// clearable tells what can be emptied, to see whether the form minds.
func clearable(c page.Control) bool {
	switch c.Kind {
	case page.KindText, page.KindNumber, page.KindTextarea, page.KindTypeahead:
		return true
	}
	return c.Multiple
}

func emptied(c page.Control) any {
	if c.Multiple {
		return []string{}
	}
	return ""
}

// extremes are a low and a high value of a number that may decide something.
func extremes(k *known, now time.Time) []any {
	if !counts(k.control) {
		return nil
	}
	var out []any
	for _, high := range []bool{false, true} {
		if v := extreme(k.control, high, now); v != "" {
			out = append(out, v)
		}
	}
	return out
}

// flips are the answers of a question that may change where the form leads.
func flips(k *known) []any {
	switch k.control.Kind {
	case page.KindCheckbox:
		return []any{true}
	case page.KindRadio, page.KindSelect:
		list := candidates(k.control, time.Time{})
		if len(list) > maxFlips || k.dependent {
			return list[:min(sampledFlips, len(list))]
		}
		return list
	case page.KindTypeahead: // one that lists few answers is a select that is typed into
		if list := candidates(k.control, time.Time{}); len(choosable(k.control.Options)) > 0 && len(list) <= maxFlips {
			return list
		}
	}
	return nil
}

// deciding are the words of numbers on which forms decide where to go.
var deciding = lazyregexp.New(`(?i)birth|born|\byear|\bage\b|how many|number of|\bsize\b|household|children|dependents`)

// counts reports whether a field holds a number that may decide something.
func counts(c page.Control) bool {
	switch c.Kind {
	case page.KindDate:
		return c.Format != "month" && c.Format != "time" && born.MatchString(c.Label+" "+c.Group+" "+c.Name+" "+c.Autocomplete)
	case page.KindNumber, page.KindRange, page.KindText:
		if c.Format == "zip" {
			return len(c.Options) == 0
		}
		return len(c.Options) == 0 && c.Format != "currency" && deciding.MatchString(c.Label+" "+c.Name) && (c.Kind != page.KindText || c.Format == "integer" || c.InputMode == "numeric" || yearly.MatchString(c.Label+" "+c.Name))
	}
	return false
}

var yearly = lazyregexp.New(`(?i)\byear\b`)

// extreme is a low or a high value of such a number.
func extreme(c page.Control, high bool, now time.Time) string {
	low, top := 1.0, 9.0
	if c.Format == "zip" {
		if high {
			return "99501"
		}
		return "02108"
	}
	if c.Kind == page.KindDate {
		year := now.Year() - 85
		if high {
			year = now.Year() - 14
		}
		return written(float64(year), c)
	}
	if yearly.MatchString(c.Label + " " + c.Name) {
		low, top = float64(now.Year()-85), float64(now.Year()-12)
	}
	if n, ok := number(c.Min); ok && n > low {
		low = n
	}
	if n, ok := number(c.Max); ok && n < top {
		top = n
	}
	if low > top {
		return ""
	}
	if high {
		low = top
	}
	return strconv.FormatFloat(low, 'f', -1, 64)
}
