package trace

import (
	"context"
	"net/http"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/propagation"
	api "go.opentelemetry.io/otel/trace"
)

// Parent is the place in a trace that something belongs to, as W3C Trace Context
// writes it.
type Parent struct {
	Traceparent string
	Tracestate  string
}

// maxContext is the most bytes of either text that are looked at: a traceparent
// has 55, and 512 of a tracestate must be passed on (W3C Trace Context, 3.3.1.5).
const maxContext = 512

// ParentOf is the span of ctx, to be carried to where ctx does not reach.
func ParentOf(ctx context.Context) Parent {
	if !api.SpanContextFromContext(ctx).IsValid() {
		return Parent{}
	}
	c := propagation.MapCarrier{}
	propagation.TraceContext{}.Inject(ctx, c)
	return Parent{c["traceparent"], c["tracestate"]}
}

// ParentInMeta reads the _meta of an MCP request (SEP-414).
func ParentInMeta(meta map[string]any) Parent {
	parent, _ := meta["traceparent"].(string)
	state, _ := meta["tracestate"].(string)
	return Parent{parent, state}
}

// parentInHeaders reads the headers of a request. More than one traceparent is
// none (W3C Trace Context, 3.2).
func parentInHeaders(h http.Header) Parent {
	if len(h.Values("Traceparent")) != 1 {
		return Parent{}
	}
	return Parent{h.Get("Traceparent"), h.Get("Tracestate")}
}

// context makes spans under ctx children of p. A parent that is not well formed
// is none, and then ctx stays as it is.
func (p Parent) context(ctx context.Context) (context.Context, bool) {
	if p.Traceparent == "" || len(p.Traceparent) > maxContext {
		return ctx, false
	}
	c := propagation.MapCarrier{"traceparent": p.Traceparent}
	if len(p.Tracestate) <= maxContext {
		c["tracestate"] = p.Tracestate
	}
	sc := api.SpanContextFromContext(propagation.TraceContext{}.Extract(context.Background(), c))
	if !sc.IsValid() {
		return ctx, false
	}
	return api.ContextWithRemoteSpanContext(ctx, sc), true
}

// knownMethods are the ones that a span names, as its convention demands.
var knownMethods = map[string]bool{
	http.MethodGet: true, http.MethodHead: true, http.MethodPost: true, http.MethodPut: true, http.MethodPatch: true,
	http.MethodDelete: true, http.MethodOptions: true, http.MethodConnect: true, http.MethodTrace: true,
}

// Request begins the span of an HTTP request, as a part of the trace that its
// headers name. The route is the pattern that matched, or "". The function that
// it returns ends the span with the status of the answer. The attributes are
// those of OpenTelemetry's semantic conventions for HTTP servers.
func (t *Tracer) Request(r *http.Request, route string) (context.Context, func(status int)) {
	ctx, _ := parentInHeaders(r.Header).context(r.Context())
	method := r.Method
	if !knownMethods[method] {
		method = "_OTHER"
	}
	name, attributes := method, []attribute.KeyValue{attribute.String("http.request.method", method)}
	if route != "" {
		name += " " + route
		attributes = append(attributes, attribute.String("http.route", route))
	}
	ctx, span := t.start(ctx, name, api.WithSpanKind(api.SpanKindServer), api.WithAttributes(attributes...))
	return ctx, func(status int) {
		span.SetAttributes(attribute.Int("http.response.status_code", status))
		if status >= http.StatusInternalServerError {
			span.SetStatus(codes.Error, "")
		}
		span.End()
	}
}

// Call begins the span of a tool call. It belongs to the trace that the call
// itself names in its _meta, and is then linked to the HTTP request that brought
// it; otherwise it is a part of that request. The function that it returns ends
// the span with the outcome (ok, failed or error) and the type of the fault or "".
func (t *Tracer) Call(ctx context.Context, tool string, via, own Parent) (context.Context, func(outcome, faultType string)) {
	options := []api.SpanStartOption{api.WithSpanKind(api.SpanKindServer), api.WithAttributes(
		attribute.String("mcp.method.name", "tools/call"), attribute.String("gen_ai.tool.name", tool),
	)}
	ctx, _ = via.context(ctx)
	request := api.SpanContextFromContext(ctx)
	ctx, named := own.context(ctx)
	if named && request.IsValid() {
		options = append(options, api.WithLinks(api.Link{SpanContext: request}))
	}
	ctx, span := t.start(ctx, "tools/call "+tool, options...)
	return ctx, func(outcome, faultType string) {
		span.SetAttributes(attribute.String("legwork.outcome", outcome))
		if faultType != "" {
			span.SetAttributes(attribute.String("error.type", faultType))
			span.SetStatus(codes.Error, "")
		}
		span.End()
	}
}
