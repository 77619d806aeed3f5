package api

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// The keys that each reader of a task may get. A new key of Task that is in none of
// these lists fails the test, whoever it is shown to.
var (
	publicKeys = strings.Fields(`id task task_display title lang translation_status status status_text failure_reason task_label origin_country
work_country location prefecture city acceptance_criteria not_allowed deliverable evidence estimated_minutes budget_usd budget_usd_rate
amount_minor currency quote created_at deadline_at submission application_count next_actions`)
	sideKeys     = append(slices.Clone(publicKeys), strings.Fields(`sub_state exact_location review_deadline_at appeal_deadline_at accepted_at submitted_at ended_at updated_at version revisions review_code review_text`)...)
	ownerKeys    = append(slices.Clone(sideKeys), "ai_account_id", "client_ref", "human_ref", "key_id")
	operatorKeys = append(slices.Clone(sideKeys), "ai_account_id", "client_ref", "key_id", "human_id", "hold_class")
)

// full is an errand with every field that can be set.
func full(m map[string]any) {
	maps.Copy(m, map[string]any{
		"title": "Bakery", "lang": "en", "work_country": "JP", "prefecture": "東京都", "city": "渋谷区", "client_ref": "ref-secret-17",
		"estimated_minutes": 20, "evidence": []any{map[string]any{"kind": "text", "label": "hours", "required": true}}, "budget_usd": nil,
		"amount_minor": 3000, "currency": "jpy",
	})
}

// TestViews: who may read which key, in every state, alone and in lists.
func TestViews(t *testing.T) {
	b := newBench(t)
	a, other, w, stranger, op := b.agent(), b.agent(), b.worker(), b.worker(), b.operator()
	id := b.post(a, full)
	secrets := func() []string {
		return []string{"1-2-3 Dogenzaka", "ref-secret-17", a.id, w.id, w.email, "Pan no Ie", b.board.Ref(a.id, w.id)}
	}
	check := func(state string) {
		t.Helper()
		for _, r := range []struct {
			name, as string
			keys     []string
			secret   bool
		}{
			{"nobody", "", publicKeys, true}, {"another agent", other.key, publicKeys, true}, {"another person", stranger.session, publicKeys, true},
			{"the owner", a.key, ownerKeys, false}, {"the operator", op.session, operatorKeys, false},
		} {
			got := b.task(r.as, id)
			if extra := beyond(got, r.keys); len(extra) > 0 {
				t.Errorf("%s: %s reads %v", state, r.name, extra)
			}
			raw, err := json.Marshal(got)
			if err != nil {
				t.Fatal(err)
			}
			for _, s := range secrets() {
				if r.secret && strings.Contains(string(raw), s) {
					t.Errorf("%s: %s reads %q: %s", state, r.name, s, raw)
				}
			}
			if r.secret && got["submission"] != nil {
				t.Errorf("%s: %s reads the delivery", state, r.name)
			}
		}
	}
	check("open")
	b.assign(a, w, id)
	check("accepted")
	b.deliver(w, id)
	check("review_pending")
	if extra := beyond(b.task(w.session, id), sideKeys); len(extra) > 0 {
		t.Errorf("the assigned person reads %v", extra)
	}
	if got := b.task(a.key, id); got["human_ref"] != b.board.Ref(a.id, w.id) || got["client_ref"] != "ref-secret-17" {
		t.Errorf("the owner reads %v", got)
	}
	b.must(200, call{method: "POST", path: "/api/tasks/" + id + "/approve", as: a.key})
	check("completed")
}

func beyond(got map[string]any, allowed []string) []string {
	var extra []string
	for key := range got {
		if !slices.Contains(allowed, key) {
			extra = append(extra, key)
		}
	}
	return extra
}

// TestEveryKeyHasAReader: the lists above and Task have the same keys.
func TestEveryKeyHasAReader(t *testing.T) {
	b := newBench(t)
	raw, err := json.Marshal(b.api.api.OpenAPI().Components.Schemas.Map()["Task"].Properties)
	if err != nil {
		t.Fatal(err)
	}
	var properties map[string]any
	if err := json.Unmarshal(raw, &properties); err != nil {
		t.Fatal(err)
	}
	want := append(slices.Clone(ownerKeys), "human_id", "hold_class")
	slices.Sort(want)
	if diff := cmp.Diff(want, slices.Sorted(maps.Keys(properties))); diff != "" {
		t.Error(diff)
	}
}

