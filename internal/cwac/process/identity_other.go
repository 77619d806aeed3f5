//go:build unix && !linux

package process

import (
	"syscall"
	"time"
)

// identify knows the id alone here: nothing portable tells when a process began.
func identify(pid int) (Identity, bool) {
	err := syscall.Kill(pid, 0)
	return Identity{PID: pid}, err == nil || err == syscall.EPERM
}

// below are not known here: the group of the engine is ended.
func below(int) []int { return nil }

func leftOf(Identity, time.Duration) []int { return nil }

func adoptOrphans() {}

func collect(int) {}

func engineAttributes() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setpgid: true} }
