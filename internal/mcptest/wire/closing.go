package wire

import (
	"fmt"
	"slices"
	"time"
)

// relative is a process of a child's family, named for good.
type relative struct {
	Process
	group int
	start string
}

// olderProcesses are the numbers of the processes that ran before a child was started,
// as names below /proc.
type olderProcesses map[string]bool

// olderLast is how long a number of an older process cannot have been given to one of
// the child's: the kernel gives each of at least 32,768 numbers before it comes round
// (proc_sys_kernel(5), pid_max).
const olderLast = 10 * time.Second

// stillOlder are the numbers that are for certain none of the child's.
func (p *child) stillOlder() olderProcesses {
	if p.c.now().Sub(p.evid.Started) >= olderLast {
		return nil
	}
	return p.older
}

// HadEnded is the step of a child that was no more when its connection was closed.
const HadEnded = "the process had ended"

// close ends the child as the protocol wants it: its input is closed first, and only a
// child that does not end is asked, and then forced (MCP 2025-11-25, Lifecycle,
// Shutdown, stdio). What it leaves behind is reported and ended.
func (p *child) close(report *Closing) {
	relatives := descendants(p.evid.PID)
	step := func(name string) { report.Steps = append(report.Steps, name) }
	already := false
	select {
	case <-p.exited:
		already = true
		step(HadEnded)
	default:
	}
	_ = p.in.Close() // a child that has ended has no input
	if !already {
		step("stdin closed")
		p.insist(report)
	}
	if groupLives(p.evid.PID) { // it has members that were left by their parents
		relatives = append(relatives, family(p.evid.PID)...)
	}
	relatives = append(relatives, marked(p.mark, p.stillOlder())...) // and those that only their environment tells of
	p.orphans(report, relatives)
	<-p.exited
	collectGroup(p.evid.PID)
	report.Exit = p.exit
	_ = p.out.Close()
	_ = p.errs.Close()
}

// insist waits for the child to end, and makes it.
func (p *child) insist(report *Closing) {
	if p.endsWithin(p.c.opt.CloseTimeout) {
		return
	}
	p.c.observe(Observation{Code: EOFIgnored, Detail: fmt.Sprintf("The process did not end within %s after its input was closed.", p.c.opt.CloseTimeout)}, nil)
	for _, hard := range []bool{false, true} {
		name := "SIGTERM"
		if hard {
			name = "SIGKILL"
		}
		report.Steps = append(report.Steps, name)
		if err := endGroup(p.evid.PID, hard); err != nil {
			p.c.opt.Logger.Debug("signalling the group failed", "signal", name, "error", err.Error())
		}
		if hard {
			_ = p.cmd.Process.Kill() // a child can leave its group
		}
		if p.endsWithin(p.c.opt.CloseTimeout) {
			return
		}
	}
}

// endsWithin waits for the child itself; what it has started may hold its pipes.
func (p *child) endsWithin(limit time.Duration) bool {
	timer := time.NewTimer(limit + drainFor)
	defer timer.Stop()
	select {
	case <-p.exited:
		return true
	case <-timer.C:
		return false
	}
}

// graceForRelatives is how long what a child has started may take to notice that it is
// gone: many a watchdog waits for its pipe to close.
const graceForRelatives = time.Second

// settle waits a little for the relatives of a child that has ended.
func (p *child) settle(relatives []relative) {
	over := time.NewTimer(min(graceForRelatives, p.c.opt.CloseTimeout))
	defer over.Stop()
	ask := time.NewTicker(10 * time.Millisecond)
	defer ask.Stop()
	for slices.ContainsFunc(relatives, func(r relative) bool { return r.PID != p.evid.PID && r.alive() }) {
		select {
		case <-ask.C:
		case <-over.C:
			return
		}
	}
}

// orphans reports what still runs of the child's family, ends it, and waits until it
// is gone.
func (p *child) orphans(report *Closing, relatives []relative) {
	p.settle(relatives)
	seen := map[int]bool{p.evid.PID: true}
	var left []relative
	for _, r := range relatives {
		if !seen[r.PID] && r.alive() {
			seen[r.PID] = true
			r.weigh()
			left = append(left, r)
			report.Orphans = append(report.Orphans, r.Process)
		}
	}
	if err := endGroup(p.evid.PID, true); err == nil && len(left) == 0 {
		return // members that have ended and that nobody has collected yet
	}
	if len(left) == 0 {
		return
	}
	p.c.observe(Observation{Code: LeftProcesses, Detail: fmt.Sprintf("The child left %d processes behind, such as %s.", len(left), left[0].Name)}, nil)
	report.Steps = append(report.Steps, "ended what was left")
	ask := time.NewTicker(5 * time.Millisecond)
	defer ask.Stop()
	over := time.NewTimer(p.c.opt.CloseTimeout)
	defer over.Stop()
	for {
		running := 0
		for _, r := range left {
			if r.alive() {
				running++
				_ = endOne(r.PID) // it may have ended meanwhile
			}
		}
		if running == 0 {
			return
		}
		select {
		case <-ask.C:
		case <-over.C:
			return
		}
	}
}
