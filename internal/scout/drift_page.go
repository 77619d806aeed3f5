package scout

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/legwork-mcp/legwork/internal/page"
	"github.com/legwork-mcp/legwork/internal/wizard"
)

// onPage is the work on one page of the wizard.
type onPage struct {
	*survey
	p       *wizard.Page
	pairs   []*pair
	given   map[string]bool // items and new controls that were set
	asks    map[string]bool // idents of the controls that are items
	rowed   map[string]bool // repeatable groups that got their rows
	awaited map[string]bool // items that were given time to come
	// refused are the examples that the page did not take, while it took others.
	refused map[string]Finding
	whole   bool // everything is set: what is not there by now does not come
}

// maxRevealed bounds how often a page may show more after it was filled in.
const maxRevealed = 8

// work compares a page with the wizard, mends what it can, and fills it in.
func (s *survey) work(ctx context.Context, p *wizard.Page) error {
	s.first = map[string][]page.ControlOption{}
	w := &onPage{survey: s, p: p, given: map[string]bool{}, asks: map[string]bool{}, rowed: map[string]bool{}, awaited: map[string]bool{}, refused: map[string]Finding{}}
	w.heading()
	for range maxRevealed {
		if err := w.see(ctx); err != nil {
			return err
		}
		set, err := w.fill(ctx)
		if err != nil {
			return err
		}
		if !set && w.whole {
			break
		}
		w.whole = !set
		if set {
			if err := s.look(ctx); err != nil {
				return err
			}
		}
	}
	w.judge()
	return nil
}

// see pairs the items of the page with what it shows, and mends the selectors
// that do not lead there any more.
func (w *onPage) see(ctx context.Context) error {
	items := itemsOf(w.p)
	l, err := w.locate(ctx, items)
	if err != nil {
		return err
	}
	w.pairs = match(l, items, w.due)
	if late, err := w.await(ctx); late || err != nil {
		if err != nil {
			return err
		}
		if err := w.look(ctx); err != nil {
			return err
		}
		if l, err = w.locate(ctx, items); err != nil {
			return err
		}
		w.pairs = match(l, items, w.due)
	}
	if slices.ContainsFunc(w.pairs, func(p *pair) bool { return p.how != byFirst }) {
		if l.foreign, err = w.foreign(ctx, l); err != nil {
			return err
		}
		w.pairs = match(l, items, w.due)
	}
	for _, q := range w.pairs {
		if q.spot >= 0 {
			w.asks[ident(*l.spots[q.spot].control)] = true
		}
		if q.there() {
			w.found[q.item.id] = true
		}
		if q.how == byOther || q.how == byPage {
			w.mend(q, l.spots[q.spot])
		}
	}
	if err := w.opened(ctx, l); err != nil {
		return err
	}
	return w.mendOptions(ctx, l)
}

// await gives what is not there yet the time that a run would give it, once:
// pages draw themselves anew, and frames load. It reports whether anything came.
func (w *onPage) await(ctx context.Context) (bool, error) {
	var answers []page.Answer
	var items []*item
	for _, q := range w.pairs {
		f := *q.item.field
		if q.how == byFirst || w.awaited[q.item.id] || !w.due(q.item) || q.item.traits != &q.item.field.Traits || q.fails == failsOther || q.fails == failsDecoy {
			continue
		}
		w.awaited[q.item.id] = true
		f.SelectorAlternatives, f.Options = nil, slices.Clone(f.Options)
		for i := range f.Options {
			f.Options[i].Selector = ""
		}
		if a := fieldAnswers(&f, w.answers[f.FieldID]); len(a) == 1 && f.Selector != "" {
			answers, items = append(answers, a...), append(items, q.item)
		}
	}
	if len(answers) == 0 {
		return false, nil
	}
	got, err := w.page.Set(ctx, answers)
	came := false
	for i, o := range got {
		came = came || o.State != page.StateNotFound && o.State != page.StateHidden
		if o.State.OK() {
			w.given[items[i].id] = true
		}
	}
	return came, err
}

// due tells whether an item must be on the page by now: one that comes with
// another answer may come later.
func (w *onPage) due(it *item) bool {
	return w.expects(w.p, it) && (w.whole || it.field.VisibleWhen == nil && it.traits.VisibleWhen == nil)
}

