package api

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

// The readers and actors of the matrix, in the order of its columns.
var callers = []string{"anonymous", "other agent", "other person", "owner", "assignee", "operator"}

// matrix says of every route what each caller gets: the status of the refusal, or ok
// when it is let through to the command. ok is also the refusal of a command that the
// state forbids: whoever gets it could do this at another time.
var matrix = map[string]string{
	// anonymous, other agent, other person, owner, assignee, operator
	"connect-account":         "ok  ok  ok  ok  ok  ok",
	"get-account":             "401 ok  403 ok  403 403",
	"request-verification":    "401 ok  403 ok  403 403",
	"confirm-verification":    "403 403 403 403 403 403",
	"list-keys":               "401 ok  403 ok  403 403",
	"create-key":              "401 ok  403 ok  403 403",
	"rotate-key":              "401 404 403 ok  403 403",
	"revoke-key":              "401 404 403 ok  403 403",
	"create-task":             "401 ok  403 ok  403 403",
	"call-human":              "401 ok  403 ok  403 403",
	"quote-task":              "401 ok  403 ok  403 403",
	"list-tasks":              "ok  ok  ok  ok  ok  ok",
	"get-task":                "ok  ok  ok  ok  ok  ok",
	"get-task-alias":          "ok  ok  ok  ok  ok  ok",
	"task-history":            "401 404 404 ok  ok  ok",
	"task-requester":          "ok  ok  ok  ok  ok  ok",
	"approve":                 "401 404 403 ok  403 403",
	"reject":                  "401 404 403 ok  403 403",
	"request-revision":        "401 404 403 ok  403 403",
	"cancel":                  "401 404 403 ok  403 403",
	"extend-deadline":         "401 404 403 ok  403 403",
	"dispute":                 "401 404 403 ok  ok  403",
	"appeal":                  "401 403 403 403 ok  403",
	"skip":                    "401 403 403 403 ok  403",
	"rate":                    "401 404 403 ok  ok  403",
	"reviews":                 "401 404 404 ok  ok  ok",
	"apply":                   "401 403 ok  403 ok  ok",
	"my-application":          "401 403 ok  403 ok  ok",
	"withdraw":                "401 403 404 403 ok  404",
	"list-applications":       "401 404 403 ok  403 ok",
	"reject-application":      "401 404 403 ok  403 403",
	"accept-application":      "401 404 403 ok  403 403",
	"accept-alias":            "401 404 403 ok  403 403",
	"submit":                  "401 403 403 403 ok  403",
	"list-submissions":        "401 404 404 ok  ok  ok",
	"start-conversation":      "401 404 403 ok  403 403",
	"list-conversations":      "401 ok  ok  ok  ok  ok",
	"get-conversation":        "401 404 404 ok  ok  404",
	"send-message":            "401 404 404 ok  ok  404",
	"read-conversation":       "401 404 404 ok  ok  404",
	"close-conversation":      "401 404 404 ok  ok  404",
	"contact-messages":        "401 404 404 ok  ok  404",
	"contact-send":            "401 404 404 ok  ok  404",
	"task-terms":              "401 404 404 ok  ok  ok",
	"task-disputes":           "401 404 404 ok  ok  ok",
	"stream-events":           "401 ok  403 ok  403 403",
	"list-my-keys":            "401 403 ok  403 ok  ok",
	"create-my-key":           "401 403 ok  403 ok  ok",
	"rotate-my-key":           "401 403 404 403 ok  404",
	"revoke-my-key":           "401 403 404 403 ok  404",
	"search-humans":           "401 ok  403 ok  403 403",
	"sign-in":                 "ok  ok  ok  ok  ok  ok",
	"confirm-sign-in":         "403 403 403 403 403 403",
	"me":                      "401 403 ok  403 ok  ok",
	"save-me":                 "401 403 ok  403 ok  ok",
	"sign-out":                "401 403 ok  403 ok  ok",
	"my-offers":               "401 403 ok  403 ok  ok",
	"my-applications":         "401 403 ok  403 ok  ok",
	"my-payments":             "401 403 ok  403 ok  ok",
	"accept-offer":            "401 403 404 403 ok  404",
	"decline-offer":           "401 403 404 403 ok  404",
	"report":                  "401 ok  ok  ok  ok  ok",
	"events":                  "401 ok  403 ok  403 403",
	"create-webhook":          "401 ok  403 ok  403 403",
	"list-webhooks":           "401 ok  403 ok  403 403",
	"get-webhook":             "401 404 403 ok  403 403",
	"delete-webhook":          "401 404 403 ok  403 403",
	"rotate-webhook":          "401 404 403 ok  403 403",
	"test-webhook":            "401 404 403 ok  403 403",
	"webhook-deliveries":      "401 404 403 ok  403 403",
	"replay-delivery":         "401 404 403 ok  403 403",
	"recognize-alias":         "401 404 403 ok  403 403",
	"confirm-alias":           "401 404 403 ok  403 403",
	"contact-allow":           "401 404 403 ok  403 403",
	"contact-read":            "401 404 404 ok  ok  404",
	"my-reviews":              "401 403 ok  403 ok  ok",
	"my-reviews-summary":      "401 403 ok  403 ok  ok",
	"account-reviews":         "401 ok  403 ok  403 403",
	"account-reviews-summary": "401 ok  403 ok  403 403",
	"person-reviews":          "401 404 403 ok  403 403",
	"requester-reviews":       "ok  ok  ok  ok  ok  ok",
	"my-accounts":             "401 403 ok  403 ok  ok",
	"delete-me":               "401 403 ok  403 ok  ok",
	"set-account-caps":        "401 403 403 403 403 ok",
	"held-tasks":              "401 403 403 403 403 ok",
	"disputed-tasks":          "401 403 403 403 403 ok",
	"release-task":            "401 403 403 403 403 ok",
	"take-down":               "401 403 403 403 403 ok",
	"resolve":                 "401 403 403 403 403 ok",
	"list-reports":            "401 403 403 403 403 ok",
	"close-report":            "401 403 403 403 403 ok",
	"list-accounts":           "401 403 403 403 403 ok",
	"disable-account":         "401 403 403 403 403 ok",
	"enable-account":          "401 403 403 403 403 ok",
	"suspend-person":          "401 403 403 403 403 ok",
	"restore-person":          "401 403 403 403 403 ok",
	"audit-ledger":            "401 403 403 403 403 ok",
}

