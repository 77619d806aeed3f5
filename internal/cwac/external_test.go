package cwac

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/legwork-mcp/legwork/internal/cwac/process"
	"github.com/legwork-mcp/legwork/internal/cwac/results"
)

// pythonStandIn plays the interpreter of an installation with cwac.py and its report
// script: it prints, writes and fails as they were seen to. The file mode says how.
const pythonStandIn = `#!/bin/sh
if [ "$1" = "--version" ]; then echo "Python $(cat version)"; exit 0; fi
[ "$1" = "-u" ] || exit 9
mode=$(cat mode)
if [ "$2" = "export_report_data.py" ]; then
	case $3 in */*) echo "FileNotFoundError: [Errno 2] No such file or directory: './results/$3'" >&2; exit 1;; esac
	case $mode in
	export-fails) echo "Traceback (most recent call last):" >&2; echo "KeyError: 'reporting'" >&2; exit 1;;
	esac
	out=reports/$3; [ -e contract-b ] && out=results/$3
	mkdir -p "$out"; echo "organisation,base_url" > "$out/axe_core_audit_leaderboard.csv"
	exit 0
fi
[ "$2" = "cwac.py" ] || exit 8
name=$(sed -n 's/.*"audit_name": "\([^"]*\)".*/\1/p' "config/$3")
case $mode in
config) rm "config/$3"; echo "FileNotFoundError: [Errno 2] No such file or directory: './config/$3'" >&2; exit 1;;
name) echo "ValueError: config_filename must be alphanumeric" >&2; exit 1;;
syntax) echo '    type A = B' >&2; echo 'SyntaxError: invalid syntax' >&2; exit 1;;
esac
folder=2026-11-27_20-38-33_$name
echo "Audit name: $folder"
[ "$PYTHONUNBUFFERED" = 1 ] && [ "$PYTHONUTF8" = 1 ] || exit 7
env | sed 's/^/env /'
trace() { echo "Traceback (most recent call last):" >&2; echo '  File "cwac.py", line 1, in <module>' >&2; echo "$1" >&2; exit 1; }
case $mode in
outside) mkdir -p "results/$folder"; trace "ValueError: base_urls_visit_path is not inside ./base_urls";;
visit) trace "FileNotFoundError: [Errno 2] No such file or directory: './base_urls/visit/x/'";;
columns) trace "ValueError: ('CSV files must have 3 columns', 4)";;
plugin) trace "ModuleNotFoundError: No module named 'src.audit_plugins.seo_audit'";;
package) trace "ModuleNotFoundError: No module named 'selenium'";;
versions) trace "selenium.common.exceptions.SessionNotCreatedException: Message: session not created: This version of ChromeDriver only supports Chrome version 122";;
driver) trace "selenium.common.exceptions.WebDriverException: Message: 'chromedriver' executable needs to be in PATH.";;
chrome) echo "#0 0x55d2c8a5b6ba <unknown>" >&2; echo "#1 0x55d2c84f8870 <unknown>" >&2; exit 1;;
nltk) trace "LookupError: Resource cmudict not found.";;
disk) trace "OSError: [Errno 28] No space left on device";;
odd) trace "RuntimeError: something new";;
esac
mkdir -p "results/$folder"
cp "config/$3" "results/$folder/config.json"
case $mode in
nothing) echo "CWAC complete! Data can be found in the ./results folder."; exit 0;;
dead)
	printf '\357\273\277base_url,parent_url,url,status_code\r\nhttps://dead.example/,,https://dead.example/,-1\r\n' > "results/$folder/unexpected_response_codes.csv"
	printf '\357\273\277organisation,base_url,number_of_pages,sector\r\ndead.example,https://dead.example/,0,unknown\r\n' > "results/$folder/pages_scanned.csv"
	exit 0;;
hangs)
	(trap '' TERM; while :; do sleep 0.05; done) &
	echo $! > driver
	(trap '' TERM; setsid sh -c 'echo $$ > browser; while :; do sleep 0.05; done') &
	sleep 600;;
esac
cp sample/* "results/$folder/"
echo "CWAC complete! Data can be found in the ./results folder."
`

