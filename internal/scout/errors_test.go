package scout

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/legwork-mcp/legwork/internal/browser"
)

// oddSite is one page with everything that can go wrong on it.
func oddSite() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /{$}", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprint(w, `<!doctype html><title>Odd</title><h1>Odd form</h1><form method=get action="/">
			<p><label for=name>Full name</label> <input id=name name=name></p>
			<p><label for=off>Locked</label> <input id=off disabled></p>
			<p><label for=color>Colour</label> <select id=color name=color><option value="">Select</option><option>Red</option><option>Blue</option></select></p>
			<p><input type=checkbox id=agree name=agree><label for=agree>I agree</label></p>
			<button id=no disabled>Continue later</button>
			<button class=twin type=button>Edit</button> <button class=twin type=button>Edit</button>
			<button id=ask type=button onclick="document.getElementById('box').showModal()">Ask me</button>
			<button id=more type=button onclick="document.getElementById('extra').hidden=false">More</button>
			<div style="position:relative"><button id=under type=button onclick="document.getElementById('found').hidden=false">Under</button>
			<div style="position:absolute;inset:0;background:#eee"></div></div><p id=found hidden><label for=what>Found</label> <input id=what></p>
			<p id=extra hidden><label for=why>Reason</label> <input id=why></p>
			</form><dialog id=box><h2>Sure?</h2><button>Close it</button></dialog>`)
	})
	mux.HandleFunc("GET /never", func(w http.ResponseWriter, r *http.Request) { <-r.Context().Done() })
	mux.HandleFunc("GET /denied", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		w.WriteHeader(http.StatusForbidden)
		fmt.Fprint(w, `<!doctype html><title>Access Denied</title><h1>Access Denied</h1><p>You don't have permission to access this page. Reference #18.2d</p>`)
	})
	return mux
}

// TestStartErrors: every way in which a start can fail has its own type, and
// leaves nothing open.
func TestStartErrors(t *testing.T) {
	b := newBench(t, Settings{Navigation: 2 * time.Second})
	b.serve(t, oddSite())
	gone := httptest.NewServer(nil)
	addr := strings.TrimPrefix(gone.URL, "http://")
	gone.Close()
	const odd = "http://practice.localhost/"
	for _, url := range []string{"", "practice.localhost", "ftp://practice.localhost/", "javascript:alert(1)", "http://user:pass@practice.localhost/", "file:///etc/passwd"} {
		b.fails(t, TypeInvalidURL, "start_discovery", StartIn{URL: url})
	}
	b.fails(t, "origin_not_allowed", "start_discovery", StartIn{URL: "http://169.254.169.254/latest/"})
	b.fails(t, TypeBlocked, "start_discovery", StartIn{URL: odd + "denied"})
	b.fails(t, TypeTimeout, "start_discovery", StartIn{URL: odd + "never"})
	b.hosts = map[string]string{"practice.localhost:80": addr}
	b.fails(t, "navigation_failed", "start_discovery", StartIn{URL: odd})
	if n := b.pool.Stats().Tabs; n != 0 {
		t.Errorf("%d tabs are open", n)
	}
	missing := browser.NewPool(browser.Options{Engine: "/nowhere/chromium"})
	defer missing.Close(t.Context())
	b.browser = missing
	b.fails(t, "browser_unavailable", "start_discovery", StartIn{URL: odd})
}

// TestElementErrors: what is wrong with one element is told with what may be meant.
func TestElementErrors(t *testing.T) {
	b := newBench(t, Settings{Element: time.Second})
	b.serve(t, oddSite())
	id := b.start(t, "http://practice.localhost/")
	click := func(selector string) ClickIn { return ClickIn{SessionID: id, Selector: selector} }
	got := b.fails(t, TypeNotFound, "click_element", click("Continue laterr"))
	if !strings.Contains(got.str("suggestion"), "#no") || got.images == 0 {
		t.Errorf("no suggestion or picture: %s", got.text)
	}
	b.fails(t, TypeAmbiguous, "click_element", click(".twin"))
	for _, bad := range []string{"#yes[", "button[type=", "css=..no", "div > > button"} {
		if got := b.fails(t, TypeSelector, "click_element", click(bad)); !strings.Contains(got.text, "no valid CSS selector") {
			t.Errorf("%s is told as %s", bad, got.text)
		}
	}
	b.fails(t, TypeNotFound, "click_element", click("#gone"))
	if got := b.fails(t, TypeNotClickable, "click_element", click("#no")); !strings.Contains(got.text, "disabled") {
		t.Errorf("no reason: %s", got.text)
	}
	if got := b.call(t, "click_element", click("#more")); !strings.Contains(got.text, "Reason") {
		t.Errorf("what is new: %s", got.text)
	}
	if got := b.call(t, "click_element", click("I agree")); !strings.Contains(got.text, "agree") {
		t.Errorf("the box: %s", got.text)
	}
	b.fails(t, "invalid_arguments", "click_element", click(" "))
	b.call(t, "click_element", click("Ask me"))
	if got := b.fails(t, TypeDialog, "click_element", click("#more")); !strings.Contains(got.text, "Sure?") {
		t.Errorf("the dialog: %s", got.text)
	}
}

