package runner

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/legwork-mcp/legwork/internal/fault"
)

// TestLedgerRemembers: what a run has come to is known to the next process, to its
// owner only.
func TestLedgerRemembers(t *testing.T) {
	for name, tt := range map[string]struct {
		lines    []passage
		typ      string // what the owner is told
		again    bool   // whether the key may be used again
		certain  string // part of the message
		stranger bool
	}{
		"cut off before it was submitted": {[]passage{{State: passageStarted}}, "run_interrupted", true, "before anything was submitted", false},
		"cut off while it was submitted":  {[]passage{{State: passageStarted}, {State: passageSubmitting}}, "run_interrupted", false, "may have been submitted", false},
		"submitted without an answer":     {[]passage{{State: passageStarted}, {State: passageSubmitting}, {State: passageEnded, Outcome: outcomeUnsure}}, "run_interrupted", false, "may have been submitted", false},
		"ended well":                      {[]passage{{State: passageStarted}, {State: passageSubmitting}, {State: passageEnded, Outcome: StatusSuccess}}, "run_answer_lost", false, "ended with success", false},
		"refused by the form":             {[]passage{{State: passageStarted}, {State: passageEnded, Outcome: TypeNavigation}}, "run_interrupted", true, "before anything", false},
		"somebody else's":                 {[]passage{{State: passageStarted}}, "", true, "", true},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			l := openLedger(t, dir)
			for i, p := range tt.lines {
				p.RunID = "run_1"
				if i == 0 {
					p.Owner, p.Key, p.Wizard = "ann", keyHash("ann\x00k"), "w"
				}
				if err := l.write(p); err != nil {
					t.Fatal(err)
				}
			}
			next := openLedger(t, dir) // while the first is still open: it was killed
			owner := "ann"
			if tt.stranger {
				owner = "bob"
			}
			err := next.recall("run_1", owner)
			if got := ""; err != nil {
				got = fault.From(err).Type
				if got != tt.typ || !strings.Contains(err.Error(), tt.certain) {
					t.Errorf("the owner is told %v", err)
				}
			} else if tt.typ != got {
				t.Errorf("the owner is told nothing, want %s", tt.typ)
			}
			if err := next.earlier("ann\x00k"); (err == nil) != tt.again {
				t.Errorf("the same key: %v", err)
			}
			if err := next.earlier("bob\x00k"); err != nil {
				t.Errorf("another's key: %v", err)
			}
		})
	}
}

func openLedger(t *testing.T, dir string) *Ledger {
	t.Helper()
	l, err := OpenLedger(dir, time.Hour)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	return l
}

