package cli

import (
	"os"
	"runtime/debug"
)

// A server's heap is small, but a run leaves megabytes of pictures and JSON
// behind: collecting less often than usual saves processor time, and the limit
// keeps the memory within bounds all the same. Go's own settings win.
const (
	collectAt  = 200     // per cent of growth
	softMemory = 56 << 20 // bytes, all of the process's own
)

// frugal sets the garbage collector up for a server.
func frugal(set func(key string) bool) {
	if !set("GOGC") {
		debug.SetGCPercent(collectAt)
	}
	if !set("GOMEMLIMIT") {
		debug.SetMemoryLimit(softMemory)
	}
}
