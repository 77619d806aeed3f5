package scout

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/legwork-mcp/legwork/internal/browser"
	"github.com/legwork-mcp/legwork/internal/fault"
	"github.com/legwork-mcp/legwork/internal/page"
)

// The ways in which a pass can end.
const (
	endFinal   = "final"   // before the button that submits
	endResults = "results" // on a page that asks nothing more
	endStuck   = "stuck"   // a step could not be left
	endHuman   = "human"   // the site asks for what only a person may give
	endProbe   = "probe"   // as planned, at the step that was probed
)

// pass is one way through the form.
type pass struct {
	overrides map[string]any
	answers   map[string]any
	path      []*node
	asked     map[string]bool // the questions that were shown when their steps were left
	end       string
	why       string
	last      page.Place
	broken    bool // by an error, not by what the form said
	rank      int  // among the passes that went at the same time
	steps     int  // documents and steps that were loaded
	learned   bool // a step insisted on something that was not known to be needed
	let       []letting
	ending    *ending // what the form answered, nil when it did not
}

// letting is a step that was left without an answer to one question.
type letting struct {
	known *known
	moment
}

// asks notes that a question was shown when its step was left.
func (p *pass) asks(id string) {
	if p.asked == nil {
		p.asked = map[string]bool{}
	}
	p.asked[id] = true
}

// complete tells whether the pass saw the form to its end.
func (p *pass) complete() bool { return p.end == endFinal || p.end == endResults }

// like tells whether two passes came by the same steps and questions.
func (p *pass) like(o *pass) bool {
	return slices.Equal(p.path, o.path) && maps.Equal(p.asked, o.asked)
}

// walker takes one pass.
type walker struct {
	*Explorer
	pass  *pass
	page  *page.Page
	tab   *browser.Tab
	probe *node // stop there and probe it
	taste taste
	// reshown: the site has sent the step again with its answers; what they bring
	// up in the page need not be there then.
	reshown bool
	blind   bool // everything is filled in: the form says too late what it needs
	// flipped is the question whose answer the pass is about.
	flipped string
	wanted  *known // to be answered, although it may be left out
	omitted *known // to be left out, if the form lets it
	// spare is a step on which only what it insists on again is answered: another
	// answer may have made the rest needless.
	spare    *node
	demanded map[*known]bool // what the form has complained about in this pass
	inv      page.Inventory
	place    page.Place
	quiet    bool // the page had been quiet for a while when it was looked at
}

// Bounds of one pass.
const (
	maxSteps    = 60
	maxRounds   = 24
	maxControls = 600
	maxChoices  = 400
)

// walk takes one pass with some answers settled. The form's other answers are
// examples, and only where the form insists on one.
func (x *Explorer) walk(ctx context.Context, r route) (*pass, error) {
	var tab *browser.Tab
	var err error
	x.away(func() { tab, err = x.open(ctx) })
	if err != nil {
		return &pass{}, err
	}
	defer func() {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), 5*time.Second)
		defer cancel()
		x.away(func() { err = tab.Close(ctx) })
		if err != nil {
			x.log.Warn("closing a browser context", "error", err)
		}
	}()
	w := &walker{
		Explorer: x, tab: tab, page: page.Open(ctx, tab), probe: r.probe, taste: r.taste, blind: r.blind || x.blind,
		pass: &pass{overrides: x.untangle(r), answers: map[string]any{}},
	}
	if r.flip != nil && !r.flip.omit {
		w.flipped = r.flip.known.id
	}
	if r.flip != nil && r.flip.spare != nil {
		w.spare = r.flip.spare
		for _, k := range w.spare.insisted() {
			if k != r.flip.known {
				delete(w.pass.overrides, k.id)
			}
		}
	}
	if r.flip != nil && r.flip.give {
		w.wanted = r.flip.known
	} else if r.flip != nil && r.flip.omit {
		w.omitted = r.flip.known
	}
	defer w.missing()
	w.page.ElementTimeout = elementTime
	answer := promptAnswer
	tab.SetDialogPolicy(browser.DialogPolicy{Confirm: true, Prompt: &answer})
	defer w.prompts()
	if err := w.enter(ctx); err != nil {
		return w.pass, err
	}
	for range maxSteps {
		if x.spent(ctx) {
			w.end(endStuck, "the exploration was cut short")
			return w.pass, nil
		}
		if done, err := w.step(ctx); done || err != nil {
			return w.pass, err
		}
	}
	w.end(endStuck, "the form does not come to an end")
	return w.pass, nil
}

// promptAnswer is what message boxes that ask for a text are given.
const promptAnswer = "Example"

