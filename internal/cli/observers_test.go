package cli_test

import (
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/legwork-mcp/legwork/internal/observe/audit"
)

// What the program does shows where its settings say, and what a person typed
// does not, in any of them.
func TestTheServerIsObserved(t *testing.T) {
	t.Parallel()
	sent := &syncBuffer{}
	collector := serveLocal(t, http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(sent, io.TeeReader(r.Body, io.Discard))
		_, _ = sent.Write([]byte(r.URL.Path + " " + r.Header.Get("Api-Key")))
	}))
	path := filepath.Join(t.TempDir(), "audit.jsonl")
	l := overHTTP(t, "LEGWORK_AUDIT_LOG="+path, "OTEL_EXPORTER_OTLP_ENDPOINT=http://"+collector, "OTEL_EXPORTER_OTLP_HEADERS=api-key=k1",
		"OTEL_SERVICE_NAME=forms")
	for name, args := range map[string]any{
		"federalrunner_list_wizards":       map[string]any{},
		"federalrunner_validate_user_data": map[string]any{"wizard_id": "fsa-estimator", "user_data": map[string]any{"birth_date": canary}},
	} {
		if _, err := l.CallTool(t.Context(), &mcp.CallToolParams{Name: name, Arguments: args}); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
	}
	res, err := http.Get(l.url + "metrics")
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	scrape, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	terminate(t, l.cmd)
	raw, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if n, _, err := audit.Verify(strings.NewReader(string(raw))); err != nil || n < 2 {
		t.Errorf("the audit log has %d entries: %v", n, err)
	}
	checkAudit(t, path, string(raw))
	for what, tt := range map[string]struct {
		text string
		want []string
	}{
		"the scrape":    {string(scrape), []string{`tool="federalrunner_list_wizards"} 1`, "legwork_browsers ", "legwork_browser_queue ", "legwork_sessions ", "go_goroutines "}},
		"the trace":     {sent.String(), []string{"tools/call federalrunner_list_wizards", "/v1/traces k1", "forms"}},
		"the audit log": {string(raw), []string{`"tool":"federalrunner_list_wizards"`, `"wizard_id":"fsa-estimator"`}},
		"the log":       {l.log.String(), []string{`"trace_id":"`, "the audit log ends"}},
	} {
		for _, want := range tt.want {
			if !strings.Contains(tt.text, want) {
				t.Errorf("%s lacks %s:\n%.4000s", what, want, tt.text)
			}
		}
		if strings.Contains(tt.text, canary) {
			t.Errorf("%s holds what was typed", what)
		}
	}
}

// checkAudit has the program check the log as it is, cut off, and changed.
func checkAudit(t *testing.T, path, text string) {
	t.Helper()
	stdout, stderr, code := output(t, command(t, nil, "audit", path))
	_, head, found := strings.Cut(strings.TrimSpace(stdout), "head ")
	if code != 0 || !found || !strings.Contains(stdout, "in 1 file, unbroken") {
		t.Fatalf("exit code %d: %s%s", code, stdout, stderr)
	}
	lines := strings.SplitAfter(strings.TrimSpace(text), "\n")
	for name, tt := range map[string]struct{ text, says string }{
		"cut off": {strings.Join(lines[:len(lines)-1], ""), "none of them has the head"},
		"changed": {strings.Replace(text, "federalrunner_list_wizards", "federalrunner_get_run", 1), "is broken then"},
	} {
		other := filepath.Join(t.TempDir(), "audit.jsonl")
		if err := os.WriteFile(other, []byte(tt.text), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, stderr, code := output(t, command(t, nil, "audit", other, "--head", head)); code != 1 || !strings.Contains(stderr, tt.says) {
			t.Errorf("%s: exit code %d: %s", name, code, stderr)
		}
	}
	// A log goes on after its head was noted, and old files may be kept elsewhere.
	_, earlier, _ := strings.Cut(lines[len(lines)-2], `"hash":"`)
	later := filepath.Join(t.TempDir(), "audit.jsonl")
	if err := os.WriteFile(later, []byte(strings.Join(lines[1:], "")+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct{ file, head, says string }{
		{path, earlier[:64], "; 1 came after it"}, {later, head, "The first entry here has the number 2"},
	} {
		if stdout, stderr, code := output(t, command(t, nil, "audit", tt.file, "--head", tt.head)); code != 0 || !strings.Contains(stdout, tt.says) {
			t.Errorf("%s: exit code %d: %s%s", tt.says, code, stdout, stderr)
		}
	}
	if _, _, code := output(t, command(t, nil, "audit", filepath.Join(t.TempDir(), "none"))); code != 3 {
		t.Errorf("a log that is not there: exit code %d", code)
	}
}

// TestWhoCalled: an operator finds the lines of a caller by the name that the caller
// has in the file of tokens, and nobody else's.
func TestWhoCalled(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "audit.jsonl")
	l, _ := withToken(t, nil, "LEGWORK_AUDIT_LOG="+path)
	call(t, l, "federalrunner_list_wizards", `{}`)
	call(t, l, "federalrunner_get_wizard_info", `{"wizard_id":"fsa-estimator"}`)
	terminate(t, l.cmd)
	raw, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	log, err := audit.Open(audit.Options{Path: path})
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range []audit.Entry{
		{Event: audit.EventEnd, Subject: "sub:of-a-person", Client: "app"}, {Event: audit.EventEnd, Subject: "sub:of-another", Client: "other"},
	} {
		if err := log.Append(e, audit.Written); err != nil {
			t.Fatal(err)
		}
	}
	if err := log.Close(); err != nil {
		t.Fatal(err)
	}
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.SplitAfter(string(whole), "\n")
	for name, want := range map[string]struct{ lines, says string }{
		"tester": {string(raw), "2 lines of tester, which is sub:"}, "teste": {"", "no line of teste, which would be sub:"},
		"app": {lines[2], "1 line of app, which is sub:of-a-person"},
	} {
		stdout, stderr, code := output(t, command(t, nil, "audit", path, "--caller", name))
		if code != 0 || stdout != want.lines || !strings.Contains(stderr, want.says) || !strings.Contains(stderr, "unbroken") {
			t.Errorf("%s: exit code %d: %s%s", name, code, stdout, stderr)
		}
	}
}

func TestObserversThatCannotStart(t *testing.T) {
	t.Parallel()
	for setting, want := range map[string]string{
		"LEGWORK_AUDIT_LOG=/dev/null/audit.jsonl":                "audit log cannot be written",
		"OTEL_EXPORTER_OTLP_ENDPOINT=127.0.0.1:4318":             "address of the trace collector",
		"OTEL_EXPORTER_OTLP_ENDPOINT=http://a:" + canary + "@h/": "address of the trace collector",
	} {
		_, stderr, code := output(t, command(t, []string{setting}, "http", "--addr", freeAddr(t)))
		if code == 0 || !strings.Contains(stderr, want) || strings.Contains(stderr, canary) {
			t.Errorf("%s: exit code %d, %s", setting, code, stderr)
		}
	}
}
