package process

import (
	"encoding/json"
	"os"
)

// Identity names a process for good: its id is given to another process some day,
// its id with the moment of its start is not.
type Identity struct {
	PID   int    `json:"pid"`
	Start string `json:"start,omitempty"` // in the words of the system
	Boot  string `json:"boot,omitempty"`  // which start of the machine
}

// Alive reports whether the process still runs. One that has ended and was not
// collected yet does not.
func (i Identity) Alive() bool {
	if i.PID <= 0 {
		return false
	}
	now, ok := identify(i.PID)
	return ok && now == i
}

// Self is the identity of this process; its zero value where the system does not tell.
func Self() Identity {
	i, _ := identify(os.Getpid())
	return i
}

// Named reports whether the process of an identity as JSON runs.
func Named(identity json.RawMessage) bool {
	var i Identity
	return json.Unmarshal(identity, &i) == nil && i.Alive()
}
