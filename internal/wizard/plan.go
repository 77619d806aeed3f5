package wizard

import (
	"cmp"
	"maps"
	"slices"
)

// PlannedPage is a page that comes for the given answers, with the fields that
// will be on it.
type PlannedPage struct {
	Page   *Page
	Fields []*Field
}

// Page returns the page with that number, or nil.
func (w *Wizard) Page(n int) *Page {
	for i := range w.Pages {
		if w.Pages[i].PageNumber == n {
			return &w.Pages[i]
		}
	}
	return nil
}

// Field returns the field with that id, or nil.
func (w *Wizard) Field(id string) *Field {
	for i := range w.Pages {
		for j := range w.Pages[i].Fields {
			if w.Pages[i].Fields[j].FieldID == id {
				return &w.Pages[i].Fields[j]
			}
		}
	}
	return nil
}

// OrderedPages are the pages by number, whatever the order of the file is.
func (w *Wizard) OrderedPages() []*Page {
	pages := make([]*Page, len(w.Pages))
	for i := range w.Pages {
		pages[i] = &w.Pages[i]
	}
	slices.SortStableFunc(pages, func(a, b *Page) int { return cmp.Compare(a.PageNumber, b.PageNumber) })
	return pages
}

// Plan says which pages come for these answers and which fields are on them. An
// answer to a field that is not asked does not count in the conditions of others.
func (w *Wizard) Plan(a Answers) []PlannedPage {
	effective := w.Effective(a)
	var plan []PlannedPage
	for _, page := range w.OrderedPages() {
		if !page.VisibleWhen.Holds(effective) {
			continue
		}
		planned := PlannedPage{Page: page}
		for i := range page.Fields {
			if page.Fields[i].VisibleWhen.Holds(effective) {
				planned.Fields = append(planned.Fields, &page.Fields[i])
			}
		}
		plan = append(plan, planned)
	}
	return plan
}

// maxPasses bounds the search for a stable set of asked fields: conditions that
// contradict each other have none.
const maxPasses = 10

// Effective is the answers without those to fields that are not asked in this
// branch, and without blank answers to anything but a text: what will really be
// sent.
func (w *Wizard) Effective(a Answers) Answers {
	pages := w.OrderedPages()
	meant := w.meant(a)
	effective := maps.Clone(meant)
	for range maxPasses {
		changed := false
		for _, page := range pages {
			asked := page.VisibleWhen.Holds(effective)
			for i := range page.Fields {
				f := &page.Fields[i]
				changed = settle(effective, meant, f.FieldID, asked && f.VisibleWhen.Holds(effective)) || changed
			}
		}
		if !changed {
			break
		}
	}
	for _, page := range pages {
		for i := range page.Fields {
			effective.settleRows(&page.Fields[i])
		}
	}
	return effective
}

// meant is a copy without blank answers, except blank texts, which clear a
// prefilled input.
func (w *Wizard) meant(a Answers) Answers {
	meant := make(Answers, len(a))
	maps.Copy(meant, a)
	for i := range w.Pages {
		for j := range w.Pages[i].Fields {
			f := &w.Pages[i].Fields[j]
			if text, ok := meant[f.FieldID].(string); ok && !given(text) && f.shape() != shapeText {
				delete(meant, f.FieldID)
			}
		}
	}
	return meant
}

// settle puts the answer in or takes it out and says whether that was a change.
func settle(effective, all Answers, id string, asked bool) bool {
	value, given := all[id]
	_, in := effective[id]
	switch {
	case !given || in == asked:
		return false
	case asked:
		effective[id] = value
	default:
		delete(effective, id)
	}
	return true
}

// settleRows takes out what the rows of a group do not ask.
func (a Answers) settleRows(f *Field) {
	if !slices.ContainsFunc(f.SubFields, func(sub SubField) bool { return sub.VisibleWhen != nil }) {
		return
	}
	switch value := a[f.FieldID].(type) {
	case map[string]any:
		a[f.FieldID] = a.settledRow(f, value)
	case []any:
		rows := make([]any, len(value))
		for i, entry := range value {
			rows[i] = entry
			if row, ok := entry.(map[string]any); ok {
				rows[i] = a.settledRow(f, row)
			}
		}
		a[f.FieldID] = rows
	}
}

func (a Answers) settledRow(f *Field, row map[string]any) map[string]any {
	settled := maps.Clone(row)
	for i := range f.SubFields {
		sub := &f.SubFields[i]
		if !sub.VisibleWhen.Holds(a.InRow(settled)) {
			delete(settled, sub.FieldID)
		}
	}
	return settled
}

// InRow is the answers as a condition inside a row sees them: the row's own
// values first, then the rest of the form.
func (a Answers) InRow(row map[string]any) Answers {
	merged := maps.Clone(a)
	if merged == nil {
		merged = Answers{}
	}
	maps.Copy(merged, row)
	return merged
}

// Conditional reports whether the wizard says when its fields and pages come: it
// holds conditions. A wizard of v1.1 has none, although its form may branch.
func (w *Wizard) Conditional() bool {
	for i := range w.Pages {
		p := &w.Pages[i]
		if p.VisibleWhen != nil {
			return true
		}
		for j := range p.Fields {
			if p.Fields[j].VisibleWhen != nil || p.Fields[j].RequiredWhen != nil {
				return true
			}
		}
	}
	return false
}
