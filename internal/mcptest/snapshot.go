package mcptest

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/legwork-mcp/legwork/internal/mcptest/suite"
	"github.com/legwork-mcp/legwork/internal/mcptest/wire"
	"github.com/legwork-mcp/legwork/internal/tool"
)

var snapshot = tool.New(tool.Spec{
	Name: "snapshot", Title: "Snapshot of a server",
	Description: "All that the server offers as one JSON document; with compare_with, what changed since: breaking, additive or cosmetic.",
	Effect:      tool.Read, OpenWorld: true, Scope: scopeRun, Rate: rateCall, Timeout: 2 * time.Minute, Reword: asSpecified,
	Outline:  []string{"snapshot", "verdict", "changes"},
	Examples: []tool.Example{{Name: "take", Args: SnapshotIn{}}},
}, (*Server).snapshot)

// SnapshotIn may have an earlier snapshot.
type SnapshotIn struct {
	CompareWith string `json:"compare_with,omitempty" jsonschema:"an earlier snapshot"`
	Connection  string `json:"connection,omitempty"`
}

// SnapshotOut is a snapshot, or what changed.
type SnapshotOut struct {
	Success  bool           `json:"success"`
	Snapshot string         `json:"snapshot,omitempty" jsonschema:"JSON, without compare_with"`
	Verdict  suite.Verdict  `json:"verdict,omitempty" enum:"breaking,additive,cosmetic" jsonschema:"of the worst change"`
	Changes  []suite.Change `json:"changes,omitempty"`
	Left     int            `json:"changes_left_out,omitempty"`
	Metadata Metadata       `json:"metadata"`

	server string
}

// Text is what a model reads.
func (o SnapshotOut) Text() string {
	if o.Snapshot != "" {
		return "What " + o.server + " offers. Keep it, and give it to compare_with later.\n" + marked(o.Snapshot)
	}
	var b strings.Builder
	for _, c := range o.Changes {
		fmt.Fprintf(&b, "%s %s %s: %s", c.Verdict, c.Subject, c.Pointer, c.What)
		if c.Old != "" || c.New != "" {
			fmt.Fprintf(&b, "; was %s, is %s", c.Old, c.New)
		}
		b.WriteString("\n")
	}
	if b.Len() == 0 {
		return "Nothing changed: " + o.server + "."
	}
	return fmt.Sprintf("%d changes, the worst is %s: %s.\n", len(o.Changes)+o.Left, o.Verdict, o.server) + marked(strings.TrimSuffix(b.String(), "\n"))
}

// noSnapshot is a list that failed, or that is none.
func (k *call) noSnapshot(err error) error {
	var e *wire.Error
	var rpc *wire.RPCError
	switch {
	case errors.As(err, &e):
		return k.wireFailure(&wire.Exchange{Method: e.Method}, e)
	case errors.As(err, &rpc):
		return k.answered(&wire.Exchange{Method: "the request for a list"}, rpc)
	}
	return k.fail(failure{
		typ: errTransport, subtype: subSchema, message: "What the server offers cannot be read.", shown: line(k.shown([]byte(err.Error())), 500),
		suggestion: "Call list_tools and its like: they say what is wrong.", details: map[string]any{},
	})
}

// mostChanges is the most changes of one answer.
const mostChanges = 200

func (s *Server) snapshot(ctx context.Context, in SnapshotIn) (SnapshotOut, error) {
	k, done, err := s.begin(ctx, in.Connection)
	defer done()
	if err != nil {
		return SnapshotOut{}, err
	}
	var before *suite.Surface
	if in.CompareWith != "" {
		if before, err = suite.ParseSurface([]byte(in.CompareWith)); err != nil {
			return SnapshotOut{}, k.fail(failure{
				typ: errInvalidArguments, message: "compare_with is no snapshot: " + line(err.Error(), 300) + ".", suggestion: "Give what this tool returned as snapshot.", details: map[string]any{},
			})
		}
	}
	now, err := suite.Snapshot(ctx, k.c.conn)
	if err != nil {
		return SnapshotOut{}, k.noSnapshot(err)
	}
	out := SnapshotOut{Success: true, server: k.c.block().line()}
	if before != nil {
		out.Changes = suite.Diff(before, now)
		out.Verdict, out.Left = suite.Worst(out.Changes), max(0, len(out.Changes)-mostChanges)
		out.Changes = out.Changes[:len(out.Changes)-out.Left]
		out.Metadata = k.metadata()
		return out, nil
	}
	text, err := now.JSON()
	if err != nil {
		return out, err
	}
	text = k.c.conn.Redact(text)
	if len(text) > s.set.Answer {
		return out, k.fail(failure{
			typ: errInvalidArguments, subtype: subTooLarge, message: fmt.Sprintf("The snapshot has %d bytes, more than the %d of an answer.", len(text), s.set.Answer),
			suggestion: "Take it with 'legwork check --snapshot FILE', and compare with --compare.", details: map[string]any{},
		})
	}
	out.Snapshot, out.Metadata = string(text), k.metadata()
	return out, nil
}
