package browser

import (
	"syscall"
	"testing"
)

// TestMembersOf finds this program in its own group and nobody in one that cannot be.
func TestMembersOf(t *testing.T) {
	own := syscall.Getpgrp()
	if !groupRuns(own) || groupMemory(own) < 1<<20 {
		t.Errorf("the group of this program: runs %v, %d bytes", groupRuns(own), groupMemory(own))
	}
	const nobody = 1<<22 + 1 // above the highest number of a process
	if groupRuns(nobody) || groupMemory(nobody) != 0 {
		t.Errorf("a group without a process: runs %v, %d bytes", groupRuns(nobody), groupMemory(nobody))
	}
}
