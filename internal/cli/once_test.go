package cli_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/legwork-mcp/legwork/internal/runner"
)

// wary is a site whose form answers as a test wants, and what came to it.
type wary struct {
	addr           string
	visits, posted atomic.Int32
}

// startWary serves a form, unless refuse takes the visit for itself. What is sent to
// it is refused.
func startWary(t *testing.T, page string, refuse http.HandlerFunc) *wary {
	t.Helper()
	s := &wary{}
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		switch {
		case r.URL.Path != "/":
			http.NotFound(w, r)
		case r.Method == http.MethodPost:
			s.posted.Add(1)
			w.WriteHeader(http.StatusForbidden)
			fmt.Fprint(w, "<!doctype html><title>Access Denied</title><h1>Access Denied</h1><p>You have been blocked.")
		default:
			s.visits.Add(1)
			if refuse != nil {
				refuse(w, r)
				return
			}
			fmt.Fprint(w, page)
		}
	}))
	t.Cleanup(srv.Close)
	s.addr = srv.Listener.Addr().String()
	return s
}

func (s *wary) run(t *testing.T, dir string) runner.Answer {
	t.Helper()
	client := overStdio(t, "LEGWORK_ALLOW_PRIVATE=1", "FEDERALRUNNER_WIZARDS_DIR="+dir)
	a, _, err := execute(t, client, "wary", map[string]any{"name": "Ada"}, map[string]any{"return_screenshots": false})
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// TestNothingIsTriedInAStorm: a site that hangs up is asked a few times, one that
// refuses once, and one that refuses what was sent is not asked again with another
// browser.
func TestNothingIsTriedInAStorm(t *testing.T) {
	t.Parallel()
	both := map[string]any{"engine": "chromium-headless-shell", "engines": []string{"chromium"}}
	const form = `<!doctype html><title>Form</title><h1>Slow form</h1><form method="post"><label for="n">Name</label><input id="n" name="n"><button id="go">Continue</button></form>`
	for _, c := range []struct {
		name   string
		refuse http.HandlerFunc
		need   map[string]any
		typ    string
		visits int32 // at most
		posted int32
	}{
		{"hangs up", func(w http.ResponseWriter, _ *http.Request) {
			if conn, _, err := http.NewResponseController(w).Hijack(); err == nil {
				conn.Close()
			}
		}, nil, runner.TypeNavigation, 6, 0},
		{"refuses", func(w http.ResponseWriter, _ *http.Request) { http.Error(w, "Access denied", http.StatusForbidden) }, nil, runner.TypeBlocked, 1, 0},
		{"refuses what was sent", nil, both, runner.TypeBlocked, 1, 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			site := startWary(t, form, c.refuse)
			a := site.run(t, folderOf(t, "wary", "http://"+site.addr+"/", c.need))
			if a.ErrorType != c.typ {
				t.Errorf("it ends as %s", a.Text())
			}
			if v, p := site.visits.Load(), site.posted.Load(); v == 0 || v > c.visits || p != c.posted {
				t.Errorf("%d visits and %d forms, want at most %d and %d", v, p, c.visits, c.posted)
			}
		})
	}
}

// TestARequiredQuestionThatIsNotShown: where the wizard says that these answers bring the
// question up, a form without it has changed, and is not sent without the answer.
func TestARequiredQuestionThatIsNotShown(t *testing.T) {
	t.Parallel()
	site := startWary(t, `<!doctype html><title>Form</title><h1>Slow form</h1><form method="post"><div hidden><label for="n">Name</label><input id="n" name="n"></div><label for="town">Town</label><input id="town" name="town"><button id="go">Continue</button></form>`, nil)
	dir := folderOf(t, "wary", "http://"+site.addr+"/", nil)
	path := filepath.Join(dir, "wizard-structures", "wary.json")
	raw, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var w map[string]any
	if err := json.Unmarshal(raw, &w); err != nil {
		t.Fatal(err)
	}
	page := w["pages"].([]any)[0].(map[string]any)
	page["fields"] = append(page["fields"].([]any), map[string]any{
		"label": "Town", "field_id": "town", "selector": "#town", "field_type": "text", "interaction": "fill", "example_value": "Ely",
	}, map[string]any{
		"label": "Title", "field_id": "title", "selector": "#title", "field_type": "text", "interaction": "fill", "example_value": "Dr",
		"visible_when": map[string]any{"field_id": "name", "value": "Nobody"},
	})
	if raw, err = json.Marshal(w); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, raw, 0o600); err != nil {
		t.Fatal(err)
	}
	a := site.run(t, dir)
	if a.ErrorType != runner.TypeSelector || a.FieldID != "name" || !strings.Contains(a.Text(), "requires") || site.posted.Load() != 0 {
		t.Errorf("%d forms were sent\n%s", site.posted.Load(), a.Text())
	}
}

// TestACancelledCallLeavesARunWithAKey: others may wait for it, and the key finds it
// again; nothing is submitted twice.
func TestACancelledCallLeavesARunWithAKey(t *testing.T) {
	t.Parallel()
	site := startSlowForm(t)
	client := overStdio(t, site.env(t)...)
	args := json.RawMessage(`{"wizard_id":"slow-form","user_data":{"name":"x"},"options":{"idempotency_key":"k","timeout_seconds":60,"return_screenshots":false}}`)
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() {
		_, err := client.CallTool(ctx, &mcp.CallToolParams{Name: "federalrunner_execute_wizard", Arguments: args})
		ended <- err
	}()
	<-site.arrived
	cancel()
	if err := <-ended; err == nil {
		t.Fatal("the call was answered before it was cancelled")
	}
	call(t, client, "federalrunner_list_wizards", `{}`) // the cancellation has arrived before it
	close(site.release)
	res := call(t, client, "federalrunner_execute_wizard", string(args))
	var a runner.Answer
	if err := decode(res, &a); err != nil || !a.Success {
		t.Errorf("%s %v", text(res), err)
	}
	select {
	case <-site.arrived:
		t.Error("the form was submitted twice")
	default:
	}
}

// TestRepliesStaySmall: thirty pages in the best quality do not make a reply that hosts
// refuse.
func TestRepliesStaySmall(t *testing.T) {
	t.Parallel()
	site := startPractice(t)
	client := overStdio(t, "LEGWORK_PRACTICE_ADDR="+site.addr, "LEGWORK_PRACTICE_WIDGETS=1")
	for _, c := range widgetCases(t) {
		if c.wizard != "f21d-thirty-pages" || c.Expect.Status != runner.StatusSuccess {
			continue
		}
		a, res, err := execute(t, client, c.wizard, c.Data, map[string]any{"screenshot_quality": 100, "timeout_seconds": 120, "wait_seconds": 120})
		if err != nil || !a.Success {
			t.Fatalf("%s %v", a.Text(), err)
		}
		raw, err := json.Marshal(res)
		if err != nil {
			t.Fatal(err)
		}
		if len(raw) > 700<<10 || a.ScreenshotCount < 10 || len(res.Content) != 1+a.ScreenshotCount {
			t.Errorf("a reply of %d bytes with %d pictures in %d blocks", len(raw), a.ScreenshotCount, len(res.Content))
		}
		return
	}
	t.Error("there is no form of thirty pages")
}
