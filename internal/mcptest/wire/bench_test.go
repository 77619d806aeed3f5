package wire

import (
	"context"
	"encoding/json"
	"net/http"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// BenchmarkCall is one call of a tool on a server that costs next to nothing, over
// HTTP, with this package and with the SDK's client: what the tester itself adds.
func BenchmarkCall(b *testing.B) {
	s := serveWeb(b, on("tools/call", func(w http.ResponseWriter, m *message) {
		reply(w, result(m.ID, `{"content":[{"type":"text","text":"hello"}]}`))
	}))
	b.Run("wire", func(b *testing.B) {
		c, err := Connect(b.Context(), Target{URL: s.URL}, Options{Era: EraLegacy, NoStream: true, HTTPClient: &http.Client{}})
		if err != nil {
			b.Fatal(err)
		}
		defer c.Close()
		b.ReportAllocs()
		for b.Loop() {
			if _, err := c.Call(b.Context(), "tools/call", json.RawMessage(`{"name":"x","arguments":{}}`), CallOptions{}); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("sdk", func(b *testing.B) {
		c := mcp.NewClient(&mcp.Implementation{Name: "bench", Version: "1"}, nil)
		session, err := c.Connect(context.Background(), &mcp.StreamableClientTransport{Endpoint: s.URL, DisableStandaloneSSE: true}, &mcp.ClientSessionOptions{ProtocolVersion: Version20251125})
		if err != nil {
			b.Fatal(err)
		}
		defer func() { _ = session.Close() }()
		b.ReportAllocs()
		for b.Loop() {
			if _, err := session.CallTool(b.Context(), &mcp.CallToolParams{Name: "x"}); err != nil {
				b.Fatal(err)
			}
		}
	})
}
