package api

import "testing"

// TestEveryRouteOfKeysNeedsAScope: a key may do what its scopes say and nothing else, so
// no route that asks for credentials serves a key without one.
func TestEveryRouteOfKeysNeedsAScope(t *testing.T) {
	for _, r := range newBench(t).api.Routes() {
		if r.Who&Anonymous != 0 {
			continue // no key is needed for it
		}
		if r.Who&Agent != 0 && r.Scope == "" {
			t.Errorf("%s serves every key of an agent", r.ID)
		}
		if r.Who&Human != 0 && r.HumanScope == "" && !r.Session {
			t.Errorf("%s serves every key of a person", r.ID)
		}
	}
}
