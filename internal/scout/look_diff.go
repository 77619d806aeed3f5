package scout

import (
	"strings"

	"github.com/legwork-mcp/legwork/internal/page"
)

// Difference is what changed on the page between two looks.
type Difference struct {
	New     []string `json:"new,omitempty"`
	Gone    []string `json:"gone,omitempty"`
	Changed []string `json:"changed,omitempty" jsonschema:"other options, state or value"`
}

func (d Difference) empty() bool { return len(d.New)+len(d.Gone)+len(d.Changed) == 0 }

// maxDifference bounds each list of a difference.
const maxDifference = 30

// sights are the elements that are shown, each with what it looks like, in the
// order of the page.
func sights(inv page.Inventory) (keys []string, looks map[string]string) {
	looks = map[string]string{}
	add := func(key, look string) {
		if _, twice := looks[key]; !twice {
			keys = append(keys, key)
		}
		looks[key] = look
	}
	for _, c := range inv.Controls {
		if !c.Visible {
			continue
		}
		e := elementOf(c)
		add(nameOf(e), strings.Join([]string{e.Value, e.State, strings.Join(e.Options, "\x00"), boolWord(e.Required)}, "\x01"))
	}
	for _, b := range inv.Buttons {
		if b.Tag == "a" && b.Role != "button" {
			continue
		}
		e := pressElement(b)
		add(nameOf(e), e.State)
	}
	return keys, looks
}

func boolWord(b bool) string {
	if b {
		return "yes"
	}
	return ""
}

// nameOf is how a text calls an element.
func nameOf(e Element) string {
	name := e.Label
	if name == "" {
		name = e.Text
	}
	kind := e.Kind
	if kind == "" {
		kind = e.Type
	}
	if kind == "" {
		kind = e.Tag
	}
	if e.Text != "" && e.Label == "" {
		kind = "button"
	}
	out := kind
	if name != "" {
		out += ` "` + clip(name, 80) + `"`
	}
	return out + " " + at(e)
}

// at is the selector with the frame that it is in.
func at(e Element) string {
	if len(e.Frame) == 0 {
		return e.Selector
	}
	return e.Selector + " in frame " + strings.Join(e.Frame, " > ")
}

// difference compares two looks at the page.
func difference(before map[string]string, inv page.Inventory) Difference {
	keys, looks := sights(inv)
	var d Difference
	put := func(l *[]string, s string) {
		if len(*l) < maxDifference {
			*l = append(*l, s)
		}
	}
	for _, k := range keys {
		was, there := before[k]
		switch {
		case !there:
			put(&d.New, k)
		case was != looks[k]:
			put(&d.Changed, k)
		}
	}
	for _, k := range sortedKeys(before) {
		if _, there := looks[k]; !there {
			put(&d.Gone, k)
		}
	}
	return d
}