// world is one task with everybody around it.
type world struct {
	task, application, offer, conversation, key, myKey, webhook, report string
	as                                                                  map[string]string // caller -> bearer
	owner                                                               agent
	assignee                                                            worker
}

func newWorld(b *bench) *world {
	b.Helper()
	w := &world{owner: b.agent(), assignee: b.worker()}
	otherAgent, otherPerson := b.agent(), b.worker()
	w.task = b.post(w.owner)
	b.assign(w.owner, w.assignee, w.task)
	talk := b.must(201, call{method: "POST", path: "/api/conversations", as: w.owner.key, body: map[string]any{"task_id": w.task, "message": "Thank you for taking this."}})
	w.conversation = talk.json["id"].(string)
	open := b.post(w.owner)
	applied := b.must(201, call{method: "POST", path: "/api/tasks/" + open + "/apply", as: w.assignee.session, body: map[string]any{"cover_letter": "This one too.", "availability": "today"}})
	w.application = applied.json["application_id"].(string)
	w.offer = b.offer(w)
	w.key = b.must(201, call{method: "POST", path: "/api/ai/keys", as: w.owner.key, body: map[string]any{"name": "second"}}).json["id"].(string)
	w.myKey = b.must(201, call{method: "POST", path: "/api/me/api-keys", as: w.assignee.session, body: map[string]any{"name": "phone"}}).json["id"].(string)
	hook := b.must(201, call{method: "POST", path: "/api/webhooks", as: w.owner.key, body: map[string]any{"url": "https://hooks.example.com/x"}})
	w.webhook = hook.json["webhook"].(map[string]any)["id"].(string)
	report := b.must(201, call{method: "POST", path: "/api/reports", as: w.assignee.session, body: map[string]any{"task_id": w.task, "class": "other", "text": "Something is odd here."}})
	w.report = report.json["id"].(string)
	w.as = map[string]string{
		"anonymous": "", "other agent": otherAgent.key, "other person": otherPerson.session,
		"owner": w.owner.key, "assignee": w.assignee.session, "operator": b.operator().session,
	}
	return w
}

// offer asks the assignee about one more task.
func (b *bench) offer(w *world) string {
	b.Helper()
	b.must(200, call{method: "POST", path: "/api/me", as: w.assignee.session, body: map[string]any{
		"handle": fmt.Sprint("p", unique()), "country": "JP", "prefecture": "東京都", "areas": []string{"東京都"}, "instant": map[string]any{"on": true, "cap": 3},
	}})
	id := b.post(w.owner, func(m map[string]any) { m["prefecture"] = "東京都" })
	o, err := b.board.OfferTask(b.Context(), id, time.Minute)
	if err != nil || o.HumanID != w.assignee.id {
		b.Fatalf("offer: %v %v", o, err)
	}
	b.must(200, call{method: "POST", path: "/api/me", as: w.assignee.session, body: map[string]any{"instant": map[string]any{"on": false, "cap": 3}}})
	return o.ID
}

