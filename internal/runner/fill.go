package runner

import (
	"context"
	"fmt"
	"slices"

	"github.com/legwork-mcp/legwork/internal/page"
	"github.com/legwork-mcp/legwork/internal/wizard"
)

// answersFor are the values for the fields of the page that the answers so far
// put on it. Repeatable groups are left to rows.
func (r *run) answersFor(p *wizard.Page) ([]page.Answer, error) {
	var out []page.Answer
	for i := range p.Fields {
		f := &p.Fields[i]
		given, ok := r.answers[f.FieldID]
		if !ok || given == nil || f.Repeatable {
			continue
		}
		r.out.used[f.FieldID] = true
		more, err := r.answersOf(f, given)
		if err != nil {
			return nil, err
		}
		out = append(out, more...)
	}
	return out, nil
}

// fill sets the answers and judges what became of each.
func (r *run) fill(ctx context.Context, answers []page.Answer) error {
	if len(answers) == 0 {
		return nil
	}
	got, err := r.page.Enter(ctx, answers) // shown looks at them once more
	if err != nil {
		return err
	}
	return r.judge(answers, got)
}

// required reports whether the contract demands the field for these answers. A
// wizard of v1.1 cannot say when: its pages are believed.
func (r *run) required(id string) bool {
	f := r.job.Entry.Wizard.Field(id)
	if f == nil || !r.job.Entry.Wizard.Conditional() {
		return false
	}
	return f.Required || f.RequiredWhen != nil && f.RequiredWhen.Holds(r.answers)
}

// setAll sets the answers again without recording them twice.
func (r *run) setAll(ctx context.Context, answers []page.Answer) error {
	_, err := r.page.Set(ctx, answers)
	return err
}

// judge records the outcomes; the first that cannot stand ends the run.
func (r *run) judge(answers []page.Answer, got []page.Outcome) error {
	for i, o := range got {
		in := answers[i].Input
		switch o.State {
		case page.StateSet, page.StateAlready:
			r.filled = append(r.filled, in.ID)
			proof := FieldProof{FieldID: in.ID, Page: r.number(), Verified: true}
			if o.Used != "" && o.Used != in.Target.Selector && !isOption(in, o.Used) {
				proof.Selector = o.Used
				r.warn("page %d: %s was found by %s, not by the wizard's first selector; 'legwork wizards check' tells what has changed", r.number(), in.ID, other(in, o.Used))
			}
			r.out.proofs = append(r.out.proofs, proof)
		case page.StateHidden:
			r.skipped = append(r.skipped, in.ID)
			if r.required(in.ID) {
				p := failed(TypeSelector, r.number(), "page %d does not show %s (%s), which the contract requires for these answers", r.number(), in.ID, in.Label)
				p.field = in.ID
				return p
			}
			r.warn("page %d does not show %s for these answers: it was not entered", r.number(), in.ID)
		default:
			return r.cannotSet(in, o)
		}
	}
	return nil
}

// other names a selector that is not the first: an alternative by its number.
func other(in page.Input, selector string) string {
	if i := slices.Index(in.Target.Alternatives, selector); i >= 0 {
		return fmt.Sprintf("alternative %d (%s)", i+1, selector)
	}
	return fmt.Sprintf("%q", selector)
}

func isOption(in page.Input, selector string) bool {
	for _, o := range in.Options {
		if o.Selector == selector {
			return true
		}
	}
	return false
}

func (r *run) warn(format string, args ...any) {
	r.out.warnings = append(r.out.warnings, fmt.Sprintf(format, args...))
}

// cannotSet explains a field that did not take its value. The value itself is
// never part of the message.
func (r *run) cannotSet(in page.Input, o page.Outcome) error {
	p := r.whyNotSet(in, o)
	p.field = in.ID
	return p
}

func (r *run) whyNotSet(in page.Input, o page.Outcome) *problem {
	name := fmt.Sprintf("field %s (%s) on page %d", in.ID, in.Label, r.number())
	switch o.State {
	case page.StateNotFound:
		return failed(TypeSelector, r.number(), "%s: nothing matches %s", name, quote(in.Target.Selector))
	case page.StateAmbiguous:
		return failed(TypeAmbiguous, r.number(), "%s: %s matches several elements: %s", name, quote(in.Target.Selector), list(o.Candidates, 5))
	case page.StateOptionNotFound:
		p := failed(TypeOption, r.number(), "%s has no such option", name)
		if len(o.Candidates) > 0 {
			p.message += "; it offers: " + list(o.Candidates, 20)
		}
		p.validation = []ValidationError{{
			Field: in.Label, FieldID: in.ID, Message: "not one of the options that the page offers",
			ProvidedValue: r.job.Answers[in.ID], AllowedValues: anys(o.Candidates, 50),
		}}
		return p
	case page.StateDisabled, page.StateReadOnly:
		return failed(TypeDisabled, r.number(), "%s is %s", name, o.State)
	}
	return r.mismatch([]page.Outcome{o})
}

// mismatch names the fields that kept another value than the one given.
func (r *run) mismatch(lost []page.Outcome) *problem {
	var ids []string
	for _, o := range lost {
		ids = append(ids, o.ID)
	}
	p := failed(TypeMismatch, r.number(), "page %d kept another value than the one given in: %s", r.number(), list(ids, 10))
	p.field = ids[0]
	for _, o := range lost {
		said := "the page kept " + quote(o.Got)
		if o.Message != "" {
			said += ": " + o.Message
		}
		p.validation = append(p.validation, ValidationError{Field: o.ID, FieldID: o.ID, Message: said, ProvidedValue: r.job.Answers[o.ID]})
	}
	return p
}

func anys(s []string, n int) []any {
	var out []any
	for _, v := range s[:min(n, len(s))] {
		out = append(out, v)
	}
	return out
}

// quote shortens what a page says or holds for a message to the caller.
func quote(s string) string {
	if r := []rune(s); len(r) > 200 {
		s = string(r[:200]) + "…"
	}
	return fmt.Sprintf("%q", s)
}