// mend tells of a selector that failed and takes the one that works.
func (w *onPage) mend(q *pair, s spotted) {
	it := q.item
	works := &Works{Selector: wayOf(s).Selector, From: fromPage, Frame: s.control.Frame}
	if q.how == byOther {
		works.Selector, works.From, works.Number = it.selectors()[q.number], fromAlternative, q.number
	}
	works.Score = stability(works.Selector, s)
	failed := ""
	if list := it.selectors(); len(list) > 0 {
		failed = list[0]
	} else if len(it.parts) > 0 {
		failed = *it.parts[0].selector
	}
	f := w.about(FoundSelector, it)
	f.Selector, f.Fails, f.Works, f.Passed, f.Breaks = failed, q.fails, works, q.passed, q.how == byPage
	if slices.Equal(s.control.Frame, it.frame) {
		works.Frame = nil
	}
	f.Message = fmt.Sprintf("%s %s%s", quoted(failed), failure(q.fails, foundWords(q.found)), works.words())
	for _, why := range q.passed {
		f.Message += "; " + printable(why)
	}
	w.drift.add(f)
	w.point(it, s, works.Selector)
}

func foundWords(found []string) string {
	if len(found) == 0 {
		return ""
	}
	return " (" + printable(list(found, 3)) + ")"
}

// point makes an item lead to a spot: by one selector first, then by the page's
// others.
func (w *onPage) point(it *item, s spotted, selector string) {
	if len(it.parts) > 0 {
		for i := range s.control.Parts {
			part := &s.control.Parts[i]
			for _, own := range it.parts {
				if own.part == part.Part {
					*own.selector = part.Selector
				}
			}
		}
		it.field.Frame = s.control.Frame
		if it.field.Selector != "" {
			it.field.Selector = s.control.Selector
		}
		return
	}
	*it.selector = selector
	if it.alternatives != nil {
		*it.alternatives = nil
		for _, other := range s.ways() {
			if other.Selector != selector && printable(other.Selector) == other.Selector && len(*it.alternatives) < maxOthers {
				*it.alternatives = append(*it.alternatives, other.Selector)
			}
		}
	}
	it.traits.Frame = s.control.Frame
}

// about is a finding on an item of the page.
func (s *survey) about(kind string, it *item) Finding {
	f := Finding{Kind: kind, FieldID: it.id, Label: printable(it.label)}
	if s.current != nil {
		f.Page, f.Title = s.current.PageNumber, printable(s.current.PageTitle)
	}
	return f
}

// cssWay is a selector of a spot that can stand inside another one.
func cssWay(ways []page.Way) string {
	for _, w := range ways {
		if !strings.Contains(w.Selector, ":has") && (w.Basis != "label" && w.Basis != "role") {
			return w.Selector
		}
	}
	return ""
}

// foreign are the spots that lie in another form of the page than the button and
// the questions that are known.
func (w *onPage) foreign(ctx context.Context, l located) (map[int]bool, error) {
	var anchors []string
	add := func(sel string) {
		if sel != "" && !slices.Contains(anchors, sel) {
			anchors = append(anchors, sel)
		}
	}
	if b, ok := w.press(ctx); ok {
		add(cssWay(b.Ways))
	}
	for _, q := range w.pairs {
		if q.how == byFirst && q.spot >= 0 && len(anchors) < maxAnchors {
			add(cssWay(l.spots[q.spot].ways()))
		}
	}
	out := map[int]bool{}
	if len(anchors) == 0 {
		return out, nil
	}
	with := ":has(" + strings.Join(anchors, ", ") + ")"
	var targets []page.Target
	var of []int
	for i, s := range l.spots {
		if sel := cssWay(s.ways()); sel != "" && asked(*s.control) {
			targets = append(targets, page.Target{Selector: "form:has(" + sel + ")", Type: "css", Frame: s.control.Frame},
				page.Target{Selector: "form:has(" + sel + ")" + with, Type: "css", Frame: s.control.Frame})
			of = append(of, i)
		}
	}
	targets = append(targets, page.Target{Selector: "form" + with, Type: "css"})
	seen, err := w.page.Survey(ctx, targets)
	if err != nil {
		return nil, err
	}
	known := seen[len(seen)-1].Present
	for n, i := range of {
		out[i] = known && seen[2*n].Present && !seen[2*n+1].Present && len(l.spots[i].control.Frame) == 0
	}
	return out, nil
}

// maxAnchors bounds how many questions tell which form is meant.
const maxAnchors = 6

// fill sets what the answers have for the items that are there and not set yet,
// then what the page demands besides. It reports whether it set anything.
func (w *onPage) fill(ctx context.Context) (bool, error) {
	var answers []page.Answer
	spots := spotsOf(w.inv)
	for _, q := range w.pairs {
		f := q.item.field
		if w.given[q.item.id] || !q.there() || !w.expects(w.p, q.item) || w.given[f.FieldID] {
			continue
		}
		w.given[q.item.id] = true
		if w.doubtful(q, spots) {
			w.tried[q.item.id] = true
		}
		if w.tried[q.item.id] {
			continue
		}
		if q.item.traits == &f.Traits {
			answers = append(answers, fieldAnswers(f, w.answers[f.FieldID])...)
			continue
		}
		answers = append(answers, w.partAnswers(q.item)...)
	}
	if len(answers) > 0 {
		return true, w.set(ctx, answers)
	}
	if done, err := w.rows(ctx); done || err != nil {
		return done, err
	}
	if !w.whole {
		return false, nil
	}
	return w.demanded(ctx)
}

