package external_test

import (
	"context"
	"encoding/json"
	"errors"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/legwork-mcp/legwork/internal/cwac/external"
	"github.com/legwork-mcp/legwork/internal/cwac/results"
	"github.com/legwork-mcp/legwork/internal/fault"
)

// folder makes a folder with files; a name that ends in "*" can be executed.
func folder(t *testing.T, files map[string]string) string {
	t.Helper()
	root := t.TempDir()
	for name, text := range files {
		mode := os.FileMode(0o644)
		if strings.HasSuffix(name, "*") {
			name, mode = strings.TrimSuffix(name, "*"), 0o755
		}
		path := filepath.Join(root, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), mode); err != nil {
			t.Fatal(err)
		}
	}
	return root
}

func config(t *testing.T) string {
	t.Helper()
	raw, err := json.Marshal(results.DefaultConfig())
	if err != nil {
		t.Fatal(err)
	}
	return string(raw)
}

func TestOpen(t *testing.T) {
	plain := config(t)
	reporting := strings.Replace(plain, "{", `{"reporting":{},`, 1)
	tests := []struct {
		name     string
		files    map[string]string
		contract string
		fails    string
	}{
		{"A", map[string]string{"cwac.py": "", "export_report_data.py": "", "config/config_default.json": plain}, results.ContractA, ""},
		{"B", map[string]string{"cwac.py": "", "export_report_data.py": "", "config/config_default.json": "\ufeff" + reporting}, results.ContractB, ""},
		{"C", map[string]string{"cwac.py": "", "config/config_default.json": plain}, results.ContractC, ""},
		{"nothing", nil, "", "cwac_not_found"},
		{"a folder for the program", map[string]string{"cwac.py/x": ""}, "", "cwac_not_found"},
		{"no configuration", map[string]string{"cwac.py": ""}, "", "cwac_config_not_found"},
		{"a broken configuration", map[string]string{"cwac.py": "", "config/config_default.json": "{"}, "", "cwac_config_broken"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			i, err := external.Open(folder(t, tt.files))
			var f *fault.Error
			switch {
			case tt.fails != "":
				if !errors.As(err, &f) || f.Type != tt.fails {
					t.Errorf("it says %v", err)
				}
			case err != nil:
				t.Error(err)
			case i.Contract != tt.contract:
				t.Errorf("it is %s", i.Contract)
			}
		})
	}
}

func TestPython(t *testing.T) {
	says := func(version string) string { return "#!/bin/sh\necho '" + version + "'\n" }
	tests := []struct {
		name       string
		files      map[string]string // of the installation, and in bin those of the search path
		configured string
		want       string
		fails      string
	}{
		{"its own", map[string]string{".venv/bin/python*": says("Python 3.12.0"), "bin/python3.13*": says("Python 3.13.1")}, "", ".venv/bin/python", ""},
		{"its own is old", map[string]string{".venv/bin/python*": says("Python 3.11.9"), "bin/python3*": says("Python 3.14.0rc1")}, "", "bin/python3", ""},
		{"the best", map[string]string{"bin/python3*": says("Python 3.12.1"), "bin/python3.13*": says("Python 3.13.1")}, "", "bin/python3.13", ""},
		{"the configured", map[string]string{"mine*": says("Python 4.0.0"), "bin/python3*": says("Python 3.12.1")}, "mine", "mine", ""},
		{"the configured is old", map[string]string{"mine*": says("Python 2.7.18"), "bin/python3*": says("Python 3.12.1")}, "mine", "", "is Python 2.7, CWAC needs 3.12 or newer"},
		{"the configured is not there", nil, "mine", "", "there is no interpreter"},
		{"something else", map[string]string{"bin/python3*": says("hello")}, "", "", "is no Python interpreter"},
		{"one that fails", map[string]string{"bin/python3*": "#!/bin/sh\nexit 3\n"}, "", "", "does not run"},
		{"none", nil, "", "", "no Python interpreter was found"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			files := map[string]string{"cwac.py": "", "config/config_default.json": config(t)}
			for name, text := range tt.files {
				files[name] = text
			}
			root := folder(t, files)
			i, err := external.Open(root)
			if err != nil {
				t.Fatal(err)
			}
			configured := tt.configured
			if configured != "" {
				configured = filepath.Join(root, configured)
			}
			got, err := i.Python(t.Context(), configured, []string{"PATH=" + filepath.Join(root, "bin")})
			switch {
			case tt.fails != "":
				if err == nil || !strings.Contains(err.Error(), tt.fails) {
					t.Errorf("it says %v", err)
				}
			case err != nil:
				t.Error(err)
			case got != filepath.Join(root, filepath.FromSlash(tt.want)):
				t.Errorf("it is %s", got)
			}
		})
	}
}

