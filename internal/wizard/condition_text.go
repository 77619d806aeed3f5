package wizard

import (
	"fmt"
	"strings"
)

// words are the operators as a person reads them.
var words = map[string]string{
	"equals": "is", "not_equals": "is not", "in": "is one of", "not_in": "is none of",
	"gt": "is more than", "gte": "is at least", "lt": "is less than", "lte": "is at most", "contains": "contains",
}

// String is the condition in words, such as: state is "Ohio" and age is at least 18.
func (c *Condition) String() string {
	switch {
	case c == nil:
		return "always"
	case len(c.All) > 0:
		return joined(c.All, " and ")
	case len(c.Any) > 0:
		return joined(c.Any, " or ")
	case c.Not != nil:
		return "not (" + c.Not.String() + ")"
	case c.operator() == "present":
		return c.FieldID + " is given"
	case c.operator() == "absent":
		return c.FieldID + " is not given"
	}
	return fmt.Sprintf("%s %s %s", c.FieldID, words[c.operator()], c.Value)
}

func joined(parts []Condition, word string) string {
	var out []string
	for i := range parts {
		text := parts[i].String()
		if len(parts[i].All)+len(parts[i].Any) > 0 {
			text = "(" + text + ")"
		}
		out = append(out, text)
	}
	return strings.Join(out, word)
}
