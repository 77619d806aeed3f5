package wire

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"
)

// keeper is a server that makes tasks: each method has its results in turn, the last of
// them again and again. A result that begins with ! is an error.
type keeper struct {
	mu      sync.Mutex
	answers map[string][]string
}

func (k *keeper) next(method string) (string, bool) {
	k.mu.Lock()
	defer k.mu.Unlock()
	list := k.answers[method]
	if len(list) == 0 {
		return "", false
	}
	if len(list) > 1 {
		k.answers[method] = list[1:]
	}
	return list[0], true
}

func (k *keeper) serve(era Era) func(http.ResponseWriter, *http.Request, *message) bool {
	return func(w http.ResponseWriter, _ *http.Request, m *message) bool {
		if m.Method == "server/discover" && era == EraModern {
			reply(w, result(m.ID, discovered))
			return true
		}
		text, ok := k.next(m.Method)
		switch {
		case !ok:
			return false
		case strings.HasPrefix(text, "!"):
			reply(w, failure(m.ID, -32602, text[1:]))
		case strings.HasPrefix(text, "twice"):
			text = strings.TrimPrefix(text, "twice")
			events(w, "data: "+result(m.ID, text)+"\n\ndata: "+result(m.ID, text)+"\n\n")
		default:
			reply(w, result(m.ID, text))
		}
		return true
	}
}

const (
	flat    = `{"resultType":"task","taskId":"t-1","status":"working","createdAt":"2026-01-01T00:00:00Z","lastUpdatedAt":"2026-01-01T00:00:00Z","ttlMs":60000,"pollIntervalMs":20}`
	working = `{"resultType":"complete","taskId":"t-1","status":"working","pollIntervalMs":20}`
	nested  = `{"task":{"taskId":"t-1","status":"working","createdAt":"2026-01-01T00:00:00Z","lastUpdatedAt":"2026-01-01T00:00:00Z","ttl":60000,"pollInterval":20}}`
	stands  = `{"taskId":"t-1","status":"working","pollInterval":20}`
	empty   = `{"resultType":"complete"}`
)

func done(era Era, more string) string {
	if era == EraModern {
		return `{"resultType":"complete","taskId":"t-1","status":"completed"` + more + `}`
	}
	return `{"taskId":"t-1","status":"completed"}`
}

// TestTasks: a call that becomes a task is followed in both eras, and what is wrong with
// how its server keeps it is observed.
func TestTasks(t *testing.T) {
	const content = `{"content":[{"type":"text","text":"42"}]}`
	inline := done(EraModern, `,"result":`+content)
	for name, tt := range map[string]struct {
		era    Era
		server map[string][]string
		status TaskStatus
		kind   Kind   // of the failure
		saw    string // observed codes
		sent   string // methods after tools/call
	}{
		"modern":             {EraModern, map[string][]string{"tools/call": {flat}, "tasks/get": {working, inline}}, TaskCompleted, "", "", "tasks/get tasks/get"},
		"legacy":             {EraLegacy, map[string][]string{"tools/call": {nested}, "tasks/get": {stands, done(EraLegacy, "")}, "tasks/result": {content}}, TaskCompleted, "", "", "tasks/get tasks/get tasks/result"},
		"at once":            {EraModern, map[string][]string{"tools/call": {content}}, "", "", "", ""},
		"never ends, modern": {EraModern, map[string][]string{"tools/call": {flat}, "tasks/get": {working}, "tasks/cancel": {empty}}, TaskWorking, Timeout, "", "tasks/get ... tasks/cancel tasks/get"},
		"never ends, legacy": {EraLegacy, map[string][]string{"tools/call": {nested}, "tasks/get": {stands}, "tasks/cancel": {`{"taskId":"t-1","status":"cancelled"}`}}, TaskWorking, Timeout, "bad_task", "tasks/get ... tasks/cancel tasks/get"},
		"no cancel, modern":  {EraModern, map[string][]string{"tools/call": {flat}, "tasks/get": {working}, "tasks/cancel": {"!no"}}, TaskWorking, Timeout, "bad_task", "tasks/get ... tasks/cancel tasks/get"},
		"no cancel, legacy":  {EraLegacy, map[string][]string{"tools/call": {nested}, "tasks/get": {stands}, "tasks/cancel": {"!not announced"}}, TaskWorking, Timeout, "", "tasks/get ... tasks/cancel tasks/get"},
		"unknown id":         {EraModern, map[string][]string{"tools/call": {flat}, "tasks/get": {"!no such task"}, "tasks/cancel": {"!no such task"}}, TaskWorking, Protocol, "bad_task", "tasks/get tasks/cancel tasks/get"},
		"another id":         {EraModern, map[string][]string{"tools/call": {flat}, "tasks/get": {strings.Replace(inline, "t-1", "t-2", 1)}}, TaskCompleted, "", "bad_task", "tasks/get"},
		"no id":              {EraLegacy, map[string][]string{"tools/call": {`{"task":{"status":"working"}}`}}, TaskWorking, Protocol, "bad_task", ""},
		"no status":          {EraModern, map[string][]string{"tools/call": {flat}, "tasks/get": {`{"taskId":"t-1"}`, inline}}, TaskCompleted, "", "bad_task", "tasks/get tasks/get"},
		"no result":          {EraModern, map[string][]string{"tools/call": {flat}, "tasks/get": {done(EraModern, "")}}, TaskCompleted, Protocol, "bad_task", "tasks/get"},
		"result twice":       {EraLegacy, map[string][]string{"tools/call": {nested}, "tasks/get": {done(EraLegacy, "")}, "tasks/result": {"twice" + content}}, TaskCompleted, "", "duplicate_response", "tasks/get tasks/result"},
		"wrapped":            {EraModern, map[string][]string{"tools/call": {`{"resultType":"task","task":{"taskId":"t-1","status":"working"}}`}}, TaskWorking, Protocol, "bad_task", ""},
		"fractional":         {EraModern, map[string][]string{"tools/call": {strings.Replace(flat, `"pollIntervalMs":20`, `"pollIntervalMs":0.5`, 1)}, "tasks/get": {inline}}, TaskCompleted, "", "bad_task", "tasks/get"},
		"fails":              {EraModern, map[string][]string{"tools/call": {flat}, "tasks/get": {`{"taskId":"t-1","status":"failed","error":{"code":-32000,"message":"no"}}`}}, TaskFailed, "", "", "tasks/get"},
		"is cancelled":       {EraModern, map[string][]string{"tools/call": {flat}, "tasks/get": {`{"taskId":"t-1","status":"cancelled"}`}}, TaskCancelled, Cancelled, "", "tasks/get"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := serveWeb(t, (&keeper{answers: tt.server}).serve(tt.era))
			c := dial(t, Target{URL: s.URL}, Options{Tasks: true, NoStream: true, CloseTimeout: 10 * time.Second})
			limit := 30 * time.Second
			if tt.kind == Timeout {
				limit = 300 * time.Millisecond
			}
			ex, err := c.Call(t.Context(), "tools/call", json.RawMessage(`{"name":"slow","arguments":{},"task":{"ttl":60000}}`), CallOptions{FollowTasks: true, Timeout: limit})
			var rpc *RPCError
			if isRPC := errors.As(err, &rpc); isRPC != (name == "fails") || !isRPC && kindOf(err) != tt.kind {
				t.Errorf("it gives %v", err)
			}
			if err == nil && string(ex.Result) != content {
				t.Errorf("the result is %s", ex.Result)
			}
			status := TaskStatus("")
			if ex.Task != nil {
				status = ex.Task.Status
			}
			if status != tt.status {
				t.Errorf("the task is %q", status)
			}
			if got := codes(c.Observations()); got != tt.saw {
				t.Errorf("it observes %q", got)
			}
			if got := about(s); got != tt.sent {
				t.Errorf("it asks %q", got)
			}
		})
	}
}

