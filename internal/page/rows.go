package page

import (
	"context"
	"errors"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/legwork-mcp/legwork/internal/browser"
	"github.com/legwork-mcp/legwork/internal/fault"
)

// Group is a repeatable set of fields: how a row is opened, stored and seen.
type Group struct {
	// Add opens the fields of a new row.
	Add Target
	// Save stores the row. Without it the button of the open dialog, or a button
	// "Save" near the fields, is pressed if there is one.
	Save Target
	// Row matches one element per stored row, to prove that one came.
	Row Target
}

// rowState is what the page says about a row under way.
type rowState struct {
	Rows   int     `json:"rows"` // -1 when the rows cannot be counted
	Dialog bool    `json:"dialog"`
	Shown  int     `json:"shown"`
	Empty  bool    `json:"empty"`
	Fresh  bool    `json:"fresh"`
	Errors int     `json:"errors"`
	Quiet  float64 `json:"quiet"`
}

// AddRow enters row n, counted from 0, and proves that the page took it. In a
// selector {index} stands for n, as programs count, and {number} for n+1, as
// people do: pages number their rows in either way.
func (p *Page) AddRow(ctx context.Context, g Group, n int, answers []Answer) ([]Outcome, error) {
	r := &row{page: p, group: g.at(n), answers: at(answers, n), index: n}
	frame, err := p.frameSoon(ctx, g.Add.Frame)
	if errors.Is(err, errNoFrame) {
		return nil, notThere(g.Add, nil)
	}
	if err != nil {
		return nil, err
	}
	r.frame = frame
	kept := slices.Clone(p.last) // a stored row's fields are empty again, and shall be
	defer func() { p.last = kept }()
	return r.enter(ctx)
}

type row struct {
	page    *Page
	group   Group
	answers []Answer
	index   int
	frame   browser.FrameID
}

func (r *row) enter(ctx context.Context) ([]Outcome, error) {
	p := r.page
	before, err := r.state(ctx)
	if err != nil {
		return nil, err
	}
	if err := p.read(ctx, r.frame, call{Name: "remember"}, nil); err != nil {
		return nil, err
	}
	defer func() {
		// The document may be gone; then so is what it remembered.
		_ = p.invoke(context.WithoutCancel(ctx), r.frame, call{Name: "forget"}, nil)
	}()
	opened := before.Shown == 0 || !before.Empty || r.index > 0
	if opened && !r.group.Add.None() {
		if err := r.open(ctx, before); err != nil {
			return nil, err
		}
	}
	out, err := p.Set(ctx, r.answers)
	if err != nil {
		return out, err
	}
	for _, o := range out {
		if !o.State.OK() && o.State != StateHidden {
			return out, nil // the caller names the field
		}
	}
	return out, r.store(ctx, before, opened)
}

// open presses Add and waits until fields of a new row are there.
func (r *row) open(ctx context.Context, before rowState) error {
	if err := r.page.Click(ctx, r.group.Add); err != nil {
		return err
	}
	for since := time.Now(); ; {
		s, err := r.state(ctx)
		if err != nil {
			return err
		}
		if s.Fresh || (s.Shown > 0 && before.Shown == 0) || (s.Dialog && !before.Dialog && s.Shown > 0) {
			return nil
		}
		still, err := r.page.rest(ctx, r.frame)
		if err != nil {
			return err
		}
		if r.page.over(since) || (still && time.Since(since) > quietTime) {
			return nil // Set says which field is missing
		}
	}
}

// store presses Save, if the row has one, and waits for the proof.
func (r *row) store(ctx context.Context, before rowState, opened bool) error {
	save := r.group.Save
	if save.None() {
		var found *Target
		if err := r.page.read(ctx, r.frame, call{"saveButton", r.arg()}, &found); err != nil {
			return err
		}
		if found != nil {
			save = *found
		}
	}
	if save.None() && !opened {
		if s, err := r.state(ctx); err != nil || s.Rows < 0 || s.Rows > before.Rows {
			return err
		}
		save = r.group.Add // a form in which Add stores what stands beside it
	}
	if !save.None() {
		save.Frame = r.group.Add.Frame
		if err := r.page.Click(ctx, save); err != nil {
			return err
		}
	}
	return r.prove(ctx, before, !save.None())
}

// prove waits until the row is stored: one more row, or without a way to count
// them, the fields of the row closed.
func (r *row) prove(ctx context.Context, before rowState, saved bool) error {
	// On a busy machine a look takes longer than the page does: what counts is how often
	// nothing had come, too.
	const looks = 5
	for since, quiet := time.Now(), 0; ; {
		s, err := r.state(ctx)
		if err != nil {
			return err
		}
		if s.Rows > before.Rows || (s.Rows < 0 && (!saved || s.Shown == 0 || (before.Dialog != s.Dialog && !s.Dialog))) {
			return nil
		}
		still, err := r.page.rest(ctx, r.frame)
		if err != nil {
			return err
		}
		if still {
			quiet++
		}
		if still && s.Rows < 0 && s.Errors == 0 && s.Empty && time.Since(since) > quietTime {
			return nil // an inline form that was stored and emptied
		}
		if r.page.over(since) || (still && quiet >= looks && time.Since(since) > patience) {
			return r.refused(ctx)
		}
	}
}

// refused says what the form has against the row.
func (r *row) refused(ctx context.Context) error {
	errs, err := r.page.Errors(ctx, nil)
	if err != nil {
		return err
	}
	var texts []string
	for _, e := range errs {
		texts = append(texts, e.Text)
	}
	message := "The page did not add row " + strconv.Itoa(r.index+1)
	if len(texts) > 0 {
		message += ": " + strings.Join(texts, "; ")
	}
	return fault.New(fault.Failed, "page_rejected", message+".", "Correct the row's values, or the group's save and row selectors.")
}

func (r *row) arg() map[string]any {
	fields := make([]Target, 0, len(r.answers))
	for _, a := range r.answers {
		if pathKey(a.Target.Frame) == pathKey(r.group.Add.Frame) {
			fields = append(fields, a.Target)
		}
	}
	return map[string]any{"fields": fields, "row": r.group.Row}
}

func (r *row) state(ctx context.Context) (rowState, error) {
	var s rowState
	err := r.page.read(ctx, r.frame, call{"rowState", r.arg()}, &s)
	return s, err
}

// at puts the row's number into the selectors.
func (g Group) at(n int) Group {
	g.Add, g.Save, g.Row = g.Add.at(n), g.Save.at(n), g.Row.at(n)
	return g
}

func (t Target) at(n int) Target {
	t.Selector = OfRow(t.Selector, n)
	alternatives := make([]string, len(t.Alternatives))
	for i, s := range t.Alternatives {
		alternatives[i] = OfRow(s, n)
	}
	t.Alternatives = alternatives
	return t
}

// OfRow is a selector in row n, counted from 0: {index} becomes n, {number} n+1.
func OfRow(selector string, n int) string {
	return strings.NewReplacer("{index}", strconv.Itoa(n), "{number}", strconv.Itoa(n+1)).Replace(selector)
}

func at(answers []Answer, n int) []Answer {
	out := make([]Answer, len(answers))
	for i, a := range answers {
		a.Target = a.Target.at(n)
		a.Options = slices.Clone(a.Options)
		for j := range a.Options {
			a.Options[j].Selector = OfRow(a.Options[j].Selector, n)
		}
		if a.Parts != nil {
			a.Parts = maps.Clone(a.Parts)
			for name, part := range a.Parts {
				a.Parts[name] = part.at(n)
			}
		}
		out[i] = a
	}
	return out
}
