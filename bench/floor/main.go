package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"sync"
)

// job is one execution, as the benchmark asks for it.
type job struct {
	ID   int            `json:"id"`
	URL  string         `json:"url"`
	Data map[string]any `json:"data"`
	Keep string         `json:"keep"` // folder for the pictures; empty keeps none
	// Quality is that of the JPEG pictures, 1 to 100.
	Quality int `json:"quality"`
}

// answer is what came of a job.
type answer struct {
	ID       int               `json:"id"`
	Pairs    map[string]string `json:"pairs,omitempty"`
	Pictures int               `json:"pictures"`
	Bytes    int               `json:"bytes"`
	Error    string            `json:"error,omitempty"`
}

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "floor: give the path of the browser as the only argument")
		return
	}
	if err := serve(os.Args[1], os.Stdin, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "floor:", err)
	}
}

// serve runs the jobs of in, each in its own browser context and as many at once
// as are asked for, until in ends.
func serve(browser string, in io.Reader, out io.Writer) error {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	c, err := launch(ctx, browser)
	if err != nil {
		return err
	}
	var (
		jobs sync.WaitGroup
		mu   sync.Mutex
		enc  = json.NewEncoder(out)
	)
	reply := func(a answer) {
		mu.Lock()
		defer mu.Unlock()
		_ = enc.Encode(a) // the benchmark is gone: the input ends next
	}
	lines := bufio.NewScanner(in)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var j job
		if err := json.Unmarshal(lines.Bytes(), &j); err != nil {
			reply(answer{Error: "reading a job: " + err.Error()})
			continue
		}
		jobs.Go(func() { c.run(ctx, j, reply) })
	}
	jobs.Wait()
	return c.close(ctx)
}

// run does one job. The answer goes out before the context is thrown away, so
// that cleaning up does not count as waiting.
func (c *conn) run(ctx context.Context, j job, reply func(answer)) {
	t, err := c.open(ctx)
	if err != nil {
		reply(answer{ID: j.ID, Error: err.Error()})
		return
	}
	defer t.close(ctx)
	a, err := t.execute(ctx, j)
	if err != nil {
		a.Error = err.Error()
	}
	a.ID = j.ID
	reply(a)
}
