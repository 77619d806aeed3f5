package runner

import (
	"context"
	"io/fs"
	"log/slog"
	"strings"
	"sync"
	"time"

	"github.com/legwork-mcp/legwork/internal/browser"
	"github.com/legwork-mcp/legwork/internal/page"
	"github.com/legwork-mcp/legwork/internal/wizard"
)

// engine executes jobs, one browser context each.
type engine struct {
	browser Opener
	policy  func(*wizard.Entry) (browser.Policy, error)
	uploads fs.FS
	limits  Settings
	log     *slog.Logger
	closing sync.WaitGroup // tabs on their way out
}

// outcome is everything that a run leaves behind.
type outcome struct {
	problem   *problem // nil when the form answered or the run stopped as asked
	stopped   bool
	reading   *Reading
	pages     []PageReport
	proofs    []FieldProof
	completed int
	warnings  []string
	pictures  []picture
	engines   []EngineTry     // when more than one was asked for
	used      map[string]bool // keys of the data that a page asked for
	pressed   bool            // a button that submits was pressed
	started   time.Time
	took      time.Duration
}

// reserve is the part of the execution time that is kept for the report.
func reserve(total time.Duration) time.Duration {
	return min(3*time.Second, total/10)
}

// execute runs the job to its end. It always returns an outcome: what was done
// until a problem is part of the report.
//
// A wizard may name several browsers. The next one is tried only when the site
// refused the one before, or this machine has none of it, or it cannot do what the
// form needs, and nothing was submitted: each one once, as what it is.
func (e *engine) execute(ctx context.Context, job *Job) *outcome {
	began := time.Now()
	ctx, cancel := context.WithTimeoutCause(ctx, job.Opts.Timeout-reserve(job.Opts.Timeout), errDeadline)
	defer cancel()
	order := enginesFor(job)
	var tried []EngineTry
	for i, name := range order {
		out := e.attempt(ctx, job, name)
		out.started, out.took = began, time.Since(began)
		if len(order) == 1 {
			return out
		}
		try := EngineTry{Engine: name}
		if out.problem != nil {
			try.Seen, try.Message = out.problem.typ, out.problem.message
		}
		tried = append(tried, try)
		out.engines = tried
		if !out.elsewhere() || i == len(order)-1 {
			return out
		}
	}
	return nil // never: there is at least one engine
}

// enginesFor are the browsers to try: what the caller wants, else what the wizard
// says, else the server's own, which has an empty name.
func enginesFor(job *Job) []string {
	if job.Opts.Engine != "" {
		return []string{job.Opts.Engine}
	}
	if order := job.Entry.Wizard.Browser.Order(); len(order) > 0 {
		return order
	}
	return []string{""}
}

// elsewhere reports whether another browser may do better.
func (o *outcome) elsewhere() bool {
	return o.problem != nil && !o.pressed && (o.problem.typ == TypeBlocked || o.problem.typ == TypeEngine || o.problem.typ == "browser_unavailable")
}

// attempt runs the job in one browser.
func (e *engine) attempt(ctx context.Context, job *Job, name string) *outcome {
	out := &outcome{used: map[string]bool{}}
	answers := job.Entry.Wizard.Effective(job.Answers)
	files, err := readUploads(e.uploads, job.Entry.Wizard, answers)
	if err != nil {
		out.problem = asProblem(ctx, err, 0)
		return out
	}
	tab, err := e.open(ctx, job, name)
	if err != nil {
		out.problem = asProblem(ctx, err, 0)
		return out
	}
	tab.SetDialogPolicy(dialogs(job.Entry.Wizard.Dialogs))
	r := &run{engine: e, job: job, out: out, tab: tab, page: page.Open(ctx, tab), answers: answers, plan: job.Entry.Wizard.Plan(job.Answers), files: files}
	defer e.closing.Go(func() { r.close(ctx) }) // the answer does not wait for it, Drain does
	r.page.ElementTimeout = e.limits.Element
	if err := r.drive(ctx); err != nil {
		out.problem = asProblem(ctx, err, r.number())
		if r.wentOn(ctx) {
			out.pressed = true
			out.problem.message = strings.TrimSuffix(out.problem.message, ".") + "; the form went on by itself while this page was filled in"
			out.problem.action = unsure
		} else if out.pressed && retries[out.problem.typ] {
			out.problem.action = unsure
		}
		if out.problem.typ != TypeCancelled { // nobody waits for that one
			r.errorPicture(ctx)
		}
	}
	return out
}

func (e *engine) open(ctx context.Context, job *Job, name string) (*browser.Tab, error) {
	policy, err := e.policy(job.Entry)
	if err != nil {
		return nil, err
	}
	w := job.Entry.Wizard
	return e.browser.Open(ctx, browser.TabOptions{
		Engine: name,
		Policy: policy, Width: e.limits.Width, Height: e.limits.Height,
		Headed:      w.Browser != nil && w.Browser.Headed,
		InitScripts: page.InitScripts(),
		Queue: func(position int) {
			job.progress(Progress{State: "queued", Queue: position})
		},
	})
}

// dialogs is how the wizard wants the form's own message boxes answered: yes to
// a confirmation unless it says otherwise, since without it no form goes on.
func dialogs(p *wizard.DialogPolicy) browser.DialogPolicy {
	out := browser.DialogPolicy{Confirm: p == nil || p.Confirm != "dismiss"}
	if p != nil && p.Prompt != "" {
		out.Prompt = &p.Prompt
	}
	return out
}

// progress tells the caller, if somebody listens.
func (j *Job) progress(p Progress) {
	if j.OnProgress != nil {
		j.OnProgress(p)
	}
}

// run is one execution under way.
type run struct {
	*engine
	job  *Job
	out  *outcome
	tab  *browser.Tab
	page *page.Page
	// answers are those that this branch of the form asks for.
	answers wizard.Answers
	plan    []wizard.PlannedPage // the pages that come for them
	files   map[string]page.File // by the path that the answers name

	current     *wizard.Page // the page that is worked on, nil before the first
	done        map[int]bool // page numbers whose leaving was proved
	place       page.Place   // where the form is, as last observed
	step        page.Step    // what the last Continue did
	at          string       // address of the current page
	began       time.Time    // of the work on the current page
	filling     bool         // its button was not pressed yet
	document    int          // in which the work began
	filled      []string     // field ids set on the current page
	skipped     []string     // given, but not shown by the current page
	unconfirmed bool         // the answer was concluded, not recognised by the wizard
}

func (r *run) number() int {
	if r.current == nil {
		return 0
	}
	return r.current.PageNumber
}

// close ends the browser context even when the run's own time is over.
func (r *run) close(ctx context.Context) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), 5*time.Second)
	defer cancel()
	if err := r.tab.Close(ctx); err != nil {
		r.log.Warn("closing a browser context", "run_id", r.job.RunID, "error", err)
	}
}

// drive takes the form from its address to its answer.
func (r *run) drive(ctx context.Context) error {
	r.done = map[int]bool{}
	if err := r.enter(ctx); err != nil {
		return err
	}
	for range 3 * len(r.job.Entry.Wizard.Pages) {
		next, err := r.recognise(ctx)
		if err != nil {
			return err
		}
		if r.current != nil {
			if next == r.current {
				return r.stuck(ctx)
			}
			r.left()
		}
		if next == nil {
			return r.finish(ctx)
		}
		r.current = next
		if err := r.work(ctx); err != nil || r.out.stopped {
			return err
		}
	}
	return failed(TypeUnexpectedPage, r.number(), "the form keeps coming back to pages that were already done")
}
