package results

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/legwork-mcp/legwork/internal/fault"
	"github.com/legwork-mcp/legwork/internal/lazyregexp"
)

// The contracts of CWAC: what a version leaves in its folders.
const (
	ContractA = "A" // to June 2026: reports in a folder of their own
	ContractB = "B" // July 2026: reports in the results folder
	ContractC = "C" // since July 2026: no reports, a template-aware file
)

// The engines.
const (
	EngineLegwork = "legwork"
	EngineCWAC    = "cwac"
)

const (
	maxScanFile = 64 << 20 // bytes of scan.json: it names every base URL, of which there may be maxSites
	maxEntries  = 200_000  // files of a folder that are counted
	maxPicture  = 32 << 20 // bytes of a screenshot
	maxLine     = 4 << 20  // bytes of a line of JSON
)

// Results is one results folder, of either engine and of every contract of CWAC. The
// rows themselves are read from the files at each call and never held: a folder that
// is still being written gives more at the next call. Its methods may be called by
// several goroutines.
type Results struct {
	Dir       string
	Name      string // of the folder
	AuditName string // without the time stamp
	Engine    string
	Contract  string // of CWAC, as far as the files tell
	Start     time.Time
	Scan      *Scan    // nil for CWAC
	Config    *Config  // nil when there is none that can be read
	Audits    []string // audits that have a file, in the order of [Audits]
	Unknown   []string // CSV files that neither engine writes, by name
	Others    []string // files at the top that hold no rows: logs, reports
	Files     int      // below the folder
	Size      int64    // bytes of them
	Problems  []string // what of the folder could not be read, for people

	names map[string]bool // files at the top
	whole func() bool     // whether the native findings are all there
	bases func() map[string]string
}

// Ended corrects the record of a scan that could not write how it ended, since it was
// killed or the disk was full: it would go on forever.
func (r *Results) Ended(state, why string) {
	if r.Scan == nil || r.Scan.State != StateRunning {
		return
	}
	r.whole() // by the record as it was written
	r.Scan.State = state
	if r.Scan.Error == "" {
		r.Scan.Error = why
	}
}

// Open looks at a results folder. It follows no link out of it.
func Open(dir string) (*Results, error) {
	if info, err := os.Stat(dir); err == nil && !info.IsDir() {
		return nil, fault.New(fault.Invalid, "results_no_folder", filepath.Base(dir)+" is no results folder, but a file.", "Name the folder that holds it.")
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, openFault(filepath.Base(dir), err)
	}
	defer func() { _ = root.Close() }() // it was only read
	absolute, err := filepath.Abs(dir)
	if err != nil {
		return nil, openFault(filepath.Base(dir), err)
	}
	r := &Results{Dir: absolute, Name: filepath.Base(absolute), Engine: EngineCWAC, names: map[string]bool{}}
	if err := r.survey(root); err != nil {
		return nil, openFault(r.Name, err)
	}
	r.readScan(root)
	r.readConfig(root)
	r.date(root)
	r.Contract = r.contract(root)
	r.whole = sync.OnceValue(r.findingsWhole)
	r.bases = sync.OnceValue(r.baseURLs)
	return r, nil
}

func openFault(name string, err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return fault.New(fault.NotFound, "results_missing", "The results folder "+name+" does not exist.",
			"List the scans to see which results there are.").WithCause(err)
	}
	return fault.New(fault.Unavailable, "results_unreadable", "The results folder "+name+" cannot be read: "+reason(err)+".",
		"Let this user read it.").WithCause(err)
}

// damaged says that a file of the folder is not what it should be.
func (r *Results) damaged(file string, err error) error {
	var pathError *fs.PathError
	if errors.As(err, &pathError) {
		return fault.New(fault.Unavailable, "results_unreadable", "The file "+file+" of "+r.Name+" cannot be read: "+pathError.Err.Error()+".",
			"Let this user read it, as a plain file inside of the folder.").WithCause(err)
	}
	return fault.New(fault.Failed, "results_damaged", "The file "+file+" of "+r.Name+" is damaged: "+err.Error()+".",
		"Read the other audits of this scan, or scan again.").WithCause(err)
}

// survey lists the files.
func (r *Results) survey(root *os.Root) error {
	count := 0
	err := fs.WalkDir(root.FS(), ".", func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			if path == "." {
				return err
			}
			r.problem(path, err)
			return nil
		}
		if count++; count > maxEntries {
			r.Problems = append(r.Problems, fmt.Sprintf("only the first %d files were counted", maxEntries))
			return fs.SkipAll
		}
		if !d.Type().IsRegular() {
			return nil
		}
		info, err := d.Info()
		if errors.Is(err, fs.ErrNotExist) { // the file of a running scan that was just replaced
			return nil
		}
		if err != nil {
			r.problem(path, err)
			return nil
		}
		if strings.HasPrefix(d.Name(), ".new-") { // half of a file that is being replaced
			return nil
		}
		r.Files++
		r.Size += info.Size()
		if !strings.Contains(path, "/") {
			r.names[path] = true
		}
		return nil
	})
	r.sortNames()
	return err
}

