package scout

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// twoDrafted goes through two pages of the aid estimator with drafts and
// returns the session.
func twoDrafted(t *testing.T, b *bench) string {
	t.Helper()
	id := b.call(t, "start_discovery", StartIn{URL: fsaURL, Start: "Start Estimate"}).str("session_id")
	for range 2 {
		if got := b.call(t, "draft_page", DraftIn{SessionID: id, Save: true, Proceed: true}); got.data["proceeded"] != true {
			t.Fatal(got.text)
		}
	}
	return id
}

// TestResumeAfterCrash: a program that ended at once goes on where the saved
// pages end, with nothing lost, although no answer is on the disk.
func TestResumeAfterCrash(t *testing.T) {
	b := newBench(t, Settings{})
	id := twoDrafted(t, b)
	here := b.call(t, "get_page_info", PageInfoIn{SessionID: id, IncludeScreenshot: off()})
	raw, err := os.ReadFile(filepath.Join(b.dir, nameFor(id)))
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(string(raw), `"answers"`) || strings.Contains(string(raw), "local") && strings.Contains(string(raw), `"owner": "local"`) {
		t.Errorf("the partial file tells too much: %s", raw)
	}
	b.open(t, Settings{}) // the old server keeps its tab, as a process that is gone would not
	got := b.call(t, "resume_session", ResumeIn{SessionID: id})
	if got.num("total_pages_discovered") != 2 || got.str("current_url") != here.str("current_url") {
		t.Errorf("resumed at %s, was at %s: %s", got.str("current_url"), here.str("current_url"), got.text)
	}
	next := b.call(t, "draft_page", DraftIn{SessionID: id, Save: true, Proceed: true})
	if next.num("total_pages_discovered") != 3 {
		t.Errorf("going on: %s", next.text)
	}
	b.call(t, "complete_discovery", CompleteIn{SessionID: id, WizardName: "Resumed", WizardID: "resumed"})
}

// TestKilledBrowser: the error is clear, the session is still there, and resuming
// leads back.
func TestKilledBrowser(t *testing.T) {
	b := newBench(t, Settings{})
	id := twoDrafted(t, b)
	here := b.call(t, "get_page_info", PageInfoIn{SessionID: id, IncludeScreenshot: off()})
	killBrowser(t)
	got := b.fails(t, "browser_error", "get_page_info", PageInfoIn{SessionID: id})
	if !strings.Contains(got.text, "federalscout_resume_session") {
		t.Errorf("no hint: %s", got.text)
	}
	b.fails(t, "browser_error", "click_element", ClickIn{SessionID: id, Selector: "Continue"})
	if got := b.call(t, "list_sessions", ListIn{}); !strings.Contains(got.text, "browser_ended") {
		t.Errorf("the list: %s", got.text)
	}
	again := b.call(t, "resume_session", ResumeIn{SessionID: id})
	if again.num("total_pages_discovered") != 2 || again.str("current_url") != here.str("current_url") {
		t.Errorf("resumed at %s, was at %s: %s", again.str("current_url"), here.str("current_url"), again.text)
	}
}

// TestForeignPartial: a file without steps is gone through by its pages' own
// buttons, and a wizard can be completed from it.
func TestForeignPartial(t *testing.T) {
	b := newBench(t, Settings{})
	w := practiceWizard(t, "fsa-estimator")
	w.Pages, w.TotalPages = w.Pages[:1], 1
	w.URL = fsaURL
	raw, err := w.Marshal()
	if err != nil {
		t.Fatal(err)
	}
	id := newID()
	if err := b.partials.write(nameFor(id), raw); err != nil {
		t.Fatal(err)
	}
	got := b.call(t, "resume_session", ResumeIn{PartialFile: nameFor(id)})
	if !strings.Contains(got.text, "total_pages_discovered: 1") || !strings.HasSuffix(got.str("current_url"), "personal-circumstances") {
		t.Errorf("resumed: %s", got.text)
	}
	b.fails(t, "invalid_session", "resume_session", ResumeIn{PartialFile: "../" + nameFor(id)})
	b.fails(t, "invalid_arguments", "resume_session", ResumeIn{})
}

// TestUndo: the step that is taken back is gone, what was typed before is not.
func TestUndo(t *testing.T) {
	b := newBench(t, Settings{})
	id := b.start(t, widgetsURL+"f08a")
	b.call(t, "execute_actions", ActionsIn{SessionID: id, Actions: []Action{{Action: "set", Selector: "#growth", Value: []byte(`"7"`)}, {Action: "set", Selector: "#city", Value: []byte(`"Ada"`)}}})
	got := b.call(t, "undo_or_goto", UndoIn{SessionID: id, To: "undo"})
	if !strings.Contains(got.text, "Taken back") {
		t.Error(got.text)
	}
	b.call(t, "undo_or_goto", UndoIn{SessionID: id, To: "start"})
	b.fails(t, "nothing_to_undo", "undo_or_goto", UndoIn{SessionID: id, To: "undo"})
	b.fails(t, "origin_not_allowed", "undo_or_goto", UndoIn{SessionID: id, To: "http://other.example/"})
	b.call(t, "undo_or_goto", UndoIn{SessionID: id, To: fsaURL})
}