// request is a request for the route that only the caller can be wrong in.
func (w *world) request(b *bench, r Route) call {
	c := call{method: r.Method, path: r.Path}
	id := w.task
	switch {
	case strings.HasPrefix(r.Path, "/api/applications/"):
		id = w.application
	case strings.HasPrefix(r.Path, "/api/offers/"):
		id = w.offer
	case strings.HasPrefix(r.Path, "/api/conversations/"):
		id = w.conversation
	case strings.HasPrefix(r.Path, "/api/ai/keys/"):
		id = w.key
	case strings.HasPrefix(r.Path, "/api/me/api-keys/"):
		id = w.myKey
	case strings.HasPrefix(r.Path, "/api/webhooks/deliveries/"):
		id = w.delivery(b)
	case strings.HasPrefix(r.Path, "/api/webhooks/"):
		id = w.webhook
	case strings.HasPrefix(r.Path, "/api/operator/reports/"):
		id = w.report
	case strings.HasPrefix(r.Path, "/api/operator/accounts/"):
		id = w.owner.id
	case strings.HasPrefix(r.Path, "/api/operator/people/"):
		id = w.assignee.id
	}
	c.path = strings.ReplaceAll(c.path, "{id}", id)
	c.path = strings.ReplaceAll(c.path, "{ref}", b.board.Ref(w.owner.id, w.assignee.id))
	if r.Method == "POST" || r.Method == "PATCH" {
		c.body = w.body(r)
	}
	return c
}

// delivery is a ping of the webhook.
func (w *world) delivery(b *bench) string {
	b.Helper()
	return b.must(200, call{method: "POST", path: "/api/webhooks/" + w.webhook + "/test", as: w.owner.key}).json["delivery_id"].(string)
}

func (w *world) body(r Route) map[string]any {
	words := "A statement that is long enough to count."
	bodies := map[string]map[string]any{
		"create-task": errand(), "call-human": errand(func(m map[string]any) { m["consent_wait_seconds"] = 0 }),
		"connect-account":      {"name": "n", "paypal_email": fmt.Sprintf("fresh%d@requester.jp", unique())},
		"confirm-verification": {"verification_id": "x", "code": "000000"}, "confirm-sign-in": {"verification_id": "x", "code": "000000"},
		"sign-in":    {"email": fmt.Sprintf("fresh%d@people.jp", unique())},
		"create-key": {"name": "third"}, "create-my-key": {"name": "tablet"},
		"reject":             {"reason_code": "other", "reason_text": words},
		"request-revision":   {"message": words},
		"extend-deadline":    {"minutes": 900},
		"dispute":            {"statement": words},
		"appeal":             {"statement": words},
		"rate":               {"rating_overall": 5},
		"apply":              {"cover_letter": "a", "availability": "b"},
		"accept-application": {"application_id": w.application}, "accept-alias": {"human_id": "hr_00000000000000000000000000000000"},
		"submit":             {"task_id": w.task, "type": "text", "text": "done"},
		"start-conversation": {"task_id": w.task, "message": "hello"},
		"send-message":       {"body": "hello"}, "contact-send": {"body": "hello"},
		"read-conversation": {"seq": 1},
		"save-me":           {"headline": "x"},
		"report":            {"task_id": w.task, "class": "other", "text": "odd"},
		"create-webhook":    {"url": "https://hooks.example.com/y"},
		"take-down":         {"note": words}, "close-report": {"note": words},
		"set-account-caps": {"daily_caps": map[string]any{"usd": 5000}},
		"resolve":          {"completed": true, "worker_minor": 0, "note": words},
	}
	if body, ok := bodies[r.ID]; ok {
		return body
	}
	return map[string]any{}
}

// outcome is what the matrix says of an answer.
func outcome(a answered) string {
	switch a.status {
	case 401, 403, 404:
		return fmt.Sprint(a.status)
	}
	if a.status >= 500 {
		return "broken " + a.raw
	}
	return "ok"
}

// TestMatrix: every route, called by everybody.
func TestMatrix(t *testing.T) {
	over := make(chan struct{})
	close(over)
	b := newBench(t, func(o *Options) { o.Stop = over }) // streams end at once
	known := map[string]bool{}
	for _, r := range b.api.Routes() {
		known[r.ID] = true
		want := strings.Fields(matrix[r.ID])
		if len(want) != len(callers) {
			t.Errorf("%s (%s) has no row for %v", r.ID, r.pattern(), callers)
			want = make([]string, len(callers))
		}
		w := newWorld(b)
		for i, who := range callers {
			c := w.request(b, r)
			c.as = w.as[who]
			got := outcome(b.do(c))
			if got != want[i] {
				t.Errorf("%s by %s: %s, want %s", r.pattern(), who, got, want[i])
			}
		}
	}
	for id := range matrix {
		if !known[id] {
			t.Errorf("the matrix has a row for %s, which is no route", id)
		}
	}
}
