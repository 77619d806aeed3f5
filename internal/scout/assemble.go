package scout

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/legwork-mcp/legwork/internal/lazyregexp"
	"github.com/legwork-mcp/legwork/internal/page"
	"github.com/legwork-mcp/legwork/internal/wizard"
)

// assemble puts together what all passes saw.
func (x *Explorer) assemble() (*Discovery, error) {
	paths := make([][]*node, 0, len(x.passes))
	for _, p := range x.passes {
		paths = append(paths, p.path)
	}
	x.graph.order(paths)
	w := &wizard.Wizard{
		WizardID: x.plan.ID, Name: x.plan.Name, URL: x.plan.URL,
		DiscoveredAt: x.now().UTC().Truncate(time.Second), DiscoveryVersion: formatVersion,
	}
	x.writeEntry(w)
	w.SuccessWhen = x.success()
	if x.prompted {
		w.Dialogs = &wizard.DialogPolicy{Prompt: promptAnswer}
	}
	var order []string // field ids, in the order in which they are asked
	for i, n := range x.graph.nodes {
		w.Pages = append(w.Pages, x.pageOf(n, i+1, order))
		for _, k := range n.controls {
			if !n.stands(k) { // nothing else can say which row it means
				order = append(order, k.id)
			}
		}
	}
	w.TotalPages = len(w.Pages)
	x.name(w)
	c, err := wizard.NewContract(w)
	if err != nil {
		return nil, err
	}
	for _, other := range x.otherWays {
		x.remark("the start page also offers %q", other)
	}
	d := &Discovery{Wizard: w, Contract: c, Coverage: x.coverage(), Remarks: x.remarks, Lasts: map[string]int{}}
	for i, n := range x.graph.nodes {
		for _, k := range n.controls {
			d.Lasts[k.id] = stability(k.control.Selector, spotted{control: &k.control})
		}
		if n.sight != nil {
			n.sight.Page = i + 1
			d.Sights = append(d.Sights, *n.sight)
		}
	}
	return d, nil
}

// writeEntry notes the way in: a single click in the words of v1.1, more of them
// as entry steps.
func (x *Explorer) writeEntry(w *wizard.Wizard) {
	for _, e := range x.entry {
		w.EntrySteps = append(w.EntrySteps, wizard.EntryStep{
			Description: e.press.Text, Selector: e.press.Selector, SelectorType: "auto", Optional: e.optional,
		})
	}
	if len(x.entry) == 1 && !x.entry[0].optional {
		w.StartAction = &wizard.StartAction{Description: x.entry[0].press.Text, Selector: x.entry[0].press.Selector, SelectorType: "auto"}
		w.EntrySteps = nil
	}
}

func (x *Explorer) name(w *wizard.Wizard) {
	if w.Name == "" {
		for _, n := range x.graph.nodes[:min(1, len(x.graph.nodes))] {
			w.Name = strings.TrimSpace(printable(orElse(strings.TrimSpace(n.place.Title), n.place.Heading)))
		}
		if w.Name == "" {
			w.Name = w.URL
		}
	}
	if w.WizardID == "" {
		defer func() { w.WizardID = x.free(w.WizardID) }()
		w.WizardID = strings.Trim(notInID.ReplaceAllString(plainLetters(w.Name), "-"), "-")
		if len(w.WizardID) > maxID {
			w.WizardID = strings.Trim(w.WizardID[:maxID], "-")
		}
		if w.WizardID == "" {
			w.WizardID = "form"
		}
	}
}

// maxTwins bounds how many wizards of other forms may have the same name.
const maxTwins = 1000

// free is an id that no wizard of another form has: the form chooses its title,
// and must not replace what it does not own.
func (x *Explorer) free(id string) string {
	if x.plan.Foreign == nil || !x.plan.Foreign(id) {
		return id
	}
	for n := 2; n < maxTwins; n++ {
		if twin := id + "-" + strconv.Itoa(n); !x.plan.Foreign(twin) {
			x.remark("there is a wizard %s of another form already: this one is %s; --id names it otherwise", id, twin)
			return twin
		}
	}
	return id
}

var notInID = lazyregexp.New(`[^a-z0-9]+`)

// pageOf writes one step down. earlier are the fields of the steps before it.
func (x *Explorer) pageOf(n *node, number int, earlier []string) wizard.Page {
	p := wizard.Page{
		PageNumber: number, PageTitle: printable(titleOf(n)), URLPattern: withoutQuery(n.place.URL), Fields: []wizard.Field{},
		ContinueButton: wizard.Button{Text: n.button.Text, Selector: n.button.Selector, SelectorType: "auto", Frame: n.button.Frame},
		Submits:        n.final,
	}
	if p.PageTitle == "" {
		p.PageTitle = p.URLPattern
	}
	if p.ContinueButton.Selector == "" {
		x.remark("%s: no button was found that leads on", p.PageTitle)
		p.ContinueButton.Selector, p.ContinueButton.Text = "button[type=submit]", "Continue"
	}
	var ok bool
	if p.VisibleWhen, ok = explain(x.presence(n), earlier); !ok {
		x.remark("page %d (%s) comes only sometimes; no condition was found that says when", number, p.PageTitle)
	}
	n.arrange(earlier)
	order := slices.Clone(earlier)
	for _, k := range n.controls {
		p.Fields = append(p.Fields, x.fieldFrom(n, k, append(slices.Clip(order), n.mates(k)...)))
		if !n.stands(k) {
			order = append(order, k.id)
		}
	}
	exclude(n, p.Fields)
	atLeastOne(n, p.Fields)
	p.Fields = n.whole(p.Fields)
	return p
}

