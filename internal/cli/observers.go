package cli

import (
	"context"
	"errors"
	"net/http"
	"time"

	"github.com/legwork-mcp/legwork/internal/browser"
	"github.com/legwork-mcp/legwork/internal/observe"
	"github.com/legwork-mcp/legwork/internal/observe/audit"
	"github.com/legwork-mcp/legwork/internal/observe/metrics"
	"github.com/legwork-mcp/legwork/internal/observe/trace"
	"github.com/legwork-mcp/legwork/internal/serve"
)

// lastTraces is how long the end of the program may wait for a collector.
const lastTraces = 5 * time.Second

// observe has the settings' observers look at a server whose endpoints are known.
// The returned function ends them.
func (k *kit) observe(ctx context.Context, o *serve.Options) (done func(), err error) {
	c := k.cfg
	seen := &o.Observe
	if c.Metrics {
		seen.Metrics = metrics.New(serve.MetricsOptions(Version(), o.Endpoints))
		if err := k.gauges(seen.Metrics); err != nil {
			return nil, err
		}
	}
	seen.Tracer, err = trace.New(ctx, trace.Options{
		Endpoint: c.OTLPEndpoint, TracesEndpoint: c.OTLPTracesEndpoint, Headers: observe.Secret(c.OTLPHeaders), Ratio: float64(c.TracePercent) / 100,
		Service: c.ServiceName, Version: Version(), Client: &http.Client{Timeout: 2 * lastTraces}, Logger: k.log,
	})
	if err != nil {
		return nil, err
	}
	if c.AuditLog != "" {
		seen.AuditRequired = c.AuditRequired
		seen.Audit, err = audit.Open(audit.Options{Path: c.AuditLog, MaxBytes: int64(c.AuditMaxMB) << 20, Logger: k.log})
	}
	stop := func() { k.unobserve(*seen) }
	if err != nil {
		stop()
		return nil, err
	}
	return stop, nil
}

// unobserve sends the last traces and closes the audit log.
func (k *kit) unobserve(seen serve.Observers) {
	ctx, cancel := context.WithTimeout(context.Background(), lastTraces) // what ended the program must not end this
	defer cancel()
	err := seen.Tracer.Shutdown(ctx)
	if seen.Audit != nil {
		seq, head := seen.Audit.Head()
		k.log.Info("the audit log ends", "seq", seq, "head", head)
		err = errors.Join(err, seen.Audit.Close())
	}
	if err != nil {
		k.log.Warn("the end of what was observed", "error", err)
	}
}

// gauges adds the state of the browsers.
func (k *kit) gauges(m *metrics.Metrics) error {
	sum := func(of func(browser.Stats) int) func() float64 {
		return func() float64 { return float64(of(k.pool.Stats()) + of(k.field.Stats())) }
	}
	return errors.Join(
		m.Gauge("browsers", "Browsers that run.", sum(func(s browser.Stats) int { return s.Browsers })),
		m.Gauge("browser_tabs", "Browser tabs in use.", sum(func(s browser.Stats) int { return s.Tabs })),
		m.Gauge("browser_slots", "Browser tabs that may be in use at the same time.", sum(func(s browser.Stats) int { return s.Slots })),
		m.Gauge("browser_queue", "Callers that wait for a browser tab.", sum(func(s browser.Stats) int { return s.Waiting })),
	)
}
