package cwac

import (
	"fmt"
	"strings"

	"github.com/legwork-mcp/legwork/internal/cwac/external"
	"github.com/legwork-mcp/legwork/internal/cwac/process"
	"github.com/legwork-mcp/legwork/internal/cwac/results"
	"github.com/legwork-mcp/legwork/internal/fault"
)

// cause is why a scan did not get to its end, and what to do.
type cause struct{ kind, text, action string }

// causeOf explains the end of a scan that is neither complete nor running.
func causeOf(x *scan) cause {
	const again = "Start it again with cwac_scan; what it had found can be read."
	if x.rec == nil {
		return causeOfFolder(x)
	}
	s := x.state
	switch s.Cause {
	case process.TimedOut:
		return cause{"timeout", "Its time was over: scans may take " + span(s.Ended.Sub(s.Started)) + " here.", "Scan fewer pages at once; what it had found can be read."}
	case process.Interrupted:
		return cause{"interrupted", "It was cut off: the machine was restarted, or its processes were ended.", again}
	case process.Stopped:
		if !x.rec.Cancelled.IsZero() {
			return cause{"cancelled", "It was cancelled on request.", again}
		}
		return cause{"interrupted", "Its processes were asked to end, for instance when the machine was shut down.", again}
	case process.Killed:
		return cause{"killed", "Its process was ended by a signal (" + s.Signal + "), for instance for want of memory.", again}
	case process.Exited:
		if s.ExitCode == fault.ExitTimeout && x.rec.Engine == results.EngineLegwork {
			return cause{"interrupted", "It was asked to end by a signal from elsewhere.", again}
		}
	case process.StartFailed:
		return cause{"start_failed", "Failed to start CWAC process: " + clip(quiet(s.Problem), 300), "'legwork doctor' says what is missing on this machine."}
	}
	if x.rec.Engine == results.EngineCWAC {
		c := external.CauseOf(s.Stderr)
		return cause{c.Type, clip(quiet(c.Text), 400), c.Action}
	}
	return nativeCause(x)
}

// causeOfFolder explains the end of a scan that nobody here watched over.
func causeOfFolder(x *scan) cause {
	const again = "Scan again; what it had found can be read."
	r, err := results.Open(x.dir)
	switch {
	case err == nil && r.Scan != nil && r.Scan.State == results.StateRunning && r.Scan.Error == "":
		return cause{"interrupted", "It was cut off: its record has no end.", again}
	case err == nil && r.Scan != nil && r.Scan.Error == results.CutOff:
		return cause{"interrupted", results.CutOff, "Scan again."}
	case x.status == statusCancelled:
		return cause{"cancelled", "It was stopped, or its time was over.", again}
	}
	return nativeCause(x)
}

// nativeCause is what the native engine left as its reason, and as its advice.
func nativeCause(x *scan) cause {
	c := cause{"scan_failed", fmt.Sprintf("The engine ended with exit code %d.", x.state.ExitCode), "Correct what it names, then scan again."}
	if x.dir != "" {
		if r, err := results.Open(x.dir); err == nil && r.Scan != nil && r.Scan.Error != "" { // with the advice
			c.text = clip(quiet(r.Scan.Error), 400)
			return c
		}
	}
	for i, line := range x.state.Stderr {
		rest, ok := strings.CutPrefix(line, "legwork: ")
		if !ok {
			continue
		}
		c.text = clip(quiet(rest), 400)
		if i+1 < len(x.state.Stderr) { // the next line says what to do
			c.action = clip(quiet(x.state.Stderr[i+1]), 400)
		}
		break
	}
	return c
}
