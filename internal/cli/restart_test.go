package cli_test

import (
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// afterKill starts a run with a key on a program, kills the program when the run is
// where come says, and returns what the next program on the same data says to the
// same call, with the id of the run.
func afterKill(t *testing.T, w *world, come func(client *legwork)) (again, asked *mcp.CallToolResult, runID string) {
	t.Helper()
	env := []string{
		"FEDERALRUNNER_WIZARDS_DIR=" + w.slow.wizardDir(t), "LEGWORK_ALLOW_PRIVATE=1", "LEGWORK_DATA_DIR=" + t.TempDir(),
	}
	const args = `{"wizard_id":"slow-form","user_data":{"name":"Maria Lopez"},"options":{"idempotency_key":"k1","wait_seconds":0,"return_screenshots":false}}`
	client := overHTTP(t, env...)
	res := call(t, client, "federalrunner_execute_wizard", args)
	_, runID, _ = strings.Cut(text(res), "run_id: ")
	runID, _, _ = strings.Cut(runID, "\n")
	if !strings.HasPrefix(runID, "run_") {
		t.Fatalf("no run was started: %s", text(res))
	}
	come(client)
	if err := client.cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = client.cmd.Wait() // it was killed
	client = overHTTP(t, env...)
	asked = call(t, client, "federalrunner_get_run", `{"run_id":"`+runID+`"}`)
	return call(t, client, "federalrunner_execute_wizard", args), asked, runID
}

// restarts are the errors that a restart leaves behind.
func (w *world) restarts() []recovery {
	return []recovery{
		{"run_interrupted", func(t *testing.T) *mcp.CallToolResult {
			again, asked, id := afterKill(t, w, func(*legwork) { <-w.slow.arrived })
			for _, res := range []*mcp.CallToolResult{again, asked} {
				if !strings.Contains(text(res), id) || !strings.Contains(text(res), "may have been submitted") {
					t.Errorf("after the form was sent: %s", text(res))
				}
			}
			select {
			case <-w.slow.arrived:
				t.Error("the form was submitted twice")
			default:
			}
			return again
		}, []string{"slow-form", "run_", "Ask the person"}},
		{"run_answer_lost", w.forgets, []string{"ssa-quick-calculator", "run_", "do not execute again"}},
		{"rate_limit_exceeded", w.overdoes, []string{"federalrunner_list_wizards", "Try again in"}},
	}
}

// forgets asks a new process for a run that an earlier one ended.
func (w *world) forgets(t *testing.T) *mcp.CallToolResult {
	env := []string{"LEGWORK_PRACTICE_ADDR=" + w.site.addr, "LEGWORK_DATA_DIR=" + t.TempDir()}
	client := overHTTP(t, env...)
	args := `{"wizard_id":"ssa-quick-calculator","user_data":` + readExample(t, client, "ssa-quick-calculator") +
		`,"options":{"idempotency_key":"k2","return_screenshots":false}}`
	if res := call(t, client, "federalrunner_execute_wizard", args); res.IsError {
		t.Fatal(text(res))
	}
	if err := client.cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = client.cmd.Wait() // it was killed
	before := len(w.site.Submissions())
	res := call(t, overStdio(t, env...), "federalrunner_execute_wizard", args)
	if after := len(w.site.Submissions()); after != before {
		t.Errorf("the form was submitted again: %d submissions, %d before", after, before)
	}
	return res
}

// overdoes calls more often than a caller may.
func (w *world) overdoes(t *testing.T) *mcp.CallToolResult {
	client, _ := withToken(t, nil, "LEGWORK_RATE_LIMITS=federalrunner_list_wizards=1/1h")
	if res := call(t, client, "federalrunner_list_wizards", `{}`); res.IsError {
		t.Fatal(text(res))
	}
	return call(t, client, "federalrunner_list_wizards", `{}`)
}

// bearer sends a token with every request.
type bearer string

// RoundTrip implements http.RoundTripper.
func (b bearer) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	r.Header.Set("Authorization", "Bearer "+string(b))
	return own.RoundTrip(r)
}

// own are connections that nobody else closes: a test server that ends closes the idle
// ones of http.DefaultTransport, which other tests use at the same time.
var own = &http.Transport{}

// withToken starts the program with a file of tokens, and connects to it with one
// that has the scopes: none means all.
func withToken(t *testing.T, scopes []string, env ...string) (client *legwork, token string) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "tokens")
	args := []string{"token", "tester", "--file", file}
	for _, s := range scopes {
		args = append(args, "--scope", s)
	}
	stdout, stderr, code := output(t, command(t, nil, args...))
	if code != 0 {
		t.Fatalf("exit code %d: %s", code, stderr)
	}
	token = strings.TrimSpace(stdout)
	client = startHTTP(t, append(env, "LEGWORK_TOKENS_FILE="+file)...)
	cs, err := newClient(nil).Connect(t.Context(), &mcp.StreamableClientTransport{
		Endpoint: client.url, MaxRetries: -1, HTTPClient: &http.Client{Transport: bearer(token)},
	}, nil)
	if err != nil {
		t.Fatalf("connecting: %v\n%s", err, client.log)
	}
	client.ClientSession = cs
	t.Cleanup(func() { cs.Close() })
	return client, token
}

