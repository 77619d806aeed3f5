package serve_test

import (
	"cmp"
	"context"
	"encoding/json"
	"maps"
	"net/http"
	"strings"
	"testing"
	"time"

	gocmp "github.com/google/go-cmp/cmp"

	"github.com/legwork-mcp/legwork/internal/fault"
	"github.com/legwork-mcp/legwork/internal/serve"
	"github.com/legwork-mcp/legwork/internal/tool"
)

// album is an answer with everything that one can have.
type album struct {
	Title string   `json:"title"`
	Tags  []string `json:"tags"`
}

func (album) Text() string { return "two pictures <&>\nand a link" }

func (album) Images() []tool.Image {
	return []tool.Image{{Data: []byte{0, 255, 254, 7}, MIME: "image/png"}, {MIME: "image/jpeg"}}
}

func (album) Links() []tool.Link {
	return []tool.Link{{URI: "mem://a?b=1&c=2", Name: "a", Title: "A", Description: "all of it", MIME: "text/plain", Size: 12}}
}

var show = tool.New(spec("show"), func(*desk, context.Context, none) (album, error) { return album{Title: "été \u2028 <b>"}, nil })

var fail = tool.New(spec("fail"), func(*desk, context.Context, none) (done, error) {
	return done{}, fault.New(fault.Unavailable, "closed_today", "It is closed.", "Come tomorrow.").WithRetryAfter(time.Minute)
})

// What is answered without the SDK says what the SDK would: a member that only the
// SDK knows takes the same call through it.
func TestADirectAnswerIsThatOfTheSDK(t *testing.T) {
	at := time.Date(2026, 11, 28, 12, 0, 0, 0, time.UTC)
	r := start(t, func(o *serve.Options) {
		o.Policy.Clock = func() time.Time { return at }
		o.Endpoints[0].Tools = tool.BindAll(newDesk(), []tool.Tool[*desk]{echo, show, fail, broken, steps})
	})
	session := open(t, r.url)
	for name, args := range map[string]string{
		"echo": `{"text":"a\nb","number":9007199254740991,"raw":{"deep":[1,{"x":null}]}}`, "show": `{}`, "fail": `{}`, "steps": `{}`,
	} {
		for _, id := range []string{"7", `"seven"`, "-3"} {
			for _, accept := range []string{"application/json, text/event-stream", "application/json"} {
				for _, modern := range []bool{false, true} {
					direct := rawCall(t, r.url, session, callOf{name, args, id, accept, modern, false})
					sdk := rawCall(t, r.url, session, callOf{name, args, id, accept, modern, true})
					if diff := gocmp.Diff(sdk, direct); diff != "" {
						t.Errorf("%s, id %s, %s, modern %v (-sdk +direct):\n%s", name, id, accept, modern, diff)
					}
				}
			}
		}
	}
}

// odd is a call that a client should not make, or not make like that: members of its
// params beside the name, its id, and headers that are added or, when empty, left out.
type odd struct {
	id, params string
	header     http.Header
}

