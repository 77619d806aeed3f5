package cli_test

import (
	"encoding/json"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/legwork-mcp/legwork/internal/cwac/engine/planted"
)

// scanBench is a planted site and the settings of programs that scan it.
type scanBench struct {
	url string
	dir string
	env []string
}

func newScanBench(t *testing.T, pages int) *scanBench {
	t.Helper()
	site := planted.New()
	if pages > 0 {
		site = planted.NewMany(pages)
	}
	dir := t.TempDir()
	b := &scanBench{url: "http://" + serveLocal(t, site) + "/", dir: dir, env: []string{"LEGWORK_DATA_DIR=" + dir, "LEGWORK_ALLOW_PRIVATE=1"}}
	t.Cleanup(func() { b.endAll(t) })
	return b
}

// endAll ends scans that a failed test has left, by what their state files say.
func (b *scanBench) endAll(t *testing.T) {
	for _, s := range b.states(t) {
		if s.Cause == "" && len(alive([]int{s.Supervisor.PID})) > 0 {
			_ = syscall.Kill(s.Supervisor.PID, syscall.SIGTERM)
			eventually(t, time.Minute, "the end of a scan", func() bool { return len(alive([]int{s.Supervisor.PID})) == 0 })
		}
	}
}

type scanState struct {
	Supervisor, Engine struct {
		PID int `json:"pid"`
	}
	Cause string `json:"cause"`
}

func (b *scanBench) states(t *testing.T) []scanState {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(b.dir, "scans", "registry", "*.state.json"))
	if err != nil {
		t.Fatal(err)
	}
	var out []scanState
	for _, name := range files {
		var s scanState
		raw, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal(raw, &s); err != nil {
			t.Fatal(err)
		}
		out = append(out, s)
	}
	return out
}

// agent is a client that counts what it reads.
type agent struct {
	t      *testing.T
	client *legwork
	read   int
}

func (a *agent) call(name, args string) (map[string]any, string) {
	a.t.Helper()
	res := call(a.t, a.client, name, args)
	raw, err := json.Marshal(res)
	if err != nil {
		a.t.Fatal(err)
	}
	a.read += len(raw)
	if res.IsError {
		a.t.Fatalf("%s %s: %s", name, args, text(res))
	}
	data, ok := res.StructuredContent.(map[string]any)
	if !ok {
		a.t.Fatalf("%s answers without data", name)
	}
	return data, text(res)
}

// axeOnly switches all but axe off, at one viewport: what is tested is the way, not
// the audits.
const axeOnly = `"plugins":{"axe_core_audit":true,"language_audit":false,"reflow_audit":false,"title_audit":false},"viewport_sizes":{"width":1280,"height":800}`

func (a *agent) scan(url, more string) string {
	a.t.Helper()
	data, _ := a.call("cwac_scan", fmt.Sprintf(`{"urls":[%s],%s}`, quoted(a.t, url), more))
	id, _ := data["scan_id"].(string)
	return id
}

// wait polls until the scan has ended.
func (a *agent) wait(id string) map[string]any {
	a.t.Helper()
	for range 20 {
		if data, _ := a.call("cwac_scan_status", `{"scan_id":"`+id+`","wait_seconds":60}`); data["status"] != "running" {
			return data
		}
	}
	a.t.Fatal("the scan does not end")
	return nil
}

// underway waits until the scan has scanned a page. It asks more often than an agent
// would, and what it reads does not count.
func (a *agent) underway(id string) {
	a.t.Helper()
	read := a.read
	defer func() { a.read = read }()
	eventually(a.t, 2*time.Minute, "a first page", func() bool {
		data, _ := a.call("cwac_scan_status", `{"scan_id":"`+id+`"}`)
		p, _ := data["progress"].(map[string]any)
		done, _ := p["pages_done"].(float64)
		return done > 0
	})
}

