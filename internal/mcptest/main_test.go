package mcptest

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/legwork-mcp/legwork/internal/auth"
	"github.com/legwork-mcp/legwork/internal/mcptest/fixture"
	"github.com/legwork-mcp/legwork/internal/mcptest/wire"
	"github.com/legwork-mcp/legwork/internal/tool"
)

// playServer is the word with which this test binary plays a server under test.
const playServer = "play-server"

func TestMain(m *testing.M) {
	if fixture.Play(os.Args, os.Environ()) {
		return
	}
	if len(os.Args) > 1 && os.Args[1] == playServer {
		if err := goodServer(nil).Run(context.Background(), &mcp.StdioTransport{}); err != nil {
			fmt.Fprintln(os.Stderr, err)
		}
		return
	}
	os.Exit(m.Run())
}

// goodServer is a server that does everything right. Its slow tool ends with stop.
func goodServer(stop <-chan struct{}) *mcp.Server {
	s := mcp.NewServer(&mcp.Implementation{Name: "good", Version: "1.2.3"}, &mcp.ServerOptions{Instructions: "Add numbers."})
	s.AddTool(&mcp.Tool{
		Name: "add", Description: "Adds <two> numbers.",
		InputSchema: json.RawMessage(`{"type":"object","properties":{"a":{"type":"integer"},"b":{"type":"integer"}},"required":["a","b"],"x-big":12345678901234567890}`),
	}, func(_ context.Context, r *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		var in struct{ A, B *int64 }
		if json.Unmarshal(r.Params.Arguments, &in) != nil || in.A == nil || in.B == nil {
			return &mcp.CallToolResult{IsError: true, Content: []mcp.Content{&mcp.TextContent{Text: "I need two numbers."}}}, nil
		}
		return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: fmt.Sprint(*in.A + *in.B)}}}, nil
	})
	s.AddTool(&mcp.Tool{Name: "echo", InputSchema: json.RawMessage(`{"type":"object"}`)}, func(_ context.Context, r *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: string(r.Params.Arguments)}}}, nil
	})
	s.AddTool(&mcp.Tool{Name: "slow", InputSchema: json.RawMessage(`{"type":"object"}`)}, func(ctx context.Context, _ *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		select {
		case <-ctx.Done():
		case <-stop:
		}
		return &mcp.CallToolResult{}, nil
	})
	s.AddTool(&mcp.Tool{Name: "exit", InputSchema: json.RawMessage(`{"type":"object"}`)}, func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		fmt.Fprintln(os.Stderr, "out of cheese")
		os.Exit(7)
		return nil, nil
	})
	s.AddTool(&mcp.Tool{Name: "fail", InputSchema: json.RawMessage(`{"type":"object"}`)}, func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		return &mcp.CallToolResult{IsError: true, Content: []mcp.Content{&mcp.TextContent{Text: "user not found: invalid argument, timeout"}}}, nil
	})
	read := func(c *mcp.ResourceContents) mcp.ResourceHandler {
		return func(context.Context, *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
			return &mcp.ReadResourceResult{Contents: []*mcp.ResourceContents{c}}, nil
		}
	}
	s.AddResource(&mcp.Resource{URI: "mem://text", Name: "text", Description: "A text.", MIMEType: "text/plain"}, read(&mcp.ResourceContents{URI: "mem://text", MIMEType: "text/plain", Text: "grüße"}))
	s.AddResource(&mcp.Resource{URI: "mem://bytes", Name: "bytes"}, read(&mcp.ResourceContents{URI: "mem://bytes", MIMEType: "application/octet-stream", Blob: []byte{0, 1, 2, 255}}))
	s.AddResourceTemplate(&mcp.ResourceTemplate{URITemplate: "mem://t/{id}", Name: "t"}, func(_ context.Context, r *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
		return nil, mcp.ResourceNotFoundError(r.Params.URI)
	})
	s.AddPrompt(&mcp.Prompt{Name: "greet", Description: "Greets.", Arguments: []*mcp.PromptArgument{{Name: "who", Description: "Whom.", Required: true}}},
		func(_ context.Context, r *mcp.GetPromptRequest) (*mcp.GetPromptResult, error) {
			return &mcp.GetPromptResult{Description: "A greeting.", Messages: []*mcp.PromptMessage{{Role: "user", Content: &mcp.TextContent{Text: "Hello " + r.Params.Arguments["who"]}}}}, nil
		})
	return s
}

// overHTTP serves the good server. It ends after what is made later, such as a bench,
// whose connections keep streams open.
func overHTTP(t *testing.T) string {
	t.Helper()
	stop := make(chan struct{})
	good := goodServer(stop)
	srv := httptest.NewServer(mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return good }, nil))
	t.Cleanup(func() {
		close(stop)
		srv.CloseClientConnections()
		srv.Close()
	})
	return srv.URL
}

// badServer is a server of the legacy era that answers what a test tells it to.
type badServer struct {
	url string

	mu       sync.Mutex
	results  map[string]string // by method: a result, or an error when it begins with "!"
	requests []string          // bodies that came
	headers  http.Header       // of the last request
	status   int               // of everything, when set
}

