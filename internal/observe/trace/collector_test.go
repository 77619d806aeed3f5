package trace_test

import (
	"encoding/hex"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	collect "go.opentelemetry.io/proto/otlp/collector/trace/v1"
	proto "go.opentelemetry.io/proto/otlp/trace/v1"
	"google.golang.org/protobuf/encoding/prototext"
	pb "google.golang.org/protobuf/proto"
)

// collector takes traces as a real one does.
type collector struct {
	*httptest.Server
	mu      sync.Mutex
	exports []*collect.ExportTraceServiceRequest
	headers http.Header
	path    string
}

func newCollector(t *testing.T) *collector {
	t.Helper()
	c := &collector{}
	c.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		raw, err := io.ReadAll(r.Body)
		req := &collect.ExportTraceServiceRequest{}
		if err == nil {
			err = pb.Unmarshal(raw, req)
		}
		if err != nil {
			t.Error(err)
		}
		c.mu.Lock()
		defer c.mu.Unlock()
		c.exports, c.headers, c.path = append(c.exports, req), r.Header.Clone(), r.URL.Path
		w.Header().Set("Content-Type", "application/x-protobuf")
	}))
	t.Cleanup(c.Close)
	return c
}

// spans are what came, by name.
func (c *collector) spans() map[string]*proto.Span {
	c.mu.Lock()
	defer c.mu.Unlock()
	out := map[string]*proto.Span{}
	for _, e := range c.exports {
		for _, r := range e.ResourceSpans {
			for _, s := range r.ScopeSpans {
				for _, span := range s.Spans {
					out[span.Name] = span
				}
			}
		}
	}
	return out
}

// everything is all that came, as text.
func (c *collector) everything() string {
	c.mu.Lock()
	defer c.mu.Unlock()
	var all strings.Builder
	for _, e := range c.exports {
		all.WriteString(prototext.Format(e))
	}
	return all.String()
}

// attributes are those of a span, as text.
func attributes(s *proto.Span) map[string]string {
	out := map[string]string{}
	for _, a := range s.GetAttributes() {
		out[a.Key] = a.Value.GetStringValue()
		if out[a.Key] == "" {
			out[a.Key] = strings.TrimSpace(strings.TrimPrefix(prototext.Format(a.Value), "int_value:"))
		}
	}
	return out
}

func id(b []byte) string { return hex.EncodeToString(b) }