// TestAgentScansASite: the whole work of an agent over both transports, on a site of
// 50 pages, with partial results on the way, in a small part of its context.
func TestAgentScansASite(t *testing.T) {
	t.Parallel()
	transports := map[string]func(*testing.T, ...string) *legwork{
		"stdio": overStdio,
		"http":  func(t *testing.T, env ...string) *legwork { return overHTTPAt(t, "mcp/cwac", env...) },
	}
	for name, connect := range transports {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := newScanBench(t, 50)
			a := &agent{t: t, client: connect(t, b.env...)}
			old := a.scan(b.url, axeOnly+`,"max_links_per_domain":5`)
			if end := a.wait(old); end["status"] != "complete" || end["pages_scanned"] != 5.0 {
				t.Fatalf("the older scan: %v", end)
			}
			id := a.scan(b.url, axeOnly)
			a.underway(id)
			if partial, _ := a.call("cwac_get_results", `{"scan_id":"`+id+`","partial":true,"limit":2}`); partial["partial"] != true {
				t.Errorf("results on the way: %v", partial)
			}
			if end := a.wait(id); end["status"] != "complete" || end["pages_scanned"] != 50.0 || end["exit_code"] != 0.0 {
				t.Fatalf("the end: %v", end)
			}
			sum, _ := a.call("cwac_get_summary", `{"scan_id":"`+id+`"}`)
			if sum["total_issues"] != 50.0 || sum["pages_affected"] != 50.0 || sum["urls_scanned"] != 50.0 {
				t.Errorf("the summary: %v", sum)
			}
			if groups, words := a.call("cwac_get_results", `{"scan_id":"`+id+`","group_by":"rule"}`); groups["total_results"] != 1.0 || !strings.Contains(words, "image-alt") {
				t.Errorf("the groups: %s", words)
			}
			page, _ := a.call("cwac_get_results", `{"scan_id":"`+id+`","impact":"critical"}`)
			if page["total_results"] != 50.0 || page["next_cursor"] == nil {
				t.Errorf("the results: %v of %v, then %v", page["returned_results"], page["total_results"], page["next_cursor"])
			}
			diff, _ := a.call("cwac_compare_scans", `{"scan_id":"`+id+`","old_scan_id":"`+old+`"}`)
			if diff["remaining_issues"] != 5.0 || diff["new_issues"] != 0.0 {
				t.Errorf("the comparison: %v", diff)
			}
			report, _ := a.call("cwac_generate_report", `{"scan_id":"`+id+`","formats":["html","sarif"]}`)
			files, _ := report["report_files"].([]any)
			for _, f := range files {
				if _, err := os.Stat(fmt.Sprint(f)); err != nil {
					t.Error(err)
				}
			}
			if len(files) != 4 || a.read > 60<<10 {
				t.Errorf("%d files; all answers together take %d bytes", len(files), a.read)
			}
			t.Logf("all answers together take %d bytes", a.read)
		})
	}
}

