package cwac

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/legwork-mcp/legwork/internal/cwac/process"
	"github.com/legwork-mcp/legwork/internal/cwac/results"
	"github.com/legwork-mcp/legwork/internal/tool"
)

// TestLifeOfAScan: the whole way of an agent, from the start to the report.
func TestLifeOfAScan(t *testing.T) {
	b := newBench(t)
	start := b.good("cwac_scan", map[string]any{"urls": []string{benchSite}, "audit_name": "slow one"})
	id := start.word("scan_id")
	if !idPattern.MatchString(id) || start.word("status") != "started" || start.word("audit_name") != "slow one" {
		t.Errorf("the start says %v", start.data)
	}
	config := filepath.Join(b.dir, "config", "mcp_"+id[:8]+".json")
	if start.word("config_path") != config || start.word("base_urls_dir") != filepath.Join(b.dir, "base_urls", "visit", "mcp_"+id[:8])+"/" {
		t.Errorf("the paths are %v", start.data)
	}
	csv, err := os.ReadFile(filepath.Join(start.word("base_urls_dir"), "urls.csv"))
	if err != nil || !strings.Contains(string(csv), "organisation,url,sector") || !strings.Contains(string(csv), "site.example,"+benchSite+",unknown") {
		t.Errorf("urls.csv is %q, %v", csv, err)
	}
	b.until(id, func(s process.State) bool { return strings.Contains(strings.Join(s.Stdout, "\n"), "page 1") })

	running := b.good("cwac_scan_status", map[string]any{"scan_id": id})
	if running.word("status") != "running" || !strings.Contains(running.word("stdout_tail"), "page 1") || !strings.HasSuffix(running.word("elapsed_time"), "s") {
		t.Errorf("while it runs: %v", running.data)
	}
	if p, _ := running.data["progress"].(map[string]any); p["pages_done"] != 1.0 || p["pages_expected"] != 3.0 || p["remaining"] != "1m 0s" {
		t.Errorf("the progress is %v", running.data["progress"])
	}
	early := b.good("cwac_get_results", map[string]any{"scan_id": id, "partial": true, "audit_type": results.AuditAxe})
	if early.number("total_results") != 4 || early.data["partial"] != true || !strings.Contains(early.text, "still running") {
		t.Errorf("partial results: %s", early.text)
	}

	if err := os.WriteFile(filepath.Join(b.dir, "go"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	done := b.good("cwac_scan_status", map[string]any{"scan_id": id, "wait_seconds": 60})
	if done.word("status") != "complete" || done.data["exit_code"] != 0.0 || done.number("pages_scanned") != 3 {
		t.Errorf("at the end: %v", done.data)
	}
	if dir := done.word("results_dir"); !strings.HasPrefix(dir, filepath.Join(b.dir, "results")) || !strings.HasSuffix(dir, "_slow_one_"+id[:8]+"/") {
		t.Errorf("the results are in %s", dir)
	}
	b.untilEnd(id)
	for _, gone := range []string{config, start.word("base_urls_dir")} {
		if _, err := os.Stat(gone); !os.IsNotExist(err) {
			t.Errorf("%s is still there", gone)
		}
	}

	all := b.good("cwac_get_results", map[string]any{"scan_id": id, "audit_type": results.AuditAxe})
	if all.number("total_results") != 12 || all.number("returned_results") != 12 {
		t.Errorf("the results: %s", all.text)
	}
	first, _ := all.data["results"].([]any)[0].(map[string]any)
	want := map[string]any{
		"url": benchSite + "p1", "rule_id": "image-alt", "impact": "critical", "description": "Elements must image-alt", "target": "//main/img",
		"help_url": "https://rules.example/image-alt", "audit_type": results.AuditAxe, "selector": "#x", "viewport": "small",
	}
	for name, v := range want {
		if first[name] != v {
			t.Errorf("%s is %v, want %v", name, first[name], v)
		}
	}
	sum := b.good("cwac_get_summary", map[string]any{"scan_id": id})
	figures := map[string]int{"total_issues": 12, "unique_issues": 6, "pages_affected": 3, "urls_scanned": 3, "needs_review": 3, "template_groups": 1, "distinct_faults": 4}
	for name, n := range figures {
		if sum.number(name) != n {
			t.Errorf("%s is %v, want %d", name, sum.data[name], n)
		}
	}
	impacts, _ := sum.data["issues_by_impact"].(map[string]any)
	if impacts["critical"] != 6.0 || impacts["serious"] != 6.0 {
		t.Errorf("the impacts are %v", impacts)
	}
	page := b.good("cwac_get_page", map[string]any{"scan_id": id, "url": benchSite + "p2"})
	if page.images != 1 || page.number("total_faults") != 2 || !strings.Contains(page.text, "[1] critical image-alt at small, medium") {
		t.Errorf("the page has %d pictures: %s", page.images, page.text)
	}
	rep := b.good("cwac_generate_report", map[string]any{"scan_id": id, "formats": []string{"markdown"}})
	dir := done.word("results_dir")
	if diff := cmp.Diff([]any{dir + "report_data.json", dir + "leaderboard.csv", dir + "report.md"}, rep.data["report_files"]); diff != "" {
		t.Errorf("the report files (-want +got):\n%s", diff)
	}
	list := b.good("cwac_list_scans", map[string]any{})
	item, _ := list.data["scans"].([]any)[0].(map[string]any)
	if list.number("total_scans") != 1 || item["scan_id"] != id || item["path"] != dir || item["status"] != "complete" {
		t.Errorf("the list: %v", list.data)
	}
}

// TestEnvironmentOfAScan: it sees what it needs and nothing else.
func TestEnvironmentOfAScan(t *testing.T) {
	b := newBench(t)
	t.Setenv("LEGWORK_DATABASE_URL", "postgres://secret")
	id := b.scanned("env")
	x, err := b.reg.load(id, "local")
	if err != nil {
		t.Fatal(err)
	}
	s, err := b.reg.state(x)
	if err != nil {
		t.Fatal(err)
	}
	var env []string
	for _, line := range s.Stdout {
		if rest, ok := strings.CutPrefix(line, "env "); ok {
			name, _, _ := strings.Cut(rest, "=")
			env = append(env, name)
		}
	}
	if diff := cmp.Diff([]string{"PATH", "HOME"}, env); diff != "" {
		t.Errorf("the environment (-want +got):\n%s", diff)
	}
}

func TestStates(t *testing.T) {
	b := newBench(t)
	t.Run("nothing scanned", func(t *testing.T) {
		id := b.scanned("nothing")
		a := b.good("cwac_scan_status", map[string]any{"scan_id": id})
		if a.word("status") != "complete" || a.data["pages_scanned"] != 0.0 || !strings.Contains(a.text, "This is no clean result. A base URL did not answer") {
			t.Errorf("the status is %s", a.text)
		}
		if a := b.good("cwac_get_summary", map[string]any{"scan_id": id}); a.number("total_issues") != 0 || !strings.Contains(a.text, "no clean result") {
			t.Errorf("the summary is %s", a.text)
		}
	})
	t.Run("failed", func(t *testing.T) {
		id := b.scanned("refuses")
		a := b.good("cwac_scan_status", map[string]any{"scan_id": id})
		if a.word("status") != "failed" || a.data["exit_code"] != 4.0 || a.word("cause") != "The browser is not installed." || a.word("corrective_action") != "Install one." || !strings.Contains(a.word("stderr"), "not installed") {
			t.Errorf("the status is %v", a.data)
		}
		for _, name := range []string{"cwac_get_results", "cwac_get_summary", "cwac_generate_report"} {
			if a := b.call(name, map[string]any{"scan_id": id}); !a.failed || !strings.Contains(a.text, "Scan failed. The browser is not installed.") || a.data["exit_code"] != 4.0 {
				t.Errorf("%s says %s", name, a.text)
			}
		}
	})
	t.Run("cancelled", func(t *testing.T) {
		id := b.started("slow")
		b.until(id, func(s process.State) bool { return strings.Contains(strings.Join(s.Stdout, "\n"), "page 1") })
		a := b.good("cwac_cancel_scan", map[string]any{"scan_id": id})
		if a.word("status") != "cancelled" || a.word("cause_type") != "cancelled" {
			t.Errorf("it says %s", a.text)
		}
		b.untilEnd(id)
		if a := b.good("cwac_cancel_scan", map[string]any{"scan_id": id}); a.word("status") != "cancelled" {
			t.Errorf("the second time it says %s", a.text)
		}
		if a := b.good("cwac_get_results", map[string]any{"scan_id": id}); a.number("total_results") != 4 || a.data["partial"] != true {
			t.Errorf("what was found: %s", a.text)
		}
	})
	t.Run("not started", func(t *testing.T) {
		broken := newBench(t, func(o *Options) { o.Engine = []string{"/nowhere/legwork"} })
		a := broken.call("cwac_scan", map[string]any{"urls": []string{benchSite}})
		if !a.failed || !strings.Contains(a.text, "Failed to start CWAC process: ") || !strings.Contains(a.text, "no such file") {
			t.Errorf("it says %s", a.text)
		}
		if left, _ := filepath.Glob(filepath.Join(broken.dir, "*", "*mcp_*")); len(left) > 0 {
			t.Errorf("it left %v", left)
		}
		if list := broken.good("cwac_list_scans", map[string]any{}); list.number("total_scans") != 0 {
			t.Errorf("it is listed: %s", list.text)
		}
	})
}

// TestRestart: another server, the next one or one beside, knows the same.
func TestRestart(t *testing.T) {
	b := newBench(t)
	lives, dies := b.started("slow lives"), b.started("slow dies")
	for _, id := range []string{lives, dies} {
		b.until(id, func(s process.State) bool { return strings.Contains(strings.Join(s.Stdout, "\n"), "page 1") })
	}
	s, err := process.ReadState(b.reg.path(dies, stateFile))
	if err != nil {
		t.Fatal(err)
	}
	kill(t, s.Supervisor.PID)
	b.until(dies, func(s process.State) bool { return !s.Supervisor.Alive() && !s.Engine.Alive() })

	next := &bench{t, b.dir, New(b.o)}
	if a := next.good("cwac_scan_status", map[string]any{"scan_id": lives}); a.word("status") != "running" {
		t.Errorf("the one that lives: %s", a.text)
	}
	a := next.good("cwac_scan_status", map[string]any{"scan_id": dies})
	if a.word("status") != "failed" || a.word("cause_type") != "interrupted" {
		t.Errorf("the one that died: %s", a.text)
	}
	if a := next.good("cwac_get_results", map[string]any{"scan_id": dies}); a.number("total_results") != 4 || !strings.Contains(a.text, "Scan failed.") {
		t.Errorf("its results: %s", a.text)
	}
	if a := next.good("cwac_cancel_scan", map[string]any{"scan_id": lives}); a.word("status") != "cancelled" {
		t.Errorf("cancelled by the next server: %s", a.text)
	}
	left, err := filepath.Glob(filepath.Join(b.dir, "config", "mcp_*"))
	if err != nil || len(left) > 0 {
		t.Errorf("it left %v, %v", left, err)
	}
}

// midway starts a slow scan and returns its id and its engine's process when the first
// page is done.
func (b *bench) midway() (id string, engine int) {
	b.t.Helper()
	id = b.started("slow")
	b.until(id, func(s process.State) bool { return strings.Contains(strings.Join(s.Stdout, "\n"), "page 1") })
	s, err := process.ReadState(b.reg.path(id, stateFile))
	if err != nil {
		b.t.Fatal(err)
	}
	return id, s.Engine.PID
}

// TestEngineKilled: the state is true, and what was found is kept.
func TestEngineKilled(t *testing.T) {
	b := newBench(t)
	id, engine := b.midway()
	kill(t, engine)
	a := b.good("cwac_scan_status", map[string]any{"scan_id": id, "wait_seconds": 60})
	if a.word("status") != "failed" || a.word("cause_type") != "killed" || !strings.Contains(a.word("cause"), "signal") || a.number("pages_scanned") != 1 {
		t.Errorf("it says %s", a.text)
	}
	if a := b.good("cwac_get_summary", map[string]any{"scan_id": id}); a.number("total_issues") != 4 || a.data["partial"] != true {
		t.Errorf("the summary: %s", a.text)
	}
	rep, _ := b.good("cwac_generate_report", map[string]any{"scan_id": id, "content": "markdown"}).data["content"].(string)
	if strings.Contains(rep, "still running") || !strings.Contains(rep, "The scan failed: Its process was ended by a signal") {
		t.Errorf("the report: %s", rep)
	}
}

// TestResultsThatCannotBeListed are no empty list.
func TestResultsThatCannotBeListed(t *testing.T) {
	b := newBench(t)
	if err := os.MkdirAll(b.dir, 0o700); err != nil {
		t.Fatal(err)
	}
	if a := b.good("cwac_list_scans", map[string]any{}); a.number("total_scans") != 0 || a.word("note") == "" {
		t.Errorf("without results: %s", a.text)
	}
	if err := os.WriteFile(filepath.Join(b.dir, "results"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if a := b.call("cwac_list_scans", map[string]any{}); !a.failed || !strings.Contains(a.text, "Cannot read results directory: not a directory") {
		t.Errorf("it says %s", a.text)
	}
}

// TestProgressWhileWaiting: who waits for the end is told how far the scan is.
func TestProgressWhileWaiting(t *testing.T) {
	b := newBench(t)
	id := b.started("slow")
	b.until(id, func(s process.State) bool { return strings.Contains(strings.Join(s.Stdout, "\n"), "page 1") })
	var told []string
	ctx := tool.WithProgress(localContext(t), func(_ context.Context, done, total float64, message string) {
		told = append(told, fmt.Sprint(done, " of ", total, ": ", message))
	})
	out, err := b.scanStatus(ctx, StatusIn{ScanID: id, Wait: 1})
	if err != nil || out.Status != statusRunning {
		t.Fatalf("it says %v, %v", out, err)
	}
	if diff := cmp.Diff([]string{"1 of 3: 1 of at most 3 pages"}, told); diff != "" {
		t.Errorf("what it is told (-want +got):\n%s", diff)
	}
}

// TestSlowAddresses: a scan is as old as its record, however long it took to look at
// its addresses; else it would be taken for dead while it is being started.
func TestSlowAddresses(t *testing.T) {
	var slow time.Duration
	b := newBench(t, func(o *Options) {
		o.Clock = func() time.Time { return time.Now().Add(slow) }
		o.Resolve = func(context.Context, string, bool) (string, error) {
			slow = 2 * startPatience
			return "", nil
		}
	})
	id := b.started("slow")
	rec, err := b.reg.read(id)
	if err != nil {
		t.Fatal(err)
	}
	if age := b.clock().Sub(rec.Created); age >= startPatience {
		t.Errorf("the scan begins with an age of %v", age)
	}
}

// TestAddressesAreLookedAtTogether: those that do not answer must not add up.
func TestAddressesAreLookedAtTogether(t *testing.T) {
	met := make(chan struct{})
	b := newBench(t, func(o *Options) {
		o.Resolve = func(ctx context.Context, _ string, _ bool) (string, error) {
			ctx, cancel := context.WithTimeout(ctx, 10*time.Second)
			defer cancel()
			select {
			case met <- struct{}{}:
			case <-met:
			case <-ctx.Done():
				return "", ctx.Err()
			}
			return "", nil
		}
	})
	b.good("cwac_scan", args{"urls": []string{benchSite, benchSite + "other"}, "audit_name": "two"})
}