// about are the methods that a server was asked about its tasks, with many in a row in
// short.
func about(s *webServer) string {
	var out []string
	for _, r := range s.all() {
		if strings.HasPrefix(r.rpc.Method, "tasks/") {
			out = append(out, r.rpc.Method)
		}
	}
	if len(out) > 4 {
		out = append([]string{out[0], "..."}, out[len(out)-2:]...)
	}
	return strings.Join(out, " ")
}

// TestTaskAsks: a modern task gets its input by tasks/update, from whoever answers, and
// its requests name it in a header.
func TestTaskAsks(t *testing.T) {
	asks := `{"taskId":"t-1","status":"input_required","inputRequests":{"name":{"method":"elicitation/create","params":{"message":"who"}}}}`
	k := &keeper{answers: map[string][]string{
		"tools/call": {flat}, "tasks/get": {asks, working, done(EraModern, `,"result":{"content":[]}`)}, "tasks/update": {empty},
	}}
	s := serveWeb(t, k.serve(EraModern))
	answer := func(_ context.Context, r ServerRequest) (json.RawMessage, error) {
		return json.RawMessage(`{"action":"accept","content":{"key":"` + r.Key + `"}}`), nil
	}
	c := dial(t, Target{URL: s.URL}, Options{Tasks: true, Capabilities: json.RawMessage(`{"elicitation":{}}`), Answer: answer})
	ex, err := c.Call(t.Context(), "tools/call", json.RawMessage(`{"name":"slow","arguments":{}}`), CallOptions{FollowTasks: true})
	if err != nil || ex.Task == nil || ex.Task.Asked != 1 || ex.Task.Polls != 3 || len(ex.Rounds) != 5 {
		t.Fatalf("the task is %+v after %d rounds: %v", ex.Task, len(ex.Rounds), err)
	}
	update := s.of("tasks/update")[0]
	if got := string(field(update.rpc.Params, "inputResponses")); got != `{"name":{"action":"accept","content":{"key":"name"}}}` {
		t.Errorf("it was given %s", got)
	}
	if got := update.header.Get("Mcp-Name"); got != "t-1" {
		t.Errorf("Mcp-Name is %q", got)
	}
	meta := field(s.of("tools/call")[0].rpc.Params, "_meta")
	if got := string(field(meta, metaCapabilities)); got != `{"elicitation":{},"extensions":{"io.modelcontextprotocol/tasks":{}}}` {
		t.Errorf("it announces %s", got)
	}
}

// TestTaskGivenUp: a caller who no longer waits has the task cancelled.
func TestTaskGivenUp(t *testing.T) {
	k := &keeper{answers: map[string][]string{"tools/call": {flat}, "tasks/get": {working}, "tasks/cancel": {empty}}}
	s := serveWeb(t, k.serve(EraModern))
	c := dial(t, Target{URL: s.URL}, Options{Tasks: true})
	ctx, cancel := context.WithCancel(t.Context())
	gone := make(chan *Exchange)
	go func() {
		ex, _ := c.Call(ctx, "tools/call", json.RawMessage(`{"name":"slow","arguments":{}}`), CallOptions{FollowTasks: true})
		gone <- ex
	}()
	for len(s.of("tasks/get")) == 0 {
		<-time.After(time.Millisecond)
	}
	cancel()
	if ex := <-gone; kindOf(ex.Err) != Cancelled || !ex.Task.GivenUp || len(s.of("tasks/cancel")) != 1 {
		t.Errorf("it gives %v after %d cancellations", ex.Err, len(s.of("tasks/cancel")))
	}
}
