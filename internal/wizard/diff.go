package wizard

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// The kinds of a Change.
const (
	ChangeAdded   = "added"
	ChangeRemoved = "removed"
	ChangeChanged = "changed"
)

// Change is one difference between two states of a wizard.
type Change struct {
	// Path is for people: pages[2].fields[state].selector.
	Path string `json:"path"`
	Kind string `json:"kind"` // added, removed or changed
	From string `json:"from,omitempty"`
	To   string `json:"to,omitempty"`
}

// String is the change on one line.
func (c Change) String() string {
	switch c.Kind {
	case ChangeAdded:
		return "+ " + c.Path + ": " + c.To
	case ChangeRemoved:
		return "- " + c.Path + ": " + c.From
	}
	return "~ " + c.Path + ": " + c.From + " -> " + c.To
}

// Diff lists what differs between two states of a wizard. Pages are matched by
// number, fields by id and options by value, so that a moved field is a moved
// field and not a new one.
func Diff(a, b *Wizard) []Change {
	d := differ{}
	d.compare("", tree(a), tree(b))
	return d.changes
}

func tree(w *Wizard) any {
	data, err := w.Marshal()
	if err != nil {
		return map[string]any{}
	}
	value, err := decodeAny(data)
	if err != nil {
		return map[string]any{}
	}
	return value
}

type differ struct{ changes []Change }

func (d *differ) compare(path string, a, b any) {
	switch left := a.(type) {
	case map[string]any:
		if right, ok := b.(map[string]any); ok {
			d.objects(path, left, right)
			return
		}
	case []any:
		right, ok := b.([]any)
		if key := listKey(left, right); ok && key != "" {
			d.lists(path, key, left, right)
			return
		}
	}
	if from, to := brief(a), brief(b); word(a) != word(b) {
		d.changes = append(d.changes, Change{path, ChangeChanged, from, to})
	}
}

func (d *differ) objects(path string, a, b map[string]any) {
	keys := maps.Clone(a)
	maps.Copy(keys, b)
	for _, key := range slices.Sorted(maps.Keys(keys)) {
		at := strings.TrimPrefix(path+"."+key, ".")
		left, before := a[key]
		right, after := b[key]
		switch {
		case !before:
			d.changes = append(d.changes, Change{Path: at, Kind: ChangeAdded, To: brief(right)})
		case !after:
			d.changes = append(d.changes, Change{Path: at, Kind: ChangeRemoved, From: brief(left)})
		default:
			d.compare(at, left, right)
		}
	}
}

// listKey is the member that identifies the entries of both lists, or empty.
func listKey(a, b []any) string {
	for _, key := range []string{"page_number", "field_id", "value", "name"} {
		if identifies(key, a) && identifies(key, b) && len(a)+len(b) > 0 {
			return key
		}
	}
	return ""
}

func identifies(key string, list []any) bool {
	seen := map[string]bool{}
	for _, entry := range list {
		object, ok := entry.(map[string]any)
		if !ok || object[key] == nil || seen[plainText(object[key])] {
			return false
		}
		seen[plainText(object[key])] = true
	}
	return true
}

func (d *differ) lists(path, key string, a, b []any) {
	right := map[string]any{}
	for _, entry := range b {
		right[keyOf(entry, key)] = entry
	}
	var kept []string
	for _, entry := range a {
		name := keyOf(entry, key)
		at := fmt.Sprintf("%s[%s]", path, name)
		other, ok := right[name]
		if !ok {
			d.changes = append(d.changes, Change{Path: at, Kind: ChangeRemoved, From: brief(entry)})
			continue
		}
		kept = append(kept, name)
		d.compare(at, entry, other)
	}
	d.order(path, key, kept, b)
	left := map[string]bool{}
	for _, entry := range a {
		left[keyOf(entry, key)] = true
	}
	for _, entry := range b {
		if name := keyOf(entry, key); !left[name] {
			d.changes = append(d.changes, Change{Path: fmt.Sprintf("%s[%s]", path, name), Kind: ChangeAdded, To: brief(entry)})
		}
	}
}

// order reports entries that are in another order than before.
func (d *differ) order(path, key string, kept []string, b []any) {
	var now []string
	for _, entry := range b {
		if name := keyOf(entry, key); slices.Contains(kept, name) {
			now = append(now, name)
		}
	}
	if !slices.Equal(kept, now) {
		d.changes = append(d.changes, Change{
			Path: path + " (order)", Kind: ChangeChanged,
			From: strings.Join(kept, ", "), To: strings.Join(now, ", "),
		})
	}
}

func keyOf(entry any, key string) string {
	object, _ := entry.(map[string]any)
	return plainText(object[key])
}

const maxBrief = 120 // characters of a value in a change

// brief is a value on part of a line: an object by the name that people know.
func brief(value any) string {
	if object, ok := value.(map[string]any); ok {
		for _, key := range []string{"label", "page_title", "name", "text", "heading"} {
			if text, ok := object[key].(string); ok && text != "" {
				return strconv.Quote(text)
			}
		}
	}
	text := []rune(word(value))
	if len(text) > maxBrief {
		return string(text[:maxBrief]) + "..."
	}
	return string(text)
}
