//go:build unix && !linux

package browser

import "syscall"

// ownGroup puts the browser in a process group of its own. It ends by itself
// when its pipe closes.
func ownGroup() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setpgid: true} }

// adoptOrphans has no counterpart here.
func adoptOrphans() {}

// joinGroup puts a process that is to start into a group that is there.
func joinGroup(a *syscall.SysProcAttr, group int) { a.Pgid = group }

// groupMemory is unknown on this system.
func groupMemory(int) int64 { return 0 }

// groupRuns cannot be told here: whoever asked the group is believed.
func groupRuns(int) bool { return true }
