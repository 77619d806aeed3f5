package api

import (
	"bufio"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/danielgtaylor/huma/v2"
)

// TestRefusals: whatever is wrong with a request before its handler, the answer is JSON
// with a reason and the right status.
func TestRefusals(t *testing.T) {
	b := newBench(t)
	a := b.agent()
	for name, c := range map[string]struct {
		call
		status int
		reason string
	}{
		"no path":            {call{method: "GET", path: "/api/nothing"}, 404, "not_found"},
		"outside":            {call{method: "GET", path: "/api/../etc/passwd"}, 404, "not_found"},
		"no method":          {call{method: "PUT", path: "/api/tasks"}, 405, "method_not_allowed"},
		"preflight":          {call{method: "OPTIONS", path: "/api/tasks", header: map[string]string{"Origin": "https://evil.example", "Access-Control-Request-Method": "POST"}}, 405, "method_not_allowed"},
		"nobody posts":       {call{method: "POST", path: "/api/tasks", body: map[string]any{}}, 401, "missing_credentials"},
		"half a pair":        {call{method: "POST", path: "/api/tasks", body: map[string]any{"ai_account_id": "a"}}, 401, "missing_credentials"},
		"form":               {call{method: "POST", path: "/api/tasks", body: "task=x", header: map[string]string{"Content-Type": "application/x-www-form-urlencoded"}}, 415, "unsupported_media_type"},
		"text that is JSON":  {call{method: "POST", path: "/api/tasks", body: `{"a":1}`, header: map[string]string{"Content-Type": "text/plain"}}, 415, "unsupported_media_type"},
		"unnamed":            {call{method: "POST", path: "/api/tasks", body: `{"a":1}`, header: map[string]string{"Content-Type": "nonsense;;"}}, 415, "unsupported_media_type"},
		"too much":           {call{method: "POST", path: "/api/tasks", body: `{"task":"` + strings.Repeat("a", maxBody) + `"}`}, 413, "body_too_large"},
		"broken":             {call{method: "POST", path: "/api/ai/accounts", body: `{"name":`}, 400, "invalid_request"},
		"an array":           {call{method: "POST", path: "/api/ai/accounts", body: `[1,2]`}, 400, "invalid_request"},
		"a number":           {call{method: "POST", path: "/api/ai/accounts", body: `7`}, 400, "invalid_request"},
		"wrong type":         {call{method: "POST", path: "/api/ai/accounts", body: `{"name":7,"paypal_email":"a@b.jp"}`}, 400, "invalid_request"},
		"no fields":          {call{method: "POST", path: "/api/ai/accounts", body: `{}`}, 400, "invalid_request"},
		"unknown label":      {call{method: "GET", path: "/api/tasks?task_label=anything"}, 400, "invalid_request"},
		"unknown status":     {call{method: "GET", path: "/api/tasks?status=lost"}, 400, "invalid_request"},
		"limit of zero":      {call{method: "GET", path: "/api/tasks?limit=0"}, 400, "invalid_request"},
		"limit of words":     {call{method: "GET", path: "/api/tasks?limit=many"}, 400, "invalid_request"},
		"mine without a key": {call{method: "GET", path: "/api/tasks?scope=mine"}, 401, "missing_credentials"},
		"a rating of none":   {call{method: "GET", path: "/api/agent/humans/search?min_rating=NaN", as: a.key}, 400, "invalid_request"},
		"bad since":          {call{method: "GET", path: "/api/tasks?updated_since=yesterday"}, 400, "invalid_request"},
	} {
		t.Run(name, func(t *testing.T) {
			a := b.do(c.call)
			if a.status != c.status || a.reason() != c.reason {
				t.Errorf("status %d, reason %q: %s", a.status, a.reason(), a.raw)
			}
			if got := a.header.Get("Content-Type"); got != "application/json" {
				t.Errorf("Content-Type %q", got)
			}
			for name := range a.header {
				if strings.HasPrefix(name, "Access-Control-") {
					t.Errorf("the header %s opens the API to other sites", name)
				}
			}
			if c.status == http.StatusUnauthorized && a.header.Get("WWW-Authenticate") == "" {
				t.Error("no WWW-Authenticate")
			}
			if c.status == http.StatusMethodNotAllowed && !strings.Contains(a.header.Get("Allow"), "POST") {
				t.Errorf("Allow: %q", a.header.Get("Allow"))
			}
		})
	}
}

// TestTypeErrorsNameTheField: the field that has the wrong type is named, its value is
// not repeated.
func TestTypeErrorsNameTheField(t *testing.T) {
	b := newBench(t)
	a := b.must(400, call{method: "POST", path: "/api/ai/accounts", body: `{"name":"n","paypal_email":{"secret":"hunter2"}}`})
	if !strings.Contains(a.raw, `{"field":"paypal_email","code":"invalid_type"}`) {
		t.Error(a.raw)
	}
	if strings.Contains(a.raw, "hunter2") {
		t.Errorf("the answer repeats what was sent: %s", a.raw)
	}
}

// TestASlowBodyIsNotWaitedFor: who sends a byte now and then does not hold a connection.
func TestASlowBodyIsNotWaitedFor(t *testing.T) {
	b := newBench(t, func(o *Options) { o.BodyTime = 50 * time.Millisecond })
	conn, err := net.Dial("tcp", strings.TrimPrefix(b.url, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	if _, err := conn.Write([]byte("POST /api/ai/accounts HTTP/1.1\r\nHost: board\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{")); err != nil {
		t.Fatal(err)
	}
	resp, err := http.ReadResponse(bufio.NewReader(conn), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusBadRequest {
		t.Errorf("the answer to a body that does not come: %s", resp.Status)
	}
}

// A command may take longer than its body took to arrive: no route leaves a time to read
// behind, at the end of which the server would take the client for gone.
func TestNoTimeToReadIsLeft(t *testing.T) {
	n := 0
	for path, item := range newBench(t).api.api.OpenAPI().Paths {
		for method, op := range map[string]*huma.Operation{"POST": item.Post, "PUT": item.Put, "PATCH": item.Patch, "DELETE": item.Delete} {
			if op == nil {
				continue
			}
			if n++; op.BodyReadTimeout >= 0 {
				t.Errorf("%s %s ends after %v", method, path, op.BodyReadTimeout)
			}
		}
	}
	if n < 30 {
		t.Errorf("there are %d routes that change something", n)
	}
}
