package api

import (
	"bytes"
	"fmt"
	"io"
	"mime/multipart"
	"net/http"
	"strings"
	"testing"
	"time"
)

// TestUnknownFields: a misspelt field is refused with the name that was meant, at every
// depth, instead of being left out: without its cap a key could spend without end.
func TestUnknownFields(t *testing.T) {
	b := newBench(t)
	a, w := b.agent(), b.worker()
	for name, c := range map[string]struct {
		call
		field, hint string
	}{
		"a misspelt cap":        {call{method: "POST", path: "/api/ai/keys", as: a.key, body: map[string]any{"name": "x", "daily_cap": map[string]any{"USD": 500}}}, "daily_cap", "Did you mean daily_caps?"},
		"a misspelt end":        {call{method: "POST", path: "/api/ai/keys", as: a.key, body: map[string]any{"name": "x", "expire_at": time.Now()}}, "expire_at", "Did you mean expires_at?"},
		"a misspelt dry run":    {call{method: "POST", path: "/api/tasks", as: a.key, body: errand(func(m map[string]any) { m["dryrun"] = true })}, "dryrun", "Did you mean dry_run?"},
		"a wait without a call": {call{method: "POST", path: "/api/tasks", as: a.key, body: errand(func(m map[string]any) { m["consent_wait_seconds"] = 0 })}, "consent_wait_seconds", "Known are: "},
		"inside a list": {call{method: "POST", path: "/api/tasks", as: a.key, body: errand(func(m map[string]any) {
			m["evidence"] = []any{map[string]any{"kind": "photo", "label": "door", "requierd": true}}
		})}, "evidence.requierd", "Did you mean required?"},
		"of a body with none": {call{method: "POST", path: "/api/ai/accounts/verification/request", as: a.key, body: map[string]any{"email": "x@y.jp"}}, "email", "Known are: ai_account_id, ai_api_key."},
		"of somebody unknown": {call{method: "POST", path: "/api/humans/sign-in", body: map[string]any{"mail": "x@y.jp"}}, "mail", "Did you mean email?"},
		"of a profile":        {call{method: "POST", path: "/api/me", as: w.session, body: map[string]any{"instant": map[string]any{"min_yen": 5}}}, "instant.min_yen", "Known are: "},
		"a misspelt filter":   {call{method: "GET", path: "/api/agent/humans/search?skils=photo", as: a.key}, "skils", "Did you mean skills?"},
		"a filter of another": {call{method: "GET", path: "/api/tasks?human_id=7", as: a.key}, "human_id", "Known are: "},
		"of a path alone":     {call{method: "GET", path: "/api/me?full=1", as: w.session}, "full", "the route has none"},
		"a name with lines":   {call{method: "POST", path: "/api/ai/accounts", body: map[string]any{"na\r\nme\u0000": "x"}}, "name", "Known are: "},
	} {
		t.Run(name, func(t *testing.T) {
			got := b.do(c.call)
			if got.status != 400 || got.reason() != "invalid_request" || !strings.Contains(got.raw, `{"field":"`+c.field+`","code":"unknown_field"}`) || !strings.Contains(got.raw, c.hint) {
				t.Errorf("%d %s", got.status, got.raw)
			}
		})
	}
	if keys := b.must(200, call{method: "GET", path: "/api/ai/keys", as: a.key}).json["keys"].([]any); len(keys) != 1 {
		t.Errorf("%d keys, want the first alone", len(keys))
	}
	if n := len(b.must(200, call{method: "GET", path: "/api/tasks", as: a.key}).json["tasks"].([]any)); n != 0 {
		t.Errorf("%d tasks were posted", n)
	}
}

// TestUnknownFieldsAreBounded: a body of a thousand unknown names has an answer of ten.
func TestUnknownFieldsAreBounded(t *testing.T) {
	b := newBench(t)
	body := map[string]any{strings.Repeat("あ", 5000): 1}
	for range 1000 {
		body[fmt.Sprintf("x%d", unique())] = 1
	}
	got := b.do(call{method: "POST", path: "/api/ai/accounts", body: body})
	if got.status != 400 || len(got.raw) > 4000 {
		t.Errorf("%d, %d bytes: %s", got.status, len(got.raw), got.raw)
	}
}

// TestOlderNames: what the contract of the older paths has in bodies and queries is no
// unknown field, but nobody acts for somebody else by it.
func TestOlderNames(t *testing.T) {
	b := newBench(t)
	a, w, other := b.agent(), b.worker(), b.worker()
	id := b.post(a)
	apply := func(human string) answered {
		return b.do(call{method: "POST", path: "/api/tasks/" + id + "/apply", as: w.session, body: map[string]any{"human_id": human, "cover_letter": "I live nearby.", "availability": "today"}})
	}
	if got := apply(other.id); got.status != 403 || got.reason() != "forbidden" {
		t.Errorf("an application for somebody else: %d %s", got.status, got.raw)
	}
	if got := apply(w.id); got.status != 201 {
		t.Errorf("an application that names its person: %d %s", got.status, got.raw)
	}
	ask := func(human string) answered {
		return b.do(call{method: "GET", path: "/api/tasks/" + id + "/apply?human_id=" + human, as: w.session})
	}
	if got := ask(w.id); got.status != 200 || got.json["status"] != "applied" {
		t.Errorf("the own application: %d %s", got.status, got.raw)
	}
	if got := ask(other.id); got.status != 403 {
		t.Errorf("an application of somebody else: %d %s", got.status, got.raw)
	}
	if got := b.do(call{method: "GET", path: "/api/tasks?ai_api_key=" + a.key}); got.status != 401 || got.reason() != "missing_credentials" || !strings.Contains(got.raw, "rotate") {
		t.Errorf("a key in an address: %d %s", got.status, got.raw)
	}
}

// TestUnknownFormFields: a form has the fields of a delivery and no others.
func TestUnknownFormFields(t *testing.T) {
	b := newBench(t, func(o *Options) { o.Files = newShelf() })
	a, w := b.agent(), b.worker()
	id := b.post(a)
	b.assign(a, w, id)
	var form bytes.Buffer
	parts := multipart.NewWriter(&form)
	for _, f := range [][2]string{{"task_id", id}, {"type", "text"}, {"txt", "The sign says Pan no Ie."}} {
		if err := parts.WriteField(f[0], f[1]); err != nil {
			t.Fatal(err)
		}
	}
	if err := parts.Close(); err != nil {
		t.Fatal(err)
	}
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, b.url+"/api/submissions", &form)
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Content-Type", parts.FormDataContentType())
	req.Header.Set("Authorization", "Bearer "+w.session)
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	raw, err := io.ReadAll(res.Body)
	if err != nil || res.StatusCode != 400 || !strings.Contains(string(raw), `"txt"`) || !strings.Contains(string(raw), "Did you mean text?") {
		t.Errorf("%d %s %v", res.StatusCode, raw, err)
	}
}