// installation makes a folder that looks like CWAC of a contract.
func installation(t *testing.T, contract, mode string) string {
	t.Helper()
	root := t.TempDir()
	put := func(name, text string, perm os.FileMode) {
		t.Helper()
		path := filepath.Join(root, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), perm); err != nil {
			t.Fatal(err)
		}
	}
	put("cwac.py", "", 0o644)
	put(".venv/bin/python", pythonStandIn, 0o755)
	put("mode", mode, 0o644)
	put("version", "3.12.4", 0o644)
	put("results/.keep", "", 0o644)
	put("base_urls/visit/.keep", "", 0o644)
	config, err := json.Marshal(results.DefaultConfig())
	if err != nil {
		t.Fatal(err)
	}
	text, sample := string(config), "contract-c-default-plugins"
	switch contract {
	case results.ContractA:
		sample = "contract-a"
		put("export_report_data.py", "", 0o644)
	case results.ContractB:
		put("export_report_data.py", "", 0o644)
		put("contract-b", "", 0o644)
		text = strings.Replace(text, "{", `{"reporting": {"output_filename_prefix": ""},`, 1)
	}
	put("config/config_default.json", "\ufeff"+text, 0o644)
	if err := os.CopyFS(filepath.Join(root, "sample"), os.DirFS(filepath.Join("results", "testdata", sample))); err != nil {
		t.Fatal(err)
	}
	return root
}

func withCWAC(root string) func(*Options) {
	return func(o *Options) { o.CWAC, o.Settings.Grace = root, 500*time.Millisecond }
}

// TestExternalContracts: each contract is recognised, run, read and reported.
func TestExternalContracts(t *testing.T) {
	for _, contract := range []string{results.ContractA, results.ContractB, results.ContractC} {
		t.Run(contract, func(t *testing.T) {
			root := installation(t, contract, "works")
			b := newBench(t, withCWAC(root))
			start := b.good("cwac_scan", args{
				"urls": []string{"http://site.example/"}, "audit_name": "a very long name that goes on and on for more than fifty characters",
				"plugins": args{results.AuditSEO: true, results.AuditAxe: true, results.AuditFocus: true},
			})
			id := start.word("scan_id")
			if start.word("engine") != results.EngineCWAC || start.word("contract") != contract {
				t.Errorf("it is %s %s", start.word("engine"), start.word("contract"))
			}
			if diff := cmp.Diff([]any{results.AuditSEO}, start.data["ignored_plugins"]); diff != "" {
				t.Errorf("the ignored plugins (-want +got):\n%s", diff)
			}
			b.untilEnd(id)
			status := b.good("cwac_scan_status", args{"scan_id": id})
			dir := status.word("results_dir")
			if status.word("status") != "complete" || status.number("pages_scanned") != 24 || !strings.HasSuffix(dir, "_"+id[:8]+"/") || !strings.HasPrefix(dir, root) {
				t.Errorf("the status: %s", status.text)
			}
			if a := b.good("cwac_get_results", args{"scan_id": id, "audit_type": results.AuditAxe, "impact": "critical"}); a.number("total_results") < 30 {
				t.Errorf("the results: %s", a.text)
			}
			rep := b.call("cwac_generate_report", args{"scan_id": id, "formats": []string{"cwac"}})
			folder := filepath.Base(dir)
			made := map[string]string{
				results.ContractA: filepath.Join(root, "reports", folder, "axe_core_audit_leaderboard.csv"),
				results.ContractB: filepath.Join(root, "results", folder, "axe_core_audit_leaderboard.csv"),
			}[contract]
			if contract == results.ContractC {
				if !rep.failed || !strings.Contains(rep.text, "export_report_data.py not found in CWAC directory") {
					t.Errorf("the report: %s", rep.text)
				}
			} else if !strings.Contains(rep.text, made) {
				t.Errorf("the report lacks %s: %s", made, rep.text)
			}
			for _, name := range []string{"report_data.json", "leaderboard.csv"} {
				if _, err := os.Stat(filepath.Join(dir, name)); err != nil {
					t.Error(err)
				}
			}
		})
	}
}

