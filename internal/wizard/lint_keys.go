package wizard

import (
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"

	"github.com/legwork-mcp/legwork/internal/nearest"
)

// toolKeys are no part of the format: editors, people and this program's own
// tools put them into JSON.
var toolKeys = []string{"$schema", "$comment", "discovery", repairKey}

// lintKeys notes the keys that no reader knows, on every level: a misspelt one
// is kept in the file and yet does nothing.
func (c *checker) lintKeys(path string, v reflect.Value) {
	switch v.Kind() {
	case reflect.Pointer:
		if !v.IsNil() {
			c.lintKeys(path, v.Elem())
		}
	case reflect.Slice:
		if v.Type().Elem().Kind() != reflect.Struct {
			return
		}
		for i := range v.Len() {
			c.lintKeys(joinIndex(path, i), v.Index(i))
		}
	case reflect.Struct:
		c.lintObject(path, v)
	}
}

func (c *checker) lintObject(path string, v reflect.Value) {
	extra := v.FieldByName(extraField)
	if !extra.IsValid() {
		return // a time, not an object of the file
	}
	var known []string
	for _, m := range members(v.Type()) {
		known = append(known, m.key)
	}
	unknown, _ := extra.Interface().(map[string]json.RawMessage)
	for _, key := range slices.Sorted(maps.Keys(unknown)) {
		if slices.Contains(toolKeys, key) {
			continue
		}
		c.add(join(path, key), "%s", unknownKeyText(key, known))
	}
	for _, m := range members(v.Type()) {
		c.lintKeys(join(path, m.key), v.FieldByIndex(m.index))
	}
}

func unknownKeyText(key string, known []string) string {
	if best := nearest.Name(key, known); best != "" {
		return fmt.Sprintf("unknown key %q: did you mean %q?", key, best)
	}
	return fmt.Sprintf("unknown key %q", key)
}
