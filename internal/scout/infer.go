package scout

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/legwork-mcp/legwork/internal/wizard"
)

// moment is one look at the form: the answers at that time, and whether the
// thing in question was there.
type moment struct {
	answers map[string]any
	holds   bool
}

// explain finds the simplest condition on earlier answers that is true in every
// moment in which the thing was there, and false in every other. order lists the
// fields that may be its cause, earliest first. A nil condition means always; ok
// is false when no condition of a bounded shape explains what was seen. The first
// moment is how the form begins.
func explain(moments []moment, order []string) (cond *wizard.Condition, ok bool) {
	var yes, no []map[string]any
	for _, m := range consistent(moments) {
		if m.holds {
			yes = append(yes, m.answers)
		} else {
			no = append(no, m.answers)
		}
	}
	if len(no) == 0 {
		return nil, true
	}
	if len(yes) == 0 {
		return nil, false
	}
	for _, id := range order {
		if c := separates(id, yes, no); c != nil {
			return c, true
		}
	}
	when := cover(order, yes, no)
	unless := cover(order, no, yes)
	// What is there from the beginning goes away for a reason; what is not comes
	// for one.
	switch {
	case when == nil && unless == nil:
		return nil, false
	case unless == nil, when != nil && !moments[0].holds:
		return anyOf(when), true
	default:
		return &wizard.Condition{Not: anyOf(unless)}, true
	}
}

// outvoted is how many times as many moments must say the opposite of one with the
// same answers for it to be a look that was taken too early or too late.
const outvoted = 4

// consistent leaves out the few moments that many with the very same answers deny:
// a page that is drawn late shows for a while what belongs to the answers before.
func consistent(moments []moment) []moment {
	type votes struct{ yes, no int }
	count := map[string]votes{}
	keys := make([]string, len(moments))
	for i, m := range moments {
		var b strings.Builder
		for _, id := range sortedKeys(m.answers) {
			fmt.Fprintf(&b, "%q=%q ", id, spelling(plainAnswer(m.answers[id])))
		}
		keys[i] = b.String()
		v := count[keys[i]]
		if m.holds {
			v.yes++
		} else {
			v.no++
		}
		count[keys[i]] = v
	}
	var out []moment
	for i, m := range moments {
		mine, others := count[keys[i]].yes, count[keys[i]].no
		if !m.holds {
			mine, others = others, mine
		}
		if others < outvoted*mine {
			out = append(out, m)
		}
	}
	return out
}

// spelling is an answer as text, for comparison; the empty string is no answer.
func spelling(v any) string {
	switch v := v.(type) {
	case nil:
		return ""
	case string:
		return v
	case bool, json.Number, float64, int:
		return fmt.Sprint(v)
	case []string:
		return strings.Join(v, "\x00")
	}
	return "given"
}

// separates gives the condition on one field alone that tells yes from no.
func separates(id string, yes, no []map[string]any) *wizard.Condition {
	in, out := valuesOf(id, yes), valuesOf(id, no)
	for v := range in {
		if _, both := out[v]; both {
			return nil
		}
	}
	if c := ordered(id, in, out); c != nil {
		return c
	}
	_, absentIn := in[""]
	_, absentOut := out[""]
	switch {
	case !absentIn && absentOut && len(out) == 1 && typed(in):
		return &wizard.Condition{FieldID: id, Op: "present"}
	case absentIn && len(in) == 1 && typed(out):
		return &wizard.Condition{FieldID: id, Op: opAbsent}
	case numeric(in) && numeric(out): // a list of numbers that happened to be tried is no rule
		return nil
	case absentIn:
		return leaf(id, "not_equals", "not_in", out)
	default:
		return leaf(id, "", "in", in)
	}
}

// ordered is the border between typed numbers or dates, when there is one. An answer
// that is not given lies on neither side, so it may be among those in out.
func ordered(id string, in, out map[string]any) *wizard.Condition {
	out = maps.Clone(out)
	delete(out, "")
	lowIn, highIn, ok1 := span(in)
	lowOut, highOut, ok2 := span(out)
	switch {
	case !ok1 || !ok2:
		return nil
	case byRank(lowIn, highOut) > 0:
		return literal{id: id, op: "gte", value: lowIn}.condition()
	case byRank(highIn, lowOut) < 0:
		return literal{id: id, op: "lt", value: lowOut}.condition()
	}
	return nil
}

// span is the least and the greatest of typed numbers or dates.
func span(values map[string]any) (low, high string, ok bool) {
	for _, key := range sortedKeys(values) {
		_, ranked := rankOf(key)
		if _, isText := values[key].(textAnswer); !ranked || !isText {
			return "", "", false
		}
		if !ok || byRank(key, low) < 0 {
			low = key
		}
		if !ok || byRank(key, high) > 0 {
			high = key
		}
		ok = true
	}
	return low, high, ok
}