// TestActionOutcomes: the answer to a batch says of every action what became of
// it, and never what was typed.
func TestActionOutcomes(t *testing.T) {
	b := newBench(t, Settings{Element: time.Second})
	b.serve(t, oddSite())
	id := b.start(t, "http://practice.localhost/")
	actions := []Action{
		{Action: "set", Selector: "#nam", Value: []byte(`"Zanzibar"`)},
		{Action: "fill", Selector: "#off", Value: []byte(`"Zanzibar"`)},
		{Action: "select", Selector: "#color", Value: []byte(`"Zanzibar"`)},
		{Action: "set", Selector: "#agree", Value: []byte(`true`)},
		{Action: "fill", Selector: "#color"},
		{Action: "set", Selector: "#name", Value: []byte(`{"a":1}`)},
		{Action: "set", Selector: "#name", Value: []byte(`["a",{"b":1}]`)},
		{Action: "select", Selector: "Colour", Value: []byte(`"blue"`)},
	}
	got := b.as(t, "local", "execute_actions", ActionsIn{SessionID: id, Actions: actions, IncludeScreenshot: off()})
	if !got.failed || got.data["success"] != false || got.num("completed_count") != 2 || got.num("total_actions") != len(actions) {
		t.Errorf("the batch: %s", got.text)
	}
	var types []string
	for _, o := range got.data["outcomes"].([]any) {
		m := o.(map[string]any)
		typ, _ := m["error_type"].(string)
		if m["ok"] == true {
			typ = "ok"
		}
		types = append(types, typ)
	}
	want := []string{TypeNotFound, TypeValue, TypeOption, "ok", TypeValue, TypeValue, TypeValue, "ok"}
	if fmt.Sprint(types) != fmt.Sprint(want) {
		t.Errorf("got %v, want %v: %s", types, want, got.text)
	}
	if strings.Contains(got.text, "Zanzibar") || strings.Contains(string(got.raw), "Zanzibar") {
		t.Errorf("the answer repeats what was typed: %s", got.text)
	}
	if !strings.Contains(got.text, "Red") {
		t.Errorf("no candidates: %s", got.text)
	}
	under := func(action string) []Action { return []Action{{Action: action, Selector: "#under"}} }
	if got := b.as(t, "local", "execute_actions", ActionsIn{SessionID: id, Actions: under("click"), IncludeScreenshot: off()}); !got.failed || !strings.Contains(got.text, TypeNotClickable) {
		t.Errorf("a covered button: %s", got.text)
	}
	if got := b.call(t, "execute_actions", ActionsIn{SessionID: id, Actions: under("javascript_click"), IncludeScreenshot: off()}); !strings.Contains(got.text, "Found") {
		t.Errorf("a press by script: %s", got.text)
	}
	stopped := b.as(t, "local", "execute_actions", ActionsIn{SessionID: id, Actions: actions, StopOnError: true, IncludeScreenshot: off()})
	if n := len(stopped.data["outcomes"].([]any)); n != 1 {
		t.Errorf("%d actions were tried after an error", n)
	}
	b.fails(t, "invalid_arguments", "execute_actions", ActionsIn{SessionID: id, Actions: []Action{}})
}

