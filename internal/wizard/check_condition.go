package wizard

import (
	"encoding/json"
	"slices"
)

// scope is where a condition stands: which fields it may name.
type scope struct {
	c     *checker
	self  string
	group *Field // of a sub-field's condition
}

// condition checks a whole statement.
func (c *checker) condition(path string, condition *Condition, s scope) {
	var inside, outside int
	condition.walk(path, func(part *Condition, at string) {
		forms := countTrue(part.FieldID != "", len(part.All) > 0, len(part.Any) > 0, part.Not != nil)
		if forms != 1 {
			c.add(at, "needs exactly one of field_id, all, any and not")
			return
		}
		if part.FieldID == "" {
			return
		}
		if s.sibling(part.FieldID) != nil {
			inside++
		} else {
			outside++
		}
		c.leaf(at, part, s)
	})
	if s.group != nil && inside > 0 && outside > 0 {
		c.add(path, "a condition in a group names sub-fields of its row or fields outside, not both")
	}
}

func (s scope) sibling(id string) *SubField {
	if s.group == nil {
		return nil
	}
	return s.group.subField(id)
}

func (f *Field) subField(id string) *SubField {
	i := slices.IndexFunc(f.SubFields, func(sub SubField) bool { return sub.FieldID == id })
	if i < 0 {
		return nil
	}
	return &f.SubFields[i]
}

func (c *checker) leaf(path string, leaf *Condition, s scope) {
	switch {
	case leaf.FieldID == s.self:
		c.add(path+"/field_id", "%q cannot depend on itself", leaf.FieldID)
	case s.sibling(leaf.FieldID) == nil && c.w.Field(leaf.FieldID) == nil:
		c.add(path+"/field_id", "%q is no field of this wizard%s", leaf.FieldID,
			suggestion(leaf.FieldID, c.w.fieldIDs()))
	}
	c.operandFits(path+"/value", leaf)
}

// operandFits checks that the value suits the operator.
func (c *checker) operandFits(path string, leaf *Condition) {
	value := leaf.operand()
	switch leaf.operator() {
	case opPresent, opAbsent:
		if value != nil {
			c.add(path, "%s takes no value", leaf.Op)
		}
	case opIn, opNotIn:
		values, ok := value.([]any)
		if !ok || len(values) == 0 || slices.ContainsFunc(values, func(v any) bool { return !isScalar(v) }) {
			c.add(path, "%s needs a list of texts, numbers or booleans", leaf.Op)
		}
	case opGT, opGTE, opLT, opLTE:
		if _, ok := comparable(value); !ok {
			c.add(path, "%s needs a number or a date such as 2003-01-31", leaf.Op)
		}
	default:
		if !isScalar(value) {
			c.add(path, "%s needs a text, a number or a boolean", leaf.operator())
		}
	}
}

// isScalar says whether an answer can equal the value at all.
func isScalar(value any) bool {
	switch v := value.(type) {
	case string:
		return given(v)
	case bool:
		return true
	case json.Number:
		_, ok := number(v)
		return ok
	}
	return false
}

// fieldIDs are the ids of all fields in page order.
func (w *Wizard) fieldIDs() []string {
	var ids []string
	for _, page := range w.OrderedPages() {
		for i := range page.Fields {
			ids = append(ids, page.Fields[i].FieldID)
		}
	}
	return ids
}