// numeric reports whether typed numbers or dates are all that was answered, if
// anything was.
func numeric(values map[string]any) bool {
	given := maps.Clone(values)
	delete(given, "")
	_, _, ok := span(given)
	return ok
}

// typed reports whether the values look like free text: then their presence is
// what matters, not what they say.
func typed(values map[string]any) bool {
	for _, v := range values {
		if t, ok := v.(textAnswer); ok && t != "" {
			return true
		}
	}
	return false
}

// textAnswer is an answer that was typed, not chosen.
type textAnswer string

func valuesOf(id string, answers []map[string]any) map[string]any {
	out := map[string]any{}
	for _, a := range answers {
		v := a[id]
		if t, ok := v.(textAnswer); ok {
			out[string(t)] = t
			continue
		}
		out[spelling(v)] = v
	}
	return out
}

// leaf is a condition on one field; op is for one value, several for more.
func leaf(id, op, several string, values map[string]any) *wizard.Condition {
	var list []any
	for _, key := range sortedKeys(values) {
		if key == "" {
			continue
		}
		v := values[key]
		if t, ok := v.(textAnswer); ok {
			v = string(t)
		}
		if s, ok := v.([]string); ok {
			if len(s) != 1 {
				return nil
			}
			list = append(list, s[0])
			op, several = "contains", ""
			continue
		}
		list = append(list, v)
	}
	if len(list) == 1 && list[0] == false && op == "" {
		// An unticked box may be left out of the data.
		return &wizard.Condition{Not: &wizard.Condition{FieldID: id, Value: raw(true)}}
	}
	if len(list) == 1 {
		return &wizard.Condition{FieldID: id, Op: op, Value: raw(list[0])}
	}
	if len(list) == 0 || several == "" {
		return nil
	}
	return &wizard.Condition{FieldID: id, Op: several, Value: raw(list)}
}

func raw(v any) json.RawMessage {
	b, err := json.Marshal(v)
	if err != nil {
		return nil
	}
	return b
}

func sortedKeys[V any](m map[string]V) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}

// literal says that a field has one value, lies on one side of a number, or has
// no answer.
type literal struct {
	id, op string // op: "", lt, gte or absent
	value  string
	any    any
	loose  bool // the border lies somewhere between two values that are far apart
}

func (l literal) holds(a map[string]any) bool {
	v := spelling(plainAnswer(a[l.id]))
	if l.op == "" || l.op == opAbsent {
		return v == l.value
	}
	n, ok1 := rankOf(v)
	t, ok2 := rankOf(l.value)
	return ok1 && ok2 && (n < t) == (l.op == "lt")
}

// opAbsent is the condition that a question has no answer.
const opAbsent = "absent"

// condition is the literal in the words of a wizard.
func (l literal) condition() *wizard.Condition {
	switch l.op {
	case opAbsent:
		return &wizard.Condition{FieldID: l.id, Op: opAbsent}
	case "lt", "gte":
		if _, ok := number(l.value); !ok {
			return &wizard.Condition{FieldID: l.id, Op: l.op, Value: raw(l.value)}
		}
		return &wizard.Condition{FieldID: l.id, Op: l.op, Value: json.RawMessage(l.value)}
	}
	return leaf(l.id, "", "in", map[string]any{l.value: l.any})
}

// term is one literal, or two that hold together.
type term []literal

func (t term) holds(a map[string]any) bool {
	for _, l := range t {
		if !l.holds(a) {
			return false
		}
	}
	return true
}

// Bounds of the search.
const (
	maxLiterals = 150
	maxTerms    = 12
)

// cover finds terms that together hold in all of want and in none of avoid. Terms
// of one literal go first; those that explain most go before others. What is left
// may be moments before a question was answered that the terms speak of.
func cover(order []string, want, avoid []map[string]any) []term {
	lits := literals(order, want, avoid)
	var tiers [4][]term // one literal, two, and those with a border that is far from certain
	for i, l := range lits {
		tiers[tier(l)] = append(tiers[tier(l)], term{l})
		for _, m := range lits[i+1:] {
			if m.id != l.id {
				tiers[tier(l, m)+1] = append(tiers[tier(l, m)+1], term{l, m})
			}
		}
	}
	var chosen []term
	left := want
	for i, terms := range tiers {
		slices.SortStableFunc(terms, byBorders)
		if chosen, left = greedy(chosen, terms, left, avoid); i%2 == 1 {
			chosen, left = greedy(chosen, unanswered(chosen), left, avoid)
		}
	}
	if len(left) > 0 {
		return nil
	}
	return chosen
}

// unanswered are the moments before the questions are answered that terms speak of.
func unanswered(terms []term) []term {
	var out []term
	for _, t := range terms {
		for _, l := range t {
			out = append(out, term{{id: l.id, op: opAbsent}})
		}
	}
	return out
}

