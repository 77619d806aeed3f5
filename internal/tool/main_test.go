package tool_test

import (
	"context"
	"encoding/json"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"go.uber.org/goleak"

	"github.com/legwork-mcp/legwork/internal/tool"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// noon is the clock of the tests.
var noon = time.Date(2026, 1, 31, 12, 0, 0, 0, time.UTC)

func policy() tool.Policy {
	return tool.Policy{
		Authorize: func(context.Context, tool.Spec) error { return nil },
		Clock:     func() time.Time { return noon },
	}
}

func spec() tool.Spec {
	return tool.Spec{Name: "desk_do", Title: "Do", Description: "Does it.", Effect: tool.Read, Scope: "desk:read"}
}

// of declares a tool around a function and binds it.
func of[In, Out any](change func(*tool.Spec), h func(context.Context, In) (Out, error)) tool.Bound {
	s := spec()
	if change != nil {
		change(&s)
	}
	return tool.New(s, func(_ int, ctx context.Context, in In) (Out, error) { return h(ctx, in) }).Bind(0)
}

type none struct{}

func call(t *testing.T, b tool.Bound, args string) *mcp.CallToolResult {
	t.Helper()
	return b.Call(t.Context(), policy(), json.RawMessage(args))
}

func text(t *testing.T, r *mcp.CallToolResult) string {
	t.Helper()
	for _, c := range r.Content {
		if tc, ok := c.(*mcp.TextContent); ok {
			return tc.Text
		}
	}
	t.Fatal("the result has no text")
	return ""
}

func structured(t *testing.T, r *mcp.CallToolResult) string {
	t.Helper()
	raw, ok := r.StructuredContent.(json.RawMessage)
	if !ok {
		t.Fatalf("structured content is %T", r.StructuredContent)
	}
	if !json.Valid(raw) {
		t.Fatalf("structured content is no JSON: %s", raw)
	}
	return string(raw)
}
