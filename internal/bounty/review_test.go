package bounty

import (
	"net/http"
	"slices"
	"strings"
	"testing"
)

// Some boards approve only what was recognised and confirmed before. With checks that
// is done; without, the caller learns what to say.
func TestBoardsThatWantAReview(t *testing.T) {
	guarded := func() func(http.ResponseWriter, seen) {
		recognized, confirmed := false, false
		return func(w http.ResponseWriter, s seen) {
			switch {
			case strings.HasSuffix(s.path, "/review/recognize"):
				recognized = true
				says(200, `{"status":"recognized"}`)(w, s)
			case strings.HasSuffix(s.path, "/review/confirm"):
				confirmed = recognized && s.body["acceptance_checked"] == true && s.body["final_confirmed"] == true && s.body["attachment_checked"] == true
				says(200, `{"status":"updated"}`)(w, s)
			case confirmed:
				says(200, `{"status":"completed","task_id":"t"}`)(w, s)
			default:
				says(409, `{"status":"error","reason":"review_guard_missing"}`)(w, s)
			}
		}
	}
	b := newBench(t)
	b.answer = guarded()
	res := b.call(t, "approve_bounty_completion", `{"task_id":"t"}`)
	if code, reason, _ := problem(t, res); code != "FAILED_PRECONDITION" || reason != "review_guard_missing" || !strings.Contains(text(t, res), "acceptance_checked") {
		t.Errorf("without checks: %s", text(t, res))
	}
	b.answer = guarded()
	res = b.call(t, "approve_bounty_completion", `{"task_id":"t","checks":{"acceptance_checked":true,"attachment_checked":true,"final_confirmed":true}}`)
	if structured(t, res)["status"] != "completed" {
		t.Errorf("with checks: %s", text(t, res))
	}
}

// What the tools of v1 and those beside them ask for, and what they make of the answer.
func TestCommandsAndPeople(t *testing.T) {
	for name, tt := range map[string]struct {
		args, answer, asked string
		sent                map[string]any
		want                []string // of the text
	}{
		"search_humans": {
			`{"prefecture":"東京都","skills":["photo","walk"],"max_minor":2000,"min_rating":4.5}`,
			`{"humans":[{"human_ref":"h-1","handle":"kiko","area":{"prefecture":"東京都","city":"渋谷区","street":"secret street 7"},"email":"k@x.example","rating":4.9,"floor_minor":1200}],"next_cursor":"c2"}`,
			"GET /api/agent/humans/search?currency=JPY&limit=20&max_minor=2000&min_rating=4.5&prefecture=%E6%9D%B1%E4%BA%AC%E9%83%BD&skills=photo%2Cwalk", nil,
			[]string{"h-1", "kiko", "東京都 渋谷区", "4.9", "1200", "c2"},
		},
		"list_applications": {
			`{"task_id":"t","status":"pending"}`, `{"applications":[{"id":"a-1","human_ref":"h-1","cover_letter":"I live near.","availability":"today","counter_amount_minor":1700,"status":"pending"}]}`,
			"GET /api/tasks/t/applications?limit=20&status=pending", nil, []string{"a-1", "I live near.", "1700"},
		},
		"accept_application": {
			`{"task_id":"t","application_id":"a-1","expected_version":4}`, `{"status":"accepted","task_id":"t","application_id":"a-1"}`,
			"POST /api/tasks/t/accept-application", map[string]any{"application_id": "a-1", "expected_version": 4.0}, []string{"accepted", "a-1"},
		},
		"start_conversation": {
			`{"human_ref":"h-1","message":"Hello"}`, `{"conversation_id":"c-1","status":"open"}`,
			"POST /api/conversations", map[string]any{"human_ref": "h-1", "message": "Hello"}, []string{"c-1", "open"},
		},
		"send_message": {
			`{"conversation_id":"c-1","body":"Yes."}`, `{"message_id":"m-1"}`, "POST /api/conversations/c-1/messages", map[string]any{"body": "Yes."}, []string{"m-1"},
		},
		"get_conversation": {
			`{"conversation_id":"c-1","since":"x"}`, `{"id":"c-1","status":"open","messages":[{"id":"m-1","sender":"agent","body":"Hello"},{"id":"m-2","sender":"human","body":"Hi"}],"next_cursor":"y"}`,
			"GET /api/conversations/c-1?limit=50&since=x", nil, []string{"agent: Hello", "Hi", "since for what comes next: y"},
		},
		"reject_bounty_completion": {
			`{"task_id":"t","reason_code":"wrong_place","reason_text":"It shows the west exit, not the east exit."}`, `{"status":"rejected","task_id":"t","sub_state":"appeal","appeal_until":"2026-02-16T00:00:00Z"}`,
			"POST /api/tasks/t/reject", map[string]any{"reason_code": "wrong_place", "reason_text": "It shows the west exit, not the east exit."}, []string{"rejected", "appeal", "2026-02-16"},
		},
		"request_revision": {
			`{"task_id":"t","message":"Nearer, please."}`, `{"status":"revision_requested","task_id":"t"}`, "POST /api/tasks/t/request-revision", map[string]any{"message": "Nearer, please."}, []string{"revision_requested"},
		},
		"cancel_bounty":   {`{"task_id":"t","reason":"Found it."}`, `{"status":"cancelled","task_id":"t"}`, "POST /api/tasks/t/cancel", map[string]any{"reason": "Found it."}, []string{"cancelled"}},
		"extend_deadline": {`{"task_id":"t","minutes":90}`, `{"task_id":"t","deadline_at":"2026-02-14T00:00:00Z"}`, "POST /api/tasks/t/extend-deadline", map[string]any{"minutes": 90.0}, []string{"extended", "2026-02-14"}},
		"rate_human":      {`{"task_id":"t","rating":5,"comment":"Quick."}`, `{"status":"stored"}`, "POST /api/tasks/t/reviews", map[string]any{"rating_overall": 5.0, "comment": "Quick."}, []string{"stored"}},
		"open_dispute":    {`{"task_id":"t","statement":"Another shop."}`, `{"status":"disputed","dispute_id":"d-1"}`, "POST /api/tasks/t/dispute", map[string]any{"statement": "Another shop."}, []string{"disputed", "d-1"}},
	} {
		t.Run(name, func(t *testing.T) {
			b := newBench(t)
			b.answer = says(200, tt.answer)
			res := b.call(t, name, tt.args)
			got := b.requests()[0]
			if asked := strings.TrimSuffix(got.method+" "+got.path+"?"+got.query, "?"); asked != tt.asked {
				t.Errorf("asked %s, want %s", asked, tt.asked)
			}
			for field, v := range tt.sent {
				if got.body[field] != v {
					t.Errorf("sent %s %v, want %v", field, got.body[field], v)
				}
			}
			for _, w := range tt.want {
				if res.IsError || !strings.Contains(text(t, res), w) {
					t.Errorf("the text lacks %q: %s", w, text(t, res))
				}
			}
			if all := everything(t, res); strings.Contains(all, "secret street") || strings.Contains(all, "k@x.example") {
				t.Errorf("it shows what a search must not show: %s", all)
			}
			if got.method == "POST" && (got.header.Get("Idempotency-Key") == "" || !slices.Contains([]string{canary}, got.body["ai_api_key"].(string))) {
				t.Error("the request has no key")
			}
		})
	}
}
