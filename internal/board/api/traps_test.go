package api

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/legwork-mcp/legwork/internal/ratelimit"
	"github.com/legwork-mcp/legwork/internal/store"
)

// TestTraps: what made the product that the specification describes answer 500, or take
// nonsense, is refused with the field's name.
func TestTraps(t *testing.T) {
	b := newBench(t)
	a := b.agent()
	for name, c := range map[string]struct {
		field  string
		value  any
		status int
		reason string
		code   string
	}{
		"a deadline beyond all time": {"deadline_minutes", 1e300, 400, "invalid_request", "invalid_number"},
		"a negative deadline":        {"deadline_minutes", -5, 400, "invalid_request", "invalid_number"},
		"a fraction of a minute":     {"deadline_minutes", 7.5, 400, "invalid_request", "invalid_number"},
		"a deadline of words":        {"deadline_minutes", "soon", 400, "invalid_request", "invalid_type"},
		"a deadline in the past":     {"deadline_at", "2001-01-01T00:00:00Z", 400, "invalid_request", "invalid_number"},
		"a negative budget":          {"budget_usd", -12, 400, "below_min_budget", "below_min"},
		"a budget of nothing":        {"budget_usd", 0, 400, "below_min_budget", "below_min"},
		"a budget beyond all money":  {"budget_usd", 1e18, 400, "invalid_request", "invalid_number"},
		"thousandths of a cent":      {"budget_usd", 12.505, 400, "invalid_request", "invalid_number"},
		"a budget of words":          {"budget_usd", "12.5", 400, "invalid_request", "invalid_type"},
		"an unknown label":           {"task_label", "anything", 400, "invalid_request", "invalid_enum"},
		"no label":                   {"task_label", "", 400, "invalid_request", "required"},
		"no country":                 {"origin_country", "", 400, "missing_origin_country", "required"},
		"no such country":            {"origin_country", "USA", 400, "invalid_request", "invalid_format"},
		"an unknown deliverable":     {"deliverable", "audio", 400, "invalid_request", "invalid_enum"},
		"no criteria":                {"acceptance_criteria", "  \u200b ", 400, "invalid_request", "required"},
		"a text of a book":           {"task", strings.Repeat("あ", 5000), 400, "invalid_request", "too_long"},
		"an unknown currency":        {"amount_minor", 5000, 400, "invalid_request", ""},
	} {
		t.Run(name, func(t *testing.T) {
			body := errand(func(m map[string]any) {
				m[c.field] = c.value
				if c.field == "deadline_at" {
					delete(m, "deadline_minutes")
				}
				if c.field == "amount_minor" {
					m["currency"] = "eur"
				}
			})
			for _, path := range []string{"/api/tasks", "/api/call_human"} {
				got := b.do(call{method: "POST", path: path, as: a.key, body: body})
				if got.status != c.status || got.reason() != c.reason {
					t.Errorf("%s: status %d, reason %s: %s", path, got.status, got.reason(), got.raw)
				}
				if want := fmt.Sprintf(`{"field":%q,"code":%q}`, c.field, c.code); c.code != "" && !strings.Contains(got.raw, want) {
					t.Errorf("%s: no %s in %s", path, want, got.raw)
				}
			}
		})
	}
	if n := len(b.must(200, call{method: "GET", path: "/api/tasks", as: a.key}).json["tasks"].([]any)); n != 0 {
		t.Errorf("%d of them were posted", n)
	}
}

