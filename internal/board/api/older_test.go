package api

import (
	"strings"
	"testing"
)

// The steps of the older product lead to the same end, and are not needed for it.
func TestOlderPathsOfAReview(t *testing.T) {
	b := newBench(t)
	a, w := b.agent(), b.worker()
	id := b.post(a)
	ask := func(method, path string, body map[string]any) answered {
		return b.do(call{method: method, path: "/api/tasks/" + id + path, as: a.key, body: body})
	}
	if got := ask("POST", "/contact/allow", nil); got.status != 409 || got.reason() != "contact_not_open" {
		t.Errorf("a conversation with nobody: %d %s", got.status, got.raw)
	}
	if got := ask("POST", "/review/recognize", nil); got.status != 409 || got.reason() != "not_review_pending" {
		t.Errorf("an open task: %d %s", got.status, got.raw)
	}
	b.assign(a, w, id)
	open := ask("POST", "/contact/allow", nil)
	if open.status != 200 || open.json["status"] != "open" {
		t.Errorf("contact/allow: %d %s", open.status, open.raw)
	}
	b.must(201, call{method: "POST", path: "/api/tasks/" + id + "/contact/messages", as: w.session, body: map[string]any{"body": "I am done, see here."}})
	if got := ask("POST", "/review/recognize", map[string]any{"message_id": "x"}); got.status != 409 || got.reason() != "missing_submission" {
		t.Errorf("a message is no delivery: %d %s", got.status, got.raw)
	}
	read := func() int64 {
		c, err := b.board.ConversationOf(b.Context(), id)
		if err != nil {
			t.Fatal(err)
		}
		return c.AgentRead
	}
	if before, got := read(), ask("PATCH", "/contact/read", nil); before != 0 || got.status != 200 || read() != 1 {
		t.Errorf("contact/read: read %d before, then %d: %d %s", before, read(), got.status, got.raw)
	}
	if got := ask("POST", "/review/confirm", map[string]any{"acceptance_checked": true}); got.status != 409 || got.reason() != "not_review_pending" {
		t.Errorf("nothing to confirm: %d %s", got.status, got.raw)
	}
	b.deliver(w, id)
	if got := ask("POST", "/review/recognize", nil); got.status != 200 || got.json["submission_id"] == "" || got.json["has_attachment"] != false {
		t.Errorf("recognize: %d %s", got.status, got.raw)
	}
	said := map[string]any{"acceptance_checked": true, "attachment_checked": true, "final_confirmed": true, "review_note": "It is all there."}
	if got := ask("POST", "/review/confirm", said); got.status != 200 || got.json["guard"].(map[string]any)["final_confirmed"] != true {
		t.Errorf("confirm: %d %s", got.status, got.raw)
	}
	b.must(200, call{method: "POST", path: "/api/tasks/" + id + "/approve", as: a.key})
	if said := b.checked(id); said != "acceptance_checked=true attachment_checked=true final_confirmed=true" {
		t.Errorf("of what was confirmed %q is kept", said)
	}
}

// checked is the checklist that an approval keeps.
func (b *bench) checked(id string) string {
	b.Helper()
	all, err := b.board.History(b.Context(), id)
	if err != nil {
		b.Fatal(err)
	}
	return all[len(all)-1].Data["checks"]
}

// A checklist is of the delivery that it was made for.
func TestAChecklistDoesNotOutliveItsDelivery(t *testing.T) {
	b := newBench(t)
	a, w := b.agent(), b.worker()
	id := b.post(a)
	b.assign(a, w, id)
	b.deliver(w, id)
	b.must(200, call{method: "POST", path: "/api/tasks/" + id + "/review/confirm", as: a.key, body: map[string]any{"acceptance_checked": true}})
	b.must(200, call{method: "POST", path: "/api/tasks/" + id + "/request-revision", as: a.key, body: map[string]any{"message": "The second line cannot be read, please look again."}})
	b.deliver(w, id)
	b.must(200, call{method: "POST", path: "/api/tasks/" + id + "/approve", as: a.key})
	if said := b.checked(id); strings.Contains(said, "true") {
		t.Errorf("the checklist of the first delivery counts for the second: %s", said)
	}
}

