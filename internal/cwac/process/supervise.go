package process

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"time"

	"github.com/legwork-mcp/legwork/internal/lazyregexp"
)

const (
	// pipeDelay is how long the output of an engine that has ended is still read: a
	// browser that it left behind may hold the pipe.
	pipeDelay = 2 * time.Second
	// cleanLimit bounds the wait for processes that were killed.
	cleanLimit = 5 * time.Second
	// writePeriod is how old the state file may be while something new was printed.
	writePeriod = 500 * time.Millisecond
)

// ready is what a supervisor prints once the state file is there.
const ready = "ready"

// Supervise runs the job of a file to its end. It prints one line as soon as the
// state file tells whether the engine has started, and nothing after it, since
// nobody may be left to read it. It ends the engine when ctx ends.
func Supervise(ctx context.Context, jobFile string, out io.Writer) error {
	raw, err := os.ReadFile(jobFile)
	if err != nil {
		return fmt.Errorf("read the job: %w", err)
	}
	var job Job
	if err := json.Unmarshal(raw, &job); err != nil {
		return fmt.Errorf("read the job: %w", err)
	}
	// The engine ends with the thread that started it.
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	adoptOrphans()
	self, _ := identify(os.Getpid()) // runs
	s := &supervisor{job: job, state: State{Supervisor: self, Started: time.Now().UTC()}}
	return s.run(ctx, func() { fmt.Fprintln(out, ready) })
}

// supervisor is one scan that is watched.
type supervisor struct {
	job      Job
	state    State
	out, err tail
	folder   chan string
	written  int // what had been printed when the state was written
}

func (s *supervisor) run(ctx context.Context, started func()) error {
	s.folder = make(chan string, 1)
	s.out.seen = s.listen
	cmd := s.command()
	if err := cmd.Start(); err != nil {
		s.state.Problem = err.Error()
		s.end(StartFailed)
		err := s.write()
		if err == nil { // else nobody could read why
			started()
		}
		return err
	}
	s.state.Engine, _ = identify(cmd.Process.Pid) // empty when it has ended already
	if err := s.write(); err != nil {             // nobody would ever learn of it
		killGroup(cmd.Process)
		_ = cmd.Wait() // the first error counts
		killBelow(cleanLimit)
		return err
	}
	started()
	s.watch(ctx, cmd)
	killGroup(cmd.Process)
	killBelow(cleanLimit)
	for _, path := range s.job.Remove {
		if err := os.RemoveAll(path); err != nil {
			s.state.Problem = strings.TrimSpace(s.state.Problem + " A temporary file stays: " + err.Error())
		}
	}
	return s.write()
}

func (s *supervisor) command() *exec.Cmd {
	return &exec.Cmd{
		Path: s.job.Command[0], Args: s.job.Command, Dir: s.job.Dir, Env: s.job.Env,
		Stdout: &s.out, Stderr: &s.err, SysProcAttr: engineAttributes(), WaitDelay: pipeDelay,
	}
}

// announced is the line with which an engine names its results folder.
var announced = lazyregexp.New(`^\s*Audit name: ([0-9A-Za-z_.-]{1,200})\s*$`)

// listen catches the name of the results folder; the first one counts, since later
// lines may hold text of a page.
func (s *supervisor) listen(line string) {
	m := announced.FindStringSubmatch(line)
	if m == nil || strings.Trim(m[1], ".") == "" {
		return
	}
	select {
	case s.folder <- m[1]:
	default:
	}
}

// watch waits until the engine has ended, and ends it when it has to.
func (s *supervisor) watch(ctx context.Context, cmd *exec.Cmd) {
	done := make(chan error, 1)
	go func() { done <- cmd.Wait() }() // the loop below ends with it
	period := time.NewTicker(writePeriod)
	defer period.Stop()
	limit := time.NewTimer(s.job.Limit)
	defer limit.Stop()
	var force <-chan time.Time
	var why Cause
	end := func(cause Cause) {
		if why == "" {
			why, force = cause, time.After(s.job.Grace)
			askGroup(cmd.Process)
		}
	}
	stop := ctx.Done()
	for {
		select {
		case <-stop:
			stop = nil
			end(Stopped)
		case <-limit.C:
			end(TimedOut)
		case <-force:
			killGroup(cmd.Process)
			killBelow(cleanLimit)
		case <-period.C:
			collect(cmd.Process.Pid)
			s.refresh()
		case err := <-done:
			s.ended(err, why)
			return
		}
	}
}

// refresh writes the state when there is something new. A disk that is full now may
// have room for the end.
func (s *supervisor) refresh() {
	_, a := s.out.text()
	_, b := s.err.text()
	if a+b != s.written {
		_ = s.write()
	}
}

// ended takes the exit of the engine into the state.
func (s *supervisor) ended(err error, why Cause) {
	var exit *exec.ExitError
	switch {
	case err == nil || errors.Is(err, exec.ErrWaitDelay):
	case errors.As(err, &exit):
		s.state.ExitCode, s.state.Signal = exit.ExitCode(), signalOf(exit)
	default:
		s.state.Problem = err.Error()
	}
	switch {
	case why != "":
		s.end(why)
	case s.state.Signal != "":
		s.end(Killed)
	default:
		s.end(Exited)
	}
}

func (s *supervisor) end(cause Cause) {
	s.state.Cause, s.state.Ended = cause, time.Now().UTC()
}

// write brings the state file up to date.
func (s *supervisor) write() error {
	select {
	case s.state.Folder = <-s.folder:
	default:
	}
	var a, b int
	s.state.Stdout, a = s.out.text()
	s.state.Stderr, b = s.err.text()
	s.written = a + b
	return WriteFile(s.job.State, s.state)
}