// partAnswers sets one input of a group.
func (w *onPage) partAnswers(it *item) []page.Answer {
	for _, a := range fieldAnswers(it.field, w.answers[it.field.FieldID]) {
		if it.field.FieldID+"."+a.ID == it.id {
			return []page.Answer{a}
		}
	}
	return nil
}

// set sets answers and tells of those that the page does not take.
func (w *onPage) set(ctx context.Context, answers []page.Answer) error {
	got, err := w.page.Set(ctx, answers)
	if err != nil {
		return err
	}
	for i, o := range got {
		if o.State.OK() || o.State == page.StateHidden || i >= len(answers) {
			continue
		}
		it := w.itemOf(answers[i].ID)
		if it == nil {
			continue
		}
		f := w.about(FoundRefused, it)
		f.Is, f.Breaks = string(o.State), true
		f.Message = "the page does not take the example: " + strings.ReplaceAll(string(o.State), "_", " ")
		if o.Message != "" {
			f.Message += " (" + printable(clip(o.Message, 200)) + ")"
		}
		if o.State == page.StateOptionNotFound && len(o.Candidates) > 0 {
			f.Message += "; it offers: " + printable(list(o.Candidates, 12))
		}
		ok, err := w.another(ctx, it)
		if err != nil {
			return err
		}
		if ok {
			f.Message += "; it takes another one"
			w.refused[it.id] = f // unless what the page takes has changed
			continue
		}
		w.drift.add(f)
	}
	return nil
}

// another sets a question to another example when the page does not keep its own.
func (w *onPage) another(ctx context.Context, it *item) (bool, error) {
	for _, q := range w.pairs {
		if q.item != it || q.spot < 0 || it.traits != &it.field.Traits || it.parts != nil {
			continue
		}
		v := w.otherExample(it, *spotsOf(w.inv)[q.spot].control)
		if v == nil {
			return false, nil
		}
		was := it.field.ExampleValue
		w.take(it, v)
		got, err := w.page.Set(ctx, fieldAnswers(it.field, w.answers[it.field.FieldID]))
		if err != nil {
			return false, err
		}
		if len(got) == 1 && got[0].State.OK() {
			return true, nil
		}
		it.field.ExampleValue = was
	}
	return false, nil
}

func (w *onPage) itemOf(id string) *item {
	for _, q := range w.pairs {
		if q.item.id == id || strings.HasSuffix(q.item.id, "."+id) {
			return q.item
		}
	}
	return nil
}

// rows enters the example rows of repeatable groups, one group at a time.
func (w *onPage) rows(ctx context.Context) (bool, error) {
	for i := range w.p.Fields {
		f := &w.p.Fields[i]
		if !f.Repeatable || w.rowed[f.FieldID] || !f.VisibleWhen.Holds(w.answers) {
			continue
		}
		w.rowed[f.FieldID] = true
		items, _ := w.answers[f.FieldID].([]any)
		w.found[f.FieldID] = true
		for n, row := range items {
			if ok, err := w.row(ctx, f, n, row); err != nil || !ok {
				return true, err
			}
		}
		if len(items) > 0 {
			return true, nil
		}
	}
	return false, nil
}

func (w *onPage) row(ctx context.Context, f *wizard.Field, n int, row any) (bool, error) {
	g := page.Group{
		Add:  page.Target{Selector: f.AddButtonSelector, Type: "auto", Frame: f.Frame},
		Save: page.Target{Selector: f.SaveButtonSelector, Type: "auto", Frame: f.Frame},
		Row:  page.Target{Selector: f.RowSelector, Frame: f.Frame},
	}
	before := map[string]bool{}
	for _, c := range w.inv.Controls {
		before[ident(c)] = true
	}
	got, err := w.page.AddRow(ctx, g, n, groupAnswers(f, row))
	found := w.about(FoundSelector, &item{id: f.FieldID, label: f.Label})
	found.Selector, found.Breaks = f.AddButtonSelector, true
	if err != nil {
		if ctx.Err() != nil {
			return false, err
		}
		found.Message = "row " + itoa(n+1) + " could not be added: " + printable(clip(err.Error(), 300))
		w.drift.add(found)
		return false, nil
	}
	for _, o := range got {
		if !o.State.OK() && o.State != page.StateHidden {
			found.FieldID, found.Selector, found.Fails = f.FieldID+"."+o.ID, o.Used, failsNothing
			found.Message = fmt.Sprintf("in row %d it is %s", n+1, strings.ReplaceAll(string(o.State), "_", " "))
			w.drift.add(found)
			return false, nil
		}
	}
	if err := w.look(ctx); err != nil {
		return false, err
	}
	for _, c := range w.inv.Controls {
		if !before[ident(c)] {
			w.asks[ident(c)] = true // of the rows
		}
	}
	return true, nil
}

