package config_test

import (
	"errors"
	"io/fs"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/legwork-mcp/legwork/internal/config"
	"github.com/legwork-mcp/legwork/internal/fault"
)

// files is a file system of a few files.
type files map[string]string

func (f files) read(name string) ([]byte, error) {
	text, ok := f[name]
	if !ok {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
	}
	return []byte(text), nil
}

const usual = "/home/ann/.config/legwork/config.json"

func load(t *testing.T, in config.Inputs) *config.Config {
	t.Helper()
	in.Environ = append([]string{"HOME=/home/ann"}, in.Environ...)
	c, err := config.Load(in)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func TestDefaults(t *testing.T) {
	c := load(t, config.Inputs{})
	got := map[string]any{
		"port": c.Port, "wizards": c.WizardsDir, "headless": c.BrowserHeadless, "timeout": c.ExecutionTimeout, "wait": c.WaitTime,
		"quality": c.ScreenshotQuality, "width": c.ViewportWidth, "height": c.ViewportHeight, "private": c.AllowPrivate,
		"sandbox": c.BrowserSandbox == nil, "uploads": c.UploadsDir, "engine": c.BrowserEngine,
	}
	want := map[string]any{
		"port": 8080, "wizards": "/home/ann/.local/share/legwork/wizards", "headless": true, "timeout": 240 * time.Second,
		"wait": 45 * time.Second, "quality": 80, "width": 1280, "height": 1024, "private": false, "sandbox": true,
		"uploads": "/home/ann/.local/share/legwork/uploads", "engine": "",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("defaults (-want +got):\n%s", diff)
	}
}

// Each layer goes over the one before.
func TestLayers(t *testing.T) {
	all := files{usual: `{"port": 1001, "grace": "5s"}`, ".env": "PORT=1002\n# PORT=9\nexport FEDERALRUNNER_SCREENSHOT_QUALITY='61' # sixty-one\nLEGWORK_BROWSER_PATH=./evil\n", "/x.json": `{"port": 1005}`}
	tests := []struct {
		name   string
		in     config.Inputs
		port   int
		origin string
	}{
		{"default", config.Inputs{}, 8080, "default"},
		{"file", config.Inputs{ReadFile: files{usual: all[usual]}.read}, 1001, "file " + usual},
		{"named file", config.Inputs{ReadFile: files{"/x.json": all["/x.json"], usual: all[usual]}.read, File: "/x.json"}, 1005, "file /x.json"},
		{"file of the environment", config.Inputs{ReadFile: files{"/x.json": all["/x.json"]}.read, Environ: []string{"LEGWORK_CONFIG=/x.json"}}, 1005, "file /x.json"},
		{".env", config.Inputs{ReadFile: all.read}, 1002, ".env PORT"},
		{"environment", config.Inputs{ReadFile: all.read, Environ: []string{"PORT=1003"}}, 1003, "environment PORT"},
		{"our own name first", config.Inputs{ReadFile: all.read, Environ: []string{"PORT=1003", "LEGWORK_PORT=1004"}}, 1004, "environment LEGWORK_PORT"},
		{"empty is unset", config.Inputs{ReadFile: all.read, Environ: []string{"PORT=1003", "LEGWORK_PORT="}}, 1003, "environment PORT"},
		{"command line", config.Inputs{ReadFile: all.read, Environ: []string{"PORT=1003"}, Overrides: map[string]string{"port": "1006"}}, 1006, "command line"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			c := load(t, tt.in)
			if c.Port != tt.port {
				t.Errorf("port %d, want %d", c.Port, tt.port)
			}
			for _, s := range c.Describe() {
				if s.Name == "port" && s.Origin != tt.origin {
					t.Errorf("origin %q, want %q", s.Origin, tt.origin)
				}
			}
		})
	}
	c := load(t, config.Inputs{ReadFile: all.read})
	if c.ScreenshotQuality != 61 || c.Grace != 5*time.Second {
		t.Errorf("quality %d, grace %v", c.ScreenshotQuality, c.Grace)
	}
	// A cloned folder must not choose what is executed.
	if notes := strings.Join(c.Notes(), "\n"); c.BrowserPath != "" || !strings.Contains(notes, "LEGWORK_BROWSER_PATH") {
		t.Errorf(".env set browser_path to %q; notes: %s", c.BrowserPath, notes)
	}
}

// The names and units of the specifications.
func TestNamesOfTheSpecifications(t *testing.T) {
	c := load(t, config.Inputs{Environ: []string{
		"FEDERALRUNNER_WIZARDS_DIR=/app/wizards", "FEDERALRUNNER_BROWSER_TYPE=webkit", "FEDERALRUNNER_HEADLESS=false",
		"FEDERALRUNNER_EXECUTION_TIMEOUT=60", "FEDERALRUNNER_SCREENSHOT_QUALITY=70", "FEDERALRUNNER_SCREENSHOT_MAX_SIZE_KB=50",
		"FEDERALRUNNER_VIEWPORT_WIDTH=1000", "FEDERALRUNNER_VIEWPORT_HEIGHT=900", "FEDERALRUNNER_NAVIGATION_TIMEOUT=120000",
		"FEDERALRUNNER_ELEMENT_TIMEOUT=10000", "AUTH0_DOMAIN=d", "AUTH0_ISSUER=https://d/", "AUTH0_API_AUDIENCE=a", "MCP_SERVER_URL=https://s",
	}})
	got := []any{
		c.WizardsDir, c.BrowserEngine, c.BrowserHeadless, c.ExecutionTimeout, c.ScreenshotQuality, c.ScreenshotMaxKB,
		c.ViewportWidth, c.ViewportHeight, c.NavigationTimeout, c.ElementTimeout, c.Auth0Domain, c.Issuer, c.Audience, c.ServerURL,
	}
	want := []any{
		"/app/wizards", "webkit", false, time.Minute, 70, 50, 1000, 900, 2 * time.Minute, 10 * time.Second, "d", "https://d/", "a", "https://s",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("settings (-want +got):\n%s", diff)
	}
	if len(c.Notes()) != 0 {
		t.Errorf("names of the specifications are noted: %q", c.Notes())
	}
}

