package results

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/legwork-mcp/legwork/internal/fault"
)

// The native engine's own files of a results folder.
const (
	FileScan     = "scan.json"
	FileFindings = "findings.jsonl"   // a Finding a line, those that need review among them
	FilePages    = "pages.jsonl"      // a PageOutcome a line
	FileMeasures = "measures.jsonl"   // a Measure a line
	FileLedger   = "crawl_ledger.csv" // a row for every address that the crawl met
	FileReview   = "needs_review.csv" // the axe columns, of findings that need a person
	DirShots     = "screenshots"
)

// Other files that CWAC writes, without ".csv".
const (
	fileAuditLog = "audit_log"
	filePages    = "pages_scanned"
	fileProgress = "progress"
	fileCodes    = "unexpected_response_codes"
	fileAntiBot  = "anti_bot"
	fileTemplate = "axe_core_audit_template_aware"
)

// Writer fills one results folder. Its methods may be called by several goroutines.
// What one call writes is whole or not there at all: when the disk is full the files
// are cut back and the call fails with the fault disk_full. Files appear with their
// first row, and a reader may read the folder meanwhile.
type Writer struct {
	name, dir string
	self      fs.FileInfo // of dir, as it was made
	config    Config

	mu    sync.Mutex
	files map[string]*appendFile
	scan  Scan
	rules map[string]map[string]bool
	open  func(path string) (handle, error) // tests put failing disks here
}

// handle is what a writer needs of a file that is open for appending.
type handle interface {
	io.Writer
	Truncate(size int64) error
	Close() error
}

type appendFile struct {
	handle
	size   int64
	broken error // half a row is in it that could not be removed
}

// Create makes the results folder of a scan below parent, and writes its config.json
// and its first scan.json. The time of start names the folder. Of scan it takes what
// the caller knows: engine versions, ignored plugins, notes.
func Create(parent string, config Config, start time.Time, scan Scan) (*Writer, error) {
	mode := fs.FileMode(0o755)
	if len(config.Legwork.Login) > 0 {
		mode = 0o700 // what lies behind a login is for its owner
	}
	name, err := makeFolder(parent, FolderName(config.AuditName, start), mode)
	if err != nil {
		return nil, diskFault("make the results folder", err)
	}
	scan.Format, scan.Engine, scan.State = 1, "legwork", StateRunning
	scan.Name, scan.AuditName, scan.Start = name, config.AuditName, start
	scan.Plugins, scan.Viewports = config.Plugins.Enabled(), config.Viewports
	scan.Compat, scan.Frames = config.Legwork.Compat, config.Legwork.Frames
	w := &Writer{
		name: name, dir: filepath.Join(parent, name), config: config.Redacted(), scan: scan,
		files: map[string]*appendFile{}, rules: map[string]map[string]bool{}, open: openAppend,
	}
	w.scan.Counts.Issues, w.scan.Counts.Pages = map[string]int{}, map[string]int{}
	w.config.AuditName = name
	if w.self, err = os.Stat(w.dir); err != nil {
		return nil, diskFault("look at the results folder", err)
	}
	if err := w.begin(); err != nil {
		return nil, errors.Join(err, os.RemoveAll(w.dir)) // a folder in which nothing can be written
	}
	return w, nil
}

// begin writes what stands in the folder from the start.
func (w *Writer) begin() error {
	text, err := w.config.text()
	if err != nil {
		return fmt.Errorf("encode the configuration: %w", err)
	}
	if err := replaceFile(filepath.Join(w.dir, "config.json"), text, 0o644); err != nil {
		return diskFault("write config.json", err)
	}
	return w.saveScan()
}

const maxSameSecond = 100 // scans of one name that begin in one second

func makeFolder(parent, name string, mode fs.FileMode) (string, error) {
	if err := os.MkdirAll(parent, 0o755); err != nil {
		return "", err
	}
	for i := 1; ; i++ {
		try := name
		if i > 1 {
			try += "_" + strconv.Itoa(i)
		}
		err := os.Mkdir(filepath.Join(parent, try), mode)
		if err == nil || !errors.Is(err, fs.ErrExist) || i == maxSameSecond {
			return try, err
		}
	}
}

func openAppend(path string) (handle, error) {
	return os.OpenFile(path, os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o644)
}

// Dir is the folder.
func (w *Writer) Dir() string { return w.dir }

// Name is the folder's own name, which is also the final audit name.
func (w *Writer) Name() string { return w.name }

// Scan is a copy of what is known of the scan so far.
func (w *Writer) Scan() Scan {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.snapshot()
}

// Update changes what is known of the scan as a whole, and saves it.
func (w *Writer) Update(change func(*Scan)) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	change(&w.scan)
	return w.saveScan()
}

// Finish ends the scan: it makes the template-aware file, saves the final state and
// closes the files. It is called once, whatever the state.
func (w *Writer) Finish(state string, end time.Time) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	err := w.writeTemplates()
	if err != nil {
		w.scan.Notes = append(w.scan.Notes, Note{Audit: AuditAxe, Kind: "no_templates", Text: fault.From(err).Message})
	}
	w.scan.State, w.scan.End, w.scan.Process = state, end, nil
	err = errors.Join(err, w.saveScan())
	for _, f := range w.files {
		err = errors.Join(err, f.Close())
	}
	clear(w.files)
	return err
}

