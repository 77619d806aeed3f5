package results

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/legwork-mcp/legwork/internal/fault"
)

func configFile(t *testing.T, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "config.json")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// The defaults are those of CWAC: a configuration of a real run differs in what that
// run chose, and in nothing else.
func TestDefaultConfigIsTheOneOfCWAC(t *testing.T) {
	run, err := LoadConfig("testdata/contract-c-default-plugins/config.json")
	if err != nil {
		t.Fatal(err)
	}
	c := DefaultConfig()
	c.Schema, c.AuditName, c.MaxLinksPerDomain, c.ThreadCount, c.ShuffleBaseURLs, c.OnlyHTTPS = run.Schema, run.AuditName, run.MaxLinksPerDomain, run.ThreadCount, run.ShuffleBaseURLs, run.OnlyHTTPS
	c.ChromeBinary, c.ChromeDriver, c.VisitPath = run.ChromeBinary, run.ChromeDriver, run.VisitPath
	want, _ := os.ReadFile("testdata/contract-c-default-plugins/config.json")
	got, err := c.text()
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), string(got)); diff != "" {
		t.Error(diff)
	}
}

func TestLoadConfig(t *testing.T) {
	c, err := LoadConfig(configFile(t, bom+`{
		"own": {"b": 1, "a": [ ]}, "audit_name": "näme", "delay_after_page_load": 1e-1, "max_links_per_domain": 7,
		"viewport_sizes": {"z": {"width": 800, "height": 600}, "a": {"width": 320, "height": 450}},
		"audit_plugins": {
			"seo_audit": {"class_name": "SeoAudit", "enabled": true, "own": "x"},
			"reflow_audit": {"enabled": true, "viewport_to_test": "a"}
		},
		"legwork": {"frames": false, "login": {"user": "u"}, "later": 1}
	}`))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(Viewports{{"z", 800, 600}, {"a", 320, 450}}, c.Viewports); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]string{"seo_audit", "reflow_audit"}, c.Plugins.Enabled()); diff != "" {
		t.Error(diff)
	}
	if c.MaxLinksPerDomain != 7 || c.DelayAfterLoad != 0.1 || c.ThreadCount != 8 || !c.OnlyHTTPS || c.Legwork.Frames {
		t.Errorf("got %+v", c)
	}
	if c.Plugins.Named(AuditReflow).Viewport != "a" || c.Plugins.Named(AuditAxe) != nil {
		t.Errorf("got %+v", c.Plugins)
	}
	c.Plugins.Named(AuditReflow).Enabled = false
	c.MaxLinksPerDomain = 1
	text, err := c.MarshalJSON()
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		`{"own":{"b":1,"a":[]},"audit_name":"näme","delay_after_page_load":1e-1,"max_links_per_domain":1,"viewport_sizes":{"z":{"width":800,"height":600},"a":`,
		`"audit_plugins":{"seo_audit":{"class_name":"SeoAudit","enabled":true,"own":"x"},"reflow_audit":{"enabled":false,"viewport_to_test":"a"}}`,
		`"legwork":{"frames":false,"login":{"user":"u"},"later":1}`, `"thread_count":8`,
	} {
		if compact(t, text); !strings.Contains(compact(t, text), want) {
			t.Errorf("%s\nlacks %s", text, want)
		}
	}
	redacted := c.Redacted()
	if text, err := redacted.MarshalJSON(); err != nil || strings.Contains(string(text), `"u"`) || !strings.Contains(string(text), "redacted") {
		t.Errorf("%v %s", err, text)
	}
	if string(c.Legwork.Login) != `{"user": "u"}` {
		t.Errorf("the original lost its login: %s", c.Legwork.Login)
	}
}

func compact(t *testing.T, text []byte) string {
	t.Helper()
	var o object
	if err := json.Unmarshal(text, &o); err != nil {
		t.Fatal(err)
	}
	raw, err := json.Marshal(o)
	if err != nil {
		t.Fatal(err)
	}
	return string(raw)
}

