package scout

import (
	"context"
	"slices"
	"strings"

	"github.com/legwork-mcp/legwork/internal/lazyregexp"
	"github.com/legwork-mcp/legwork/internal/page"
)

// filler gets one step to let go with as few answers as it insists on: what it
// insists on is what is required.
type filler struct {
	*walker
	node    *node
	given   map[string]string // ids that were set in this visit, with their values
	tries   map[string]int
	at      map[string]int // the candidate that is tried
	twice   map[string]bool
	all     bool   // everything is filled in by now
	whole   bool   // a button that is not to be pressed: everything shall be filled in
	again   bool   // the step was looked at again after it seemed stuck
	probing bool   // answers are tried out
	guess   *known // what was answered although nothing named it
}

// run fills and presses until the step is left or cannot be.
func (f *filler) run(ctx context.Context) (done bool, err error) {
	f.tries, f.at, f.twice = map[string]int{}, map[string]int{}, map[string]bool{}
	for range maxRounds {
		if f.spent(ctx) {
			break
		}
		shown := f.note(ctx, f.node)
		if set, err := f.fill(ctx, shown); err != nil {
			return true, err
		} else if set {
			if err := f.after(ctx); err != nil {
				return true, err
			}
			if !f.node.same(f.place, namesOf(f.inv)) && (f.sends(f.node) || f.wentOn()) {
				f.end(endStuck, titleOf(f.node)+" is left when it is answered")
				return true, nil
			}
			continue
		}
		button, ok := onward(f.inv.Buttons, len(shown) > 0)
		if !ok {
			if k := f.choice(shown); k != nil {
				if err := f.forWay(ctx, k); err != nil {
					return true, err
				}
				continue
			}
			f.node.pressed = true
			f.end(endStuck, "no button leads on from "+titleOf(f.node))
			return true, nil
		}
		f.node.button, f.node.pressed = button, true
		landing := len(f.pass.path) == 1 && len(shown) == 0 && lands(button)
		f.node.mayAct = final(button, f.inv, f.place) && !landing
		if (f.node.final || f.node.mayAct) && !f.plan.AllowSubmit {
			if !f.whole {
				f.whole = true
				continue
			}
			f.node.final = true
			f.picture(ctx, f.node, shown)
			f.keep(shown)
			f.end(endFinal, "")
			return true, nil
		}
		f.picture(ctx, f.node, shown)
		moved, err := f.press(ctx, button, shown)
		if err != nil {
			return true, err
		}
		if moved {
			f.node.final = f.node.final || roleOf(button) == roleSubmit && !landing && !moreSteps(append(f.inv.Headings, f.place.Title))
			return false, nil
		}
		if f.pass.end != "" {
			return true, nil
		}
	}
	f.end(endStuck, "the step "+titleOf(f.node)+" could not be left")
	return true, nil
}

// after looks at what answers have brought up.
func (f *filler) after(ctx context.Context) error {
	if f.node.slow {
		return f.calm(ctx, reaction)
	}
	return f.look(ctx)
}

// fill sets what this pass has settled, what the page says it needs, and what it
// has insisted on before, all in one go. Fields that come up by it are for the
// next round.
func (f *filler) fill(ctx context.Context, shown []*known) (bool, error) {
	var todo []*known
	var answers []page.Answer
	for _, k := range shown {
		c, ok := now(f.inv, k)
		if _, done := f.given[k.id]; !ok || done && !f.wiped(k, c) {
			continue
		}
		want, settled := f.pass.overrides[k.id]
		if !settled && (k == f.wanted && empty(c) || f.calls(k) && empty(c) && !f.excluded(k) || (f.whole || f.blind) && empty(c) && k.control.Kind != page.KindCheckbox && (k.control.Kind != page.KindFile || f.blind)) {
			want = f.example(k)
		}
		if want == nil {
			continue
		}
		f.given[k.id] = spelling(want)
		todo, answers = append(todo, k), append(answers, f.answer(k, want))
	}
	if len(todo) == 0 {
		return false, nil
	}
	f.reshown = false
	got, err := f.setAll(ctx, answers)
	if err != nil {
		return true, err
	}
	for i, o := range got {
		if o.State.OK() || o.State == page.StateHidden {
			continue
		}
		if err := f.give(ctx, todo[i], answers[i].Value); err != nil {
			return true, err
		}
	}
	return true, nil
}

// wiped reports, once in a visit, that a field is empty again: another answer had
// the form drawn anew.
func (f *filler) wiped(k *known, c page.Control) bool {
	if f.given[k.id] == "" || f.twice[k.id] || !empty(c) || c.Kind == page.KindFile || c.Kind == page.KindCheckbox {
		return false
	}
	f.twice[k.id] = true
	return true
}

