package wire

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"sync"
	"time"
)

// drainFor is how long the pipes of a child that has ended are still read: a process
// that it left behind may hold them open for ever.
const drainFor = 500 * time.Millisecond

// child is a server that runs as a process of ours (MCP 2025-11-25, Transports, stdio).
type child struct {
	c       *Conn
	cmd     *exec.Cmd
	evid    ProcessEvidence
	mark    string // in the environment of the child and of all that it starts
	older   olderProcesses
	in      *os.File
	out     *os.File
	errs    *os.File
	writing chan struct{} // of one: who writes
	tail    *tail
	exited  chan struct{}
	exit    *Exit // once exited
	torn    bool  // a message was written in part
	reading sync.WaitGroup
}

// ProcessEvidence is how a child was started.
type ProcessEvidence struct {
	Path        string // that was found for the command
	Args        []string
	Dir         string
	Environment []string // the names; never the values
	PID         int
	Started     time.Time
}

// startChild starts the command of a target in a process group of its own.
func startChild(c *Conn) (*child, error) {
	env, names := childEnvironment(c.opt.Environ, c.target.Env)
	path, err := findProgram(c.target.Command[0], c.target.Dir, env)
	if err != nil {
		return nil, &Error{Kind: Refused, Stage: StageCommand, Detail: "The program of the command was not found." + meant(c.target.Command[0]), Cause: err}
	}
	if info, err := os.Stat(c.target.Dir); c.target.Dir != "" && (err != nil || !info.IsDir()) {
		return nil, &Error{Kind: Refused, Stage: StageCommand, Detail: "The folder in which the command is to run does not exist.", Cause: err}
	}
	p := &child{
		c: c, writing: make(chan struct{}, 1), exited: make(chan struct{}), tail: &tail{most: c.opt.Limits.Stderr},
		evid: ProcessEvidence{Path: path, Args: c.target.Command[1:], Dir: c.target.Dir, Environment: names, Started: c.now()},
	}
	p.mark, p.older = newMark(), olderNow()
	p.evid.Environment = append(names, markName)
	p.cmd = exec.Command(path, c.target.Command[1:]...)
	p.cmd.Args[0] = c.target.Command[0]
	p.cmd.Env, p.cmd.Dir, p.cmd.SysProcAttr = append(env, p.mark), c.target.Dir, ownGroup()
	if err := p.start(); err != nil {
		return nil, &Error{Kind: Refused, Stage: StageCommand, Detail: "The program of the command could not be started.", Cause: err}
	}
	p.evid.PID = p.cmd.Process.Pid
	c.rec.add(Entry{Direction: Note, Note: fmt.Sprintf("started %s, process %d", path, p.evid.PID)}, nil)
	p.reading.Add(2)
	go p.readOut()
	go p.readErr()
	c.spawn(p.wait)
	return p, nil
}

// meant says what a word that is no program may have been meant as.
func meant(program string) string {
	host, _, _ := strings.Cut(program, "/")
	_, _, port := strings.Cut(host, ":")
	switch {
	case strings.ContainsAny(program, " \t"):
		return " It is one word with a space in it: give the arguments as words of their own."
	case port || strings.HasPrefix(program, "localhost"):
		return " An address begins with https:// or http://."
	}
	return ""
}

// start gives the child pipes of our own making, because those of os/exec are closed
// when the child ends, with what it said last still in them.
func (p *child) start() error {
	var theirs []*os.File
	defer func() {
		for _, f := range theirs {
			_ = f.Close() // ours are open
		}
	}()
	pipe := func() (r, w *os.File, err error) { return os.Pipe() }
	inR, inW, err := pipe()
	if err != nil {
		return err
	}
	theirs, p.in = append(theirs, inR), inW
	outR, outW, err := pipe()
	if err != nil {
		return errors.Join(err, p.in.Close())
	}
	theirs, p.out = append(theirs, outW), outR
	errR, errW, err := pipe()
	if err != nil {
		return errors.Join(err, p.in.Close(), p.out.Close())
	}
	theirs, p.errs = append(theirs, errW), errR
	p.cmd.Stdin, p.cmd.Stdout, p.cmd.Stderr = inR, outW, errW
	if err := p.cmd.Start(); err != nil {
		return errors.Join(err, p.in.Close(), p.out.Close(), p.errs.Close())
	}
	return nil
}

func (p *child) transport() Transport { return StdioTransport }

// wait collects the child when it ends, reads what it said last, and ends the
// connection.
func (p *child) wait() {
	err := p.cmd.Wait()
	exit := &Exit{Code: p.cmd.ProcessState.ExitCode(), Signal: signalOf(p.cmd.ProcessState), At: p.c.now()}
	over := time.Now().Add(drainFor)
	_ = p.out.SetReadDeadline(over) // a pipe takes deadlines; without one it ends with the group
	_ = p.errs.SetReadDeadline(over)
	p.reading.Wait()
	exit.Stderr = p.c.hide.copy(p.tail.bytes())
	p.exit = exit
	close(p.exited)
	note := fmt.Sprintf("the process ended with code %d", exit.Code)
	if exit.Signal != "" {
		note = "the process was ended by a signal: " + exit.Signal
	}
	p.c.rec.add(Entry{Direction: Note, Note: note}, nil)
	p.c.mu.Lock()
	closing := p.c.closing
	p.c.mu.Unlock()
	if err != nil && !closing {
		p.c.observe(Observation{Code: ExitedBadly, Detail: note, Bytes: exit.Stderr[max(0, len(exit.Stderr)-shown):]}, nil)
	}
	p.c.die(&Error{Kind: Exited, Detail: note, Exit: exit})
}

