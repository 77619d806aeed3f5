package cli

import (
	"math"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"sync"
	"time"
)

const (
	// softMemory is what a server's own heap is held to, in bytes, as long as little
	// lives in it. Replies with pictures come in bursts, and without it the heap keeps
	// room for the next.
	softMemory = 26 << 20
	// usualGrowth and growth are how much the heap grows until it is collected, in
	// percent of what lives: Go's own and a server's. What lives of a server are a
	// few MB, and each call leaves 0.2 to 0.5 MB of buffers behind, so that with
	// Go's own the collector takes a third of the processor time of a call. The
	// limit above still holds.
	usualGrowth = 100
	growth      = 400
	// firstGrowth is that of a command that is over soon: Go's heap begins with 4 MB at
	// 100 percent, so that the first collection comes at 64 MB, and mostly never.
	firstGrowth = 1600
	// pace is the time between two looks at what lives.
	pace = 2 * time.Second
)

// frugal sets the memory limit and the growth of the heap, unless GOMEMLIMIT and
// GOGC have set them. A server that keeps much, such as the answers of many runs, gets
// a higher limit: one below what lives would have it collect without end. Call
// enough when the server ends.
func frugal() (enough func()) {
	if was := debug.SetGCPercent(growth); was != usualGrowth {
		debug.SetGCPercent(was)
	}
	if debug.SetMemoryLimit(-1) != math.MaxInt64 {
		return func() {}
	}
	debug.SetMemoryLimit(softMemory)
	var watching sync.WaitGroup
	end := make(chan struct{})
	watching.Go(func() {
		tick := time.NewTicker(pace)
		defer tick.Stop()
		for {
			select {
			case <-tick.C:
				debug.SetMemoryLimit(limitFor(living()))
			case <-end:
				return
			}
		}
	})
	return func() {
		close(end)
		watching.Wait()
	}
}

// unhurried puts off the first collection, after which all is as usual, unless GOGC has
// been set. A short command would collect twice what it began with, for a tenth of its
// processor time.
func unhurried() {
	if was := debug.SetGCPercent(firstGrowth); was != usualGrowth {
		debug.SetGCPercent(was)
		return
	}
	first := new([16]byte) // of no use to anybody, so the first collection finds it
	runtime.AddCleanup(first, func(usual int) {
		if was := debug.SetGCPercent(usual); was != firstGrowth {
			debug.SetGCPercent(was) // somebody else has set it since
		}
	}, usualGrowth)
}

// limitFor leaves half as much room as lives, and no less than the usual limit. What
// lives when there is much are mostly pictures, in which the collector finds nothing to
// follow.
func limitFor(living uint64) int64 { return max(softMemory, int64(living)*3/2) }

// living is the heap that the last collection found in use, in bytes.
func living() uint64 {
	s := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
	metrics.Read(s)
	return s[0].Value.Uint64()
}
