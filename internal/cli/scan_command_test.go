package cli_test

import (
	"encoding/json"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/legwork-mcp/legwork/internal/cwac/engine/planted"
	"github.com/legwork-mcp/legwork/internal/cwac/results"
)

// folder is the only results folder below dir.
func folder(t *testing.T, dir string) string {
	t.Helper()
	found, err := filepath.Glob(filepath.Join(dir, "2*"))
	if err != nil || len(found) != 1 {
		t.Fatalf("the folder for results has %q, %v", found, err)
	}
	return found[0]
}

func TestScanExitCodes(t *testing.T) {
	t.Parallel()
	addr := serveLocal(t, planted.New())
	tests := []struct {
		name string
		args []string
		code int
		says string
	}{
		{"faults", []string{"127.0.0.1:PORT/images.html"}, 1, "image-alt"},
		{"no faults", []string{"127.0.0.1:PORT/about.html"}, 0, "found no issue on 1 page"},
		{"an address in the query", []string{"127.0.0.1:PORT/about.html?next=http://a.example/"}, 0, "found no issue on 1 page"},
		{"faults of no weight", []string{"127.0.0.1:PORT/images.html", "--fail-on", "none"}, 0, "image-alt"},
		{"lighter faults", []string{"127.0.0.1:PORT/contrast.html", "--fail-on", "critical"}, 0, "color-contrast"},
		{"a missing page", []string{"127.0.0.1:PORT/gone.html"}, 3, "an error status: 404 Not Found"},
		{"where it is missing", []string{"127.0.0.1:PORT/gone.html"}, 3, "not scanned: 1 address skipped (an error status): http://127.0.0.1:PORT/gone.html (answered 404)"},
		{"nobody there", []string{"127.0.0.1:1"}, 3, "robots.txt got no usable answer, and then nothing may be scanned: the connection was refused"},
		{"a private address", []string{"http://10.255.255.1/"}, 3, "note: http://10.255.255.1/ was refused; if it is yours, scan it with --allow-private"},
		{"no address", []string{"ftp://example.org/"}, 2, ""},
		{"a password in the address", []string{"http://me:word@127.0.0.1:PORT/"}, 2, ""},
		{"an audit that nobody has", []string{"127.0.0.1:PORT", "--plugins", "colour"}, 2, ""},
		{"a format that nobody has", []string{"127.0.0.1:PORT", "--format", "docx"}, 2, ""},
		{"a file in the way", []string{"127.0.0.1:PORT", "--out", "/etc/hostname/x"}, 4, "Move it, or choose another folder for results."},
		{"a mistyped pattern", []string{"127.0.0.1:PORT/images.html", "--max-links", "3", "--include", "/nowhere"}, 2, "image-alt"},
		{"no time", []string{"127.0.0.1:PORT", "--timeout", "0s"}, 2, "such as --timeout 30m"},
		{"out of time", []string{"127.0.0.1:PORT", "--timeout", "1ms"}, 6, ": the scan was stopped\n"},
		{"a file to compare with", []string{"127.0.0.1:PORT", "--diff", "/etc/hostname"}, 2, "hostname is no results folder, but a file."},
		{"a viewport that is none", []string{"127.0.0.1:PORT", "--viewport", "wide"}, 2, ""},
	}
	_, port, _ := strings.Cut(addr, ":")
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			args := []string{"scan", "--max-links", "1", "--out", t.TempDir(), "--plugins", "axe"}
			for _, a := range tt.args {
				args = append(args, strings.ReplaceAll(a, "PORT", port))
			}
			stdout, stderr, code := output(t, command(t, nil, args...))
			if code != tt.code || !strings.Contains(stdout+stderr, strings.ReplaceAll(tt.says, "PORT", port)) || strings.Contains(stdout+stderr, "word@") {
				t.Errorf("exit code %d instead of %d\n%s\n%s", code, tt.code, stdout, stderr)
			}
		})
	}
}

// TestScanListsElements: those that match the selector and no others are in the file
// of the audit, and a page with a selector that is none was not looked at wholly.
func TestScanListsElements(t *testing.T) {
	t.Parallel()
	page := "http://" + serveLocal(t, planted.New()) + "/images.html"
	run := func(selector string) (list []byte, said string, code int) {
		dir := t.TempDir()
		stdout, stderr, code := output(t, command(t, nil, "scan", page, "--max-links", "1", "--out", dir, "--plugins", "title", "--element-selector", selector))
		list, _ = os.ReadFile(filepath.Join(folder(t, dir), "element_audit.csv")) // nothing is listed without it
		return list, stdout + stderr, code
	}
	list, said, code := run("h1")
	if code != 0 || !strings.Contains(string(list), "<h1") || strings.Contains(string(list), "<img") {
		t.Errorf("exit code %d: %s\n%s", code, list, said)
	}
	if _, said, code = run("]]]"); code != 4 || !strings.Contains(said, "1 page was scanned in part only") {
		t.Errorf("exit code %d: %s", code, said)
	}
}

