package process

import (
	"bufio"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"strings"
	"time"
)

// startLimit is how long a supervisor may take to start its engine.
const startLimit = 20 * time.Second

// Start writes the job file and starts a supervisor on it: launch is the program and
// its arguments, to which the path of the job file is added. It returns the state
// once the engine runs, or could not be started.
func Start(ctx context.Context, launch []string, jobFile string, job Job) (State, error) {
	if err := WriteFile(jobFile, job); err != nil {
		return State{}, err
	}
	from, to, err := os.Pipe()
	if err != nil {
		return State{}, fmt.Errorf("start the supervisor: %w", err)
	}
	defer func() { _ = from.Close() }() // only read
	cmd := exec.Command(launch[0], append(launch[1:len(launch):len(launch)], jobFile)...)
	cmd.Dir, cmd.Env, cmd.Stdout, cmd.SysProcAttr = job.Dir, job.Env, to, detached()
	err = cmd.Start()
	_ = to.Close() // the supervisor has its own
	if err != nil {
		return State{}, fmt.Errorf("start the supervisor: %w", err)
	}
	limited, cancel := context.WithTimeout(ctx, startLimit)
	defer cancel()
	stop := context.AfterFunc(limited, func() { _ = from.SetReadDeadline(time.Now()) }) // pipes can do it
	defer stop()
	line, err := bufio.NewReader(from).ReadString('\n')
	if strings.TrimSpace(line) != ready {
		err = cmp.Or(err, fmt.Errorf("it said %.40q", line))
		killed := cmd.Process.Kill()
		_ = cmd.Wait() // it was killed, or ended without a word
		return State{}, errors.Join(fmt.Errorf("start the supervisor: it did not say that it is ready: %w", err), ignoreDone(killed))
	}
	// It is not waited for: it may outlive this process. See Collect.
	if err := cmd.Process.Release(); err != nil {
		return State{}, fmt.Errorf("let the supervisor go: %w", err)
	}
	return ReadState(job.State)
}

func ignoreDone(err error) error {
	if errors.Is(err, os.ErrProcessDone) {
		return nil
	}
	return err
}

// Stop asks the supervisor of a scan to end it. A scan that has ended is no error.
func Stop(s State) error {
	if s.Over() || !s.Supervisor.Alive() {
		return nil
	}
	if err := terminate(s.Supervisor); err != nil && !errors.Is(err, os.ErrProcessDone) {
		return fmt.Errorf("stop a scan: %w", err)
	}
	return nil
}

// Bury writes down the end of a scan whose supervisor has died, ends what it has
// left behind and removes its temporary files. A scan that goes on, or has ended, is
// left alone. It returns the state that holds now.
func Bury(jobFile string, now time.Time) (State, error) {
	raw, err := os.ReadFile(jobFile)
	if err != nil {
		return State{}, fmt.Errorf("bury a scan: %w", err)
	}
	var job Job
	if err := json.Unmarshal(raw, &job); err != nil {
		return State{}, fmt.Errorf("bury a scan: %w", err)
	}
	s, err := ReadState(job.State)
	if err != nil || s.Over() || s.Supervisor.Alive() {
		return s, err
	}
	// It may have written its last words since they were read.
	if s, err = ReadState(job.State); err != nil || s.Over() {
		return s, err
	}
	lived := job.Limit + job.Grace + pipeDelay + cleanLimit
	killAll(func() []int { return leftOf(s.Supervisor, lived) }, cleanLimit)
	s.Cause, s.Ended = Interrupted, now
	if info, err := os.Stat(job.State); err == nil && info.ModTime().Before(now) {
		s.Ended = info.ModTime().UTC() // the last sign of life
	}
	for _, path := range job.Remove {
		if err := os.RemoveAll(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
			s.Problem = strings.TrimSpace(s.Problem + " A temporary file stays: " + err.Error())
		}
	}
	return s, WriteFile(job.State, s)
}
