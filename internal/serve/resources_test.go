package serve_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/legwork-mcp/legwork/internal/serve"
	"github.com/legwork-mcp/legwork/internal/tool"
)

// Resources are what a tool answers, under the tool's own policy: listed as templates,
// read in both eras, and refused with the words of the tool.
func TestResources(t *testing.T) {
	r := start(t, func(o *serve.Options) {
		e := &o.Endpoints[0]
		for _, b := range e.Tools {
			if b.Spec.Name != "echo" {
				continue
			}
			e.Resources = []tool.Resource{{
				Name: "said", Description: "What was said.", Template: "desk://said/{text}", Tool: b,
				Arguments: func(uri string) (json.RawMessage, bool) {
					text, ok := strings.CutPrefix(uri, "desk://said/")
					if text == "wrong" {
						return json.RawMessage(`{"no_such_argument":1}`), ok
					}
					return json.RawMessage(`{"text":"` + text + `"}`), ok && text != "none"
				},
			}}
		}
	})
	ask := func(method, params, name string) string {
		return string(send(t, r.url, exchange{modern: true, header: map[string]string{"Mcp-Name": name},
			body: `{"jsonrpc":"2.0","id":1,"method":"` + method + `","params":{` + params + meta + `}}`}).body)
	}
	if got := ask("resources/templates/list", "", ""); !strings.Contains(got, `"uriTemplate":"desk://said/{text}"`) {
		t.Errorf("the templates are %s", got)
	}
	for uri, want := range map[string]string{
		"desk://said/hello": `hello`, "desk://said/none": `"error"`, "desk://said/wrong": `no_such_argument is not known`, "file:///etc/passwd": `"error"`,
	} {
		if got := ask("resources/read", `"uri":"`+uri+`",`, uri); !strings.Contains(got, want) {
			t.Errorf("%s is read as %s", uri, got)
		}
	}
}
