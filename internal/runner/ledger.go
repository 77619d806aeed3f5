package runner

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/legwork-mcp/legwork/internal/fault"
)

// Ledger remembers across restarts which runs there were and how far they came, so
// that a form is not submitted twice because the answer got lost. It knows no
// answer and no value: ids, moments, and how a run ended.
//
// Each process writes a file of its own in the folder, a JSON object a line, and
// reads those of all others: when it starts, and what they have written since before
// it answers. So processes that share the folder, and the next one that starts while
// the last still ends its runs, submit nothing twice either.
type Ledger struct {
	keep time.Duration

	mu   sync.Mutex
	file *os.File
	own  map[string]bool       // the names of the files of this process
	read map[string]int64      // how many bytes of whole lines of each other file are known
	past map[string]*passage   // by run id
	keys map[string][]*passage // by hash of owner and idempotency key
}

// passage is how far a run has come.
type passage struct {
	RunID   string    `json:"run_id"`
	Owner   string    `json:"owner,omitempty"`
	Key     string    `json:"key,omitempty"` // hash of owner and idempotency key
	Wizard  string    `json:"wizard_id,omitempty"`
	State   string    `json:"state"`
	Outcome string    `json:"outcome,omitempty"` // success, unsure, stopped, or the type of the problem
	At      time.Time `json:"at"`

	beside bool // a process wrote of it while this one was there
}

// The states of a passage, in their order.
const (
	passageStarted    = "started"
	passageSubmitting = "submitting" // a button that submits is about to be pressed
	passageEnded      = "ended"
)

// ledgerLine is the most bytes of a line that is read; longer ones are no ours.
const ledgerLine = 16 << 10

// OpenLedger reads the passages of the folder that are not older than keep, removes
// files that hold older ones only, and begins a file of its own.
func OpenLedger(dir string, keep time.Duration) (*Ledger, error) {
	unusable := func(err error) error {
		return fault.New(fault.Unavailable, "ledger_unusable", "The folder of the run ledger cannot be used: "+dir+".",
			"Check its permissions and the space on the disk, or set LEGWORK_DATA_DIR to another folder.").WithCause(err)
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, unusable(err)
	}
	l := &Ledger{keep: keep, own: map[string]bool{}, read: map[string]int64{}, past: map[string]*passage{}, keys: map[string][]*passage{}}
	names, err := filepath.Glob(filepath.Join(dir, "runs-*.jsonl"))
	if err != nil {
		return nil, unusable(err)
	}
	for _, name := range names {
		if err := l.load(name); err != nil {
			return nil, unusable(err)
		}
	}
	if err := l.begin(dir); err != nil {
		return nil, unusable(err)
	}
	return l, nil
}

// begin makes a file of this process's own.
func (l *Ledger) begin(dir string) error {
	file, err := os.CreateTemp(dir, "runs-*.jsonl")
	if err != nil {
		return err
	}
	l.file, l.own[filepath.Base(file.Name())] = file, true
	return nil
}

// refresh reads what other processes have written since it was last asked. It needs
// the lock.
func (l *Ledger) refresh() error {
	names, err := filepath.Glob(filepath.Join(filepath.Dir(l.file.Name()), "runs-*.jsonl"))
	if err != nil {
		return err
	}
	for _, name := range names {
		if l.own[filepath.Base(name)] {
			continue
		}
		if err := l.more(name, true); err != nil {
			return err
		}
	}
	return nil
}

// more reads the lines of a file of another process that are not known yet. One that
// has no end is being written, or was torn by a crash: it waits.
func (l *Ledger) more(name string, beside bool) error {
	f, err := os.Open(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil // that process is removing it, or another one
	}
	if err != nil {
		return fmt.Errorf("read a ledger: %w", err)
	}
	defer f.Close()
	raw, err := io.ReadAll(io.NewSectionReader(f, l.read[name], math.MaxInt64-l.read[name]))
	if err != nil {
		return fmt.Errorf("read a ledger: %w", err)
	}
	raw = raw[:bytes.LastIndexByte(raw, '\n')+1]
	l.read[name] += int64(len(raw))
	for line := range bytes.Lines(raw) {
		p := passage{}
		// A line that a crash has torn says nothing.
		if len(line) <= ledgerLine && json.Unmarshal(line, &p) == nil && p.RunID != "" && time.Since(p.At) <= l.keep {
			p.beside = beside
			l.take(p)
		}
	}
	return nil
}

// load reads one file, or removes it when all that it says is past. Another process
// may be removing it, too.
func (l *Ledger) load(name string) error {
	info, err := os.Stat(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("look at a ledger: %w", err)
	}
	if time.Since(info.ModTime()) > l.keep {
		return removed(name)
	}
	return l.more(name, false)
}

// removed removes a file that may have been removed already.
func removed(name string) error {
	if err := os.Remove(name); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("remove a ledger: %w", err)
	}
	return nil
}

// take adds what a line says to what is known of its run.
func (l *Ledger) take(p passage) {
	known := l.past[p.RunID]
	if known == nil {
		known = &p
		l.past[p.RunID] = known
		if p.Key != "" {
			l.keys[p.Key] = append(l.keys[p.Key], known)
		}
		return
	}
	known.State, known.Outcome, known.At, known.beside = p.State, p.Outcome, p.At, p.beside
}

// Outcomes of runs that ended otherwise than with success or a problem before
// anything was submitted.
const (
	outcomeUnsure  = "unsure"  // a button that submits was pressed, and no answer came of it
	outcomeStopped = "stopped" // before the button, as asked
)

