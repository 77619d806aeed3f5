package trace

import (
	"context"
	"log/slog"
	"strings"
	"sync"
	"time"

	sdk "go.opentelemetry.io/otel/sdk/trace"

	"github.com/legwork-mcp/legwork/internal/observe"
)

const (
	quietTime = time.Minute // between two lines about failed exports
	maxReason = 300         // bytes of the reason: a collector may answer with a page
)

// quiet is an exporter whose failures become a log line now and then. The SDK
// would hand them to a handler that is global.
type quiet struct {
	sdk.SpanExporter
	log   *slog.Logger
	clock func() time.Time
	// secrets are the values of the headers, which a collector could quote.
	secrets []string

	mu   sync.Mutex
	said time.Time
	lost int // spans since then
}

func newQuiet(next sdk.SpanExporter, o Options, headers map[string]string) *quiet {
	q := &quiet{SpanExporter: next, log: o.Logger, clock: o.Clock}
	if q.log == nil {
		q.log = slog.New(slog.DiscardHandler)
	}
	if q.clock == nil {
		q.clock = time.Now
	}
	for _, value := range headers {
		if value != "" {
			q.secrets = append(q.secrets, value)
		}
	}
	return q
}

// ExportSpans sends spans, or forgets them.
func (q *quiet) ExportSpans(ctx context.Context, spans []sdk.ReadOnlySpan) error {
	err := q.SpanExporter.ExportSpans(ctx, spans)
	if err == nil {
		return nil
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	q.lost += len(spans)
	now := q.clock()
	if !q.said.IsZero() && now.Sub(q.said) < quietTime {
		return nil
	}
	q.log.WarnContext(ctx, "traces cannot be sent", "lost_spans", q.lost, "reason", q.reason(err))
	q.said, q.lost = now, 0
	return nil
}

// reason is the text of an error, without secrets and not too long.
func (q *quiet) reason(err error) string {
	text := err.Error()
	for _, s := range q.secrets {
		text = strings.ReplaceAll(text, s, observe.Mask)
	}
	return text[:min(len(text), maxReason)]
}
