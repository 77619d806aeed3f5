package check

import (
	"maps"
	"net/url"
	"slices"
	"strings"
)

// keys are the names of an object, sorted.
func keys(m map[string]any) []string { return slices.Sorted(maps.Keys(m)) }

// The steps of a JSON pointer (RFC 6901, 3 and 4). A schema has thousands of references.
var (
	toStep   = strings.NewReplacer("~", "~0", "/", "~1")
	fromStep = strings.NewReplacer("~1", "/", "~0", "~")
)

// escape writes a name as a step of a JSON pointer (RFC 6901, 3).
func escape(name string) string {
	return toStep.Replace(name)
}

// unescape reads a step of a JSON pointer in a URI fragment (RFC 6901, 6).
func unescape(step string) string {
	if u, err := url.PathUnescape(step); err == nil {
		step = u
	}
	return fromStep.Replace(step)
}
