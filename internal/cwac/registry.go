package cwac

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/legwork-mcp/legwork/internal/cwac/process"
	"github.com/legwork-mcp/legwork/internal/cwac/results"
	"github.com/legwork-mcp/legwork/internal/fault"
	"github.com/legwork-mcp/legwork/internal/lazyregexp"
)

// record is what the server knows of a scan: it is written when the scan starts.
// How far the scan is stands in the state file of its supervisor, so that no file
// has two writers.
type record struct {
	ID        string            `json:"scan_id"`
	Owner     string            `json:"owner"`
	Engine    string            `json:"engine"`             // of package results
	Contract  string            `json:"contract,omitempty"` // of CWAC
	AuditName string            `json:"audit_name"`         // as asked for
	Name      string            `json:"name"`               // as given to the engine
	Root      string            `json:"root"`               // working folder of the engine
	Config    string            `json:"config_path"`
	BaseURLs  string            `json:"base_urls_dir"`
	Asked     []string          `json:"urls"`
	Moved     map[string]string `json:"moved,omitempty"` // asked address to the one that is scanned
	Plugins   map[string]bool   `json:"plugins"`
	Ignored   []string          `json:"ignored_plugins,omitempty"`
	Viewports results.Viewports `json:"viewport_sizes"`
	MaxLinks  int               `json:"max_links_per_domain"`
	Created   time.Time         `json:"created"`
	Cancelled time.Time         `json:"cancelled,omitzero"`
}

// registry is the folder of records, state files and job files.
type registry struct {
	dir   string
	clock func() time.Time
}

// idPattern is what scan ids look like: nothing else becomes part of a path.
var idPattern = lazyregexp.New(`^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$`)

const (
	recordFile = ".json"
	stateFile  = ".state.json"
	jobFile    = ".job.json"
)

func (r *registry) path(id, kind string) string { return filepath.Join(r.dir, id+kind) }

func (r *registry) save(rec *record) error {
	if err := os.MkdirAll(r.dir, 0o700); err != nil {
		return fmt.Errorf("keep a scan: %w", err)
	}
	return process.WriteFile(r.path(rec.ID, recordFile), rec)
}

// unknownScan is what anybody is told who asks for a scan that is not his.
func unknownScan(id string) error {
	if len(id) > 80 {
		id = id[:80] + "..."
	}
	return fault.New(fault.NotFound, "scan_not_found", "No scan found with ID: "+strings.ToValidUTF8(id, "?"),
		"cwac_list_scans shows the scans that you can read; cwac_scan starts one.")
}

// load reads the record of a scan of this owner.
func (r *registry) load(id, owner string) (*record, error) {
	if !idPattern.MatchString(id) || owner == "" {
		return nil, unknownScan(id)
	}
	rec, err := r.read(id)
	if errors.Is(err, fs.ErrNotExist) || err == nil && rec.Owner != owner {
		return nil, unknownScan(id)
	}
	return rec, err
}

func (r *registry) read(id string) (*record, error) {
	raw, err := os.ReadFile(r.path(id, recordFile))
	if err != nil {
		return nil, fmt.Errorf("read a scan: %w", err)
	}
	rec := new(record)
	if err := json.Unmarshal(raw, rec); err != nil {
		return nil, damaged(id, err)
	}
	if rec.ID != id {
		return nil, damaged(id, errors.New("it holds another scan"))
	}
	return rec, nil
}

// typeDamaged marks a scan whose files in the registry are not as they were written.
const typeDamaged = "scan_damaged"

func damaged(id string, err error) error {
	return fault.New(fault.Failed, typeDamaged, "What is known of the scan "+id+" cannot be read: its files in the registry are damaged.",
		"Scan again with cwac_scan. What it had found may be in a results folder: cwac_list_scans names them.").WithCause(err)
}

// all are the records of everybody, the newest first. One that cannot be read is
// left out: it must not take the others along.
func (r *registry) all() ([]*record, error) {
	entries, err := os.ReadDir(r.dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fault.New(fault.Unavailable, "registry_unreadable", "The list of scans cannot be read: "+reason(err),
			"Check that "+r.dir+" is a folder that this user can read.").WithCause(err)
	}
	var out []*record
	for _, e := range entries {
		id, ok := strings.CutSuffix(e.Name(), recordFile)
		if !ok || !idPattern.MatchString(id) {
			continue
		}
		if rec, err := r.read(id); err == nil {
			out = append(out, rec)
		}
	}
	slices.SortFunc(out, func(a, b *record) int {
		return cmp.Or(b.Created.Compare(a.Created), cmp.Compare(a.ID, b.ID))
	})
	return out, nil
}

// startPatience is how old a record without a state file may be: its supervisor is
// being started.
const startPatience = time.Minute

// state is how far a scan is. A scan whose supervisor has died is buried.
func (r *registry) state(rec *record) (process.State, error) {
	s, err := process.ReadState(r.path(rec.ID, stateFile))
	if err != nil {
		return s, damaged(rec.ID, err)
	}
	process.Collect(s.Supervisor)
	if s.Over() || s.Supervisor.Alive() {
		return s, nil
	}
	if s.Supervisor.PID == 0 && r.clock().Sub(rec.Created) < startPatience {
		return s, nil
	}
	buried, err := process.Bury(r.path(rec.ID, jobFile), r.clock().UTC())
	if errors.Is(err, fs.ErrNotExist) { // without its job nothing can be cleaned up, but it has ended
		s.Cause, s.Ended = process.Interrupted, rec.Created
		return s, nil
	}
	if err != nil {
		return buried, damaged(rec.ID, err)
	}
	return buried, nil
}

// remove forgets a scan.
func (r *registry) remove(id string) error {
	var errs []error
	for _, kind := range []string{jobFile, stateFile, recordFile} { // the record last: it is what is looked for
		if err := os.Remove(r.path(id, kind)); err != nil && !errors.Is(err, fs.ErrNotExist) {
			errs = append(errs, err)
		}
	}
	return errors.Join(errs...)
}
