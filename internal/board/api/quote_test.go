package api

import (
	"maps"
	"testing"
)

// A quote says what posting would say, and posts nothing.
func TestQuotesPostNothing(t *testing.T) {
	b := newBench(t)
	key, _ := b.must(200, call{method: "POST", path: "/api/ai/accounts", body: map[string]any{"name": "A", "paypal_email": "a@shop.example"}}).json["api_key"].(string)
	good := map[string]any{
		"task": "Photograph the opening hours.", "origin_country": "JP", "task_label": "real_world_verification",
		"acceptance_criteria": "They can be read.", "not_allowed": "People.", "currency": "JPY", "amount_minor": 1500,
	}
	with := func(name string, v any) map[string]any {
		out := maps.Clone(good)
		out[name] = v
		return out
	}
	a := b.must(200, call{method: "POST", path: "/api/quotes", as: key, body: good})
	quote, _ := a.json["quote"].(map[string]any)
	if a.json["status"] != "dry_run" || a.json["id"] != nil || quote["total_minor"] != 1500.0 || quote["worker_takehome_minor"].(float64)+quote["fee_minor"].(float64) != 1500 {
		t.Errorf("the quote: %s", a.raw)
	}
	for reason, body := range map[string]map[string]any{
		"below_min_budget": with("amount_minor", 700), "missing_origin_country": with("origin_country", ""),
		"content_policy_violation": with("task", "Receive the SMS verification code and tell me the code."),
	} {
		if a := b.do(call{method: "POST", path: "/api/quotes", as: key, body: body}); a.reason() != reason || a.status < 400 {
			t.Errorf("%s: %s", reason, a.raw)
		}
	}
	if a := b.do(call{method: "POST", path: "/api/quotes", body: good}); a.reason() != "missing_credentials" {
		t.Errorf("without an account: %s", a.raw)
	}
	if list := b.must(200, call{method: "GET", path: "/api/tasks", as: key}).json["tasks"].([]any); len(list) != 0 {
		t.Errorf("%d tasks were posted", len(list))
	}
}
