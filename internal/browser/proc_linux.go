package browser

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
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
	var total int64
	for _, dir := range membersOf(pgid) {
		total += unshared(filepath.Join(dir, "statm"))
	}
	return total
}

// groupRuns reports whether a process of the group still runs.
func groupRuns(pgid int) bool {
	return slices.ContainsFunc(membersOf(pgid), func(dir string) bool {
		group, state := groupOf(filepath.Join(dir, "stat"))
		return group == pgid && state != "Z" && state != "X"
	})
}

// membersOf are the folders of a group's processes. The system is asked for the
// group of each process, which costs a hundredth of looking into its folder.
func membersOf(pgid int) []string {
	proc, err := os.Open("/proc")
	if err != nil {
		return nil
	}
	defer proc.Close()
	names, _ := proc.Readdirnames(-1) // what was read is as good as it gets
	var dirs []string
	for _, name := range names {
		pid, err := strconv.Atoi(name)
		if err != nil {
			continue // the rest of /proc
		}
		if group, err := syscall.Getpgid(pid); err == nil && group == pgid {
			dirs = append(dirs, filepath.Join("/proc", name))
		}
	}
	return dirs
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