// prompts notes that the form asks for a text in a message box: a run must answer it,
// too.
func (w *walker) prompts() {
	for _, d := range w.tab.Dialogs() {
		if d.Type == "prompt" {
			w.prompted = true
			w.remark("a message box asks for a text (%s); runs answer %q: say in dialogs.prompt what they should", clip(printable(d.Message), longestText), promptAnswer)
		}
	}
}

// maxMissing bounds how many parts that did not come are named.
const maxMissing = 5

// missing remarks what the page asked for and did not get, such as a frame at an
// address that is refused: the form may be there.
func (w *walker) missing() {
	var parts []string
	for _, r := range w.tab.Ledger().Refused {
		parts = append(parts, fmt.Sprintf("%s is refused: %s", r.URL, r.Reason))
	}
	for _, u := range slices.Concat(parts, w.inv.Untested) {
		if len(w.unseen) < maxMissing && !slices.Contains(w.unseen, u) {
			w.unseen = append(w.unseen, u)
			w.remark("a part of the page did not come: %s", u)
		}
	}
}

// elementTime is how long one element of a page under exploration may take.
const elementTime = 5 * time.Second

// loaded counts a document or a step.
func (w *walker) loaded() {
	w.pass.steps++
	w.left.loads--
}

func (w *walker) end(how, why string) { w.pass.end, w.pass.why, w.pass.last = how, why, w.place }

// look takes in the page as it is.
func (w *walker) look(ctx context.Context) error {
	var err error
	w.away(func() {
		if err = w.page.Settle(ctx); err != nil {
			return
		}
		if n, failed := w.page.OpenSections(ctx); failed == nil && n > 0 { // a look tells why a page cannot be read
			err = w.page.Settle(ctx)
		}
	})
	if err != nil {
		return err
	}
	w.quiet = false
	return w.glance(ctx)
}

// calm waits until the page has been quiet for a while, and looks at it.
func (w *walker) calm(ctx context.Context, quiet time.Duration) error {
	var err error
	w.away(func() { err = w.page.Calm(ctx, quiet) })
	if err != nil {
		return err
	}
	err = w.look(ctx)
	w.quiet = err == nil
	return err
}

// glance is look without waiting.
func (w *walker) glance(ctx context.Context) error {
	var place page.Place
	var inv page.Inventory
	var err error
	w.away(func() {
		if place, err = w.page.Place(ctx); err == nil {
			inv, err = w.page.Controls(ctx, maxControls)
		}
	})
	if err != nil {
		return err
	}
	w.place, w.inv = place, inv
	for i := range w.inv.Controls {
		w.recall(&w.inv.Controls[i])
	}
	return nil
}

// enter opens the form's address, or takes the entry steps that are known by now.
func (w *walker) enter(ctx context.Context) error {
	var err error
	for range 3 { // loading the first page changes nothing
		if w.away(func() { _, err = w.page.Goto(ctx, w.plan.URL) }); err == nil {
			break
		}
		if f := fault.From(err); ctx.Err() != nil || f.Kind != fault.Timeout && f.Type != "navigation_failed" {
			return err
		}
	}
	if err != nil {
		return err
	}
	w.loaded()
	for _, e := range w.entry {
		step, err := w.advance(ctx, e.press, page.Proof{})
		if err != nil {
			if e.optional {
				continue
			}
			return fmt.Errorf("entry step %q: %w", e.press.Text, err)
		}
		if !step.Moved && !e.optional {
			return fault.New(fault.Failed, "not_advanced", fmt.Sprintf("The button %q on the start page led nowhere.", e.press.Text), "Name another way in with --start.")
		}
		w.loaded()
	}
	if len(w.entry) > 0 || w.entered {
		return nil
	}
	w.entered = true
	return w.findEntry(ctx)
}

// maxEntries bounds the clicks before the first question.
const maxEntries = 4

// findEntry clicks through banners and landing pages to the first step.
func (w *walker) findEntry(ctx context.Context) error {
	for range maxEntries {
		if err := w.look(ctx); err != nil {
			return err
		}
		if w.place.Verdict.Kind != "" {
			return nil
		}
		if b, ok := w.banner(); ok {
			if err := w.click(ctx, b); err == nil {
				w.entry = append(w.entry, entryStep{b, true})
				continue
			}
		}
		if w.plan.Start == "" && slices.ContainsFunc(w.inv.Controls, asked) {
			return nil
		}
		b, ok, err := w.way()
		if err != nil || !ok {
			return err
		}
		step, err := w.advance(ctx, b, page.Proof{})
		if err != nil {
			return err
		}
		w.loaded()
		if !step.Moved {
			return nil
		}
		w.entry = append(w.entry, entryStep{b, false})
		if w.plan.Start != "" {
			w.startTaken = true
		}
	}
	return nil
}