// TestExternalInputs: what the installation is given.
func TestExternalInputs(t *testing.T) {
	root := installation(t, results.ContractC, "hangs")
	b := newBench(t, withCWAC(root), func(o *Options) { o.Settings.MaxScans = 9 })
	start := func(urls ...string) results.Config {
		t.Helper()
		a := b.good("cwac_scan", args{"urls": urls, "viewport_sizes": args{"width": 800, "height": 600}})
		c, err := results.LoadConfig(a.word("config_path"))
		if err != nil {
			t.Fatal(err)
		}
		return c
	}
	if c := start("https://a.example/", "https://b.example/"); !c.OnlyHTTPS || c.VisitPath == "./base_urls/visit/" {
		t.Errorf("https only: %v, from %s", c.OnlyHTTPS, c.VisitPath)
	}
	c := start("https://a.example/", "http://b.example/")
	if c.OnlyHTTPS {
		t.Error("an http address would be dropped in silence")
	}
	want := results.Viewports{{Name: "small", Width: 320, Height: 450}, {Name: "custom", Width: 800, Height: 600}}
	if diff := cmp.Diff(want, c.Viewports); diff != "" {
		t.Errorf("the viewports (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{results.AuditAxe, results.AuditLanguage, results.AuditReflow, results.AuditTitle}, c.Plugins.Enabled()); diff != "" {
		t.Errorf("the plugins (-want +got):\n%s", diff)
	}
}

// TestExternalFailures: every failure that was seen has a cause in words.
func TestExternalFailures(t *testing.T) {
	tests := []struct{ mode, kind, cause string }{
		{"config", "config_missing", "was not there"},
		{"name", "config_name", "refused the name"},
		{"outside", "base_urls_outside", "outside of the installation"},
		{"visit", "base_urls_missing", "folder of base URLs was not there"},
		{"columns", "csv_columns", "three columns"},
		{"plugin", "unknown_plugin", "this CWAC does not have"},
		{"package", "python_package_missing", "package that CWAC needs"},
		{"versions", "browser_version", "different versions"},
		{"driver", "chromedriver_missing", "chromedriver was not found"},
		{"chrome", "browser_missing", "could not start Chrome"},
		{"nltk", "language_data_missing", "cmudict"},
		{"syntax", "python_too_old", "too old"},
		{"disk", "disk_full", "disk is full"},
		{"odd", "cwac_failed", "RuntimeError: something new"},
	}
	for _, tt := range tests {
		t.Run(tt.mode, func(t *testing.T) {
			b := newBench(t, withCWAC(installation(t, results.ContractC, tt.mode)))
			id := b.scanned("x")
			a := b.good("cwac_scan_status", args{"scan_id": id})
			if a.word("status") != "failed" || a.data["exit_code"] != 1.0 || a.word("cause_type") != tt.kind || !strings.Contains(a.word("cause"), tt.cause) || a.word("stderr") == "" {
				t.Errorf("it says %s", a.text)
			}
		})
	}
}

// TestExternalNothingScanned: exit 0 is no success when no page was scanned.
func TestExternalNothingScanned(t *testing.T) {
	for mode, want := range map[string]string{"nothing": "robots.txt forbids it", "dead": "A base URL did not answer"} {
		t.Run(mode, func(t *testing.T) {
			b := newBench(t, withCWAC(installation(t, results.ContractC, mode)))
			id := b.scanned("x")
			for _, name := range []string{"cwac_scan_status", "cwac_get_summary", "cwac_get_results"} {
				a := b.good(name, args{"scan_id": id})
				if !strings.Contains(a.text, "This is no clean result.") || !strings.Contains(a.text, want) {
					t.Errorf("%s says %s", name, a.text)
				}
			}
			if a := b.good("cwac_scan_status", args{"scan_id": id}); a.word("status") != "complete" || a.data["pages_scanned"] != 0.0 || a.data["exit_code"] != 0.0 {
				t.Errorf("the status: %v", a.data)
			}
		})
	}
}

// TestExternalNotStarted: what is missing is said before anything is started.
func TestExternalNotStarted(t *testing.T) {
	tests := []struct {
		name   string
		change func(root string) error
		want   string
	}{
		{"no installation", func(root string) error { return os.Remove(filepath.Join(root, "cwac.py")) }, "CWAC installation not found at "},
		{"no configuration", func(root string) error { return os.Remove(filepath.Join(root, "config", "config_default.json")) }, "CWAC default config not found"},
		{"an old Python", func(root string) error { return os.WriteFile(filepath.Join(root, "version"), []byte("3.11.2"), 0o600) }, "Failed to start CWAC process: "},
		{"no Python", func(root string) error { return os.RemoveAll(filepath.Join(root, ".venv")) }, "Failed to start CWAC process: no Python interpreter"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			root := installation(t, results.ContractC, "works")
			if err := tt.change(root); err != nil {
				t.Fatal(err)
			}
			empty := t.TempDir()
			b := newBench(t, withCWAC(root), func(o *Options) {
				if tt.name == "no Python" {
					o.Env = []string{"PATH=" + empty}
				}
				if tt.name == "an old Python" {
					o.Python = filepath.Join(root, ".venv", "bin", "python")
				}
			})
			if a := b.call("cwac_scan", args{"urls": []string{benchSite}}); !a.failed || !strings.Contains(a.text, tt.want) {
				t.Errorf("it says %s", a.text)
			}
		})
	}
}

