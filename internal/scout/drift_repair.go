package scout

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/legwork-mcp/legwork/internal/fault"
	"github.com/legwork-mcp/legwork/internal/wizard"
)

// Repair is a wizard that fits its form again, for a person to look at.
type Repair struct {
	Wizard *wizard.Wizard `json:"-"`
	// Contract is nil when it follows from the wizard.
	Contract *wizard.Contract `json:"-"`
	// Changes is what was changed in the wizard.
	Changes []wizard.Change `json:"changes"`
	// Remarks are what a person should look at: what was made up, and what could
	// not be repaired.
	Remarks []string `json:"remarks"`
	// Proofs are the replays of the repaired wizard; Proven is true when all held.
	Proofs []Proof `json:"proofs"`
	Proven bool    `json:"proven"`
}

// finish puts together what was seen on all branches.
func (s *survey) finish(branches bool) *Drift {
	d := s.drift
	for id, f := range s.missing {
		if !s.found[id] || f.Kind == FoundHidden {
			d.add(f)
			continue
		}
		f.Kind = FoundHidden
		f.Message = quoted(f.Label) + " is not shown for some answers for which its condition holds"
		d.add(f)
	}
	for n, f := range s.gone {
		if !s.came[n] {
			d.add(f)
		}
	}
	for i := range s.added {
		d.add(s.added[i].finding(s.was.Page(s.added[i].page)))
	}
	s.headings()
	d.Pages, d.Fields = len(s.came), len(s.found)
	s.notAsked(branches)
	d.mended = s.wizard
	s.mendPages()
	slices.SortStableFunc(d.Findings, func(a, b Finding) int { return a.Page - b.Page })
	return d
}

// finding tells of a question that the wizard does not have.
func (a addition) finding(p *wizard.Page) Finding {
	f := Finding{
		Kind: FoundField, Page: a.page, FieldID: a.field.FieldID, Label: printable(a.field.Label), Is: string(a.control.Kind),
		Required: a.field.Required, Breaks: a.field.Required, Works: &Works{Selector: a.field.Selector, From: fromPage, Score: stability(a.field.Selector, spotted{control: &a.control}), Frame: a.field.Frame},
	}
	if p != nil {
		f.Title = printable(p.PageTitle)
	}
	need := "optional"
	if a.field.Required {
		need = "required"
	}
	f.Message = fmt.Sprintf("the page asks %s (%s, %s, %s), which the wizard does not have", quoted(a.field.Label), a.control.Kind, need, a.field.Selector)
	return f
}

// notAsked says which pages and fields no branch came by.
func (s *survey) notAsked(branches bool) {
	hint := ""
	if !branches {
		hint = "; --branches goes through the others"
	}
	for _, p := range s.was.OrderedPages() {
		if !s.came[p.PageNumber] {
			if _, gone := s.gone[p.PageNumber]; !gone {
				s.drift.unreached("page %d (%s) was not seen%s", p.PageNumber, p.PageTitle, hint)
			}
			continue
		}
		var ids []string
		for _, it := range itemsOf(p) {
			if _, missing := s.missing[it.id]; !missing && !s.found[it.id] {
				ids = append(ids, it.id)
			}
		}
		if len(ids) > 0 {
			s.drift.unreached("page %d: not asked in the branches that were gone through: %s%s", p.PageNumber, list(ids, 10), hint)
		}
	}
}

// mendPages writes into the mended wizard what belongs to whole pages: fields
// and pages that are new or gone.
func (s *survey) mendPages() {
	s.mendEntry()
	for id := range s.missing {
		f := s.missing[id]
		if s.found[id] || f.Kind == FoundHidden || s.needed(id) {
			continue
		}
		for i := range s.wizard.Pages {
			p := &s.wizard.Pages[i]
			p.Fields = slices.DeleteFunc(p.Fields, func(x wizard.Field) bool { return x.FieldID == id })
		}
	}
	for _, a := range s.added {
		if p := s.wizard.Page(a.page); p != nil {
			f := cleaned(a.field)
			at := slices.IndexFunc(p.Fields, func(x wizard.Field) bool { return x.FieldID == a.after }) + 1
			p.Fields = slices.Insert(p.Fields, at, f)
		}
	}
	for n := range s.gone {
		if p := s.wizard.Page(n); p != nil && !s.came[n] && !slices.ContainsFunc(p.Fields, func(f wizard.Field) bool { return s.needed(f.FieldID) }) {
			s.wizard.Pages = slices.DeleteFunc(s.wizard.Pages, func(q wizard.Page) bool { return q.PageNumber == n })
		}
	}
	s.insertPages()
	for i, p := range s.wizard.OrderedPages() {
		p.PageNumber = i + 1
	}
	s.wizard.TotalPages = len(s.wizard.Pages)
}

// mendEntry leaves out the clicks of the way in that lead nowhere any more: the
// form is there without the first of them, so also without the rest.
func (s *survey) mendEntry() {
	n := s.needless - 1
	if n < 0 {
		return
	}
	if s.wizard.StartAction != nil {
		if n == 0 {
			s.wizard.StartAction, s.wizard.EntrySteps = nil, nil
			return
		}
		n--
	}
	s.wizard.EntrySteps = s.wizard.EntrySteps[:n]
}

