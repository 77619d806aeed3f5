package cwac

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/legwork-mcp/legwork/internal/cwac/results"
	"github.com/legwork-mcp/legwork/internal/fault"
)

const secretOfALogin = "s3cret-Value"

// withLogins gives a bench the files of two logins, one of which is wrong.
func withLogins(t *testing.T) *bench {
	t.Helper()
	b := newBench(t, func(o *Options) {
		o.CheckLogin = func(path string) error {
			text, err := os.ReadFile(path)
			if strings.Contains(string(text), "wrong") {
				return fault.New(fault.Invalid, "login_invalid", "The login is wrong.", "Mend it.")
			}
			return err
		}
	})
	dir := filepath.Join(b.dir, "logins")
	err := errors.Join(os.MkdirAll(dir, 0o700), os.Mkdir(filepath.Join(dir, "folder.json"), 0o700),
		os.WriteFile(filepath.Join(dir, "staff.json"), []byte(secretOfALogin), 0o600), os.WriteFile(filepath.Join(dir, "old.json"), []byte("wrong"), 0o600))
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// TestNarrowedScan: what the caller says of the pages reaches the engine, a login as a
// reference and nothing else.
func TestNarrowedScan(t *testing.T) {
	b := withLogins(t)
	start := b.good("cwac_scan", args{
		"urls": []string{benchSite}, "audit_name": "slow", "include": []string{"/docs/"}, "exclude": []string{"*.old$"}, "consent": "dismiss", "login": "staff",
	})
	config, err := results.LoadConfig(start.word("config_path"))
	if err != nil {
		t.Fatal(err)
	}
	var login map[string]string
	if err := json.Unmarshal(config.Legwork.Login, &login); err != nil {
		t.Fatal(err)
	}
	got := []any{config.Legwork.Include, config.Legwork.Exclude, config.Legwork.Consent, login}
	want := []any{[]string{"/docs/"}, []string{"*.old$"}, "dismiss", map[string]string{"file": filepath.Join(b.dir, "logins", "staff.json")}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("the configuration (-want +got):\n%s", diff)
	}
	err = filepath.WalkDir(b.dir, func(path string, e os.DirEntry, err error) error {
		if err != nil || e.IsDir() || filepath.Dir(path) == filepath.Join(b.dir, "logins") {
			return err
		}
		text, err := os.ReadFile(path)
		if strings.Contains(string(text), secretOfALogin) {
			t.Errorf("%s has the secret", path)
		}
		return err
	})
	if err != nil || strings.Contains(start.text, secretOfALogin) {
		t.Errorf("%v; the answer is %s", err, start.text)
	}
}

func TestNarrowedScanRefused(t *testing.T) {
	b := withLogins(t)
	tests := []struct {
		name string
		args args
		want string
	}{
		{"a misspelt login", args{"login": "staf"}, "Did you mean staff?"},
		{"a path", args{"login": "../registry/x"}, "There is no login"},
		{"a folder", args{"login": "folder"}, "Use one of: old, staff."},
		{"a login that is wrong", args{"login": "old"}, "The login is wrong."},
		{"an empty pattern", args{"include": []string{" "}}, "include and exclude take"},
		{"a long pattern", args{"exclude": []string{strings.Repeat("x", 501)}}, "include and exclude take"},
		{"many patterns", args{"exclude": strings.Split(strings.Repeat("/x ", 50)+"/x", " ")}, "include and exclude take"},
		{"a selector of an audit that is off", args{"element_selector": "a", "plugins": args{"element_audit": false}}, "plugins switches element_audit off"},
		{"an empty selector", args{"element_selector": " "}, "1 to 500 bytes"},
		{"a long selector", args{"element_selector": strings.Repeat("a", 501)}, "1 to 500 bytes"},
		{"an unknown policy", args{"consent": "accept"}, "keep"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			tt.args["urls"] = []string{benchSite}
			if a := b.call("cwac_scan", tt.args); !a.failed || !strings.Contains(a.text, tt.want) {
				t.Errorf("failed %v: %s", a.failed, a.text)
			}
		})
	}
	if a := b.callAs(ann, "cwac_scan", args{"urls": []string{benchSite}, "login": "staff"}); !a.failed || a.word("error_type") != "login_not_yours" {
		t.Errorf("somebody else may use the login: %s", a.text)
	}
	if all, err := b.reg.all(); err != nil || len(all) != 0 {
		t.Errorf("%d scans were started, %v", len(all), err)
	}
}

// TestAnInstallationKnowsNoPatterns: a scan of more than was asked for is none.
func TestAnInstallationKnowsNoPatterns(t *testing.T) {
	b := newBench(t, withCWAC(installation(t, results.ContractC, "works")))
	for name, value := range map[string]any{"include": []string{"/docs"}, "exclude": []string{"/old"}, "consent": "dismiss", "login": "staff"} {
		a := b.call("cwac_scan", args{"urls": []string{benchSite}, name: value})
		if !a.failed || a.word("error_type") != "engine_cannot" || !strings.Contains(a.text, "has no "+name) {
			t.Errorf("%s: %s", name, a.text)
		}
	}
}

// TestElementsToList: the selector reaches the configuration of both engines, and the
// audit is switched on with it; without one CWAC's own stays and the audit is off.
func TestElementsToList(t *testing.T) {
	const selector = "main a[href^='#']"
	for name, o := range map[string][]func(*Options){"native": nil, "installation": {withCWAC(installation(t, results.ContractC, "works"))}} {
		t.Run(name, func(t *testing.T) {
			b := newBench(t, o...)
			for _, tt := range []struct {
				args   args
				on     bool
				target string
			}{
				{args{"element_selector": selector}, true, selector},
				{args{"element_selector": selector, "plugins": args{"axe_core_audit": true}}, true, selector},
				{args{}, false, results.DefaultPlugins().Named(results.AuditElement).Target},
			} {
				tt.args["urls"] = []string{benchSite}
				start := b.good("cwac_scan", tt.args)
				config, err := results.LoadConfig(start.word("config_path"))
				if err != nil {
					t.Fatal(err)
				}
				p := config.Plugins.Named(results.AuditElement)
				if p == nil || p.Enabled != tt.on || p.Target != tt.target {
					t.Errorf("%v: the audit is %+v", tt.args, p)
				}
				b.good("cwac_scan_status", args{"scan_id": start.word("scan_id"), "wait_seconds": 30})
			}
		})
	}
}
