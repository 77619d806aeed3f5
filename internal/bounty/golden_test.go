package bounty

import (
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// golden is one call: what the board is asked, and what the caller gets.
type golden struct {
	tool, args, answer string
	asked              string // method, path and query
	body, want         map[string]any
}

func goldens() map[string]golden {
	creds := map[string]any{"ai_account_id": "acc-1", "ai_api_key": canary}
	task := map[string]any{
		"task": "Photograph the opening hours.", "origin_country": "JP", "task_label": "real_world_verification",
		"acceptance_criteria": "Readable.", "not_allowed": "No people.", "budget_usd": 8.5, "deliverable": "text",
	}
	with := func(a map[string]any, more ...map[string]any) map[string]any {
		out := map[string]any{}
		for _, m := range append([]map[string]any{a}, more...) {
			for k, v := range m {
				out[k] = v
			}
		}
		return out
	}
	return map[string]golden{
		"connect": {
			"connect_agent_account", `{"name":"Agent","paypal_email":"A@Shop.example"}`, `{"status":"connected","account_id":"acc-1","api_key":"k-1"}`,
			"POST /api/ai/accounts", map[string]any{"name": "Agent", "paypal_email": "a@shop.example"},
			map[string]any{"status": "connected", "account_id": "acc-1", "api_key": "k-1", "profile": "default", "created": true},
		},
		"create": {
			"create_bounty", aTask(`,"idempotency_key":"k"`), `{"id":"t-1","status":"open"}`,
			"POST /api/tasks", with(task, creds), map[string]any{"id": "t-1", "status": "open", "idempotency_key": "k"},
		},
		"call": {
			"call_human_fast", aTask(`,"idempotency_key":"k","consent_wait_seconds":0`), `{"task_id":"t-1","status":"accepted"}`,
			"POST /api/call_human", with(task, creds, map[string]any{"on_no_supply": "keep_open", "consent_wait_seconds": 0.0}),
			map[string]any{"task_id": "t-1", "status": "accepted", "idempotency_key": "k"},
		},
		"get an open one": {
			"get_bounty", `{"task_id":"t-1","lang":"ja"}`, `{"task":{"id":"t-1","status":"open","failure_reason":null,"submission":null},"request_country":"JP"}`,
			"GET /api/tasks?lang=ja&task_id=t-1", nil,
			map[string]any{"task": map[string]any{
				"id": "t-1", "status": "open", "failure_reason": nil, "submission": nil, "status_text": "募集中です。まだ担当者は決まっていません。",
				"next_actions": []any{"wait_for_bounty", "list_applications", "accept_application", "extend_deadline", "cancel_bounty"},
			}},
		},
		"get a delivered one": {
			"get_bounty", `{"task_id":"t-1"}`,
			`{"task":{"id":"t-1","status":"review_pending","failure_reason":null,"submission":{"id":"s-1","task_id":"t-1","type":"photo","content_url":"/uploads/a.jpg","text":null}}}`,
			"GET /api/tasks?task_id=t-1", nil,
			map[string]any{"task": map[string]any{
				"id": "t-1", "status": "review_pending", "failure_reason": nil, "status_text": "The submission waits for your review.",
				"submission":   map[string]any{"id": "s-1", "type": "photo", "content_url": "BOARD/uploads/a.jpg", "text": nil, "untrusted": untrusted},
				"next_actions": []any{"approve_bounty_completion", "request_revision", "reject_bounty_completion"},
			}},
		},
		"get one that ran out of time": {
			"get_bounty", `{"task_id":"t-1"}`, `{"task":{"id":"t-1","status":"failed","failure_reason":"timeout","submission":null}}`,
			"GET /api/tasks?task_id=t-1", nil,
			map[string]any{"task": map[string]any{
				"id": "t-1", "status": "failed", "failure_reason": "timeout", "submission": nil, "status_text": "Ended without a result: nothing was delivered in time.", "next_actions": []any{"create_bounty"},
			}},
		},
		"get one that was rejected": {
			"get_bounty", `{"task_id":"t-1","lang":"ja"}`, `{"task":{"id":"t-1","status":"failed","failure_reason":"requester_rejected","submission":null}}`,
			"GET /api/tasks?lang=ja&task_id=t-1", nil,
			map[string]any{"task": map[string]any{
				"id": "t-1", "status": "failed", "failure_reason": "requester_rejected", "submission": nil, "status_text": "成果なしで終了しました。依頼者が提出物を却下しました。", "next_actions": []any{"create_bounty"},
			}},
		},
		"list": {
			"list_bounties", `{"task_label":"lead_prep","q":"犬"}`,
			`{"tasks":[{"id":"t-1","task":"犬","status":"open","budget_usd":5,"created_at":"2026-02-13T00:00:00Z","ai_account_id":"acc-1"},` +
				`{"id":"t-2","task":"x","status":"open","budget_usd":5,"created_at":"2026-02-12T00:00:00Z","ai_account_id":"acc-2"}]}`,
			"GET /api/tasks?limit=20&q=%E7%8A%AC&scope=mine&task_label=lead_prep", nil,
			map[string]any{"scope": "mine", "tasks": []any{map[string]any{
				"id": "t-1", "task": "犬", "status": "open", "budget_usd": 5.0, "created_at": "2026-02-13T00:00:00Z", "budget": "5 USD",
			}}},
		},
		"approve": {
			"approve_bounty_completion", `{"task_id":"t-1","idempotency_key":"k"}`, `{"status":"completed","task_id":"t-1"}`,
			"POST /api/tasks/t-1/approve", creds,
			map[string]any{"status": "completed", "task_id": "t-1", "idempotency_key": "k", "next": "rate_human, if you want to say how it went."},
		},
	}
}

// The inputs and outputs of the specification's section 4, with the answers of a board
// that has no more than it: what the board is asked, and what the caller gets.
func TestOutputsOfTheSpecification(t *testing.T) {
	for name, tt := range goldens() {
		t.Run(name, func(t *testing.T) {
			b := newBench(t)
			if tt.tool == "connect_agent_account" {
				b = newBench(t, noDefault)
			}
			b.answer = says(200, tt.answer)
			res := b.call(t, tt.tool, tt.args)
			if res.IsError {
				t.Fatal(text(t, res))
			}
			got := b.requests()[0]
			asked := strings.TrimSuffix(got.method+" "+got.path+"?"+got.query, "?")
			if diff := cmp.Diff(tt.asked, asked); diff != "" {
				t.Errorf("asked (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(tt.body, got.body); diff != "" {
				t.Errorf("body (-want +got):\n%s", diff)
			}
			want := strings.ReplaceAll(render(t, tt.want), "BOARD", b.url)
			if diff := cmp.Diff(want, render(t, structured(t, res))); diff != "" {
				t.Errorf("answer (-want +got):\n%s", diff)
			}
			if got.method == "POST" && tt.tool != "connect_agent_account" && got.header.Get("Idempotency-Key") != "k" {
				t.Errorf("the key of the call is %q", got.header.Get("Idempotency-Key"))
			}
			if tt.tool != "connect_agent_account" && got.header.Get("Authorization") != "Bearer "+canary {
				t.Error("the board is not told who asks")
			}
		})
	}
}

// Section 4.3 has an answer without supply that section 5 calls an error: it is both.
func TestNobodyAvailableIsBothForms(t *testing.T) {
	for status, state := range map[int]string{200: "open", 409: "failed"} {
		b := newBench(t)
		b.answer = func(w http.ResponseWriter, s seen) {
			if s.method == "GET" {
				says(200, `{"task":{"id":"t-9","status":"`+state+`","failure_reason":null,"submission":null}}`)(w, s)
				return
			}
			says(status, `{"status":"rejected","reason":"no_human_available","task_id":"t-9"}`)(w, s)
		}
		res := b.call(t, "call_human_fast", aTask(""))
		got := structured(t, res)
		code, reason, details := problem(t, res)
		if got["status"] != "rejected" || got["reason"] != "no_human_available" || got["task_id"] != "t-9" || got["task_status"] != state {
			t.Errorf("%d: %v", status, got)
		}
		if code != "RESOURCE_EXHAUSTED" || reason != "no_human_available" || details["http_status"] != float64(status) {
			t.Errorf("%d: %s %s %v", status, code, reason, details)
		}
		for _, want := range []string{"rejected", "no_human_available", "RESOURCE_EXHAUSTED", "t-9"} {
			if !strings.Contains(text(t, res), want) {
				t.Errorf("%d: the text lacks %s: %s", status, want, text(t, res))
			}
		}
		if state == "open" != strings.Contains(text(t, res), "do not post it again") {
			t.Errorf("%d: %s", status, text(t, res))
		}
	}
}

// What a board does not show to the public, it shows to nobody who has no account, and
// what it does show can be read without one.
func TestReadingWithoutAnAccount(t *testing.T) {
	b := newBench(t, noDefault)
	b.answer = says(200, `{"task":{"id":"t-1","status":"open"}}`)
	if res := b.call(t, "get_bounty", `{"task_id":"t-1"}`); res.IsError || b.requests()[0].header.Get("Authorization") != "" {
		t.Error(text(t, res))
	}
	b.answer = says(200, `{"tasks":[]}`)
	if res := b.call(t, "list_bounties", `{}`); structured(t, res)["scope"] != "public" || !strings.Contains(b.requests()[1].query, "scope=public") {
		t.Error(text(t, res))
	}
	for tool, args := range map[string]string{"list_bounties": `{"scope":"mine"}`, "create_bounty": aTask(""), "list_applications": `{"task_id":"t"}`} {
		if code, reason, _ := problem(t, b.call(t, tool, args)); code != "UNAUTHENTICATED" || reason != "missing_credentials" {
			t.Errorf("%s: %s %s", tool, code, reason)
		}
	}
	if n := len(b.requests()); n != 2 {
		t.Errorf("the board was asked %d times", n)
	}
}
