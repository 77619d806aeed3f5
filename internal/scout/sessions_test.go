package scout

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// TestTwoCallers: for everybody but its owner a session does not exist, in the
// same words as one that never did.
func TestTwoCallers(t *testing.T) {
	b := newBench(t, Settings{})
	id := b.start(t, widgetsURL+"f01a")
	page := map[string]any{"page_number": 1}
	calls := map[string]any{
		"click_element":      ClickIn{SessionID: id, Selector: "Continue"},
		"get_page_info":      PageInfoIn{SessionID: id},
		"execute_actions":    ActionsIn{SessionID: id, Actions: []Action{{Action: "click", Selector: "a"}}},
		"draft_page":         DraftIn{SessionID: id},
		"probe_page":         ProbeIn{SessionID: id},
		"save_page_metadata": map[string]any{"session_id": id, "page_metadata": page},
		"save_schema":        map[string]any{"session_id": id, "wizard_id": "a", "schema_content": page},
		"complete_discovery": CompleteIn{SessionID: id, WizardName: "A", WizardID: "a"},
		"undo_or_goto":       UndoIn{SessionID: id, To: "start"},
		"close_session":      CloseIn{SessionID: id},
		"resume_session":     ResumeIn{SessionID: id},
	}
	if len(calls) != len(Tools)-2 {
		t.Errorf("%d of %d tools are tried", len(calls), len(Tools)-2)
	}
	for name, args := range calls {
		got := b.as(t, "mallory", name, args)
		if !got.failed || got.str("error_type") != "invalid_session" {
			t.Errorf("%s of another caller's session: %s", name, got.text)
		}
	}
	unknown := b.as(t, "mallory", "get_page_info", PageInfoIn{SessionID: newID()})
	other := b.as(t, "mallory", "get_page_info", PageInfoIn{SessionID: id})
	if diff := cmp.Diff(unknown.str("error"), other.str("error")); diff != "" {
		t.Errorf("another caller's session differs from none:\n%s", diff)
	}
	if got := b.as(t, "mallory", "list_sessions", ListIn{}); got.num("count") != 0 || strings.Contains(got.text, id) {
		t.Errorf("another caller sees the session: %s", got.text)
	}
	if got := b.call(t, "list_sessions", ListIn{}); got.num("count") != 1 {
		t.Errorf("the owner does not see it: %s", got.text)
	}
}

// TestTwoAtOnce: two callers who explore at the same time each get the pages of their
// own form, and nothing of the other's.
func TestTwoAtOnce(t *testing.T) {
	b := newBench(t, Settings{})
	forms := map[string]StartIn{
		"ada": {URL: fsaURL, Start: "Start Estimate"},
		"bob": {URL: "http://practice.localhost/loan-simulator", Start: "#fsa_LinkButton_LoanSimulatorLandingRepayStrategyStartUnauth3"},
	}
	var wg sync.WaitGroup
	var mu sync.Mutex
	seen := map[string]string{}
	for who, start := range forms {
		wg.Go(func() {
			got := b.as(t, who, "start_discovery", start)
			all, id := got.text, got.str("session_id")
			for range 3 {
				got = b.as(t, who, "draft_page", DraftIn{SessionID: id, Save: true, Proceed: true})
				if got.failed {
					t.Errorf("%s: %s", who, got.text)
				}
				all += got.text
			}
			all += b.as(t, who, "get_page_info", PageInfoIn{SessionID: id, IncludeScreenshot: off()}).text + b.as(t, who, "list_sessions", ListIn{}).text
			mu.Lock()
			defer mu.Unlock()
			seen[who] = all
		})
	}
	wg.Wait()
	for who, words := range map[string][2]string{"ada": {"aid-estimator", "loan-simulator"}, "bob": {"loan-simulator", "aid-estimator"}} {
		if !strings.Contains(seen[who], words[0]) || strings.Contains(seen[who], words[1]) {
			t.Errorf("%s was shown: %s", who, seen[who])
		}
	}
}

// TestPartialOfAnother: the file of a session is its owner's too.
func TestPartialOfAnother(t *testing.T) {
	b := newBench(t, Settings{})
	id := b.start(t, widgetsURL+"f01a")
	b.call(t, "draft_page", DraftIn{SessionID: id, Save: true})
	b.call(t, "close_session", CloseIn{SessionID: id})
	for _, args := range []ResumeIn{{SessionID: id}, {PartialFile: nameFor(id)}} {
		if got := b.as(t, "mallory", "resume_session", args); got.str("error_type") != "invalid_session" {
			t.Errorf("another caller resumes: %s", got.text)
		}
	}
	if got := b.as(t, "mallory", "list_sessions", ListIn{}); strings.Contains(got.text, id) {
		t.Errorf("another caller sees the file: %s", got.text)
	}
	if got := b.call(t, "list_sessions", ListIn{}); !strings.Contains(got.text, id+" resumable") {
		t.Errorf("the owner does not see it: %s", got.text)
	}
	if got := b.call(t, "resume_session", ResumeIn{PartialFile: nameFor(id)}); got.num("total_pages_discovered") != 1 {
		t.Errorf("resumed: %s", got.text)
	}
	b.call(t, "close_session", CloseIn{SessionID: id, KeepPartial: off()})
	if files, err := filepath.Glob(filepath.Join(b.dir, "_partial_*")); err != nil || len(files) != 0 {
		t.Errorf("left: %v, %v", files, err)
	}
}