// TestClientIDs: a caller cannot choose the id of a task, and client_ref finds it.
func TestClientIDs(t *testing.T) {
	b := newBench(t)
	a := b.agent()
	ref := func(m map[string]any) { m["client_ref"] = "order-7" }
	chosen := b.do(call{method: "POST", path: "/api/tasks", as: a.key, body: errand(ref, func(m map[string]any) { m["id"] = "mine" })})
	if chosen.status != 400 || !strings.Contains(chosen.raw, `{"field":"id","code":"unknown_field"}`) {
		t.Errorf("the caller chose the id: %d %s", chosen.status, chosen.raw)
	}
	id := b.post(a, ref)
	found := b.must(200, call{method: "GET", path: "/api/tasks?client_ref=order-7", as: a.key}).json["tasks"].([]any)
	if len(found) != 1 || found[0].(map[string]any)["id"] != id {
		t.Errorf("client_ref finds %v", found)
	}
	if got := b.do(call{method: "POST", path: "/api/tasks", as: a.key, body: errand(ref)}); got.status != 409 || got.reason() != "client_ref_conflict" {
		t.Errorf("the same client_ref again: %d %s", got.status, got.raw)
	}
	if others := b.must(200, call{method: "GET", path: "/api/tasks?client_ref=order-7", as: b.agent().key}).json["tasks"].([]any); len(others) != 0 {
		t.Errorf("another account finds %v", others)
	}
}

// TestPaging: pages hold every task once, in order, whatever is posted meanwhile.
func TestPaging(t *testing.T) {
	b := newBench(t)
	a := b.agent()
	var want []string
	for range 7 {
		want = append(want, b.post(a))
	}
	slices.Sort(want)
	slices.Reverse(want) // newest first; of one millisecond, the ids decide
	var got []string
	cursor := ""
	for {
		page := b.must(200, call{method: "GET", path: "/api/tasks?limit=3&cursor=" + cursor, as: a.key})
		for _, v := range page.json["tasks"].([]any) {
			got = append(got, v.(map[string]any)["id"].(string))
		}
		if cursor, _ = page.json["next_cursor"].(string); cursor == "" {
			break
		}
		b.post(a)
	}
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("pages hold %v, want %v", got, want)
	}
	if bad := b.do(call{method: "GET", path: "/api/tasks?cursor=nonsense", as: a.key}); bad.status != 400 || bad.reason() != "invalid_request" {
		t.Errorf("a cursor of nonsense: %d %s", bad.status, bad.raw)
	}
}

// TestSearch: q finds words of the texts in any width and case, and short Japanese ones.
func TestSearch(t *testing.T) {
	b := newBench(t)
	a := b.agent()
	id := b.post(a, func(m map[string]any) {
		m["task"] = "渋谷駅のパン屋の看板をＰＨＯＴＯで確認してください。"
	})
	b.post(a)
	for _, q := range []string{"渋谷", "パン屋", "photo", "確認 渋谷"} {
		got := b.must(200, call{method: "GET", path: "/api/tasks?scope=public&task_label=real_world_verification&q=" + strings.ReplaceAll(q, " ", "%20")}).json["tasks"].([]any)
		ids := fmt.Sprint(got)
		if !strings.Contains(ids, id) {
			t.Errorf("%q finds %d tasks without it", q, len(got))
		}
	}
	if got := b.must(200, call{method: "GET", path: "/api/tasks?scope=public&q=新宿"}).json["tasks"].([]any); len(got) != 0 {
		t.Errorf("a word that is nowhere finds %d", len(got))
	}
}

// TestLimits: whoever calls too often is told when to come back, and others go on.
func TestLimits(t *testing.T) {
	now := time.Date(2026, 11, 28, 12, 0, 0, 0, time.UTC)
	b := newBench(t, func(o *Options) {
		o.Limits = Limits{
			Source: ratelimit.NewMemory(1000, func() time.Time { return now }),
			Key:    ratelimit.Limit{Calls: 3, Per: time.Minute}, Guess: ratelimit.Limit{Calls: 2, Per: time.Minute},
			Connect: ratelimit.Limit{Calls: 3, Per: time.Hour}, Mail: ratelimit.Limit{Calls: 2, Per: time.Hour},
		}
	})
	a, other := b.agent(), b.agent()
	for range 3 {
		b.must(200, call{method: "GET", path: "/api/tasks", as: a.key})
	}
	over := b.must(http.StatusTooManyRequests, call{method: "GET", path: "/api/tasks", as: a.key})
	if over.reason() != "rate_limited" || over.header.Get("Retry-After") != "20" || over.json["retry_after_ms"] != 20000.0 {
		t.Errorf("over the limit: %s, Retry-After %q", over.raw, over.header.Get("Retry-After"))
	}
	b.must(200, call{method: "GET", path: "/api/tasks", as: other.key})
	now = now.Add(20 * time.Second)
	b.must(200, call{method: "GET", path: "/api/tasks", as: a.key})

	guess := call{method: "GET", path: "/api/tasks", as: "ai_live_00000000_000000000000000000000000000000000000000000000000"}
	b.must(401, guess)
	b.must(401, guess)
	b.must(429, guess)

	sign := func(n int) call {
		return call{method: "POST", path: "/api/humans/sign-in", body: map[string]any{"email": fmt.Sprintf("same%d@people.jp", n)}}
	}
	b.must(200, sign(1))
	b.must(429, sign(2)) // two accounts and a code were the allowance of this address
}

