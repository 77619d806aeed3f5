package browser

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
)

// ownGroup puts the browser in a process group of its own, and ends it if this
// program dies without a chance to do it.
func ownGroup() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
}

// adoptOrphans makes this program the parent of what its children leave behind:
// PR_SET_CHILD_SUBREAPER of prctl(2). A browser that is killed does not wait for its
// children, nor the driver of WebKit for its browser: in a container whose first process
// collects nobody each would leave entries in the table of processes for good. Whoever
// starts a group collects it, see reapGroup.
func adoptOrphans() {
	const setChildSubreaper = 36
	// Without it the group is ended all the same.
	_, _, _ = syscall.RawSyscall(syscall.SYS_PRCTL, setChildSubreaper, 1, 0)
}

// joinGroup puts a process that is to start into a group that is there.
func joinGroup(a *syscall.SysProcAttr, group int) { a.Pgid = group }

// groupMemory is the unshared resident memory of a process group, in bytes; 0
// when it is unknown.
func groupMemory(pgid int) int64 {
	stats, _ := filepath.Glob("/proc/[0-9]*/stat")
	var total int64
	for _, path := range stats {
		if group, _ := groupOf(path); group == pgid {
			total += unshared(filepath.Join(filepath.Dir(path), "statm"))
		}
	}
	return total
}

// groupRuns reports whether a process of the group still runs.
func groupRuns(pgid int) bool {
	stats, _ := filepath.Glob("/proc/[0-9]*/stat")
	for _, path := range stats {
		if group, state := groupOf(path); group == pgid && state != "Z" && state != "X" {
			return true
		}
	}
	return false
}

// groupOf reads the group and the state of a process, -1 when it is gone.
func groupOf(path string) (group int, state string) {
	b, err := os.ReadFile(path)
	if err != nil {
		return -1, ""
	}
	// "pid (name) state parent group ...": a name may hold spaces and brackets.
	end := strings.LastIndex(string(b), ") ")
	if end < 0 {
		return -1, ""
	}
	fields := strings.Fields(string(b)[end+2:])
	if len(fields) < 3 {
		return -1, ""
	}
	group, err = strconv.Atoi(fields[2])
	if err != nil {
		return -1, ""
	}
	return group, fields[0]
}

func unshared(path string) int64 {
	b, err := os.ReadFile(path)
	if err != nil {
		return 0
	}
	var size, resident, shared int64
	if _, err := fmt.Sscan(string(b), &size, &resident, &shared); err != nil {
		return 0
	}
	return (resident - shared) * int64(os.Getpagesize())
}