// TestCap: one caller cannot take all sessions, and is told which are his.
func TestCap(t *testing.T) {
	b := newBench(t, Settings{Sessions: 3, PerCaller: 2})
	first := b.start(t, widgetsURL+"f01a")
	b.start(t, widgetsURL+"f02a")
	got := b.fails(t, "too_many_sessions", "start_discovery", StartIn{URL: widgetsURL + "f01a"})
	if !strings.Contains(got.text, first) {
		t.Errorf("the own sessions are not named: %s", got.text)
	}
	if got := b.as(t, "ada", "start_discovery", StartIn{URL: widgetsURL + "f01a"}); got.failed {
		t.Errorf("another caller cannot start: %s", got.text)
	}
	if got := b.as(t, "bob", "start_discovery", StartIn{URL: widgetsURL + "f01a"}); got.str("error_type") != "too_many_sessions" || strings.Contains(got.text, first) {
		t.Errorf("a fourth session: %s", got.text)
	}
	b.call(t, "close_session", CloseIn{SessionID: first})
	b.start(t, widgetsURL+"f01a")
}

// TestFailedStart: a session that did not start takes no room.
func TestFailedStart(t *testing.T) {
	b := newBench(t, Settings{Sessions: 1})
	for range 3 {
		b.fails(t, TypeNotFound, "start_discovery", StartIn{URL: fsaURL, Start: "No such button"})
	}
	b.start(t, fsaURL)
	if got := b.pool.Stats().Tabs; got != 1 {
		t.Errorf("%d tabs are open", got)
	}
}

// TestReaper: sessions that nobody uses end by themselves, with their tabs.
func TestReaper(t *testing.T) {
	b := newBench(t, Settings{Sessions: 3, PerCaller: 3, Idle: 300 * time.Millisecond})
	for range 3 {
		got := b.as(t, "local", "start_discovery", StartIn{URL: widgetsURL + "f01a"})
		if got.failed && got.str("error_type") != "too_many_sessions" {
			t.Fatal(got.text)
		}
	}
	awaitTrue(t, "all sessions are reaped", func() bool { return b.pool.Stats().Tabs == 0 })
	if got := b.call(t, "list_sessions", ListIn{}); got.num("count") != 0 {
		t.Errorf("left: %s", got.text)
	}
}

// TestReapSparesWork: a session that is worked on is not idle.
func TestReapSparesWork(t *testing.T) {
	b := newBench(t, Settings{})
	id := b.start(t, widgetsURL+"f01a")
	x, err := b.sessions.find(id, "local")
	if err != nil {
		t.Fatal(err)
	}
	late := b.clock().Add(time.Hour)
	b.clock = func() time.Time { return late }
	x.turn <- struct{}{}
	b.sessions.reap(t.Context())
	<-x.turn
	if _, err := b.sessions.find(id, "local"); err != nil {
		t.Error("a session that was worked on is reaped")
	}
	b.sessions.reap(t.Context())
	if _, err := b.sessions.find(id, "local"); err == nil {
		t.Error("an idle session is not reaped")
	}
}

// TestBusy: a call that comes while another works waits, and is told so when that
// takes too long.
func TestBusy(t *testing.T) {
	b := newBench(t, Settings{})
	id := b.start(t, widgetsURL+"f01a")
	x, err := b.sessions.find(id, "local")
	if err != nil {
		t.Fatal(err)
	}
	x.turn <- struct{}{}
	b.sessions.patience = time.Millisecond
	b.fails(t, "busy", "get_page_info", PageInfoIn{SessionID: id})
	b.fails(t, "busy", "close_session", CloseIn{SessionID: id}) // it must not say that the session is closed
	b.sessions.patience = time.Minute
	answered := make(chan said, 1)
	go func() {
		answered <- b.as(t, "local", "get_page_info", PageInfoIn{SessionID: id, IncludeScreenshot: off()})
	}()
	<-x.turn
	if got := <-answered; got.failed {
		t.Errorf("the waiting call: %s", got.text)
	}
}

// TestDrain: at the end nothing is left but the files.
func TestDrain(t *testing.T) {
	b := newBench(t, Settings{})
	id := b.start(t, widgetsURL+"f01a")
	b.call(t, "draft_page", DraftIn{SessionID: id, Save: true})
	if err := b.Drain(t.Context()); err != nil {
		t.Fatal(err)
	}
	if n := b.pool.Stats().Tabs; n != 0 {
		t.Errorf("%d tabs are open", n)
	}
	if _, err := os.Stat(filepath.Join(b.dir, nameFor(id))); err != nil {
		t.Error(err)
	}
	b.fails(t, "shutting_down", "start_discovery", StartIn{URL: fsaURL})
}

// awaitTrue waits for something that happens elsewhere; the test's deadline
// bounds it.
func awaitTrue(t *testing.T, what string, is func() bool) {
	t.Helper()
	tick := time.NewTicker(5 * time.Millisecond)
	defer tick.Stop()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	for !is() {
		select {
		case <-ctx.Done():
			t.Fatalf("%s: not within a minute", what)
		case <-tick.C:
		}
	}
}

// killBrowser ends every browser process that this test started, without notice.
func killBrowser(t *testing.T) {
	t.Helper()
	stats, err := filepath.Glob("/proc/[0-9]*/stat")
	if err != nil {
		t.Fatal(err)
	}
	killed := 0
	for _, path := range stats {
		raw, err := os.ReadFile(path)
		if err != nil {
			continue // it has ended
		}
		text := string(raw)
		rest := strings.Fields(text[strings.LastIndex(text, ")")+1:])
		if len(rest) < 2 || rest[1] != fmt.Sprint(os.Getpid()) || !strings.Contains(text, "chrom") && !strings.Contains(text, "headless") {
			continue
		}
		pid, err := strconv.Atoi(strings.Fields(text)[0])
		if err != nil {
			t.Fatal(err)
		}
		if err := syscall.Kill(pid, syscall.SIGKILL); err == nil {
			killed++
		}
	}
	if killed == 0 {
		t.Fatal("there is no browser to kill")
	}
}
