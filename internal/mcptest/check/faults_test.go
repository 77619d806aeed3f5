package check

import (
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"
)

// with gives the echo tool with one part replaced.
func with(old, replacement string) string {
	out := strings.Replace(echo, old, replacement, 1)
	if out == echo {
		panic("nothing was replaced: " + old)
	}
	return "[" + out + "]"
}

// structured gives the echo tool with an output schema.
var structured = with(`"annotations"`, `"outputSchema":{"type":"object","properties":{"n":{"type":"integer"}},"required":["n"]},"annotations"`)

// faulty are servers with one fault each; the name is the rule that must be among the
// first three findings.
var faulty = map[string]fake{
	"clean":                    {tools: "[" + echo + "]"},
	"stdout-noise":             {tools: "[" + echo + "]", start: func() { fmt.Println("Server listening on stdio...") }},
	"command-ended":            {start: func() { fmt.Fprintln(os.Stderr, "no API key"); os.Exit(7) }},
	"exits-in-call":            {tools: "[" + echo + "]", onCall: func() { fmt.Fprintln(os.Stderr, "panic: nil map"); os.Exit(2) }},
	"bad-tool":                 {tools: three, message: panics},
	"bad-completion":           endsInCompletion,
	"probe-killed":             {tools: "[" + echo + "]", message: killedBy("legwork/no_such_method")},
	"list-shape":               {tools: "null"},
	"list-endless":             {more: map[string]string{"tools/list": `{"tools":[` + echo + `],"nextCursor":"again"}`}},
	"list-failed":              {message: failing("tools/list")},
	"item-malformed":           {tools: `[null,` + echo + `]`},
	"tool-name-duplicate":      {tools: "[" + echo + "," + echo + "]"},
	"tool-name-invalid":        {tools: with(`"echo"`, `"echo it!"`)},
	"tool-description-missing": {tools: with(`"description":"Gives a text back.",`, ``)},
	"tool-schema-missing":      {tools: `[{"name":"a","description":"Does a."}]`},
	"tool-schema-misplaced":    {tools: `[{"name":"a","description":"Does a.","annotations":{"inputSchema":{"type":"object"}}}]`},
	"schema-root-type":         {tools: with(`"type":"object",`, ``)},
	"schema-ref-external":      {tools: with(`{"type":"string","description":"What to give back."}`, `{"$ref":"https://example.com/text.json"}`)},
	"schema-ref-broken":        {tools: with(`{"type":"string","description":"What to give back."}`, `{"$ref":"#/$defs/text"}`)},
	"schema-invalid":           {tools: with(`"type":"string"`, `"type":"text"`)},
	"schema-required-unknown":  {tools: with(`"required":["text"]`, `"required":["txt"]`)},
	"schema-root-combinator":   {tools: with(`"type":"object",`, `"type":"object","oneOf":[{"required":["text"]}],`)},
	"schema-enum":              {tools: with(`"type":"string",`, `"enum":["a",1],`)},
	"annotation-type":          {tools: with(`"readOnlyHint":true`, `"readOnlyHint":"yes"`)},
	"tool-hints-contradict":    {tools: with(`"readOnlyHint":true`, `"readOnlyHint":true,"destructiveHint":true`)},
	"tools-ambiguous":          {tools: "[" + echo + "," + strings.Replace(echo, `"echo"`, `"repeat"`, 1) + "]"},
	"content-invalid":          {tools: "[" + echo + "]", result: `{"content":[{"type":"text","text":7}]}`},
	"is-error-type":            {tools: "[" + echo + "]", result: `{"content":[],"isError":"yes"}`},
	"output-missing":           {tools: structured, result: said},
	"output-mismatch":          {tools: structured, result: `{"content":[{"type":"text","text":"{\"n\":\"1\"}"}],"structuredContent":{"n":"1"}}`},
	"output-text":              {tools: structured, result: `{"content":[{"type":"text","text":"{\"n\":2}"}],"structuredContent":{"n":1}}`},
	"capability-missing":       {tools: "[" + echo + "]", caps: `{"prompts":{}}`, more: map[string]string{"prompts/list": `{"prompts":[]}`}},
	"unknown-tool":             {tools: "[" + echo + "]", message: sayingTo(absent, said)},
	"unknown-method":           {tools: "[" + echo + "]", message: sayingTo("legwork/no_such_method", `{}`)},
	"resource-content":         {tools: "[" + echo + "]", caps: `{"tools":{},"resources":{}}`, more: map[string]string{"resources/list": `{"resources":[{"name":"a","uri":"x:a"}]}`, "resources/templates/list": `{"resourceTemplates":[]}`, "resources/read": `{"contents":[{"uri":"x:a","blob":"%"}]}`}},
	"resource-type":            {tools: "[" + echo + "]", caps: `{"tools":{},"resources":{}}`, more: map[string]string{"resources/list": `{"resources":[{"name":"a","uri":"x:a"}]}`, "resources/templates/list": `{"resourceTemplates":[]}`, "resources/read": `{"contents":[{"uri":"x:a","mimeType":"application/json; charset=utf-8","text":"{a: 1}"}]}`}},
	"slow-when-null":           {tools: with(`},"required"`, `,"later":{"type":"string","description":"When."}},"required"`), message: silentTo(`"later":null`)},
	"resource-uri":             {tools: "[" + echo + "]", caps: `{"tools":{},"resources":{}}`, more: map[string]string{"resources/list": `{"resources":[{"name":"a","uri":"no uri"}]}`, "resources/read": `{"contents":[]}`}},
	"template-invalid":         {tools: "[" + echo + "]", caps: `{"tools":{},"resources":{}}`, more: map[string]string{"resources/list": `{"resources":[]}`, "resources/templates/list": `{"resourceTemplates":[{"name":"a","uriTemplate":"x:{a"}]}`}},
	"prompt-content":           {tools: "[" + echo + "]", caps: `{"tools":{},"prompts":{}}`, more: map[string]string{"prompts/list": `{"prompts":[{"name":"a","description":"A."}]}`, "prompts/get": `{"messages":[{"role":"system","content":{"type":"text","text":"x"}}]}`}},
	"prompt-invalid":           {tools: "[" + echo + "]", caps: `{"tools":{},"prompts":{}}`, more: map[string]string{"prompts/list": `{"prompts":[{"name":"a","arguments":{"b":1}}]}`, "prompts/get": `{"messages":[]}`}},
	"leak-files":               {tools: "[" + echo + "]", message: leaking},
	"orphans":                  {tools: "[" + echo + "]", start: orphan},
	"opening-field":            {tools: "[]", more: map[string]string{"initialize": `{"protocolVersion":"2025-11-25","capabilities":{"tools":{}}}`}},
}

