package scout

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"time"

	"github.com/legwork-mcp/legwork/internal/browser"
	"github.com/legwork-mcp/legwork/internal/fault"
	"github.com/legwork-mcp/legwork/internal/page"
	"github.com/legwork-mcp/legwork/internal/wizard"
)

// Checker compares wizards with their forms as they are today.
type Checker struct {
	Browser Opener
	// Policy is what the form of a wizard may reach.
	Policy func(e *wizard.Entry) (browser.Policy, error)
	// Prover replays a repaired wizard; without it nothing is repaired.
	Prover        Prover
	Width, Height int
	Logger        *slog.Logger
	// Progress is told what is done, in words; it must not block.
	Progress func(string)
}

// Drift is what a wizard and its form no longer agree on, as far as the form
// could be gone through.
type Drift struct {
	Findings []Finding `json:"findings"`
	// Unreached is what could not be looked at, and why.
	Unreached []string `json:"unreached"`
	// Branches is how often the form was gone through; Pages and Fields are how
	// many of the wizard's were seen.
	Branches int `json:"branches"`
	Pages    int `json:"pages_seen"`
	Fields   int `json:"fields_seen"`
	// Broken: an error kept a branch from being looked at to its end.
	Broken bool `json:"broken,omitempty"`
	// MayAct says which button that should lead on may really submit now; empty when
	// there is none. The wizard must not be replayed then.
	MayAct string `json:"may_submit,omitempty"`

	mended *wizard.Wizard // what the form asks for now, as far as it is known
	at     time.Time
}

// add keeps a finding once.
func (d *Drift) add(f Finding) {
	if !slices.ContainsFunc(d.Findings, func(o Finding) bool { return o.about() == f.about() }) {
		d.Findings = append(d.Findings, f)
	}
}

// unreached keeps a reason once.
func (d *Drift) unreached(format string, args ...any) {
	s := fmt.Sprintf(format, args...)
	if !slices.Contains(d.Unreached, s) {
		d.Unreached = append(d.Unreached, s)
	}
}

// Check goes through the form with the wizard's example, or through all of its
// branches, up to the button that submits. It goes on behind what it can find
// in another way, so that one check tells everything.
func (c Checker) Check(ctx context.Context, e *wizard.Entry, branches bool) (*Drift, error) {
	mended, err := copyWizard(e.Wizard)
	if err != nil {
		return nil, err
	}
	policy, err := c.Policy(e)
	if err != nil {
		return nil, err
	}
	if c.Logger == nil {
		c.Logger = slog.New(slog.DiscardHandler)
	}
	x := newExplorer(Request{URL: e.Wizard.URL, Progress: c.Progress}, func(ctx context.Context) (*browser.Tab, error) {
		return c.Browser.Open(ctx, browser.TabOptions{
			Policy: policy, Width: c.Width, Height: c.Height, InitScripts: page.InitScripts(), Headed: e.Wizard.Browser != nil && e.Wizard.Browser.Headed,
		})
	}, c.Logger)
	s := newSurvey(x, e.Wizard, mended)
	sets, err := branchesOf(e, branches)
	if err != nil {
		return nil, err
	}
	if err := s.branches(ctx, sets); err != nil {
		return nil, err
	}
	if branches && len(s.inserted) > 0 {
		more, err := otherAnswers(e, sets)
		if err != nil {
			return nil, err
		}
		if err := s.branches(ctx, more); err != nil {
			return nil, err
		}
	}
	return s.finish(branches), nil
}

// branches goes through the form once with each data set.
func (s *survey) branches(ctx context.Context, sets []wizard.Answers) error {
	for _, answers := range sets {
		n := s.drift.Branches + 1
		s.report("looking at branch %d", n)
		err := s.branch(ctx, answers)
		if errors.Is(err, browser.ErrCrashed) || errors.Is(err, browser.ErrClosed) {
			err = s.branch(ctx, answers) // in the browser that took its place
		}
		if err != nil {
			if ctx.Err() != nil {
				return err
			}
			s.drift.Broken = true
			s.drift.unreached("the rest of branch %d: %s", n, fault.From(err).Message)
		}
		if len(s.came) == 0 && len(s.inserted) == 0 {
			return nil // whatever keeps the form from coming, other answers do not change it
		}
	}
	return nil
}

// branchesOf are the data with which a form is gone through: the example, and
// with all branches as few more as it takes to be asked everything.
func branchesOf(e *wizard.Entry, all bool) ([]wizard.Answers, error) {
	example, err := answersOf(e.Contract.Example())
	if err != nil || !all {
		return []wizard.Answers{example}, err
	}
	out := []wizard.Answers{example}
	seen := map[string]bool{}
	asks := func(a wizard.Answers) (ids []string) {
		for _, p := range e.Wizard.Plan(a) {
			for _, f := range p.Fields {
				if !seen[f.FieldID] {
					ids = append(ids, f.FieldID)
				}
			}
		}
		return ids
	}
	var rest []wizard.Answers
	for _, set := range e.Contract.DataSets() {
		a, err := answersOf(set)
		if err != nil {
			return nil, err
		}
		rest = append(rest, a)
	}
	for next := example; len(out) <= maxReplays; {
		for _, id := range asks(next) {
			seen[id] = true
		}
		most := 0
		for _, a := range rest {
			if n := len(asks(a)); n > most {
				next, most = a, n
			}
		}
		if most == 0 {
			break
		}
		out = append(out, next)
	}
	return out, nil
}

// copyWizard is a wizard that may be changed.
func copyWizard(w *wizard.Wizard) (*wizard.Wizard, error) {
	raw, err := w.Marshal()
	if err != nil {
		return nil, err
	}
	return wizard.Parse(raw)
}

// answersOf is a data set as the conditions of a wizard read it.
func answersOf(set map[string]any) (wizard.Answers, error) {
	raw, err := json.Marshal(set)
	if err != nil {
		return nil, fmt.Errorf("write the example data: %w", err)
	}
	return wizard.DecodeAnswers(raw)
}
