package process

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"time"
)

// Job is what a supervisor runs, as it finds it in its job file.
type Job struct {
	Command []string      `json:"command"` // the program by its whole path, and its arguments
	Dir     string        `json:"dir"`     // working folder
	Env     []string      `json:"env"`     // the whole environment
	Limit   time.Duration `json:"limit"`   // nanoseconds; the scan is ended after it
	Grace   time.Duration `json:"grace"`   // nanoseconds between the request to end and the end by force
	Remove  []string      `json:"remove"`  // what is removed when the scan has ended
	State   string        `json:"state"`   // path of the state file
}

// Cause says why a scan has ended.
type Cause string

// The causes.
const (
	Exited      Cause = "exited"       // by itself; see the exit code
	Killed      Cause = "killed"       // by a signal that did not come from the supervisor
	TimedOut    Cause = "timeout"      // its time was over
	Stopped     Cause = "stopped"      // the supervisor was asked to end it
	StartFailed Cause = "start_failed" // the program could not be started
	Interrupted Cause = "interrupted"  // the supervisor died; see [Bury]
)

// State is how far a scan has come, as its supervisor writes it.
type State struct {
	Supervisor Identity  `json:"supervisor"`
	Engine     Identity  `json:"engine"`
	Started    time.Time `json:"started"`
	Ended      time.Time `json:"ended,omitzero"`
	Cause      Cause     `json:"cause,omitempty"`
	ExitCode   int       `json:"exit_code"`        // with cause exited
	Signal     string    `json:"signal,omitempty"` // with cause killed
	Problem    string    `json:"problem,omitempty"`
	Folder     string    `json:"folder,omitempty"` // name of the results folder, as the engine printed it
	Stdout     []string  `json:"stdout,omitempty"` // the last lines
	Stderr     []string  `json:"stderr,omitempty"`
}

// Over reports whether the scan has ended.
func (s State) Over() bool { return s.Cause != "" }

// ReadState reads a state file. One that is not there yet is the zero State.
func ReadState(path string) (State, error) {
	var s State
	raw, err := os.ReadFile(path)
	if os.IsNotExist(err) {
		return s, nil
	}
	if err != nil {
		return s, fmt.Errorf("read the state of a scan: %w", err)
	}
	if err := json.Unmarshal(raw, &s); err != nil {
		return s, fmt.Errorf("read the state of a scan: %w", err)
	}
	return s, nil
}

// WriteFile writes v as JSON so that a reader finds the old content or the new one,
// never a part, and so that a crash of the machine leaves one of them.
func WriteFile(path string, v any) error {
	raw, err := json.MarshalIndent(v, "", "  ")
	if err != nil {
		return fmt.Errorf("write %s: %w", filepath.Base(path), err)
	}
	f, err := os.CreateTemp(filepath.Dir(path), filepath.Base(path)+".*.tmp")
	if err != nil {
		return fmt.Errorf("write %s: %w", filepath.Base(path), err)
	}
	_, err = f.Write(append(raw, '\n'))
	if err == nil {
		err = f.Sync()
	}
	if failed := f.Close(); err == nil {
		err = failed
	}
	if err == nil {
		err = os.Rename(f.Name(), path)
	}
	if err != nil {
		_ = os.Remove(f.Name()) // the first error counts
		return fmt.Errorf("write %s: %w", filepath.Base(path), err)
	}
	return nil
}
