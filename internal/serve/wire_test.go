package serve_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const meta = `"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":{"name":"c","version":"1"},"io.modelcontextprotocol/clientCapabilities":{}}`

// exchange is one raw request and what must come back.
type exchange struct {
	method string // POST unless set
	path   string
	header map[string]string
	body   string
	status int
	code   int               // of the JSON-RPC error; 0 means none
	want   map[string]string // response headers
	says   string            // part of the body
	modern bool
}

type answer struct {
	status int
	header http.Header
	body   []byte
}

func send(t *testing.T, url string, x exchange) answer {
	t.Helper()
	method := x.method
	if method == "" {
		method = http.MethodPost
	}
	req, err := http.NewRequestWithContext(t.Context(), method, url+x.path, strings.NewReader(x.body))
	if err != nil {
		t.Fatal(err)
	}
	if method == http.MethodPost {
		req.Header.Set("Content-Type", "application/json")
		req.Header.Set("Accept", "application/json")
	}
	if x.modern {
		req.Header.Set("MCP-Protocol-Version", "2026-07-28")
		var m struct {
			Method string
			Params struct{ Name string }
		}
		_ = json.Unmarshal([]byte(x.body), &m)
		req.Header.Set("Mcp-Method", m.Method)
		if m.Params.Name != "" {
			req.Header.Set("Mcp-Name", m.Params.Name)
		}
	}
	for k, v := range x.header {
		if k == "Host" {
			req.Host = v
			continue
		}
		if req.Header.Del(k); v != "" {
			req.Header.Set(k, v)
		}
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	body, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	return answer{res.StatusCode, res.Header, body}
}

// open starts a session and returns its headers.
func open(t *testing.T, url string) map[string]string {
	t.Helper()
	a := send(t, url, exchange{body: initialize})
	id := a.header.Get("Mcp-Session-Id")
	if a.status != 200 || id == "" {
		t.Fatalf("initialize: %d %s", a.status, a.body)
	}
	return map[string]string{"Mcp-Session-Id": id, "MCP-Protocol-Version": "2025-06-18"}
}

const initialize = `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"c","version":"1"}}}`

func check(t *testing.T, x exchange, a answer) {
	t.Helper()
	if a.status != x.status {
		t.Errorf("status %d, want %d: %s", a.status, x.status, a.body)
	}
	for k, v := range x.want {
		if got := a.header.Get(k); got != v {
			t.Errorf("header %s is %q, want %q", k, got, v)
		}
	}
	if x.says != "" && !strings.Contains(string(a.body), x.says) {
		t.Errorf("body lacks %q: %s", x.says, a.body)
	}
	if len(a.body) > 0 && a.header.Get("Content-Type") != "application/json" {
		t.Errorf("content type %q: %s", a.header.Get("Content-Type"), a.body)
	}
	if x.code == 0 {
		return
	}
	var m struct {
		JSONRPC string           `json:"jsonrpc"`
		ID      *json.RawMessage `json:"id"`
		Error   struct {
			Code    int
			Message string
		}
	}
	if err := json.Unmarshal(a.body, &m); err != nil {
		t.Fatalf("%v: %s", err, a.body)
	}
	if m.JSONRPC != "2.0" || m.Error.Code != x.code || m.Error.Message == "" {
		t.Errorf("error %+v, want code %d: %s", m.Error, x.code, a.body)
	}
}

// Traps: error bodies of text/plain; errors with a code of 0; a peek at the
// method that case folding or a second key can lead astray; ids that the SDK
// rounds. What each says tells its refusal from that of a missing session.
func TestBadRequests(t *testing.T) {
	tests := map[string]exchange{
		"millions of values": {
			body:   `{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"echo","arguments":{"raw":[` + strings.Repeat("0,", 2_000_000) + `0]}}}`,
			status: 400, code: -32600, says: `"id":7,"error":{"code":-32600,"message":"Invalid request: too large: more than 250000 values."`,
		},
		"malformed":                 {body: `{"jsonrpc":"2.0","id":1,`, status: 400, code: -32700},
		"empty":                     {body: ``, status: 400, code: -32700},
		"two values":                {body: `{"jsonrpc":"2.0","id":1,"method":"ping"} {}`, status: 400, code: -32700},
		"batch":                     {body: `[{"jsonrpc":"2.0","id":1,"method":"ping"}]`, status: 400, code: -32600, says: "batches"},
		"no object":                 {body: `"ping"`, status: 400, code: -32600},
		"no version":                {body: `{"id":1,"method":"ping"}`, status: 400, code: -32600, says: `must be \"2.0\"`},
		"id null":                   {body: `{"jsonrpc":"2.0","id":null,"method":"ping"}`, status: 400, code: -32600, says: "the id must be"},
		"id fraction":               {body: `{"jsonrpc":"2.0","id":1.5,"method":"ping"}`, status: 400, code: -32600, says: "the id must be"},
		"id too large":              {body: `{"jsonrpc":"2.0","id":9007199254740993,"method":"ping"}`, status: 400, code: -32600, says: "the id must be"},
		"method of another type":    {body: `{"jsonrpc":"2.0","id":1,"method":5}`, status: 400, code: -32600, says: "must be a string"},
		"no method":                 {body: `{"jsonrpc":"2.0","id":1}`, status: 400, code: -32600, says: "is missing"},
		"params list":               {body: `{"jsonrpc":"2.0","id":1,"method":"ping","params":[1]}`, status: 400, code: -32602},
		"params null":               {body: `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":null}`, status: 400, code: -32602},
		"tool name of another type": {body: `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":5}}`, status: 400, code: -32602},
		"no tool name":              {body: `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{}}`, status: 400, code: -32602},
		"method twice":              {body: `{"jsonrpc":"2.0","id":1,"method":"initialize","method":"tools/call","params":{}}`, status: 400, code: -32600, says: "twice"},
		"method in another case":    {body: `{"jsonrpc":"2.0","id":1,"method":"tools/call","Method":"initialize","params":{}}`, status: 400, code: -32600, says: `"id":1,"error":{"code":-32600,"message":"Invalid request: the key `},
		"name twice":                {body: `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"echo","name":"slow"}}`, status: 400, code: -32600, says: "twice"},
		"argument twice":            {body: `{"jsonrpc":"2.0","id":24,"method":"tools/call","params":{"name":"echo","arguments":{"a":1,"a":2}}}`, status: 400, code: -32600, says: `"id":24,"error":{"code":-32600,"message":"Invalid request: the key `},
		"id twice":                  {body: `{"jsonrpc":"2.0","id":1,"id":2,"method":"ping"}`, status: 400, code: -32600, says: `"id":null`},
		"name in another case":      {body: `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"echo","Name":"slow"}}`, status: 400, code: -32600, says: "must be written"},
		"no session":                {body: `{"jsonrpc":"2.0","id":1,"method":"tools/list"}`, status: 400, code: -32600, says: "initialize"},
		"unknown session":           {body: `{"jsonrpc":"2.0","id":1,"method":"tools/list"}`, header: map[string]string{"Mcp-Session-Id": "nope"}, status: 404, code: -32600},
		"unknown version":           {body: initialize, header: map[string]string{"MCP-Protocol-Version": "1999-01-01"}, status: 400, code: -32600, says: "2025-06-18"},
		"text":                      {body: `x`, header: map[string]string{"Content-Type": "text/plain"}, status: 415, code: -32600},
		"no content type":           {body: initialize, header: map[string]string{"Content-Type": ""}, status: 415, code: -32600},
		"too large":                 {body: `{"jsonrpc":"2.0","id":1,"method":"` + strings.Repeat("x", 6<<20) + `"}`, status: 413, code: -32600},
		"too deep":                  {body: `{"jsonrpc":"2.0","id":1,"method":"ping","params":{"x":` + strings.Repeat("[", 500) + strings.Repeat("]", 500) + `}}`, status: 400, code: -32600, says: "deep"},
		"another host":              {body: initialize, header: map[string]string{"Host": "evil.test"}, status: 403, code: -32600},
		"another site":              {body: initialize, header: map[string]string{"Origin": "http://evil.test"}, status: 403, code: -32600},
		"an opaque origin":          {body: initialize, header: map[string]string{"Origin": "null"}, status: 403, code: -32600},
		"a host that looks local":   {body: initialize, header: map[string]string{"Origin": "http://localhost.evil.test"}, status: 403, code: -32600},
		"GET":                       {method: "GET", status: 405, code: -32600, want: map[string]string{"Allow": "POST, HEAD, DELETE"}},
		"PUT":                       {method: "PUT", status: 405, code: -32600, want: map[string]string{"Allow": "POST, HEAD, DELETE"}},
		"DELETE without a session":  {method: "DELETE", status: 400, code: -32600},
		"DELETE of no session":      {method: "DELETE", header: map[string]string{"Mcp-Session-Id": "nope"}, status: 404, code: -32600},
		"modern without meta":       {modern: true, body: `{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{}}`, status: 400, code: -32602},
		"modern unknown method":     {modern: true, body: `{"jsonrpc":"2.0","id":1,"method":"foo/bar","params":{` + meta + `}}`, status: 404, code: -32601},
		"modern removed method":     {modern: true, body: `{"jsonrpc":"2.0","id":1,"method":"ping","params":{` + meta + `}}`, status: 404, code: -32601},
		"modern unknown tool":       {modern: true, body: `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"zz",` + meta + `}}`, status: 400, code: -32602},
		"modern without header":     {body: `{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{` + meta + `}}`, status: 400, code: -32020},
		"a version to come":         {modern: true, header: map[string]string{"MCP-Protocol-Version": "2099-01-01"}, body: strings.ReplaceAll(`{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{`+meta+`}}`, "2026-07-28", "2099-01-01"), status: 400, code: -32022},
	}
	r := start(t, nil)
	for name, x := range tests {
		t.Run(name, func(t *testing.T) { check(t, x, send(t, r.url, x)) })
	}
}

func TestBadRequestsInASession(t *testing.T) {
	r := start(t, nil)
	session := open(t, r.url)
	tests := map[string]exchange{
		"unknown method":         {body: `{"jsonrpc":"2.0","id":"a\u003cb","method":"foo/bar"}`, status: 200, code: -32601, says: `"id":"a\u003cb"`},
		"unknown notification":   {body: `{"jsonrpc":"2.0","method":"notifications/foo"}`, status: 202},
		"initialize again":       {body: initialize, status: 200, code: -32600, says: "already sent"},
		"unknown tool":           {body: `{"jsonrpc":"2.0","id":4,"method":"tools/call","params":{"name":"zzz"}}`, status: 200, code: -32602},
		"a call without id":      {body: `{"jsonrpc":"2.0","method":"tools/list"}`, status: 400, code: -32600},
		"a notification with id": {body: `{"jsonrpc":"2.0","id":9,"method":"notifications/initialized"}`, status: 400, code: -32600},
		"a bad cursor":           {body: `{"jsonrpc":"2.0","id":5,"method":"tools/list","params":{"cursor":"@@"}}`, status: 200, code: -32602},
		"a bad level":            {body: `{"jsonrpc":"2.0","id":5,"method":"logging/setLevel","params":{"level":7}}`, status: 200, code: -32602},
		"another endpoint":       {path: "/mcp", body: `{"jsonrpc":"2.0","id":5,"method":"tools/list"}`, status: 404, code: -32600},
	}
	for name, x := range tests {
		t.Run(name, func(t *testing.T) {
			x.header = session
			check(t, x, send(t, r.url, x))
		})
	}
}

func TestSessionLifecycle(t *testing.T) {
	r := start(t, nil)
	session := open(t, r.url)
	list := exchange{header: session, body: `{"jsonrpc":"2.0","id":2,"method":"tools/list"}`, status: 200, says: `"name":"echo"`}
	check(t, exchange{status: 202}, send(t, r.url, exchange{header: session, body: `{"jsonrpc":"2.0","method":"notifications/initialized"}`}))
	check(t, list, send(t, r.url, list))
	check(t, exchange{status: 204}, send(t, r.url, exchange{method: "DELETE", header: session}))
	list.status, list.code, list.says = 404, -32600, "send initialize again"
	check(t, list, send(t, r.url, list))
}

// Traps: integers above 2^53 are rounded; null arguments meet a default and
// panic; a nil map fails the output check; markup in text is escaped twice.
func TestCallsOnTheWire(t *testing.T) {
	r := start(t, nil)
	session := open(t, r.url)
	tests := map[string]struct{ args, want string }{
		"large integers": {`{"number":9007199254740993,"raw":{"deep":[-9007199254740995,1.0,1e2]}}`,
			`{"text":"","number":9007199254740993,"raw":{"deep":[-9007199254740995,1.0,1e2]},"quality":80,"caller":"local","labels":{}}`},
		"null arguments":  {`null`, `{"text":"","number":0,"quality":80,"caller":"local","labels":{}}`},
		"an empty object": {`{}`, `{"text":"","number":0,"quality":80,"caller":"local","labels":{}}`},
	}
	for name, tt := range tests {
		for _, modern := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s modern=%v", name, modern), func(t *testing.T) {
				x := exchange{modern: modern, body: `{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"echo","arguments":` + tt.args + `}}`}
				if modern {
					x.body = strings.TrimSuffix(x.body, "}}") + "," + meta + "}}"
				} else {
					x.header = session
				}
				var m struct {
					Result struct{ StructuredContent json.RawMessage }
				}
				a := send(t, r.url, x)
				if err := json.Unmarshal(a.body, &m); err != nil {
					t.Fatalf("%v: %s", err, a.body)
				}
				if diff := cmp.Diff(tt.want, string(m.Result.StructuredContent)); diff != "" {
					t.Errorf("structured content (-want +got):\n%s\n%s", diff, a.body)
				}
			})
		}
	}
}

