package runner

import (
	"context"
	"errors"
	"fmt"

	"github.com/legwork-mcp/legwork/internal/fault"
	"github.com/legwork-mcp/legwork/internal/page"
	"github.com/legwork-mcp/legwork/internal/wizard"
)

// attempts to load the first page. Loading it changes nothing at the site, so
// that it may be repeated; nothing later is.
const attempts = 3

// enter opens the form's address and clicks through to its first page.
func (r *run) enter(ctx context.Context) error {
	w := r.job.Entry.Wizard
	r.job.progress(Progress{State: "opening", Total: len(w.Pages), Title: w.Name})
	place, err := r.load(ctx, w.URL)
	if err != nil {
		return err
	}
	r.place = place
	if err := verdict(place, 0); err != nil {
		return err
	}
	for _, s := range entrySteps(w) {
		if err := r.entryStep(ctx, s); err != nil {
			return err
		}
	}
	return nil
}

// load navigates, again after a connection that broke or hung.
func (r *run) load(ctx context.Context, url string) (page.Place, error) {
	var last error
	for range attempts {
		try, cancel := context.WithTimeout(ctx, r.limits.Navigation)
		place, err := r.page.Goto(try, url)
		cancel()
		if err == nil {
			return place, nil
		}
		last = err
		if ctx.Err() != nil || !transient(err) {
			break
		}
	}
	return page.Place{}, last
}

// transient reports whether loading the same address again may help.
func transient(err error) bool {
	if errors.Is(err, context.DeadlineExceeded) {
		return true
	}
	f := fault.From(err)
	return f.Kind == fault.Timeout || f.Type == TypeNavigation
}

// entrySteps are the clicks before the first page, v1.1's single one first.
func entrySteps(w *wizard.Wizard) []wizard.EntryStep {
	var steps []wizard.EntryStep
	if s := w.StartAction; s != nil {
		typ := s.SelectorType
		if typ == "" {
			typ = "text"
		}
		steps = append(steps, wizard.EntryStep{Description: s.Description, Selector: s.Selector, SelectorType: typ})
	}
	return append(steps, w.EntrySteps...)
}

func (r *run) entryStep(ctx context.Context, s wizard.EntryStep) error {
	t := page.Target{Selector: s.Selector, Type: s.SelectorType}
	if s.Optional {
		seen, err := r.page.Survey(ctx, []page.Target{t})
		if err != nil {
			return err
		}
		if !seen[0].Visible {
			return nil
		}
	}
	step, err := r.page.Advance(ctx, t, page.Proof{Next: r.soonest()})
	if err != nil {
		return fmt.Errorf("entry step %q: %w", s.Description, err)
	}
	if !step.Moved && !s.Optional {
		return failed(TypeNotAdvanced, 0, "the entry step %q changed nothing on the start page", s.Description)
	}
	r.place, r.step.Next = step.Place, step.Next
	return verdict(step.Place, 0)
}

// verdict turns a page that is not meant for programs into the end of the run.
func verdict(at page.Place, n int) error {
	v := at.Verdict
	switch v.Kind {
	case "":
		return nil
	case page.VerdictBlocked:
		return failed(TypeBlocked, n, "the site refused the visit: %s", v.Evidence)
	}
	words := map[string]string{
		page.VerdictCaptcha: "a check that the visitor is human (CAPTCHA)",
		page.VerdictLogin:   "a login",
		page.VerdictOTP:     "a one-time code",
	}
	what, ok := words[v.Kind]
	if !ok {
		what = v.Kind
	}
	p := failed(TypeHuman, n, "the site asks for %s: %s", what, v.Evidence)
	p.status, p.needs = StatusNeedsHuman, v.Kind
	return p
}