// TestCanaries: keys, sessions, codes and addresses are in no log and no answer but the
// one that gives them out, whatever goes wrong.
func TestCanaries(t *testing.T) {
	b := newBench(t)
	a, w := b.agent(), b.worker()
	id := b.post(a)
	secrets := map[string]string{"key": a.key, "session": w.session, "address": w.email, "text": "canary-text-4711", "code": b.mails.code(t, w.email)}
	for _, r := range b.api.Routes() {
		path := strings.ReplaceAll(r.Path, "{id}", id)
		for _, body := range []any{
			map[string]any{"ai_account_id": a.id, "ai_api_key": a.key + "x", "task": secrets["text"], "email": 7},
			`{"ai_api_key":"` + a.key + `","task":"` + secrets["text"] + `"`,
			`{"ai_api_key":["` + a.key + `"],"message":{"a":"` + secrets["text"] + `"},"reason_text":["` + w.email + `"]}`,
		} {
			for _, as := range []string{"", a.key + "y", w.session + "z"} {
				got := b.do(call{method: r.Method, path: path + "?cursor=" + secrets["text"], as: as, body: body})
				for name, secret := range secrets {
					if strings.Contains(got.raw, secret) {
						t.Errorf("%s answers with the %s: %s", r.pattern(), name, got.raw)
					}
				}
			}
		}
	}
	logged := b.log.String()
	for name, secret := range secrets {
		if strings.Contains(logged, secret) {
			t.Errorf("the %s is in the log", name)
		}
	}
}

// TestFaultsAreLogged: a defect tells the caller an id which the log has with its cause.
func TestFaultsAreLogged(t *testing.T) {
	b := newBench(t)
	a := b.agent()
	b.breakDown()
	got := b.do(call{method: "GET", path: "/api/tasks", as: a.key})
	if got.status < 500 || got.reason() == "" || strings.Contains(got.raw, "sql") {
		t.Errorf("%d %s", got.status, got.raw)
	}
	if !strings.Contains(b.log.String(), `"a request failed"`) || !strings.Contains(b.log.String(), `"list-tasks"`) {
		t.Errorf("the log: %s", b.log.String())
	}
}

