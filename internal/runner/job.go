package runner

import (
	"time"

	"github.com/legwork-mcp/legwork/internal/wizard"
)

// Job is one execution that was asked for: what to run, with which answers.
type Job struct {
	RunID   string
	Entry   *wizard.Entry
	Answers wizard.Answers
	Opts    RunOptions
	// OnProgress is told about each page; it must not block.
	OnProgress func(Progress)
	// BeforeSubmit is told that a button that submits is about to be pressed; its
	// error keeps that from happening.
	BeforeSubmit func() error
}

// Progress is how far a run is.
type Progress struct {
	Done, Total int    // pages
	Page        int    // 0 before the first page
	Title       string // of the page that is worked on
	State       string // queued, opening, filling, reading
	Queue       int    // position in the line while queued
}

// RunOptions are the caller's wishes, all settled.
type RunOptions struct {
	Screenshots      bool
	Quality          int
	Timeout          time.Duration
	DryRun           bool
	StopBeforeSubmit bool
	IncludeValues    bool
	// Engine is the browser that the caller wants; empty leaves it to the wizard, and
	// then to the server.
	Engine string
	// AllPictures keeps every tile at full size: for a report on disk, not for a reply.
	AllPictures bool
	// Notes say where the wishes were settled otherwise than asked.
	Notes []string
}

// stops reports whether the run must not press a button that submits.
func (o RunOptions) stops() bool { return o.DryRun || o.StopBeforeSubmit }

// pageTitle is the page's name for people.
func pageTitle(p *wizard.Page) string {
	if p == nil {
		return ""
	}
	return p.PageTitle
}
