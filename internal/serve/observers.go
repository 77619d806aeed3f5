package serve

import (
	"context"
	"net/http"
	"slices"
	"strings"

	"github.com/legwork-mcp/legwork/internal/auth/oauth"
	"github.com/legwork-mcp/legwork/internal/fault"
	"github.com/legwork-mcp/legwork/internal/observe"
	"github.com/legwork-mcp/legwork/internal/observe/audit"
	"github.com/legwork-mcp/legwork/internal/observe/metrics"
	"github.com/legwork-mcp/legwork/internal/observe/trace"
	"github.com/legwork-mcp/legwork/internal/tool"
)

// Observers learn what the server does. The zero value tells nobody.
type Observers struct {
	Metrics *metrics.Metrics // nil counts nothing, and there is no /metrics
	Tracer  *trace.Tracer    // nil makes no spans
	Audit   *audit.Log       // nil keeps no record
	// AuditRequired refuses calls that change something while the audit log
	// cannot be written.
	AuditRequired bool
}

// MetricsScope is what a token needs for /metrics where calls need one.
const MetricsScope = "metrics:read"

const (
	metricsPath = "/metrics"
	healthPath  = "/health"
	readyPath   = "/ready"
)

// MetricsOptions are the names that the labels of a server's metrics may have.
func MetricsOptions(version string, endpoints []Endpoint) metrics.Options {
	o := metrics.Options{Version: version, Routes: []string{metricsPath, healthPath, readyPath}}
	for _, e := range endpoints {
		o.Routes = append(o.Routes, e.Path)
		for _, b := range e.Tools {
			o.Tools = append(o.Tools, b.Spec.Name)
		}
	}
	return o
}

// observed adds the observers to the policy: traces first, since the others name
// the trace.
func (s *Server) observed() {
	o, p := s.o.Observe, &s.o.Policy
	watch := []tool.Watcher{traced{o.Tracer}}
	if o.Metrics != nil {
		watch = append(watch, counted{o.Metrics})
	}
	if o.Audit != nil {
		a := audited{o.Audit, s}
		watch = append(watch, a)
		p.Record = a.record
	}
	p.Watch = slices.Concat(watch, p.Watch)
}

// gauges adds the numbers that this package knows.
func (s *Server) gauges() error {
	if s.o.Observe.Metrics == nil {
		return nil
	}
	return s.o.Observe.Metrics.Gauge("sessions", "Sessions of clients that have them.", func() float64 {
		n := 0
		for _, ep := range s.endpoints {
			n += len(ep.liveSessions())
		}
		return float64(n)
	})
}

// route is the pattern for a path: the path itself when something is served
// there, so that no client can invent one.
func (s *Server) route(path string) string {
	if path == metricsPath || path == healthPath || path == readyPath {
		return path
	}
	for _, ep := range s.endpoints {
		if path == ep.Path || path == strings.TrimSuffix(ep.Path, "/") {
			return ep.Path
		}
	}
	return ""
}

// began tells that a request came. The function that it returns tells what it was
// answered. Looks at the server's state are not traced: they never end.
func (o Observers) began(r *http.Request, route string) (context.Context, func(status int)) {
	ctx, traced := r.Context(), func(int) {}
	if route != metricsPath && route != healthPath && route != readyPath {
		ctx, traced = o.Tracer.Request(r, route)
	}
	return ctx, func(status int) {
		if status == 0 {
			status = http.StatusOK // net/http's own, when a handler wrote none
		}
		traced(status)
		if o.Metrics != nil {
			o.Metrics.Request(route, r.Method, status)
		}
	}
}

// looked tells how the look at a caller ended.
func (o Observers) looked(refusal *oauth.Error) {
	switch {
	case o.Metrics == nil:
	case refusal == nil:
		o.Metrics.Auth("ok")
	default:
		o.Metrics.Auth(string(refusal.Code))
	}
}

// metrics answers a scrape. Where calls need a token, so does this: how much a
// server is used is not for everybody.
func (s *Server) metrics(w http.ResponseWriter, r *http.Request) {
	if a := s.o.Access; a != nil {
		who, refusal := a.identify(r)
		if refusal == nil && !who.Has(MetricsScope) {
			refusal = oauth.Insufficient(MetricsScope)
		}
		s.o.Observe.looked(refusal)
		if refusal != nil {
			challenge(w.Header(), refusal, "", MetricsScope)
			writeJSON(w, refusal.Status(), map[string]any{"error": string(refusal.Code), "message": refusal.Error()})
			return
		}
	}
	s.o.Observe.Metrics.Handler().ServeHTTP(w, r)
}

// origin is what a call belongs to in a trace.
type origin struct{ via, own trace.Parent }

type originKey struct{}

// traced makes a span of each call.
type traced struct{ *trace.Tracer }

// Begin implements tool.Watcher.
func (t traced) Begin(ctx context.Context, s tool.Spec) (context.Context, func(tool.Outcome)) {
	from, _ := ctx.Value(originKey{}).(origin)
	ctx, end := t.Call(ctx, s.Name, from.via, from.own)
	return ctx, func(o tool.Outcome) { end(o.Result, faultType(o)) }
}

// counted counts each call.
type counted struct{ *metrics.Metrics }

// Begin implements tool.Watcher.
func (c counted) Begin(ctx context.Context, s tool.Spec) (context.Context, func(tool.Outcome)) {
	end := c.CallBegan(s.Name)
	return ctx, func(o tool.Outcome) {
		kind := ""
		if o.Fault != nil {
			kind = string(o.Fault.Kind)
		}
		end(o.Result, kind, o.Took)
		if faultType(o) == TypeRateLimit {
			c.Refused(s.Name)
		}
	}
}

// audited writes down each call.
type audited struct {
	log    *audit.Log
	server *Server
}

// record writes down that a call is about to change something.
func (a audited) record(ctx context.Context, s tool.Spec) error {
	if s.Effect == tool.Read {
		return nil
	}
	e := a.entry(ctx, s)
	e.Event, e.IDs = audit.EventBegin, tool.Named(ctx)
	err := a.log.Append(e, audit.Synced)
	if err == nil || a.server.o.Observe.AuditRequired {
		return err
	}
	a.complain(ctx, err)
	return nil
}

// Begin implements tool.Watcher.
func (a audited) Begin(ctx context.Context, s tool.Spec) (context.Context, func(tool.Outcome)) {
	return ctx, func(o tool.Outcome) {
		e := a.entry(ctx, s)
		e.Event, e.Outcome, e.Fault, e.DurationMS, e.IDs = audit.EventEnd, o.Result, faultType(o), o.Took.Milliseconds(), o.IDs
		durability := audit.Written
		if s.Effect != tool.Read {
			durability = audit.Synced
		}
		if err := a.log.Append(e, durability); err != nil {
			a.complain(ctx, err)
		}
	}
}

func (a audited) complain(ctx context.Context, err error) {
	a.server.log.ErrorContext(ctx, "the audit log cannot be written", "error", err, "cause", fault.From(err).Cause)
}

// entry is what is known about a call at any time.
func (a audited) entry(ctx context.Context, s tool.Spec) audit.Entry {
	who := tool.Caller(ctx)
	return audit.Entry{
		Subject: who.ID(), Client: who.Client, Tool: s.Name, Effect: s.Effect.String(),
		RequestID: observe.RequestID(ctx), TraceID: observe.TraceID(ctx),
	}
}

func faultType(o tool.Outcome) string {
	if o.Fault == nil {
		return ""
	}
	return o.Fault.Type
}
