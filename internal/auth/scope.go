package auth

import (
	"slices"
	"strings"
)

// The actions of which one includes the other.
const (
	readAction    = ":read"
	executeAction = ":execute"
)

// Has reports whether p may use what needs the scope. Scopes are compared byte
// for byte, as RFC 6749 section 3.3 has it, and one that ends in ":execute"
// includes the one of the same name that ends in ":read". Nobody has the empty
// scope, the local user every other.
func (p Principal) Has(scope string) bool {
	if scope == "" {
		return false
	}
	if p.IsLocal() || slices.Contains(p.Scopes, scope) {
		return true
	}
	name, ok := strings.CutSuffix(scope, readAction)
	return ok && name != "" && slices.Contains(p.Scopes, name+executeAction)
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