// demanded notes the questions that the wizard does not have and answers those
// that the page says it needs.
func (w *onPage) demanded(ctx context.Context) (bool, error) {
	var answers []page.Answer
	foreign := map[*page.Control]bool{}
	if slices.ContainsFunc(w.inv.Controls, w.unknownControl) {
		l := located{spots: spotsOf(w.inv)}
		other, err := w.foreign(ctx, l)
		if err != nil {
			return false, err
		}
		for i, s := range l.spots {
			foreign[s.control] = foreign[s.control] || other[i]
		}
	}
	for i, c := range w.inv.Controls {
		if !w.unknownControl(c) || foreign[&w.inv.Controls[i]] {
			continue
		}
		a := w.addition(c, i)
		if w.given[a.field.FieldID] || !a.field.Required || !empty(c) || c.Kind == page.KindCheckbox && c.Set != "" {
			continue
		}
		if list := candidates(c, w.now()); len(list) > 0 {
			w.given[a.field.FieldID] = true
			answers = append(answers, page.Answer{Input: input(c, a.field.FieldID), Value: list[0]})
		}
	}
	if len(answers) == 0 {
		return false, nil
	}
	_, err := w.page.Set(ctx, answers)
	return true, err
}

// unknownControl tells whether a control is a question that the wizard does not
// have.
func (w *onPage) unknownControl(c page.Control) bool {
	return asked(c) && !w.asks[ident(c)] && !w.inRows(c)
}

// inRows tells whether a control is one of an open row.
func (w *onPage) inRows(c page.Control) bool {
	for i := range w.p.Fields {
		f := &w.p.Fields[i]
		for j := range f.SubFields {
			sel := strings.ReplaceAll(f.SubFields[j].Selector, "{index}", "0")
			if f.Repeatable && slices.ContainsFunc(c.Ways, func(x page.Way) bool { return x.Selector == sel }) {
				return true
			}
		}
	}
	return false
}

// addition is the new question that a control is, drafted as a field once.
func (w *onPage) addition(c page.Control, at int) *addition {
	name := ident(c)
	for i := range w.added {
		if w.added[i].page == w.p.PageNumber && ident(w.added[i].control) == name {
			return &w.added[i]
		}
	}
	id := uniqueID(baseID(c), c, w.graph.taken)
	w.graph.taken[id] = true
	var example any
	if list := candidates(c, w.now()); len(list) > 0 {
		example = list[0]
	}
	if c.Kind == page.KindCheckbox {
		example = c.Required
	}
	w.added = append(w.added, addition{page: w.p.PageNumber, after: w.before(at), control: c, field: fieldOf(c, id, example)})
	return &w.added[len(w.added)-1]
}

// before is the last field of the wizard that comes before a control.
func (w *onPage) before(at int) string {
	for j := at - 1; j >= 0; j-- {
		for _, q := range w.pairs {
			if q.spot >= 0 && q.item.field != nil && w.identAt(q) == ident(w.inv.Controls[j]) {
				return q.item.field.FieldID
			}
		}
	}
	return ""
}

// identAt is the control of a pair by name; the spots follow the inventory.
func (w *onPage) identAt(q *pair) string {
	l := spotsOf(w.inv)
	if q.spot >= len(l) {
		return ""
	}
	return ident(*l[q.spot].control)
}

// cleaned is a drafted field without characters that are not to be seen. A
// selector that has some is left out, so that it still leads to what it names.
func cleaned(f wizard.Field) wizard.Field {
	f.Label, f.Description, f.Notes = printable(f.Label), printable(f.Description), newWords
	f.SelectorAlternatives = slices.DeleteFunc(f.SelectorAlternatives, func(s string) bool { return printable(s) != s })
	if printable(f.Selector) != f.Selector && len(f.SelectorAlternatives) > 0 {
		f.Selector, f.SelectorAlternatives = f.SelectorAlternatives[0], f.SelectorAlternatives[1:]
	}
	for i := range f.Options {
		f.Options[i].Value, f.Options[i].Label = printable(f.Options[i].Value), printable(f.Options[i].Label)
	}
	return f
}

func itoa(n int) string { return strconv.Itoa(n) }

// printable is a text of the page without what a terminal would act on.
func printable(s string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case unicode.IsControl(r) && unicode.IsSpace(r):
			return ' '
		case unicode.IsControl(r), unicode.Is(unicode.Cf, r), unicode.Is(unicode.Zl, r), unicode.Is(unicode.Zp, r):
			return -1
		}
		return r
	}, s)
}