// calls reports whether the page calls for an answer: it says so, or it has
// insisted on one before and never let go without.
func (f *filler) calls(k *known) bool {
	if f.spare == f.node && k.id != f.flipped && !f.demanded[k] && k.unmarked() {
		return false
	}
	insisted := false
	for _, m := range k.need {
		if !m.holds {
			return k.control.Required
		}
		insisted = true
	}
	if k.awaited && !insisted && k != f.omitted {
		return true
	}
	return insisted && (k.control.Kind != page.KindCheckbox || k.control.Set == "" || k.control.Exclusive) || k.control.Required
}

func empty(c page.Control) bool {
	a := answerOf(c)
	return a == nil || a == false
}

// excluded keeps a checkbox of a set from being ticked because its set is
// required: one of them is enough.
func (f *filler) excluded(k *known) bool {
	return k.control.Kind == page.KindCheckbox && k.control.Set != "" && setMember(f.inv, k.control.Set, func(c page.Control) bool { return c.Checked })
}

func setMember(inv page.Inventory, set string, is func(page.Control) bool) bool {
	return slices.ContainsFunc(inv.Controls, func(c page.Control) bool { return c.Set == set && is(c) })
}

// example is the value that the field is tried with: one that was taken before,
// or the first candidate. Passes that look for other ways choose differently as
// long as their first choice was not refused.
func (f *filler) example(k *known) any {
	if f.tries[k.id] == 0 {
		if v := f.taste.choose(k.control, f.now()); v != nil {
			return v
		}
		if k.example != nil && !k.dependent {
			return k.example
		}
	}
	list := f.candidates(k)
	if len(list) == 0 {
		return nil
	}
	return list[max(0, f.at[k.id])%len(list)]
}

// candidates are the values that the control takes as it stands.
func (f *filler) candidates(k *known) []any {
	c := k.control
	if live, ok := now(f.inv, k); ok && len(choosable(live.Options)) > 0 {
		c.Options = live.Options
	}
	return f.Explorer.candidates(k, c)
}

// another goes on to the next candidate after a value was refused. It reports
// whether there is one that this visit has not tried.
func (f *filler) another(k *known) bool {
	list := f.candidates(k)
	for f.at[k.id]+1 < len(list) {
		f.at[k.id]++
		if spelling(list[f.at[k.id]]) != f.given[k.id] {
			return true
		}
	}
	return false
}

// maxTries is how many values one field may be tried with in one visit.
const maxTries = 8

// give sets a field, with the next candidates when the page does not keep one.
func (f *filler) give(ctx context.Context, k *known, value any) error {
	f.reshown = false
	for {
		o, err := f.set(ctx, k, value)
		if err != nil {
			return err
		}
		f.given[k.id] = spelling(value)
		if o.State.OK() {
			return nil
		}
		if o.Wants != "" {
			f.wants(k, o.Wants)
		}
		k.stuck = k.stuck || spelling(value) == "" && o.State == page.StateValueMismatch
		f.tries[k.id]++
		if k.id == f.flipped || f.tries[k.id] >= maxTries || o.State == page.StateHidden || o.State == page.StateDisabled || o.State == page.StateReadOnly {
			return nil
		}
		switch {
		case o.Wants != "" || f.suggested(k, o):
			f.at[k.id] = 0
		case f.tries[k.id] > 1 && !f.another(k):
			return nil
		}
		value = f.example(k)
	}
}

// press tries to leave the step and learns from what the page says instead.
func (f *filler) press(ctx context.Context, button page.Press, shown []*known) (bool, error) {
	targets := make([]page.Target, len(shown))
	for i, k := range shown {
		c, ok := now(f.inv, k)
		if !ok {
			c = k.control
		}
		targets[i] = input(c, k.id).Target
	}
	step, err := f.advance(ctx, button, page.Proof{Fields: targets})
	if err != nil {
		return false, err
	}
	if strings.Contains(step.Message, "covered") { // a list that was left open
		if err := f.tab.Press(ctx, f.tab.Main(), "Escape"); err != nil {
			return false, err
		}
		if step, err = f.advance(ctx, button, page.Proof{Fields: targets}); err != nil {
			return false, err
		}
	}
	f.loaded()
	before := f.inv
	if err := f.look(ctx); err != nil {
		return false, err
	}
	if step.Moved && !f.back(ctx, &step, shown) {
		after := f.inv
		f.inv = before // as it was left
		f.keep(shown)
		f.needs(shown, nil)
		if f.guess != nil {
			f.guess.need = append(f.guess.need, moment{copyOf(f.pass.answers), true})
		}
		f.inv = after
		return true, nil
	}
	f.guess = nil
	if step.How == page.HowNavigation {
		f.reshown = true
		clear(f.twice)
		clear(f.given) // the page may have emptied what was set
	}
	blamed := f.blamed(step, shown)
	f.inv, before = before, f.inv
	f.needs(shown, blamed)
	f.inv = before
	again := f.note(ctx, f.node)
	if len(blamed) > 0 {
		return false, f.mend(ctx, again, blamed)
	}
	return false, f.unclear(ctx, again, step)
}

