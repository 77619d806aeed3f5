//go:build unix

package process

import (
	"errors"
	"os"
	"os/exec"
	"syscall"
	"time"
)

// detached puts a supervisor into a session of its own: what ends the server, such
// as the terminal that it runs in, does not end the scan.
func detached() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setsid: true} }

// askGroup asks the engine and all of its group to end.
func askGroup(engine *os.Process) { _ = syscall.Kill(-engine.Pid, syscall.SIGTERM) }

// killGroup ends them.
func killGroup(engine *os.Process) { _ = syscall.Kill(-engine.Pid, syscall.SIGKILL) }

// killBelow ends whatever this process or its descendants have started and is still
// there, and waits until it is gone, for at most limit.
func killBelow(limit time.Duration) { killAll(func() []int { return below(os.Getpid()) }, limit) }

// killAll ends what find finds until it finds nothing more.
func killAll(find func() []int, limit time.Duration) {
	ask := time.NewTicker(10 * time.Millisecond)
	defer ask.Stop()
	over := time.After(limit)
	for {
		left := find()
		if len(left) == 0 {
			return
		}
		for _, pid := range left {
			_ = syscall.Kill(pid, syscall.SIGKILL)
		}
		select {
		case <-ask.C:
		case <-over:
			return
		}
	}
}

// signalOf names the signal that ended a process.
func signalOf(err *exec.ExitError) string {
	if s, ok := err.Sys().(syscall.WaitStatus); ok && s.Signaled() {
		return s.Signal().String()
	}
	return ""
}

// Collect takes the exit code of a supervisor that this process started and that has
// ended; without it the system would keep a trace of it. It never waits.
func Collect(supervisor Identity) {
	if supervisor.PID <= 0 {
		return
	}
	var status syscall.WaitStatus
	_, _ = syscall.Wait4(supervisor.PID, &status, syscall.WNOHANG, nil) // no child of ours is no error
}

// terminate asks one process to end. The handle is taken before the process is
// looked at, so that it is the same one.
func terminate(i Identity) error {
	p, err := os.FindProcess(i.PID)
	if err != nil {
		return err
	}
	defer func() { _ = p.Release() }() // always works
	if !i.Alive() {
		return os.ErrProcessDone
	}
	if err := p.Signal(syscall.SIGTERM); !errors.Is(err, os.ErrProcessDone) {
		return err
	}
	return os.ErrProcessDone
}