// TestTheLedgerKeepsNoValues: what a person typed, and the key as it was sent, are
// not in the folder of the data.
func TestTheLedgerKeepsNoValues(t *testing.T) {
	t.Parallel()
	site, dir := startPractice(t), t.TempDir()
	client := overStdio(t, "LEGWORK_PRACTICE_ADDR="+site.addr, "LEGWORK_DATA_DIR="+dir)
	const args = `{"wizard_id":"ssa-quick-calculator","user_data":%s,"options":{"idempotency_key":"canary-key-7731","return_screenshots":false}}`
	res := call(t, client, "federalrunner_execute_wizard", strings.Replace(args, "%s", readExample(t, client, "ssa-quick-calculator"), 1))
	if res.IsError {
		t.Fatal(text(res))
	}
	names, err := filepath.Glob(filepath.Join(dir, "runs", "*"))
	if err != nil || len(names) != 1 {
		t.Fatalf("%v %v", names, err)
	}
	raw, err := os.ReadFile(names[0])
	if err != nil {
		t.Fatal(err)
	}
	ledger := string(raw)
	if strings.Contains(ledger, "canary-key-7731") || strings.Contains(ledger, "60000") {
		t.Errorf("the ledger says too much: %s", ledger)
	}
	for _, state := range []string{`"started"`, `"submitting"`, `"ended","outcome":"success"`} {
		if !strings.Contains(ledger, state) {
			t.Errorf("the ledger lacks %s: %s", state, ledger)
		}
	}
	if info, err := os.Stat(names[0]); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v %v", info, err)
	}
}

// TestOneKeyAtTwoProcesses: programs that share a data folder, as windows of a client or
// servers behind a balancer do, submit a form once for a key, one after another and at
// the same time, and the second says where the run is.
func TestOneKeyAtTwoProcesses(t *testing.T) {
	t.Parallel()
	site := startPractice(t)
	env := []string{"LEGWORK_PRACTICE_ADDR=" + site.addr, "LEGWORK_DATA_DIR=" + t.TempDir()}
	one, other := overHTTP(t, env...), overStdio(t, env...)
	args := func(key string) string {
		return `{"wizard_id":"ssa-quick-calculator","user_data":` + readExample(t, one, "ssa-quick-calculator") +
			`,"options":{"idempotency_key":"` + key + `","return_screenshots":false}}`
	}
	before := len(site.Submissions())
	if res := call(t, one, "federalrunner_execute_wizard", args("k1")); res.IsError {
		t.Fatal(text(res))
	}
	said := text(call(t, other, "federalrunner_execute_wizard", args("k1")))
	if got := len(site.Submissions()) - before; got != 1 || !strings.Contains(said, "run_answer_lost") || !strings.Contains(said, "at another process of this server") {
		t.Errorf("%d submissions; the other process says %s", got, said)
	}
	both := args("k2")
	var wg sync.WaitGroup
	for _, l := range []*legwork{one, other} {
		wg.Go(func() { call(t, l, "federalrunner_execute_wizard", both) })
	}
	wg.Wait()
	if got := len(site.Submissions()) - before; got > 2 {
		t.Errorf("%d submissions for two keys", got)
	}
}

// TestRestartUnderLoad: a program that is killed while many call knows afterwards
// of every run that it had told a caller of.
func TestRestartUnderLoad(t *testing.T) {
	t.Parallel()
	site := startSlowForm(t)
	env := append(site.env(t), "LEGWORK_DATA_DIR="+t.TempDir())
	client := overHTTP(t, env...)
	const callers, enough = 8, 12
	told := make(chan string, 10*callers)
	var wg sync.WaitGroup
	for caller := range callers {
		wg.Go(func() {
			for n := 0; ; n++ {
				a, _, err := execute(t, client, "slow-form", map[string]any{"name": "x"},
					map[string]any{"wait_seconds": 0, "timeout_seconds": 60, "idempotency_key": fmt.Sprintf("k-%d-%d", caller, n)})
				if err != nil || a.RunID == "" || n == 9 { // it was killed, or is too busy to take another
					return
				}
				told <- a.RunID
			}
		})
	}
	eventually(t, time.Minute, "runs were promised", func() bool { return len(told) >= enough })
	if err := client.cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = client.cmd.Wait() // it was killed
	wg.Wait()
	close(told)
	client = overHTTP(t, env...)
	for id := range told {
		if said := text(call(t, client, "federalrunner_get_run", `{"run_id":"`+id+`"}`)); !strings.Contains(said, "run_interrupted") || !strings.Contains(said, id) {
			t.Errorf("%s was promised: %s", id, said)
		}
	}
}
