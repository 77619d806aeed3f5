package cwac

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/legwork-mcp/legwork/internal/cwac/external"
	"github.com/legwork-mcp/legwork/internal/cwac/process"
	"github.com/legwork-mcp/legwork/internal/cwac/results"
	"github.com/legwork-mcp/legwork/internal/fault"
	"github.com/legwork-mcp/legwork/internal/tool"
)

// engine is what a scan is started with.
type engine struct {
	kind     string // of package results
	contract string
	root     string
	audits   []string // of the native engine
	config   results.Config
	command  func(config string) []string
	env      []string
	warning  string // what most likely goes wrong
}

// engine chooses it: an installation when there is one, else the native engine.
func (s *Server) engine(ctx context.Context) (engine, error) {
	if s.o.CWAC == "" {
		e := engine{kind: results.EngineLegwork, root: s.o.Dir, config: results.DefaultConfig(), env: s.o.Env}
		if e.audits = s.o.Audits; len(e.audits) == 0 {
			e.audits = results.Audits()
		}
		if s.o.Agent != "" {
			e.config.UserAgent, e.config.ProductToken = s.o.Agent, s.o.Token
		}
		e.config.ShuffleBaseURLs, e.config.ThreadCount = false, 1
		e.command = func(config string) []string { return append(s.o.Engine[:len(s.o.Engine):len(s.o.Engine)], config) }
		return e, nil
	}
	found, err := external.Open(s.o.CWAC)
	if err != nil {
		return engine{}, err
	}
	env := pythonEnv(s.o.Env)
	python, err := found.Python(ctx, s.o.Python, env)
	if err != nil {
		return engine{}, notStarted(err.Error()).WithCause(err)
	}
	return engine{
		kind: results.EngineCWAC, contract: found.Contract, root: s.o.CWAC, config: found.Config, env: env, warning: found.Mismatch(ctx, env),
		command: func(config string) []string { return found.Command(python, config) },
	}, nil
}

// pythonEnv lets Python print at once, and in UTF-8.
func pythonEnv(env []string) []string {
	return append(env[:len(env):len(env)], "PYTHONUNBUFFERED=1", "PYTHONUTF8=1", "PYTHONIOENCODING=utf-8")
}

func notStarted(details string) *fault.Error {
	return fault.New(fault.Unavailable, "scan_not_started", "Failed to start CWAC process: "+details,
		"'legwork doctor' says what is missing on this machine.")
}

// newScanID is a UUID of version 4 (RFC 9562 section 5.4).
func newScanID() string {
	var b [16]byte
	_, _ = rand.Read(b[:]) // never fails: crypto/rand ends the process instead
	b[6], b[8] = b[6]&0x0f|0x40, b[8]&0x3f|0x80
	h := hex.EncodeToString(b[:])
	return h[:8] + "-" + h[8:12] + "-" + h[12:16] + "-" + h[16:20] + "-" + h[20:]
}

// tempPrefix begins the names of the files that a scan needs while it runs.
const tempPrefix = "mcp_"

// nameRoom is how much of an audit name is kept, so that the id after it survives:
// CWAC cuts names after 50 characters.
const nameRoom = 50 - 1 - 8

// nameFor is the audit name for the engine: the asked one and the first digits of
// the id, so that no other folder ends in it.
func nameFor(audit, id string) string {
	name := results.SanitiseName(audit)
	if len(name) > nameRoom {
		name = name[:nameRoom]
	}
	return results.SanitiseName(strings.TrimRight(name, "_") + "_" + id[:8])
}

// prepare writes the files of a scan: its base URLs, and its configuration under a
// name that was free.
func prepare(rec *record, c results.Config) error {
	for _, dir := range []string{"config", filepath.Join("base_urls", "visit"), filepath.Join("base_urls", "nohead"), "results"} {
		if err := os.MkdirAll(filepath.Join(rec.Root, dir), 0o700); err != nil {
			return fmt.Errorf("make the folder of a scan: %w", err)
		}
	}
	if err := os.Mkdir(rec.BaseURLs, 0o700); err != nil {
		return err
	}
	sites := make([]results.Site, 0, len(rec.Asked))
	for _, address := range rec.Asked {
		if moved := rec.Moved[address]; moved != "" {
			address = moved
		}
		sites = append(sites, results.Site{Organisation: hostOf(address), URL: address, Sector: "unknown"})
	}
	if err := results.WriteSites(filepath.Join(rec.BaseURLs, "urls.csv"), sites); err != nil {
		return err
	}
	c.AuditName, c.MaxLinksPerDomain = rec.Name, rec.MaxLinks
	c.VisitPath = "./base_urls/visit/" + filepath.Base(rec.BaseURLs) + "/"
	return c.Save(rec.Config)
}