func TestScanWritesReportsAndCompares(t *testing.T) {
	t.Parallel()
	var fixed atomic.Bool
	site := planted.New()
	addr := serveLocal(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if fixed.Load() && r.URL.Path == "/images.html" {
			r.URL.Path = "/contrast.html"
		}
		site.ServeHTTP(w, r)
	}))
	page := "http://" + addr + "/images.html"
	first, second := t.TempDir(), t.TempDir()
	if _, stderr, code := output(t, command(t, nil, "scan", page, "--max-links", "1", "--out", first, "--format", "json,md,html")); code != 1 {
		t.Fatalf("the first scan ends with %d\n%s", code, stderr)
	}
	for _, name := range []string{"report.json", "report.md", "scan.json", "axe_core_audit.csv"} {
		if _, err := os.Stat(filepath.Join(folder(t, first), name)); err != nil {
			t.Error(err)
		}
	}
	if html, err := os.ReadFile(filepath.Join(folder(t, first), "report.html")); err != nil || !strings.Contains(string(html), `src="data:image/`) {
		t.Errorf("the report for people has no picture of a fault; %v", err)
	}
	again := command(t, nil, "scan", page, "--max-links", "1", "--out", second, "--diff", folder(t, first))
	if stdout, stderr, code := output(t, again); code != 0 || !strings.Contains(stdout, "0 new, 0 fixed, 4 remaining") {
		t.Errorf("nothing changed, and the scan ends with %d\n%s\n%s", code, stdout, stderr)
	}
	for _, dir := range []string{t.TempDir(), first} { // the second has a results folder in it
		wrong := command(t, nil, "scan", page, "--max-links", "1", "--out", t.TempDir(), "--diff", dir)
		if _, stderr, code := output(t, wrong); code != 2 || !strings.Contains(stderr, "holds no scanned page to compare with") {
			t.Errorf("compared with a folder that is no scan, it ends with %d\n%s", code, stderr)
		}
	}
	fixed.Store(true)
	third := command(t, nil, "scan", page, "--max-links", "1", "--out", t.TempDir(), "--diff", folder(t, first), "--json")
	stdout, stderr, code := output(t, third)
	var rep struct {
		Comparison struct {
			New struct{ Issues int } `json:"new"`
		} `json:"comparison"`
	}
	if err := json.Unmarshal([]byte(stdout), &rep); err != nil || code != 1 || rep.Comparison.New.Issues != 3 {
		t.Errorf("three faults are new, and the scan ends with %d: %v\n%s\n%s", code, err, stdout, stderr)
	}
}