// readErr drains the error output, of which the end is kept: an undrained pipe stops a
// server that has much to say.
func (p *child) readErr() {
	defer p.reading.Done()
	buf := make([]byte, 32<<10)
	var rest []byte // of a line: a secret must not be recorded in two halves
	for {
		n, err := p.errs.Read(buf)
		p.tail.write(buf[:n])
		rest = append(rest, buf[:n]...)
		whole := bytes.LastIndexByte(rest, '\n') + 1
		if err != nil || len(rest) > len(buf) {
			whole = len(rest)
		}
		if whole > 0 {
			p.c.rec.add(Entry{Direction: Stderr}, rest[:whole])
			rest = append(rest[:0], rest[whole:]...)
		}
		if err != nil {
			return
		}
	}
}

// send writes a message as one line.
func (p *child) send(ctx context.Context, out *outgoing) error {
	line := make([]byte, 0, len(out.raw)+1)
	line = append(line, out.raw...)
	if out.tweak == nil {
		// white space between the parts of a message may be anything, but not a line's end
		line = bytes.ReplaceAll(bytes.ReplaceAll(line, []byte("\n"), []byte(" ")), []byte("\r"), []byte(" "))
	}
	line = append(line, '\n')
	select {
	case p.writing <- struct{}{}:
	case <-ctx.Done():
		return giveUp(ctx, out.method, "The message could not be written: another one is still being written.")
	}
	defer func() { <-p.writing }()
	p.c.recordSent(out, 0)
	return p.write(ctx, line, out.method)
}

// write writes with the context as its limit. A message that was written in part makes
// all that follows worthless.
func (p *child) write(ctx context.Context, line []byte, method string) error {
	if p.torn {
		return &Error{Kind: Broken, Method: method, Detail: "An earlier message was written in part: the child stopped to read its input."}
	}
	_ = p.in.SetWriteDeadline(time.Time{}) // an earlier message may have run out of time
	over := make(chan struct{})
	stop := context.AfterFunc(ctx, func() {
		_ = p.in.SetWriteDeadline(time.Unix(1, 0))
		close(over)
	})
	n, err := p.in.Write(line)
	late := !stop()
	if late {
		<-over
	}
	if late && err != nil {
		p.torn = n > 0
		p.c.observe(Observation{Code: InputIgnored, Detail: fmt.Sprintf("The child read only %d of %d bytes.", n, len(line))}, nil)
		return giveUp(ctx, method, "The message could not be written: the child does not read its input.")
	}
	if err == nil {
		return nil
	}
	p.torn = n > 0
	select {
	case <-p.exited:
		return p.c.exitError(method, p.exit)
	case <-time.After(drainFor + time.Second): // it closed its input and lives on
	case <-ctx.Done():
	}
	return &Error{Kind: Broken, Method: method, Detail: "The child has closed its input.", Cause: err}
}

func (c *Conn) exitError(method string, exit *Exit) *Error {
	detail := fmt.Sprintf("The process ended with code %d.", exit.Code)
	if exit.Signal != "" {
		detail = "The process was ended by a signal: " + exit.Signal + "."
	}
	return &Error{Kind: Exited, Method: method, Detail: detail, Exit: exit}
}

// recordSent puts a message into the transcript.
func (c *Conn) recordSent(out *outgoing, status int) {
	e := Entry{Direction: Sent, Method: out.method, Status: status}
	if out.call != nil {
		e.ID = string(out.call.ex.ID)
	}
	c.rec.add(e, out.raw)
}

// tail keeps the end of what is written to it.
type tail struct {
	most int
	mu   sync.Mutex
	kept []byte
}

func (t *tail) write(b []byte) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.kept = append(t.kept, b...)
	if len(t.kept) > 2*t.most {
		t.kept = append([]byte(nil), t.kept[len(t.kept)-t.most:]...)
	}
}

func (t *tail) bytes() []byte {
	t.mu.Lock()
	defer t.mu.Unlock()
	return bytes.Clone(t.kept[max(0, len(t.kept)-t.most):])
}

// Stderr is the end of what the child wrote to its error output so far, without
// secrets; nil when the server is no child.
func (c *Conn) Stderr() []byte {
	p, ok := c.carrier.(*child)
	if !ok {
		return nil
	}
	return c.hide.copy(p.tail.bytes())
}

// Process is how the child was started; false when the server is no child.
func (c *Conn) Process() (ProcessEvidence, bool) {
	p, ok := c.carrier.(*child)
	if !ok {
		return ProcessEvidence{}, false
	}
	return p.evid, true
}

// Usage are the processes of the child and of all that it has started, as they are
// now; nil when that is not known on this system, or the server is no child.
func (c *Conn) Usage() []Process {
	p, ok := c.carrier.(*child)
	if !ok {
		return nil
	}
	out := make([]Process, 0, 4)
	for _, f := range family(p.evid.PID) {
		out = append(out, f.Process)
	}
	return out
}