// identify gives the record an id of which no file is left.
func (rec *record) identify() {
	for range 20 {
		rec.ID = newScanID()
		rec.BaseURLs = filepath.Join(rec.Root, "base_urls", "visit", tempPrefix+rec.ID[:8])
		rec.Config = filepath.Join(rec.Root, "config", tempPrefix+rec.ID[:8]+".json")
		_, a := os.Lstat(rec.BaseURLs)
		_, b := os.Lstat(rec.Config)
		if errors.Is(a, fs.ErrNotExist) && errors.Is(b, fs.ErrNotExist) {
			return
		}
	}
}

// launch prepares a scan and starts it. Whatever fails leaves no file behind.
func (s *Server) launch(ctx context.Context, e engine, rec *record) error {
	s.starting.Lock()
	defer s.starting.Unlock()
	if err := s.room(rec.Owner); err != nil {
		return err
	}
	rec.identify()
	rec.Name = nameFor(rec.AuditName, rec.ID)
	rec.Created = s.clock().UTC() // not earlier: a record too old for its state counts as dead
	clear := func() {
		_ = os.RemoveAll(rec.BaseURLs) // the error that led here counts
		_ = os.Remove(rec.Config)
		_ = s.reg.remove(rec.ID)
	}
	err := prepare(rec, e.config)
	if err == nil {
		err = s.reg.save(rec)
	}
	if err != nil {
		clear()
		return unwritable(rec.Root, err)
	}
	state, err := process.Start(ctx, s.o.Supervisor, s.reg.path(rec.ID, jobFile), process.Job{
		Command: absolute(e.command(filepath.Base(rec.Config)), e.root), Dir: rec.Root, Env: e.env,
		Limit: s.set.Timeout, Grace: s.set.Grace,
		Remove: []string{rec.Config, rec.BaseURLs}, State: s.reg.path(rec.ID, stateFile),
	})
	switch {
	case errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT):
		clear()
		return unwritable(rec.Root, err)
	case err != nil:
		clear()
		return notStarted("its supervisor did not start; the disk may be full").WithCause(err)
	case state.Cause == process.StartFailed:
		clear()
		return notStarted(clip(quiet(state.Problem), 300)).WithCause(errors.New(state.Problem))
	}
	return nil
}

// absolute leaves no doubt which program is meant: a supervisor has another working
// folder.
func absolute(command []string, root string) []string {
	if len(command) > 0 && !filepath.IsAbs(command[0]) {
		command[0] = filepath.Join(root, command[0])
	}
	return command
}

func unwritable(dir string, err error) error {
	var known *fault.Error
	if errors.As(err, &known) {
		return err
	}
	return fault.New(fault.Unavailable, "scans_unwritable", "The folder of the scans cannot be written to: "+dir,
		"Check its permissions and the space on the disk, or set LEGWORK_SCANS_DIR to another folder.").WithCause(err)
}

// room refuses a scan when there are as many as may be. It is called with the lock
// that starts scans.
func (s *Server) room(owner string) error {
	all, err := s.reg.all()
	if err != nil {
		return err
	}
	total, own := 0, []string{}
	for _, rec := range all {
		state, err := s.reg.state(rec)
		if err != nil || state.Over() {
			continue
		}
		total++
		if rec.Owner == owner {
			own = append(own, rec.ID)
		}
	}
	if total < s.set.MaxScans && len(own) < s.set.PerCaller {
		return nil
	}
	message := fmt.Sprintf("All %d scans that this server runs at once are in use.", s.set.MaxScans)
	if len(own) >= s.set.PerCaller {
		message = fmt.Sprintf("You have %s running, the most that one caller may have.", many(len(own), "scan"))
	}
	action := "Try again when one of them has ended."
	if len(own) > 0 {
		action = "Wait for one of yours with cwac_scan_status, or end it with cwac_cancel_scan: " + strings.Join(own, ", ") + "."
	}
	return fault.New(fault.Limited, "too_many_scans", message, action).WithData("running", own).WithRetryAfter(time.Minute)
}

// lookedAtOnce is how many addresses are looked at at the same time: one that does not
// answer takes seconds, and a list of them must not take longer than its call may.
const lookedAtOnce = 16

// allowed checks where the addresses lead. Of those of an installation, which gives
// up when its first page leads away, the place is taken at once.
func (s *Server) allowed(ctx context.Context, rec *record) error {
	if s.o.Resolve == nil {
		return nil
	}
	finals, errs := make([]string, len(rec.Asked)), make([]error, len(rec.Asked))
	turns := make(chan struct{}, lookedAtOnce)
	var looks sync.WaitGroup
	for i, address := range rec.Asked {
		turns <- struct{}{}
		looks.Go(func() {
			finals[i], errs[i] = s.o.Resolve(ctx, address, rec.Engine == results.EngineCWAC)
			<-turns
		})
	}
	looks.Wait()
	for i, address := range rec.Asked {
		final := finals[i]
		if errs[i] != nil {
			return errs[i]
		}
		if final != "" && final != address && wrongURL(final) == "" {
			if rec.Moved == nil {
				rec.Moved = map[string]string{}
			}
			rec.Moved[address] = final
		}
	}
	return nil
}

// owner is to whom the scans of a call belong.
func owner(ctx context.Context) string { return tool.Caller(ctx).ID() }
