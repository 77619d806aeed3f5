package engine

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"strings"
	"sync"
	"time"

	"github.com/legwork-mcp/legwork/internal/cwac/audit"
	"github.com/legwork-mcp/legwork/internal/cwac/results"
	"github.com/legwork-mcp/legwork/internal/fault"
)

// run is one scan under way.
type run struct {
	Options
	login *Login
	out   *results.Writer
	meter *meter
	stop  context.CancelCauseFunc

	mu      sync.Mutex // guards what follows, and the calls of the watcher
	pages   int
	outcome Outcome
	crawled int            // sites whose crawl went to its end
	unused  map[string]int // of these, how many had no address for an include pattern
	paths   []string       // that they have, for the nearest one
}

// Run scans the sites of the configuration and writes the results folder as it goes.
// A context that ends is no error: what was found by then is kept, and the outcome
// says that the scan was cancelled. The error is why it could not begin, or why it
// could not go on, such as a full disk; the outcome then still names the folder, if
// there is one.
func Run(ctx context.Context, o Options) (Outcome, error) {
	o, err := o.checked()
	if err != nil {
		return Outcome{}, err
	}
	login, err := parseLogin(o.Config.Legwork.Login)
	if err != nil {
		return Outcome{}, err
	}
	sites, repeated := o.once()
	o.Sites, o.Skipped = sites, append(o.Skipped, repeated...)
	start := o.Clock.Now()
	versions := maps.Clone(o.Versions)
	if versions == nil {
		versions = map[string]string{}
	}
	versions["axe-core"] = audit.AxeVersion
	out, err := results.Create(o.OutDir, o.Config, start, results.Scan{Versions: versions, Process: o.Process})
	if err != nil {
		return Outcome{}, err
	}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	r := &run{
		Options: o, login: login, out: out, stop: cancel, meter: newMeter(start, len(o.Sites), o.Config.MaxLinksPerDomain),
		unused:  map[string]int{},
		outcome: Outcome{Dir: out.Dir(), Name: out.Name()},
	}
	r.Watch.Begin(Begun{Config: o.Config, Name: out.Name(), Dir: out.Dir(), Sites: len(o.Sites), Start: start})
	r.skipped()
	if len(r.Sites) == 0 {
		r.note(results.Note{Kind: noteNoSites, Text: noSites})
	}
	r.sites(ctx)
	r.unmatched(ctx)
	return r.finish(ctx)
}

// The kinds of notes on the input.
const (
	noteSkipped = "input_skipped"
	noteNoSites = "no_sites"
)

// noSites is why a scan without sites scanned nothing: CWAC does not say.
const noSites = "There was no base URL to scan: no .csv file below base_urls_visit_path names one that can be scanned and that filter_to_organisations and filter_to_urls let through."

// sites scans all of them, several at a time when the configuration has threads.
func (r *run) sites(ctx context.Context) {
	sites := r.Sites
	if r.Config.ShuffleBaseURLs {
		sites = spread(sites)
	}
	queue := make(chan results.Site)
	var workers sync.WaitGroup
	parallel := min(r.Config.ThreadCount, len(sites))
	if r.Parallel > 0 {
		parallel = min(parallel, r.Parallel)
	}
	for range parallel {
		workers.Go(func() {
			for s := range queue {
				r.site(ctx, s)
			}
		})
	}
	for _, s := range sites {
		queue <- s // a site that comes after the end is only recorded
	}
	close(queue)
	workers.Wait()
}

// errStopped marks a cancellation by this package, whose cause is the reason.
type errStopped struct{ error }

// Unwrap gives the reason.
func (e errStopped) Unwrap() error { return e.error }

// fail ends the whole scan: what went wrong will go wrong again.
func (r *run) fail(err error) { r.stop(errStopped{err}) }

// keep ends the scan when results cannot be written.
func (r *run) keep(err error) {
	if err != nil {
		r.fail(err)
	}
}

// note adds to what a reader of the whole scan must know. Each call writes the record
// of the scan anew.
func (r *run) note(list ...results.Note) {
	r.mu.Lock()
	r.outcome.Notes = append(r.outcome.Notes, list...)
	r.mu.Unlock()
	r.keep(r.out.Update(func(s *results.Scan) { s.Notes = append(s.Notes, list...) }))
}

// maxSkipped is how many rows of the input files that name no site are told one by one:
// there may be a hundred thousand, more than a record that is read may hold.
const maxSkipped = 100

func (r *run) skipped() {
	var list []results.Note
	for _, text := range r.Remarks[:min(len(r.Remarks), maxSkipped)] {
		list = append(list, results.Note{Kind: "configuration", Text: text})
	}
	told := r.Skipped[:min(len(r.Skipped), maxSkipped)]
	for _, s := range told {
		list = append(list, results.Note{Kind: noteSkipped, Text: s.Place + ": " + s.Reason, Where: s.URL})
	}
	if left := len(r.Skipped) - len(told); left > 0 {
		list = append(list, results.Note{Kind: noteSkipped, Text: fmt.Sprintf("%d more rows of the input files name no site.", left)})
	}
	if list != nil {
		r.note(list...)
	}
}

// step tells watcher and progress.csv how far the scan is.
func (r *run) step(page, outcome string, issues int) {
	p := r.meter.read(r.Clock.Now())
	r.keep(r.out.Progress(p))
	r.mu.Lock()
	defer r.mu.Unlock()
	r.Watch.Step(Step{Progress: p, Page: page, Outcome: outcome, Issues: issues})
}

// nextPage numbers the pages of the whole scan.
func (r *run) nextPage() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.pages++
	return r.pages
}

// found counts issues, without what a person must decide.
func (r *run) found(findings []results.Finding) int {
	n := 0
	for _, f := range findings {
		if !f.Review {
			n += max(f.Count, 1)
		}
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.outcome.Issues += n
	return n
}

// finish writes the end of the scan.
func (r *run) finish(ctx context.Context) (Outcome, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	state, why := results.StateComplete, error(nil)
	var stopped errStopped
	switch cause := context.Cause(ctx); {
	case errors.As(cause, &stopped):
		state, why = results.StateFailed, stopped.error
		message := strings.TrimSpace(fault.From(why).Message + " " + fault.From(why).Action)
		why = errors.Join(why, r.out.Update(func(s *results.Scan) { s.Error = message }))
	case cause != nil:
		state = results.StateCancelled
	}
	end := r.Clock.Now()
	if err := r.out.Finish(state, end); err != nil && why == nil {
		state, why = results.StateFailed, err
	}
	r.outcome.State, r.outcome.Elapsed = state, end.Sub(r.out.Scan().Start)
	r.Watch.End(r.outcome)
	if why != nil {
		return r.outcome, fmt.Errorf("scan: %w", why)
	}
	return r.outcome, nil
}

// delay is a span of the configuration, which counts in seconds.
func delay(s float64) time.Duration { return time.Duration(s * float64(time.Second)) }
