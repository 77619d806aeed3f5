package main

import "context"

// job is one execution of the form.
type job struct {
	ID   int            `json:"id"`
	URL  string         `json:"url"`
	Data map[string]any `json:"data"`
	Keep string         `json:"keep,omitempty"` // folder for the pictures; empty keeps none
	// Quality is that of the JPEG pictures, 1 to 100.
	Quality int `json:"quality"`
}

// answer is what a contender says about a job.
type answer struct {
	ID       int               `json:"id"`
	Pairs    map[string]string `json:"pairs"` // terms and values of the answer page
	Pictures int               `json:"pictures"`
	Bytes    int               `json:"bytes"` // of all pictures
	Error    string            `json:"error"`
}

// contender is a program that runs the form. Its run may be called concurrently.
type contender interface {
	name() string
	pid() int
	run(ctx context.Context, j job) (answer, error)
	stop() error
}
