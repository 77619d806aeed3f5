package mcptest

import (
	"context"
	"strings"
	"time"

	"github.com/legwork-mcp/legwork/internal/mcptest/suite"
	"github.com/legwork-mcp/legwork/internal/tool"
)

var runSuite = tool.New(tool.Spec{
	Name: "run_suite", Title: "Run recorded tests",
	Description: "Runs a suite of record_suite against the connected server, whatever server the suite names. It really calls the tools.",
	// What the tools under test do is not known here.
	Effect: tool.Destroy, OpenWorld: true, Scope: scopeRun, Rate: rateConnect, Cost: 5, Timeout: 11 * time.Minute, Reword: asSpecified,
	Outline:  []string{"passed", "verdict", "steps"},
	Examples: []tool.Example{{Name: "one", Args: RunSuiteIn{Suite: "version: 1\nsuite: demo\nsteps:\n  - call: add\n    arguments: {a: 2, b: 3}\n    expect:\n      - {at: /content/0/text, equals: \"5\"}\n"}}},
}, (*Server).runSuite)

// RunSuiteIn is a suite.
type RunSuiteIn struct {
	Suite      string `json:"suite" jsonschema:"YAML"`
	Connection string `json:"connection,omitempty"`
	TimeoutMS  int    `json:"timeout_ms,omitempty" minimum:"1" maximum:"600000" jsonschema:"of each step"`
}

// RunSuiteOut is how it went.
type RunSuiteOut struct {
	Success  bool               `json:"success" jsonschema:"the suite was run; passed says how"`
	Passed   bool               `json:"passed"`
	Verdict  string             `json:"verdict"`
	Steps    []suite.StepResult `json:"steps"`
	Metadata Metadata           `json:"metadata"`

	text, server string
}

// Text is what a model reads.
func (o RunSuiteOut) Text() string {
	return o.Verdict + " " + o.server + ".\n" + marked(o.text)
}

// Failed is false: expectations that do not hold are what was asked for.
func (o RunSuiteOut) Failed() bool { return false }

// mostFailures bounds the failures of one step that are told.
const mostFailures = 20

func (s *Server) runSuite(ctx context.Context, in RunSuiteIn) (RunSuiteOut, error) {
	k, done, err := s.begin(ctx, in.Connection)
	defer done()
	if err != nil {
		return RunSuiteOut{}, err
	}
	read, err := suite.Parse([]byte(in.Suite))
	if err != nil {
		return RunSuiteOut{}, k.fail(failure{
			typ: errInvalidArguments, message: "This is no suite: " + line(err.Error(), 500) + ".",
			suggestion: "Take the YAML of record_suite as an example.", details: map[string]any{},
		})
	}
	n := 0.0
	r := suite.RunOn(ctx, k.c.conn, read, suite.Options{CallTimeout: s.limit(in.TimeoutMS), Progress: func(step suite.StepResult) {
		n++
		tool.Progress(ctx, n, float64(len(read.Steps)), step.Name)
	}})
	if err := ctx.Err(); err != nil {
		return RunSuiteOut{}, err
	}
	_, failed, _ := r.Count()
	k.c.count(func(s *Statistics) { s.Errors += failed })
	out := RunSuiteOut{Success: true, Passed: r.Passed, Verdict: r.Verdict(), server: k.c.block().line(), Steps: r.Steps, Metadata: k.metadata()}
	var b strings.Builder
	for i, step := range out.Steps {
		out.Steps[i].Failures = step.Failures[:min(len(step.Failures), mostFailures)]
		if err := suite.WriteStep(&b, out.Steps[i]); err != nil {
			return out, err
		}
	}
	out.text = firstOf([]byte(b.String()), s.set.Answer)
	return out, nil
}
