package mcptest

import (
	"context"
	"fmt"
	"time"

	"github.com/legwork-mcp/legwork/internal/mcptest/wire"
)

// The transports in answers.
const (
	transportHTTP  = "streaming-http"
	transportStdio = "stdio"
)

// Connection says on which connection something happened.
type Connection struct {
	Name        string `json:"name"`
	ServerURL   string `json:"server_url"`
	Transport   string `json:"transport" enum:"streaming-http,stdio"`
	ConnectedAt string `json:"connected_at"`
	ServerInfo  Info   `json:"server_info"`
	Protocol    string `json:"protocol_version,omitempty"`
	Era         string `json:"era,omitempty" jsonschema:"legacy opens with initialize, modern is stateless"`
	SSE         bool   `json:"legacy_sse,omitempty" jsonschema:"HTTP with SSE of 2024-11-05"`
	Renewed     int    `json:"sessions_renewed,omitempty" jsonschema:"times that the server had lost the session"`
}

// Info is what a server calls itself.
type Info struct {
	Name    string `json:"name"`
	Version string `json:"version"`
}

func (c *connection) block() Connection {
	server := c.conn.Server()
	b := Connection{
		Name: c.key.name, ServerURL: c.target.shown, Transport: transportHTTP, ConnectedAt: stamp(c.since),
		ServerInfo: Info{c.claimed(server.Name), c.claimed(server.Version)},
		Protocol:   line(c.claimed(server.ProtocolVersion), 40), Era: string(c.conn.Era()), Renewed: c.conn.Renewed(),
	}
	switch c.conn.Transport() {
	case wire.StdioTransport:
		b.Transport = transportStdio
	case wire.SSETransport:
		b.SSE = true
	}
	return b
}

// mostClaimed is the most bytes of what a server calls itself, which is in each answer.
const mostClaimed = 500

// claimed is what a server says of itself, without secrets.
func (c *connection) claimed(text string) string {
	shown := c.conn.Redact([]byte(text))
	return clip(firstOf(shown, len(shown)), mostClaimed)
}

// version is the protocol version where the server's own words must not stand: what is
// no date is not one of the protocol.
func (b Connection) version() string {
	if _, err := time.Parse(time.DateOnly, b.Protocol); err != nil {
		return "unknown"
	}
	return b.Protocol
}

// line is the connection in a text.
func (b Connection) line() string {
	return fmt.Sprintf("%s over %s", b.ServerURL, b.Transport)
}

// stamp is a moment in ISO 8601 with its timezone.
func stamp(t time.Time) string { return t.UTC().Format("2006-01-02T15:04:05.000Z07:00") }

// Metadata is what every answer says of itself.
type Metadata struct {
	RequestTime int64  `json:"request_time_ms"`
	RetrievedAt string `json:"retrieved_at,omitempty"`
}

// call is one call of a tool of this package, on its connection.
type call struct {
	s       *Server
	ctx     context.Context
	started time.Time
	c       *connection // nil when there is none
	opening *connection // that did not come about
}

// begin gives the call its connection, or says that there is none.
func (s *Server) begin(ctx context.Context, name string) (*call, func(), error) {
	k := &call{s: s, ctx: ctx, started: s.clock()}
	c, done := s.table.use(keyOf(ctx, name))
	if c == nil {
		return nil, done, k.notConnected(name)
	}
	k.c = c
	return k, done, nil
}

// took is how long the call has taken, in whole milliseconds.
func (k *call) took() int64 { return max(0, k.s.clock().Sub(k.started).Milliseconds()) }

func (k *call) metadata() Metadata {
	return Metadata{RequestTime: k.took(), RetrievedAt: stamp(k.s.clock())}
}

// limit is how long a request may take, as the caller asked for.
func (s *Server) limit(ms int) time.Duration {
	if ms <= 0 {
		return s.set.Call
	}
	return min(time.Duration(ms)*time.Millisecond, s.set.MaxCall)
}
