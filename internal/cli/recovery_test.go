package cli_test

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/legwork-mcp/legwork/internal/browser"
	"github.com/legwork-mcp/legwork/internal/cli"
	"github.com/legwork-mcp/legwork/internal/practice"
	"github.com/legwork-mcp/legwork/internal/runner"
	"github.com/legwork-mcp/legwork/internal/tool"
	"github.com/legwork-mcp/legwork/internal/wizard"
)

// recovery is a way to an error and what its text must name, so that a model
// that reads nothing else can go on.
type recovery struct {
	typ   string
	fails func(t *testing.T) *mcp.CallToolResult
	names []string
}

// TestTextAloneIsEnough: for every error that a tool can answer with, the first
// text block says what happened, the error's word, what to do next and every id
// that the next call needs; nothing is in the structured answer alone. An error
// type of the code that is missing here fails the test.
func TestTextAloneIsEnough(t *testing.T) {
	t.Parallel()
	w := startWorld(t)
	cases := slices.Concat(w.refusals(), w.explorations(), w.restarts(), w.runs(), w.machines())
	types := errorTypes(t)
	for _, c := range cases {
		if _, ok := types[c.typ]; !ok {
			t.Errorf("%s is no error type of the code any more", c.typ)
		}
		delete(types, c.typ)
		t.Run(c.typ, func(t *testing.T) { c.check(t, c.fails(t)) })
	}
	for _, typ := range slices.Sorted(maps.Keys(types)) {
		t.Errorf("%s (%s) has no case: is its text enough to go on?", typ, types[typ])
	}
}

// aside are members that help nobody to go on: when it was, what the caller sent,
// the log of the pages that went well.
var aside = map[string]bool{
	"timestamp": true, "started_at": true, "file": true, "wizard_version": true, "provided_value": true,
	"path": true, "pages": true, "submitted": true, "allowed_values": true,
}

func (c recovery) check(t *testing.T, res *mcp.CallToolResult) {
	t.Helper()
	var said string
	for _, block := range slices.Backward(res.Content) {
		if b, ok := block.(*mcp.TextContent); ok {
			said = b.Text // the first one, in the end
		}
	}
	raw, err := json.Marshal(res.StructuredContent)
	if err != nil {
		t.Fatal(err)
	}
	var doc map[string]any
	if err := json.Unmarshal(raw, &doc); err != nil {
		t.Fatal(err)
	}
	if !res.IsError || doc["error_type"] != c.typ || doc["success"] != false {
		t.Fatalf("not the error %s:\n%s\n%s", c.typ, said, raw)
	}
	for _, want := range append([]string{"(" + c.typ + ")", "What to do: "}, c.names...) {
		if !strings.Contains(said, want) {
			t.Errorf("the text lacks %q:\n%s", want, said)
		}
	}
	for _, key := range []string{"error", "corrective_action"} {
		if v, _ := doc[key].(string); v == "" {
			t.Errorf("%s is empty", key)
		}
	}
	for _, lost := range onlyIn(said, doc) {
		t.Errorf("%s is in the structured answer only:\n%s", lost, said)
	}
}

// onlyIn lists the texts of a value that the text block does not have.
func onlyIn(said string, v any) []string {
	switch v := v.(type) {
	case string:
		if !strings.Contains(said, v) && !strings.Contains(said, fmt.Sprintf("%q", v)) {
			return []string{fmt.Sprintf("%q", v)}
		}
	case []any:
		var out []string
		for _, item := range v {
			out = append(out, onlyIn(said, item)...)
		}
		return out
	case map[string]any:
		var out []string
		for _, key := range slices.Sorted(maps.Keys(v)) {
			if !aside[key] {
				for _, lost := range onlyIn(said, v[key]) {
					out = append(out, key+": "+lost)
				}
			}
		}
		return out
	}
	return nil
}

// world is a program with the practice forms and a folder of forms that fail.
type world struct {
	t      *testing.T
	client *legwork
	slow   *slowForm
	site   *practiceServer
}

func startWorld(t *testing.T) *world {
	t.Helper()
	w := &world{t: t, slow: startSlowForm(t), site: startPractice(t)}
	dir := w.slow.wizardDir(t)
	addr := "http://" + serveLocal(t, http.HandlerFunc(oddForms))
	writeForm(t, dir, "closed", "http://"+freeAddr(t)+"/", 1)
	writeForm(t, dir, "two-alike", addr+"/two-alike", 1)
	writeForm(t, dir, "changes", addr+"/changes", 1)
	writeForm(t, dir, "two-pages", addr+"/form", 2)
	writeForm(t, dir, "no-answer", addr+"/form", 1)
	if err := os.WriteFile(filepath.Join(dir, "wizard-structures", "broken.json"), []byte(`{"wizard_id":"broken","pages":7}`), 0o644); err != nil {
		t.Fatal(err)
	}
	w.client = overStdio(t, "FEDERALRUNNER_WIZARDS_DIR="+dir, "LEGWORK_ALLOW_PRIVATE=1", "LEGWORK_PRACTICE_ADDR="+w.site.addr, "LEGWORK_PRACTICE_WIDGETS=1")
	return w
}