// Ratings are read in pages and in short, by the person, the account, an agent that
// knows the person, and everybody who sees a task of the requester.
func TestReviewsOfASide(t *testing.T) {
	b := newBench(t)
	a, w := b.agent(), b.worker()
	var id, ref string
	for n := range 3 {
		id = b.post(a)
		b.assign(a, w, id)
		b.deliver(w, id)
		b.must(200, call{method: "POST", path: "/api/tasks/" + id + "/approve", as: a.key})
		b.must(200, call{method: "POST", path: "/api/tasks/" + id + "/reviews", as: a.key, body: map[string]any{"rating_overall": n + 3, "comment": "To the person."}})
		b.must(200, call{method: "POST", path: "/api/tasks/" + id + "/reviews", as: w.session, body: map[string]any{"rating_overall": 2, "comment": "To the requester."}})
		ref = b.board.Ref(a.id, w.id)
	}
	open := b.post(a)
	for _, c := range []struct{ path, as, comment string }{
		{"/api/me/reviews", w.session, "To the person."}, {"/api/agent/humans/" + ref + "/reviews", a.key, "To the person."},
		{"/api/ai/reviews", a.key, "To the requester."}, {"/api/tasks/" + open + "/requester/reviews", "", "To the requester."},
	} {
		first := b.must(200, call{method: "GET", path: c.path + "?limit=2", as: c.as})
		next, _ := first.json["next_cursor"].(string)
		if len(first.json["reviews"].([]any)) != 2 || next == "" || strings.Contains(first.raw, id) {
			t.Errorf("%s: %s", c.path, first.raw)
		}
		rest := b.must(200, call{method: "GET", path: c.path + "?limit=2&cursor=" + next, as: c.as})
		if len(rest.json["reviews"].([]any)) != 1 || rest.json["next_cursor"] != nil || strings.Count(first.raw+rest.raw, c.comment) != 3 {
			t.Errorf("%s, further: %s", c.path, rest.raw)
		}
	}
	for path, c := range map[string]struct {
		as   string
		mean float64
	}{"/api/me/reviews/summary": {w.session, 4}, "/api/ai/reviews/summary": {a.key, 2}} {
		got := b.must(200, call{method: "GET", path: path, as: c.as})
		if got.json["review_count"] != 3.0 || got.json["avg_rating"] != c.mean || len(got.json["latest"].([]any)) != 3 {
			t.Errorf("%s: %s", path, got.raw)
		}
	}
}

// A person leaves, and what a requester reads of them afterwards names nobody.
func TestLeaving(t *testing.T) {
	b := newBench(t)
	a, w := b.agent(), b.worker()
	b.must(200, call{method: "POST", path: "/api/me", as: w.session, body: map[string]any{"handle": "Hanako of Shibuya", "country": "JP", "prefecture": "東京都"}})
	id, other := b.post(a), b.post(a)
	b.assign(a, w, id)
	b.must(201, call{method: "POST", path: "/api/tasks/" + other + "/apply", as: w.session, body: map[string]any{"cover_letter": "I live in Shibuya.", "availability": "today"}})
	key := b.must(201, call{method: "POST", path: "/api/me/api-keys", as: w.session, body: map[string]any{"name": "phone"}}).json["api_key"].(string)
	leave := call{method: "DELETE", path: "/api/me", as: w.session}
	if got := b.do(leave); got.status != 409 || got.reason() != "invalid_task_status" {
		t.Errorf("in the middle of a task: %d %s", got.status, got.raw)
	}
	b.deliver(w, id)
	b.must(200, call{method: "POST", path: "/api/tasks/" + id + "/approve", as: a.key})
	b.settle()
	if got := b.do(call{method: "DELETE", path: "/api/me", as: key}); got.status != 403 {
		t.Errorf("a key ends its owner: %d %s", got.status, got.raw)
	}
	b.must(200, leave)
	for _, as := range []string{w.session, key} {
		if got := b.do(call{method: "GET", path: "/api/me", as: as}); got.status != 401 {
			t.Errorf("after leaving: %d %s", got.status, got.raw)
		}
	}
	for _, path := range []string{"/api/tasks/" + id, "/api/tasks/" + id + "/applications", "/api/tasks/" + other + "/applications", "/api/conversations"} {
		if got := b.must(200, call{method: "GET", path: path, as: a.key}); strings.Contains(got.raw, "Hanako") || strings.Contains(got.raw, "Shibuya.") || strings.Contains(got.raw, w.email) {
			t.Errorf("%s still names who left: %s", path, got.raw)
		}
	}
	if again := b.signIn(w.email); again.id == w.id {
		t.Error("the same address gets the old profile")
	}
}

// An operator gives an account a cap of its own, and the cap of the board back.
func TestCapsOfAnAccount(t *testing.T) {
	b := newBench(t)
	a, boss := b.agent(), b.operator()
	set := func(caps map[string]any) {
		b.must(200, call{method: "POST", path: "/api/operator/accounts/" + a.id + "/caps", as: boss.session, body: map[string]any{"daily_caps": caps}})
	}
	set(map[string]any{"usd": 100})
	if got := b.do(call{method: "POST", path: "/api/tasks", as: a.key, body: errand()}); got.reason() != "spend_cap_exceeded" {
		t.Errorf("over the cap: %d %s", got.status, got.raw)
	}
	if got := b.must(200, call{method: "GET", path: "/api/ai/accounts", as: a.key}); !strings.Contains(got.raw, `"USD":100`) {
		t.Errorf("the account does not show it: %s", got.raw)
	}
	set(map[string]any{})
	b.post(a)
	if got := b.do(call{method: "POST", path: "/api/operator/accounts/" + a.id + "/caps", as: boss.session, body: map[string]any{"daily_caps": map[string]any{"usd": -1}}}); got.status != 400 {
		t.Errorf("a cap below nothing: %d %s", got.status, got.raw)
	}
}