func (w *Writer) snapshot() Scan {
	s := w.scan
	s.Rules = map[string][]string{}
	for audit, rules := range w.rules {
		for rule := range rules {
			s.Rules[audit] = append(s.Rules[audit], rule)
		}
		slices.Sort(s.Rules[audit])
	}
	s.Counts.Issues, s.Counts.Pages = copyCounts(s.Counts.Issues), copyCounts(s.Counts.Pages)
	return s
}

func copyCounts(m map[string]int) map[string]int {
	c := make(map[string]int, len(m))
	for k, v := range m {
		c[k] = v
	}
	return c
}

// there fails when the folder was removed, or moved away: files that are open would be
// written on, and nobody could ever read them.
func (w *Writer) there() error {
	info, err := os.Stat(w.dir)
	if err == nil && os.SameFile(w.self, info) {
		return nil
	}
	return fault.New(fault.Unavailable, "results_gone", "The results folder "+w.name+" was removed or moved while the scan went on.",
		"Scan again, and leave the folder in its place until the scan has ended.").WithCause(err)
}

func (w *Writer) saveScan() error {
	if err := w.there(); err != nil {
		return err
	}
	text, err := encode(w.snapshot())
	if err != nil {
		return fmt.Errorf("encode %s: %w", FileScan, err)
	}
	if err := replaceFile(filepath.Join(w.dir, FileScan), append(text, '\n'), 0o644); err != nil {
		return diskFault("write "+FileScan, err)
	}
	return nil
}

// batch collects what one call adds to the files.
type batch struct {
	names []string
	texts map[string]*strings.Builder
	err   error
}

func (b *batch) text(name string) *strings.Builder {
	if b.texts == nil {
		b.texts = map[string]*strings.Builder{}
	}
	if b.texts[name] == nil {
		b.names, b.texts[name] = append(b.names, name), &strings.Builder{}
	}
	return b.texts[name]
}

// row adds a row to the CSV file of an audit or list. A file that exists has its
// header already; the header of a new one is written with its first rows.
func (b *batch) row(name string, cells ...string) {
	for i, c := range cells {
		cells[i] = clip(c, maxCell)
		if ours(name) {
			cells[i] = Inert(cells[i])
		}
	}
	appendRow(b.text(name), crlf, cells)
}

// line adds a line of JSON, which must be no longer than what is read.
func (b *batch) line(name string, v any) {
	text, err := encode(v)
	if err == nil && len(text) > maxLine {
		err = fmt.Errorf("it has %d bytes, more than the %d that are read", len(text), maxLine)
	}
	if err != nil {
		b.err = errors.Join(b.err, fmt.Errorf("encode a line of %s: %w", name, err))
		return
	}
	b.text(name).Write(text)
	b.text(name).WriteByte('\n')
}

// commit writes a batch: one write a file. When one fails, all of them are cut back
// to what they were. The caller holds the lock.
func (w *Writer) commit(b *batch) error {
	if b.err != nil {
		return b.err
	}
	if err := w.there(); err != nil {
		return err
	}
	sizes := map[string]int64{}
	for _, name := range b.names {
		f, err := w.file(name)
		if err == nil {
			sizes[name] = f.size
			err = f.append(w.header(name, f.size) + b.texts[name].String())
		}
		if err != nil {
			return diskFault("write "+name, errors.Join(err, w.cutBack(sizes)))
		}
	}
	return nil
}

// cutBack gives files the sizes that they had. One that had none is removed.
func (w *Writer) cutBack(sizes map[string]int64) error {
	var err error
	for name, size := range sizes {
		f := w.files[name]
		if f.size != size {
			f.broken = f.Truncate(size)
			err = errors.Join(err, f.broken)
		}
		if f.broken != nil {
			continue
		}
		if f.size = size; size == 0 {
			err = errors.Join(err, f.Close(), os.Remove(filepath.Join(w.dir, name)))
			delete(w.files, name)
		}
	}
	return err
}

func (f *appendFile) append(text string) error {
	if f.broken != nil {
		return f.broken
	}
	n, err := io.WriteString(f.handle, text)
	f.size += int64(n)
	return err
}

func (w *Writer) file(name string) (*appendFile, error) {
	if f := w.files[name]; f != nil {
		return f, nil
	}
	h, err := w.open(filepath.Join(w.dir, name))
	if err != nil {
		return nil, err
	}
	w.files[name] = &appendFile{handle: h}
	return w.files[name], nil
}

// diskFault says what an error of the disk means.
func diskFault(doing string, err error) error {
	full := errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT) || errors.Is(err, syscall.EFBIG)
	if full {
		return fault.New(fault.Unavailable, "disk_full", "The results could not be written: the disk is full. What was written before is whole.",
			"Free space, or choose another folder for results, and scan again.").WithCause(fmt.Errorf("%s: %w", doing, err))
	}
	if errors.Is(err, syscall.ENOTDIR) || errors.Is(err, syscall.EEXIST) {
		return fault.New(fault.Unavailable, "results_unwritable", "The results could not be written: a file is in the way of the folder for results.",
			"Move it, or choose another folder for results.").WithCause(fmt.Errorf("%s: %w", doing, err))
	}
	return fault.New(fault.Unavailable, "results_unwritable", "The results could not be written: "+reason(err)+".",
		"Let this user write to the folder for results.").WithCause(fmt.Errorf("%s: %w", doing, err))
}

// reason is the system's word without the path.
func reason(err error) string {
	var number syscall.Errno
	if errors.As(err, &number) {
		return number.Error()
	}
	return "the file system refused"
}
