//go:build unix

package browser

import (
	"errors"
	"os"
	"syscall"
	"time"
)

func isRoot() bool { return os.Geteuid() == 0 }

// killGroup ends a process and every child that stayed in its group.
func killGroup(p *os.Process) {
	_ = syscall.Kill(-p.Pid, syscall.SIGKILL)
}

// endGroup ends what is left of the group of a process that has ended itself,
// and waits until it is gone. Its members are no children of this program, so
// that nothing tells when they end: they can only be asked for. One that has
// ended and that nobody has collected yet does not count.
func endGroup(p *os.Process) {
	ask := time.NewTicker(2 * time.Millisecond)
	defer ask.Stop()
	limit := time.After(2 * time.Second)
	for syscall.Kill(-p.Pid, syscall.SIGKILL) == nil && groupRuns(p.Pid) {
		select {
		case <-ask.C:
		case <-limit:
			return
		}
	}
}

// reapGroup collects members of a group that became this program's own children when
// their parents ended, as happens to the first process of a container and to one that
// adopts orphans. One whose first thread has ended counts as ended, but can be collected
// only when its other threads have ended too: that is waited for. Whoever waits for
// members of his own must have done so before.
func reapGroup(p *os.Process) {
	ask := time.NewTicker(2 * time.Millisecond)
	defer ask.Stop()
	limit := time.After(2 * time.Second)
	for {
		pid, err := syscall.Wait4(-p.Pid, nil, syscall.WNOHANG, nil)
		if err != nil && !errors.Is(err, syscall.EINTR) {
			return // there is none
		}
		if pid > 0 || err != nil {
			continue
		}
		select {
		case <-ask.C:
		case <-limit:
			return
		}
	}
}

// tryLock locks a file for this process; free is false when another one has it.
func tryLock(f *os.File) (free bool, err error) {
	err = syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
	if errors.Is(err, syscall.EWOULDBLOCK) {
		return false, nil
	}
	return err == nil, err
}