// What would overflow, or send a header that no request may have, is refused and not
// found out page by page.
func TestConfigBoundsWhatASiteWouldPayFor(t *testing.T) {
	for want, change := range map[string]func(*Config){
		"script_timeout must be 0.001 to 86400 seconds, and is 1e+300":    func(c *Config) { c.ScriptTimeout = 1e300 },
		"page_load_timeout must be 0.001 to 86400 seconds, and is 1e-12":  func(c *Config) { c.PageLoadTimeout = 1e-12 },
		"delays must be 0 to 86400 seconds":                               func(c *Config) { c.DelayPageLoads = 1e300 },
		"user_agent must not have control characters, such as a line end": func(c *Config) { c.UserAgent = "a\r\nX-Other: b" },
		`viewport_sizes names "320x450" twice`:                            func(c *Config) { c.Viewports = Viewports{{"320x450", 320, 450}, {"320x450", 320, 450}} },
	} {
		c := DefaultConfig()
		c.Plugins.Named(AuditReflow).Viewport = ""
		change(&c)
		if f := fault.From(c.Check()); f == nil || !strings.Contains(f.Message, want) {
			t.Errorf("got %v, want %s", f, want)
		}
	}
}

func TestConfigSaysEverythingThatIsWrong(t *testing.T) {
	_, err := LoadConfig(configFile(t, `{
		"headless": "yes", "max_links_per_domain": 0, "thread_count": 1000, "script_timeout": 0, "filter_to_urls": "x",
		"viewport_sizes": {"../../x": {"width": 320, "height": 450}, "huge": {"width": 1e6, "height": 10}},
		"audit_plugins": {"../x": {"enabled": true}, "reflow_audit": {"enabled": true, "viewport_to_test": "none"}, "focus_indicator_audit": {"enabled": "no", "max_tab_key_presses": -1}},
		"legwork": {"consent": "buy", "frames": 3}
	}`))
	f := fault.From(err)
	if f.Kind != fault.Invalid || f.Type != "config_invalid" {
		t.Fatalf("got %v", err)
	}
	for _, want := range []string{
		`headless must be true or false, and is "yes"`, "max_links_per_domain must be at least 1, and is 0", "thread_count must be 1 to 64, and is 1000",
		"script_timeout must be 0.001 to 86400 seconds, and is 0", `filter_to_urls must be a list of texts, and is "x"`, `focus_indicator_audit: enabled must be`, "frames must be",
		`viewport_sizes names "huge", which must be {"width": 1280, "height": 800} in whole numbers, and is {"width": 1e6, "height": 10}`,
	} {
		if !strings.Contains(f.Message, want) {
			t.Errorf("%s\nlacks %s", f.Message, want)
		}
	}
	c := DefaultConfig()
	c.Viewports = Viewports{{"../../x", 320, 450}, {"huge", 1_000_000, 10}}
	c.Plugins = Plugins{{Name: "../x"}, {Name: AuditReflow, Enabled: true, Viewport: "none"}, {Name: AuditFocus, MaxTabs: -1}}
	c.Legwork.Consent, c.Legwork.Robots = "buy", "maybe"
	f = fault.From(c.Check())
	for _, want := range []string{
		`the name "../../x" must be`, `"huge" must be 1 to 10000 pixels wide and high, and is 1000000 x 10`, `the name "../x" is no name of a plugin`,
		`reflow_audit has viewport_to_test "none", which viewport_sizes does not name`, "focus_indicator_audit must not have", `legwork.consent must be keep or dismiss, and is "buy"`, "legwork.robots",
	} {
		if !strings.Contains(f.Message, want) {
			t.Errorf("%s\nlacks %s", f.Message, want)
		}
	}
}