// killedBy ends the process at a method.
func killedBy(what string) func(string, []byte) (string, bool) {
	return func(method string, _ []byte) (string, bool) {
		if method == what {
			fmt.Fprintln(os.Stderr, "panic: unknown method")
			os.Exit(2)
		}
		return "", false
	}
}

// leaking opens a file with each ping.
func leaking(method string, _ []byte) (string, bool) {
	if method == "ping" {
		f, err := os.Open(os.DevNull)
		if err != nil {
			panic(err)
		}
		leaked = append(leaked, f)
	}
	return "", false
}

var leaked []*os.File

// orphan starts a process and forgets it.
func orphan() {
	child := exec.Command("sleep", "600")
	if err := child.Start(); err != nil {
		panic(err)
	}
}

func failing(what string) func(string, []byte) (string, bool) {
	return func(method string, _ []byte) (string, bool) {
		return `{"jsonrpc":"2.0","id":ID,"error":{"code":-32603,"message":"broken"}}`, method == what
	}
}

// sayingTo answers each message that has a text with a result.
func sayingTo(what, result string) func(string, []byte) (string, bool) {
	return func(_ string, raw []byte) (string, bool) {
		return `{"jsonrpc":"2.0","id":ID,"result":` + result + `}`, strings.Contains(string(raw), what)
	}
}

// silentTo leaves messages that have a text without an answer.
func silentTo(what string) func(string, []byte) (string, bool) {
	return func(_ string, raw []byte) (string, bool) { return "", strings.Contains(string(raw), what) }
}

// TestFaultsOverHTTP checks servers with one fault each.
func TestFaultsOverHTTP(t *testing.T) {
	processOnly := map[string]bool{"clean": true, "stdout-noise": true, "command-ended": true, "exits-in-call": true, "bad-tool": true, "bad-completion": true, "slow-when-null": true, "probe-killed": true, "leak-files": true, "orphans": true}
	for rule, f := range faulty {
		if processOnly[rule] {
			continue
		}
		t.Run(rule, func(t *testing.T) {
			r := checked(t, serveHTTP(t, f), Options{})
			if !ruleAmong(r, rule, 3) {
				t.Errorf("%s is not among the first three findings:\n%s", rule, asText(r))
			}
		})
	}
}

// TestFaultsOverStdio checks what only a process can do.
func TestFaultsOverStdio(t *testing.T) {
	for mode, rule := range map[string]string{"stdout-noise": "stdout-noise", "command-ended": "command-ended", "exits-in-call": "call-failed", "probe-killed": "probe-killed", "leak-files": "leak-files", "orphans": "orphans"} {
		t.Run(mode, func(t *testing.T) {
			r := checked(t, command(mode), Options{})
			if !ruleAmong(r, rule, 3) {
				t.Errorf("%s is not among the first three findings:\n%s", rule, asText(r))
			}
		})
	}
}

