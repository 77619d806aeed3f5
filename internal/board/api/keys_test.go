package api

import (
	"bufio"
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strings"
	"testing"
	"time"
)

// TestScopes: a key may do what its scopes say, and makes no key that may more.
func TestScopes(t *testing.T) {
	b := newBench(t)
	a := b.agent()
	id := b.post(a)
	newKey := func(as string, body map[string]any) answered {
		return b.do(call{method: "POST", path: "/api/ai/keys", as: as, body: body})
	}
	reading := newKey(a.key, map[string]any{"name": "reader", "scopes": []string{"read"}}).json["api_key"].(string)
	keeper := newKey(a.key, map[string]any{"name": "keeper", "scopes": []string{"read", "admin"}}).json["api_key"].(string)
	for _, c := range []struct {
		call
		status int
		reason string
	}{
		{call{method: "GET", path: "/api/tasks/" + id, as: reading}, 200, ""},
		{call{method: "POST", path: "/api/tasks", as: reading, body: errand()}, 403, "forbidden_scope"},
		{call{method: "POST", path: "/api/tasks/" + id + "/cancel", as: reading}, 403, "forbidden_scope"},
		{call{method: "GET", path: "/api/ai/keys", as: reading}, 403, "forbidden_scope"},
		{call{method: "GET", path: "/api/ai/keys", as: keeper}, 200, ""},
		{call{method: "POST", path: "/api/ai/keys", as: keeper, body: map[string]any{"name": "more", "scopes": []string{"post"}}}, 403, "forbidden_scope"},
		{call{method: "POST", path: "/api/ai/keys", as: a.key, body: map[string]any{"name": "x", "scopes": []string{"everything"}}}, 400, "invalid_request"},
		{call{method: "POST", path: "/api/ai/keys", as: a.key, body: map[string]any{"name": "x", "expires_at": "2001-01-01T00:00:00Z"}}, 400, "invalid_request"},
		{call{method: "POST", path: "/api/ai/keys", as: a.key, body: map[string]any{"name": "x", "daily_caps": map[string]any{"usd": -1}}}, 400, "invalid_request"},
	} {
		if got := b.do(c.call); got.status != c.status || got.reason() != c.reason {
			t.Errorf("%s %s %v: %d %s", c.method, c.path, c.body, got.status, got.raw)
		}
	}
}

// TestCaps: a key with a cap posts no more in a day than that.
func TestCaps(t *testing.T) {
	b := newBench(t)
	a := b.agent()
	capped := b.must(201, call{method: "POST", path: "/api/ai/keys", as: a.key, body: map[string]any{"name": "capped", "daily_caps": map[string]any{"usd": 2000}}}).json["api_key"].(string)
	b.must(201, call{method: "POST", path: "/api/tasks", as: capped, body: errand()})
	if got := b.do(call{method: "POST", path: "/api/tasks", as: capped, body: errand()}); got.status != 429 || got.reason() != "spend_cap_exceeded" {
		t.Errorf("over the cap: %d %s", got.status, got.raw)
	}
	b.must(201, call{method: "POST", path: "/api/tasks", as: a.key, body: errand()})
}

// TestACapInOneCurrencyIsNoneInTheOther: whoever caps a key in dollars has not allowed it
// yen without end; a key without any cap keeps that of its account.
func TestACapInOneCurrencyIsNoneInTheOther(t *testing.T) {
	b := newBench(t)
	a := b.agent()
	yen := func(m map[string]any) {
		delete(m, "budget_usd")
		m["amount_minor"], m["currency"] = 2000, "jpy"
	}
	for name, c := range map[string]struct {
		caps           map[string]any
		dollars, yenIs int
	}{
		"dollars alone": {map[string]any{"usd": 2000}, 201, 429},
		"yen alone":     {map[string]any{"JPY": 5000}, 429, 201},
		"both":          {map[string]any{"USD": 2000, "JPY": 5000}, 201, 201},
		"none":          {nil, 201, 201},
	} {
		key := b.must(201, call{method: "POST", path: "/api/ai/keys", as: a.key, body: map[string]any{"name": name, "daily_caps": c.caps}}).json["api_key"].(string)
		if got := b.do(call{method: "POST", path: "/api/tasks", as: key, body: errand()}); got.status != c.dollars {
			t.Errorf("%s, in dollars: %d %s", name, got.status, got.raw)
		}
		if got := b.do(call{method: "POST", path: "/api/tasks", as: key, body: errand(yen)}); got.status != c.yenIs {
			t.Errorf("%s, in yen: %d %s", name, got.status, got.raw)
		}
	}
}

