package mcptest

import (
	"context"
	"encoding/json"
	"sync"

	"github.com/legwork-mcp/legwork/internal/mcptest/wire"
	"github.com/legwork-mcp/legwork/internal/tool"
)

// relay passes the progress of a tool under test on to the caller. What it gives takes
// messages without waiting; stop ends it and waits for it.
func relay(ctx context.Context) (take func(wire.Message), stop func()) {
	messages := make(chan wire.Message, 16)
	var passing sync.WaitGroup
	passing.Go(func() {
		for m := range messages {
			report(ctx, m)
		}
	})
	var mu sync.Mutex
	over := false
	take = func(m wire.Message) {
		mu.Lock()
		defer mu.Unlock()
		if over || m.Method != "notifications/progress" {
			return
		}
		select {
		case messages <- m:
		default: // a caller that reads slowly misses some
		}
	}
	stop = func() {
		mu.Lock()
		over = true
		close(messages)
		mu.Unlock()
		passing.Wait()
	}
	return take, stop
}

// report passes one progress notification on.
func report(ctx context.Context, m wire.Message) {
	var p struct {
		Progress, Total float64
		Message         string
	}
	if json.Unmarshal(m.Params, &p) == nil {
		tool.Progress(ctx, p.Progress, p.Total, "server under test: "+line(p.Message, 200))
	}
}
