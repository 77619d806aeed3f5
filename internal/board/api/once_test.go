package api

import (
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/legwork-mcp/legwork/internal/store"
)

func keyed(key string) map[string]string { return map[string]string{keyHeader: key} }

// TestRetries: the same key with the same request gives the first answer and does
// nothing; with another request, or by somebody else, it does not.
func TestRetries(t *testing.T) {
	databases.Each(t, func(t *testing.T, u store.URL) {
		b := benchOn(t, u)
		a, other := b.agent(), b.agent()
		first := b.must(201, call{method: "POST", path: "/api/tasks", as: a.key, body: errand(), header: keyed("k")})
		if first.header.Get(replayHeader) != "" {
			t.Error("the first answer says that it is a replay")
		}
		for name, c := range map[string]call{
			"again":                    {as: a.key, body: errand()},
			"fields in another order":  {as: a.key, body: reordered(errand())},
			"credentials in the body":  {body: errand(func(m map[string]any) { m["ai_account_id"], m["ai_api_key"] = a.id, a.key })},
			"the account's other pair": {header: map[string]string{"X-AI-Account-Id": a.id, "X-AI-Api-Key": a.key}, body: errand()},
		} {
			c.method, c.path = "POST", "/api/tasks"
			c.header = with2(c.header, keyed("k"))
			got := b.must(201, c)
			if got.raw != first.raw || got.header.Get(replayHeader) != "true" {
				t.Errorf("%s: %s", name, got.raw)
			}
		}
		if got := b.do(call{method: "POST", path: "/api/tasks", as: a.key, body: errand(func(m map[string]any) { m["budget_usd"] = 13 }), header: keyed("k")}); got.status != 409 || got.reason() != "idempotency_key_conflict" {
			t.Errorf("another request: %d %s", got.status, got.raw)
		}
		theirs := b.must(201, call{method: "POST", path: "/api/tasks", as: other.key, body: errand(), header: keyed("k")})
		if theirs.json["id"] == first.json["id"] || theirs.header.Get(replayHeader) != "" {
			t.Errorf("another account got the answer of the first: %s", theirs.raw)
		}
		for _, bad := range []string{strings.Repeat("k", maxKey+1), "with space", "ключ"} {
			if got := b.do(call{method: "POST", path: "/api/tasks", as: a.key, body: errand(), header: keyed(bad)}); got.status != 400 || got.reason() != "idempotency_key_too_long" {
				t.Errorf("the key %q: %d %s", bad, got.status, got.raw)
			}
		}
		if n := len(b.must(200, call{method: "GET", path: "/api/tasks", as: a.key}).json["tasks"].([]any)); n != 1 {
			t.Errorf("the account has %d tasks, want 1", n)
		}
	})
}

// TestRefusalsAreNotKept: after a refusal the same key works.
func TestRefusalsAreNotKept(t *testing.T) {
	b := newBench(t)
	a := b.agent()
	if got := b.do(call{method: "POST", path: "/api/tasks", as: a.key, body: errand(func(m map[string]any) { m["budget_usd"] = 1 }), header: keyed("k")}); got.reason() != "below_min_budget" {
		t.Fatalf("%d %s", got.status, got.raw)
	}
	b.must(201, call{method: "POST", path: "/api/tasks", as: a.key, body: errand(), header: keyed("k")})
}

// TestKeysBelongToWhoIsKnown: nobody claims a key without credentials, or with wrong
// ones.
func TestKeysBelongToWhoIsKnown(t *testing.T) {
	b := newBench(t)
	a := b.agent()
	for _, c := range []call{
		{body: errand(func(m map[string]any) { m["ai_account_id"] = a.id })},
		{body: errand(func(m map[string]any) { m["ai_account_id"], m["ai_api_key"] = a.id, a.key+"0" })},
	} {
		c.method, c.path, c.header = "POST", "/api/tasks", keyed("k")
		if got := b.do(c); got.status != 401 {
			t.Errorf("%d %s", got.status, got.raw)
		}
	}
	if got := b.must(201, call{method: "POST", path: "/api/tasks", as: a.key, body: errand(), header: keyed("k")}); got.header.Get(replayHeader) != "" {
		t.Error("somebody else had claimed the key")
	}
}

