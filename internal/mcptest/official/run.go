package official

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"time"

	"github.com/legwork-mcp/legwork/internal/lazyregexp"
)

// Revisions are those for which the suite has frozen requirements.
func Revisions() []string { return []string{"2025-11-25", "2026-07-28"} }

// Run is one run of the suite.
type Run struct {
	// URL is the MCP endpoint.
	URL string
	// Revision is one of Revisions.
	Revision string
	// Dir is an empty folder for what the suite writes. The caller removes it.
	Dir string
}

// Outcome is what the scenarios of a revision found.
type Outcome struct {
	Revision string `json:"revision"`
	// Started and Took are when the suite was started and how long it ran.
	Started   time.Time     `json:"started_at"`
	Took      time.Duration `json:"took_ns"`
	Scenarios []Scenario    `json:"scenarios"`
}

// Scenario is one of the suite.
type Scenario struct {
	Name string `json:"name"`
	// Unscored is why it does not count: extension, added-after-release or pending.
	// Empty is a scenario that counts.
	Unscored string  `json:"unscored,omitempty"`
	Checks   []Check `json:"checks"`
}

// The statuses of a check.
const (
	Success = "SUCCESS"
	Failure = "FAILURE"
	Advice  = "WARNING"
)

// Check is one thing that a scenario looked at.
type Check struct {
	ID          string      `json:"id"`
	Name        string      `json:"name"`
	Description string      `json:"description"`
	Status      string      `json:"status"`
	Error       string      `json:"errorMessage"`
	References  []Reference `json:"specReferences"`
}

// Reference is the source of a check.
type Reference struct {
	ID  string `json:"id"`
	URL string `json:"url"`
}

// The bounds of what is read of the suite.
const (
	mostOutput = 1 << 20
	mostChecks = 8 << 20 // of one scenario, in bytes
)

// fixtureFree are the scenarios that need no tools, prompts or resources made for the
// suite.
var fixtureFree = []string{
	"server-initialize", "server-session-lifecycle", "ping", "tools-list", "server-sse-multiple-streams", "caching", "http-header-validation",
	"server-stateless", "input-required-result-unsupported-methods", "input-required-result-validate-input",
}

// needFixtures are the checks of those scenarios that do.
var needFixtures = []string{
	"sep-2575-server-rejects-undeclared-capability", "sep-2575-missing-capability-http-400",
	"sep-2575-http-server-no-independent-requests-on-stream", "sep-2575-server-no-log-without-loglevel",
}

// Fixture is a tool that only servers have which were made ready for the whole suite.
const Fixture = "test_simple_text"

// Judges reports whether a check says something about a server that was not made ready
// for the suite: one that lacks its fixtures fails where they are used, and is no worse
// for it.
func (s Scenario) Judges(c Check) bool {
	return slices.Contains(fixtureFree, s.Name) && !slices.Contains(needFixtures, c.ID)
}

// resultFolder is how the suite calls the folder of a scenario.
var resultFolder = lazyregexp.New(`^server-(.+)-\d{4}-\d\d-\d\dT[\d-]+Z$`)

// unscoredLine is how the suite lists what does not count.
var unscoredLine = lazyregexp.New(`(?m)^ {2}[✓✗] (\S+) \((\S+)\)$`)

// Run runs the scenarios of a revision. That scenarios fail is no error.
func (s *Suite) Run(ctx context.Context, r Run) (*Outcome, error) {
	if !slices.Contains(Revisions(), r.Revision) {
		return nil, fmt.Errorf("run the conformance suite: it has no requirements for %q", r.Revision)
	}
	said := &tail{most: mostOutput}
	cmd := exec.CommandContext(ctx, s.node, s.script, "server", "--url", r.URL, "--requirements", r.Revision, "-o", r.Dir)
	cmd.Env, cmd.Dir, cmd.WaitDelay = s.env, r.Dir, 5*time.Second
	cmd.Stdout, cmd.Stderr = said, said
	started := time.Now()
	err := cmd.Run()
	took := time.Since(started)
	var exit *exec.ExitError
	if ctx.Err() != nil {
		return nil, fmt.Errorf("run the conformance suite: %w", context.Cause(ctx))
	}
	if err != nil && !errors.As(err, &exit) {
		return nil, fmt.Errorf("run the conformance suite: %w", err)
	}
	out, reading := read(r.Dir, said.b)
	if reading != nil {
		return nil, reading
	}
	if out.Revision, out.Started, out.Took = r.Revision, started, took; len(out.Scenarios) == 0 {
		return nil, fmt.Errorf("run the conformance suite: it ran no scenario: %s", last(said.b, 500))
	}
	return out, nil
}

// read reads what the suite wrote.
func read(dir string, said []byte) (*Outcome, error) {
	unscored := map[string]string{}
	for _, m := range unscoredLine.FindAllSubmatch(said, -1) {
		unscored[string(m[1])] = string(m[2])
	}
	folders, err := os.ReadDir(dir)
	if err != nil {
		return nil, fmt.Errorf("read what the conformance suite found: %w", err)
	}
	out := &Outcome{}
	for _, f := range folders {
		m := resultFolder.FindStringSubmatch(f.Name())
		if m == nil {
			continue
		}
		checks, err := readChecks(filepath.Join(dir, f.Name(), "checks.json"))
		if err != nil {
			return nil, err
		}
		out.Scenarios = append(out.Scenarios, Scenario{m[1], unscored[m[1]], checks})
	}
	return out, nil
}

func readChecks(path string) ([]Check, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("read what the conformance suite found: %w", err)
	}
	defer f.Close()
	raw, err := io.ReadAll(io.LimitReader(f, mostChecks))
	if err != nil {
		return nil, fmt.Errorf("read what the conformance suite found: %w", err)
	}
	var checks []Check
	if err := json.Unmarshal(raw, &checks); err != nil {
		return nil, fmt.Errorf("read what the conformance suite found in %s: %w", filepath.Base(filepath.Dir(path)), err)
	}
	return checks, nil
}

// tail keeps the end of what a program says.
type tail struct {
	b    []byte
	most int
}

// Write keeps p, and forgets the beginning.
func (t *tail) Write(p []byte) (int, error) {
	t.b = append(t.b, p...)
	if len(t.b) > 2*t.most {
		t.b = bytes.Clone(t.b[len(t.b)-t.most:])
	}
	return len(p), nil
}
