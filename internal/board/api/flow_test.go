package api

import (
	"bytes"
	"fmt"
	"mime/multipart"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/legwork-mcp/legwork/internal/store"
)

// TestWholeLife: from the account to the payout, over HTTP alone, on both databases.
func TestWholeLife(t *testing.T) {
	databases.Each(t, func(t *testing.T, u store.URL) {
		b := benchOn(t, u)
		a, w := b.agent(), b.worker()
		id := b.post(a)

		apply := b.must(201, call{method: "POST", path: "/api/tasks/" + id + "/apply", as: w.session, body: map[string]any{"cover_letter": "I live nearby.", "availability": "today", "counter_budget_usd": 14}})
		if again := b.do(call{method: "POST", path: "/api/tasks/" + id + "/apply", as: w.session, body: map[string]any{"cover_letter": "x", "availability": "y"}}); again.status != 409 || again.reason() != "already_applied" {
			t.Errorf("a second application: %d %s", again.status, again.raw)
		}
		seen := b.must(200, call{method: "GET", path: "/api/tasks/" + id + "/applications", as: a.key}).json["applications"].([]any)[0].(map[string]any)
		if seen["id"] != apply.json["application_id"] || seen["counter_amount_minor"] != 1400.0 || seen["untrusted"] != true {
			t.Errorf("the application: %v", seen)
		}
		b.must(200, call{method: "POST", path: "/api/tasks/" + id + "/accept", as: a.key, body: map[string]any{"human_id": seen["human_ref"]}})
		if got := b.task(w.session, id); got["exact_location"] != "1-2-3 Dogenzaka" || got["status"] != "accepted" {
			t.Errorf("the assigned person reads %v", got)
		}

		b.deliver(w, id)
		got := b.task(a.key, id)
		if s := got["submission"].(map[string]any); got["status"] != "review_pending" || s["text"] != "The sign says Pan no Ie." || s["type"] != "text" || s["content_url"] != nil {
			t.Errorf("the delivery: %v", got)
		}
		b.must(200, call{method: "POST", path: "/api/tasks/" + id + "/request-revision", as: a.key, body: map[string]any{"message": "Please add the opening hours too."}})
		b.deliver(w, id)
		for range 2 {
			done := b.must(200, call{method: "POST", path: "/api/tasks/" + id + "/approve", as: a.key, body: map[string]any{"checks": map[string]any{"acceptance_checked": true}}})
			if done.json["status"] != "completed" || done.json["task_id"] != id {
				t.Errorf("approval: %s", done.raw)
			}
		}
		me := b.must(200, call{method: "GET", path: "/api/me", as: w.session})
		if owed := me.json["balance"].(map[string]any)["USD"]; owed != 1000.0 {
			t.Errorf("the person is owed %v cents, want 1000 once", owed)
		}
		if wrong, err := b.board.Audit(t.Context()); err != nil || len(wrong) > 0 {
			t.Errorf("the ledger: %v %v", wrong, err)
		}
		events := b.must(200, call{method: "GET", path: "/api/events", as: a.key}).json["events"].([]any)
		var types []string
		for _, e := range events {
			types = append(types, e.(map[string]any)["type"].(string))
		}
		for _, want := range []string{"task.created", "application.received", "task.accepted", "submission.received", "revision.requested", "task.completed"} {
			if !slices.Contains(types, want) {
				t.Errorf("no event %s among %v", want, types)
			}
		}
	})
}

