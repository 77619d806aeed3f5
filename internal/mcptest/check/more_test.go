package check

import (
	"context"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/legwork-mcp/legwork/internal/mcptest/wire"
)

// slow makes each call of a tool take its time.
func slow() fake {
	return fake{tools: "[" + echo + "]", onCall: func() { <-time.After(longEnough + 200*time.Millisecond) }}
}

// TestCancellation cancels a tool that is slow. A server that answers one message after
// the other answers it all the same.
func TestCancellation(t *testing.T) {
	r := checked(t, serveHTTP(t, slow()), Options{NoProbes: true})
	if s := stepOf(r, "cancellation"); s.Status == Skipped || !strings.Contains(s.Detail, "its end") {
		t.Errorf("cancellation %s: %s", s.Status, s.Detail)
	}
	if ruleAmong(r, "late-answer", 100) {
		t.Errorf("the check's own cancellation is held against the server:\n%s", asText(r))
	}
	if !ruleAmong(r, "cancel-answered", 10) {
		t.Errorf("nobody says that the cancelled call was answered:\n%s", asText(r))
	}
	quick := checked(t, serveHTTP(t, fake{tools: "[" + echo + "]"}), Options{NoProbes: true})
	if s := stepOf(quick, "cancellation"); s.Status != Skipped {
		t.Errorf("a quick tool was cancelled: %s", s.Detail)
	}
}

// TestLoad asks from several sides at one time: a server that mixes them up or refuses
// fails, and is not asked for longer than that.
func TestLoad(t *testing.T) {
	good := checked(t, serveHTTP(t, fake{tools: "[" + echo + "]"}), Options{NoProbes: true})
	if l := good.Load; l == nil || l.Calls != atOnce*eachOf || l.Failed != 0 || l.PerSecond <= 0 || l.P95 <= 0 {
		t.Errorf("the load of a good server: %+v", l)
	}
	var busy atomic.Int32
	f := fake{tools: "[" + echo + "]", web: func(w http.ResponseWriter, r *http.Request, next http.Handler) {
		if busy.Add(1) > 2 {
			w.WriteHeader(http.StatusServiceUnavailable)
		} else {
			<-time.After(5 * time.Millisecond)
			next.ServeHTTP(w, r)
		}
		busy.Add(-1)
	}}
	bad := checked(t, serveHTTP(t, f), Options{NoProbes: true})
	if !ruleAmong(bad, "load-failed", 3) {
		t.Errorf("nobody says that calls fail under load:\n%s", asText(bad))
	}
}

// TestHTTPRules has servers that pass over what HTTP says of hosts and contents.
func TestHTTPRules(t *testing.T) {
	r := checked(t, serveHTTP(t, fake{tools: "[" + echo + "]"}), Options{})
	for _, rule := range []string{"host-taken", "accept-taken"} {
		if !ruleAmong(r, rule, 100) {
			t.Errorf("no %s:\n%s", rule, asText(r))
		}
	}
	strict := fake{tools: "[" + echo + "]", web: func(w http.ResponseWriter, r *http.Request, next http.Handler) {
		switch {
		case !strings.HasPrefix(r.Host, "127.0.0.1"):
			w.WriteHeader(http.StatusMisdirectedRequest)
		case r.Method == http.MethodPost && r.Header.Get("Accept") == "text/html":
			w.WriteHeader(http.StatusNotAcceptable)
		default:
			next.ServeHTTP(w, r)
		}
	}}
	r = checked(t, serveHTTP(t, strict), Options{})
	for _, rule := range []string{"host-taken", "accept-taken", "accept-ignored"} {
		if ruleAmong(r, rule, 100) {
			t.Errorf("%s of a strict server:\n%s", rule, asText(r))
		}
	}
}

// stepOf is a step by its name.
func stepOf(r *Report, name string) Step {
	for _, s := range r.Steps {
		if s.Name == name {
			return s
		}
	}
	return Step{}
}

// TestEras compares what a server offers in its two eras, and what one tool answers.
func TestEras(t *testing.T) {
	tool := func(description, kind string) *mcp.Server {
		s := mcp.NewServer(&mcp.Implementation{Name: "two", Version: "1"}, nil)
		s.AddTool(&mcp.Tool{Name: "say", Description: description, InputSchema: map[string]any{"type": "object"}, Annotations: &mcp.ToolAnnotations{ReadOnlyHint: true}},
			func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
				if kind == "image" {
					return &mcp.CallToolResult{Content: []mcp.Content{&mcp.ImageContent{Data: []byte{1}, MIMEType: "image/png"}}}, nil
				}
				return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: "hello"}}}, nil
			})
		s.AddResource(&mcp.Resource{Name: "same", URI: "memo://same", Description: "The same."}, func(_ context.Context, req *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
			return &mcp.ReadResourceResult{Contents: []*mcp.ResourceContents{{URI: req.Params.URI, Text: "x"}}}, nil
		})
		s.AddPrompt(&mcp.Prompt{Name: "p", Description: description}, func(context.Context, *mcp.GetPromptRequest) (*mcp.GetPromptResult, error) {
			return &mcp.GetPromptResult{Messages: []*mcp.PromptMessage{}}, nil
		})
		return s
	}
	for name, c := range map[string]struct {
		modern, legacy *mcp.Server
		places         string
	}{
		"the same":            {tool("Says.", "text"), tool("Says.", "text"), ""},
		"another description": {tool("Says.", "text"), tool("Says it.", "text"), "tool say /tools/0/description, prompt p /prompts/0/description"},
		"another answer":      {tool("Says.", "text"), tool("Says.", "image"), "tool say /tools/0"},
	} {
		t.Run(name, func(t *testing.T) {
			serve := func(s *mcp.Server, stateless bool) http.Handler {
				return mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return s }, &mcp.StreamableHTTPOptions{Stateless: stateless})
			}
			modern, legacy := serve(c.modern, true), serve(c.legacy, false)
			srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				if r.Header.Get("Mcp-Protocol-Version") == wire.Version20260728 {
					modern.ServeHTTP(w, r)
					return
				}
				legacy.ServeHTTP(w, r)
			}))
			defer srv.Close()
			defer srv.CloseClientConnections()
			r := checked(t, wire.Target{URL: srv.URL}, Options{NoProbes: true})
			var places []string
			for _, f := range r.Findings {
				if f.Rule == "eras-differ" {
					places = append(places, f.Subject+" "+f.Pointer)
				}
			}
			if got := strings.Join(places, ", "); got != c.places || !strings.HasPrefix(stepOf(r, "eras").Detail, "both") {
				t.Errorf("differs at %q, want %q; %s\n%s", got, c.places, stepOf(r, "eras").Detail, asText(r))
			}
		})
	}
}
