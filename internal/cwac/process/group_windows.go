package process

import (
	"os"
	"os/exec"
	"syscall"
	"time"
)

// On Windows a scan has no group and no supervisor that survives: what can be done
// is done for the engine alone.

func detached() *syscall.SysProcAttr { return nil }

func engineAttributes() *syscall.SysProcAttr { return nil }

func askGroup(engine *os.Process) { _ = engine.Kill() }

func killGroup(engine *os.Process) { _ = engine.Kill() }

func killBelow(time.Duration) {}

func killAll(func() []int, time.Duration) {}

func leftOf(Identity, time.Duration) []int { return nil }

func adoptOrphans() {}

func collect(int) {}

func signalOf(*exec.ExitError) string { return "" }

// Collect has nothing to do on this system.
func Collect(Identity) {}

func identify(pid int) (Identity, bool) {
	p, err := os.FindProcess(pid)
	if err != nil {
		return Identity{}, false
	}
	return Identity{PID: pid}, p.Release() == nil
}

func terminate(i Identity) error {
	p, err := os.FindProcess(i.PID)
	if err != nil {
		return err
	}
	return p.Kill()
}
