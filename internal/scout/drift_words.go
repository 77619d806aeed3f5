package scout

import (
	"fmt"
	"strings"
)

// String is the finding on one line.
func (f Finding) String() string { return f.where() + ": " + f.Message }

// failure says how a selector fails, in words.
func failure(fails, found string) string {
	switch fails {
	case failsSeveral:
		return "matches several elements" + found
	case failsHidden:
		return "matches only what is not shown"
	case failsOther:
		return "now leads to another field" + found
	case failsDecoy:
		return "leads to what is no question for a person" + found
	}
	return "matches nothing"
}

// words say which other way works.
func (w *Works) words() string {
	if w == nil {
		return "; nothing else was found that is surely the same"
	}
	from := "on the page"
	if w.From == fromAlternative {
		from = fmt.Sprintf("alternative %d of the wizard", w.Number)
	}
	s := fmt.Sprintf("; %s works (%s, stability %d)", w.Selector, from, w.Score)
	if len(w.Frame) > 0 {
		s += " in the frame " + strings.Join(w.Frame, " > ")
	}
	return s
}

// Where a working selector is from.
const (
	fromAlternative = "alternative"
	fromPage        = "page"
)
