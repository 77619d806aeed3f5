package scout

import (
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

// TestFolderThatCannotBeWritten: the work goes on in memory, and is neither said to
// be saved nor lost.
func TestFolderThatCannotBeWritten(t *testing.T) {
	b := newBench(t, Settings{})
	b.serve(t, oddSite())
	id := b.start(t, "http://practice.localhost/")
	if err := os.RemoveAll(b.dir); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(b.dir, nil, 0o600); err != nil { // nothing can be written into a file's place
		t.Fatal(err)
	}
	page := map[string]any{"session_id": id, "page_metadata": somePage(1, "name", "#name")}
	if got := b.fails(t, "partial_not_saved", "save_page_metadata", page); !strings.Contains(got.text, "in memory") {
		t.Errorf("what is to be done: %s", got.text)
	}
	finish := CompleteIn{SessionID: id, WizardName: "Odd", WizardID: "odd"}
	b.fails(t, "not_saved", "complete_discovery", finish)
	if err := os.Remove(b.dir); err != nil {
		t.Fatal(err)
	}
	if got := b.call(t, "complete_discovery", finish); !strings.Contains(got.text, "1 page,") {
		t.Errorf("after the folder came back: %s", got.text)
	}
}

// TestSchemaOfSession: a schema may come before the wizard is complete, and is
// judged by the pages so far.
func TestSchemaOfSession(t *testing.T) {
	b := newBench(t, Settings{})
	b.serve(t, oddSite())
	id := b.start(t, "http://practice.localhost/")
	b.call(t, "save_page_metadata", map[string]any{"session_id": id, "page_metadata": somePage(1, "name", "#name")})
	schema := func(name string) map[string]any {
		return map[string]any{"session_id": id, "wizard_id": "odd", "schema_content": map[string]any{
			"$schema": "http://json-schema.org/draft-07/schema#", "type": "object", "title": "Mine",
			"properties": map[string]any{name: map[string]any{"type": "string", "maxLength": 7}}, "required": []string{name},
		}}
	}
	b.fails(t, TypeMismatch, "save_schema", schema("other"))
	b.call(t, "save_schema", schema("name"))
	b.call(t, "complete_discovery", CompleteIn{SessionID: id, WizardName: "Odd", WizardID: "odd"})
	raw, err := os.ReadFile(filepath.Join(b.dir, "data-schemas", "odd-schema.json"))
	if err != nil || !strings.Contains(string(raw), `"maxLength": 7`) || !strings.Contains(string(raw), "Mine") {
		t.Errorf("the schema that was given is not the one that was saved: %s, %v", raw, err)
	}
	if err := os.WriteFile(filepath.Join(b.dir, "wizard-structures", "odd.json"), []byte(`{"wizard_id": "odd", "pages": 7}`), 0o600); err != nil {
		t.Fatal(err)
	}
	later := schema("name")
	delete(later, "session_id")
	b.fails(t, "wizard_invalid", "save_schema", later)
}

// TestPageThatComesOnce: a page that a second visit does not get cannot be tried
// out, and the session's own page is left as it is.
func TestPageThatComesOnce(t *testing.T) {
	b := newBench(t, Settings{Element: time.Second})
	var visits atomic.Int32
	b.serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		if r.URL.Path == "/once" && visits.Add(1) > 1 {
			fmt.Fprint(w, `<!doctype html><title>Over</title><h1>This offer is over</h1>`)
			return
		}
		if r.URL.Path == "/once" {
			fmt.Fprint(w, `<!doctype html><title>Once</title><h1>Only once</h1><form action=/end><label>Name <input name=n></label><button>Continue</button></form>`)
			return
		}
		fmt.Fprint(w, `<!doctype html><title>First</title><h1>First</h1><form action=/once><label>Age <input name=a></label><button>Continue</button></form>`)
	}))
	id := b.start(t, "http://practice.localhost/")
	b.call(t, "draft_page", DraftIn{SessionID: id, Save: true, Proceed: true})
	got := b.fails(t, "page_not_reached", "probe_page", ProbeIn{SessionID: id})
	if !strings.Contains(got.text, "without probing") {
		t.Errorf("what is to be done: %s", got.text)
	}
	if info := b.call(t, "get_page_info", PageInfoIn{SessionID: id, IncludeScreenshot: off()}); !strings.Contains(info.text, "Only once") {
		t.Errorf("the session is elsewhere: %s", info.text)
	}
}

// TestPressWithoutAnswer: a site that never answers a press ends the call in time,
// and the session is still there.
func TestPressWithoutAnswer(t *testing.T) {
	b := newBench(t, Settings{Navigation: 2 * time.Second, Element: time.Second})
	b.serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/never" {
			<-r.Context().Done()
			return
		}
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprint(w, `<!doctype html><title>First</title><h1>First</h1><form action=/never><label>Age <input name=a></label><button>Continue</button></form>`)
	}))
	id := b.start(t, "http://practice.localhost/")
	b.fails(t, TypeTimeout, "click_element", ClickIn{SessionID: id, Selector: "Continue", IncludeScreenshot: off()})
	if info := b.call(t, "get_page_info", PageInfoIn{SessionID: id, IncludeScreenshot: off()}); !strings.Contains(info.text, "First") {
		t.Errorf("the session: %s", info.text)
	}
	b.call(t, "close_session", CloseIn{SessionID: id}) // which ends the request that never would
}
