package serve

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"runtime/debug"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/legwork-mcp/legwork/internal/fault"
	"github.com/legwork-mcp/legwork/internal/observe"
	"github.com/legwork-mcp/legwork/internal/observe/trace"
	"github.com/legwork-mcp/legwork/internal/tool"
)

// listTTL is how long a client may keep a list: it changes with the program only.
const listTTL = 5 * time.Minute

// endpoint is one MCP server with its two HTTP handlers: the SDK cannot serve
// the era with sessions and the one without from the same handler.
type endpoint struct {
	Endpoint
	server   *Server
	mcp      *mcp.Server
	legacy   http.Handler
	modern   http.Handler
	sessions sessions
	flights  flights
	bound    map[string]tool.Bound // by the tool's name
	scopes   map[string]string     // that each tool needs
	info     json.RawMessage       // what the server says of itself
}

func (s *Server) newEndpoint(e Endpoint) (*endpoint, error) {
	ep := &endpoint{Endpoint: e, server: s, bound: map[string]tool.Bound{}, scopes: map[string]string{}}
	scope := "public"
	if s.o.Access != nil {
		scope = "private" // the list depends on who asks
	}
	opts := &mcp.ServerOptions{
		Instructions: e.Instructions,
		Logger:       slog.New(slog.DiscardHandler), // its lines may quote requests
		Capabilities: &mcp.ServerCapabilities{Tools: &mcp.ToolCapabilities{}},
		SetCacheable: func(_ context.Context, _ mcp.Request, c *mcp.Cacheable) {
			c.TTLMs, c.CacheScope = int(listTTL.Milliseconds()), scope
		},
	}
	if len(e.Prompts) > 0 {
		opts.Capabilities.Prompts = &mcp.PromptCapabilities{}
	}
	if len(e.Resources) > 0 {
		opts.Capabilities.Resources = &mcp.ResourceCapabilities{}
	}
	if e.Extension != nil {
		e.Extension.Options(opts)
	}
	self := &mcp.Implementation{Name: "legwork", Title: e.Title, Version: s.o.Version}
	info, err := json.Marshal(self)
	if err != nil {
		return nil, fmt.Errorf("endpoint %s: %w", e.Name, err)
	}
	ep.mcp, ep.info = mcp.NewServer(self, opts), info
	ep.mcp.AddReceivingMiddleware(ep.recovering, ep.listing)
	for _, b := range e.Tools {
		if _, twice := ep.bound[b.Spec.Name]; twice {
			return nil, fmt.Errorf("endpoint %s: tool %s is there twice", e.Name, b.Spec.Name)
		}
		ep.bound[b.Spec.Name], ep.scopes[b.Spec.Name] = b, b.Spec.Scope
		ep.mcp.AddTool(b.Definition(), ep.handler(b))
	}
	if err := errors.Join(ep.prompts(), ep.resources()); err != nil {
		return nil, err
	}
	if e.Extension != nil {
		e.Extension.Register(ep.mcp)
	}
	get := func(*http.Request) *mcp.Server { return ep.mcp }
	ep.legacy = mcp.NewStreamableHTTPHandler(get, &mcp.StreamableHTTPOptions{
		MaxRequestBodyBytes: maxBody, DisableLocalhostProtection: true, // ep.sessions ends those that are idle
	})
	ep.modern = mcp.NewStreamableHTTPHandler(get, &mcp.StreamableHTTPOptions{
		Stateless: true, PropagateRequestCancellation: true, MaxRequestBodyBytes: maxBody, DisableLocalhostProtection: true,
	})
	ep.sessions.max, ep.sessions.live, ep.sessions.end = s.o.MaxSessions, ep.liveSessions, ep.endSession
	ep.sessions.idle = s.o.SessionIdle
	ep.sessions.each = (s.o.MaxSessions + 1) / 2 // of those who have to share
	return ep, nil
}

