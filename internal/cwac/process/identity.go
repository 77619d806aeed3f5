package process

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
