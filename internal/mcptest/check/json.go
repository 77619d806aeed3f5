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

// mostPointer is about how long a pointer gets that a check follows or shows, in bytes: a
// name of a megabyte stands above ten thousand places.
const mostPointer = 4 << 10

// Under is the pointer to a member of the place that a pointer leads to. What is past the
// bound is left out.
func Under(pointer, name string) string {
	if len(pointer) > mostPointer {
		return pointer
	}
	return pointer + "/" + escape(name[:min(len(name), mostPointer)])
}

// unescape reads a step of a JSON pointer in a URI fragment (RFC 6901, 6).
func unescape(step string) string {
	if u, err := url.PathUnescape(step); err == nil {
		step = u
	}
	return fromStep.Replace(step)
}