// unruly starts a bad server.
func unruly(t *testing.T, results map[string]string) *badServer {
	t.Helper()
	b := &badServer{results: map[string]string{
		"initialize": `{"protocolVersion":"2025-06-18","capabilities":{"tools":{},"odd":12345678901234567890},"serverInfo":{"name":"bad","version":"0"}}`,
	}}
	for method, result := range results {
		b.results[method] = result
	}
	srv := httptest.NewServer(b)
	t.Cleanup(srv.Close)
	b.url = srv.URL
	return b
}

func (b *badServer) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	var m struct {
		ID     json.RawMessage
		Method string
	}
	_ = json.Unmarshal(body, &m)
	b.mu.Lock()
	b.requests, b.headers = append(b.requests, string(body)), r.Header
	result, known := b.results[m.Method]
	status := b.status
	b.mu.Unlock()
	w.Header().Set("Content-Type", "application/json")
	switch {
	case status != 0:
		w.Header().Set("Www-Authenticate", `Bearer resource_metadata="https://example.org/meta"`)
		w.WriteHeader(status)
	case r.Method != http.MethodPost:
		w.WriteHeader(http.StatusMethodNotAllowed)
	case m.ID == nil:
		w.WriteHeader(http.StatusAccepted)
	case !known:
		fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"error":{"code":-32601,"message":"no such method"}}`, m.ID)
	case strings.HasPrefix(result, "!"):
		fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"error":%s}`, m.ID, result[1:])
	default:
		fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"result":%s}`, m.ID, result)
	}
}

func (b *badServer) set(status int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.status = status
}

func (b *badServer) last() (body string, h http.Header) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.requests[len(b.requests)-1], b.headers
}

// bench is the tester under test.
type bench struct {
	*testing.T
	*Server
	tools map[string]tool.Bound
	as    auth.Principal
}

func newBench(t *testing.T, change ...func(*Options)) *bench {
	t.Helper()
	o := Options{
		Reach: func(_ string, o *wire.Options) (func(), error) {
			transport := &http.Transport{}
			o.HTTPClient = &http.Client{Transport: transport}
			return transport.CloseIdleConnections, nil
		},
		Commands: true, Version: "test", Environ: []string{"PATH=" + os.Getenv("PATH"), "HOME=/nowhere", "SECRET_OF_OURS=hunter2hunter2"},
		Secret: func(name string) (string, error) { return "secret-of-" + strings.ToLower(name), nil },
	}
	for _, c := range change {
		c(&o)
	}
	b := &bench{T: t, Server: New(o), tools: map[string]tool.Bound{}, as: auth.Local()}
	for _, bound := range tool.BindAll(b.Server, Tools) {
		b.tools[bound.Spec.Name] = bound
	}
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
		defer cancel()
		if err := b.Drain(ctx); err != nil {
			t.Error(err)
		}
	})
	return b
}

// answer is what a client gets: the structured part with numbers as they were written,
// and the text.
type answer struct {
	data  map[string]any
	raw   string
	text  string
	error bool

	images []*mcp.ImageContent
}

func (b *bench) call(name, args string) answer {
	b.Helper()
	ctx := tool.WithCaller(b.Context(), b.as)
	res := b.tools[name].Call(ctx, tool.Policy{Authorize: func(context.Context, tool.Spec) error { return nil }}, json.RawMessage(args))
	a := answer{error: res.IsError}
	raw, err := json.Marshal(res.StructuredContent)
	if err != nil {
		b.Fatalf("%s: %v", name, err)
	}
	a.raw = string(raw)
	dec := json.NewDecoder(bytes.NewReader(raw))
	dec.UseNumber()
	if err := dec.Decode(&a.data); err != nil {
		b.Fatalf("%s: %v", name, err)
	}
	for _, c := range res.Content {
		switch c := c.(type) {
		case *mcp.TextContent:
			a.text += c.Text
		case *mcp.ImageContent:
			a.images = append(a.images, c)
		}
	}
	return a
}

// want is call for what must succeed.
func (b *bench) want(name, args string) answer {
	b.Helper()
	a := b.call(name, args)
	if a.error {
		b.Fatalf("%s %s: %s\n%s", name, args, a.text, a.raw)
	}
	return a
}

// at is a value by its path, such as error.details.code; nil when there is none.
func (a answer) at(path string) any {
	var v any = a.data
	for name := range strings.SplitSeq(path, ".") {
		switch x := v.(type) {
		case map[string]any:
			v = x[name]
		case []any:
			i := 0
			if _, err := fmt.Sscan(name, &i); err != nil || i >= len(x) {
				return nil
			}
			v = x[i]
		default:
			return nil
		}
	}
	return v
}

// codes are the codes of the findings.
func (a answer) codes() string {
	var out []string
	list, _ := a.at("findings").([]any)
	for _, f := range list {
		out = append(out, fmt.Sprint(f.(map[string]any)["code"]))
	}
	return strings.Join(out, " ")
}

// command is the command line that starts the good server.
func command(t *testing.T) string {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	return self + " " + playServer
}

func quote(s string) string { return string(quoted(s)) }
