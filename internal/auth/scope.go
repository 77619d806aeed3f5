package auth

import (
	"slices"
	"strings"
)

// readAction is what each of the other actions includes.
const readAction = ":read"

var actions = []string{":execute", ":scan", ":post"}

// Has reports whether p may use what needs the scope. Scopes are compared byte
// for byte, as RFC 6749 section 3.3 has it, and one that ends in ":execute", ":scan" or
// ":post" includes the one of the same name that ends in ":read". Nobody has the empty
// scope, the local user every other.
func (p Principal) Has(scope string) bool {
	if scope == "" {
		return false
	}
	if p.IsLocal() || slices.Contains(p.Scopes, scope) {
		return true
	}
	name, ok := strings.CutSuffix(scope, readAction)
	return ok && name != "" && slices.ContainsFunc(actions, func(a string) bool { return slices.Contains(p.Scopes, name+a) })
}

// Missing are those of the scopes that p does not have, in their order.
func Missing(p Principal, scopes ...string) []string {
	var out []string
	for _, s := range scopes {
		if !p.Has(s) {
			out = append(out, s)
		}
	}
	return out
}