// way is the button into the form from a landing page.
func (w *walker) way() (page.Press, bool, error) {
	if w.plan.Start != "" && !w.startTaken {
		for _, b := range w.inv.Buttons {
			if fold(b.Text) == fold(w.plan.Start) || b.Selector == w.plan.Start || slices.ContainsFunc(b.Ways, func(x page.Way) bool { return x.Selector == w.plan.Start }) {
				return b, true, nil
			}
		}
		var texts []string
		for _, b := range starts(w.inv.Buttons) {
			texts = append(texts, b.Text)
		}
		return page.Press{}, false, fault.New(fault.NotFound, "element_not_found", fmt.Sprintf("The start page has no button %q.", w.plan.Start),
			"Buttons that may lead in: "+strings.Join(texts, "; ")+".")
	}
	if slices.ContainsFunc(w.inv.Controls, asked) {
		return page.Press{}, false, nil
	}
	if b, ok := onward(w.inv.Buttons, false); ok && roleOf(b) == roleContinue {
		return page.Press{}, false, nil // a page of the form that only informs
	}
	list := starts(w.inv.Buttons)
	if !w.plan.AllowSubmit {
		list = slices.DeleteFunc(list, func(b page.Press) bool { return !lands(b) })
	}
	if len(list) == 0 {
		return page.Press{}, false, nil
	}
	for _, b := range list[1:] {
		w.otherWays = append(w.otherWays, b.Text)
	}
	return list[0], true, nil
}

// banner is the button that closes what lies over the form.
func (w *walker) banner() (page.Press, bool) {
	var best page.Press
	found := false
	asks := slices.ContainsFunc(w.inv.Controls, asked) // then one that sends a form may be the form's own
	for _, b := range w.inv.Buttons {
		if roleOf(b) != roleConsent || b.Tag == "a" && b.Role != "button" || b.Type == "submit" && b.InForm && (asks || !cookies.MatchString(b.Text)) {
			continue
		}
		if !found || refuses.MatchString(b.Text) && !refuses.MatchString(best.Text) {
			best, found = b, true
		}
	}
	return best, found
}

func pressTarget(b page.Press) page.Target {
	var more []string
	for i, w := range b.Ways {
		if i > 0 && len(more) < maxOthers {
			more = append(more, w.Selector)
		}
	}
	return page.Target{Selector: b.Selector, Alternatives: more, Frame: b.Frame, Text: b.Text}
}

// step works on one step of the form. It reports whether the pass is over.
func (w *walker) step(ctx context.Context) (done bool, err error) {
	if err := w.arrive(ctx); err != nil {
		return true, err
	}
	if v := w.place.Verdict; v.Kind != "" {
		w.end(endHuman, v.Kind+": "+v.Evidence)
		return true, nil
	}
	fields := slices.ContainsFunc(w.inv.Controls, asked)
	if _, ok := onward(w.inv.Buttons, fields); !fields && (!ok || len(w.pass.path) > 0 && !w.leads()) {
		return true, w.results(ctx)
	}
	n, fresh := w.graph.at(w.place, w.inv)
	if fresh {
		w.left.steps--
		n.context = copyOf(w.pass.overrides)
		for id, a := range w.pass.answers {
			n.context[id] = plainAnswer(a)
		}
		w.report("found step %d: %s", len(w.graph.nodes), titleOf(n))
	}
	if !fields && w.answered(n) {
		return true, w.results(ctx)
	}
	if visits(w.pass.path, n) > 0 {
		if refused, err := w.refused(ctx); refused || err != nil {
			return true, err
		}
	}
	if visits(w.pass.path, n) >= 3 {
		w.end(endStuck, "the form comes back to "+titleOf(n)+" again and again")
		return true, nil
	}
	w.pass.path = append(w.pass.path, n)
	w.reshown = false
	w.note(ctx, n)
	if n == w.probe {
		w.end(endProbe, "")
		return true, w.probeStep(ctx, n)
	}
	f := &filler{walker: w, node: n, given: map[string]string{}}
	return f.run(ctx)
}

func visits(path []*node, n *node) int {
	count := 0
	for _, x := range path {
		if x == n {
			count++
		}
	}
	return count
}

func titleOf(n *node) string { return titleOfPlace(n.place) }

func titleOfPlace(p page.Place) string {
	if p.Heading != "" {
		return p.Heading
	}
	return p.Title
}

