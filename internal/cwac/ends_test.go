package cwac

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/legwork-mcp/legwork/internal/cwac/process"
	"github.com/legwork-mcp/legwork/internal/cwac/results"
)

// TestEngineAskedToEnd: a signal from elsewhere is no mistake in the scan that could be
// corrected.
func TestEngineAskedToEnd(t *testing.T) {
	b := newBench(t)
	id := b.started("slow")
	b.until(id, func(s process.State) bool { return strings.Contains(strings.Join(s.Stdout, "\n"), "page 1") })
	s, err := process.ReadState(b.reg.path(id, stateFile))
	if err != nil {
		t.Fatal(err)
	}
	if err := syscall.Kill(s.Engine.PID, syscall.SIGTERM); err != nil {
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
