package scout

import (
	"fmt"
	"strings"
)

// limits compares what values the page takes: those that both name, and for a
// wizard that was drafted from the page also those that only one does.
func (w *onPage) limits(it *item, s spotted) bool {
	if it.traits != &it.field.Traits || it.parts != nil || len(it.traits.Options) > 0 || s.part != nil {
		return false
	}
	fresh := fieldOf(*s.control, it.id, nil)
	if fresh.FieldType != it.fieldType || fresh.Format != it.traits.Format {
		return false
	}
	var said []string
	note := func(what, was, is string, take func()) {
		if was != is && (w.strict || was != "" && is != "") {
			said = append(said, fmt.Sprintf("%s %s, was %s", what, orElse(is, "none"), orElse(was, "none")))
			take()
		}
	}
	t, n := it.traits, fresh.Traits
	note("least length", intWord(t.MinLength), intWord(n.MinLength), func() { t.MinLength = n.MinLength })
	note("greatest length", intWord(t.MaxLength), intWord(n.MaxLength), func() { t.MaxLength = n.MaxLength })
	note("least value", floatWord(t.Minimum), floatWord(n.Minimum), func() { t.Minimum = n.Minimum })
	note("greatest value", floatWord(t.Maximum), floatWord(n.Maximum), func() { t.Maximum = n.Maximum })
	if n.Pattern != "" || !picked(t.Pattern) { // what a calendar takes shows only when it is used
		note("pattern", t.Pattern, n.Pattern, func() { t.Pattern = n.Pattern })
	}
	if len(said) == 0 {
		return false
	}
	f := w.about(FoundLimits, it)
	f.Is = strings.Join(said, "; ")
	_, f.Breaks = w.refused[it.id]
	f.Message = "it takes other values now: " + printable(f.Is)
	w.drift.add(f)
	it.field.ExampleValue = exampleJSON(exampleFor(*s.control, it.field, w.now()))
	return true
}

func intWord(n *int) string {
	if n == nil {
		return ""
	}
	return itoa(*n)
}

func floatWord(n *float64) string {
	if n == nil {
		return ""
	}
	return fmt.Sprint(*n)
}