// TestErrorTextsOfScans: those of the specification reach a client word for word, over
// both transports.
func TestErrorTextsOfScans(t *testing.T) {
	t.Parallel()
	transports := map[string]func(*testing.T, ...string) *legwork{
		"stdio": overStdio,
		"http":  func(t *testing.T, env ...string) *legwork { return overHTTPAt(t, "mcp/cwac", env...) },
	}
	const nobody, folder = "00000000-0000-4000-8000-000000000000", "2026-02-24_14-30-00_old"
	for name, connect := range transports {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := newScanBench(t, 200)
			old := filepath.Join(b.dir, "scans", "results", folder)
			if err := os.CopyFS(old, os.DirFS(filepath.Join("..", "cwac", "results", "testdata", "contract-a"))); err != nil {
				t.Fatal(err)
			}
			client := connect(t, b.env...)
			a := &agent{t: t, client: client}
			running := a.scan(b.url, axeOnly+`,"max_links_per_domain":200`)
			const goesOn, unknown = "Scan is still running. Check status first.", "No scan found with ID: " + nobody
			tests := []struct{ tool, args, want string }{
				{"cwac_scan", `{"urls":[]}`, "At least one URL is required"},
				{"cwac_scan", `{"urls":["file:///etc/passwd"]}`, "Invalid URL: file:///etc/passwd"},
				{"cwac_scan_status", `{"scan_id":"` + nobody + `"}`, unknown},
				{"cwac_get_results", `{"scan_id":"` + nobody + `"}`, unknown},
				{"cwac_get_summary", `{"scan_id":"` + nobody + `"}`, unknown},
				{"cwac_generate_report", `{"scan_id":"` + nobody + `"}`, unknown},
				{"cwac_cancel_scan", `{"scan_id":"` + nobody + `"}`, unknown},
				{"cwac_get_results", `{"scan_id":"` + running + `"}`, goesOn},
				{"cwac_get_summary", `{"scan_id":"` + running + `"}`, goesOn},
				{"cwac_generate_report", `{"scan_id":"` + running + `"}`, goesOn},
				{"cwac_get_results", `{"scan_id":"` + folder + `","audit_type":"speed_audit"}`, "No results file for audit type: speed_audit"},
			}
			for _, tt := range tests {
				if res := call(t, client, tt.tool, tt.args); !res.IsError || !strings.Contains(text(res), tt.want) {
					t.Errorf("%s %s: %s", tt.tool, tt.args, text(res))
				}
			}
			if list, _ := a.call("cwac_list_scans", `{}`); list["total_scans"] != 2.0 {
				t.Errorf("the list: %v", list)
			}
			if sum, _ := a.call("cwac_get_summary", `{"scan_id":"`+folder+`"}`); sum["total_issues"] == 0.0 || sum["engine"] != "cwac" {
				t.Errorf("the old scan: %v", sum)
			}
			a.call("cwac_cancel_scan", `{"scan_id":"`+running+`"}`)
			if end := a.wait(running); end["status"] != "cancelled" {
				t.Errorf("at the end: %v", end)
			}
			client = connect(t, append(b.env, "CWAC_PATH="+b.dir)...)
			if res := call(t, client, "cwac_scan", `{"urls":["https://site.example/"]}`); !res.IsError || !strings.Contains(text(res), "CWAC installation not found at "+b.dir) {
				t.Errorf("without an installation: %s", text(res))
			}
		})
	}
}

// TestScanOutlivesTheServer: kill -9 of the server in mid-scan. The next one knows
// the scan, which goes on, and no browser is left at the end.
func TestScanOutlivesTheServer(t *testing.T) {
	t.Parallel()
	b := newScanBench(t, 12)
	first := overHTTPAt(t, "mcp/cwac", b.env...)
	a := &agent{t: t, client: first}
	id := a.scan(b.url, axeOnly)
	a.underway(id)
	state := b.states(t)[0]
	below := children(t, state.Supervisor.PID)
	if len(named(below, "type=renderer")) == 0 {
		t.Fatalf("no browser runs below the scan: %v", below)
	}
	if err := first.cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = first.cmd.Wait() // it was killed
	a = &agent{t: t, client: overHTTPAt(t, "mcp/cwac", b.env...)}
	if end := a.wait(id); end["status"] != "complete" || end["pages_scanned"] != 12.0 {
		t.Errorf("after the restart: %v", end)
	}
	eventually(t, time.Minute, "no process of the scan is left", func() bool { return len(alive(append(below, state.Supervisor.PID, state.Engine.PID))) == 0 })
}