// cwacRoot is a folder as CWAC is started in.
func cwacRoot(t *testing.T, url, config string) string {
	t.Helper()
	root := t.TempDir()
	for name, text := range map[string]string{
		"config/mine.json":         config,
		"base_urls/visit/urls.csv": "organisation,url,sector\r\nOrg," + url + ",Test\r\n",
	} {
		path := filepath.Join(root, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return root
}

func TestCWACRun(t *testing.T) {
	t.Parallel()
	addr := serveLocal(t, planted.New())
	const config = `{"audit_name":"of a test","max_links_per_domain":2,"only_allow_https":false,"delay_between_page_loads":0,"crawl_sitemaps":false}`
	tests := []struct {
		name string
		args []string
		code int
		last string
	}{
		{"a site of this machine", []string{"--allow-private", "cwac-run", "mine.json"}, 0, "CWAC complete! Data can be found in the ./results folder."},
		{"the same without leave", []string{"cwac-run", "mine.json"}, 3, "CWAC ended with no page scanned. The reasons can be found in the ./results folder."},
		{"no such configuration", []string{"cwac-run", "other.json"}, 3, ""},
		{"a path", []string{"cwac-run", "../config/mine.json"}, 2, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			cmd := command(t, nil, tt.args...)
			cmd.Dir = cwacRoot(t, "http://"+addr+"/", config)
			stdout, stderr, code := output(t, cmd)
			lines := strings.Split(strings.TrimSpace(stdout), "\n")
			if refused := strings.Contains(stderr, "scan it with --allow-private"); refused != (tt.name == "the same without leave") {
				t.Errorf("the advice is there: %v\n%s", refused, stderr)
			}
			if code != tt.code || lines[len(lines)-1] != tt.last {
				t.Errorf("exit code %d instead of %d; the last line is %q\n%s", code, tt.code, lines[len(lines)-1], stderr)
			}
			if tt.last == "" {
				return
			}
			dir := folder(t, filepath.Join(cmd.Dir, "results"))
			if !strings.Contains(stdout, "Audit name: "+filepath.Base(dir)+"\n") || !strings.HasSuffix(dir, "_of_a_test") {
				t.Errorf("the folder is %s, and it printed\n%s", dir, stdout)
			}
		})
	}
}

// TestAKilledScanIsFound: the next one sees that its process is gone, and says so.
func TestAKilledScanIsFound(t *testing.T) {
	t.Parallel()
	addr := serveLocal(t, planted.NewMany(200))
	dir := t.TempDir()
	cmd := command(t, nil, "scan", "http://"+addr+"/", "--max-links", "200", "--out", dir, "--plugins", "axe")
	var out syncBuffer
	cmd.Stdout, cmd.Stderr = &out, &out
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	defer terminate(t, cmd)
	eventually(t, time.Minute, "the second page", func() bool { return strings.Contains(out.String(), " 2/200 ") })
	browsers := named(children(t, cmd.Process.Pid), "chrom")
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = cmd.Wait() // it was killed
	eventually(t, time.Minute, "the end of the browsers", func() bool { return len(alive(browsers)) == 0 })
	killed := folder(t, dir)
	_, stderr, code := output(t, command(t, nil, "scan", "http://"+addr+"/", "--max-links", "1", "--out", dir, "--plugins", "axe", "--fail-on", "none"))
	if code != 0 || !strings.Contains(stderr, "the earlier scan "+filepath.Base(killed)+" was cut off") {
		t.Errorf("exit code %d\n%s", code, stderr)
	}
	read, err := results.Open(killed)
	if err != nil || read.Scan.State != results.StateFailed || !strings.HasPrefix(read.Scan.Error, "It was cut off") {
		t.Errorf("the record is %+v, %v", read.Scan, err)
	}
}

// TestAScanThatIsNotWhole: pages without a finding that could not be audited are no
// success, and neither is a pattern that nothing matched.
func TestAScanThatIsNotWhole(t *testing.T) {
	t.Parallel()
	page := `<!doctype html><html lang="en"><head><title>t</title></head><body><main><h1>h</h1><a href="/broken">b</a></main></body></html>`
	addr := serveLocal(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		if r.URL.Path == "/broken" && r.Method == http.MethodGet {
			panic(http.ErrAbortHandler)
		}
		if r.URL.Path == "/robots.txt" {
			w.WriteHeader(http.StatusNotFound)
			return
		}
		_, _ = w.Write([]byte(page)) // the browser may be gone
	}))
	args := []string{"scan", "http://" + addr + "/", "--out", t.TempDir(), "--plugins", "axe"}
	if stdout, stderr, code := output(t, command(t, nil, args...)); code != 4 || !strings.Contains(stderr, "the scan is not whole: 1 page") {
		t.Errorf("exit code %d\n%s%s", code, stdout, stderr)
	}
	if stdout, stderr, code := output(t, command(t, nil, append(args, "--include", "/brokne")...)); code != 2 || !strings.Contains(stderr, "Did you mean /broken?") {
		t.Errorf("exit code %d\n%s%s", code, stdout, stderr)
	}
}

// TestAScanThatIsToldToEnd: it ends soon, keeps its rows and leaves no browser.
func TestAScanThatIsToldToEnd(t *testing.T) {
	t.Parallel()
	addr := serveLocal(t, planted.NewMany(200))
	cmd := command(t, nil, "--allow-private", "cwac-run", "mine.json")
	cmd.Dir = cwacRoot(t, "http://"+addr+"/", `{"audit_name":"long","max_links_per_domain":200,"only_allow_https":false}`)
	var out syncBuffer
	cmd.Stdout, cmd.Stderr = &out, &out
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	defer terminate(t, cmd)
	eventually(t, time.Minute, "the third page", func() bool { return strings.Contains(out.String(), " p:3/200 ") })
	browsers := named(children(t, cmd.Process.Pid), "chrom")
	if len(browsers) == 0 {
		t.Fatal("there is no browser below the program")
	}
	if err := cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	err := cmd.Wait()
	if code := cmd.ProcessState.ExitCode(); code != 6 {
		t.Errorf("exit code %d, %v\n%s", code, err, out.String())
	}
	eventually(t, time.Minute, "the end of the browsers", func() bool { return len(alive(browsers)) == 0 })
	read, err := results.Open(folder(t, filepath.Join(cmd.Dir, "results")))
	if err != nil || read.Scan == nil || read.Scan.State != results.StateCancelled || read.Scan.Counts.Pages[results.PageScanned] < 3 {
		t.Errorf("the record is %+v, %v", read.Scan, err)
	}
	if !strings.Contains(out.String(), "CWAC stopped early: ") {
		t.Errorf("the last lines are %q", out.String()[max(0, out.b.Len()-200):])
	}
}