// back reports whether the form came with the same step again, and adds what it
// says to the step. Programs that answer with a page of their own send the whole
// form back.
func (f *filler) back(ctx context.Context, step *page.Step, shown []*known) bool {
	idents := namesOf(f.inv)
	if len(idents) == 0 || !f.node.same(f.place, idents) {
		return false
	}
	errs, err := f.complaints(ctx)
	if err != nil || len(errs) == 0 {
		return len(f.given) == 0 && len(f.pass.path) < 2
	}
	for i := range errs {
		errs[i].FieldIndex = slices.IndexFunc(shown, func(k *known) bool {
			return errs[i].Selector != "" && (k.control.Selector == errs[i].Selector || slices.ContainsFunc(k.control.Ways, func(w page.Way) bool { return w.Selector == errs[i].Selector }))
		})
	}
	step.Moved, step.Errors = false, errs
	return true
}

// keep records the answers with which the step is left.
func (f *filler) keep(shown []*known) {
	for _, k := range shown {
		c, ok := now(f.inv, k)
		if !ok {
			continue
		}
		f.pass.asks(k.id)
		if a := answerOf(c); a != nil {
			if v, set := f.pass.overrides[k.id]; set && spelling(v) == "" {
				k.stuck = true // it was emptied, and is not empty
			}
			f.pass.answers[k.id] = a
			if t, ok := a.(textAnswer); ok && f.given[k.id] != "" && k.id != f.flipped {
				k.example = string(t) // one that the form takes
				if k.control.Kind == page.KindDate || k.control.Type == typeInterval || k.control.Type == typeMoment {
					k.example = f.given[k.id] // as a run gives it, not as the page writes it
				}
			}
		}
	}
}

func plainAnswer(a any) any {
	if t, ok := a.(textAnswer); ok {
		return string(t)
	}
	return a
}

// needs records whether the step could be left without each empty question. With
// blamed, only what the page complained about is known.
func (f *filler) needs(shown []*known, blamed map[*known]string) {
	answers := copyOf(f.pass.answers)
	for _, k := range shown {
		if c, ok := now(f.inv, k); ok {
			if a := answerOf(c); a != nil {
				answers[k.id] = a
			}
		}
	}
	for _, k := range shown {
		c, ok := now(f.inv, k)
		_, is := blamed[k]
		if v, given := f.given[k.id]; !ok || !empty(c) && !is || given && v != "" {
			continue // some controls do not show what they hold
		}
		switch {
		case is:
			if f.demanded == nil {
				f.demanded = map[*known]bool{}
			}
			f.demanded[k] = true
			k.need = append(k.need, moment{answers, true})
			f.pass.learned = true
		case blamed == nil:
			f.pass.let = append(f.pass.let, letting{k, moment{answers, false}})
		}
	}
}

// mend answers what the page complained about: an empty question with its
// example, another with its next candidate.
func (f *filler) mend(ctx context.Context, shown []*known, blamed map[*known]string) error {
	progress, refused := false, "the form complains again about what it has been given"
	for _, k := range shown {
		text, ok := blamed[k]
		if !ok {
			continue
		}
		c, there := now(f.inv, k)
		if !there {
			continue // the next pass gives it before it goes away
		}
		if k.control.Kind == page.KindCheckbox && k.control.Set != "" && f.excluded(k) {
			continue
		}
		if !empty(c) || f.tries[k.id] > 0 {
			f.fromMessage(k, text)
			if k.id == f.flipped {
				f.end(endStuck, "the form refuses the answer to "+labelOf(k.control)+": "+text)
				return nil
			}
			f.tries[k.id]++
			if f.tries[k.id] > maxTries || f.tries[k.id] > 1 && !f.another(k) {
				refused = "no example satisfies " + labelOf(k.control) + ": " + text
				continue
			}
		}
		target := f.inSet(k, shown)
		want := f.example(target)
		if want == nil {
			refused = "no example is known for " + labelOf(target.control) + ": " + text
			continue
		}
		progress = true
		if err := f.give(ctx, target, want); err != nil {
			return err
		}
	}
	if !progress {
		return f.lost(ctx, shown, refused)
	}
	return f.look(ctx)
}

