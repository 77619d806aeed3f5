package cli_test

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/legwork-mcp/legwork/internal/runner"
)

const blockPage = `<!doctype html><title>Access Denied</title><h1>Access Denied</h1>
<p>You don't have permission to access this page on this server. Reference #18.2d3f1202.1700000000.1a2b3c</p>`

// choosy is a form of one page that refuses its first visits.
func choosy(t *testing.T, refusals int64) (address string, visits, submits *atomic.Int64) {
	t.Helper()
	visits, submits = new(atomic.Int64), new(atomic.Int64)
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		switch {
		case r.URL.Path != "/":
			http.NotFound(w, r)
		case r.Method == http.MethodPost:
			submits.Add(1)
			w.Write([]byte("<!doctype html><h1>Done</h1><p>ok"))
		case visits.Add(1) <= refusals:
			w.WriteHeader(http.StatusForbidden)
			w.Write([]byte(blockPage))
		default:
			w.Write([]byte(slowPage))
		}
	}))
	t.Cleanup(s.Close)
	return s.URL + "/", visits, submits
}

// wizardWith is a folder with the wizard of a form of one page that wants a browser.
func wizardWith(t *testing.T, address string, need map[string]any) string {
	t.Helper()
	dir := t.TempDir()
	sub := filepath.Join(dir, "wizard-structures")
	if err := os.MkdirAll(sub, 0o755); err != nil {
		t.Fatal(err)
	}
	raw, err := json.Marshal(map[string]any{
		"wizard_id": "choosy", "name": "Choosy", "url": address, "browser": need,
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
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(sub, "choosy.json"), raw, 0o644); err != nil {
		t.Fatal(err)
	}
	return dir
}

// TestTheNextEngine: a site that refuses one browser is tried once in each of the
// others that the wizard names, and the answer says what was seen in which.
func TestTheNextEngine(t *testing.T) {
	both := map[string]any{"engine": "chromium-headless-shell", "engines": []string{"chromium"}}
	for _, c := range []struct {
		name            string
		refusals        int64
		need            map[string]any
		options         map[string]any
		success         bool
		visits, submits int64
		tried           []runner.EngineTry
	}{
		{"the second is let in", 1, both, nil, true, 2, 1, []runner.EngineTry{
			{Engine: "chromium-headless-shell", Seen: runner.TypeBlocked}, {Engine: "chromium"},
		}},
		{"none is let in", 9, both, nil, false, 2, 0, []runner.EngineTry{
			{Engine: "chromium-headless-shell", Seen: runner.TypeBlocked}, {Engine: "chromium", Seen: runner.TypeBlocked},
		}},
		{"the caller wants one", 1, both, map[string]any{"engine": "chromium"}, false, 1, 0, nil},
		{"the wizard names one", 1, map[string]any{"engine": "chromium"}, nil, false, 1, 0, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			address, visits, submits := choosy(t, c.refusals)
			client := overStdio(t, "LEGWORK_ALLOW_PRIVATE=1", "FEDERALRUNNER_WIZARDS_DIR="+wizardWith(t, address, c.need))
			options := map[string]any{"return_screenshots": false}
			for k, v := range c.options {
				options[k] = v
			}
			a, _, err := execute(t, client, "choosy", map[string]any{"name": "x"}, options)
			if err != nil {
				t.Fatal(err)
			}
			for i := range a.Engines {
				if (a.Engines[i].Message == "") != (a.Engines[i].Seen == "") {
					t.Errorf("%+v tells one half of what was seen", a.Engines[i])
				}
				a.Engines[i].Message = ""
			}
			if a.Success != c.success || visits.Load() != c.visits || submits.Load() != c.submits {
				t.Errorf("success %v after %d visits and %d submits\n%s", a.Success, visits.Load(), submits.Load(), a.Text())
			}
			if diff := cmp.Diff(c.tried, a.Engines); diff != "" {
				t.Errorf("browsers (-want +got):\n%s", diff)
			}
		})
	}
}
