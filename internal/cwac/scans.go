package cwac

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/legwork-mcp/legwork/internal/cwac/process"
	"github.com/legwork-mcp/legwork/internal/cwac/results"
	"github.com/legwork-mcp/legwork/internal/fault"
	"github.com/legwork-mcp/legwork/internal/lazyregexp"
	"github.com/legwork-mcp/legwork/internal/tool"
)

// The states of a scan in answers.
const (
	statusStarted   = "started"
	statusRunning   = "running"
	statusComplete  = "complete"
	statusFailed    = "failed"
	statusCancelled = "cancelled"
)

// scan is a scan as it stands now: one of the registry, or a folder that somebody
// made with a command line.
type scan struct {
	id     string
	rec    *record // nil for a folder alone
	state  process.State
	status string
	dir    string        // its results folder; empty when there is none yet
	lasted time.Duration // by the record in the folder, of a folder alone
	now    time.Time
}

// codeNothingScanned is the exit code of the native engine for a scan that went to its
// end without a single page.
const codeNothingScanned = 3

// statusOf puts the end of a process into the words of the answers. dir is the results
// folder, empty when there is none.
func statusOf(rec *record, s process.State, dir string) string {
	switch {
	case !s.Over():
		return statusRunning
	case !rec.Cancelled.IsZero() && s.Cause != process.Exited:
		return statusCancelled
	case s.Cause == process.Exited && s.ExitCode == 0,
		s.Cause == process.Exited && s.ExitCode == codeNothingScanned && rec.Engine == results.EngineLegwork && dir != "":
		return statusComplete
	}
	return statusFailed
}

// find is a scan that the caller may read: by its id, or, for the user of this
// machine, by the name of a results folder.
func (s *Server) find(ctx context.Context, id string) (*scan, error) {
	s.tidy()
	caller := tool.Caller(ctx)
	if caller.IsLocal() && folderPattern.MatchString(id) && !idPattern.MatchString(id) {
		if dir := s.folder(id); dir != "" {
			x := &scan{id: id, dir: dir, now: s.clock()}
			x.status = x.recorded()
			return x, nil
		}
	}
	rec, err := s.reg.load(id, caller.ID())
	if err != nil && fault.From(err).Type == typeDamaged && !caller.IsLocal() {
		return nil, unknownScan(id) // nobody can tell whose it is
	}
	if err != nil {
		return nil, err
	}
	return s.look(rec)
}

// silence is how long a scan that goes on may write nothing: longer than the work on
// one page or file may take.
const silence = 10 * time.Minute

// recorded is the status of a folder alone, as far as the native engine wrote it down;
// CWAC does not. One that never came to its end is running for as long as its process
// does, or, when it names none, for as long as it writes.
func (x *scan) recorded() string {
	r, err := results.Open(x.dir)
	if err != nil || r.Scan == nil {
		return statusComplete // reading it says what is wrong
	}
	end := r.Scan.End
	if p, ok := r.Progress(); end.IsZero() && ok { // the last that is known of it
		end = p.Time
	}
	x.lasted = max(0, end.Sub(r.Scan.Start))
	switch r.Scan.State {
	case results.StateCancelled:
		return statusCancelled
	case results.StateFailed:
		return statusFailed
	case results.StateRunning:
		if len(r.Scan.Process) > 0 {
			if process.Named(r.Scan.Process) {
				return statusRunning
			}
			return statusFailed
		}
		if p, ok := r.Progress(); x.now.Sub(r.Start) < silence || ok && x.now.Sub(p.Time) < silence {
			return statusRunning
		}
		return statusFailed
	}
	return statusComplete
}

// look completes a record by how far its scan is.
func (s *Server) look(rec *record) (*scan, error) {
	state, err := s.reg.state(rec)
	if err != nil {
		return nil, err
	}
	dir := resultsOf(rec, state)
	return &scan{id: rec.ID, rec: rec, state: state, status: statusOf(rec, state, dir), dir: dir, now: s.clock()}, nil
}