// newWords mark a field that was drafted from the page.
const newWords = "New on the form, drafted from the page: check the label, the kind and the example."

// insertPages puts the new pages in their places. Numbers are made room for.
func (s *survey) insertPages() {
	for i, ins := range s.inserted {
		at := ins.after + 1
		for _, earlier := range s.inserted[:i] {
			if earlier.after < ins.after || earlier.after == ins.after {
				at++
			}
		}
		for j := range s.wizard.Pages {
			if s.wizard.Pages[j].PageNumber >= at {
				s.wizard.Pages[j].PageNumber++
			}
		}
		var earlier []string
		for _, p := range s.wizard.OrderedPages() {
			if p.PageNumber < at {
				for _, f := range p.Fields {
					earlier = append(earlier, f.FieldID)
				}
			}
		}
		p := s.pageOf(ins.node, at, earlier)
		p.VisibleWhen = nil
		for k := range p.Fields {
			p.Fields[k] = cleaned(p.Fields[k])
		}
		p.PageTitle, p.ContinueButton.Text = printable(p.PageTitle), printable(p.ContinueButton.Text)
		s.wizard.Pages = append(s.wizard.Pages, p)
	}
	slices.SortStableFunc(s.wizard.Pages, func(a, b wizard.Page) int { return a.PageNumber - b.PageNumber })
}

// needed tells whether a condition of the wizard, or a group, refers to a field.
func (s *survey) needed(id string) bool {
	if s.wizard.Field(id) == nil {
		return true // an input of a group
	}
	for i := range s.wizard.Pages {
		p := &s.wizard.Pages[i]
		if names(p.VisibleWhen, id) {
			return true
		}
		for j := range p.Fields {
			f := &p.Fields[j]
			if f.FieldID != id && (names(f.VisibleWhen, id) || names(f.RequiredWhen, id)) {
				return true
			}
			for k := range f.SubFields {
				if names(f.SubFields[k].VisibleWhen, id) || names(f.SubFields[k].RequiredWhen, id) {
					return true
				}
			}
		}
	}
	return false
}

// names tells whether a condition is about a field.
func names(c *wizard.Condition, id string) bool {
	if c == nil {
		return false
	}
	if c.FieldID == id || names(c.Not, id) {
		return true
	}
	in := func(x wizard.Condition) bool { return names(&x, id) }
	return slices.ContainsFunc(c.All, in) || slices.ContainsFunc(c.Any, in)
}

// Repair makes a new wizard of what a check has found, and replays it. The check
// must have gone through all branches: what no branch came by stays as it is.
func (c Checker) Repair(ctx context.Context, e *wizard.Entry, d *Drift) (*Repair, error) {
	if c.Prover == nil {
		return nil, fault.New(fault.Unsupported, "not_supported", "A repaired wizard cannot be replayed here.", "Use 'legwork wizards check --repair'.")
	}
	w, err := copyWizard(d.mended)
	if err != nil {
		return nil, fmt.Errorf("the repaired wizard of %s: %w", e.Wizard.WizardID, err)
	}
	out := &Repair{Wizard: w, Remarks: []string{}}
	w.Practice = w.Practice || e.Practice
	out.Changes = wizard.Diff(e.Wizard, w)
	out.Remarks = append(out.Remarks, remarksOn(d)...)
	if len(out.Changes) == 0 {
		return out, nil
	}
	if err := w.Check(); err != nil {
		return nil, fmt.Errorf("the repaired wizard of %s: %w", w.WizardID, err)
	}
	if err := w.MarkRepaired(wizard.Repaired{Of: e.Hash, At: time.Now().UTC().Truncate(time.Second), Remarks: out.Remarks}); err != nil {
		return nil, err
	}
	if out.Contract, err = e.Contract.For(w); err != nil || len(out.Contract.Mismatches()) > len(e.Contract.Mismatches()) {
		out.Contract = nil
		out.Remarks = append(out.Remarks, "the data schema was written by hand and no longer fits: the new version has one that is generated from the wizard")
	}
	out.Proofs, err = prove(ctx, c.Prover, proving{w, false, func(format string, args ...any) {
		if c.Progress != nil {
			c.Progress(fmt.Sprintf(format, args...))
		}
	}})
	if err != nil {
		return nil, err
	}
	out.Proven = proven(out.Proofs)
	return out, nil
}

// remarksOn are what a person should look at in a repaired wizard.
func remarksOn(d *Drift) []string {
	var out []string
	for _, f := range d.Findings {
		switch f.Kind {
		case FoundField, FoundPage:
			out = append(out, f.String()+": drafted, with an invented example")
		case FoundGone:
			if d.mended.Field(f.FieldID) != nil {
				out = append(out, f.String()+": left as it is, because other parts of the wizard refer to it")
			}
		case FoundHidden, FoundRefused, FoundNotPassed, FoundNoPage:
			out = append(out, f.String())
		case FoundSelector:
			if f.Works == nil {
				out = append(out, f.String()+": not repaired")
			}
		}
	}
	for _, u := range d.Unreached {
		out = append(out, "not looked at: "+u)
	}
	return out
}
