package cwac

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/legwork-mcp/legwork/internal/cwac/results"
)

// TestEngineAskedToEnd: a signal from elsewhere is no mistake in the scan that could be
// corrected.
func TestEngineAskedToEnd(t *testing.T) {
	b := newBench(t)
	id, engine := b.midway()
	if err := syscall.Kill(engine, syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	a := b.good("cwac_scan_status", args{"scan_id": id, "wait_seconds": 60})
	if a.word("status") != "failed" || a.word("cause_type") != "interrupted" || !strings.Contains(a.word("cause"), "asked to end") || !strings.Contains(a.word("corrective_action"), "cwac_scan") {
		t.Errorf("it says %s", a.text)
	}
}

// TestFoldersThatScansLeft: the status of a folder tells how long its scan took and why
// it ended as it wrote it down itself, and what of the folder cannot be read.
func TestFoldersThatScansLeft(t *testing.T) {
	b := newBench(t)
	start := time.Date(2026, 2, 20, 9, 15, 0, 0, time.UTC)
	full := "The results could not be written: the disk is full. What was written before is whole."
	folder := func(name string, change func(*results.Scan)) string {
		c := results.DefaultConfig()
		c.AuditName = name
		w, err := results.Create(filepath.Join(b.dir, "results"), c, start, results.Scan{Process: json.RawMessage(`{"pid":999999,"start":"1","boot":"another"}`)})
		if err == nil {
			err = w.Update(change)
		}
		if err != nil {
			t.Fatal(err)
		}
		return w.Name()
	}
	done := folder("done", func(s *results.Scan) {
		s.State, s.End = results.StateComplete, start.Add(135*time.Second)
		s.Notes = []results.Note{{Kind: "input_skipped", Text: "a.csv:3: this is no address", Where: "http://"}}
	})
	for name, c := range map[string]struct {
		id   string
		want map[string]string
		text string
	}{
		"done": {done, map[string]string{"status": "complete", "elapsed_time": "2m 15s"}, "warning: http://: a.csv:3: this is no address"},
		"full disk": {
			folder("full", func(s *results.Scan) { s.Error = full }),
			map[string]string{"status": "failed", "cause": full}, "",
		},
		"cut off": {
			folder("cut", func(*results.Scan) {}),
			map[string]string{"status": "failed", "cause_type": "interrupted"}, "can be read",
		},
		"buried": {
			folder("buried", func(s *results.Scan) { s.State, s.Error = results.StateFailed, results.CutOff }),
			map[string]string{"status": "failed", "cause_type": "interrupted", "cause": results.CutOff, "corrective_action": "Scan again."}, "",
		},
	} {
		a := b.good("cwac_scan_status", args{"scan_id": c.id})
		for field, want := range c.want {
			if a.word(field) != want {
				t.Errorf("%s: %s is %q: %s", name, field, a.word(field), a.text)
			}
		}
		if !strings.Contains(a.text, c.text) {
			t.Errorf("%s: it says %s", name, a.text)
		}
	}
	if a := b.good("cwac_get_results", args{"scan_id": done}); a.number("total_results") != 0 {
		t.Errorf("the results: %s", a.text)
	}
	record := filepath.Join(b.dir, "results", done, results.FileScan)
	if err := os.WriteFile(record, []byte(`{"state":"complete"`), 0o644); err != nil {
		t.Fatal(err)
	}
	if a := b.good("cwac_scan_status", args{"scan_id": done}); !strings.Contains(a.text, "warning: A part of the results cannot be read: scan.json") {
		t.Errorf("without a record: %s", a.text)
	}
}

// TestPagesOfAScanThatWasKilled: what it had scanned by then is counted, although its
// base URL never came to its end.
func TestPagesOfAScanThatWasKilled(t *testing.T) {
	b := newBench(t)
	id, engine := b.midway()
	kill(t, engine)
	a := b.good("cwac_scan_status", args{"scan_id": id, "wait_seconds": 60})
	if a.word("status") != "failed" || a.number("pages_scanned") != 1 || !strings.Contains(a.text, benchSite+": 1 page (the scan ended before it was done)") {
		t.Errorf("it says %s", a.text)
	}
}

// TestADamagedRegistry: a file of it that somebody changed, emptied or removed is told
// as that, and only to who may know of the scan; the other scans are not affected.
func TestADamagedRegistry(t *testing.T) {
	b := newBench(t)
	sound := b.scanned("sound")
	running := func(raw []byte) []byte {
		var s map[string]any
		if err := json.Unmarshal(raw, &s); err != nil {
			t.Fatal(err)
		}
		s["supervisor"] = map[string]any{"pid": 999999, "start": "1", "boot": "another"}
		delete(s, "cause")
		delete(s, "ended")
		raw, err := json.Marshal(s)
		if err != nil {
			t.Fatal(err)
		}
		return raw
	}
	change := func(id, kind string, to func([]byte) []byte) {
		path := b.reg.path(id, kind)
		raw, err := os.ReadFile(path)
		if err == nil {
			err = os.WriteFile(path, to(raw), 0o600)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	half := func(raw []byte) []byte { return raw[:len(raw)/2] }
	none := func([]byte) []byte { return nil }
	for name, damage := range map[string]func(id string){
		"half a record":  func(id string) { change(id, recordFile, half) },
		"an empty state": func(id string) { change(id, stateFile, none) },
		"an empty job":   func(id string) { change(id, stateFile, running); change(id, jobFile, none) },
	} {
		id := b.scanned(name)
		damage(id)
		for _, tool := range []string{"cwac_scan_status", "cwac_get_summary", "cwac_cancel_scan"} {
			if a := b.call(tool, args{"scan_id": id}); !a.failed || a.word("error_type") != typeDamaged || !strings.Contains(a.text, "Scan again") {
				t.Errorf("%s: %s says %s", name, tool, a.text)
			}
			if a := b.callAs(ann, tool, args{"scan_id": id}); !a.failed || a.word("error_type") != "scan_not_found" {
				t.Errorf("%s: %s says to another: %s", name, tool, a.text)
			}
		}
	}
	id := b.scanned("no job")
	change(id, stateFile, running)
	if err := os.Remove(b.reg.path(id, jobFile)); err != nil {
		t.Fatal(err)
	}
	if a := b.good("cwac_scan_status", args{"scan_id": id}); a.word("status") != "failed" || a.word("cause_type") != "interrupted" {
		t.Errorf("without a job: %s", a.text)
	}
	if a := b.good("cwac_list_scans", args{}); !strings.Contains(a.text, sound) {
		t.Errorf("the list: %s", a.text)
	}
	if a := b.good("cwac_get_summary", args{"scan_id": sound}); a.number("total_issues") == 0 {
		t.Errorf("the sound one: %s", a.text)
	}
}

// TestAFileInThePlaceOfTheRegistry is told, and is no defect of this program.
func TestAFileInThePlaceOfTheRegistry(t *testing.T) {
	b := newBench(t)
	if err := errors.Join(os.MkdirAll(b.dir, 0o755), os.WriteFile(b.reg.dir, nil, 0o600)); err != nil {
		t.Fatal(err)
	}
	for tool, in := range map[string]args{"cwac_scan": {"urls": []string{benchSite}}, "cwac_list_scans": {}} {
		if a := b.call(tool, in); !a.failed || a.word("error_type") != "registry_unreadable" || !strings.Contains(a.text, b.reg.dir) {
			t.Errorf("%s says %s", tool, a.text)
		}
	}
	if err := os.Remove(b.reg.dir); err != nil { // the bench looks into it when it ends
		t.Fatal(err)
	}
}