// TestTheSpecificationsWay: credentials in the body, as section 4 of the specification
// has them, and the answers with its keys.
func TestTheSpecificationsWay(t *testing.T) {
	b := newBench(t)
	a := b.agent()
	in := errand(func(m map[string]any) { m["ai_account_id"], m["ai_api_key"] = a.id, a.key })
	got := b.must(201, call{method: "POST", path: "/api/tasks", body: in})
	if got.json["status"] != "open" || got.json["id"] == "" {
		t.Errorf("create: %s", got.raw)
	}
	in["consent_wait_seconds"] = 0
	called := b.must(200, call{method: "POST", path: "/api/call_human", body: in})
	if called.json["status"] != "rejected" || called.reason() != "no_human_available" || called.json["task_status"] != "open" {
		t.Errorf("call: %s", called.raw)
	}
	in["on_no_supply"] = "fail"
	called = b.must(200, call{method: "POST", path: "/api/call_human", body: in})
	if called.json["task_status"] != "failed" {
		t.Errorf("call with fail: %s", called.raw)
	}
	in["ai_api_key"] = b.agent().key
	if wrong := b.do(call{method: "POST", path: "/api/tasks", body: in}); wrong.status != 401 || wrong.reason() != "invalid_credentials" {
		t.Errorf("one account with another's key: %d %s", wrong.status, wrong.raw)
	}
	for _, c := range []call{
		{path: "/api/tasks?scope=mine", header: map[string]string{"X-AI-Account-Id": a.id, "X-AI-Api-Key": a.key}},
		{path: "/api/tasks?scope=mine&ai_account_id=" + a.id, header: map[string]string{"X-AI-Api-Key": a.key}},
		{path: "/api/tasks?scope=mine&ai_account_id=" + a.id, as: a.key},
		{path: "/api/tasks", as: a.key},
	} {
		c.method = "GET"
		if got := b.must(200, c); len(got.json["tasks"].([]any)) != 3 {
			t.Errorf("%s: %s", c.path, got.raw)
		}
	}
	if got := b.do(call{method: "GET", path: "/api/tasks?scope=mine&ai_account_id=" + a.id + "&ai_api_key=" + a.key}); got.status != 401 {
		t.Errorf("a key in the query string works: %s", got.raw)
	}
}

// TestConsent: call_human waits for a person who agreed to instant offers, and the
// person's consent makes it accepted.
func TestConsent(t *testing.T) {
	b := newBench(t)
	a, w := b.agent(), b.worker()
	b.must(200, call{method: "POST", path: "/api/me", as: w.session, body: map[string]any{
		"handle": "hana", "country": "JP", "prefecture": "東京都", "city": "渋谷区", "areas": []string{"東京都"},
		"instant": map[string]any{"on": true, "quiet_from": 0, "quiet_to": 0, "cap": 3},
	}})
	called := make(chan answered, 1)
	go func() {
		called <- b.do(call{method: "POST", path: "/api/call_human", as: a.key, header: map[string]string{"Idempotency-Key": "c1"},
			body: errand(func(m map[string]any) { m["consent_wait_seconds"] = 20; m["prefecture"] = "東京都" })})
	}()
	var offer map[string]any
	for offer == nil {
		offers := b.must(200, call{method: "GET", path: "/api/me/offers", as: w.session}).json["offers"].([]any)
		if len(offers) > 0 {
			offer = offers[0].(map[string]any)
		}
		select {
		case early := <-called:
			t.Fatalf("it did not wait for the person: %s", early.raw)
		default:
		}
	}
	b.must(200, call{method: "POST", path: "/api/offers/" + offer["id"].(string) + "/accept", as: w.session})
	got := <-called
	if got.status != 200 || got.json["status"] != "accepted" || got.json["task_id"] != offer["task"].(map[string]any)["id"] {
		t.Errorf("call: %d %s", got.status, got.raw)
	}
	again := b.must(200, call{method: "POST", path: "/api/call_human", as: a.key, header: map[string]string{"Idempotency-Key": "c1"},
		body: errand(func(m map[string]any) { m["consent_wait_seconds"] = 20; m["prefecture"] = "東京都" })})
	if again.raw != got.raw || again.header.Get(replayHeader) != "true" {
		t.Errorf("the same call again: %s %v", again.raw, again.header)
	}
}