// TestManyAtOnce: of twenty requests with one key, one posts, and all get its answer.
func TestManyAtOnce(t *testing.T) {
	databases.Each(t, func(t *testing.T, u store.URL) {
		b := benchOn(t, u)
		a := b.agent()
		var group sync.WaitGroup
		answers := make([]answered, 20)
		for i := range answers {
			group.Go(func() {
				answers[i] = b.do(call{method: "POST", path: "/api/tasks", as: a.key, body: errand(), header: keyed("k")})
			})
		}
		group.Wait()
		ids := map[string]int{}
		for _, got := range answers {
			ids[fmt.Sprint(got.status, got.json["id"])]++
		}
		if len(ids) != 1 || ids[fmt.Sprint(201, answers[0].json["id"])] != 20 {
			t.Errorf("answers: %v", ids)
		}
		if n := len(b.must(200, call{method: "GET", path: "/api/tasks", as: a.key}).json["tasks"].([]any)); n != 1 {
			t.Errorf("%d tasks were posted", n)
		}
	})
}

// TestEveryCommandCanBeRetried: each command that takes a key gives its first answer
// again, and says so.
func TestEveryCommandCanBeRetried(t *testing.T) {
	b := newBench(t)
	a, w := b.agent(), b.worker()
	id := b.post(a)
	tasks := "/api/tasks/" + id
	for _, c := range []call{
		{path: tasks + "/extend-deadline", as: a.key, body: map[string]any{"minutes": 900}},
		{path: tasks + "/apply", as: w.session, body: map[string]any{"cover_letter": "I live nearby.", "availability": "today"}},
		{path: tasks + "/accept-application", as: a.key, body: map[string]any{"human_ref": b.board.Ref(a.id, w.id)}},
		{path: "/api/conversations", as: a.key, body: map[string]any{"task_id": id, "message": "When can you go there?"}},
		{path: "/api/submissions", as: w.session, body: map[string]any{"task_id": id, "type": "text", "text": "Open until eight."}},
		{path: tasks + "/request-revision", as: a.key, body: map[string]any{"message": "Please add the name of the shop."}},
		{path: "/api/submissions", as: w.session, body: map[string]any{"task_id": id, "type": "text", "text": "Pan no Ie, open until eight."}},
		{path: tasks + "/reject", as: a.key, body: map[string]any{"reason_code": "criteria_not_met", "reason_text": "The hours are not those on the door."}},
		{path: tasks + "/appeal", as: w.session, body: map[string]any{"statement": "They are on the door; see the second line of my text."}},
	} {
		c.method = "POST"
		c.header = keyed(fmt.Sprint("key-", unique()))
		first, again := b.do(c), b.do(c)
		if first.status/100 != 2 || again.status != first.status || again.raw != first.raw || again.header.Get(replayHeader) != "true" {
			t.Fatalf("%s: first %d %s\nagain %d %s %v", c.path, first.status, first.raw, again.status, again.raw, again.header)
		}
	}
}

func reordered(m map[string]any) string {
	return fmt.Sprintf(`{"deadline_minutes": 600, "exact_location": %q, "location": %q,  "deliverable":"text","budget_usd":12.5,"not_allowed":%q,"acceptance_criteria":%q,"task_label":%q,"origin_country":"US","task":%q}`,
		m["exact_location"], m["location"], m["not_allowed"], m["acceptance_criteria"], m["task_label"], m["task"])
}

func with2(a, b map[string]string) map[string]string {
	out := map[string]string{}
	for _, m := range []map[string]string{a, b} {
		for k, v := range m {
			out[k] = v
		}
	}
	return out
}
