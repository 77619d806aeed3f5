package serve_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"os"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/legwork-mcp/legwork/internal/serve"
	"github.com/legwork-mcp/legwork/internal/tool"
)

// asStdioServer turns the test binary into a stdio server, for tests that need a
// process of its own.
const asStdioServer = "LEGWORK_TEST_STDIO"

func TestMain(m *testing.M) {
	if os.Getenv(asStdioServer) != "" {
		s, err := serve.New(options(newDesk()))
		if err == nil {
			err = s.Stdio(context.Background(), os.Stdin, os.Stdout)
		}
		fmt.Fprintln(os.Stderr, "ended:", err)
		os.Exit(7)
	}
	goleak.VerifyTestMain(m)
}

// desk is a server with tools that do what a test needs.
type desk struct {
	started chan struct{} // a slow call has begun
	ended   chan error    // why a slow call ended
	release chan struct{} // lets slow calls finish
}

func newDesk() *desk {
	return &desk{started: make(chan struct{}, 16), ended: make(chan error, 16), release: make(chan struct{})}
}

type echoIn struct {
	Text    string          `json:"text,omitempty" jsonschema:"what to say"`
	Number  int64           `json:"number,omitempty"`
	Raw     json.RawMessage `json:"raw,omitempty" type:"object"`
	Quality int             `json:"quality,omitempty" default:"80" minimum:"1" maximum:"100"`
}

type echoOut struct {
	Text_   string            `json:"text"`
	Number  int64             `json:"number"`
	Raw     json.RawMessage   `json:"raw,omitempty"`
	Quality int               `json:"quality"`
	Caller  string            `json:"caller"`
	Labels  map[string]string `json:"labels"`
}

func (o echoOut) Text() string { return o.Text_ }

type none struct{}

type done struct {
	Done bool `json:"done"`
}

func spec(name string) tool.Spec {
	return tool.Spec{Name: name, Title: name, Description: "A tool of the tests.", Effect: tool.Read, Scope: "test:read", Timeout: time.Minute}
}

var echo = tool.New(spec("echo"), func(_ *desk, ctx context.Context, in echoIn) (echoOut, error) {
	return echoOut{Text_: in.Text, Number: in.Number, Raw: in.Raw, Quality: in.Quality, Caller: tool.Caller(ctx).Subject}, nil
})

var slow = tool.New(spec("slow"), func(d *desk, ctx context.Context, _ none) (done, error) {
	d.started <- struct{}{}
	select {
	case <-ctx.Done():
		d.ended <- ctx.Err()
		return done{}, ctx.Err()
	case <-d.release:
		d.ended <- nil
		return done{true}, nil
	}
})

var steps = tool.New(spec("steps"), func(_ *desk, ctx context.Context, _ none) (done, error) {
	for i := range 3 {
		tool.Progress(ctx, float64(i+1), 3, "step")
	}
	return done{true}, nil
})

var broken = tool.New(spec("broken"), func(_ *desk, _ context.Context, _ none) (done, error) {
	var list []int
	return done{list[3] == 0}, nil
})

func (d *desk) tools() []tool.Bound {
	return tool.BindAll(d, []tool.Tool[*desk]{steps, slow, echo, broken})
}

func allow(context.Context, tool.Spec) error { return nil }

func options(d *desk) serve.Options {
	return serve.Options{
		Version: "v1.2.3",
		Endpoints: []serve.Endpoint{
			{Path: "/", Name: "desk", Title: "Desk", Instructions: "Call echo first.", Tools: d.tools()},
			{Path: "/mcp", Name: "other", Tools: d.tools()[:1]},
		},
		Policy: tool.Policy{Authorize: allow},
		Grace:  time.Minute,
	}
}

// newServer is a server of a desk, with options changed as a test needs them.
func newServer(t *testing.T, change func(*serve.Options)) (*desk, *serve.Server) {
	t.Helper()
	d := newDesk()
	o := options(d)
	if change != nil {
		change(&o)
	}
	s, err := serve.New(o)
	if err != nil {
		t.Fatal(err)
	}
	return d, s
}

// running is a server on a loopback port.
type running struct {
	*desk
	url  string
	stop func() error
}

// start serves until the test ends.
func start(t *testing.T, change func(*serve.Options)) *running {
	t.Helper()
	d, s := newServer(t, change)
	ln, err := s.Listen(t.Context(), "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	result := make(chan error, 1)
	go func() { result <- s.Serve(ctx, ln) }()
	stopped := false
	r := &running{desk: d, url: "http://" + s.Addr()}
	r.stop = func() error {
		if stopped {
			return errors.New("stopped twice")
		}
		stopped = true
		cancel()
		return <-result
	}
	t.Cleanup(func() {
		http.DefaultClient.CloseIdleConnections()
		if !stopped {
			if err := r.stop(); err != nil {
				t.Errorf("stop: %v", err)
			}
		}
	})
	return r
}
