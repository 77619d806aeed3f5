package bounty

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/legwork-mcp/legwork/internal/auth"
	"github.com/legwork-mcp/legwork/internal/bounty/rest"
	"github.com/legwork-mcp/legwork/internal/tool"
)

// canary is the key of tests: it must turn up nowhere that it was not asked for.
const canary = "ai_live_0badcafe_c4na7yc4na7yc4na7yc4na7yc4na7yc4na7yc4na7yc4na7y"

// seen is a request that a board got.
type seen struct {
	method, path, query, raw string
	header                   http.Header
	body                     map[string]any
}

// bench is a scripted board and a server that asks it.
type bench struct {
	*Server
	url    string
	log    *bytes.Buffer
	answer func(w http.ResponseWriter, s seen) // replaced by tests

	mu   sync.Mutex
	got  []seen
	now  time.Time
	opts Options
}

// newBench starts the board. Each change sees the options before the server is made.
func newBench(t *testing.T, change ...func(*Options)) *bench {
	t.Helper()
	b := &bench{log: &bytes.Buffer{}, now: time.Date(2026, 2, 13, 9, 0, 0, 0, time.UTC)}
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		raw, _ := io.ReadAll(r.Body)
		s := seen{method: r.Method, path: r.URL.EscapedPath(), query: r.URL.RawQuery, raw: string(raw), header: r.Header.Clone()}
		_ = json.Unmarshal(raw, &s.body)
		b.mu.Lock()
		b.got = append(b.got, s)
		answer := b.answer
		b.mu.Unlock()
		answer(w, s)
	}))
	t.Cleanup(srv.Close)
	b.url = srv.URL
	client, err := rest.New(rest.Options{
		BaseURL: srv.URL, HTTP: srv.Client(), Timeout: 5 * time.Second, Wait: func(ctx context.Context, _ time.Duration) error { return ctx.Err() },
	})
	if err != nil {
		t.Fatal(err)
	}
	b.opts = Options{
		Board: func() (*rest.Client, error) { return client, nil }, Default: rest.Credentials{AccountID: "acc-1", APIKey: canary},
		ProfilesDir: t.TempDir(), Settings: Settings{Poll: time.Millisecond},
		Logger: slog.New(slog.NewTextHandler(b.log, &slog.HandlerOptions{Level: slog.LevelDebug})),
		Clock:  func() time.Time { return b.now },
	}
	for _, c := range change {
		c(&b.opts)
	}
	b.Server = New(b.opts)
	return b
}

// noDefault is a server without credentials in its settings.
func noDefault(o *Options) { o.Default = rest.Credentials{} }

// requests are those that the board got so far.
func (b *bench) requests() []seen {
	b.mu.Lock()
	defer b.mu.Unlock()
	return append([]seen(nil), b.got...)
}

// says answers with a status and a JSON body.
func says(status int, body string) func(http.ResponseWriter, seen) {
	return func(w http.ResponseWriter, _ seen) {
		w.Header().Set("Content-Type", "application/json; charset=utf-8")
		w.WriteHeader(status)
		_, _ = io.WriteString(w, body)
	}
}

// call calls a tool as the user of the machine.
func (b *bench) call(t *testing.T, name, args string) *mcp.CallToolResult {
	t.Helper()
	return b.callAs(t, tool.WithCaller(t.Context(), auth.Local()), name, args)
}

func (b *bench) callAs(t *testing.T, ctx context.Context, name, args string) *mcp.CallToolResult {
	t.Helper()
	policy := tool.Policy{Authorize: func(context.Context, tool.Spec) error { return nil }, Logger: b.opts.Logger, Clock: b.opts.Clock}
	for _, x := range tool.BindAll(b.Server, Tools) {
		if x.Spec.Name == name {
			defer b.requests() // orders the board's look at its answer before the next one is set
			return x.Call(ctx, policy, json.RawMessage(args))
		}
	}
	t.Fatalf("there is no tool %s", name)
	return nil
}

// text is the first block of a result.
func text(t *testing.T, res *mcp.CallToolResult) string {
	t.Helper()
	block, ok := res.Content[0].(*mcp.TextContent)
	if !ok {
		t.Fatalf("the first block is a %T", res.Content[0])
	}
	return block.Text
}

// structured is the structured part of a result.
func structured(t *testing.T, res *mcp.CallToolResult) map[string]any {
	t.Helper()
	raw, err := json.Marshal(res.StructuredContent)
	var out map[string]any
	if err == nil {
		err = json.Unmarshal(raw, &out)
	}
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// problem is the error of a result.
func problem(t *testing.T, res *mcp.CallToolResult) (code, reason string, details map[string]any) {
	t.Helper()
	block, ok := structured(t, res)["error"].(map[string]any)
	if !ok || !res.IsError {
		t.Fatalf("no error: %s", text(t, res))
	}
	details, _ = block["details"].(map[string]any)
	code, _ = block["code"].(string)
	reason, _ = details["reason"].(string)
	return code, reason, details
}

// everything is all that a client sees of a result.
func everything(t *testing.T, res *mcp.CallToolResult) string {
	t.Helper()
	raw, err := json.Marshal(res)
	if err != nil {
		t.Fatal(err)
	}
	return string(raw)
}

// aTask are arguments that can be posted.
func aTask(more string) string {
	return `{"task":"Photograph the opening hours.","origin_country":"jp","task_label":"real_world_verification","acceptance_criteria":"Readable.",` +
		`"not_allowed":"No people.","budget_usd":8.5` + more + `}`
}

// lacks fails when a text has the key in it.
func lacks(t *testing.T, where, text string) {
	t.Helper()
	if strings.Contains(text, canary) || strings.Contains(text, canary[17:]) {
		t.Errorf("the key is in %s", where)
	}
}

// render is a value as JSON with its keys in order.
func render(t *testing.T, v any) string {
	t.Helper()
	raw, err := json.MarshalIndent(v, "", " ")
	if err != nil {
		t.Fatal(err)
	}
	return string(raw)
}
