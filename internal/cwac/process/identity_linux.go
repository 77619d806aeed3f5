package process

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// stat is what /proc/PID/stat says of a process (proc_pid_stat(5)).
type stat struct {
	pid, parent, group, session int
	state, start                string
}

func statOf(pid int) (stat, bool) {
	raw, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	if err != nil {
		return stat{}, false
	}
	// "pid (name) state parent group session ...": a name may hold spaces and brackets.
	end := strings.LastIndex(string(raw), ") ")
	if end < 0 {
		return stat{}, false
	}
	f := strings.Fields(string(raw)[end+2:])
	if len(f) < 20 {
		return stat{}, false
	}
	num := func(s string) int { n, _ := strconv.Atoi(s); return n } // the kernel writes numbers
	s := stat{pid: pid, state: f[0], parent: num(f[1]), group: num(f[2]), session: num(f[3]), start: f[19]}
	return s, s.state != "Z" && s.state != "X"
}

// identify names a running process.
func identify(pid int) (Identity, bool) {
	s, ok := statOf(pid)
	if !ok {
		return Identity{}, false
	}
	boot, err := os.ReadFile("/proc/sys/kernel/random/boot_id")
	if err != nil {
		boot = nil // the start alone has to do
	}
	return Identity{PID: pid, Start: s.start, Boot: strings.TrimSpace(string(boot))}, true
}

// running are all processes that have not ended.
func running() []stat {
	dirs, _ := filepath.Glob("/proc/[0-9]*") // the pattern is valid
	var out []stat
	for _, dir := range dirs {
		pid, err := strconv.Atoi(filepath.Base(dir))
		if err != nil {
			continue
		}
		if s, ok := statOf(pid); ok {
			out = append(out, s)
		}
	}
	return out
}

// below are the processes that root has started, and those that they have started.
func below(root int) []int {
	all := running()
	known := map[int]bool{root: true}
	var out []int
	for grew := true; grew; {
		grew = false
		for _, s := range all {
			if known[s.parent] && !known[s.pid] {
				known[s.pid], grew = true, true
				out = append(out, s.pid)
			}
		}
	}
	return out
}

// ticksPerSecond is the unit of start times in /proc: USER_HZ, 100 for all programs.
const ticksPerSecond = 100

// leftOf are the processes that remain of a supervisor that has died: those of its
// session. A session keeps its number for as long as one of them runs; after that the
// number may be that of another session, whose leader may have ended as daemons do.
// So what began later than the scan could have lived is not of the scan.
func leftOf(supervisor Identity, lived time.Duration) []int {
	first, err := strconv.ParseInt(supervisor.Start, 10, 64)
	if err != nil {
		return nil
	}
	last := first + int64(lived/(time.Second/ticksPerSecond))
	now, ok := identify(os.Getpid())
	if !ok || now.Boot != supervisor.Boot || supervisor.PID <= 0 {
		return nil
	}
	if s, ok := statOf(supervisor.PID); ok && s.start != supervisor.Start {
		return nil // the number is another's now
	}
	var out []int
	for _, s := range running() {
		began, err := strconv.ParseInt(s.start, 10, 64)
		if err == nil && s.session == supervisor.PID && s.pid != supervisor.PID && first <= began && began <= last {
			out = append(out, s.pid)
		}
	}
	return out
}

// adoptOrphans makes this process the parent of whatever its descendants leave
// behind, so that none can slip away by leaving its group: PR_SET_CHILD_SUBREAPER of
// prctl(2).
func adoptOrphans() {
	const setChildSubreaper = 36
	// Without it the group of the engine is still ended.
	_, _, _ = syscall.RawSyscall(syscall.SYS_PRCTL, setChildSubreaper, 1, 0)
}

// engineAttributes put the engine into a group of its own, which ends when the
// supervisor's thread does.
func engineAttributes() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
}

// collect takes the exit codes of orphans that have ended, so that they do not pile
// up during a long scan. The engine's own is left to who waits for it.
func collect(engine int) {
	self := os.Getpid()
	dirs, _ := filepath.Glob("/proc/[0-9]*/stat") // the pattern is valid
	for _, path := range dirs {
		pid, err := strconv.Atoi(filepath.Base(filepath.Dir(path)))
		if err != nil || pid == engine {
			continue
		}
		if s, runs := statOf(pid); !runs && s.state == "Z" && s.parent == self {
			var status syscall.WaitStatus
			_, _ = syscall.Wait4(pid, &status, syscall.WNOHANG, nil) // gone either way
		}
	}
}
