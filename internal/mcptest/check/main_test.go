package check

import (
	"bufio"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/legwork-mcp/legwork/internal/mcptest/fixture"
	"github.com/legwork-mcp/legwork/internal/mcptest/wire"
)

// serverMode makes the test binary a server of the tests over stdio.
const serverMode = "CHECK_TEST_SERVER"

func TestMain(m *testing.M) {
	if fixture.Play(os.Args, os.Environ()) {
		return
	}
	if mode := os.Getenv(serverMode); mode != "" {
		if mode == "sdk" || mode == "sdk-slow" {
			if err := serveSDK(mode == "sdk-slow"); err != nil {
				fmt.Fprintln(os.Stderr, err)
				os.Exit(1)
			}
			os.Exit(0)
		}
		serveStdio(faulty[mode])
		os.Exit(0)
	}
	flag.Parse()
	if err := flag.Set("test.parallel", "8"); err != nil { // they wait more than they work
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	goleak.VerifyTestMain(m)
}

// fake is a legacy server written by hand, so that it can do what a server must not.
type fake struct {
	tools  string // the list, as JSON
	result string // of each tool
	more   map[string]string
	// message replaces the answer to a message; false leaves it.
	message func(method string, raw []byte) (string, bool)
	// start runs before anything is answered, onCall before each call of a tool.
	start  func()
	onCall func()
	web    func(w http.ResponseWriter, r *http.Request, next http.Handler)
	caps   string
}

// echo is a tool without a fault.
const echo = `{"name":"echo","description":"Gives a text back.","inputSchema":{"type":"object","properties":{"text":{"type":"string","description":"What to give back."}},"required":["text"],"additionalProperties":false},"annotations":{"readOnlyHint":true}}`

// said is an answer without a fault.
const said = `{"content":[{"type":"text","text":"hello"}]}`

// answer is what the server says to a message; empty is nothing.
func (f fake) answer(raw []byte) string {
	var m struct {
		ID     json.RawMessage `json:"id"`
		Method string          `json:"method"`
		Params struct {
			Name      string          `json:"name"`
			Arguments json.RawMessage `json:"arguments"`
			Cursor    string          `json:"cursor"`
		} `json:"params"`
	}
	fail := func(code int, text string) string {
		if m.ID == nil {
			m.ID = json.RawMessage("null")
		}
		return fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"error":{"code":%d,"message":%q}}`, m.ID, code, text)
	}
	if !json.Valid(raw) {
		return fail(wire.CodeParse, "parse error")
	}
	if err := json.Unmarshal(raw, &m); err != nil {
		return fail(wire.CodeInvalidRequest, "invalid request")
	}
	if f.message != nil {
		if out, ok := f.message(m.Method, raw); ok {
			return strings.ReplaceAll(out, "ID", string(m.ID))
		}
	}
	if m.ID == nil {
		return ""
	}
	ok := func(result string) string { return fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"result":%s}`, m.ID, result) }
	if r, there := f.more[m.Method]; there {
		return ok(r)
	}
	switch m.Method {
	case "initialize":
		caps := f.caps
		if caps == "" {
			caps = `{"tools":{}}`
		}
		return ok(`{"protocolVersion":"2025-11-25","capabilities":` + caps + `,"serverInfo":{"name":"fake","version":"1"}}`)
	case "ping":
		return ok(`{}`)
	case "tools/list":
		if m.Params.Cursor != "" {
			return fail(wire.CodeInvalidParams, "no such cursor")
		}
		return ok(`{"tools":` + f.tools + `}`)
	case "tools/call":
		if f.onCall != nil {
			f.onCall()
		}
		return f.called(m.Params.Name, m.Params.Arguments, ok, fail)
	}
	return fail(wire.CodeMethodNotFound, "method not found")
}

