package serve_test

import (
	"context"
	"encoding/json"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

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
					if diff := cmp.Diff(sdk, direct); diff != "" {
						t.Errorf("%s, id %s, %s, modern %v (-sdk +direct):\n%s", name, id, accept, modern, diff)
					}
				}
			}
		}
	}
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