func TestOtherRequests(t *testing.T) {
	tests := map[string]exchange{
		"HEAD":   {method: "HEAD", status: 200, want: map[string]string{"Mcp-Protocol-Version": "2025-06-18"}},
		"health": {method: "GET", path: "/health", status: 200, says: `"service":"legwork"`},
		"ready":  {method: "GET", path: "/ready", status: 200, says: `"ready"`},
		"lost":   {method: "GET", path: "/nowhere", status: 404, says: `/mcp`},
		"preflight": {method: "OPTIONS", header: map[string]string{"Origin": "http://localhost:6274", "Access-Control-Request-Method": "POST"},
			status: 204, want: map[string]string{"Access-Control-Allow-Origin": "http://localhost:6274", "Access-Control-Allow-Credentials": ""}},
		"a page of this machine": {body: initialize, header: map[string]string{"Origin": "http://127.0.0.1:3000"}, status: 200,
			want: map[string]string{"Access-Control-Allow-Origin": "http://127.0.0.1:3000"}},
		"by name":            {body: initialize, header: map[string]string{"Host": "localhost:99"}, status: 200},
		"over IPv6":          {body: initialize, header: map[string]string{"Host": "[::1]:99"}, status: 200},
		"accepts anything":   {body: initialize, header: map[string]string{"Accept": "*/*"}, status: 200, says: `"protocolVersion":"2025-06-18"`},
		"accepts by default": {body: initialize, header: map[string]string{"Accept": ""}, status: 200},
		"with a charset":     {body: initialize, header: map[string]string{"Content-Type": "application/json; charset=utf-8"}, status: 200},
	}
	r := start(t, nil)
	for name, x := range tests {
		t.Run(name, func(t *testing.T) { check(t, x, send(t, r.url, x)) })
	}
	a := send(t, r.url, exchange{method: "OPTIONS", header: map[string]string{"Origin": "http://localhost:1"}})
	for _, h := range []string{"Authorization", "Content-Type", "MCP-Protocol-Version", "MCP-Session-ID", "Mcp-Method", "Mcp-Name"} {
		if !strings.Contains(a.header.Get("Access-Control-Allow-Headers"), h) {
			t.Errorf("a page may not send %s", h)
		}
	}
}

// events reads an event stream: the comments and the messages.
func events(t *testing.T, body io.Reader) (comments int, messages []string) {
	t.Helper()
	sc := bufio.NewScanner(body)
	for sc.Scan() {
		line := sc.Bytes()
		if bytes.HasPrefix(line, []byte(":")) {
			comments++
		}
		if data, ok := bytes.CutPrefix(line, []byte("data: ")); ok {
			messages = append(messages, string(data))
		}
	}
	return comments, messages
}
