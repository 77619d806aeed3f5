package serve

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
)

// FuzzMessage holds the reading that decides against the reading that is
// executed: whatever is accepted, both must see the same message.
func FuzzMessage(f *testing.F) {
	for _, seed := range []string{
		`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"echo","arguments":{}}}`,
		`{"jsonrpc":"2.0","id":"a","method":"initialize","Method":"tools/call"}`,
		`{"jsonrpc":"2.0","id":1,"method":"ping","meth\u006fd":"tools/list"}`,
		`{"jsonrpc":"2.0","id":1,"result":{}}`, `{"jsonrpc":"2.0","method":"notifications/cancelled"}`,
		`[{"jsonrpc":"2.0"}]`, `{"jsonrpc":"2.0","id":1e2,"method":"ping"}`, "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"p\xffng\"}",
		`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}}}`,
		`{"jsonrpc":"2.0","method":"x","params":{"id":1},"params":{}}`,
		`{"jsonrpc":"2.0","method":"x","params":{"deep":` + strings.Repeat("[", 200) + strings.Repeat("]", 200) + `}}`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		m, bad := parseMessage(data)
		if bad != nil {
			if bad.code >= 0 || bad.message == "" {
				t.Fatalf("an error without a code or words: %+v", bad)
			}
			if !json.Valid(bad.body()) {
				t.Fatalf("the error is no JSON: %s", bad.body())
			}
			return
		}
		msg, err := jsonrpc.DecodeMessage(data)
		if err != nil {
			return // refused by the second reading: nothing is executed
		}
		switch msg := msg.(type) {
		case *jsonrpc.Request:
			if msg.Method != m.method || msg.IsCall() != m.isCall() {
				t.Fatalf("decided on %q (call %v), would execute %q (call %v)", m.method, m.isCall(), msg.Method, msg.IsCall())
			}
		case *jsonrpc.Response:
			if m.method != "" {
				t.Fatalf("decided on a request %q, would handle a response", m.method)
			}
		}
	})
}