func TestConfigThatCannotBeRead(t *testing.T) {
	var keys strings.Builder
	for i := range maxMembers + 1 {
		fmt.Fprintf(&keys, `"%d":1,`, i)
	}
	for text, want := range map[string]string{
		"{" + keys.String() + `"a":1}`: "config_invalid",
		"":                             "config_invalid",
		"[]":                           "config_invalid",
		"{\"audit_name\": \"x\"":       "config_invalid",
		strings.Repeat(" ", 1<<20+1):   "config_invalid",
	} {
		if _, err := LoadConfig(configFile(t, text)); fault.From(err).Type != want {
			t.Errorf("%.10q: got %v", text, err)
		}
	}
	for text, want := range map[string]string{
		"{\n  \"audit_name\": \"x\",\n}":               "line 3: ",
		"{\n// no comments\n}":                         "line 2: ",
		"{\"filter_to_organisations\": [\"Caf\xe9\"]}": "it is not in UTF-8; save it as UTF-8",
		"\xff\xfe{\x00}\x00":                           "it is not in UTF-8",
	} {
		_, err := LoadConfig(configFile(t, text))
		if f := fault.From(err); !strings.Contains(f.Message, want) || !strings.HasPrefix(f.Action, "Correct the file") {
			t.Errorf("%q: got %v %s", text, err, f.Action)
		}
	}
	if _, err := LoadConfig(filepath.Join(t.TempDir(), "nope.json")); fault.From(err).Type != "config_missing" {
		t.Errorf("got %v", err)
	}
	if _, err := LoadConfig(t.TempDir()); fault.From(err).Type != "config_unreadable" {
		t.Errorf("got %v", err)
	}
}

// TestMisspeltKeys: each is told, or the default would hold without a word.
func TestMisspeltKeys(t *testing.T) {
	c, err := LoadConfig(configFile(t, `{
		"max_link_per_domain": 3, "Headless": false, "headless": true, "my own": 1,
		"audit_plugins": {"reflow_audit": {"enabled": false, "viewport_to_tset": "small"}},
		"legwork": {"exlude": ["/logout"], "frames": true, "later": 1}
	}`))
	if err != nil {
		t.Fatal(err)
	}
	want := []string{
		`"max_link_per_domain" is not known and does nothing; max_links_per_domain may be meant`,
		`legwork."exlude" is not known and does nothing; exclude may be meant`,
		`legwork."later" is not known and does nothing`,
		`audit_plugins.reflow_audit."viewport_to_tset" is not known and does nothing; viewport_to_test may be meant`,
	}
	if diff := cmp.Diff(want, c.Misspelt()); diff != "" {
		t.Error(diff)
	}
	run, err := LoadConfig("testdata/contract-c-default-plugins/config.json")
	if err != nil || run.Misspelt() != nil {
		t.Errorf("of CWAC's own: %q, %v", run.Misspelt(), err)
	}
}

func TestFolderName(t *testing.T) {
	start := time.Date(2026, 11, 27, 20, 38, 33, 999, time.Local)
	for name, want := range map[string]string{
		"bench default":            "2026-11-27_20-38-33_bench_default",
		"  a/b\\c  (d)__e.f-g  ":   "2026-11-27_20-38-33_a_b_c_d_e.f-g",
		strings.Repeat("ab ", 100): "2026-11-27_20-38-33_" + strings.Repeat("ab_", 16) + "ab",
		"":                         "2026-11-27_20-38-33_",
		"日本":                       "2026-11-27_20-38-33__",
	} {
		if got := FolderName(name, start); got != want {
			t.Errorf("%q: got %q, want %q", name, got, want)
		}
	}
}

func TestFiltersAreSubstringsThatMustAllHold(t *testing.T) {
	site := Site{Organisation: "Ministry of Tests", URL: "https://a.example/x"}
	for _, test := range []struct {
		orgs, urls []string
		want       bool
	}{
		{nil, nil, true},
		{[]string{"None", "Tests"}, nil, true},
		{[]string{"tests"}, nil, false},
		{[]string{"Tests"}, []string{"b.example"}, false},
		{[]string{"Tests"}, []string{"a.example"}, true},
	} {
		c := Config{FilterOrgs: test.orgs, FilterURLs: test.urls}
		if got := c.Selects(site); got != test.want {
			t.Errorf("%v %v: got %v", test.orgs, test.urls, got)
		}
	}
}
