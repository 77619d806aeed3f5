package serve

import (
	"context"
	"errors"
	"log/slog"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// Trap: a plain error of a method leaves with a code of 0 and its whole text.
func TestAnErrorOfAMethodHasACodeAndNoForeignText(t *testing.T) {
	ep := &endpoint{server: &Server{log: slog.New(slog.DiscardHandler)}}
	for name, tt := range map[string]struct {
		err  error
		code int64
	}{
		"plain": {errors.New("a secret"), jsonrpc.CodeInternalError},
		"long":  {errors.New(strings.Repeat("a secret ", 1000)), jsonrpc.CodeInternalError},
		"known": {&jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: "unknown tool"}, jsonrpc.CodeInvalidParams},
		"zero":  {&jsonrpc.Error{Message: "a secret"}, jsonrpc.CodeInternalError},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := ep.recovering(func(context.Context, string, mcp.Request) (mcp.Result, error) { return nil, tt.err })(t.Context(), "tools/list", nil)
			var got *jsonrpc.Error
			if !errors.As(err, &got) || got.Code != tt.code || strings.Contains(got.Message, "secret") {
				t.Errorf("%.200v, want code %d", err, tt.code)
			}
		})
	}
}
