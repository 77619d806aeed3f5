package mcptest

import (
	"context"
	"fmt"
	"time"

	"github.com/legwork-mcp/legwork/internal/mcptest/wire"
	"github.com/legwork-mcp/legwork/internal/tool"
)

var disconnect = tool.New(tool.Spec{
	Name: "disconnect", Title: "Disconnect from the server",
	Description: "Disconnects from the currently active MCP server connection. After disconnecting, you must connect to a server before using other tools.",
	Effect:      tool.Write, OpenWorld: true, Scope: scopeRun, Rate: rateCall, Timeout: time.Minute, Reword: asSpecified,
	Outline:  []string{"message", "previous_connection"},
	Examples: []tool.Example{{Name: "default", Args: DisconnectIn{}}},
}, (*Server).disconnect)

// DisconnectIn names a connection.
type DisconnectIn struct {
	Connection string `json:"connection,omitempty"`
}

// DisconnectOut is how a connection ended.
type DisconnectOut struct {
	Success  bool      `json:"success"`
	Message  string    `json:"message"`
	Previous Previous  `json:"previous_connection"`
	Metadata Metadata  `json:"metadata"`
	Findings []Finding `json:"findings,omitempty"`
}

// Previous is a connection that has ended.
type Previous struct {
	Name           string     `json:"name"`
	ServerURL      string     `json:"server_url"`
	ConnectedAt    string     `json:"connected_at"`
	DisconnectedAt string     `json:"disconnected_at"`
	Statistics     Statistics `json:"statistics"`
	Steps          []string   `json:"steps,omitempty" jsonschema:"what had to be done to end it"`
	Exit           *ExitBlock `json:"exit,omitempty"`
	Orphans        []string   `json:"left_processes,omitempty"`
	Late           int        `json:"late_answers,omitempty"`
}

func (c *connection) ended(closing *wire.Closing, at time.Time) *Previous {
	p := &Previous{
		Name: c.key.name, ServerURL: c.target.shown, ConnectedAt: stamp(c.since), DisconnectedAt: stamp(at),
		Statistics: c.statistics(), Steps: closing.Steps, Late: closing.Late,
	}
	if closing.Exit != nil {
		b := exitBlock(closing.Exit)
		p.Exit = &b
	}
	for _, o := range closing.Orphans {
		p.Orphans = append(p.Orphans, fmt.Sprintf("%s (%d)", line(o.Name, 100), o.PID))
	}
	return p
}

// Text is what a model reads.
func (o DisconnectOut) Text() string {
	out := o.Message
	if len(o.Previous.Steps) > 0 {
		out += fmt.Sprintf(" Steps: %v.", o.Previous.Steps)
	}
	if o.Previous.Exit != nil {
		out += fmt.Sprintf(" Exit code %d.", o.Previous.Exit.Code)
	}
	return out + findingsText(o.Findings)
}

func (s *Server) disconnect(ctx context.Context, in DisconnectIn) (DisconnectOut, error) {
	k := &call{s: s, ctx: ctx, started: s.clock()}
	c := s.table.take(keyOf(ctx, in.Connection))
	if c == nil {
		return DisconnectOut{}, k.notConnected(in.Connection)
	}
	seen := len(c.conn.Observations())
	p := c.ended(c.close(), s.clock())
	return DisconnectOut{
		Success: true, Message: "Disconnected from " + c.target.shown + ".", Previous: *p,
		Metadata: k.metadata(), Findings: observed(c.conn.Observations()[seen:]),
	}, nil
}
