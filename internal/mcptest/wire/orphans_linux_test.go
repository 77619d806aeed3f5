package wire

import (
	"fmt"
	"os"
	"slices"
	"testing"
)

// TestOrphans: a process that the child has started and that has left its group does
// not outlive the connection.
func TestOrphans(t *testing.T) {
	c := dial(t, command("parent"), Options{Era: EraLegacy})
	ex, err := c.Call(t.Context(), "tools/list", nil, CallOptions{})
	if err != nil {
		t.Fatal(err)
	}
	usage := c.Usage()
	for len(usage) == 2 && usage[1].Name == "setsid" { // it is about to become what it starts
		usage = c.Usage()
	}
	if len(usage) != 2 || usage[0].RSS == 0 || usage[0].Files < 3 || usage[0].Threads == 0 {
		t.Errorf("the child weighs %+v", usage)
	}
	evidence, _ := c.Process()
	if own := family(evidence.PID); own[0].group != evidence.PID {
		t.Errorf("the child is in the group %d", own[0].group)
	}
	closing := c.Close()
	if len(closing.Orphans) != 1 || closing.Orphans[0].Name != "sleep" || string(field(ex.Result, "pid")) != fmt.Sprint(closing.Orphans[0].PID) {
		t.Errorf("it left %+v", closing.Orphans)
	}
	if r, ok := relativeOf(fmt.Sprintf("/proc/%d/stat", closing.Orphans[0].PID)); ok && r.Name == "sleep" {
		t.Error("what it left still runs")
	}
}

// TestForsaken: a process that nobody of the family is the parent of is found by its
// group.
func TestForsaken(t *testing.T) { leavesSleep(t, "forsaken") }

// TestDaemons: a process that has left the group too is found by its environment.
func TestDaemons(t *testing.T) { leavesSleep(t, "daemonizing") }

// leavesSleep wants one process to be found, and ended.
func leavesSleep(t *testing.T, mode string) {
	t.Helper()
	c := dial(t, command(mode), Options{Era: EraLegacy})
	if _, err := c.Call(t.Context(), "tools/list", nil, CallOptions{}); err != nil {
		t.Fatal(err)
	}
	closing := c.Close()
	if len(closing.Orphans) != 1 || closing.Orphans[0].Name != "sleep" && closing.Orphans[0].Name != "setsid" { // which becomes the other
		t.Fatalf("it left %+v", closing.Orphans)
	}
	if closing.Orphans[0].RSS == 0 {
		t.Errorf("it is not said how much memory %+v holds", closing.Orphans[0])
	}
	if r, ok := relativeOf(fmt.Sprintf("/proc/%d/stat", closing.Orphans[0].PID)); ok && (r.Name == "sleep" || r.Name == "setsid") {
		t.Error("what it left still runs")
	}
}

// TestOlderProcesses: who ran before the child is not asked, for as long as the number
// cannot have been given away again.
func TestOlderProcesses(t *testing.T) {
	own := func(older olderProcesses) bool {
		return slices.ContainsFunc(marked(os.Environ()[0], older), func(r relative) bool { return r.PID == os.Getpid() })
	}
	p := &child{c: dial(t, command("plain"), Options{Era: EraLegacy}), older: olderNow()}
	p.evid.Started = p.c.now()
	if own(p.stillOlder()) {
		t.Error("older processes are asked")
	}
	if p.evid.Started = p.c.now().Add(-olderLast); !own(p.stillOlder()) {
		t.Error("a number counts as older for ever")
	}
}

// TestWatchdogs: a process that ends by itself soon after its parent is not left behind.
func TestWatchdogs(t *testing.T) {
	c := dial(t, command("watched"), Options{Era: EraLegacy})
	if _, err := c.Call(t.Context(), "tools/list", nil, CallOptions{}); err != nil {
		t.Fatal(err)
	}
	if closing := c.Close(); len(closing.Orphans) != 0 {
		t.Errorf("left: %v", closing.Orphans)
	}
}