// submitted reports whether the form has been sent, or may have been.
func (p *passage) submitted() bool {
	return p.State == passageSubmitting || p.State == passageEnded && (p.Outcome == StatusSuccess || p.Outcome == outcomeUnsure)
}

// write adds a line, and waits until it is on the disk: what follows may be an act
// that cannot be taken back.
func (l *Ledger) write(p passage) error {
	if l == nil {
		return nil
	}
	p.At = time.Now().UTC()
	line, err := json.Marshal(p)
	if err != nil {
		return fmt.Errorf("write to the run ledger: %w", err)
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if err := l.append(append(line, '\n')); err != nil {
		return fmt.Errorf("write to the run ledger: %w", err)
	}
	return nil
}

// append needs the lock. A process that starts removes files in which nothing was
// written for long, this one's too after a quiet time: a line that went there would
// be lost with it, so it is written again to a new file.
func (l *Ledger) append(line []byte) error {
	for {
		if _, err := l.file.Write(line); err != nil {
			return err
		}
		if err := l.file.Sync(); err != nil {
			return err
		}
		mine, err := l.file.Stat()
		if err != nil {
			return err
		}
		if there, err := os.Stat(l.file.Name()); err == nil && os.SameFile(mine, there) {
			return nil
		} else if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		last := l.file
		if err := l.begin(filepath.Dir(last.Name())); err != nil {
			return err
		}
		_ = last.Close() // what else was in it is past
	}
}

// keyHash names an idempotency key of an owner without telling it.
func keyHash(key string) string {
	if key == "" {
		return ""
	}
	sum := sha256.Sum256([]byte(key))
	return hex.EncodeToString(sum[:])
}

// earlier is the refusal to run again what another process may have submitted under
// the same key, before this one or beside it; nil when there is nothing like it.
func (l *Ledger) earlier(key string) error {
	if l == nil || key == "" {
		return nil
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if err := l.refresh(); err != nil {
		return unrecorded(err)
	}
	// A run that submitted nothing leaves the key to the next, of any process.
	for _, p := range l.keys[keyHash(key)] {
		if p.submitted() && time.Since(p.At) <= l.keep {
			return p.fault()
		}
	}
	return nil
}

// recall is what is known of a run of another process; nil when there is none of this
// owner.
func (l *Ledger) recall(id, owner string) error {
	if l == nil {
		return nil
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	_ = l.refresh() // what cannot be read is not known
	p := l.past[id]
	if p == nil || p.Owner != owner || time.Since(p.At) > l.keep {
		return nil
	}
	return p.fault()
}

// fault says how far a run came whose answer is lost.
func (p *passage) fault() error {
	if p.beside {
		return p.faultBeside()
	}
	run := "The run " + p.RunID + " of " + p.Wizard
	f := fault.New(fault.Expired, "run_interrupted", run+" was cut off when the server stopped, before anything was submitted.", "Execute again.")
	switch {
	case p.State == passageEnded && p.Outcome == StatusSuccess:
		f = fault.New(fault.Expired, "run_answer_lost", run+" ended with success at "+rfc3339(p.At)+", and its answer was not kept when the server stopped.",
			"The form was submitted: do not execute again without asking the person. For a form without consequences, such as an estimate, use a new idempotency_key.")
	case p.State == passageEnded && !p.submitted():
		f.Message = run + " ended (" + p.Outcome + ") before anything was submitted, and its answer was not kept when the server stopped."
	case p.submitted():
		f.Message = run + " was cut off when the server stopped, and the form may have been submitted."
		f.Action = "Ask the person whether the form has arrived, for instance by a confirmation, before executing again with a new idempotency_key."
	}
	return p.named(f)
}

// faultBeside says how far a run is or came whose answer another process has, which
// may be there still.
func (p *passage) faultBeside() error {
	run, ended := "The run "+p.RunID+" of "+p.Wizard, p.State == passageEnded
	f := fault.New(fault.Expired, "run_interrupted", run+" is or was at another process of this server, and has submitted nothing so far.",
		"Ask for it again in a minute. Execute again with the same idempotency_key only: the form is not submitted twice then.")
	switch {
	case ended && p.Outcome == StatusSuccess:
		f = fault.New(fault.Expired, "run_answer_lost", run+" ended with success at "+rfc3339(p.At)+" at another process of this server, which alone has its answer.",
			"The form was submitted: do not execute again without asking the person. For a form without consequences, such as an estimate, use a new idempotency_key.")
	case ended && !p.submitted():
		f.Message = run + " ended (" + p.Outcome + ") at another process of this server, before anything was submitted."
		f.Action = "Execute again."
	case p.submitted():
		f.Message = run + " is or was at another process of this server, and the form may have been submitted."
		f.Action = "Ask for it again in a minute. Ask the person whether the form has arrived, for instance by a confirmation, before executing again with a new idempotency_key."
	}
	return p.named(f)
}

// named adds which run it is about.
func (p *passage) named(f *fault.Error) error {
	return f.WithData("run_id", p.RunID).WithData("wizard_id", p.Wizard).WithData("may_have_been_submitted", p.submitted())
}

// Close ends the file; an empty one is removed.
func (l *Ledger) Close() error {
	if l == nil {
		return nil
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	info, err := l.file.Stat()
	if err != nil {
		return fmt.Errorf("close the run ledger: %w", err)
	}
	if err := l.file.Close(); err != nil {
		return fmt.Errorf("close the run ledger: %w", err)
	}
	if info.Size() == 0 {
		return removed(l.file.Name())
	}
	return nil
}