// presence says for every pass that can tell whether it came by the step.
func (x *Explorer) presence(n *node) []moment {
	var out []moment
	at := slices.Index(x.graph.nodes, n)
	for _, p := range x.passes {
		seen := slices.Contains(p.path, n)
		beyond := p.complete() || slices.ContainsFunc(p.path, func(m *node) bool { return slices.Index(x.graph.nodes, m) > at })
		if seen || beyond {
			out = append(out, moment{p.given(), seen})
		}
	}
	return out
}

// given are the answers of a pass with those that were settled but not kept.
func (p *pass) given() map[string]any { return p.answers }

// fieldFrom writes one question down with its conditions.
func (x *Explorer) fieldFrom(n *node, k *known, earlier []string) wizard.Field {
	example := k.example
	if example == nil {
		if list := x.candidates(k, k.control); len(list) > 0 {
			example = list[0]
		}
	}
	if k.control.Kind == page.KindCheckbox {
		example = k.control.Required
	}
	f := fieldOf(k.control, k.id, example)
	var ok bool
	if f.VisibleWhen, ok = explain(n.moments(k), earlier); !ok {
		x.remark("%s (%s) is not always shown; no condition was found that says when", k.id, f.Label)
	}
	f.Required, f.RequiredWhen = k.required(earlier, x.blind && !n.marks())
	if !ok { // whoever is not shown it cannot answer it
		f.Required, f.RequiredWhen, f.Notes = false, nil, "Asked only sometimes; what decides that was not found."
	}
	if f.Required && k.control.Kind == page.KindCheckbox && len(f.Options) == 0 {
		f.MustBeTrue, f.ExampleValue = true, exampleJSON(true)
	}
	if k.dependent {
		n.conditionsOf(k, &f, earlier)
		f.Notes = "The options follow from another answer; all that were seen are listed."
	}
	return f
}

// moments are the looks at the step, each with whether it showed the question.
func (n *node) moments(k *known) []moment {
	var out []moment
	for _, l := range n.looks {
		if !n.slow || l.calm {
			out = append(out, moment{l.answers, l.shown[k.id]})
		}
	}
	return out
}

// arrange moves questions that stand above the one that brings them up behind it:
// the form asks them later.
func (n *node) arrange(earlier []string) {
	moved := map[*known]bool{}
	for i := 0; i < len(n.controls); i++ {
		before := slices.Clone(earlier)
		for _, k := range n.controls[:i] {
			before = append(before, k.id)
		}
		k := n.controls[i]
		moments := n.moments(k)
		if _, ok := explain(moments, before); ok || moved[k] {
			continue
		}
		for j := i + 1; j < len(n.controls); j++ {
			if _, ok := explain(moments, append(before, n.controls[j].id)); ok {
				copy(n.controls[i:j], n.controls[i+1:j+1])
				n.controls[j], moved[k] = k, true
				i-- // another question stands here now
				break
			}
		}
	}
}

// required is what was seen of the form insisting on an answer, and what the
// page itself says where that was not tried.
func (k *known) required(earlier []string, guess bool) (bool, *wizard.Condition) {
	insisted, let := 0, 0
	for _, m := range k.need {
		if m.holds {
			insisted++
		} else {
			let++
		}
	}
	switch {
	case insisted == 0 && let == 0:
		return k.control.Required || k.awaited || k.kept() || guess && !k.control.Optional && k.control.Kind != page.KindCheckbox && k.control.Kind != page.KindRange, nil
	case let == 0:
		return true, nil
	case insisted == 0:
		return false, nil
	}
	when, ok := explain(k.need, earlier)
	if !ok {
		return false, nil
	}
	return false, when
}

// marks reports whether the step says of some questions that they must be answered:
// then it says so of all that must.
func (n *node) marks() bool {
	return slices.ContainsFunc(n.controls, func(k *known) bool { return k.control.Required && k.control.Kind != page.KindCheckbox })
}

// kept reports whether the question has an answer from the beginning that a
// person can change and not take away: one of a radio group, or a text that
// comes back when it is deleted. The form always gets an answer to it, so whose
// it is should be said.
func (k *known) kept() bool {
	return k.prefilled && (k.control.Kind == page.KindRadio || k.stuck)
}

