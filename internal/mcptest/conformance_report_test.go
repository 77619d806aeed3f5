package mcptest

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/legwork-mcp/legwork/internal/auth"
	"github.com/legwork-mcp/legwork/internal/mcptest/check"
	"github.com/legwork-mcp/legwork/internal/mcptest/official"
)

// TestAddConformance: failures that count are errors, others warnings, and a server
// without the fixtures of the suite is not blamed for that.
func TestAddConformance(t *testing.T) {
	outcome := &official.Outcome{Revision: "2026-07-28", Took: 2 * time.Second, Scenarios: []official.Scenario{
		{Name: "ping", Checks: []official.Check{
			{ID: "p1", Name: "Ping", Description: "answers", Status: official.Success},
			{ID: "p2", Name: "Ping\x1b[2J", Description: "answers", Status: official.Failure, Error: "silence\u202e", References: []official.Reference{{ID: "S", URL: "https://s/"}}},
			{ID: "p3", Name: "Ping", Description: "is quick", Status: official.Advice},
			{ID: "p4", Name: "Ping", Description: "was not tried", Status: "SKIPPED"},
		}},
		{Name: "http-header-validation", Unscored: "pending", Checks: []official.Check{{ID: "h", Name: "H", Status: official.Failure}}},
		{Name: "tools-call-image", Checks: []official.Check{{ID: "i", Name: "I", Status: official.Failure}}},
	}}
	for name, tt := range map[string]struct {
		tools []string
		want  []string
		step  string
	}{
		"an ordinary server": {[]string{"add"}, []string{"error conformance ping", "error other there", "warning conformance ping", "warning conformance http-header-validation (pending)"}, "1 failed, 2 are advice or do not count; 1 scenarios"},
		"a ready server":     {[]string{"add", official.Fixture}, []string{"error conformance ping", "error conformance tools-call-image", "error other there", "warning conformance ping", "warning conformance http-header-validation (pending)"}, "2 failed, 2 are advice or do not count; 0 scenarios"},
	} {
		t.Run(name, func(t *testing.T) {
			r := &check.Report{NotCalled: tt.tools, Findings: []check.Finding{{Rule: "tool-name", Severity: check.Error, Subject: "there"}}}
			r.Findings[0].Rule = "died"
			AddConformance(r, outcome)
			var got []string
			for _, f := range r.Findings {
				if f.Rule == "died" {
					f.Rule = "other"
				}
				got = append(got, string(f.Severity)+" "+f.Rule+" "+f.Subject)
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("the findings differ (-want +got):\n%s", diff)
			}
			step, first := r.Steps[0], r.Findings[0]
			if step.Status != check.Failed || step.Millis != 2000 || !strings.Contains(step.Detail, tt.step) {
				t.Errorf("the step is %+v", step)
			}
			if strings.ContainsAny(first.Title+first.Evidence, "\x1b\u202e") || !strings.Contains(first.Clause.String(), "https://s/") || !strings.Contains(first.Fix, "--scenario ping") {
				t.Errorf("the first finding is %+v", first)
			}
		})
	}
}

// fakeSuite is a folder with a Node that plays the suite.
func fakeSuite(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	folder := filepath.Join(dir, "node_modules", "@modelcontextprotocol", "conformance", "dist")
	if err := os.MkdirAll(folder, 0o700); err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{
		filepath.Join(folder, "index.js"):                   "// not read",
		filepath.Join(filepath.Dir(folder), "package.json"): `{"version":"9.9.9"}`,
		filepath.Join(dir, "node"): `#!/bin/sh
[ "$1" = --version ] && { echo v22.1.0; exit; }
mkdir "$8/server-ping-2026-01-02T03-04-05-678Z"
echo '[{"id":"p","name":"Ping","description":"answers at '$6'","status":"FAILURE","errorMessage":"silence"}]' > "$8/server-ping-2026-01-02T03-04-05-678Z/checks.json"
`,
	} {
		if err := os.WriteFile(name, []byte(text), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// TestCheckWithSuite: the suite runs for each revision that the server speaks, for the
// user of this machine only, and says what is missing.
func TestCheckWithSuite(t *testing.T) {
	address := overHTTP(t)
	with := func(dir string, commands bool) *bench {
		return newBench(t, func(o *Options) {
			o.Suite, o.Commands = official.Place{Dir: dir, Environ: []string{"PATH=/usr/bin:/bin"}}, commands
		})
	}
	b := with(fakeSuite(t), true)
	args := `{"url":` + quote(address) + `,"no_probes":true,"conformance":true}`
	a := b.want("check_server", args)
	if a.at("findings.0.rule") != "conformance" || a.at("findings.0.subject") != "ping" || !strings.Contains(a.raw, "answers at 2025-11-25") {
		t.Errorf("the answer is %s", a.raw)
	}
	old := t.TempDir()
	if err := os.WriteFile(filepath.Join(old, "node"), []byte("#!/bin/sh\necho v18.0.0\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	for want, refused := range map[string]answer{
		"does not run":      with(fakeSuite(t), false).call("check_server", args),
		"is for an address": b.call("check_server", `{"url":`+quote(address)+`,"token":"x","conformance":true}`),
		"is not installed":  with(bareNode(t), true).call("check_server", args),
		"needs Node 22":     with(old, true).call("check_server", args),
	} {
		if !refused.error || !strings.Contains(refused.text, want) {
			t.Errorf("instead of %q it answers %s", want, refused.text)
		}
	}
	b.as = auth.Principal{Subject: "ann"}
	if a := b.call("check_server", args); !a.error || !strings.Contains(a.text, "does not run") {
		t.Errorf("for another caller it answers %s", a.text)
	}
}

// bareNode is a folder with a Node and no suite.
func bareNode(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "node"), []byte("#!/bin/sh\necho v22.1.0\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	return dir
}
