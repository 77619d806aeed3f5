package cli

import (
	"math"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"testing"
)

// TestTheLimitGrowsWithWhatLives: a limit below what is kept would have the collector
// run without end.
func TestTheLimitGrowsWithWhatLives(t *testing.T) {
	was := debug.SetMemoryLimit(math.MaxInt64)
	defer debug.SetMemoryLimit(was)
	growth := debug.SetGCPercent(usualGrowth)
	defer debug.SetGCPercent(growth)
	enough := frugal()
	defer enough()
	if got := debug.SetMemoryLimit(-1); got != softMemory {
		t.Errorf("it begins with a limit of %d bytes", got)
	}
	if got := limitFor(1 << 20); got != softMemory {
		t.Errorf("with little that lives the limit is %d bytes", got)
	}
	kept := make([]byte, 3*softMemory)
	runtime.GC()
	if got := limitFor(living()); got < 3*softMemory*3/2 {
		t.Errorf("with %d bytes that live the limit is %d", len(kept), got)
	}
	runtime.KeepAlive(kept)
}

// TestAnOwnLimitIsKept: who sets GOMEMLIMIT knows better.
func TestAnOwnLimitIsKept(t *testing.T) {
	const own = 1 << 30
	was := debug.SetMemoryLimit(own)
	defer debug.SetMemoryLimit(was)
	growth := debug.SetGCPercent(usualGrowth)
	defer debug.SetGCPercent(growth)
	frugal()()
	if got := debug.SetMemoryLimit(-1); got != own {
		t.Errorf("the limit is %d", got)
	}
}

// TestTheFirstCollectionComesLate: and after it, everything is as usual.
func TestTheFirstCollectionComesLate(t *testing.T) {
	was := debug.SetGCPercent(usualGrowth)
	defer debug.SetGCPercent(was)
	unhurried()
	if got := growthNow(); got != firstGrowth {
		t.Errorf("the heap may grow by %d percent", got)
	}
	for growthNow() == firstGrowth && t.Context().Err() == nil {
		runtime.GC() // its cleanups run some time after it
	}
	if got := growthNow(); got != usualGrowth {
		t.Errorf("after a collection the heap may grow by %d percent", got)
	}
}

// TestAnOwnGrowthIsKept: who sets GOGC knows better.
func TestAnOwnGrowthIsKept(t *testing.T) {
	const own = 50
	was := debug.SetGCPercent(own)
	defer debug.SetGCPercent(was)
	unhurried()
	if got := growthNow(); got != own {
		t.Errorf("the heap may grow by %d percent", got)
	}
}

// growthNow is how much the heap may grow, in percent.
func growthNow() uint64 {
	s := []metrics.Sample{{Name: "/gc/gogc:percent"}}
	metrics.Read(s)
	return s[0].Value.Uint64()
}
