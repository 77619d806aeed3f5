package serve_test

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/legwork-mcp/legwork/internal/serve"
	"github.com/legwork-mcp/legwork/internal/tool"
)

// Prompts are listed and filled in, in both eras, and a wrong argument is an error of
// the protocol.
func TestPrompts(t *testing.T) {
	r := start(t, func(o *serve.Options) {
		o.Endpoints[0].Prompts = []tool.Prompt{{
			Name: "ask", Title: "Ask", Description: "Asks somebody.", Text: "Ask {who}.", Arguments: []tool.PromptArgument{{Name: "who", Description: "whom", Required: true}},
		}}
	})
	get := func(args string) answer {
		return send(t, r.url, exchange{modern: true, header: map[string]string{"Mcp-Name": "ask"},
			body: `{"jsonrpc":"2.0","id":1,"method":"prompts/get","params":{"name":"ask","arguments":` + args + `,` + meta + `}}`})
	}
	var list struct {
		Result struct {
			Prompts []struct {
				Name      string
				Arguments []struct {
					Name     string
					Required bool
				}
			}
		}
	}
	a := send(t, r.url, exchange{modern: true, body: `{"jsonrpc":"2.0","id":1,"method":"prompts/list","params":{` + meta + `}}`})
	if err := json.Unmarshal(a.body, &list); err != nil || len(list.Result.Prompts) != 1 || list.Result.Prompts[0].Arguments[0].Name != "who" || !list.Result.Prompts[0].Arguments[0].Required {
		t.Errorf("%v: %s", err, a.body)
	}
	var got struct {
		Result struct {
			Messages []struct {
				Role    string
				Content struct{ Text string }
			}
		}
		Error struct{ Code int }
	}
	if err := json.Unmarshal(get(`{"who":"Ann"}`).body, &got); err != nil || len(got.Result.Messages) != 1 {
		t.Fatalf("%v, %+v", err, got)
	}
	if diff := cmp.Diff("Ask Ann.", got.Result.Messages[0].Content.Text); diff != "" || got.Result.Messages[0].Role != "user" {
		t.Errorf("message (-want +got):\n%s", diff)
	}
	for _, args := range []string{`{}`, `{"who":"Ann","why":"x"}`} {
		a := get(args)
		if err := json.Unmarshal(a.body, &got); err != nil || got.Error.Code != -32602 {
			t.Errorf("%s: %v, %s", args, err, a.body)
		}
	}
	for name, prompts := range map[string][]tool.Prompt{
		"one that cannot be": {{Name: "x"}},
		"the same twice":     {{Name: "x", Title: "X", Description: "X.", Text: "X."}, {Name: "x", Title: "X", Description: "X.", Text: "X."}},
	} {
		if _, err := serve.New(serve.Options{Endpoints: []serve.Endpoint{{Path: "/", Name: "x", Prompts: prompts}}}); err == nil {
			t.Errorf("%s: accepted", name)
		}
	}
}