// lost answers the next empty question when the form's complaints cannot be
// mapped, and gives up when there is none.
func (f *filler) lost(ctx context.Context, shown []*known, why string) error {
	for _, k := range shown {
		c, ok := now(f.inv, k)
		if _, done := f.given[k.id]; !ok || done || !empty(c) || k.control.Optional || k.control.Kind == page.KindCheckbox {
			continue
		}
		if want := f.example(k); want != nil {
			f.given[k.id] = ""
			f.guess = k
			if err := f.give(ctx, k, want); err != nil {
				return err
			}
			return f.look(ctx)
		}
	}
	f.end(endStuck, why)
	return nil
}

// inSet prefers the "none of these" of a set of checkboxes that needs one.
func (f *filler) inSet(k *known, shown []*known) *known {
	if k.control.Kind != page.KindCheckbox || k.control.Set == "" {
		return k
	}
	for _, other := range shown {
		if other.control.Set == k.control.Set && other.control.Exclusive {
			return other
		}
	}
	return k
}

var limits = lazyregexp.New(`(?i)(?:between|from)\s+\$?([\d,.]+)\s+(?:and|to)\s+\$?([\d,.]+)|(?:at least|minimum(?: of)?|or more than|more than|greater than|above)\s+\$?([\d,.]+)|(?:at most|maximum(?: of)?|no more than|less than|below|up to)\s+\$?([\d,.]+)`)

// characters are messages about the length of a text, not about a number.
var characters = lazyregexp.New(`(?i)\bcharacters?\b|\bletters\b|\bwords?\b|\blong\b`)

// longestTold bounds what is kept of the messages about one question.
const longestTold = 1000

// fromMessage reads examples and limits out of a message about a value.
func (f *filler) fromMessage(k *known, text string) {
	if said := "\n" + text; len(shownExamples(text)) > 0 && !strings.Contains(k.told, said) && len(k.told)+len(said) < longestTold {
		k.told += said
		if f.tries[k.id] > 0 {
			f.at[k.id] = -1 // the candidates begin anew
		}
	}
	m := limits.FindStringSubmatch(text)
	if m == nil || len(k.control.Options) > 0 || k.control.Kind == page.KindDate || characters.MatchString(text) {
		return
	}
	clean := func(s string) string { return strings.TrimRight(strings.ReplaceAll(s, ",", ""), ".") }
	if lo := clean(m[1] + m[3]); k.control.Min == "" && lo != "" {
		k.control.Min = lo
	}
	if hi := clean(m[2] + m[4]); k.control.Max == "" && hi != "" {
		k.control.Max = hi
	}
}

// unclear handles a page that stays without naming a question: a button that
// waits for answers, or a message about the whole. The next empty question is
// answered, one at a time while the button waits, all at once otherwise.
func (f *filler) unclear(ctx context.Context, shown []*known, step page.Step) error {
	waits := strings.Contains(step.Message, "disabled")
	set := 0
	f.guess = nil
	for _, k := range shown {
		c, ok := now(f.inv, k)
		if _, done := f.given[k.id]; !ok || done || !empty(c) || k.control.Kind == page.KindCheckbox && f.excluded(k) {
			continue
		}
		if waits && k.control.Optional {
			continue
		}
		if want := f.example(k); want != nil {
			k.awaited = k.awaited || waits
			if err := f.give(ctx, k, want); err != nil {
				return err
			}
			set++
			f.guess, k.silent = k, true
			if waits {
				break // the button may be ready now
			}
		}
		if k.control.Kind == page.KindRadio || k.control.Kind == page.KindSelect || k.control.Kind == page.KindCheckbox {
			break
		}
	}
	if set > 0 {
		if set > 1 {
			f.guess = nil // which of them it was is found out later
		}
		return f.after(ctx)
	}
	// Steps that cannot be left are worth a row.
	if r := f.rowsOf(func(r *rows) bool { return !r.added(f.pass) && len(r.standing) == 0 }); r != nil {
		r.pass = f.pass
		ok, err := f.addRow(ctx, r)
		if ok {
			r.required = true
		}
		return err
	}
	if !f.again {
		f.again = true // something may come late
		return f.calm(ctx, firstSight)
	}
	if f.all {
		f.end(endStuck, "the form does not go on, and says nothing about its questions: "+step.Message)
		return nil
	}
	f.all = true
	return nil
}