// TestRotation: the old key works on for the overlap that was asked for, and a revoked
// one not at all; the secret is shown once.
func TestRotation(t *testing.T) {
	b := newBench(t)
	a := b.agent()
	read := func(key string) int { return b.do(call{method: "GET", path: "/api/ai/accounts", as: key}).status }
	first := b.must(200, call{method: "GET", path: "/api/ai/keys", as: a.key}).json["keys"].([]any)[0].(map[string]any)
	next := b.must(200, call{method: "POST", path: "/api/ai/keys/" + first["id"].(string) + "/rotate", as: a.key})
	key := next.json["api_key"].(string)
	if read(a.key) != 200 || read(key) != 200 {
		t.Error("within the overlap both keys work")
	}
	b.must(200, call{method: "POST", path: "/api/ai/keys/" + next.json["id"].(string) + "/rotate", as: key, body: map[string]any{"overlap_seconds": 0}})
	if got := read(key); got != 401 {
		t.Errorf("without an overlap the old key gets %d", got)
	}
	b.must(200, call{method: "DELETE", path: "/api/ai/keys/" + first["id"].(string), as: a.key})
	if got := read(a.key); got != 401 {
		t.Errorf("a revoked key gets %d", got)
	}
}

// TestListedKeysHaveNoSecret: no list shows a secret again.
func TestListedKeysHaveNoSecret(t *testing.T) {
	b := newBench(t)
	a, w := b.agent(), b.worker()
	mine := b.must(201, call{method: "POST", path: "/api/me/api-keys", as: w.session, body: map[string]any{"name": "phone", "scopes": []string{"profile:read"}}}).json["api_key"].(string)
	for path, as := range map[string]string{"/api/ai/keys": a.key, "/api/me/api-keys": w.session} {
		if got := b.must(200, call{method: "GET", path: path, as: as}); strings.Contains(got.raw, "api_key") || strings.Contains(got.raw, a.key) || strings.Contains(got.raw, mine) {
			t.Errorf("%s: %s", path, got.raw)
		}
	}
	b.must(200, call{method: "GET", path: "/api/me", as: mine})
	for _, c := range []call{
		{method: "POST", path: "/api/me", body: map[string]any{"headline": "x"}}, {method: "GET", path: "/api/me/payments"},
		{method: "GET", path: "/api/me/api-keys"}, {method: "GET", path: "/api/conversations"},
		{method: "POST", path: "/api/submissions", body: map[string]any{"task_id": "x", "type": "text"}},
	} {
		c.as = mine
		if got := b.do(c); got.status != 403 || got.reason() != "forbidden_scope" {
			t.Errorf("a key with profile:read on %s %s: %d %s", c.method, c.path, got.status, got.raw)
		}
	}
}

// TestProof: an address that is known gives nobody a key: the code that was mailed to
// it, or a key of the account, does.
func TestProof(t *testing.T) {
	b := newBench(t)
	email := "owner@requester.jp"
	connect := func(as string, more map[string]any) answered {
		body := map[string]any{"name": "Other name", "paypal_email": email}
		for k, v := range more {
			body[k] = v
		}
		return b.must(200, call{method: "POST", path: "/api/ai/accounts", as: as, body: body})
	}
	first := connect("", nil)
	again := connect("", nil)
	if again.json["status"] != "verification_required" || again.json["api_key"] != nil || again.json["account_id"] != nil {
		t.Errorf("a known address without a proof: %s", again.raw)
	}
	if got := b.do(call{method: "POST", path: "/api/ai/accounts/verification/confirm", body: map[string]any{"verification_id": again.json["verification_id"], "code": "000000"}}); got.status != 403 || got.reason() != "invalid_code" {
		t.Errorf("a wrong code: %d %s", got.status, got.raw)
	}
	proved := connect("", map[string]any{"verification_id": again.json["verification_id"], "code": b.mails.code(t, email)})
	if proved.json["account_id"] != first.json["account_id"] || proved.json["api_key"] == first.json["api_key"] || proved.json["api_key"] == nil {
		t.Errorf("with the code: %s", proved.raw)
	}
	if got := b.do(call{method: "GET", path: "/api/ai/accounts", as: first.json["api_key"].(string)}); got.status != 401 {
		t.Errorf("whoever connected with the address of another still has a key: %d %s", got.status, got.raw)
	}
	known := connect(proved.json["api_key"].(string), nil)
	if known.json["account_id"] != first.json["account_id"] || known.json["api_key"] != nil {
		t.Errorf("with a key of the account: %s", known.raw)
	}
	got := b.must(200, call{method: "GET", path: "/api/ai/accounts", as: proved.json["api_key"].(string)}).json["account"].(map[string]any)
	if got["name"] != "Other name" || got["paypal_email"] != email {
		t.Errorf("the account: %v", got)
	}
}