// folderPattern is what names of results folders look like.
var folderPattern = lazyregexp.New(`^[0-9A-Za-z_][0-9A-Za-z_.-]{0,199}$`)

// roots are the folders that engines work in: the server's own, and an installation.
func (s *Server) roots() []string {
	if s.o.CWAC == "" {
		return []string{s.o.Dir}
	}
	return []string{s.o.Dir, s.o.CWAC}
}

// folder finds a results folder by its name; a link is none.
func (s *Server) folder(name string) string {
	for _, root := range s.roots() {
		dir := filepath.Join(root, "results", name)
		if info, err := os.Lstat(dir); err == nil && info.IsDir() {
			return dir
		}
	}
	return ""
}

// resultsOf finds the results folder of a scan: the engine printed its name, and the
// name ends in one that no other scan has.
func resultsOf(rec *record, s process.State) string {
	parent := filepath.Join(rec.Root, "results")
	if folderPattern.MatchString(s.Folder) {
		if info, err := os.Lstat(filepath.Join(parent, s.Folder)); err == nil && info.IsDir() {
			return filepath.Join(parent, s.Folder)
		}
	}
	entries, err := os.ReadDir(parent)
	if err != nil {
		return ""
	}
	for _, e := range entries {
		if e.IsDir() && strings.HasSuffix(e.Name(), "_"+rec.Name) {
			return filepath.Join(parent, e.Name())
		}
	}
	return ""
}

// running reports whether the scan goes on.
func (x *scan) running() bool { return x.status == statusRunning }

// elapsed is how long the scan took, or has taken so far.
func (x *scan) elapsed() time.Duration {
	if x.rec == nil {
		return x.lasted
	}
	if x.rec.Created.IsZero() { // of a record that was damaged
		return 0
	}
	end := x.now
	if x.state.Over() && !x.state.Ended.IsZero() {
		end = x.state.Ended
	}
	return max(0, end.Sub(x.rec.Created))
}

// open opens the results of a scan for a tool that reads them: complete ones, those
// of a scan that ended early, and with partial those of one that goes on.
func (x *scan) open(partial bool) (*results.Results, error) {
	if x.running() && !partial {
		return nil, fault.New(fault.Conflict, "scan_running", "Scan is still running. Check status first.",
			"Wait with cwac_scan_status and wait_seconds, or pass partial true to read what has been found so far.").WithData("scan_id", x.id)
	}
	if x.dir == "" {
		if x.status == statusFailed {
			f := fault.New(fault.Failed, "scan_failed", "Scan failed. "+causeOf(x).text, causeOf(x).action).WithData("scan_id", x.id)
			if x.state.Cause == process.Exited {
				f = f.WithData("exit_code", x.state.ExitCode)
			}
			return nil, f
		}
		return nil, fault.New(fault.NotFound, "results_not_found", "Results directory not found for scan: "+x.id,
			"The scan has written nothing yet, or its folder was removed; see cwac_scan_status.")
	}
	r, err := results.Open(x.dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fault.New(fault.NotFound, "results_not_found", "Results directory not found for scan: "+x.id, "It was removed: scan again.")
	}
	if err != nil {
		return nil, fmt.Errorf("open the results of a scan: %w", err)
	}
	switch x.status {
	case statusFailed:
		r.Ended(results.StateFailed, causeOf(x).text)
	case statusCancelled:
		r.Ended(results.StateCancelled, "")
	}
	return r, nil
}

// span is a time as the specification writes it: "2m 15s", from an hour on "1h 2m 15s".
func span(d time.Duration) string {
	d = d.Round(time.Second)
	h, m, sec := int(d.Hours()), int(d.Minutes())%60, int(d.Seconds())%60
	if h > 0 {
		return fmt.Sprintf("%dh %dm %ds", h, m, sec)
	}
	return fmt.Sprintf("%dm %ds", m, sec)
}
