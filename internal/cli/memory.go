package cli

import (
	"math"
	"runtime/debug"
)

const (
	// softMemory is what a server's own heap is held to, in bytes. Replies with
	// pictures come in bursts, and without it the heap keeps room for the next.
	softMemory = 32 << 20
	// usualGrowth and growth are how much the heap grows until it is collected, in
	// percent of what lives: Go's own and a server's. What lives of a server are a
	// few MB, and each call leaves 0.2 to 0.5 MB of buffers behind, so that with
	// Go's own the collector takes a third of the processor time of a call. The
	// limit above still holds.
	usualGrowth = 100
	growth      = 400
)

// frugal sets the memory limit and the growth of the heap, unless GOMEMLIMIT and
// GOGC have set them.
func frugal() {
	if debug.SetMemoryLimit(-1) == math.MaxInt64 {
		debug.SetMemoryLimit(softMemory)
	}
	if was := debug.SetGCPercent(growth); was != usualGrowth {
		debug.SetGCPercent(was)
	}
}
