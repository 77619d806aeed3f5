package wizard

import (
	"encoding/json"
	"math/big"
	"slices"
	"strings"
)

// The operators of a condition.
const (
	opEquals    = "equals"
	opNotEquals = "not_equals"
	opIn        = "in"
	opNotIn     = "not_in"
	opPresent   = "present"
	opAbsent    = "absent"
	opGT        = "gt"
	opGTE       = "gte"
	opLT        = "lt"
	opLTE       = "lte"
	opContains  = "contains"
)

// Holds says whether the statement is true for these answers. No condition
// always holds.
func (c *Condition) Holds(a Answers) bool {
	if c == nil {
		return true
	}
	switch {
	case len(c.All) > 0:
		return !slices.ContainsFunc(c.All, func(part Condition) bool { return !part.Holds(a) })
	case len(c.Any) > 0:
		return slices.ContainsFunc(c.Any, func(part Condition) bool { return part.Holds(a) })
	case c.Not != nil:
		return !c.Not.Holds(a)
	}
	return c.leafHolds(a[c.FieldID])
}

func (c *Condition) leafHolds(answer any) bool {
	switch c.operator() {
	case opEquals:
		return equal(answer, c.operand())
	case opNotEquals:
		return !equal(answer, c.operand())
	case opIn:
		return equalsAny(answer, c.operands())
	case opNotIn:
		return !equalsAny(answer, c.operands())
	case opPresent:
		return given(answer)
	case opAbsent:
		return !given(answer)
	case opContains:
		return contains(answer, c.operand())
	}
	return ordered(answer, c.Op, c.operand())
}

func (c *Condition) operator() string {
	if c.Op == "" {
		return opEquals
	}
	return c.Op
}

// operand is the value to compare with, decoded.
func (c *Condition) operand() any {
	value, err := decodeAny(c.Value)
	if err != nil {
		return nil
	}
	return value
}

func (c *Condition) operands() []any {
	values, _ := c.operand().([]any)
	return values
}

// fields are the ids that the condition looks at, each once, in order.
func (c *Condition) fields() []string {
	var ids []string
	c.walk("", func(leaf *Condition, _ string) {
		if leaf.FieldID != "" && !slices.Contains(ids, leaf.FieldID) {
			ids = append(ids, leaf.FieldID)
		}
	})
	return ids
}

// walk visits c and everything in it with its JSON pointer.
func (c *Condition) walk(path string, visit func(c *Condition, path string)) {
	if c == nil {
		return
	}
	visit(c, path)
	for i := range c.All {
		c.All[i].walk(joinIndex(path+"/all", i), visit)
	}
	for i := range c.Any {
		c.Any[i].walk(joinIndex(path+"/any", i), visit)
	}
	c.Not.walk(path+"/not", visit)
}

// equal compares two scalars. A number equals the text that spells it and a
// boolean its own word; two texts are equal only literally ("05" is not "5").
func equal(answer, want any) bool {
	switch w := want.(type) {
	case string:
		return equalString(answer, w)
	case bool:
		return answer == w || answer == boolWord(w)
	case json.Number:
		left, ok := number(answer)
		right, valid := number(w)
		return ok && valid && left.Cmp(right) == 0
	}
	return false
}

func equalString(answer any, want string) bool {
	switch a := answer.(type) {
	case string:
		return a == want && given(a)
	case bool:
		return boolWord(a) == want
	}
	left, ok := number(answer)
	right, spelled := number(want)
	return ok && spelled && left.Cmp(right) == 0
}

func boolWord(b bool) string {
	if b {
		return "true"
	}
	return "false"
}

func equalsAny(answer any, wants []any) bool {
	return slices.ContainsFunc(wants, func(want any) bool { return equal(answer, want) })
}

// contains looks for an entry in a list, or for a text in a text.
func contains(answer, want any) bool {
	if entries, ok := answer.([]any); ok {
		return slices.ContainsFunc(entries, func(entry any) bool { return equal(entry, want) })
	}
	text, ok := answer.(string)
	part, wanted := want.(string)
	return ok && wanted && given(text) && strings.Contains(text, part)
}

func ordered(answer any, op string, want any) bool {
	left, ok := number(answer)
	right, valid := number(want)
	if !valid {
		left, ok = day(answer)
		right, valid = day(want)
	}
	if !ok || !valid {
		return false
	}
	return compare(left, op, right)
}

func compare(left *big.Rat, op string, right *big.Rat) bool {
	order := left.Cmp(right)
	switch op {
	case opGT:
		return order > 0
	case opGTE:
		return order >= 0
	case opLT:
		return order < 0
	case opLTE:
		return order <= 0
	}
	return false
}
