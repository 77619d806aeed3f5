package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"sync"
	"time"
)

// lines is a contender that takes jobs and gives answers as JSON lines.
type lines struct {
	*process
	label string
	in    io.WriteCloser
	read  chan struct{} // closed when no more answers come

	mu      sync.Mutex
	waiting map[int]chan answer
}

// startLines starts a contender that reads jobs from its standard input.
func startLines(label string, argv ...string) (*lines, error) {
	cmd := exec.Command(argv[0], argv[1:]...)
	in, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, pipe := io.Pipe()
	cmd.Stdout = pipe
	l := &lines{label: label, in: in, read: make(chan struct{}), waiting: map[int]chan answer{}}
	if l.process, err = spawn(cmd); err != nil {
		return nil, err
	}
	go func() {
		<-l.ended
		pipe.Close()
	}()
	go l.receive(out)
	return l, nil
}

// receive hands answers to those who wait for them.
func (l *lines) receive(out io.Reader) {
	defer close(l.read)
	s := bufio.NewScanner(out)
	s.Buffer(nil, 1<<20)
	for s.Scan() {
		var a answer
		if json.Unmarshal(s.Bytes(), &a) != nil {
			continue
		}
		l.mu.Lock()
		to := l.waiting[a.ID]
		delete(l.waiting, a.ID)
		l.mu.Unlock()
		if to != nil {
			to <- a
		}
	}
}

func (l *lines) name() string { return l.label }

func (l *lines) run(ctx context.Context, j job) (answer, error) {
	line, err := json.Marshal(j)
	if err != nil {
		return answer{}, err
	}
	reply := make(chan answer, 1)
	l.mu.Lock()
	l.waiting[j.ID] = reply
	_, err = l.in.Write(append(line, '\n'))
	l.mu.Unlock()
	if err != nil {
		return answer{}, errors.Join(fmt.Errorf("giving %s a job: %w", l.label, err), l.gone())
	}
	select {
	case a := <-reply:
		if a.Error != "" {
			return a, errors.New(a.Error)
		}
		return a, nil
	case <-l.read:
		return answer{}, l.gone()
	case <-ctx.Done():
		return answer{}, fmt.Errorf("%s gave no answer: %w", l.label, ctx.Err())
	}
}

func (l *lines) stop() error {
	l.in.Close()
	err := l.finish(15 * time.Second)
	<-l.read
	return err
}