// oddForms are one-page forms that end badly.
func oddForms(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "text/html")
	switch {
	case r.Method == http.MethodPost:
		fmt.Fprint(w, "<!doctype html><title>Something else</title><h1>Something else</h1>")
	case r.URL.Path == "/two-alike":
		fmt.Fprint(w, strings.ReplaceAll(slowPage, `<button`, `<label>Other <input id="n" name="m"></label><button`))
	case r.URL.Path == "/changes":
		fmt.Fprint(w, strings.ReplaceAll(slowPage, `<input`, `<input oninput="this.value='fixed'"`))
	default:
		fmt.Fprint(w, slowPage)
	}
}

// writeForm writes the wizard of a form with one field on each page.
func writeForm(t *testing.T, dir, id, url string, pages int) {
	t.Helper()
	var list []any
	for i := range pages {
		list = append(list, map[string]any{
			"page_number": i + 1, "page_title": fmt.Sprintf("Page %d", i+1),
			"fields": []any{map[string]any{
				"label": "Name", "field_id": fmt.Sprintf("name%d", i+1), "selector": "#n" + strings.Repeat("x", i),
				"field_type": "text", "interaction": "fill", "required": true, "example_value": "x",
			}},
			"continue_button": map[string]any{"text": "Continue", "selector": "#go"},
		})
	}
	raw, err := json.Marshal(map[string]any{
		"wizard_id": id, "name": id, "url": url, "discovered_at": "2026-01-01T00:00:00Z", "discovery_version": "1.0.0",
		"total_pages": pages, "pages": list, "success_when": []any{map[string]any{"heading": "Done"}},
	})
	if err == nil {
		err = os.WriteFile(filepath.Join(dir, "wizard-structures", id+".json"), raw, 0o644)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// calls is a call of the program that fails.
func (w *world) calls(name, args string) func(*testing.T) *mcp.CallToolResult {
	return func(t *testing.T) *mcp.CallToolResult { return call(t, w.client, name, args) }
}

func (w *world) executes(id, data string) func(*testing.T) *mcp.CallToolResult {
	return w.calls("federalrunner_execute_wizard", `{"wizard_id":"`+id+`","user_data":`+data+`}`)
}

// refusals end before a browser is asked for.
func (w *world) refusals() []recovery {
	const execute = "federalrunner_execute_wizard"
	return []recovery{
		{"invalid_arguments", w.calls(execute, `{"wizard":"fsa-estimator"}`), []string{"wizard_id", "user_data"}},
		{"invalid_wizard_id", w.calls("federalrunner_get_wizard_info", `{"wizard_id":"../x"}`), []string{"../x", "federalrunner_list_wizards"}},
		{"wizard_not_found", w.calls("federalrunner_get_wizard_info", `{"wizard_id":"no-such-form"}`), []string{"no-such-form", "fsa-estimator"}},
		{runner.TypeWizard, w.calls("federalrunner_get_wizard_info", `{"wizard_id":"broken"}`), []string{"broken", "/pages"}},
		{"invalid_user_data", w.executes("fsa-estimator", `{"a":`+strings.Repeat(`[`, 30)+strings.Repeat(`]`, 30)+`}`), []string{"user_data"}},
		{"invalid_options", w.calls(execute, `{"wizard_id":"slow-form","user_data":{"name":"x"},"options":{"idempotency_key":"`+strings.Repeat("k", 201)+`"}}`),
			[]string{"options.idempotency_key", "200"}},
		{"run_not_found", w.calls("federalrunner_get_run", `{"run_id":"run_0"}`), []string{"run_0", "federalrunner_execute_wizard"}},
		{runner.StatusMissingData, w.executes("fsa-estimator", `{}`),
			[]string{"fsa-estimator", "birth_month", "marital_status", "separated", "parent_state", "federalrunner_get_wizard_info"}},
		{runner.StatusValidationError, w.executes("loan-simulator-repayment", `{"current_loans":[{"loan_type":"x"}],"hass_job":true}`),
			[]string{"loan-simulator-repayment", "/current_loans/0/loan_type", "Private Loan", "hass_job", "has_job", "none_apply"}},
		{"not_authorized", inProcess(tool.Policy{}, runner.Options{}, "slow-form", nil), nil},
		{"insufficient_scope", inProcess(cli.ServerPolicy(), runner.Options{}, "", nil), []string{"federalrunner:execute"}},
	}
}

// runs end in the browser.
func (w *world) runs() []recovery {
	maria := `{"full_name":"Maria Lopez"}`
	return []recovery{
		{runner.TypeNavigation, w.executes("closed", `{"name1":"x"}`), []string{"closed", "run_id: run_"}},
		{runner.TypeSelector, w.executes("f22f-selector-missing", maria), []string{"f22f-selector-missing", "full_name", "run_id: run_"}},
		{runner.TypeRejected, w.executes("f09c-continue-error-summary", `{"full_name":"Maria","postcode":"981","email":"nobody"}`),
			[]string{"page 1", "full_name", "postcode", "email", "run_id: run_"}},
		{runner.TypeMismatch, w.executes("changes", `{"name1":"x"}`), []string{"name1", "fixed", "page 1", "run_id: run_"}},
		{runner.TypeNotAdvanced, w.executes("f09b-continue-dead", maria), []string{"f09b-continue-dead", "page 1", "run_id: run_"}},
		{runner.TypeOption, w.executes("f05a-listbox-virtual", `{"office":"Office 999"}`), []string{"office", "page 1", "run_id: run_"}},
		{runner.TypeAmbiguous, w.executes("two-alike", `{"name1":"x"}`), []string{"name1", "page 1", "run_id: run_"}},
		{runner.TypeDisabled, w.executes("f08c-disabled", `{"account":"999-0000","city":"Tacoma"}`), []string{"account", "page 1", "run_id: run_"}},
		{runner.TypeUnexpectedPage, w.executes("two-pages", `{"name1":"x","name2":"y"}`), []string{"two-pages", "Something else", "page 2", "name2", "run_id: run_"}},
		{runner.TypeBlocked, w.executes("f19a-blocked-403", maria), []string{"f19a-blocked-403", "run_id: run_"}},
		{runner.TypeHuman, w.executes("f19c-captcha", maria), []string{"f19c-captcha", "person", "run_id: run_"}},
		{runner.TypeOrigin, w.executes("f25d-continue-inside", maria), []string{"f25d-continue-inside", "--allow-private", "run_id: run_"}},
		{runner.TypeNoResult, w.executes("no-answer", `{"name1":"x"}`), []string{"no-answer", "Something else", "Done", "run_id: run_"}},
		{runner.TypeFile, w.executes("f13a-file-visible", `{"document":"no-such.pdf"}`), []string{"document", "no-such.pdf"}},
		{runner.TypeTimeout, w.calls("federalrunner_execute_wizard", `{"wizard_id":"slow-form","user_data":{"name":"x"},"options":{"timeout_seconds":5}}`),
			[]string{"slow-form", "page 1", "run_id: run_"}},
		{runner.TypeCancelled, w.cancels, []string{"slow-form", "run_id: run_"}},
		{"idempotency_conflict", w.repeats, []string{"slow-form", "run_", "federalrunner_get_run"}},
		{runner.TypeBrowser, w.kills, []string{"slow-form", "run_id: run_"}}, // last: it takes other runs with it
	}
}

// starts begins a run that stands still until the test ends.
func (w *world) starts(t *testing.T, key string) string {
	t.Helper()
	a, _, err := execute(t, w.client, "slow-form", map[string]any{"name": "x"}, map[string]any{"wait_seconds": 0, "timeout_seconds": 120, "idempotency_key": key})
	if err != nil || a.RunID == "" {
		t.Fatalf("%v\n%s", err, a.Text())
	}
	return a.RunID
}

func (w *world) cancels(t *testing.T) *mcp.CallToolResult {
	return call(t, w.client, "federalrunner_get_run", `{"run_id":"`+w.starts(t, "cancels")+`","cancel":true}`)
}

func (w *world) repeats(t *testing.T) *mcp.CallToolResult {
	id := w.starts(t, "repeats")
	defer call(t, w.client, "federalrunner_get_run", `{"run_id":"`+id+`","cancel":true}`)
	res := call(t, w.client, "federalrunner_execute_wizard", `{"wizard_id":"slow-form","user_data":{"name":"another"},"options":{"idempotency_key":"repeats"}}`)
	if got := text(res); !strings.Contains(got, id) {
		t.Errorf("the text does not name the run that the key stands for:\n%s", got)
	}
	return res
}

func (w *world) kills(t *testing.T) *mcp.CallToolResult {
	for len(w.slow.arrived) > 0 {
		<-w.slow.arrived // of the cases before
	}
	id := w.starts(t, "kills")
	<-w.slow.arrived
	killBrowsers(t, w.client)
	return call(t, w.client, "federalrunner_get_run", `{"run_id":"`+id+`","wait_seconds":60}`)
}

// opener stands for the browsers of a machine in trouble.
type opener func(context.Context) (*browser.Tab, error)

func (o opener) Open(ctx context.Context, _ browser.TabOptions) (*browser.Tab, error) { return o(ctx) }

// machines are errors of a machine, not of a form.
func (w *world) machines() []recovery {
	hangs := opener(func(ctx context.Context) (*browser.Tab, error) { <-ctx.Done(); return nil, ctx.Err() })
	breaks := opener(func(context.Context) (*browser.Tab, error) { panic("a defect") })
	one := runner.Settings{MaxRuns: 1}
	return []recovery{
		{"browser_unavailable", func(t *testing.T) *mcp.CallToolResult {
			client := overStdio(t, "LEGWORK_PRACTICE_ADDR="+w.site.addr, "LEGWORK_BROWSER_PATH=/nonexistent/chromium", "LEGWORK_PRACTICE_WIDGETS=1")
			return call(t, client, "federalrunner_execute_wizard", `{"wizard_id":"f19c-captcha","user_data":{"full_name":"Maria Lopez"}}`)
		}, []string{"f19c-captcha", "run_id: run_", "/nonexistent/chromium"}},
		{runner.TypeEngine, func(t *testing.T) *mcp.CallToolResult {
			client := overStdio(t, "LEGWORK_PRACTICE_ADDR="+w.site.addr, "LEGWORK_BROWSER_ENGINE=webkit", "FEDERALRUNNER_VIEWPORT_WIDTH=320", "LEGWORK_PRACTICE_WIDGETS=1")
			return call(t, client, "federalrunner_execute_wizard", `{"wizard_id":"f19c-captcha","user_data":{"full_name":"Maria Lopez"}}`)
		}, []string{"f19c-captcha", "run_id: run_", "webkit", "chromium"}},
		{"busy", inProcess(allowed, runner.Options{Browser: hangs, Settings: one}, "ssa-quick-calculator", func(t *testing.T, s *runner.Server, first func() *mcp.CallToolResult) {
			if res := first(); res.IsError {
				t.Fatal(text(res))
			}
		}), []string{"30 s"}},
		{"shutting_down", inProcess(allowed, runner.Options{Browser: hangs}, "ssa-quick-calculator", func(t *testing.T, s *runner.Server, _ func() *mcp.CallToolResult) {
			drain(t, s)
		}), []string{"5 s"}},
		{runner.TypeInternal, inProcess(allowed, runner.Options{Browser: breaks, Settings: runner.Settings{}}, "ssa-quick-calculator", nil),
			[]string{"ssa-quick-calculator", "run_id: run_"}},
	}
}

var allowed = tool.Policy{Authorize: func(context.Context, tool.Spec) error { return nil }}

func drain(t *testing.T, s *runner.Server) {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if err := s.Drain(ctx); err != nil {
		t.Error(err)
	}
}

// inProcess executes with a server of its own, after what comes before.
func inProcess(p tool.Policy, o runner.Options, id string, before func(*testing.T, *runner.Server, func() *mcp.CallToolResult)) func(*testing.T) *mcp.CallToolResult {
	return func(t *testing.T) *mcp.CallToolResult {
		store, err := wizard.OpenStore("", wizard.Source{FS: practice.Wizards(), Practice: true})
		if err != nil {
			t.Fatal(err)
		}
		o.Wizards = store
		o.Policy = func(*wizard.Entry) (browser.Policy, error) { return browser.Policy{}, nil }
		s := runner.New(o)
		t.Cleanup(func() { drain(t, s) })
		do := func(wait int) *mcp.CallToolResult {
			args := map[string]any{"wizard_id": id, "user_data": map[string]any{}, "options": map[string]any{"wait_seconds": wait}}
			if e, err := store.Get(id); err == nil {
				args["user_data"] = e.Contract.Example()
			}
			raw, err := json.Marshal(args)
			if err != nil {
				t.Fatal(err)
			}
			for _, b := range tool.BindAll(s, runner.Tools) {
				if b.Spec.Name == "federalrunner_execute_wizard" {
					return b.Call(t.Context(), p, raw)
				}
			}
			t.Fatal("there is no such tool")
			return nil
		}
		if before != nil {
			before(t, s, func() *mcp.CallToolResult { return do(0) })
		}
		return do(60)
	}
}
