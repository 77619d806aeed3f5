package mcptest

import (
	"fmt"
	"slices"
	"sync"

	"github.com/legwork-mcp/legwork/internal/mcptest/check"
)

// The bounds of checks: each opens several connections and works hard for a while.
const (
	reportsEach = 4  // kept of one caller
	reportsAll  = 64 // kept of all
	checksEach  = 2  // at one time, of one caller
	checksAll   = 8  // at one time, of all
)

// kept is the report of a check.
type kept struct {
	owner, name string
	report      *check.Report
}

// reports are the newest reports of all callers, the oldest first, and the checks that
// run.
type reports struct {
	mu      sync.Mutex
	all     []kept
	last    int // number of the newest
	running map[string]int
	busy    int
}

// begin takes a place for a check, which done gives back.
func (r *reports) begin(owner string) (done func(), err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	switch {
	case r.running[owner] >= checksEach:
		return nil, noRoom(fmt.Sprintf("%d checks of yours run already.", r.running[owner]))
	case r.busy >= checksAll:
		return nil, noRoom("As many checks run as this server takes.")
	}
	if r.running == nil {
		r.running = map[string]int{}
	}
	r.running[owner]++
	r.busy++
	return func() {
		r.mu.Lock()
		defer r.mu.Unlock()
		r.busy--
		if r.running[owner]--; r.running[owner] == 0 {
			delete(r.running, owner)
		}
	}, nil
}

// keep keeps a report and gives its name.
func (r *reports) keep(owner string, k kept) string {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.last++
	k.owner, k.name = owner, fmt.Sprintf("r%d", r.last)
	own := 0
	for _, other := range r.all {
		if other.owner == owner {
			own++
		}
	}
	switch {
	case own >= reportsEach:
		i := slices.IndexFunc(r.all, func(other kept) bool { return other.owner == owner })
		r.all = slices.Delete(r.all, i, i+1)
	case len(r.all) >= reportsAll:
		r.all = slices.Delete(r.all, 0, 1)
	}
	r.all = append(r.all, k)
	return k.name
}

// get is a report of this caller.
func (r *reports) get(owner, name string) (kept, bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, k := range r.all {
		if k.owner == owner && k.name == name {
			return k, true
		}
	}
	return kept{}, false
}

// names are the reports of a caller.
func (r *reports) names(owner string) []string {
	r.mu.Lock()
	defer r.mu.Unlock()
	out := []string{}
	for _, k := range r.all {
		if k.owner == owner {
			out = append(out, k.name)
		}
	}
	return out
}
