package web

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestNoPageTellsStrangers: every page, as everybody gets it, has nothing in it that is for
// others; and each fact is on a page of those for whom it is, or the test looks for what is
// nowhere. The development mailbox is left out: it shows everything, on one machine.
func TestNoPageTellsStrangers(t *testing.T) {
	t.Parallel()
	c := newCast(t)
	facts := map[string]struct {
		value   string
		readers string
	}{
		"the address of the assigned person": {"hana@example.org", "assignee, operator"}, // who has an agent account too
		"the address of the requester":       {"agent@example.org", "operator"},
		"the id of the requester":            {c.world.agent.ID, "operator"},
		"the exact place":                    {"渋谷1-1-1 東口", "owner, assignee"},
		"a message":                          {"よろしくお願いします。", "owner, assignee"},
		"an application":                     {"近くに住んでいます。", "owner"},
		"the delivery":                       {"9時から21時までです。", "owner, assignee, operator"},
		"the statement of a dispute":         {strings.Repeat("長い理由です。", 5), "owner, assignee, operator"},
		"a report":                           {"変です。", "operator"},
		"a text that is held":                {"認証コードを転送する", "operator"},
		"a device":                           {"Pixel of Hana", "assignee"},
	}
	read := map[string]map[string]bool{}
	for _, r := range routes {
		path, get := strings.CutPrefix(r.pattern, "GET ")
		if !get || r.pattern == devMailRoute {
			continue
		}
		for _, id := range []string{c.task, c.disputed, c.held} {
			for _, who := range callers {
				body := c.as[who].get(strings.ReplaceAll(c.address(path), c.task, id)).body
				for name, fact := range facts {
					if !strings.Contains(body, fact.value) {
						continue
					}
					if read[name] == nil {
						read[name] = map[string]bool{}
					}
					read[name][who] = true
				}
			}
		}
	}
	for name, fact := range facts {
		var want []string
		for _, who := range callers {
			if slices.Contains(strings.Split(fact.readers, ", "), who) {
				want = append(want, who)
			}
		}
		slices.Sort(want)
		if diff := cmp.Diff(want, slices.Sorted(maps.Keys(read[name]))); diff != "" {
			t.Errorf("who reads %s (-want +got):\n%s", name, diff)
		}
	}
}