// TestLedgerForgets: torn lines and foreign ones say nothing, and what is past goes
// from the disk.
func TestLedgerForgets(t *testing.T) {
	dir := t.TempDir()
	old := filepath.Join(dir, "runs-old.jsonl")
	line := `{"run_id":"run_2","owner":"ann","state":"submitting","at":"` + time.Now().UTC().Format(time.RFC3339) + `"}`
	for name, text := range map[string]string{
		old: line + "\n",
		filepath.Join(dir, "runs-torn.jsonl"): "garbage\n" + line[:40] + "\n" + `{"run_id":"run_3","state":"started","at":"2001-01-01T00:00:00Z"}` + "\n" +
			strings.Replace(line, "run_2", "run_4", 1) + "\n" + line[:50],
	} {
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	long := time.Now().Add(-2 * time.Hour)
	if err := os.Chtimes(old, long, long); err != nil {
		t.Fatal(err)
	}
	l := openLedger(t, dir)
	if l.recall("run_2", "ann") != nil || l.recall("run_3", "") != nil || l.recall("run_4", "ann") == nil {
		t.Errorf("recalled %v", l.past)
	}
	if _, err := os.Stat(old); !os.IsNotExist(err) {
		t.Errorf("the old file is still there: %v", err)
	}
	name := l.file.Name()
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(name); !os.IsNotExist(err) {
		t.Errorf("an empty file is left: %v", err)
	}
}

// TestAQuietProcessKeepsItsLedger: what is recorded after another process has taken
// the file for past is remembered all the same.
func TestAQuietProcessKeepsItsLedger(t *testing.T) {
	dir := t.TempDir()
	quiet, empty := openLedger(t, dir), openLedger(t, dir)
	if err := quiet.write(passage{RunID: "run_1", Owner: "ann", State: passageEnded}); err != nil {
		t.Fatal(err)
	}
	long := time.Now().Add(-2 * time.Hour)
	for _, l := range []*Ledger{quiet, empty} {
		if err := os.Chtimes(l.file.Name(), long, long); err != nil {
			t.Fatal(err)
		}
	}
	openLedger(t, dir)
	for _, state := range []string{passageStarted, passageSubmitting} {
		if err := quiet.write(passage{RunID: "run_2", Owner: "ann", State: state}); err != nil {
			t.Fatal(err)
		}
	}
	next := openLedger(t, dir)
	if err := next.recall("run_2", "ann"); err == nil || !strings.Contains(err.Error(), "may have been submitted") {
		t.Errorf("the owner is told %v", err)
	}
	if next.recall("run_1", "ann") != nil {
		t.Error("what is past is still there")
	}
	if err := empty.Close(); err != nil {
		t.Errorf("closing a ledger that is gone: %v", err)
	}
}

// TestAKeyThatWasUsedTwice: what submitted something counts, in whatever order the
// files of several processes are read.
func TestAKeyThatWasUsedTwice(t *testing.T) {
	for _, names := range [][2]string{{"runs-1.jsonl", "runs-2.jsonl"}, {"runs-2.jsonl", "runs-1.jsonl"}} {
		dir := t.TempDir()
		for i, state := range []string{passageStarted, passageSubmitting} {
			raw, err := json.Marshal(passage{RunID: fmt.Sprint("run_", i), Owner: "ann", Key: keyHash("ann\x00k"), State: state, At: time.Now()})
			if err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(filepath.Join(dir, names[i]), append(raw, '\n'), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		if openLedger(t, dir).earlier("ann\x00k") == nil {
			t.Errorf("%s after %s: the form could be submitted again", names[1], names[0])
		}
	}
}

// TestProcessesSideBySide: what a process writes while another one is there is known to
// that one before it answers, to the owner only, and a line that is being written waits.
func TestProcessesSideBySide(t *testing.T) {
	t.Chdir(t.TempDir())
	one, other := openLedger(t, "."), openLedger(t, ".//") // however the folder is written
	const key = "ann\x00k"
	for _, step := range []struct {
		passage
		typ, says string
		again     bool // whether the key may be used
	}{
		{passage{Owner: "ann", Key: keyHash(key), Wizard: "w", State: passageStarted}, "run_interrupted", "has submitted nothing so far", true},
		{passage{State: passageSubmitting}, "run_interrupted", "is or was at another process of this server, and the form may have been submitted", false},
		{passage{State: passageEnded, Outcome: StatusSuccess}, "run_answer_lost", "another process of this server, which alone has its answer", false},
	} {
		step.RunID = "run_1"
		if err := one.write(step.passage); err != nil {
			t.Fatal(err)
		}
		err := other.recall("run_1", "ann")
		if f := fault.From(err); f == nil || f.Type != step.typ || !strings.Contains(f.Message, step.says) || f.Action == "" {
			t.Errorf("%s: the owner is told %v", step.State, err)
		}
		if err := other.earlier(key); (err == nil) != step.again {
			t.Errorf("%s: the same key: %v", step.State, err)
		}
		if other.recall("run_1", "bob") != nil || other.earlier("bob\x00k") != nil || one.recall("run_1", "ann") != nil || one.earlier(key) != nil {
			t.Errorf("%s: somebody else is told of it, or the process of its own run", step.State)
		}
	}
	line := `{"run_id":"run_2","owner":"ann","state":"submitting","at":"` + time.Now().UTC().Format(time.RFC3339) + `"}` + "\n"
	for i, part := range []string{line[:30], line[30:]} {
		if _, err := one.file.WriteString(part); err != nil {
			t.Fatal(err)
		}
		if known := other.recall("run_2", "ann") != nil; known != (i == 1) {
			t.Errorf("after part %d of a line, its run is known: %v", i, known)
		}
	}
}

// TestTwoThatSubmitAtOnce: both runs began before either submitted; the button is
// pressed by one of them.
func TestTwoThatSubmitAtOnce(t *testing.T) {
	dir := t.TempDir()
	var before []func() error
	for range 2 {
		rs := newRuns(4, 4, time.Hour, openLedger(t, dir))
		x := testExecution("a", "a\x00k", "")
		if _, err := rs.start(x, until); err != nil {
			t.Fatal(err)
		}
		defer drainNow(t, rs)
		before = append(before, x.job.BeforeSubmit)
	}
	if err := before[0](); err != nil {
		t.Fatal(err)
	}
	p := asProblem(t.Context(), before[1](), 1)
	if p == nil || p.typ != "run_interrupted" || !strings.Contains(p.Error(), "at another process") {
		t.Errorf("the second: %v", p)
	}
	if err := before[0](); err != nil {
		t.Errorf("a second button of the first: %v", err)
	}
}

// TestNothingIsSubmittedThatIsNotRecorded: without a disk to write on, no run starts.
func TestNothingIsSubmittedThatIsNotRecorded(t *testing.T) {
	l := openLedger(t, t.TempDir())
	rs := newRuns(4, 4, time.Hour, l)
	x, err := rs.start(testExecution("a", "", ""), until)
	if err != nil {
		t.Fatal(err)
	}
	l.file.Close()
	err = x.job.BeforeSubmit()
	if p := asProblem(t.Context(), err, 2); p.typ != "ledger_unusable" || !strings.Contains(p.action, "data folder") {
		t.Errorf("before the button that submits: %v; %s", p, p.action)
	}
	if _, err := rs.start(testExecution("a", "", ""), until); fault.From(err).Type != "ledger_unusable" {
		t.Errorf("another run: %v", err)
	}
	drainNow(t, rs)
}