// TestStream: events come as they happen, and a stream goes on where the last ended.
func TestStream(t *testing.T) {
	b := newBench(t)
	a := b.agent()
	b.post(a)
	open := func(last string) *bufio.Scanner {
		req, err := http.NewRequestWithContext(t.Context(), "GET", b.url+"/api/events/stream", nil)
		if err != nil {
			t.Fatal(err)
		}
		req.Header.Set("Authorization", "Bearer "+a.key)
		req.Header.Set("Last-Event-ID", last)
		resp, err := http.DefaultClient.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = resp.Body.Close() })
		if resp.StatusCode != 200 || resp.Header.Get("Content-Type") != "text/event-stream" {
			t.Fatalf("%s %v", resp.Status, resp.Header)
		}
		return bufio.NewScanner(resp.Body)
	}
	next := func(s *bufio.Scanner) (id, data string) {
		for s.Scan() {
			if text, ok := strings.CutPrefix(s.Text(), "id: "); ok {
				id = text
			}
			if text, ok := strings.CutPrefix(s.Text(), "data: "); ok {
				return id, text
			}
		}
		t.Fatalf("the stream ended: %v", s.Err())
		return "", ""
	}
	s := open("0")
	id, data := next(s)
	if id != "1" || !strings.Contains(data, `"task.created"`) {
		t.Errorf("first: %s %s", id, data)
	}
	second := b.post(a)
	if id, data := next(s); id != "2" || !strings.Contains(data, second) {
		t.Errorf("second: %s %s", id, data)
	}
	if id, _ := next(open("1")); id != "2" {
		t.Errorf("after the first comes %s", id)
	}
}

// TestEventsWait: a call that may wait returns as soon as something happens.
func TestEventsWait(t *testing.T) {
	b := newBench(t)
	a := b.agent()
	got := make(chan answered, 1)
	go func() { got <- b.do(call{method: "GET", path: "/api/events?wait=25", as: a.key}) }()
	id := b.post(a)
	select {
	case e := <-got:
		if !strings.Contains(e.raw, id) || e.json["next_after"] != 1.0 {
			t.Errorf("%d %s", e.status, e.raw)
		}
	case <-time.After(24 * time.Second):
		t.Error("it did not return")
	}
}

// TestNoKeyMakesMoreOfItself: what a narrow key may make, and rotate, may do no more
// than it may itself, and no longer.
func TestNoKeyMakesMoreOfItself(t *testing.T) {
	b := newBench(t)
	a := b.agent()
	soon := time.Now().Add(time.Hour).UTC()
	narrow := b.must(201, call{method: "POST", path: "/api/ai/keys", as: a.key, body: map[string]any{
		"name": "narrow", "scopes": []string{"admin", "post"}, "daily_caps": map[string]any{"usd": 2000}, "expires_at": soon,
	}})
	key := narrow.json["api_key"].(string)
	wide := b.must(200, call{method: "GET", path: "/api/ai/keys", as: a.key}).json["keys"].([]any)[1].(map[string]any)["id"].(string)
	for _, c := range []struct {
		path string
		body map[string]any
	}{
		{"/" + wide + "/rotate", nil},
		{"", map[string]any{"name": "dearer", "scopes": []string{"post"}, "daily_caps": map[string]any{"usd": 2001}}},
		{"", map[string]any{"name": "longer", "scopes": []string{"post"}, "expires_at": soon.Add(time.Minute)}},
	} {
		if got := b.do(call{method: "POST", path: "/api/ai/keys" + c.path, as: key, body: c.body}); got.status != 403 || got.reason() != "forbidden_scope" || got.json["api_key"] != nil {
			t.Errorf("%s %v: %d %s", c.path, c.body, got.status, got.raw)
		}
	}
	child := b.must(201, call{method: "POST", path: "/api/ai/keys", as: key, body: map[string]any{"name": "child", "scopes": []string{"post"}}})
	if caps := child.json["daily_caps"]; fmt.Sprint(caps) != "map[JPY:0 USD:2000]" || child.json["expires_at"] != narrow.json["expires_at"] {
		t.Errorf("a key that names no limits: %s", child.raw)
	}
	b.must(201, call{method: "POST", path: "/api/tasks", as: key, body: errand()})
	next := b.must(200, call{method: "POST", path: "/api/ai/keys/" + narrow.json["id"].(string) + "/rotate", as: key}).json["api_key"].(string)
	if got := b.do(call{method: "POST", path: "/api/tasks", as: next, body: errand()}); got.status != 429 || got.reason() != "spend_cap_exceeded" {
		t.Errorf("the successor of a key that spent its cap: %d %s", got.status, got.raw)
	}
}

