package results

import (
	"fmt"
	"slices"

	"github.com/legwork-mcp/legwork/internal/nearest"
)

// Misspelt are remarks on keys that a configuration has and nobody here knows, where
// they look like a key that it lacks, whose default holds then; and on all unknown keys
// of the block "legwork", which is read by nobody else.
func (c *Config) Misspelt() []string {
	remarks := similar("", c.source, append(keysOf(c.fields()), "legwork"))
	block := append(keysOf(c.Legwork.fields()), "frames")
	for _, m := range c.Legwork.source {
		if !slices.Contains(block, m.key) {
			remark := fmt.Sprintf("legwork.%.60q is not known and does nothing", m.key)
			if near := nearest.Name(m.key, block); near != "" {
				remark += "; " + near + " may be meant"
			}
			remarks = append(remarks, remark)
		}
	}
	for _, p := range c.Plugins {
		remarks = append(remarks, similar("audit_plugins."+p.Name+".", p.source, keysOf(p.fields()))...)
	}
	return remarks
}

// similar compares the unknown keys of an object with the known ones that it lacks.
func similar(place string, o object, known []string) []string {
	lacks := slices.DeleteFunc(slices.Clone(known), func(key string) bool {
		_, has := o.get(key)
		return has
	})
	var remarks []string
	for _, m := range o {
		if slices.Contains(known, m.key) {
			continue
		}
		if near := nearest.Name(m.key, lacks); near != "" {
			remarks = append(remarks, fmt.Sprintf("%s%.60q is not known and does nothing; %s may be meant", place, m.key, near))
		}
	}
	return remarks
}

func keysOf(fields []field) []string {
	keys := make([]string, 0, len(fields))
	for _, f := range fields {
		keys = append(keys, f.key)
	}
	return keys
}
