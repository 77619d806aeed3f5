package results

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// TestBury: only the record of a native scan whose process is gone gets its end.
func TestBury(t *testing.T) {
	parent := t.TempDir()
	begun := map[string]*Writer{}
	for name, process := range map[string]string{"gone": `"dead"`, "full": `"dead"`, "going": `"living"`, "old": ``} {
		c := DefaultConfig()
		c.AuditName = name
		w, err := Create(parent, c, time.Now(), Scan{Process: json.RawMessage(process)})
		if err != nil {
			t.Fatal(err)
		}
		begun[name] = w
	}
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	must(begun["gone"].Progress(Progress{Time: time.Now(), Done: 1, Total: 2}))
	must(begun["full"].Progress(Progress{Time: time.Now(), Done: 1, Total: 2}))
	must(begun["full"].Update(func(s *Scan) { s.Error = "The disk is full." }))
	must(os.Mkdir(filepath.Join(parent, "not a scan"), 0o755))
	must(os.Mkdir(filepath.Join(parent, "damaged"), 0o755))
	must(os.WriteFile(filepath.Join(parent, "damaged", FileScan), []byte(`{"state":"running","process":"dead"`), 0o644))
	must(os.WriteFile(filepath.Join(parent, "file"), nil, 0o644))
	alive := func(process json.RawMessage) bool { return string(process) == `"living"` }
	for _, want := range [][]string{{begun["full"].Name(), begun["gone"].Name()}, nil} { // the second time nothing is left to do
		got, err := Bury(parent, alive)
		if diff := cmp.Diff(want, got); diff != "" || err != nil {
			t.Errorf("%v, buried (-want +got):\n%s", err, diff)
		}
	}
	for name, state := range map[string]string{"gone": StateFailed, "full": StateFailed, "going": StateRunning, "old": StateRunning} {
		r, err := Open(begun[name].Dir())
		must(err)
		if r.Scan.State != state || (r.Scan.Error != "") != (state == StateFailed) || r.Scan.End.IsZero() != (state == StateRunning) {
			t.Errorf("%s is %s, %q, %v", name, r.Scan.State, r.Scan.Error, r.Scan.End)
		}
		if name == "full" && r.Scan.Error != "The disk is full." {
			t.Errorf("its own reason is lost: %q", r.Scan.Error)
		}
	}
	must(begun["going"].Finish(StateComplete, time.Now()))
	raw, err := os.ReadFile(filepath.Join(begun["going"].Dir(), FileScan))
	must(err)
	var s Scan
	must(json.Unmarshal(raw, &s))
	if s.Process != nil {
		t.Errorf("a scan that is over names the process %s", s.Process)
	}
	if got, err := Bury(filepath.Join(parent, "nowhere"), alive); err != nil || got != nil {
		t.Errorf("without a folder: %v, %v", got, err)
	}
}
