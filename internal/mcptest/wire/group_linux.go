package wire

import (
	"bytes"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
)

// ownGroup puts a child into a process group of its own, which ends if this program
// dies without a chance to end it.
func ownGroup() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
}

// family are the processes of a child's group and those that descend from it, also
// when they have left the group.
func family(root int) []relative {
	names := entries("/proc")
	all := make([]relative, 0, len(names))
	for _, name := range names {
		if name[0] < '1' || name[0] > '9' {
			continue
		}
		if r, ok := relativeOf("/proc/" + name + "/stat"); ok {
			all = append(all, r)
		}
	}
	in := map[int]bool{root: true}
	for _, r := range all {
		if r.group == root {
			in[r.PID] = true
		}
	}
	for grew := true; grew; {
		grew = false
		for _, r := range all {
			if in[r.Parent] && !in[r.PID] {
				in[r.PID], grew = true, true
			}
		}
	}
	var out []relative
	for _, r := range all {
		if in[r.PID] {
			r.weigh()
			out = append(out, r)
		}
	}
	return out
}

// descendants are the processes that descend from a child and itself. Unlike family it
// does not look at each process of the machine, of which there may be hundreds; who
// was left by his parent but stayed in the group is not among them.
func descendants(root int) []relative {
	if _, err := os.Stat(childrenOf(root, strconv.Itoa(root))); err != nil {
		return family(root) // a kernel without these files, or a child that has ended
	}
	var out []relative
	for next := []int{root}; len(next) > 0; next = next[1:] {
		pid := next[0]
		if r, ok := relativeOf("/proc/" + strconv.Itoa(pid) + "/stat"); ok {
			out = append(out, r)
		}
		for _, thread := range entries("/proc/" + strconv.Itoa(pid) + "/task") {
			b, err := os.ReadFile(childrenOf(pid, thread))
			if err != nil {
				continue // it has ended
			}
			for _, child := range strings.Fields(string(b)) {
				n, _ := strconv.Atoi(child) // the kernel writes numbers
				next = append(next, n)
			}
		}
	}
	return out
}

// marked are the processes that have a line in the environment with which they were
// started (proc_pid_environ(5)): a daemon has no other tie to what has started it. Older
// processes are none of them.
func marked(line string, older olderProcesses) []relative {
	var out []relative
	read := make([]byte, 16<<10) // for all: each process of the machine is asked
	for _, name := range entries("/proc") {
		if name[0] < '1' || name[0] > '9' || older[name] {
			continue
		}
		var env []byte
		if env, read = environ(name, read); !bytes.Contains(env, []byte("\x00"+line+"\x00")) {
			continue // it is somebody else's, or has ended
		}
		if r, ok := relativeOf("/proc/" + name + "/stat"); ok {
			out = append(out, r)
		}
	}
	return out
}

// olderNow are the processes that run now.
func olderNow() olderProcesses {
	o := olderProcesses{}
	for _, name := range entries("/proc") {
		o[name] = true
	}
	return o
}

// environ are the lines of a process's environment, each between two NULs, none when it
// cannot be read. The buffer is used again and grown. It does without os.ReadFile, which
// asks for the size and makes room each time: there may be hundreds of processes.
func environ(pid string, buf []byte) (env, grown []byte) {
	fd, err := syscall.Open("/proc/"+pid+"/environ", syscall.O_RDONLY|syscall.O_CLOEXEC, 0)
	if err != nil {
		return nil, buf
	}
	defer func() { _ = syscall.Close(fd) }() // nothing was written
	buf[0] = 0
	length := 1
	for {
		if length == len(buf) {
			buf = append(buf, make([]byte, len(buf))...)
		}
		n, err := syscall.Read(fd, buf[length:])
		if err == syscall.EINTR {
			continue
		}
		if err != nil || n <= 0 {
			return buf[:length], buf
		}
		length += n
	}
}

// childrenOf is the file that lists the children of a thread (proc_tid_children(5)).
func childrenOf(pid int, thread string) string {
	return "/proc/" + strconv.Itoa(pid) + "/task/" + thread + "/children"
}

// entries are the names in a folder, none when it is gone.
func entries(dir string) []string {
	d, err := os.Open(dir)
	if err != nil {
		return nil
	}
	defer d.Close()
	names, err := d.Readdirnames(-1)
	if err != nil {
		return nil
	}
	return names
}

// groupLives reports whether a group has members, those that nobody has collected yet
// included (kill(2)).
func groupLives(group int) bool { return syscall.Kill(-group, 0) != syscall.ESRCH }

// relativeOf reads /proc/PID/stat (proc_pid_stat(5)); one that has ended is none.
func relativeOf(path string) (relative, bool) {
	b, err := os.ReadFile(path)
	if err != nil {
		return relative{}, false
	}
	// "pid (name) state parent group ...": a name may hold spaces and brackets.
	begin, end := strings.IndexByte(string(b), '('), strings.LastIndex(string(b), ") ")
	if begin < 0 || end < begin {
		return relative{}, false
	}
	f := strings.Fields(string(b)[end+2:])
	if len(f) < 20 || f[0] == "Z" || f[0] == "X" {
		return relative{}, false
	}
	num := func(s string) int { n, _ := strconv.Atoi(s); return n } // the kernel writes numbers
	pid := num(filepath.Base(filepath.Dir(path)))
	return relative{
		Process: Process{PID: pid, Parent: num(f[1]), Name: string(b)[begin+1 : end], Threads: num(f[17]), Files: -1},
		group:   num(f[2]), start: f[19],
	}, true
}

// weigh reads memory and descriptors, which costs more than all else that is read here:
// only of those that are reported.
func (r *relative) weigh() {
	dir := "/proc/" + strconv.Itoa(r.PID)
	if b, err := os.ReadFile(dir + "/statm"); err == nil {
		if f := strings.Fields(string(b)); len(f) > 1 {
			pages, _ := strconv.ParseInt(f[1], 10, 64) // the kernel writes numbers
			r.RSS = pages * int64(os.Getpagesize())
		}
	}
	if names, err := os.ReadDir(dir + "/fd"); err == nil {
		r.Files = len(names)
	}
}

// alive reports whether the same process still runs: a number is given away again, a
// number with the moment of its start is not.
func (r relative) alive() bool {
	now, ok := relativeOf("/proc/" + strconv.Itoa(r.PID) + "/stat")
	return ok && now.start == r.start
}