// TestScanIsKilled: kill -9 of the engine, and of its supervisor. What was found is
// kept, the cause is told, and no browser is left.
func TestScanIsKilled(t *testing.T) {
	t.Parallel()
	victims := map[string]func(scanState) int{
		"the engine":     func(s scanState) int { return s.Engine.PID },
		"the supervisor": func(s scanState) int { return s.Supervisor.PID },
	}
	for name, victim := range victims {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := newScanBench(t, 40)
			a := &agent{t: t, client: overStdio(t, b.env...)}
			id := a.scan(b.url, axeOnly)
			a.underway(id)
			state := b.states(t)[0]
			all := append(children(t, state.Supervisor.PID), state.Supervisor.PID)
			if len(named(all, "type=renderer")) == 0 {
				t.Fatalf("no browser runs below the scan: %v", all)
			}
			if err := syscall.Kill(victim(state), syscall.SIGKILL); err != nil {
				t.Fatal(err)
			}
			end := a.wait(id)
			if cause, _ := end["cause"].(string); end["status"] != "failed" || cause == "" {
				t.Errorf("it ended as %v", end)
			}
			if sum, words := a.call("cwac_get_summary", `{"scan_id":"`+id+`"}`); sum["partial"] != true || sum["total_issues"] == 0.0 {
				t.Errorf("what was found: %s", words)
			}
			eventually(t, time.Minute, "no process of the scan is left", func() bool { return len(alive(all)) == 0 })
		})
	}
}

// TestCancelledScanLeavesNoBrowser ends a real scan by its tool.
func TestCancelledScanLeavesNoBrowser(t *testing.T) {
	t.Parallel()
	b := newScanBench(t, 40)
	a := &agent{t: t, client: overStdio(t, b.env...)}
	id := a.scan(b.url, axeOnly)
	a.underway(id)
	state := b.states(t)[0]
	all := append(children(t, state.Supervisor.PID), state.Supervisor.PID)
	if data, _ := a.call("cwac_cancel_scan", `{"scan_id":"`+id+`"}`); data["status"] != "cancelled" {
		t.Errorf("it says %v", data)
	}
	eventually(t, time.Minute, "no process of the scan is left", func() bool { return len(alive(all)) == 0 })
	temp, err := filepath.Glob(filepath.Join(b.dir, "scans", "*", "mcp_*"))
	if err != nil || len(temp) > 0 {
		t.Errorf("it left %v, %v", temp, err)
	}
}

// TestScanOfAPrivateAddress is refused unless it is allowed, at once.
func TestScanOfAPrivateAddress(t *testing.T) {
	t.Parallel()
	b := newScanBench(t, 1)
	_, port, err := net.SplitHostPort(strings.Trim(strings.TrimPrefix(b.url, "http:"), "/"))
	if err != nil {
		t.Fatal(err)
	}
	client := overStdio(t, "LEGWORK_DATA_DIR="+b.dir)
	for _, address := range []string{b.url, "http://localhost:" + port + "/", "http://[::ffff:127.0.0.1]:" + port + "/", "http://169.254.169.254/latest/", "http://10.1.2.3/"} {
		res := call(t, client, "cwac_scan", `{"urls":[`+quoted(t, address)+`]}`)
		data, _ := res.StructuredContent.(map[string]any)
		if !res.IsError || data["error_type"] != "origin_not_allowed" {
			t.Errorf("%s: %s", address, text(res))
		}
	}
	if states := b.states(t); len(states) != 0 {
		t.Errorf("%d scans were started", len(states))
	}
}

// TestPageWithAPicture: the picture comes with the faults.
func TestPageWithAPicture(t *testing.T) {
	t.Parallel()
	b := newScanBench(t, 0)
	client := overStdio(t, b.env...)
	a := &agent{t: t, client: client}
	id := a.scan(b.url+"images.html", `"max_links_per_domain":1`)
	if end := a.wait(id); end["status"] != "complete" || end["pages_scanned"] != 1.0 {
		t.Fatalf("the scan: %v", end)
	}
	res := call(t, client, "cwac_get_page", `{"scan_id":"`+id+`","url":`+quoted(t, b.url+"images.html")+`}`)
	var picture *mcp.ImageContent
	for _, c := range res.Content {
		if i, ok := c.(*mcp.ImageContent); ok {
			picture = i
		}
	}
	if picture == nil || picture.MIMEType != "image/jpeg" || len(picture.Data) > 150_000 {
		t.Errorf("there is no such picture: %s", text(res))
	}
	if words := text(res); !strings.Contains(words, "["+strconv.Itoa(1)+"] critical image-alt") {
		t.Errorf("the faults: %s", words)
	}
}