// TestOneShape: a task is the same alone, by each path, and in a list.
func TestOneShape(t *testing.T) {
	b := newBench(t)
	a, w := b.agent(), b.worker()
	id := b.post(a, full)
	b.assign(a, w, id)
	b.deliver(w, id)
	alone := b.task(a.key, id)
	for _, path := range []string{"/api/tasks/" + id, "/api/task/" + id} {
		if diff := cmp.Diff(alone, b.must(200, call{method: "GET", path: path, as: a.key}).json["task"]); diff != "" {
			t.Errorf("%s: %s", path, diff)
		}
	}
	b.post(a)
	if alone["application_count"] != 1.0 {
		t.Errorf("one person applied, it says %v", alone["application_count"])
	}
	listed := b.must(200, call{method: "GET", path: "/api/tasks?status=review_pending", as: a.key}).json["tasks"].([]any)[0]
	if diff := cmp.Diff(any(alone), listed); diff != "" {
		t.Errorf("in the list: %s", diff)
	}
}

// TestHiddenTasks: a task that waits for an operator is not there for strangers, alone
// and in lists; its owner and operators see why.
func TestHiddenTasks(t *testing.T) {
	b := newBench(t)
	a, op := b.agent(), b.operator()
	// the words of the policy's own example of a text that a person has to look at
	made := b.must(201, call{method: "POST", path: "/api/tasks", as: a.key, body: errand(func(m map[string]any) { m["task"] = held })})
	if made.json["sub_state"] != "held" {
		t.Fatalf("the text was not held: %s", made.raw)
	}
	id := made.json["id"].(string)
	for _, as := range []string{"", b.agent().key, b.worker().session} {
		if got := b.do(call{method: "GET", path: "/api/tasks/" + id, as: as}); got.status != 404 || got.reason() != "not_found" {
			t.Errorf("a stranger: %d %s", got.status, got.raw)
		}
		if got := b.must(200, call{method: "GET", path: "/api/tasks?scope=public", as: as}); strings.Contains(got.raw, id) {
			t.Errorf("it is in the public list: %s", got.raw)
		}
	}
	if got := b.task(a.key, id); got["sub_state"] != "held" {
		t.Errorf("the owner reads %v", got)
	}
	if got := b.must(200, call{method: "GET", path: "/api/operator/held", as: op.session}); !strings.Contains(got.raw, `"hold_class":"`) {
		t.Errorf("operators read %s", got.raw)
	}
	b.must(200, call{method: "POST", path: "/api/operator/tasks/" + id + "/release", as: op.session})
	if got := b.task("", id); got["status"] != "open" {
		t.Errorf("after the release: %v", got)
	}
}

// The words that the content policy holds, and refuses.
const (
	held    = "Contact me on WhatsApp to get the details."
	refused = "Please send me the OTP that arrives on your phone."
)

// TestContentPolicy: what the policy refuses is not posted, in any field that a person
// reads; to name it under not_allowed is no fault.
func TestContentPolicy(t *testing.T) {
	b := newBench(t)
	a := b.agent()
	for _, field := range []string{"task", "title", "acceptance_criteria", "exact_location"} {
		for _, path := range []string{"/api/tasks", "/api/call_human"} {
			got := b.do(call{method: "POST", path: path, as: a.key, body: errand(func(m map[string]any) { m[field] = refused })})
			if got.status != 422 || got.reason() != "content_policy_violation" || got.json["details"].(map[string]any)["class"] != "otp_relay" {
				t.Errorf("%s of %s: %d %s", field, path, got.status, got.raw)
			}
		}
	}
	b.must(201, call{method: "POST", path: "/api/tasks", as: a.key, body: errand(func(m map[string]any) { m["not_allowed"] = "Never send an OTP that arrives on your phone." })})
	w := b.worker()
	id := b.post(a)
	b.assign(a, w, id)
	if got := b.do(call{method: "POST", path: "/api/conversations", as: a.key, body: map[string]any{"task_id": id, "message": refused}}); got.reason() != "content_policy_violation" {
		t.Errorf("a message: %d %s", got.status, got.raw)
	}
}
