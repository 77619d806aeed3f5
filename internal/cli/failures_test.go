package cli_test

import (
	"bufio"
	"encoding/json"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/legwork-mcp/legwork/internal/runner"
)

// slowForm is a site of one page whose Continue is answered only when the test
// lets it: a run stands still there for as long as a test needs.
type slowForm struct {
	addr    string
	arrived chan struct{} // one per submit
	left    chan struct{} // one per submit whose browser went away
	release chan struct{} // closed to let all go
}

const slowPage = `<!doctype html><title>Slow form</title><h1>Slow form</h1>
<form method="post"><label for="n">Name</label><input id="n" name="n"><button id="go">Continue</button></form>`

func startSlowForm(t *testing.T) *slowForm {
	t.Helper()
	s := &slowForm{arrived: make(chan struct{}, 64), left: make(chan struct{}, 64), release: make(chan struct{})}
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	s.addr = ln.Addr().String()
	srv := &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		if r.Method == http.MethodPost {
			io.Copy(io.Discard, r.Body) // only then does the server notice that a client went away
			s.arrived <- struct{}{}
			select {
			case <-s.release:
			case <-r.Context().Done():
				s.left <- struct{}{}
			}
			w.Write([]byte("<!doctype html><h1>Done</h1><p>ok"))
			return
		}
		w.Write([]byte(slowPage))
	})}
	go srv.Serve(ln)
	t.Cleanup(func() { srv.Close() })
	return s
}

// wizardDir is a wizard folder with the slow form in it.
func (s *slowForm) wizardDir(t *testing.T) string {
	t.Helper()
	return folderOf(t, "slow-form", "http://"+s.addr+"/", nil)
}

// folderOf is a wizard folder with a form of the slow form's shape, which may want a
// browser.
func folderOf(t *testing.T, id, address string, need map[string]any) string {
	t.Helper()
	dir := t.TempDir()
	sub := filepath.Join(dir, "wizard-structures")
	if err := os.MkdirAll(sub, 0o755); err != nil {
		t.Fatal(err)
	}
	structure := map[string]any{
		"wizard_id": id, "name": "Slow form", "url": address,
		"discovered_at": "2026-11-27T00:00:00Z", "discovery_version": "1.0.0", "total_pages": 1,
		"pages": []any{map[string]any{
			"page_number": 1, "page_title": "Slow form",
			"fields": []any{map[string]any{
				"label": "Name", "field_id": "name", "selector": "#n", "field_type": "text", "interaction": "fill",
				"required": true, "example_value": "x",
			}},
			"continue_button": map[string]any{"text": "Continue", "selector": "#go"},
		}},
		"success_when": []any{map[string]any{"heading": "Done"}},
	}
	if need != nil {
		structure["browser"] = need
	}
	raw, err := json.Marshal(structure)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(sub, id+".json"), raw, 0o644); err != nil {
		t.Fatal(err)
	}
	return dir
}

func (s *slowForm) env(t *testing.T) []string {
	return []string{"FEDERALRUNNER_WIZARDS_DIR=" + s.wizardDir(t), "LEGWORK_ALLOW_PRIVATE=1"}
}

type ran struct {
	answer runner.Answer
	err    error
}

// inFlight starts a run and waits until the site has its submit.
func (s *slowForm) inFlight(t *testing.T, client *legwork) <-chan ran {
	return s.inFlightWith(t, client, "x")
}

func (s *slowForm) inFlightWith(t *testing.T, client *legwork, name string) <-chan ran {
	t.Helper()
	out := make(chan ran, 1)
	go func() {
		a, _, err := execute(t, client, "slow-form", map[string]any{"name": name}, map[string]any{"timeout_seconds": 60, "wait_seconds": 100})
		out <- ran{a, err}
	}()
	select {
	case <-s.arrived:
	case r := <-out:
		t.Fatalf("the run ended before its submit: %+v %v", r.answer, r.err)
	case <-time.After(60 * time.Second):
		t.Fatalf("no submit arrived\n%s", client.log)
	}
	return out
}

func browsers(t *testing.T, l *legwork) []int {
	return named(children(t, l.cmd.Process.Pid), "chrom")
}