// TestAnOddCallIsAnsweredAsByTheSDK: whatever is wrong with a call or strange about it,
// the way without the SDK has each of its checks.
func TestAnOddCallIsAnsweredAsByTheSDK(t *testing.T) {
	at := time.Date(2026, 11, 28, 12, 0, 0, 0, time.UTC)
	r := start(t, func(o *serve.Options) { o.Policy.Clock = func() time.Time { return at } })
	session := open(t, r.url)
	other := open(t, r.url)["Mcp-Session-Id"]
	const plain = `"name":"echo","arguments":{}`
	both := map[string]odd{
		"no arguments": {params: `"name":"echo"`}, "null": {params: `"name":"echo","arguments":null`},
		"a list": {params: `"name":"echo","arguments":[]`}, "a text": {params: `"name":"echo","arguments":"{}"`},
		"an unknown argument": {params: `"name":"echo","arguments":{"a":1}`}, "another case": {params: `"name":"echo","arguments":{"Text":"x"}`},
		"an escaped name": {params: `"name":"\u0065cho"`}, "a name in another case": {params: `"name":"Echo"`},
		"an empty name": {params: `"name":""`}, "a name with NUL": {params: `"name":"echo\u0000"`},
		"an unknown member": {params: plain + `,"x":1`}, "a task": {params: plain + `,"task":{"ttl":1}`},
		"a state":     {params: plain + `,"requestState":"x","inputResponses":{}`},
		"an empty id": {id: `""`}, "zero": {id: "0"}, "minus zero": {id: "-0"}, "the largest": {id: "9007199254740992"},
		"an escaped id": {id: `"\u0061"`}, "an escaped quote": {id: `"\""`}, "an id beyond ASCII": {id: `"é\u2028<"`},
		"markup":     {id: `"<&>"`},
		"a fraction": {id: "1.5"}, "one and a zero": {id: "1.0"}, "an exponent": {id: "1e2"}, "too large": {id: "9007199254740993"},
		"null id": {id: "null"}, "true": {id: "true"}, "an object": {id: "{}"}, "a row": {id: "[1]"},
		"Last-Event-ID":      {header: http.Header{"Last-Event-Id": {"1"}}},
		"other media":        {header: http.Header{"Content-Type": {"text/plain"}}},
		"media with charset": {header: http.Header{"Content-Type": {"Application/JSON; charset=utf-8"}}},
		"two media":          {header: http.Header{"Content-Type": {"application/json", "text/plain"}}},
		"an old version":     {header: http.Header{"Mcp-Protocol-Version": {"1999-01-01"}}},
		"no known version":   {header: http.Header{"Mcp-Protocol-Version": {"2025-06-19"}}},
		"a later version":    {header: http.Header{"Mcp-Protocol-Version": {"2027-01-01"}}},
		"words":              {header: http.Header{"Mcp-Protocol-Version": {"latest"}}},
		"two versions":       {header: http.Header{"Mcp-Protocol-Version": {"1999-01-01", "2025-06-18"}}},
		"no version":         {header: http.Header{"Mcp-Protocol-Version": nil}},
		"other era":          {header: http.Header{"Mcp-Protocol-Version": {"2025-11-25"}}},
		"two sessions":       {header: http.Header{"Mcp-Session-Id": {"unknown", session["Mcp-Session-Id"]}}},
		"another session":    {header: http.Header{"Mcp-Session-Id": {other}}},
		"unknown session":    {header: http.Header{"Mcp-Session-Id": {"unknown"}}},
		"an envelope":        {header: http.Header{"Legwork-Envelope": {"a", "b"}}},
		"no method header":   {header: http.Header{"Mcp-Method": nil}},
		"another method":     {header: http.Header{"Mcp-Method": {"Tools/Call"}}},
		"no name header":     {header: http.Header{"Mcp-Name": nil}},
		"another name":       {header: http.Header{"Mcp-Name": {"slow"}}},
		"two names":          {header: http.Header{"Mcp-Name": {"slow", "echo"}}},
		"an encoded name":    {header: http.Header{"Mcp-Name": {"=?base64?ZWNobw==?="}}},
	}
	for _, token := range []string{"0", `""`, `"a"`, "1.5", "null", "true", "{}", "[1]", "1e400"} {
		both["progress token "+token] = odd{params: plain + `,"_meta":{"progressToken":` + token + `,` + inner + `}`}
	}
	for _, with := range []string{
		`"traceparent":7`, `"traceparent":"00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"`, `"ProgressToken":1`,
		`"io.modelcontextprotocol/logLevel":"loud"`, `"io.modelcontextprotocol/logLevel":7`, `"io.modelcontextprotocol/related-task":{"taskId":"x"}`,
	} {
		both["meta "+with] = odd{params: plain + `,"_meta":{` + with + `,` + inner + `}`}
	}
	for from, to := range map[string]string{
		`"2026-07-28"`: `"2025-06-18"`, `"io.modelcontextprotocol/protocolVersion"`: `"x"`, `:{"name":"c","version":"1"}`: `:null`,
		`{"name":"c","version":"1"}`: `{"name":7}`, `"io.modelcontextprotocol/clientInfo"`: `"x"`, `Capabilities":{}`: `Capabilities":null`,
		`Capabilities":{`: `Capabilities":{"roots":null,"elicitation":{"form":{}},"x":1`, `ies":{`: `ies":{"roots":7`, `"version":"1"`: `"version":"1","icons":[]`,
	} {
		both["for "+from+" "+to] = odd{params: plain + `,"_meta":{` + strings.Replace(inner, from, to, 1) + `}`}
	}
	both["no meta"], both["an empty meta"], both["a null meta"] = odd{params: plain}, odd{params: plain + `,"_meta":{}`}, odd{params: plain + `,"_meta":null`}
	for name, o := range both {
		for _, modern := range []bool{false, true} {
			header := http.Header{"Content-Type": {"application/json"}, "Accept": {"application/json"}}
			if modern {
				header["Mcp-Protocol-Version"], header["Mcp-Method"], header["Mcp-Name"] = []string{"2026-07-28"}, []string{"tools/call"}, []string{"echo"}
			} else {
				header["Mcp-Protocol-Version"], header["Mcp-Session-Id"] = []string{session["MCP-Protocol-Version"]}, []string{session["Mcp-Session-Id"]}
			}
			maps.Copy(header, o.header)
			params := cmp.Or(o.params, plain)
			if modern && o.params == "" {
				params += "," + meta
			}
			id := cmp.Or(o.id, "7")
			direct, sdk := oddCall(t, r.url, header, id, params), oddCall(t, r.url, header, id, params+`,"cursor":""`)
			if diff := gocmp.Diff(sdk, direct); diff != "" {
				t.Errorf("%s, modern %v (-sdk +direct):\n%s", name, modern, diff)
			}
		}
	}
}

// inner are the members of meta.
var inner = strings.TrimSuffix(strings.TrimPrefix(meta, `"_meta":{`), "}")

func oddCall(t *testing.T, url string, header http.Header, id, params string) answerOf {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, url,
		strings.NewReader(`{"jsonrpc":"2.0","id":`+id+`,"method":"tools/call","params":{`+params+`}}`))
	if err != nil {
		t.Fatal(err)
	}
	req.Header = header.Clone()
	return ask(t, req)
}

