package scout

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/legwork-mcp/legwork/internal/wizard"
)

// TestProbe: a condition is found on a scratch context, and the page of the
// session stays as it was.
func TestProbe(t *testing.T) {
	b := newBench(t, Settings{})
	id := b.start(t, widgetsURL+"f10a")
	b.call(t, "get_page_info", PageInfoIn{SessionID: id, IncludeScreenshot: off()})
	got := b.call(t, "probe_page", ProbeIn{SessionID: id, Save: true})
	raw, err := json.Marshal(got.data["page_metadata"])
	if err != nil {
		t.Fatal(err)
	}
	var p wizard.Page
	if err := json.Unmarshal(raw, &p); err != nil {
		t.Fatal(err)
	}
	if conditional(p) == 0 {
		t.Errorf("no condition was found: %s", got.text)
	}
	if same := b.call(t, "get_page_info", PageInfoIn{SessionID: id, Since: "last", IncludeScreenshot: off()}); !strings.Contains(same.text, "no element is new, gone or changed") {
		t.Errorf("the session's page changed: %s", same.text)
	}
	if n := b.pool.Stats().Tabs; n != 1 {
		t.Errorf("%d tabs are open", n)
	}
	if len(b.site.Submissions()) != 0 {
		t.Error("the form was submitted")
	}
}

// TestBack: going back a page repeats what led to the page before.
func TestBack(t *testing.T) {
	b := newBench(t, Settings{})
	id := twoDrafted(t, b)
	got := b.call(t, "undo_or_goto", UndoIn{SessionID: id, To: "back", IncludeScreenshot: off()})
	if !strings.HasSuffix(got.str("current_url"), "personal-circumstances") {
		t.Errorf("back: %s", got.text)
	}
	got = b.call(t, "undo_or_goto", UndoIn{SessionID: id, To: "undo", IncludeScreenshot: off()})
	if !strings.HasSuffix(got.str("current_url"), "student-information") {
		t.Errorf("undo: %s", got.text)
	}
}

// TestNothingIsSubmittedAgain: a press that submitted is never repeated.
func TestNothingIsSubmittedAgain(t *testing.T) {
	b := newBench(t, Settings{})
	id := b.start(t, "http://practice.localhost/oact/quickcalc/")
	w := practiceWizard(t, "ssa-quick-calculator")
	p := w.Pages[0]
	data := examples(w)
	b.call(t, "execute_actions", ActionsIn{SessionID: id, Actions: actionsFor(t, &p, data, true), IncludeScreenshot: off()})
	if n := len(b.site.Submissions()); n != 1 {
		t.Fatalf("%d submissions", n)
	}
	b.call(t, "execute_actions", ActionsIn{SessionID: id, Actions: []Action{{Action: "click", Selector: "h1"}}, IncludeScreenshot: off()})
	got := b.call(t, "undo_or_goto", UndoIn{SessionID: id, To: "undo", IncludeScreenshot: off()})
	if n := len(b.site.Submissions()); n != 1 || !strings.Contains(got.text, "not repeated") {
		t.Errorf("%d submissions: %s", n, got.text)
	}
}
