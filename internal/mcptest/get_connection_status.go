package mcptest

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"strings"
	"time"

	"github.com/legwork-mcp/legwork/internal/mcptest/wire"
	"github.com/legwork-mcp/legwork/internal/tool"
)

var getConnectionStatus = tool.New(tool.Spec{
	Name: "get_connection_status", Title: "Connection status",
	Description: "Returns detailed information about the current connection state, including server info, connection time, and statistics.",
	Effect:      tool.Read, Idempotent: true, Scope: scopeRun, Rate: rateCall, Timeout: time.Minute, Reword: asSpecified,
	Outline:  []string{"connected", "statistics"},
	Examples: []tool.Example{{Name: "default", Args: StatusIn{}}},
}, (*Server).status)

// StatusIn names a connection.
type StatusIn struct {
	Connection string `json:"connection,omitempty"`
}

// StatusOut is how a connection stands.
type StatusOut struct {
	Connected    bool            `json:"connected"`
	Connection   *Connection     `json:"connection,omitempty"`
	Statistics   Statistics      `json:"statistics"`
	Message      string          `json:"message"`
	Capabilities json.RawMessage `json:"capabilities,omitempty"`
	Connections  []Connection    `json:"connections" jsonschema:"all of yours"`
	Ended        *ExitBlock      `json:"exit,omitempty" jsonschema:"how the server's process ended"`
	Stderr       string          `json:"stderr,omitempty" jsonschema:"the end of what the server's process wrote there"`
	Login        []LoginStep     `json:"login,omitempty" jsonschema:"how the token was got"`
	Metadata     Metadata        `json:"metadata"`
	Findings     []Finding       `json:"findings,omitempty" jsonschema:"of the whole connection"`
}

// Text is what a model reads.
func (o StatusOut) Text() string {
	var b strings.Builder
	b.WriteString(o.Message)
	if o.Connection != nil {
		c := o.Connection
		fmt.Fprintf(&b, "\n%s since %s, protocol %s (%s era): %d tools called, %d resources read, %d prompts retrieved, %d errors.",
			c.line(), c.ConnectedAt, c.version(), c.Era, o.Statistics.ToolsCalled, o.Statistics.ResourcesRead, o.Statistics.PromptsRetrieved, o.Statistics.Errors)
		b.WriteString("\n" + marked(fmt.Sprintf("server: %s %s\ncapabilities: %s\nstderr: %s%s",
			line(c.ServerInfo.Name, 200), line(c.ServerInfo.Version, 100), o.Capabilities, o.Stderr, loginText(o.Login))))
	}
	for _, c := range o.Connections {
		fmt.Fprintf(&b, "\n- %s: %s", c.Name, c.line())
	}
	return b.String() + findingsText(o.Findings)
}

func (s *Server) status(ctx context.Context, in StatusIn) (StatusOut, error) {
	k := &call{s: s, ctx: ctx, started: s.clock()}
	place := keyOf(ctx, in.Connection)
	out := StatusOut{Connections: []Connection{}, Message: "Not connected. Call connect_to_server first."}
	for _, c := range s.table.of(place.owner) {
		out.Connections = append(out.Connections, c.block())
	}
	c, done := s.table.use(place)
	defer done()
	if c != nil {
		k.c = c
		k.stand(&out)
	}
	out.Metadata = k.metadata()
	return out, nil
}

// stand says how the connection of the call stands.
func (k *call) stand(out *StatusOut) {
	c := k.c
	b := c.block()
	out.Connected, out.Connection, out.Statistics = c.alive(), &b, c.statistics()
	out.Capabilities, _ = k.verbatim(c.conn.Server().Capabilities, 20_000)
	out.Findings, out.Login = observed(c.conn.Observations()), c.loginSteps()
	stderr := c.conn.Stderr()
	stderr = stderr[max(0, len(stderr)-4000):]
	out.Stderr, out.Message = firstOf(stderr, len(stderr)), "Connected."
	if out.Connected {
		return
	}
	out.Message = "The connection has ended by itself. Call connect_to_server again."
	var ended *wire.Error
	// no event comes after the last one, so that this tells why at once
	if _, err := c.conn.Await(k.ctx, math.MaxInt64, nil); errors.As(err, &ended) && ended.Exit != nil {
		e := exitBlock(ended.Exit)
		out.Ended = &e
		out.Message = fmt.Sprintf("The server's process has ended with exit code %d. Call connect_to_server again.", e.Code)
	}
}