// callOf is a call in one of its forms.
type callOf struct {
	name, args, id, accept string
	modern, throughSDK     bool
}

// answerOf is what a client sees of an answer.
type answerOf struct {
	Status  int
	Header  http.Header
	Message any
}

func rawCall(t *testing.T, url string, session map[string]string, c callOf) answerOf {
	t.Helper()
	params := `"name":"` + c.name + `","arguments":` + c.args
	header := map[string]string{"Accept": c.accept, "Content-Type": "application/json"}
	if c.modern {
		params += "," + meta
		header["MCP-Protocol-Version"], header["Mcp-Method"], header["Mcp-Name"] = "2026-07-28", "tools/call", c.name
	} else {
		for k, v := range session {
			header[k] = v
		}
	}
	if c.throughSDK {
		params += `,"cursor":""`
	}
	body := `{"jsonrpc":"2.0","id":` + c.id + `,"method":"tools/call","params":{` + params + `}}`
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, url, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	for k, v := range header {
		req.Header.Set(k, v)
	}
	return ask(t, req)
}

func ask(t *testing.T, req *http.Request) answerOf {
	t.Helper()
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	out := answerOf{Status: res.StatusCode, Header: res.Header}
	// The SDK does not know how much it will write, and names what HTTP/1.1 does anyway.
	for _, h := range []string{"Date", "Content-Length", "Connection"} {
		delete(out.Header, h)
	}
	var raw []byte
	if strings.HasPrefix(res.Header.Get("Content-Type"), "text/event-stream") {
		_, messages := events(t, res.Body)
		if len(messages) != 1 {
			t.Fatalf("%d messages: %q", len(messages), messages)
		}
		raw = []byte(messages[0])
	} else {
		var m json.RawMessage
		if err := json.NewDecoder(res.Body).Decode(&m); err != nil {
			t.Fatal(err)
		}
		raw = m
	}
	if err := json.Unmarshal(raw, &out.Message); err != nil {
		t.Fatalf("%v: %s", err, raw)
	}
	return out
}

// What is not plain gets the SDK's own refusal.
func TestWhatIsNotPlainIsForTheSDK(t *testing.T) {
	r := start(t, nil)
	session := open(t, r.url)
	body := func(params string) string {
		return `{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{` + params + `}}`
	}
	withMeta := func(from, to string) string {
		return body(`"name":"echo","arguments":{},` + strings.Replace(meta, from, to, 1))
	}
	for name, x := range map[string]exchange{
		"unknown tool":       {header: session, body: body(`"name":"nothing"`), status: 200, code: -32602, says: "unknown tool"},
		"arguments in a row": {header: session, body: body(`"name":"echo","arguments":[1]`), status: 200, says: "invalid"},
		"a strange token":    {header: session, body: body(`"name":"echo","_meta":{"progressToken":[1]}`), status: 200},
		"no capabilities":    {modern: true, body: withMeta(`"io.modelcontextprotocol/clientCapabilities":{}`, `"x":{}`), status: 400, code: -32602},
		"odd capabilities": {
			modern: true, body: withMeta(`clientCapabilities":{}`, `clientCapabilities":{"sampling":7}`), status: 400, code: -32602,
		},
	} {
		t.Run(name, func(t *testing.T) { check(t, x, send(t, r.url, x)) })
	}
}

// TestARefusalDoesNotQuoteTheRequest: the SDK answers params that it cannot read with all of
// them, and with them what people typed.
func TestARefusalDoesNotQuoteTheRequest(t *testing.T) {
	r := start(t, nil)
	session := open(t, r.url)
	const secret = "typed by a person"
	call := func(params string) string {
		text := secret + strings.Repeat(" and more", 1000)
		return `{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"echo","arguments":{"text":"` + text + `"},` + params + `}}`
	}
	p := pipe(t, nil)
	p.send(t, initialize)
	p.read(t)
	for _, params := range []string{`"requestState":7`, `"inputResponses":7`, `"_meta":{"progressToken":1e400}`, `"task":7,"requestState":[]`} {
		for _, accept := range []string{"application/json", "application/json, text/event-stream"} {
			old := exchange{header: map[string]string{"Accept": accept}, body: call(params)}
			maps.Copy(old.header, session)
			modern := exchange{header: map[string]string{"Accept": accept}, modern: true, body: call(params + "," + meta)}
			if strings.Contains(params, "_meta") {
				modern.body = call(strings.TrimSuffix(params, "}") + "," + inner + "}")
			}
			for _, x := range []exchange{old, modern} {
				if got := send(t, r.url, x); strings.Contains(string(got.body), secret) || !strings.Contains(string(got.body), `"error":{"code":-32`) {
					t.Errorf("%s: %d %.300s", params, got.status, got.body)
				}
			}
		}
		p.send(t, call(params))
		if got := p.read(t); strings.Contains(got, secret) || !strings.Contains(got, "-32602") {
			t.Errorf("stdio, %s: %.300s", params, got)
		}
	}
	if _, err := p.end(t); err != nil {
		t.Error(err)
	}
}
