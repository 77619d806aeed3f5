package api

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// readersOf says who may read a fact of the world, whatever route it comes by.
func readersOf(b *bench, w *world, owner string) map[string]struct {
	value   string
	readers []string
} {
	b.Helper()
	type fact = struct {
		value   string
		readers []string
	}
	sides, side := []string{"owner", "assignee", "operator"}, []string{"owner", "assignee"}
	return map[string]fact{
		"the address of the assigned person": {w.assignee.email, []string{"assignee"}},
		"the id of the assigned person":      {w.assignee.id, []string{"assignee", "operator"}},
		"the name of the person for agents":  {b.board.Ref(w.owner.id, w.assignee.id), []string{"owner", "operator"}},
		"the address of the requester":       {owner, []string{"owner", "operator"}},
		"the id of the requester":            {w.owner.id, []string{"owner", "operator"}},
		"the exact place":                    {"1-2-3 Dogenzaka", sides},
		"the delivery":                       {"The sign says Pan no Ie.", sides},
		"a message":                          {"Thank you for taking this.", side},
		"an application":                     {"I live nearby.", sides},
		"the requester's name for the task":  {"ref-secret-17", []string{"owner", "operator"}},
		"the address of a webhook":           {"https://hooks.example.com/x", []string{"owner"}},
		"a report":                           {"Something is odd here.", []string{"operator"}},
	}
}

// TestNobodyReadsWhatIsNotTheirs: whatever can be read, by everybody: none of the answers
// has in it what is for others. Each fact is read by those for whom it is, or the
// test looks for something that is nowhere.
func TestNobodyReadsWhatIsNotTheirs(t *testing.T) {
	over := make(chan struct{})
	close(over)
	b := newBench(t, func(o *Options) { o.Stop = over })
	w := newWorld(b)
	owner := b.must(200, call{method: "GET", path: "/api/ai/accounts", as: w.owner.key}).json["account"].(map[string]any)["paypal_email"].(string)
	w.task = b.post(w.owner, func(m map[string]any) { m["client_ref"] = "ref-secret-17" })
	b.assign(w.owner, w.assignee, w.task)
	b.must(201, call{method: "POST", path: "/api/conversations", as: w.owner.key, body: map[string]any{"task_id": w.task, "message": "Thank you for taking this."}})
	b.deliver(w.assignee, w.task)
	read := map[string]map[string]bool{}
	for _, r := range b.api.Routes() {
		if r.Method != "GET" {
			continue
		}
		for _, who := range callers {
			c := w.request(b, r)
			c.as = w.as[who]
			for _, query := range []string{"", "?scope=public", "?scope=mine", "?task_id=" + w.task} {
				c.path, _, _ = strings.Cut(c.path, "?")
				c.path += query
				got := b.do(c)
				for name, fact := range readersOf(b, w, owner) {
					if !strings.Contains(got.raw, fact.value) {
						continue
					}
					if !slices.Contains(fact.readers, who) {
						t.Errorf("%s%s: %s reads %s: %s", r.pattern(), query, who, name, got.raw)
					}
					if read[name] == nil {
						read[name] = map[string]bool{}
					}
					read[name][who] = true
				}
			}
		}
	}
	for name, fact := range readersOf(b, w, owner) {
		want := slices.Sorted(slices.Values(fact.readers))
		if diff := cmp.Diff(want, slices.Sorted(maps.Keys(read[name]))); diff != "" {
			t.Errorf("who reads %s (-want +got):\n%s", name, diff)
		}
	}
}

// TestWhatIsSaidOfPeople: the keys of what a side reads of the other one. A new key fails
// the test until somebody has said that it may be read.
func TestWhatIsSaidOfPeople(t *testing.T) {
	b := newBench(t)
	a, w := b.agent(), b.worker()
	b.must(200, call{method: "POST", path: "/api/me", as: w.session, body: map[string]any{
		"handle": "hana", "country": "JP", "prefecture": "東京都", "city": "渋谷区", "areas": []string{"東京都"}, "skills": []string{"photo"}, "languages": []string{"ja"},
		"headline": "Quick", "bio": "I live at 1-2-3.", "instant": map[string]any{"on": true, "cap": 3, "floors": map[string]any{"jpy": 900}},
	}})
	id := b.post(a)
	b.assign(a, w, id)
	b.deliver(w, id)
	b.must(200, call{method: "POST", path: "/api/tasks/" + id + "/approve", as: a.key})
	for as, stars := range map[string]int{a.key: 5, w.session: 4} {
		b.must(200, call{method: "POST", path: "/api/tasks/" + id + "/reviews", as: as, body: map[string]any{"rating_overall": stars, "comment": "Quick."}})
	}
	ref := b.board.Ref(a.id, w.id)
	for path, c := range map[string]struct{ as, list, keys string }{
		"/api/agent/humans/search":                {a.key, "humans", "area completed floor_minor floor_currency handle human_ref languages rating ratings skills"},
		"/api/agent/humans/" + ref + "/reviews":   {a.key, "reviews", "comment created_at rating_overall"},
		"/api/tasks/" + id + "/requester/reviews": {"", "reviews", "comment created_at rating_overall"},
		"/api/tasks/" + id + "/requester":         {"", "", "cancelled completed median_review_minutes name posted rating ratings rejected"},
		"/api/tasks/" + id + "/applications": {a.key, "applications",
			"answered_at availability completed counter_amount_minor counter_currency cover_letter created_at handle human_ref id rating status untrusted"},
	} {
		got := b.must(200, call{method: "GET", path: path, as: c.as}).json
		if c.list != "" {
			list, _ := got[c.list].([]any)
			if len(list) != 1 {
				t.Fatalf("%s: %v", path, got)
			}
			got = list[0].(map[string]any)
		}
		if extra := beyond(got, strings.Fields(c.keys)); len(extra) > 0 {
			t.Errorf("%s says %v too", path, extra)
		}
	}
}