// recovering keeps a panic in any method from ending the process, and gives
// every error a code.
func (ep *endpoint) recovering(next mcp.MethodHandler) mcp.MethodHandler {
	return func(ctx context.Context, method string, req mcp.Request) (res mcp.Result, err error) {
		defer func() {
			if v := recover(); v != nil {
				f := fault.Defect(fmt.Errorf("panic: value of type %T", v))
				ep.server.log.ErrorContext(ctx, "method panicked", "method", method,
					"error_id", f.Data["error_id"], "stack", string(debug.Stack()))
				res, err = nil, &jsonrpc.Error{Code: jsonrpc.CodeInternalError, Message: f.Error()}
			}
		}()
		res, err = next(ctx, method, req)
		if err != nil {
			return nil, protocolError(method, err)
		}
		return res, nil
	}
}

// handler runs one tool under the server's policy and lifetime.
func (ep *endpoint) handler(b tool.Bound) mcp.ToolHandler {
	return func(ctx context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		return ep.run(ctx, b, incomingOf(req.Session, req.Extra, req.Params, req.Params.Arguments)), nil
	}
}

// incoming is the request that a tool is called for.
type incoming struct {
	requestEnvelope              // with the session as that of the principal
	trace           trace.Parent // that the message itself names
	notify          tool.Notify  // nil when nobody asked for progress
	arguments       json.RawMessage
}

// incomingOf is a request that came through the SDK.
func incomingOf(ss *mcp.ServerSession, extra *mcp.RequestExtra, params mcp.RequestParams, args json.RawMessage) incoming {
	in := incoming{requestEnvelope: envelopeOf(extra), trace: trace.ParentInMeta(params.GetMeta()), arguments: args}
	in.Principal.Session = ss.ID()
	if token := params.GetProgressToken(); token != nil {
		in.notify = notifier(ss, token)
	}
	return in
}

// run calls a tool for a request.
func (ep *endpoint) run(ctx context.Context, b tool.Bound, in incoming) *mcp.CallToolResult {
	s := ep.server
	policy := s.o.Policy
	end, ok := s.begin()
	defer end()
	if !ok {
		policy.Authorize = func(context.Context, tool.Spec) error { return shuttingDown() }
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	defer context.AfterFunc(s.life, cancel)()
	defer ep.sessions.during(in.Principal.Session, cancel)()
	ctx = in.introduce(ctx)
	policy.Spend = func(context.Context, tool.Spec) error { return in.Allowance.fault(time.Now()) }
	if in.notify != nil {
		ctx = tool.WithProgress(ctx, in.notify)
	}
	return b.Call(ctx, policy, in.arguments)
}

func shuttingDown() error {
	return fault.New(fault.Unavailable, "shutting_down", "The server is shutting down and takes no more calls.",
		"Call again in a moment; it may be restarting.").WithRetryAfter(5 * time.Second)
}

func notifier(ss *mcp.ServerSession, token any) tool.Notify {
	return func(ctx context.Context, done, total float64, message string) {
		// A client that went away cannot be told; the call goes on.
		_ = ss.NotifyProgress(ctx, &mcp.ProgressNotificationParams{
			ProgressToken: token, Progress: done, Total: total, Message: message,
		})
	}
}

// introduce puts the caller and the request id into the context of a call.
func (in incoming) introduce(ctx context.Context) context.Context {
	ctx = observe.WithRequestID(ctx, in.RequestID)
	ctx = context.WithValue(ctx, originKey{}, origin{via: in.Parent, own: in.trace})
	if in.Message != "" {
		ctx = tool.WithMessage(ctx, in.Principal.Session+" "+in.Message)
	}
	return tool.WithCaller(tool.WithTrace(ctx, in.RequestID), in.Principal)
}

// liveSessions lists the sessions of the era that has them.
func (ep *endpoint) liveSessions() map[string]bool {
	live := map[string]bool{}
	for ss := range ep.mcp.Sessions() {
		if id := ss.ID(); id != "" {
			live[id] = true
		}
	}
	return live
}

// endSession ends one session.
func (ep *endpoint) endSession(id string) {
	for ss := range ep.mcp.Sessions() {
		if ss.ID() == id {
			_ = ss.Close() // a session that is already gone is ended
		}
	}
}

// close ends every session. Their calls have ended before.
func (ep *endpoint) close() {
	for ss := range ep.mcp.Sessions() {
		_ = ss.Close() // a session that is already gone is closed
	}
	ep.sessions.close()
}
