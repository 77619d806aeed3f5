package fault

import (
	"maps"
	"slices"
)

// The exit codes of the command line.
const (
	ExitOK          = 0  // it worked
	ExitFailed      = 1  // it ran and failed, or has findings
	ExitInvalid     = 2  // the input or the command line is wrong
	ExitNotFound    = 3  // the named thing is not there
	ExitUnavailable = 4  // something that is needed cannot be reached
	ExitDenied      = 5  // not allowed
	ExitTimeout     = 6  // ran out of time or was cancelled
	ExitInternal    = 70 // a defect, as in sysexits
)

// faces is the one place where a kind gets its exit code and HTTP status. The
// numbers are written out: this package must not reach for the network.
var faces = map[Kind]struct{ exit, status int }{
	Invalid:     {ExitInvalid, 400},
	NotFound:    {ExitNotFound, 404},
	Conflict:    {ExitFailed, 409},
	Denied:      {ExitDenied, 403},
	Limited:     {ExitUnavailable, 429},
	Expired:     {ExitNotFound, 410},
	Unavailable: {ExitUnavailable, 503},
	Unsupported: {ExitInvalid, 501},
	Timeout:     {ExitTimeout, 504},
	Cancelled:   {ExitTimeout, 499}, // the de facto status for "the client closed the request"
	Failed:      {ExitFailed, 422},
	Internal:    {ExitInternal, 500},
}

// Kinds are all the kinds, sorted.
func Kinds() []Kind { return slices.Sorted(maps.Keys(faces)) }

// ExitCode is the process exit code for err; 0 for nil.
func ExitCode(err error) int {
	if err == nil {
		return ExitOK
	}
	if f, ok := faces[From(err).Kind]; ok {
		return f.exit
	}
	return ExitInternal
}

// HTTPStatus is the status for err; 200 for nil.
func HTTPStatus(err error) int {
	if err == nil {
		return 200
	}
	if f, ok := faces[From(err).Kind]; ok {
		return f.status
	}
	return 500
}