func (r *Results) problem(file string, err error) {
	var pathError *fs.PathError
	if errors.As(err, &pathError) {
		err = pathError.Err
	}
	r.Problems = append(r.Problems, file+": "+err.Error())
}

// sortNames tells audits from unknown files.
func (r *Results) sortNames() {
	for _, audit := range Audits() {
		if r.names[audit+".csv"] {
			r.Audits = append(r.Audits, audit)
		}
	}
	for file := range r.names {
		name, isCSV := strings.CutSuffix(file, ".csv")
		switch {
		case isCSV && !known(name):
			r.Unknown = append(r.Unknown, file)
		case !isCSV && !slices.Contains([]string{"config.json", FileScan, FileFindings, FilePages, FileMeasures}, file):
			r.Others = append(r.Others, file)
		}
	}
	slices.Sort(r.Unknown)
	slices.Sort(r.Others)
}

func known(name string) bool {
	_, audit := auditColumns[name]
	_, list := listColumns[name]
	return audit || list || name == fileTemplate || strings.HasSuffix(name, "_leaderboard") || name == "leaderboard" || name == "issues" // the last of our reports
}

func (r *Results) readScan(root *os.Root) {
	if !r.names[FileScan] {
		return
	}
	data, err := readIn(root, FileScan, maxScanFile)
	if err != nil {
		r.problem(FileScan, err)
		return
	}
	var s Scan
	if err := json.Unmarshal(data, &s); err != nil {
		r.problem(FileScan, err)
		return
	}
	r.Scan, r.Engine = &s, EngineLegwork
}

func (r *Results) readConfig(root *os.Root) {
	if !r.names["config.json"] {
		return
	}
	data, err := readIn(root, "config.json", maxConfigFile)
	if err != nil {
		r.problem("config.json", err)
		return
	}
	c, problems, err := parseConfig(data)
	if err != nil {
		r.problem("config.json", err)
		return
	}
	for _, p := range problems {
		r.Problems = append(r.Problems, "config.json: "+p)
	}
	r.Config = &c
}

func readIn(root *os.Root, name string, limit int64) ([]byte, error) {
	f, err := openRegular(root, name)
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }() // it was only read
	data, err := io.ReadAll(io.LimitReader(f, limit+1))
	if err == nil && int64(len(data)) > limit {
		err = fmt.Errorf("it has more than the %d bytes that are read", limit)
	}
	return data, err
}

// Folder names with their time: CWAC's, and the one of older descriptions of it.
var (
	stampFirst = lazyregexp.New(`^(\d{4}-\d{2}-\d{2}_\d{2}-\d{2}-\d{2})_(.*)$`)
	stampLast  = lazyregexp.New(`^(.*)_(\d{8}_\d{6})$`)
)

// stamp reads time and audit name from the name of a folder.
func stamp(name string) (start time.Time, auditName string, ok bool) {
	if m := stampFirst.FindStringSubmatch(name); m != nil {
		if t, err := time.ParseInLocation(stampLayout, m[1], time.Local); err == nil {
			return t, m[2], true
		}
	}
	if m := stampLast.FindStringSubmatch(name); m != nil {
		if t, err := time.ParseInLocation("20060102_150405", m[2], time.Local); err == nil {
			return t, m[1], true
		}
	}
	return time.Time{}, name, false
}

// date finds when the scan began: what it says itself, its folder's name, the final
// name in its configuration, or else the time of the folder.
func (r *Results) date(root *os.Root) {
	var ok bool
	r.Start, r.AuditName, ok = stamp(r.Name)
	if !ok && r.Config != nil {
		r.Start, r.AuditName, ok = stamp(r.Config.AuditName)
	}
	if r.Scan != nil && !r.Scan.Start.IsZero() {
		r.Start, ok = r.Scan.Start, true
	}
	if ok {
		return
	}
	if info, err := root.Stat("."); err == nil {
		r.Start = info.ModTime()
	}
}

func (r *Results) contract(root *os.Root) string {
	if r.Engine == EngineLegwork {
		return ""
	}
	if r.Config != nil {
		if _, ok := r.Config.source.get("reporting"); ok {
			return ContractB
		}
		if _, ok := r.Config.source.get("crawl_sitemaps"); ok {
			return ContractC
		}
		return ContractA
	}
	if !r.names[fileTemplate+".csv"] {
		return ""
	}
	f, err := openRegular(root, fileTemplate+".csv")
	if err != nil {
		return ""
	}
	defer func() { _ = f.Close() }() // it was only read
	t, err := newTable(f, nil)
	switch {
	case err != nil:
		return ""
	case !slices.Contains(t.columns, "num_issues"):
		return ContractA
	case r.names[AuditAxe+"_leaderboard.csv"]:
		return ContractB
	}
	return ContractC
}