// TestCleanServers checks servers without a fault: each finding of a server without
// one is a false alarm.
func TestCleanServers(t *testing.T) {
	for name, r := range map[string]*Report{
		"http":  checked(t, serveHTTP(t, faulty["clean"]), Options{}),
		"stdio": checked(t, command("clean"), Options{}),
	} {
		if n := r.Count(Error) + r.Count(Warning); n != 0 {
			t.Errorf("%s: %d false alarms:\n%s", name, n, asText(r))
		}
		if len(r.Called) != 1 || r.Latency == nil || !r.Connected {
			t.Errorf("%s: the check was not complete: %+v", name, r)
		}
	}
}

// TestFaultsOfTheTransport checks what is wrong with HTTP.
func TestFaultsOfTheTransport(t *testing.T) {
	unset := func(name string) func(http.ResponseWriter, *http.Request, http.Handler) {
		return func(w http.ResponseWriter, r *http.Request, next http.Handler) {
			r.Header.Del(name)
			next.ServeHTTP(w, r)
		}
	}
	// a server that takes any session id for the first
	forgiving := func(w http.ResponseWriter, r *http.Request, next http.Handler) {
		if r.Header.Get("Mcp-Session-Id") != "" {
			r.Header.Set("Mcp-Session-Id", "session-1")
		}
		next.ServeHTTP(w, r)
	}
	// one that says that it ends a session, and does not
	undying := func(w http.ResponseWriter, r *http.Request, next http.Handler) {
		if r.Method != http.MethodDelete {
			next.ServeHTTP(w, r)
		}
	}
	// one that answers 400 for a session that it does not know
	blunt := func(w http.ResponseWriter, r *http.Request, next http.Handler) {
		rec := httptest.NewRecorder()
		next.ServeHTTP(rec, r)
		if rec.Code == http.StatusNotFound {
			rec.Code = http.StatusBadRequest
		}
		maps.Copy(w.Header(), rec.Header())
		w.WriteHeader(rec.Code)
		_, _ = w.Write(rec.Body.Bytes()) // the client may have gone
	}
	closed := func(w http.ResponseWriter, r *http.Request, _ http.Handler) { w.WriteHeader(http.StatusUnauthorized) }
	for rule, web := range map[string]func(http.ResponseWriter, *http.Request, http.Handler){
		"origin-taken": unset("Origin"), "version-header": unset("Mcp-Protocol-Version"), "session-unknown": forgiving,
		"session-deleted": undying, "session-dead-status": blunt,
		"auth-required": closed, "auth-no-challenge": closed, "prm-missing": closed,
	} {
		t.Run(rule, func(t *testing.T) {
			r := checked(t, serveHTTP(t, fake{tools: "[" + echo + "]", web: web}), Options{})
			if !ruleAmong(r, rule, 3) {
				t.Errorf("%s is not among the first three findings:\n%s", rule, asText(r))
			}
		})
	}
}

// TestNothingIsCalledUnasked calls no tool that may change something.
func TestNothingIsCalledUnasked(t *testing.T) {
	tools := `[` + strings.Replace(strings.Replace(echo, `"echo"`, `"wipe"`, 1), `"readOnlyHint":true`, `"destructiveHint":true`, 1) + `]`
	calls := 0
	f := fake{tools: tools, message: func(_ string, raw []byte) (string, bool) {
		if strings.Contains(string(raw), `"wipe"`) {
			calls++
		}
		return "", false
	}}
	if r := checked(t, serveHTTP(t, f), Options{}); calls != 0 || len(r.NotCalled) != 1 {
		t.Errorf("%d calls of a destructive tool, not called: %v", calls, r.NotCalled)
	}
	r := checked(t, serveHTTP(t, f), Options{AllowTools: []string{"wipe", "wpie"}})
	if calls == 0 || len(r.Called) != 1 {
		t.Errorf("%d calls of a tool that was allowed: %v", calls, r.Called)
	}
	if next := stepOf(r, "tools").Next; !strings.Contains(next, "wpie") {
		t.Errorf("nobody says that there is no such tool: %s", next)
	}
}

// TestSilence ends in time with a server that does not answer a call.
func TestSilence(t *testing.T) {
	f := fake{tools: "[" + echo + "]", message: func(method string, _ []byte) (string, bool) { return "", method == "tools/call" }}
	r := checked(t, serveHTTP(t, f), Options{CallTimeout: 2 * time.Second, NoProbes: true})
	if !ruleAmong(r, "call-timeout", 3) && !ruleAmong(r, "http-bad-status", 3) {
		t.Errorf("the silence is not among the first findings:\n%s", asText(r))
	}
}
