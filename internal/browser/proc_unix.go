//go:build unix

package browser

import (
	"errors"
	"os"
	"syscall"
)

func isRoot() bool { return os.Geteuid() == 0 }

// killGroup ends a process and every child that stayed in its group.
func killGroup(p *os.Process) {
	_ = syscall.Kill(-p.Pid, syscall.SIGKILL)
}

// tryLock locks a file for this process; free is false when another one has it.
func tryLock(f *os.File) (free bool, err error) {
	err = syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
	if errors.Is(err, syscall.EWOULDBLOCK) {
		return false, nil
	}
	return err == nil, err
}