// note records what the step shows and holds now.
func (w *walker) note(ctx context.Context, n *node) []*known {
	w.late(ctx)
	n.heads(w.inv.Headings)
	for _, name := range w.inv.Drawn {
		w.remark("%q of %q is signed by hand: only a person can do that, so a run leaves it empty, and the form may refuse it then", printable(name), titleOf(n))
	}
	shown := w.graph.merge(n, w.inv, w.pass.overrides)
	l := look{answers: copyOf(w.pass.answers), shown: map[string]bool{}, calm: w.quiet}
	for _, k := range shown {
		l.shown[k.id] = true
		if c, ok := now(w.inv, k); ok {
			if a := answerOf(c); a != nil {
				l.answers[k.id] = a
			}
			l.offer(k, c)
		}
	}
	if !w.reshown {
		n.looks = append(n.looks, l)
	}
	return shown
}

// late reads the options of controls that show them only when opened, once for
// each.
func (w *walker) late(ctx context.Context) {
	w.locked(ctx)
	for i := range w.inv.Controls {
		c := &w.inv.Controls[i]
		if c.OptionsKnown || !asked(*c) || c.Kind != page.KindSelect && c.Kind != page.KindTypeahead {
			continue
		}
		name := ident(*c)
		if _, ok := w.choices[name]; ok {
			continue
		}
		if w.left.opened <= 0 || w.spent(ctx) {
			w.remark("not every list was opened: there are too many")
			return
		}
		w.left.opened--
		var got page.Opened
		var err error
		if w.away(func() { got, err = w.page.Choices(ctx, *c, maxChoices) }); err != nil {
			continue // the field stays one of free text
		}
		if (c.Kind == page.KindTypeahead || got.Typed) && !got.Complete {
			w.offers[name], got.Options = got.Options, nil // what was seen of an open-ended list is no contract
		}
		w.choices[name] = got
		w.recall(c)
	}
}

// suggested keeps what a field offered for letters that it did not take: a search for
// addresses has suggestions only for the beginning of one. It reports whether that is new.
func (w *walker) suggested(k *known, o page.Outcome) bool {
	if k.control.Kind != page.KindTypeahead || o.State != page.StateOptionNotFound || len(k.control.Options) > 0 || len(w.offers[k.ident]) > 0 {
		return false
	}
	for _, label := range o.Candidates {
		w.offers[k.ident] = append(w.offers[k.ident], page.ControlOption{Label: label})
	}
	return len(o.Candidates) > 0
}

// recall adds what a control showed when it was opened before.
func (w *walker) recall(c *page.Control) {
	w.taken(c)
	if !asked(*c) || c.Kind != page.KindSelect && c.Kind != page.KindTypeahead {
		return
	}
	if got, ok := w.choices[ident(*c)]; ok {
		c.Learn(got)
		if !c.OptionsKnown {
			c.Options, c.OptionsKnown = got.Options, got.Complete
		}
	}
}

// answer is a value for a control as it stands now.
func (w *walker) answer(k *known, value any) page.Answer {
	c := k.control
	if live, ok := now(w.inv, k); ok {
		live.Options = c.Options
		c = live
	}
	if b, ok := value.(bool); ok && c.Kind != page.KindCheckbox {
		value = fmt.Sprint(b)
	}
	return page.Answer{Input: input(c, k.id), Value: value}
}

// set brings one control into a state and says what became of it.
func (w *walker) set(ctx context.Context, k *known, value any) (page.Outcome, error) {
	got, err := w.setAll(ctx, []page.Answer{w.answer(k, value)})
	if err != nil {
		return page.Outcome{}, err
	}
	if len(got) == 0 {
		return page.Outcome{}, errors.New("the page set nothing")
	}
	return got[0], nil
}

// setAll brings several controls into their states.
func (w *walker) setAll(ctx context.Context, answers []page.Answer) (got []page.Outcome, err error) {
	w.left.answers -= len(answers)
	w.away(func() { got, err = w.page.Set(ctx, answers) })
	return got, err
}

// advance presses a button that should lead on.
func (w *walker) advance(ctx context.Context, b page.Press, p page.Proof) (step page.Step, err error) {
	w.away(func() { step, err = w.page.Advance(ctx, pressTarget(b), p) })
	return step, err
}

// click presses a button that leads nowhere.
func (w *walker) click(ctx context.Context, b page.Press) (err error) {
	w.away(func() { err = w.page.Click(ctx, pressTarget(b)) })
	return err
}

// complaints are what the page says about what it was given.
func (w *walker) complaints(ctx context.Context) (errs []page.FormError, err error) {
	w.away(func() { errs, err = w.page.Errors(ctx, nil) })
	return errs, err
}