// somePage is the metadata of a page with one field, in the words of v1.1.
func somePage(number int, field, selector string) map[string]any {
	return map[string]any{
		"page_number": number, "page_title": "Page", "url_pattern": "http://practice.localhost/",
		"fields":          []map[string]any{{"label": "Name", "field_id": field, "selector": selector, "field_type": "text", "interaction": "fill", "required": true, "example_value": "Ada"}},
		"continue_button": map[string]any{"text": "More", "selector": "#more"},
	}
}

// TestSaveErrors: everything that is wrong with what was written is named, and a
// wizard is never replaced by accident.
func TestSaveErrors(t *testing.T) {
	b := newBench(t, Settings{})
	b.serve(t, oddSite())
	id := b.start(t, "http://practice.localhost/")
	save := func(page any) map[string]any { return map[string]any{"session_id": id, "page_metadata": page} }
	finish := CompleteIn{SessionID: id, WizardName: "Odd", WizardID: "odd.json"}
	b.fails(t, TypeNoPages, "complete_discovery", finish)
	bad := somePage(1, "Not An Id", "#name")
	bad["fields"].([]map[string]any)[0]["field_type"] = "wheel"
	got := b.fails(t, TypeValidation, "save_page_metadata", save(bad))
	if list, _ := got.data["errors"].([]any); len(list) != 2 || !strings.Contains(got.text, "/fields/0/field_id") {
		t.Errorf("the problems: %s", got.text)
	}
	b.fails(t, TypeValidation, "save_page_metadata", save(map[string]any{"page_number": 0}))
	if got := b.call(t, "save_page_metadata", save(somePage(2, "name", "#nowhere"))); !strings.Contains(got.text, "#nowhere") {
		t.Errorf("no warning: %s", got.text)
	}
	b.fails(t, TypeSchema, "complete_discovery", finish)
	b.fails(t, TypeValidation, "save_page_metadata", save(somePage(3, "name", "#name"))) // the id is taken
	b.call(t, "save_page_metadata", map[string]any{"session_id": id, "page_metadata": map[string]any{"page_number": 2}, "delete": true})
	b.call(t, "save_page_metadata", save(somePage(1, "name", "#why")))
	if got := b.call(t, "save_page_metadata", save(somePage(1, "name", "#name"))); got.data["replaced"] != true || got.num("total_pages_discovered") != 1 {
		t.Errorf("replacing: %s", got.text)
	}
	b.fails(t, TypeValidation, "complete_discovery", CompleteIn{SessionID: id, WizardName: "Odd", WizardID: "../odd"})
	done := b.call(t, "complete_discovery", finish)
	if done.str("wizard_id") != "odd" || done.str("file") != "odd.json" {
		t.Errorf("completed: %s", done.text)
	}
	b.fails(t, "invalid_session", "get_page_info", PageInfoIn{SessionID: id})
	again := b.start(t, "http://practice.localhost/")
	b.call(t, "save_page_metadata", map[string]any{"session_id": again, "page_metadata": somePage(1, "other_name", "#name")})
	finish.SessionID = again
	b.fails(t, TypeWizardExists, "complete_discovery", finish)
	finish.Overwrite = true
	b.call(t, "complete_discovery", finish)
	schemaErrors(t, b)
}

// schemaErrors tries schemas on the wizard odd, which asks for other_name.
func schemaErrors(t *testing.T, b *bench) {
	t.Helper()
	save := func(id string, schema any) map[string]any {
		return map[string]any{"wizard_id": id, "schema_content": schema}
	}
	schema := func(name string, property any) map[string]any {
		return map[string]any{"$schema": "http://json-schema.org/draft-07/schema#", "type": "object", "properties": map[string]any{name: property}}
	}
	text := map[string]any{"type": "string"}
	b.fails(t, "incomplete_schema", "save_schema", save("odd", map[string]any{"type": "object"}))
	b.fails(t, "invalid_schema", "save_schema", save("odd", schema("other_name", map[string]any{"type": "strong"})))
	if got := b.fails(t, TypeMismatch, "save_schema", save("odd", schema("name", text))); !strings.Contains(got.text, "other_name") {
		t.Errorf("the mismatch: %s", got.text)
	}
	b.fails(t, TypeWizardNotFound, "save_schema", save("odder", schema("name", text)))
	if got := b.call(t, "save_schema", save("odd", schema("other_name", text))); !strings.HasSuffix(got.str("schema_path"), "data-schemas/odd-schema.json") {
		t.Errorf("saved: %s", got.text)
	}
}