// TestOneAccountDoesNotHoldAllStreams: others still get theirs, and a stream that ended
// makes room.
func TestOneAccountDoesNotHoldAllStreams(t *testing.T) {
	b := newBench(t)
	a, other := b.agent(), b.agent()
	open := func(key string) (status int, end func()) {
		ctx, cancel := context.WithCancel(t.Context())
		req, err := http.NewRequestWithContext(ctx, "GET", b.url+"/api/events/stream", nil)
		if err != nil {
			t.Fatal(err)
		}
		req.Header.Set("Authorization", "Bearer "+key)
		resp, err := http.DefaultClient.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		end = func() { cancel(); _ = resp.Body.Close() }
		t.Cleanup(end)
		return resp.StatusCode, end
	}
	var endOne func()
	for range ownStreams {
		status, end := open(a.key)
		if status != 200 {
			t.Fatalf("a stream within the limit: %d", status)
		}
		endOne = end
	}
	if status, _ := open(a.key); status != 429 {
		t.Errorf("one more: %d", status)
	}
	if status, _ := open(other.key); status != 200 {
		t.Errorf("a stream of another account: %d", status)
	}
	endOne()
	for b.api.streams.count(a.id) == ownStreams {
		runtime.Gosched() // until the server has seen that the client is gone
	}
	if status, _ := open(a.key); status != 200 {
		t.Errorf("in place of one that ended: %d", status)
	}
}

// count is how many streams an account has.
func (s *streams) count(agentID string) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.of[agentID]
}

// TestEventsEndWithTheBoard: a call that waits does not hold up the shutdown.
func TestEventsEndWithTheBoard(t *testing.T) {
	over := make(chan struct{})
	stopped := time.Date(2026, 11, 28, 3, 0, 0, 0, time.UTC)
	b := newBench(t, func(o *Options) { o.Stop, o.Clock = over, func() time.Time { return stopped } }) // only Stop ends a wait
	a := b.agent()
	close(over)
	if e := b.must(200, call{method: "GET", path: "/api/events?wait=25", as: a.key}); e.json["next_after"] != 0.0 {
		t.Errorf("the answer: %s", e.raw)
	}
}

// TestUploadersMayUseWhatTheySend: a key that can neither deliver nor post sends no files.
func TestUploadersMayUseWhatTheySend(t *testing.T) {
	b := newBench(t)
	a, w := b.agent(), b.worker()
	key := func(path, as string, scopes ...string) string {
		return b.must(201, call{method: "POST", path: path, as: as, body: map[string]any{"name": "x", "scopes": scopes}}).json["api_key"].(string)
	}
	for name, c := range map[string]struct{ secret, want string }{
		"an agent":             {a.key, "agent:" + a.id},
		"an agent that reads":  {key("/api/ai/keys", a.key, "read"), ""},
		"a session":            {w.session, "human:" + w.id},
		"a key that delivers":  {key("/api/me/api-keys", w.session, "submissions:write"), "human:" + w.id},
		"a key that writes":    {key("/api/me/api-keys", w.session, "messages:write"), "human:" + w.id},
		"a key of the profile": {key("/api/me/api-keys", w.session, "profile:read", "payments:read"), ""},
		"nobody":               {"", ""},
	} {
		r := httptest.NewRequest("POST", "/", nil)
		r.Header.Set("Authorization", "Bearer "+c.secret)
		if got, err := b.api.Uploader(r); got != c.want || err != nil {
			t.Errorf("%s uploads as %q, want %q", name, got, c.want)
		}
	}
}
