package metrics

import (
	"fmt"
	"net/http"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"github.com/legwork-mcp/legwork/internal/fault"
)

// Options name what labels may say.
type Options struct {
	Version string   // of the program
	Tools   []string // every tool
	Routes  []string // every route, as a pattern rather than a path that was asked for
}

// other stands for whatever is in no set.
const other = "other"

// The sets that are the same for every server.
var (
	outcomes = setOf([]string{"ok", "failed", "error"})
	kinds    = setOf(append(kindNames(), ""))
	methods  = setOf([]string{
		http.MethodGet, http.MethodHead, http.MethodPost, http.MethodDelete, http.MethodOptions, http.MethodPut, http.MethodPatch,
	})
	// results of looking at a caller: those of RFC 6750 section 3.1 and some more.
	results = setOf([]string{"ok", "no_token", "invalid_request", "invalid_token", "insufficient_scope", "unavailable"})
)

// buckets are the upper bounds, in seconds, for calls that take from a
// millisecond, such as a list, to minutes, such as a form.
var buckets = []float64{.001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10, 30, 60, 120, 300}

// Metrics are the counters of one server. The methods are safe for concurrent use.
type Metrics struct {
	registry *prometheus.Registry
	tools    set
	routes   set

	calls    *prometheus.CounterVec   // tool, outcome, kind
	took     *prometheus.HistogramVec // tool
	running  prometheus.Gauge
	requests *prometheus.CounterVec // route, method, status
	auth     *prometheus.CounterVec // result
	refusals *prometheus.CounterVec // tool
}

// New makes the counters.
func New(o Options) *Metrics {
	counter := func(name, help string, labels ...string) *prometheus.CounterVec {
		return prometheus.NewCounterVec(prometheus.CounterOpts{Namespace: "legwork", Name: name, Help: help}, labels)
	}
	m := &Metrics{
		registry: prometheus.NewRegistry(), tools: setOf(o.Tools), routes: setOf(o.Routes),
		calls: counter("tool_calls_total", "Tool calls that ended, by how, and by the kind of fault.", "tool", "outcome", "kind"),
		took: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Namespace: "legwork", Name: "tool_call_duration_seconds", Help: "How long tool calls took.", Buckets: buckets,
		}, []string{"tool"}),
		running:  prometheus.NewGauge(prometheus.GaugeOpts{Namespace: "legwork", Name: "tool_calls_in_flight", Help: "Tool calls that run."}),
		requests: counter("http_requests_total", "HTTP requests that were answered.", "route", "method", "status"),
		auth:     counter("auth_total", "Callers that were looked at, by the result.", "result"),
		refusals: counter("limit_refusals_total", "Tool calls that were refused because there were too many.", "tool"),
	}
	build := prometheus.NewGauge(prometheus.GaugeOpts{
		Namespace: "legwork", Name: "build_info", Help: "The version of the program; always 1.",
		ConstLabels: prometheus.Labels{"version": o.Version},
	})
	build.Set(1)
	m.registry.MustRegister(m.calls, m.took, m.running, m.requests, m.auth, m.refusals, build,
		collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}), collectors.NewBuildInfoCollector())
	return m
}

// CallBegan counts a tool call in. The function that it returns counts it out,
// with the outcome (ok, failed or error), the kind of fault or "", and the time
// that it took.
func (m *Metrics) CallBegan(tool string) func(outcome, kind string, took time.Duration) {
	tool = m.tools.or(tool)
	m.running.Inc()
	return func(outcome, kind string, took time.Duration) {
		m.running.Dec()
		m.calls.WithLabelValues(tool, outcomes.or(outcome), kinds.or(kind)).Inc()
		m.took.WithLabelValues(tool).Observe(took.Seconds())
	}
}

// Request counts an HTTP request that was answered with a status. The route is
// the pattern that matched.
func (m *Metrics) Request(route, method string, status int) {
	class := other
	if status >= 100 && status < 600 {
		class = fmt.Sprintf("%dxx", status/100)
	}
	m.requests.WithLabelValues(m.routes.or(route), methods.or(method), class).Inc()
}

// Auth counts a caller that was looked at: ok, no_token, invalid_request,
// invalid_token, insufficient_scope or unavailable.
func (m *Metrics) Auth(result string) { m.auth.WithLabelValues(results.or(result)).Inc() }

// Refused counts a call that a rate limit refused.
func (m *Metrics) Refused(tool string) { m.refusals.WithLabelValues(m.tools.or(tool)).Inc() }

// Gauge adds a number that is asked for at each scrape, such as the browsers that
// run: legwork_NAME. It must answer at once and may be asked at any time.
func (m *Metrics) Gauge(name, help string, read func() float64) error {
	g := prometheus.NewGaugeFunc(prometheus.GaugeOpts{Namespace: "legwork", Name: name, Help: help}, read)
	if err := m.registry.Register(g); err != nil {
		return fmt.Errorf("register the gauge %s: %w", name, err)
	}
	return nil
}

// Handler answers a scrape, a few at a time.
func (m *Metrics) Handler() http.Handler {
	return promhttp.HandlerFor(m.registry, promhttp.HandlerOpts{MaxRequestsInFlight: 4, Timeout: 10 * time.Second})
}

// set is what a label may say.
type set map[string]bool

func setOf(names []string) set {
	s := make(set, len(names))
	for _, n := range names {
		s[n] = true
	}
	return s
}

// or is the name itself if the set has it.
func (s set) or(name string) string {
	if s[name] {
		return name
	}
	return other
}

func kindNames() []string {
	var names []string
	for _, k := range fault.Kinds() {
		names = append(names, string(k))
	}
	return names
}