// called calls a tool, with its arguments checked.
func (f fake) called(name string, args json.RawMessage, ok func(string) string, fail func(int, string) string) string {
	var tools []struct {
		Name        string
		InputSchema any `json:"inputSchema"`
	}
	if err := json.Unmarshal([]byte(f.tools), &tools); err != nil {
		return fail(wire.CodeInternal, err.Error())
	}
	for _, t := range tools {
		if t.Name != name {
			continue
		}
		if len(args) == 0 || string(args) == "null" {
			args = json.RawMessage(`{}`)
		}
		v, err := decode(args)
		s, _, broken := Compile(t.InputSchema)
		if err != nil || broken == nil && s.Validate(v) != nil {
			return ok(`{"content":[{"type":"text","text":"these arguments do not fit"}],"isError":true}`)
		}
		if f.result != "" {
			return ok(f.result)
		}
		return ok(said)
	}
	return fail(wire.CodeInvalidParams, "no such tool: "+name)
}

// serveStdio serves a fake over the streams of this process.
func serveStdio(f fake) {
	if f.start != nil {
		f.start()
	}
	in := bufio.NewScanner(os.Stdin)
	in.Buffer(make([]byte, 64<<10), 64<<20)
	for in.Scan() {
		if out := f.answer(in.Bytes()); out != "" {
			fmt.Println(out)
		}
	}
}

// serveHTTP serves a fake over Streamable HTTP, with sessions.
func serveHTTP(t *testing.T, f fake) wire.Target {
	t.Helper()
	var mu sync.Mutex
	sessions, count := map[string]bool{}, 0
	core := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		defer mu.Unlock()
		id := r.Header.Get("Mcp-Session-Id")
		if o := r.Header.Get("Origin"); o != "" {
			w.WriteHeader(http.StatusForbidden)
			return
		}
		if v := r.Header.Get("Mcp-Protocol-Version"); v != "" && v != "2025-11-25" {
			w.WriteHeader(http.StatusBadRequest)
			return
		}
		switch {
		case r.Method == http.MethodGet:
			w.WriteHeader(http.StatusMethodNotAllowed)
			return
		case r.Method == http.MethodDelete:
			delete(sessions, id)
			return
		case r.Header.Get("Content-Type") != "application/json":
			w.WriteHeader(http.StatusUnsupportedMediaType)
			return
		}
		body, err := io.ReadAll(r.Body)
		if err != nil {
			w.WriteHeader(http.StatusBadRequest)
			return
		}
		switch {
		case strings.Contains(string(body), `"initialize"`):
			count++
			id = fmt.Sprintf("session-%d", count)
			sessions[id] = true
			w.Header().Set("Mcp-Session-Id", id)
		case id == "":
			w.WriteHeader(http.StatusBadRequest)
			return
		case !sessions[id]:
			w.WriteHeader(http.StatusNotFound)
			return
		}
		out := f.answer(body)
		if out == "" {
			w.WriteHeader(http.StatusAccepted)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		_, _ = io.WriteString(w, out) // the client may have gone
	})
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if f.web != nil {
			f.web(w, r, core)
			return
		}
		core.ServeHTTP(w, r)
	}))
	t.Cleanup(s.Close)
	return wire.Target{URL: s.URL + "/mcp"}
}

// command is a target that runs a faulty server in a process of its own.
func command(mode string) wire.Target {
	return wire.Target{Command: []string{os.Args[0], "-test.run=^$"}, Env: map[string]string{serverMode: mode}}
}

// checked checks a target, and fails when that does not end.
func checked(t *testing.T, target wire.Target, o Options) *Report {
	t.Helper()
	o.Wire.Environ = os.Environ()
	if o.Wire.CloseTimeout == 0 {
		o.Wire.CloseTimeout = 10 * time.Second
	}
	transport := &http.Transport{DisableKeepAlives: true}
	o.Wire.HTTPClient = &http.Client{Transport: transport}
	if o.Calls == 0 {
		o.Calls = 10
	}
	r, err := Check(t.Context(), target, o)
	if err != nil {
		t.Fatalf("%v\n%s", err, asText(r))
	}
	return r
}

// asText is a report as text.
func asText(r *Report) string {
	var b strings.Builder
	if err := r.WriteText(&b); err != nil {
		return err.Error()
	}
	return b.String()
}

// ruleAmong reports whether a rule is among the first findings.
func ruleAmong(r *Report, rule string, first int) bool {
	for _, f := range r.Findings[:min(first, len(r.Findings))] {
		if f.Rule == rule {
			return true
		}
	}
	return false
}
