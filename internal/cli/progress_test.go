package cli_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// TestProgressPerPage: a client that asks for progress hears of each page, with
// growing numbers, over both transports.
func TestProgressPerPage(t *testing.T) {
	t.Parallel()
	site := startPractice(t)
	server := startHTTP(t, "LEGWORK_PRACTICE_ADDR="+site.addr)
	for name, transport := range map[string]mcp.Transport{
		"stdio": &mcp.CommandTransport{Command: command(t, []string{"LEGWORK_PRACTICE_ADDR=" + site.addr}, "stdio"), TerminateDuration: 20 * time.Second},
		"http":  &mcp.StreamableClientTransport{Endpoint: server.url, MaxRetries: -1},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var mu sync.Mutex
			var heard []string
			var values []float64
			client := newClient(&mcp.ClientOptions{ProgressNotificationHandler: func(_ context.Context, req *mcp.ProgressNotificationClientRequest) {
				mu.Lock()
				defer mu.Unlock()
				heard, values = append(heard, req.Params.Message), append(values, req.Params.Progress)
			}})
			cs, err := client.Connect(t.Context(), transport, nil)
			if err != nil {
				t.Fatal(err)
			}
			defer cs.Close()
			data := readExample(t, &legwork{ClientSession: cs}, "fsa-estimator")
			params := &mcp.CallToolParams{Name: "federalrunner_execute_wizard", Arguments: map[string]any{
				"wizard_id": "fsa-estimator", "user_data": rawJSON(data), "options": map[string]any{"return_screenshots": false},
			}}
			params.SetProgressToken("p1")
			res, err := cs.CallTool(t.Context(), params)
			if err != nil || res.IsError {
				t.Fatalf("%v %v", err, res)
			}
			mu.Lock()
			defer mu.Unlock()
			if all := strings.Join(heard, "\n"); !strings.Contains(all, "page 1 of 7") || !strings.Contains(all, "page 7 of 7") {
				t.Errorf("heard:\n%s", all)
			}
			if !slices.IsSorted(values) {
				t.Errorf("progress does not grow: %v", values)
			}
		})
	}
}

type rawJSON string

func (r rawJSON) MarshalJSON() ([]byte, error) { return []byte(r), nil }

// TestCancelledCallClosesTheBrowserContext: when a client cancels its call, the
// run ends and the site sees the connection go away.
func TestCancelledCallClosesTheBrowserContext(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"stdio", "http"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			site := startSlowForm(t)
			client := map[string]func(*testing.T, ...string) *legwork{"stdio": overStdio, "http": overHTTP}[name](t, site.env(t)...)
			ctx, cancel := context.WithCancel(t.Context())
			done := make(chan error, 1)
			go func() {
				_, err := client.CallTool(ctx, &mcp.CallToolParams{Name: "federalrunner_execute_wizard", Arguments: map[string]any{
					"wizard_id": "slow-form", "user_data": map[string]any{"name": "x"},
				}})
				done <- err
			}()
			<-site.arrived
			cancel()
			if err := <-done; !errors.Is(err, context.Canceled) {
				t.Errorf("the cancelled call: %v", err)
			}
			select {
			case <-site.left:
			case <-time.After(time.Minute):
				t.Fatalf("the browser still waits for the site\n%s", client.log)
			}
		})
	}
}