// mainBrowser is the browser process itself, not one of its children.
func mainBrowser(t *testing.T, l *legwork) int {
	t.Helper()
	for _, pid := range browsers(t, l) {
		if len(named([]int{pid}, "--type=")) == 0 {
			return pid
		}
	}
	t.Fatal("no browser is running")
	return 0
}

// killBrowsers ends every browser of the program: runs and explorations have
// their own.
func killBrowsers(t *testing.T, l *legwork) {
	t.Helper()
	killed := 0
	for _, pid := range browsers(t, l) {
		if len(named([]int{pid}, "--type=")) > 0 {
			continue
		}
		if err := syscall.Kill(pid, syscall.SIGKILL); err != nil {
			t.Fatal(err)
		}
		killed++
	}
	if killed == 0 {
		t.Fatal("no browser is running")
	}
}

// TestKilledBrowser: the run in it ends as browser_error, the next run works.
func TestKilledBrowser(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name  string
		whose func(t *testing.T, l *legwork) int
	}{
		{"browser", mainBrowser},
		{"renderer", func(t *testing.T, l *legwork) int {
			r := named(browsers(t, l), "--type=renderer")
			if len(r) == 0 {
				t.Fatal("no renderer is running")
			}
			for _, pid := range r {
				syscall.Kill(pid, syscall.SIGKILL)
			}
			return r[0]
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			site := startSlowForm(t)
			client := overStdio(t, site.env(t)...)
			run := site.inFlight(t, client)
			before := browsers(t, client)
			if err := syscall.Kill(c.whose(t, client), syscall.SIGKILL); err != nil && err != syscall.ESRCH {
				t.Fatal(err)
			}
			r := <-run
			if r.err != nil || r.answer.ErrorType != runner.TypeBrowser {
				t.Fatalf("the killed run: %s %v", r.answer.Text(), r.err)
			}
			close(site.release)
			a, _, err := execute(t, client, "slow-form", map[string]any{"name": "x"}, nil)
			if err != nil || !a.Success {
				t.Fatalf("the next run: %s %v", a.Text(), err)
			}
			if c.name == "browser" {
				eventually(t, time.Minute, "the killed browser's processes are gone", func() bool { return len(alive(before)) == 0 })
			}
		})
	}
}

// TestTerminatedWithRunsInFlight: SIGTERM with four runs under way leaves no
// browser process, and each run was answered as cancelled.
func TestTerminatedWithRunsInFlight(t *testing.T) {
	t.Parallel()
	site := startSlowForm(t)
	client := overHTTP(t, append(site.env(t), "LEGWORK_GRACE=1s")...)
	var runs []<-chan ran
	for range 4 {
		runs = append(runs, site.inFlight(t, client))
	}
	procs := browsers(t, client)
	if len(procs) == 0 {
		t.Fatal("no browser is running")
	}
	terminate(t, client.cmd)
	for i, r := range runs {
		got := <-r
		if got.err == nil && got.answer.ErrorType != runner.TypeCancelled {
			t.Errorf("run %d: %s", i, got.answer.Text())
		}
		if got.err != nil {
			t.Errorf("run %d was not answered: %v", i, got.err)
		}
	}
	eventually(t, time.Minute, "no browser process is left", func() bool { return len(alive(procs)) == 0 })
	if code := client.cmd.ProcessState.ExitCode(); code != 0 {
		t.Errorf("exit code %d\n%s", code, client.log)
	}
}

// TestKilledProgramLeavesNoBrowser: even kill -9 of legwork itself.
func TestKilledProgramLeavesNoBrowser(t *testing.T) {
	t.Parallel()
	site := startSlowForm(t)
	client := overHTTP(t, site.env(t)...)
	site.inFlight(t, client)
	procs := browsers(t, client)
	client.cmd.Process.Kill()
	client.cmd.Wait()
	eventually(t, time.Minute, "no browser process is left", func() bool { return len(alive(procs)) == 0 })
}

// TestDeadline: a run that stands still ends as timeout within its time.
func TestDeadline(t *testing.T) {
	site := startSlowForm(t)
	client := overStdio(t, site.env(t)...)
	began := time.Now()
	a, _, err := execute(t, client, "slow-form", map[string]any{"name": "x"}, map[string]any{"timeout_seconds": 5, "wait_seconds": 60})
	if err != nil || a.ErrorType != runner.TypeTimeout || a.PageNumber != 1 {
		t.Fatalf("%s %v", a.Text(), err)
	}
	if a.ExecutionTimeMS > 5000+10_000 { // the rest is for a busy machine
		t.Errorf("ended after %d ms of 5000 (%v as seen by the client)", a.ExecutionTimeMS, time.Since(began))
	}
}

