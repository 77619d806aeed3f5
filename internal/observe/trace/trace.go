package trace

import (
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"net/url"
	"strings"
	"time"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/exporters/otlp/otlptrace/otlptracehttp"
	"go.opentelemetry.io/otel/sdk/resource"
	sdk "go.opentelemetry.io/otel/sdk/trace"
	api "go.opentelemetry.io/otel/trace"
	"go.opentelemetry.io/otel/trace/noop"

	"github.com/legwork-mcp/legwork/internal/fault"
	"github.com/legwork-mcp/legwork/internal/observe"
)

// Options are everything a Tracer needs. The names beside them are those of the
// OpenTelemetry specification, under which the settings come in.
type Options struct {
	// Endpoint is the base URL of a collector that takes OTLP over HTTP, such as
	// http://127.0.0.1:4318; /v1/traces is added (OTEL_EXPORTER_OTLP_ENDPOINT).
	// Empty, and TracesEndpoint too, sends nothing.
	Endpoint string
	// TracesEndpoint is the URL for traces as it is
	// (OTEL_EXPORTER_OTLP_TRACES_ENDPOINT); it goes before Endpoint.
	TracesEndpoint string
	// Headers go with every export: NAME=VALUE pairs, the values escaped as in
	// URLs, with commas between (OTEL_EXPORTER_OTLP_HEADERS).
	Headers observe.Secret
	// Ratio is the share of traces that are sent, above 0 up to 1; zero is 1.
	Ratio float64
	// Service and Version name this program (OTEL_SERVICE_NAME; empty is legwork).
	Service, Version string
	// Client sends the exports. It is needed when there is an endpoint.
	Client *http.Client
	// Logger learns now and then that exports fail; nil logs nothing.
	Logger *slog.Logger
	// Clock is time.Now unless a test replaces it.
	Clock func() time.Time
}

// The bounds of what waits for the collector.
const (
	queued        = 2048             // spans; more are dropped
	batchTime     = 5 * time.Second  // the most time that a span waits
	exportTimeout = 10 * time.Second // of one batch, with its retries
)

// Tracer makes spans. The zero value makes none. It is safe for concurrent use.
type Tracer struct {
	provider *sdk.TracerProvider // nil without a collector
	tracer   api.Tracer
}

// scope names this package in spans.
const scope = "github.com/legwork-mcp/legwork/internal/observe/trace"

// New starts what sends spans, when an endpoint is set. It does not connect: the
// collector may come later. Shutdown ends it.
func New(ctx context.Context, o Options) (*Tracer, error) {
	if o.Endpoint == "" && o.TracesEndpoint == "" {
		return &Tracer{}, nil
	}
	at, err := o.url()
	if err != nil {
		return nil, err
	}
	headers, err := parseHeaders(o.Headers)
	if err != nil {
		return nil, err
	}
	if o.Ratio < 0 || o.Ratio > 1 {
		return nil, invalid("The share of traces must be above 0 and at most 1.", "Choose a share such as 0.1, or none to send all.")
	}
	if o.Client == nil {
		return nil, fmt.Errorf("start tracing: there is no HTTP client")
	}
	exporter, err := otlptracehttp.New(ctx, otlptracehttp.WithEndpointURL(at), otlptracehttp.WithHeaders(headers),
		otlptracehttp.WithHTTPClient(o.Client), otlptracehttp.WithRetry(otlptracehttp.RetryConfig{
			Enabled: true, InitialInterval: time.Second, MaxInterval: 4 * time.Second, MaxElapsedTime: exportTimeout,
		}))
	if err != nil {
		return nil, fmt.Errorf("start tracing: %w", err)
	}
	provider := sdk.NewTracerProvider(
		sdk.WithBatcher(newQuiet(exporter, o, headers), sdk.WithMaxQueueSize(queued), sdk.WithBatchTimeout(batchTime), sdk.WithExportTimeout(exportTimeout)),
		sdk.WithSampler(sampler(o.Ratio)), sdk.WithResource(o.resource()),
	)
	return &Tracer{provider: provider, tracer: provider.Tracer(scope, api.WithInstrumentationVersion(o.Version))}, nil
}

// sampler decides about traces that begin here and those that a client began
// alike: a client's wish to be sampled is not a reason to send more.
func sampler(ratio float64) sdk.Sampler {
	if ratio == 0 {
		ratio = 1
	}
	share := sdk.TraceIDRatioBased(ratio)
	return sdk.ParentBased(share, sdk.WithRemoteParentSampled(share))
}

func (o Options) resource() *resource.Resource {
	name := o.Service
	if name == "" {
		name = "legwork"
	}
	return resource.NewSchemaless(attribute.String("service.name", name), attribute.String("service.version", o.Version))
}

// url is where traces go.
func (o Options) url() (string, error) {
	text := o.TracesEndpoint
	if text == "" {
		text = o.Endpoint
	}
	u, err := url.Parse(text)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" || u.User != nil || u.RawQuery != "" {
		return "", invalid("The address of the trace collector is not usable.",
			"Set OTEL_EXPORTER_OTLP_ENDPOINT to a URL such as http://127.0.0.1:4318; a key or a login belongs into OTEL_EXPORTER_OTLP_HEADERS.")
	}
	if o.TracesEndpoint == "" {
		u = u.JoinPath("v1", "traces")
	}
	return u.String(), nil
}

// parseHeaders never quotes what it reads.
func parseHeaders(text observe.Secret) (map[string]string, error) {
	headers := map[string]string{}
	for part := range strings.SplitSeq(text.Reveal(), ",") {
		part = strings.TrimSpace(part)
		if part == "" {
			continue
		}
		name, value, found := strings.Cut(part, "=")
		value, err := url.PathUnescape(strings.TrimSpace(value))
		if !found || err != nil || strings.TrimSpace(name) == "" {
			return nil, invalid("The headers for the trace collector are not usable.",
				"Write OTEL_EXPORTER_OTLP_HEADERS as NAME=VALUE pairs with commas between.")
		}
		headers[strings.TrimSpace(name)] = value
	}
	return headers, nil
}

func invalid(message, action string) error {
	return fault.New(fault.Invalid, "invalid_setting", message, action)
}

// Shutdown sends what still waits, until ctx ends.
func (t *Tracer) Shutdown(ctx context.Context) error {
	if t == nil || t.provider == nil {
		return nil
	}
	if err := t.provider.Shutdown(ctx); err != nil {
		return fmt.Errorf("send the last traces: %w", err)
	}
	return nil
}

// Flush sends what waits, until ctx ends. Failures of the collector are logged.
func (t *Tracer) Flush(ctx context.Context) error {
	if t == nil || t.provider == nil {
		return nil
	}
	if err := t.provider.ForceFlush(ctx); err != nil {
		return fmt.Errorf("send traces: %w", err)
	}
	return nil
}

// start begins a span and lets the log lines of its context carry the trace id.
func (t *Tracer) start(ctx context.Context, name string, options ...api.SpanStartOption) (context.Context, api.Span) {
	tracer := api.Tracer(noop.Tracer{})
	if t != nil && t.tracer != nil {
		tracer = t.tracer
	}
	ctx, span := tracer.Start(ctx, name, options...)
	if id := span.SpanContext().TraceID(); id.IsValid() {
		ctx = observe.WithTraceID(ctx, id.String())
	}
	return ctx, span
}
