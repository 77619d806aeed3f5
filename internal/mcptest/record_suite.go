package mcptest

import (
	"context"
	"fmt"
	"time"

	"github.com/legwork-mcp/legwork/internal/mcptest/suite"
	"github.com/legwork-mcp/legwork/internal/mcptest/wire"
	"github.com/legwork-mcp/legwork/internal/tool"
)

var recordSuite = tool.New(tool.Spec{
	Name: "record_suite", Title: "Write a session down as tests",
	Description: "Makes a suite (YAML) of the requests of a connection and their answers, for run_suite or `legwork check --suite` in CI. Times, ids and tokens are not expected again.",
	Effect:      tool.Read, Idempotent: true, Scope: scopeRun, Rate: rateCall, Timeout: time.Minute, Reword: asSpecified,
	Outline:  []string{"steps", "suite"},
	Examples: []tool.Example{{Name: "session", Args: RecordIn{Name: "calculator"}}},
}, (*Server).recordSuite)

// RecordIn says what is recorded.
type RecordIn struct {
	Name       string `json:"name,omitempty" jsonschema:"of the suite"`
	After      int64  `json:"after,omitempty" minimum:"0" jsonschema:"a seq of get_transcript"`
	Connection string `json:"connection,omitempty"`
}

// RecordOut is a suite.
type RecordOut struct {
	Success  bool     `json:"success"`
	Steps    int      `json:"steps"`
	Suite    string   `json:"suite" jsonschema:"YAML"`
	Metadata Metadata `json:"metadata"`

	server string
}

// Text is what a model reads.
func (o RecordOut) Text() string {
	return fmt.Sprintf("%d steps of %s. Save them in a file, remove what you do not want to hold, and run it with run_suite or 'legwork check --suite FILE'.\n%s",
		o.Steps, o.server, marked(o.Suite))
}

func (s *Server) recordSuite(ctx context.Context, in RecordIn) (RecordOut, error) {
	k, done, err := s.begin(ctx, in.Connection)
	defer done()
	if err != nil {
		return RecordOut{}, err
	}
	name := in.Name
	if name == "" {
		name = k.c.conn.Server().Name
	}
	recorded, err := suite.Record(name, k.c.conn.Transcript(in.After, 0))
	if err != nil {
		return RecordOut{}, k.fail(failure{
			typ: errInvalidArguments, message: "There is nothing to record: no request that can be made again was answered whole.",
			suggestion: "Use the server first: list_tools, call_tool and their like.", details: map[string]any{"after": in.After},
		})
	}
	recorded.Server = k.c.target.named(k.c.conn.Era())
	text, err := recorded.YAML()
	if err != nil {
		return RecordOut{}, fmt.Errorf("write a suite: %w", err)
	}
	text = []byte(k.c.target.hide(string(k.c.conn.Redact(text))))
	if len(text) > s.set.Answer {
		return RecordOut{}, k.fail(failure{
			typ: errInvalidArguments, subtype: subTooLarge, message: fmt.Sprintf("The suite has %d bytes, more than the %d of an answer.", len(text), s.set.Answer),
			suggestion: "Record a part of the session: name the seq of an entry in after.", details: map[string]any{"steps": len(recorded.Steps)},
		})
	}
	return RecordOut{Success: true, server: k.c.block().line(), Steps: len(recorded.Steps), Suite: string(text), Metadata: k.metadata()}, nil
}

// named is a target as a suite names it, without secrets.
func (t target) named(era wire.Era) *suite.Server {
	out := &suite.Server{URL: t.hide(t.URL), Era: string(era)}
	for _, word := range t.Command {
		out.Command = append(out.Command, t.hide(word))
	}
	return out
}