// exclude ties the checkboxes of a set together when one of them excludes the
// others, and says when that one is needed.
func exclude(n *node, fields []wizard.Field) {
	for i, k := range n.controls {
		if k.control.Kind != page.KindCheckbox || k.control.Set == "" || !k.control.Exclusive && !k.exclusive {
			continue
		}
		group := slug(plainLabel(k.control.Group), maxWords)
		if group == "" {
			group = "set_" + k.id
		}
		insisted := false
		var others []wizard.Condition
		for j, m := range n.controls {
			if m.control.Set != k.control.Set {
				continue
			}
			fields[j].ExclusiveGroup = group
			insisted = insisted || slices.ContainsFunc(m.need, func(m moment) bool { return m.holds }) || m.control.Required
			fields[j].Required, fields[j].RequiredWhen = false, nil
			if j != i {
				others = append(others, wizard.Condition{FieldID: m.id, Value: raw(true)})
			}
		}
		fields[i].Exclusive = true
		if insisted && len(others) > 0 {
			fields[i].RequiredWhen = noneOf(fields[i].VisibleWhen, others)
		}
	}
}

// atLeastOne says of a set of checkboxes of which the form wants any that its first
// one is needed when no other is ticked: its boxes have one name, or the form let go of
// one for another. A box that must be ticked itself, whatever the others are, stays as
// it is.
func atLeastOne(n *node, fields []wizard.Field) {
	done := map[string]bool{}
	for _, k := range n.controls {
		set := k.control.Set
		if k.control.Kind != page.KindCheckbox || set == "" || done[set] {
			continue
		}
		done[set] = true
		var mine []int
		wanted, own, one, let := false, false, k.control.Name != "", false
		for j, m := range n.controls {
			if m.control.Set == set {
				mine = append(mine, j)
				wanted = wanted || slices.ContainsFunc(m.need, func(x moment) bool { return x.holds })
				own = own || m.control.Required || m.control.Exclusive || m.exclusive || m.beside(n, true)
				one, let = one && m.control.Name == k.control.Name, let || m.beside(n, false)
			}
		}
		if !wanted || own || !one && !let || len(mine) < 2 {
			continue
		}
		var others []wizard.Condition
		for i, j := range mine {
			fields[j].Required, fields[j].RequiredWhen, fields[j].MustBeTrue = false, nil, false
			fields[j].ExampleValue = exampleJSON(i == 0)
			if i > 0 {
				others = append(others, wizard.Condition{FieldID: n.controls[j].id, Value: raw(true)})
			}
		}
		fields[mine[0]].RequiredWhen = noneOf(fields[mine[0]].VisibleWhen, others)
	}
}

// beside reports whether the form insisted on the box, or let go without it, when
// another one of its set was ticked.
func (k *known) beside(n *node, insisted bool) bool {
	return slices.ContainsFunc(k.need, func(x moment) bool {
		return x.holds == insisted && slices.ContainsFunc(n.controls, func(o *known) bool { return o != k && o.control.Set == k.control.Set && x.answers[o.id] == true })
	})
}

// noneOf is the condition that the question is asked and none of the others is
// answered.
func noneOf(asked *wizard.Condition, others []wizard.Condition) *wizard.Condition {
	none := wizard.Condition{Not: &wizard.Condition{Any: others}}
	if asked == nil {
		return &none
	}
	return &wizard.Condition{All: []wizard.Condition{*asked, none}}
}

func withoutQuery(address string) string {
	if i := strings.IndexAny(address, "?#"); i >= 0 {
		return address[:i]
	}
	return address
}

// coverage says which ways were gone and which were not.
func (x *Explorer) coverage() Coverage {
	c := Coverage{Passes: len(x.passes)}
	seen := map[string]bool{}
	for _, p := range x.passes {
		c.PageLoads += p.steps
		if p.end == endProbe {
			continue
		}
		var titles []string
		for _, n := range p.path {
			titles = append(titles, titleOf(n))
		}
		way := strings.Join(titles, " > ")
		if p.complete() {
			c.Complete++
			if !seen[way] {
				seen[way] = true
				c.Paths = append(c.Paths, way)
			}
		} else if p.why != "" {
			if s := way + ": " + p.why; !slices.Contains(c.Unseen, s) {
				c.Unseen = append(c.Unseen, s)
			}
		}
	}
	for _, n := range x.graph.nodes {
		for _, k := range n.controls {
			if all := len(choosable(k.control.Options)); all > maxFlips && !n.final {
				c.Unseen = append(c.Unseen, labelOf(k.control)+": not each of its options was gone through on its own")
			}
		}
	}
	return c
}

// fellShort says why no pass saw the form to its end, where the site asked for
// nothing that only a person may give. A wizard of such a form stops before a
// button that it has never seen work, so no replay proves it.
func (x *Explorer) fellShort() string {
	why := ""
	for _, p := range x.passes {
		switch {
		case p.complete() || p.end == endHuman:
			return ""
		case p.end == endStuck && why == "":
			why = p.why
		}
	}
	if why == "" {
		return "the exploration was over before any way through it was"
	}
	return why
}

// formatVersion is the version of the wizard format that is written.
const formatVersion = "1.2.0"