// TestPollAndCancel: an answer that takes longer than wait_seconds comes through
// federalrunner_get_run, and a run can be cancelled there.
func TestPollAndCancel(t *testing.T) {
	t.Parallel()
	site := startSlowForm(t)
	client := overStdio(t, append(site.env(t), "LEGWORK_GRACE=1s")...)
	opts := map[string]any{"timeout_seconds": 60, "wait_seconds": 0, "idempotency_key": "k1"}
	first, _, err := execute(t, client, "slow-form", map[string]any{"name": "x"}, opts)
	if err != nil || first.Status != runner.StatusRunning || first.RunID == "" {
		t.Fatalf("%s %v", first.Text(), err)
	}
	again, _, err := execute(t, client, "slow-form", map[string]any{"name": "x"}, opts)
	if err != nil || again.RunID != first.RunID {
		t.Fatalf("the same idempotency key started %s beside %s %v", again.RunID, first.RunID, err)
	}
	<-site.arrived
	close(site.release)
	if a := getRunAnswer(t, client, first.RunID, false); !a.Success {
		t.Errorf("polled: %s", a.Text())
	}
	select {
	case <-site.arrived:
		t.Error("the form was submitted twice")
	default:
	}

	stuck := startSlowForm(t)
	other := overStdio(t, append(stuck.env(t), "LEGWORK_GRACE=1s")...)
	run := stuck.inFlight(t, other)
	_ = run
	b, _, err := execute(t, other, "slow-form", map[string]any{"name": "x"}, map[string]any{"timeout_seconds": 60, "wait_seconds": 0})
	if err != nil || b.Status != runner.StatusRunning {
		t.Fatalf("%s %v", b.Text(), err)
	}
	if a := getRunAnswer(t, other, b.RunID, true); a.ErrorType != runner.TypeCancelled {
		t.Errorf("cancelled: %s", a.Text())
	}
}

func getRunAnswer(t *testing.T, client *legwork, id string, cancel bool) runner.Answer {
	t.Helper()
	res, err := client.CallTool(t.Context(), &mcp.CallToolParams{
		Name: "federalrunner_get_run", Arguments: map[string]any{"run_id": id, "cancel": cancel, "wait_seconds": 60},
	})
	if err != nil {
		t.Fatal(err)
	}
	var a runner.Answer
	if err := decode(res, &a); err != nil {
		t.Fatal(err)
	}
	return a
}

// TestStdoutIsProtocolOnly: every line that stdio writes is a JSON-RPC message.
func TestStdoutIsProtocolOnly(t *testing.T) {
	t.Parallel()
	site := startPractice(t)
	cmd := command(t, []string{"LEGWORK_PRACTICE_ADDR=" + site.addr, "LEGWORK_LOG_LEVEL=debug"}, "stdio")
	cmd.Stdin = strings.NewReader(strings.Join([]string{
		`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}`,
		`{"jsonrpc":"2.0","method":"notifications/initialized"}`,
		`this is no JSON`,
		`{"jsonrpc":"2.0","id":2,"method":"tools/list"}`,
		`{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"federalrunner_list_wizards","arguments":null}}`,
	}, "\n") + "\n")
	stdout, stderr, code := output(t, cmd)
	if code != 0 {
		t.Errorf("exit code %d\n%s", code, stderr)
	}
	lines := 0
	sc := bufio.NewScanner(strings.NewReader(stdout))
	sc.Buffer(nil, 1<<20)
	for ; sc.Scan(); lines++ {
		var m struct {
			JSONRPC string `json:"jsonrpc"`
		}
		if err := json.Unmarshal(sc.Bytes(), &m); err != nil || m.JSONRPC != "2.0" {
			t.Errorf("line %d is no JSON-RPC: %.200s", lines+1, sc.Text())
		}
	}
	if lines < 4 {
		t.Errorf("%d lines of answer\n%s", lines, stdout)
	}
}