// TestDefectsAreFoundByTheirID: the id that the caller is told is in the log, as a text of
// its own: a handler that keeps values out of logs writes no maps.
func TestDefectsAreFoundByTheirID(t *testing.T) {
	b := newBench(t)
	err := b.db.Tx(t.Context(), func(ctx context.Context, tx store.Tx) error {
		_, err := tx.Exec(ctx, "ALTER TABLE tasks RENAME TO gone")
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	got := b.must(500, call{method: "GET", path: "/api/tasks"})
	details, _ := got.json["details"].(map[string]any)
	id, _ := details["error_id"].(string)
	if id == "" || !strings.Contains(b.log.String(), `"error_id":"`+id+`","error":`) {
		t.Errorf("the caller is told the id %q, the log says %s", id, b.log.String())
	}
}

// TestTextsThatNoDatabaseKeeps: a NUL, or what is no UTF-8, in an id, a filter or a cursor
// finds nothing; Postgres refuses the statement, which is no defect of the board.
func TestTextsThatNoDatabaseKeeps(t *testing.T) {
	databases.Each(t, func(t *testing.T, u store.URL) {
		b := benchOn(t, u)
		a, w := b.agent(), b.worker()
		for _, c := range []call{
			{method: "GET", path: "/api/tasks/%00"}, {method: "GET", path: "/api/tasks/%ff"}, {method: "GET", path: "/api/tasks?prefecture=%00"},
			{method: "GET", path: "/api/tasks?city=%ff"}, {method: "GET", path: "/api/tasks?client_ref=%00", as: a.key},
			{method: "GET", path: "/api/tasks?cursor=MS8A"}, {method: "GET", path: "/api/tasks?cursor=MS__"}, // 1/NUL and 1/0xff
			{method: "GET", path: "/api/agent/humans/search?prefecture=%00", as: a.key}, {method: "GET", path: "/api/webhooks/%00", as: a.key},
			{method: "DELETE", path: "/api/ai/keys/%00", as: a.key}, {method: "POST", path: "/api/offers/%00/accept", as: w.session},
			{method: "POST", path: "/api/tasks", body: `{"ai_account_id":"x","ai_api_key":"ai_live_\u0000_x"}`},
			{method: "POST", path: "/api/humans/sign-in/confirm", body: `{"verification_id":"\u0000","code":"123456"}`},
			{method: "POST", path: "/api/submissions", body: `{"task_id":"\u0000","type":"text","text":"a"}`, as: w.session},
			{method: "POST", path: "/api/reports", body: `{"task_id":"\u0000","class":"spam","text":"a"}`, as: w.session},
		} {
			if got := b.do(c); got.status >= 500 || got.status == 201 {
				t.Errorf("%s %s: %d %s", c.method, c.path, got.status, got.raw)
			}
		}
	})
}

// TestTimesAndAmountsThatContradict: nobody knows which of two is meant, and a time that
// was said is not one that was left out.
func TestTimesAndAmountsThatContradict(t *testing.T) {
	b := newBench(t)
	a := b.agent()
	for name, change := range map[string]func(map[string]any){
		"two budgets":    func(m map[string]any) { m["amount_minor"], m["currency"] = 1500, "JPY" },
		"dollars in yen": func(m map[string]any) { m["budget_usd"], m["currency"] = 750, "JPY" },
		"two deadlines":  func(m map[string]any) { m["deadline_at"] = "2020-01-01T00:00:00Z" },
		"the year 1":     func(m map[string]any) { delete(m, "deadline_minutes"); m["deadline_at"] = "0001-01-01T00:00:00Z" },
	} {
		if got := b.do(call{method: "POST", path: "/api/tasks", as: a.key, body: errand(change)}); got.status != 400 || got.reason() != "invalid_request" {
			t.Errorf("%s: %d %s", name, got.status, got.raw)
		}
	}
}

// TestCrossOrigin: what a browser sends by itself changes nothing for another site.
func TestCrossOrigin(t *testing.T) {
	b := newBench(t)
	w := b.worker()
	cookie := map[string]string{"Cookie": SessionCookie + "=" + w.session}
	for name, extra := range map[string]map[string]string{
		"another site": {"Sec-Fetch-Site": "cross-site", "Origin": "https://evil.example"}, "another host": {"Origin": "https://evil.example"}, "a sandbox": {"Origin": "null"},
	} {
		got := b.do(call{method: "POST", path: "/api/me", body: map[string]any{"headline": "owned"}, header: with2(cookie, extra)})
		if got.status != 403 || got.reason() != "cross_origin" {
			t.Errorf("%s: %d %s", name, got.status, got.raw)
		}
	}
	b.must(200, call{method: "POST", path: "/api/me", body: map[string]any{"headline": "mine"}, header: with2(cookie, map[string]string{"Sec-Fetch-Site": "same-origin"})})
	if got := b.must(200, call{method: "GET", path: "/api/me", header: cookie}); got.json["headline"] != "mine" {
		t.Errorf("the profile: %s", got.raw)
	}
}