// A variable of the specifications that nothing reads is told of, by name.
func TestUnreadNamesOfTheSpecifications(t *testing.T) {
	c := load(t, config.Inputs{Environ: []string{"FEDERALSCOUT_SLOW_MO=500", "FEDERALRUNNER_COLOUR=secret", "FEDERALRUNNER_EMPTY=", "FEDERALRUNNER_HEADLESS=true", "FEDERAL=1"}})
	notes := strings.Join(c.Notes(), "\n")
	if len(c.Notes()) != 2 || !strings.Contains(notes, "FEDERALSCOUT_SLOW_MO ") || !strings.Contains(notes, "FEDERALRUNNER_COLOUR ") || strings.Contains(notes, "secret") {
		t.Errorf("notes: %s", notes)
	}
}

// The scout of the specifications has settings of its own, whose names differ
// from the runner's by the prefix only: neither sets the other's.
func TestNamesOfTheScout(t *testing.T) {
	c := load(t, config.Inputs{Environ: []string{
		"FEDERALSCOUT_SESSION_TIMEOUT=1800", "FEDERALSCOUT_SCREENSHOT_QUALITY=55", "FEDERALSCOUT_SCREENSHOT_MAX_SIZE_KB=51",
		"FEDERALSCOUT_VIEWPORT_WIDTH=1001", "FEDERALSCOUT_VIEWPORT_HEIGHT=901", "FEDERALSCOUT_NAVIGATION_TIMEOUT=31000",
		"FEDERALSCOUT_ELEMENT_TIMEOUT=11000", "FEDERALSCOUT_MAX_HTML_ELEMENTS=49", "FEDERALSCOUT_WIZARDS_DIR=/app/wizards",
	}})
	got := []any{
		c.ScoutSessionTimeout, c.ScoutScreenshotQuality, c.ScoutScreenshotMaxKB, c.ScoutViewportWidth, c.ScoutViewportHeight,
		c.ScoutNavigationTimeout, c.ScoutElementTimeout, c.ScoutMaxElements, c.WizardsDir, c.ScreenshotQuality, c.ViewportWidth, c.NavigationTimeout,
	}
	want := []any{
		30 * time.Minute, 55, 51, 1001, 901, 31 * time.Second, 11 * time.Second, 49, "/app/wizards", 80, 1280, 30 * time.Second,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("settings (-want +got):\n%s", diff)
	}
}

// All problems come at once, each with its setting, origin and bound.
func TestAllProblemsAtOnce(t *testing.T) {
	_, err := config.Load(config.Inputs{
		Environ:   []string{"HOME=/h", "PORT=hunter2", "LEGWORK_SCREENSHOT_QUALITY=101", "LEGWORK_LOG_LEVEL=loud", "LEGWORK_GRACE=-1s"},
		Overrides: map[string]string{"nonsense": "1", "allow_private": "perhaps"},
		ReadFile:  files{"/h/.config/legwork/config.json": `{"viewport_width": [1], "port": 70000}`}.read,
	})
	var f *fault.Error
	if !errors.As(err, &f) || f.Kind != fault.Invalid {
		t.Fatalf("error %v", err)
	}
	for _, want := range []string{
		"port (environment PORT) must be a whole number", "screenshot_quality (environment LEGWORK_SCREENSHOT_QUALITY) must be from 10 to 100",
		"log_level (environment LEGWORK_LOG_LEVEL) must be one of debug, info, warn, error", "grace (environment LEGWORK_GRACE) must be from 1s to 10m",
		"nonsense (command line) is not a setting", "allow_private (command line) must be true or false",
		"viewport_width (file /h/.config/legwork/config.json) must be a text", "port (file /h/.config/legwork/config.json) must be from 0 to 65535",
	} {
		if !strings.Contains(f.Message, want) {
			t.Errorf("lacks %q:\n%s", want, f.Message)
		}
	}
	if strings.Contains(f.Message, "hunter2") {
		t.Error("a value is quoted; it may be a secret")
	}
}

func TestFilesThatCannotBeUsed(t *testing.T) {
	for name, in := range map[string]config.Inputs{
		"a named file is missing": {Environ: []string{"HOME=/h"}, File: "/none.json"},
		"no JSON":                 {Environ: []string{"HOME=/h"}, File: "/x", ReadFile: files{"/x": "port: 1"}.read},
		"no home":                 {},
	} {
		if _, err := config.Load(in); err == nil {
			t.Errorf("%s: accepted", name)
		}
	}
}

func TestSecretsAreHidden(t *testing.T) {
	c := load(t, config.Inputs{Environ: []string{"AUTH0_CLIENT_SECRET=hunter2", "LEGWORK_BROWSER_SANDBOX=no"}})
	seen := map[string]string{}
	for _, s := range c.Describe() {
		if strings.Contains(s.Value, "hunter2") {
			t.Errorf("%s shows its value", s.Name)
		}
		if s.Doc == "" || len(s.Env) == 0 || s.Env[0] == "" || s.Origin == "" {
			t.Errorf("incomplete: %+v", s)
		}
		seen[s.Name] = s.Value
	}
	if seen["introspection_client_secret"] != "***" || seen["browser_sandbox"] != "false" || seen["execution_timeout"] != "4m0s" {
		t.Errorf("described as %v", seen)
	}
	if c.IntrospectionKey != "hunter2" {
		t.Error("the secret is lost")
	}
}
