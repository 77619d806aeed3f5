package cli

import (
	"math"
	"runtime/debug"
)

// softMemory is what a server's own heap is held to, in bytes. Replies with
// pictures come in bursts, and without it the heap keeps room for the next.
const softMemory = 36 << 20

// frugal sets the memory limit, unless GOMEMLIMIT has set one.
func frugal() {
	if debug.SetMemoryLimit(-1) == math.MaxInt64 {
		debug.SetMemoryLimit(softMemory)
	}
}
