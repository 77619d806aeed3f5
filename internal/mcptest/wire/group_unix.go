//go:build unix

package wire

import (
	"os"
	"syscall"
)

// endGroup signals the group of a child.
func endGroup(pid int, hard bool) error {
	sig := syscall.SIGTERM
	if hard {
		sig = syscall.SIGKILL
	}
	return syscall.Kill(-pid, sig)
}

// endOne kills one process.
func endOne(pid int) error { return syscall.Kill(pid, syscall.SIGKILL) }

// signalOf names the signal that ended a process.
func signalOf(s *os.ProcessState) string {
	if w, ok := s.Sys().(syscall.WaitStatus); ok && w.Signaled() {
		return w.Signal().String()
	}
	return ""
}
