package mcptest

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// TestComplete asks for values of a prompt and of a template, with what is known.
func TestComplete(t *testing.T) {
	s := mcp.NewServer(&mcp.Implementation{Name: "completing", Version: "1"}, &mcp.ServerOptions{
		CompletionHandler: func(_ context.Context, r *mcp.CompleteRequest) (*mcp.CompleteResult, error) {
			p := r.Params
			said := p.Ref.Type + p.Ref.Name + p.Ref.URI + p.Argument.Name + p.Argument.Value
			if p.Context != nil {
				said += p.Context.Arguments["country"]
			}
			return &mcp.CompleteResult{Completion: mcp.CompletionResultDetails{Values: []string{said}}}, nil
		},
	})
	srv := httptest.NewServer(mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return s }, nil))
	t.Cleanup(func() {
		srv.CloseClientConnections()
		srv.Close()
	})
	b := newBench(t)
	b.want("connect_to_server", `{"url":`+quote(srv.URL)+`}`)
	for args, want := range map[string]string{
		`{"prompt":"greet","argument":"who","value":"k"}`:                      "ref/promptgreetwhok",
		`{"template":"mem://{id}","argument":"id","context":{"country":"NZ"}}`: "ref/resourcemem://{id}idNZ",
	} {
		if a := b.want("complete", args); a.at("completion.values.0") != want {
			t.Errorf("%s: %s", args, a.raw)
		}
	}
	for _, args := range []string{`{"argument":"who"}`, `{"prompt":"a","template":"b","argument":"who"}`} {
		if a := b.call("complete", args); a.at("error.type") != errInvalidArguments {
			t.Errorf("%s: %s", args, a.raw)
		}
	}
}

// TestCompletionsThatAreWrong are shown, with what is wrong.
func TestCompletionsThatAreWrong(t *testing.T) {
	b := newBench(t)
	many := `"a"` + strings.Repeat(`,"a"`, mostValues)
	b.want("connect_to_server", `{"url":`+quote(unruly(t, map[string]string{"completion/complete": `{"completion":{"values":[1,` + many + `],"total":12345678901234567890}}`}).url)+`}`)
	a := b.want("complete", `{"prompt":"p","argument":"x"}`)
	if a.codes() != findingSchema+" "+findingSchema || !strings.Contains(a.raw, `"total":12345678901234567890`) {
		t.Errorf("findings %q: %.300s", a.codes(), a.raw)
	}
	b.want("connect_to_server", `{"connection":"none","url":`+quote(unruly(t, map[string]string{"completion/complete": `{"values":["a"]}`}).url)+`}`)
	if a := b.call("complete", `{"connection":"none","prompt":"p","argument":"x"}`); fmt.Sprint(a.at("error.details.subtype")) != subSchema {
		t.Errorf("no completion at all: %s", a.raw)
	}
}