// TestForm: a form with files delivers what JSON with uploads does, only for the person
// who has the task, and the links are each reader's own.
func TestForm(t *testing.T) {
	b := newBench(t, func(o *Options) { o.Files = newShelf() })
	a, w, other := b.agent(), b.worker(), b.worker()
	id := b.post(a, func(m map[string]any) { m["deliverable"] = "photo" })
	b.assign(a, w, id)
	form := func(files ...string) (string, map[string]string) {
		var body bytes.Buffer
		f := multipart.NewWriter(&body)
		for k, v := range map[string]string{"task_id": id, "type": "photo"} {
			if err := f.WriteField(k, v); err != nil {
				t.Fatal(err)
			}
		}
		for i, content := range files {
			part, err := f.CreateFormFile("file", fmt.Sprintf("../../%d.jpg", i))
			if err != nil {
				t.Fatal(err)
			}
			if _, err := part.Write([]byte(content)); err != nil {
				t.Fatal(err)
			}
		}
		if err := f.Close(); err != nil {
			t.Fatal(err)
		}
		return body.String(), map[string]string{"Content-Type": f.FormDataContentType()}
	}
	body, header := form("picture one", "picture two")
	if got := b.do(call{method: "POST", path: "/api/submissions", as: other.session, body: body, header: header}); got.status != 403 || got.reason() != "not_assigned" {
		t.Errorf("somebody else: %d %s", got.status, got.raw)
	}
	bad, badHeader := form("<script>")
	if got := b.do(call{method: "POST", path: "/api/submissions", as: w.session, body: bad, header: badHeader}); got.reason() != "invalid_file_type" {
		t.Errorf("a script: %s", got.raw)
	}
	if got := b.do(call{method: "POST", path: "/api/submissions", as: w.session, body: "no form", header: map[string]string{"Content-Type": "multipart/form-data"}}); got.reason() != "invalid_request" {
		t.Errorf("no boundary: %s", got.raw)
	}
	first := b.must(201, call{method: "POST", path: "/api/submissions", as: w.session, body: body, header: with2(header, keyed("f"))})
	body, header = form("picture one", "picture two")
	again := b.must(201, call{method: "POST", path: "/api/submissions", as: w.session, body: body, header: with2(header, keyed("f"))})
	if again.raw != first.raw || again.header.Get(replayHeader) != "true" {
		t.Errorf("the same form again: %s", again.raw)
	}
	body, header = form("picture one", "picture three")
	if other := b.do(call{method: "POST", path: "/api/submissions", as: w.session, body: body, header: with2(header, keyed("f"))}); other.reason() != "idempotency_key_conflict" {
		t.Errorf("another form with the key: %s", other.raw)
	}
	s := b.task(a.key, id)["submission"].(map[string]any)
	if url, _ := s["content_url"].(string); !strings.HasPrefix(url, b.url+"/files/") || !strings.HasSuffix(url, "for=agent:"+a.id) || len(s["items"].([]any)) != 2 {
		t.Errorf("the agent reads %v", s)
	}
	if url := b.task(w.session, id)["submission"].(map[string]any)["content_url"].(string); !strings.HasSuffix(url, "for=human:"+w.id) {
		t.Errorf("the person's link: %s", url)
	}
}

// TestOthersUploads: an upload of somebody else cannot be delivered or sent.
func TestOthersUploads(t *testing.T) {
	files := newShelf()
	b := newBench(t, func(o *Options) { o.Files = files })
	a, w, other := b.agent(), b.worker(), b.worker()
	id := b.post(a, func(m map[string]any) { m["deliverable"] = "photo" })
	b.assign(a, w, id)
	foreign, err := files.Take(t.Context(), Principal{Kind: Human, HumanID: other.id}.actor(), "photo", strings.NewReader("picture of the other"))
	if err != nil {
		t.Fatal(err)
	}
	got := b.do(call{method: "POST", path: "/api/submissions", as: w.session, body: map[string]any{"task_id": id, "type": "photo", "items": []any{map[string]any{"upload_id": foreign.Upload}}}})
	if got.status != http.StatusNotFound {
		t.Errorf("delivered: %d %s", got.status, got.raw)
	}
}
