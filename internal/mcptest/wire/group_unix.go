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

// collectGroup takes the entries of a child's orphans from the table of processes. They
// are this program's own children when it adopts orphans, as it does once it has started
// a browser, or when it is the first process of a container. The child itself must have
// been waited for.
func collectGroup(pid int) {
	for {
		if got, err := syscall.Wait4(-pid, nil, syscall.WNOHANG, nil); got <= 0 || err != nil {
			return
		}
	}
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
