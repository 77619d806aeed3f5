package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"os"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// recorded is what Legwork listed and answered.
type recorded struct {
	List struct{ Tools []*mcp.Tool }
	Call mcp.CallToolResult
}

// serveBare is the SDK and nothing else: tools whose arguments nobody checks and
// whose answer is ready-made. It has a path for each era, since one handler of the
// SDK cannot serve both.
func serveBare(ctx context.Context, addr, listing string) error {
	raw, err := os.ReadFile(listing)
	if err != nil {
		return err
	}
	var r recorded
	if err := json.Unmarshal(raw, &r); err != nil {
		return fmt.Errorf("reading %s: %w", listing, err)
	}
	s := mcp.NewServer(&mcp.Implementation{Name: "bare", Version: "1"}, nil)
	for _, t := range r.List.Tools {
		s.AddTool(t, func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			answer := r.Call
			return &answer, nil
		})
	}
	get := func(*http.Request) *mcp.Server { return s }
	mux := http.NewServeMux()
	mux.Handle("/mcp", mcp.NewStreamableHTTPHandler(get, nil))
	mux.Handle("/modern", mcp.NewStreamableHTTPHandler(get, &mcp.StreamableHTTPOptions{Stateless: true}))
	srv := &http.Server{Addr: addr, Handler: mux, ReadHeaderTimeout: 10 * time.Second}
	served := make(chan error, 1)
	go func() { served <- srv.ListenAndServe() }()
	select {
	case err := <-served:
		return err
	case <-ctx.Done():
	}
	return errors.Join(srv.Close(), ignoreClosed(<-served))
}

func ignoreClosed(err error) error {
	if errors.Is(err, http.ErrServerClosed) {
		return nil
	}
	return err
}