// greedy adds the terms to those chosen that hold in most of left, and in none of
// avoid, and returns what is left then.
func greedy(chosen, terms []term, left, avoid []map[string]any) ([]term, []map[string]any) {
	terms = slices.DeleteFunc(terms, func(t term) bool { return slices.ContainsFunc(avoid, t.holds) })
	left = slices.Clone(left)
	for len(left) > 0 && len(chosen) < maxTerms {
		best, count := -1, 0
		for i, t := range terms {
			n := 0
			for _, a := range left {
				if t.holds(a) {
					n++
				}
			}
			if n > count {
				best, count = i, n
			}
		}
		if best < 0 {
			break
		}
		chosen = append(chosen, terms[best])
		left = slices.DeleteFunc(left, terms[best].holds)
	}
	return chosen, left
}

// tier puts terms with a border that was not looked for after all others: between
// values that are far apart, a number separates by chance.
func tier(literals ...literal) int {
	for _, l := range literals {
		if l.loose {
			return 2
		}
	}
	return 0
}

// byBorders puts choices before numbers: a number separates by chance more often.
func byBorders(a, b term) int { return a.borders() - b.borders() }

func (t term) borders() int {
	n := 0
	for _, l := range t {
		if l.op != "" {
			n++
		}
	}
	return n
}

// literals are what may be said of the answers in want, to tell them from those in
// avoid.
func literals(order []string, want, avoid []map[string]any) []literal {
	var out []literal
	for _, id := range order {
		values := valuesOf(id, want)
		if cuts := thresholds(values, valuesOf(id, avoid)); cuts != nil {
			for _, c := range cuts {
				out = append(out, literal{id: id, op: "lt", value: c.at, loose: c.loose}, literal{id: id, op: "gte", value: c.at, loose: c.loose})
			}
			continue
		}
		for _, v := range sortedKeys(values) {
			if v != "" && len(out) < maxLiterals {
				out = append(out, literal{id: id, value: v, any: values[v]})
			}
		}
	}
	return out
}

// maxCuts is how many borders of a typed number are looked at.
const maxCuts = 24

// cut is a border between two values that were seen.
type cut struct {
	at    string // the upper one
	loose bool   // they are far apart
}

// thresholds are the borders that typed numbers and dates suggest: each value whose
// neighbour below was seen on other sides than it. It is nil for other answers.
func thresholds(want, avoid map[string]any) []cut {
	sides := map[string]int{}
	for side, values := range []map[string]any{want, avoid} {
		for key, v := range values {
			_, isText := v.(textAnswer)
			if _, ranked := rankOf(key); key != "" && (!isText || !ranked) {
				return nil
			}
			if key != "" {
				sides[key] |= 1 << side
			}
		}
	}
	if len(sides) == 0 {
		return nil
	}
	keys := sortedKeys(sides)
	slices.SortFunc(keys, byRank)
	out := []cut{}
	for i, key := range keys[1:] {
		if below := keys[i]; sides[key] != sides[below] {
			near, _ := scaleOf(below)
			far, _ := scaleOf(key)
			out = append(out, cut{key, far-near > 1})
		}
	}
	return out[:min(len(out), maxCuts)]
}

// rankOf is a number, or a date as one.
func rankOf(s string) (float64, bool) {
	if t, err := time.Parse(time.DateOnly, s); err == nil {
		return float64(t.Year()*10000 + int(t.Month())*100 + t.Day()), true
	}
	return number(s)
}

func byRank(a, b string) int {
	x, _ := rankOf(a)
	y, _ := rankOf(b)
	return cmp.Compare(x, y)
}

// anyOf is the condition that one of the terms holds. Terms on the same field
// become one list.
func anyOf(terms []term) *wizard.Condition {
	var parts []wizard.Condition
	single := map[string]map[string]any{}
	var ids []string
	for _, t := range terms {
		if len(t) == 1 {
			l := t[0]
			if l.op != "" {
				parts = append(parts, *l.condition())
				continue
			}
			if single[l.id] == nil {
				single[l.id] = map[string]any{}
				ids = append(ids, l.id)
			}
			single[l.id][l.value] = l.any
			continue
		}
		var all []wizard.Condition
		for _, l := range t {
			if c := l.condition(); c != nil {
				all = append(all, *c)
			}
		}
		parts = append(parts, wizard.Condition{All: all})
	}
	var firsts []wizard.Condition
	for _, id := range ids {
		if c := leaf(id, "", "in", single[id]); c != nil {
			firsts = append(firsts, *c)
		}
	}
	parts = append(firsts, parts...)
	if len(parts) == 1 {
		return &parts[0]
	}
	return &wizard.Condition{Any: parts}
}