// TestExportEnds: a script that goes on is ended with the call.
func TestExportEnds(t *testing.T) {
	root := folder(t, map[string]string{
		"cwac.py": "", "export_report_data.py": "", "config/config_default.json": config(t), "python*": "#!/bin/sh\nexec sleep 600\n",
	})
	i, err := external.Open(root)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if files, err := i.Export(ctx, filepath.Join(root, "python"), "x", nil); err == nil {
		t.Errorf("it made %v", files)
	}
	if i.ReportTime != 2*time.Minute {
		t.Errorf("the script may take %s", i.ReportTime)
	}
	i.ReportTime = time.Second
	_, err = i.Export(t.Context(), filepath.Join(root, "python"), "x", nil)
	if f := fault.From(err); err == nil || f.Message != "Report generation timed out after 1 seconds" {
		t.Errorf("a script that hangs: %v", err)
	}
}

// TestMismatch: browser and driver are compared before anything starts, wherever the
// contracts keep them.
func TestMismatch(t *testing.T) {
	says := func(text string) string { return "#!/bin/sh\n[ \"$1\" = --version ] && echo '" + text + "'\n" }
	const chrome, driver = "chrome/linux-151.0.1.2/chrome-linux64/chrome*", "chromedriver/linux-151.0.1.2/chromedriver-linux64/chromedriver*"
	tests := []struct {
		name  string
		files map[string]string
		want  string
	}{
		{"the same", map[string]string{chrome: says("Google Chrome for Testing 151.0.1.2"), driver: says("ChromeDriver 151.0.9.9 (abc)")}, ""},
		{"an old driver", map[string]string{chrome: says("Google Chrome for Testing 151.0.1.2"), "drivers/chromedriver_linux_x64*": says("ChromeDriver 122.0.6261.94")}, "Chrome 151 and its chromedriver is for 122"},
		{"a broken browser", map[string]string{chrome: "#!/bin/sh\nexit 1\n", driver: says("ChromeDriver 151.0.9.9")}, ""},
		{"nothing there", nil, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			files := map[string]string{"cwac.py": "", "config/config_default.json": config(t)}
			maps.Copy(files, tt.files)
			i, err := external.Open(folder(t, files))
			if err != nil {
				t.Fatal(err)
			}
			if got := i.Mismatch(t.Context(), []string{"PATH=/usr/bin:/bin"}); tt.want == "" && got != "" || !strings.Contains(got, tt.want) {
				t.Errorf("it says %q", got)
			}
		})
	}
	i, err := external.Open(folder(t, map[string]string{
		"cwac.py": "", "config/config_default.json": config(t), "a*": says("Chromium 140.0.1.1"), "b*": says("ChromeDriver 139.0.1.1"),
	}))
	if err != nil {
		t.Fatal(err)
	}
	i.Config.ChromeBinary, i.Config.ChromeDriver = "a", filepath.Join(i.Root, "b")
	if got := i.Mismatch(t.Context(), nil); !strings.Contains(got, "Chrome 140") {
		t.Errorf("as configured: %q", got)
	}
}

func TestCauseOfUnknownFailures(t *testing.T) {
	for want, lines := range map[string][]string{
		"CWAC ended with: ValueError: x": {"Traceback (most recent call last):", "  File x", "ValueError: x"},
		"CWAC ended without a word.":     {},
	} {
		if got := external.CauseOf(lines); got.Text != want || got.Action == "" {
			t.Errorf("of %q it says %+v", lines, got)
		}
	}
}

// TestExportFails: what the script says last is told, and cannot move a cursor.
func TestExportFails(t *testing.T) {
	root := folder(t, map[string]string{
		"cwac.py": "", "export_report_data.py": "", "config/config_default.json": config(t),
		"python*": "#!/bin/sh\nprintf 'first\\nKeyError: \\033[2Jx\\n' >&2\nexit 1\n",
	})
	i, err := external.Open(root)
	if err != nil {
		t.Fatal(err)
	}
	if _, err = i.Export(t.Context(), filepath.Join(root, "python"), "x", nil); err == nil || !strings.HasPrefix(fault.From(err).Message, "Report generation failed: KeyError: [2Jx") {
		t.Errorf("it says %v", err)
	}
}
