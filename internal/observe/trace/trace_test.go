package trace_test

import (
	"bytes"
	"context"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/legwork-mcp/legwork/internal/fault"
	"github.com/legwork-mcp/legwork/internal/observe"
	"github.com/legwork-mcp/legwork/internal/observe/trace"
)

const (
	clientTrace = "4bf92f3577b34da6a3ce929d0e0e4736"
	clientSpan  = "00f067aa0ba902b7"
	callTrace   = "0af7651916cd43dd8448eb211c80319c"
	callSpan    = "b7ad6b7169203331"
	canary      = "078-05-1120"
)

func parent(trace, span string) string { return "00-" + trace + "-" + span + "-01" }

func start(t *testing.T, o trace.Options) *trace.Tracer {
	t.Helper()
	if o.Client == nil {
		o.Client = &http.Client{}
	}
	tracer, err := trace.New(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	return tracer
}

// request is a POST of a client that traces.
func request(header string) *http.Request {
	r := httptest.NewRequest(http.MethodPost, "/mcp?secret="+canary, strings.NewReader(canary))
	r.Header.Set("Authorization", "Bearer "+canary)
	if header != "" {
		r.Header.Set("Traceparent", header)
	}
	return r
}

func TestARequestAndItsCallAreOneTrace(t *testing.T) {
	c := newCollector(t)
	tracer := start(t, trace.Options{Endpoint: c.URL + "/", Version: "1.2.3", Headers: "api-key=p%20w, x=1"})
	ctx, answered := tracer.Request(request(parent(clientTrace, clientSpan)), "/mcp")
	if got := observe.TraceID(ctx); got != clientTrace {
		t.Errorf("the log would name the trace %q", got)
	}
	// The call may run under another context: what it belongs to is carried there.
	callCtx, ended := tracer.Call(t.Context(), "desk_do", trace.ParentOf(ctx), trace.Parent{})
	if got := observe.TraceID(callCtx); got != clientTrace {
		t.Errorf("the log of the call would name the trace %q", got)
	}
	ended("error", "no_browser")
	answered(http.StatusOK)
	if err := tracer.Shutdown(t.Context()); err != nil {
		t.Fatal(err)
	}
	spans := c.spans()
	http, call := spans["POST /mcp"], spans["tools/call desk_do"]
	if len(spans) != 2 || http == nil || call == nil {
		t.Fatalf("spans: %v", c.everything())
	}
	if id(http.TraceId) != clientTrace || id(http.ParentSpanId) != clientSpan {
		t.Errorf("the request is in trace %s below %s", id(http.TraceId), id(http.ParentSpanId))
	}
	if id(call.TraceId) != clientTrace || id(call.ParentSpanId) != id(http.SpanId) {
		t.Errorf("the call is in trace %s below %s, the request is %s", id(call.TraceId), id(call.ParentSpanId), id(http.SpanId))
	}
	want := map[string]string{"http.request.method": "POST", "http.route": "/mcp", "http.response.status_code": "200"}
	if diff := cmp.Diff(want, attributes(http)); diff != "" {
		t.Errorf("attributes of the request (-want +got):\n%s", diff)
	}
	want = map[string]string{"mcp.method.name": "tools/call", "gen_ai.tool.name": "desk_do", "legwork.outcome": "error", "error.type": "no_browser"}
	if diff := cmp.Diff(want, attributes(call)); diff != "" {
		t.Errorf("attributes of the call (-want +got):\n%s", diff)
	}
	if http.Status.GetCode() != 0 || call.Status.GetCode() != 2 {
		t.Errorf("status %v and %v", http.Status, call.Status)
	}
	all := c.everything()
	for _, want := range []string{"service.name", `"legwork"`, "1.2.3"} {
		if !strings.Contains(all, want) {
			t.Errorf("%s is missing: %s", want, all)
		}
	}
	if strings.Contains(all, canary) {
		t.Errorf("a value is in the trace: %s", all)
	}
	if c.path != "/v1/traces" || c.headers.Get("Api-Key") != "p w" || c.headers.Get("X") != "1" {
		t.Errorf("sent to %s with %v", c.path, c.headers)
	}
}

func TestACallThatNamesItsOwnTrace(t *testing.T) {
	c := newCollector(t)
	tracer := start(t, trace.Options{TracesEndpoint: c.URL + "/in"})
	ctx, answered := tracer.Request(request(parent(clientTrace, clientSpan)), "/mcp")
	meta := map[string]any{"traceparent": parent(callTrace, callSpan), "tracestate": "vendor=1"}
	ctx, ended := tracer.Call(ctx, "desk_do", trace.ParentOf(ctx), trace.ParentInMeta(meta))
	ended("ok", "")
	answered(http.StatusOK)
	if err := tracer.Shutdown(t.Context()); err != nil {
		t.Fatal(err)
	}
	call, via := c.spans()["tools/call desk_do"], c.spans()["POST /mcp"]
	if id(call.GetTraceId()) != callTrace || id(call.ParentSpanId) != callSpan || call.TraceState != "vendor=1" {
		t.Errorf("the call is in trace %s below %s with %q", id(call.GetTraceId()), id(call.ParentSpanId), call.TraceState)
	}
	if len(call.Links) != 1 || id(call.Links[0].SpanId) != id(via.GetSpanId()) {
		t.Errorf("links %v, the request is %s", call.Links, id(via.GetSpanId()))
	}
	if observe.TraceID(ctx) != callTrace || c.path != "/in" {
		t.Errorf("the log names %q, sent to %s", observe.TraceID(ctx), c.path)
	}
}

// Nothing that a client writes there may do more than be ignored.
func TestMalformedParentsAreIgnored(t *testing.T) {
	bad := map[string]string{
		"words": "hello " + canary, "zero trace": parent(strings.Repeat("0", 32), clientSpan), "zero span": parent(clientTrace, strings.Repeat("0", 16)),
		"capitals": strings.ToUpper(parent(clientTrace, "00f067aa0ba902bf")), "version ff": "ff-" + clientTrace + "-" + clientSpan + "-01",
		"long": "01" + strings.TrimPrefix(parent(clientTrace, clientSpan), "00") + strings.Repeat("-x", 1<<16), "no hex": parent(strings.Repeat("g", 32), clientSpan),
	}
	for name, text := range bad {
		t.Run(name, func(t *testing.T) {
			c := newCollector(t)
			tracer := start(t, trace.Options{Endpoint: c.URL})
			ctx, answered := tracer.Request(request(text), "/mcp")
			own := observe.TraceID(ctx)
			ctx, ended := tracer.Call(ctx, "desk_do", trace.ParentOf(ctx), trace.ParentInMeta(map[string]any{"traceparent": text}))
			ended("ok", "")
			answered(http.StatusOK)
			if err := tracer.Shutdown(t.Context()); err != nil {
				t.Fatal(err)
			}
			if len(own) != 32 || own == clientTrace || observe.TraceID(ctx) != own {
				t.Errorf("the request is in trace %q, the call in %q", own, observe.TraceID(ctx))
			}
			if s := c.spans()["tools/call desk_do"]; len(s.GetLinks()) != 0 || strings.Contains(c.everything(), canary) {
				t.Errorf("the span: %v", s)
			}
		})
	}
	for name, meta := range map[string]map[string]any{"no meta": nil, "a number": {"traceparent": 1.5}, "a list": {"traceparent": []any{parent(clientTrace, clientSpan)}}} {
		if p := trace.ParentInMeta(meta); p != (trace.Parent{}) {
			t.Errorf("%s: %+v", name, p)
		}
	}
	r := request(parent(clientTrace, clientSpan))
	r.Header.Add("Traceparent", parent(callTrace, callSpan))
	if ctx, _ := (&trace.Tracer{}).Request(r, ""); observe.TraceID(ctx) != "" {
		t.Errorf("one of two parents was chosen: %s", observe.TraceID(ctx))
	}
}

func TestNamesOfSpansDoNotComeFromClients(t *testing.T) {
	c := newCollector(t)
	tracer := start(t, trace.Options{Endpoint: c.URL})
	r := request("")
	r.Method = "PROPFIND" + canary
	_, answered := tracer.Request(r, "")
	answered(http.StatusInternalServerError)
	if err := tracer.Shutdown(t.Context()); err != nil {
		t.Fatal(err)
	}
	s := c.spans()["_OTHER"]
	if s.GetStatus().GetCode() != 2 || strings.Contains(c.everything(), canary) {
		t.Errorf("spans: %s", c.everything())
	}
}

// Without a collector there are no spans, but logs still name the client's trace.
func TestWithoutACollector(t *testing.T) {
	var none *trace.Tracer
	off := start(t, trace.Options{})
	for name, tracer := range map[string]*trace.Tracer{"none": none, "off": off} {
		ctx, answered := tracer.Request(request(parent(clientTrace, clientSpan)), "/mcp")
		ctx, ended := tracer.Call(ctx, "desk_do", trace.ParentOf(ctx), trace.Parent{})
		ended("ok", "")
		answered(http.StatusOK)
		if got := observe.TraceID(ctx); got != clientTrace {
			t.Errorf("%s: the log names %q", name, got)
		}
		if ctx, _ := tracer.Request(request(""), "/mcp"); observe.TraceID(ctx) != "" {
			t.Errorf("%s: a trace from nowhere: %q", name, observe.TraceID(ctx))
		}
		if err := tracer.Shutdown(t.Context()); err != nil {
			t.Error(err)
		}
	}
}

func TestUnusableSettings(t *testing.T) {
	for name, o := range map[string]trace.Options{
		"no scheme": {Endpoint: "127.0.0.1:4318"},
		"grpc":      {Endpoint: "grpc://127.0.0.1:4317"},
		"a login":   {Endpoint: "http://ann:" + canary + "@127.0.0.1:4318"},
		"a key":     {TracesEndpoint: "https://collector/v1/traces?key=" + canary},
		"no host":   {Endpoint: "http://"},
		"headers":   {Endpoint: "http://127.0.0.1:4318", Headers: observe.Secret(canary)},
		"escapes":   {Endpoint: "http://127.0.0.1:4318", Headers: observe.Secret("a=%zz" + canary)},
		"too much":  {Endpoint: "http://127.0.0.1:4318", Ratio: 1.5},
		"less":      {Endpoint: "http://127.0.0.1:4318", Ratio: -0.5},
	} {
		o.Client = &http.Client{}
		_, err := trace.New(t.Context(), o)
		if f := fault.From(err); f == nil || f.Kind != fault.Invalid || strings.Contains(f.Message+f.Action+err.Error(), canary) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// A client that asks to be sampled gets no more than its share.
func TestTheShareHoldsForClientsToo(t *testing.T) {
	c := newCollector(t)
	tracer := start(t, trace.Options{Endpoint: c.URL, Ratio: 1e-9})
	for range 50 {
		_, answered := tracer.Request(request(parent("ffffffffffffffffffffffffffffffff", clientSpan)), "/mcp")
		answered(http.StatusOK)
	}
	if err := tracer.Shutdown(t.Context()); err != nil {
		t.Fatal(err)
	}
	if n := len(c.spans()); n != 0 {
		t.Errorf("spans came: %s", c.everything())
	}
}

func TestACollectorThatFailsIsALineNowAndThen(t *testing.T) {
	answers := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		http.Error(w, "no: "+r.Header.Get("Api-Key")+strings.Repeat(" a page of words", 1000), http.StatusForbidden)
	}))
	t.Cleanup(answers.Close)
	gone := httptest.NewServer(nil)
	gone.Close()
	for name, url := range map[string]string{"refuses": answers.URL, "is not there": gone.URL} {
		t.Run(name, func(t *testing.T) {
			var log bytes.Buffer
			now := time.Date(2026, 1, 15, 14, 0, 0, 0, time.UTC)
			var tracer *trace.Tracer
			lines := func() int { return strings.Count(log.String(), "traces cannot be sent") }
			o := trace.Options{
				Endpoint: url, Headers: "api-key=" + observe.Secret(strings.ReplaceAll(canary, "-", "%2D")),
				Logger: slog.New(slog.NewTextHandler(&log, nil)), Clock: func() time.Time { return now },
			}
			tracer = start(t, o)
			for range 3 {
				_, answered := tracer.Request(request(""), "/mcp")
				answered(http.StatusOK)
				if err := tracer.Flush(t.Context()); err != nil {
					t.Errorf("whoever waits is bothered: %v", err)
				}
			}
			if lines() != 1 {
				t.Errorf("%d lines in a minute: %s", lines(), log.String())
			}
			now = now.Add(time.Minute)
			_, answered := tracer.Request(request(""), "/mcp")
			answered(http.StatusOK)
			if err := tracer.Shutdown(t.Context()); err != nil {
				t.Error(err)
			}
			if lines() != 2 || !strings.Contains(log.String(), "lost_spans=3") {
				t.Errorf("a minute later: %s", log.String())
			}
			if strings.Contains(log.String(), canary) || log.Len() > 2000 {
				t.Errorf("the log: %s", log.String())
			}
		})
	}
}

// A collector that takes a connection and says nothing.
func TestShutdownKeepsItsDeadline(t *testing.T) {
	release := make(chan struct{})
	arrived := make(chan struct{}, 10)
	silent := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {
		arrived <- struct{}{}
		<-release
	}))
	t.Cleanup(func() { close(release); silent.Close() })
	tracer := start(t, trace.Options{Endpoint: silent.URL})
	_, answered := tracer.Request(request(""), "/mcp")
	answered(http.StatusOK)
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error)
	go func() { ended <- tracer.Shutdown(ctx) }()
	<-arrived
	cancel()
	if err := <-ended; err == nil {
		t.Error("it says that everything was sent")
	}
}
