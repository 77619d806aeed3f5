package browser

import (
	"os/exec"
	"strings"
	"sync"
	"time"

	"github.com/legwork-mcp/legwork/internal/fault"
)

// process is one running program of a browser, with the children in its group and a
// temporary profile.
type process struct {
	path    string // of its binary
	cmd     *exec.Cmd
	profile *profile
	exited  chan struct{} // closed when the process has ended and its profile is gone
	output  *tail
}

// newProcess prepares a profile below dir for a program that is not started yet.
func newProcess(path, dir string) (*process, error) {
	profile, err := newProfile(dir)
	if err != nil {
		return nil, fault.New(fault.Unavailable, "browser_unavailable", "The browser's temporary folder could not be made.",
			"Make sure that the temporary folder exists, is writable and has space.").WithCause(err)
	}
	return &process{path: path, profile: profile, exited: make(chan struct{}), output: &tail{more: make(chan struct{}, 1)}}, nil
}

// start runs the program in a group of its own. ended is called once it has ended,
// before anyone who waits for that.
func (p *process) start(cmd *exec.Cmd, ended func()) error {
	adoptOrphans()
	p.cmd = cmd
	cmd.Stdout, cmd.Stderr = p.output, p.output
	cmd.SysProcAttr = ownGroup()
	cmd.WaitDelay = time.Second // children may hold the output open
	if err := cmd.Start(); err != nil {
		return err
	}
	go p.reap(ended)
	return nil
}

// reap waits for the process, then ends what is left of it. kill waits for reap.
func (p *process) reap(ended func()) {
	defer close(p.exited)
	_ = p.cmd.Wait()
	endGroup(p.cmd.Process)
	reapGroup(p.cmd.Process)
	ended()
	p.profile.remove()
}

// kill ends the process with its children at once and waits until its profile
// is gone. The profile is temporary, so nothing is lost.
func (p *process) kill() {
	select {
	case <-p.exited: // its number may belong to someone else by now
		return
	default:
	}
	killGroup(p.cmd.Process)
	<-p.exited
}

func (p *process) runs() bool {
	select {
	case <-p.exited:
		return false
	default:
		return true
	}
}

func (p *process) guardFor() (*guard, error) { return newGuard(loopback, nil) }

func (p *process) pid() int { return p.cmd.Process.Pid }

func (p *process) memory() int64 { return groupMemory(p.pid()) }

func (p *process) program() string { return p.path }

// noScreen tells by what a browser printed that it found no screen for its window.
func noScreen(output *tail) bool {
	text := output.String()
	for _, words := range []string{"Missing X server", "cannot open display", "no DISPLAY environment variable", "don't have any display"} {
		if strings.Contains(text, words) {
			return true
		}
	}
	return false
}

// What is said of a browser that found none.
const (
	screenMissing = " There is no screen to show its window on."
	screenAdvice  = "Run without a window, or start it in a desktop session or under a virtual screen such as Xvfb."
)

// tail keeps the last lines that the browser printed, for the log.
type tail struct {
	mu   sync.Mutex
	text []byte
	more chan struct{} // has a token when something was printed
}

const tailSize = 2048

// Write keeps the end of b and never fails.
func (t *tail) Write(b []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.text = append(t.text, b...)
	if extra := len(t.text) - tailSize; extra > 0 {
		t.text = append([]byte{}, t.text[extra:]...)
	}
	select {
	case t.more <- struct{}{}:
	default:
	}
	return len(b), nil
}

// String returns what was kept.
func (t *tail) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return strings.ToValidUTF8(string(t.text), "")
}