// TestExternalReportFails says what the script said.
func TestExternalReportFails(t *testing.T) {
	root := installation(t, results.ContractA, "works")
	b := newBench(t, withCWAC(root))
	id := b.scanned("x")
	if err := os.WriteFile(filepath.Join(root, "mode"), []byte("export-fails"), 0o600); err != nil {
		t.Fatal(err)
	}
	if a := b.call("cwac_generate_report", args{"scan_id": id, "formats": []string{"cwac"}}); !a.failed || !strings.Contains(a.text, "Report generation failed: KeyError: 'reporting'") {
		t.Errorf("it says %s", a.text)
	}
}

// TestExternalCancelled: the driver and the browser end with the scan, also those
// that do not listen and have left its group.
func TestExternalCancelled(t *testing.T) {
	root := installation(t, results.ContractC, "hangs")
	b := newBench(t, withCWAC(root))
	id := b.started("x")
	var pids []string
	for _, name := range []string{"driver", "browser"} {
		path := filepath.Join(root, name)
		b.until(id, func(process.State) bool { raw, err := os.ReadFile(path); return err == nil && len(raw) > 1 })
		raw, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		pids = append(pids, strings.TrimSpace(string(raw)))
	}
	if a := b.good("cwac_cancel_scan", args{"scan_id": id}); a.word("status") != "cancelled" {
		t.Errorf("it says %s", a.text)
	}
	b.untilEnd(id)
	for _, pid := range pids {
		if raw, err := os.ReadFile("/proc/" + pid + "/stat"); err == nil && !strings.Contains(string(raw), ") Z ") {
			t.Errorf("process %s is left: %s", pid, raw)
		}
	}
}

// TestRedirects: an address that leads elsewhere is scanned where it leads, since
// CWAC would give up; one that may not be reached is refused.
func TestRedirects(t *testing.T) {
	b := newBench(t, withCWAC(installation(t, results.ContractC, "works")), func(o *Options) {
		o.Resolve = resolveStandIn
	})
	a := b.good("cwac_scan", args{"urls": []string{"http://moved.example/", "https://stays.example/"}})
	urls, _ := a.data["urls"].([]any)
	want := []any{args{"url": "http://moved.example/", "scanned_url": "https://www.moved.example/"}, args{"url": "https://stays.example/"}}
	if diff := cmp.Diff(want, urls); diff != "" {
		t.Errorf("the addresses (-want +got):\n%s", diff)
	}
	if a := b.call("cwac_scan", args{"urls": []string{"http://10.0.0.1/"}}); a.word("error_type") != "origin_not_allowed" {
		t.Errorf("a private address: %s", a.text)
	}
}
