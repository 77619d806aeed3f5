package scout

import (
	"context"
	"regexp"
	"slices"
	"strings"

	"github.com/legwork-mcp/legwork/internal/page"
)

// filler gets one step to let go with as few answers as it insists on: what it
// insists on is what is required.
type filler struct {
	*walker
	node  *node
	given map[string]string // ids that were set in this visit, with their values
	tries map[string]int
	all   bool // everything is filled in by now
	whole bool // a button that is not to be pressed: everything shall be filled in
}

// run fills and presses until the step is left or cannot be.
func (f *filler) run(ctx context.Context) (done bool, err error) {
	f.tries = map[string]int{}
	for range maxRounds {
		shown := f.note(ctx, f.node)
		if set, err := f.fill(ctx, shown); err != nil {
			return true, err
		} else if set {
			if err := f.look(ctx); err != nil {
				return true, err
			}
			continue
		}
		button, ok := onward(f.inv.Buttons, len(shown) > 0)
		if !ok {
			f.node.pressed = true
			f.end(endStuck, "no button leads on from "+titleOf(f.node))
			return true, nil
		}
		f.node.button, f.node.pressed = button, true
		if final(button, append(f.inv.Headings, f.place.Title)) && !f.plan.AllowSubmit {
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
			f.node.final = f.node.final || roleOf(button) == roleSubmit && !moreSteps(append(f.inv.Headings, f.place.Title))
			return false, nil
		}
		if f.pass.end != "" {
			return true, nil
		}
	}
	f.end(endStuck, "the step "+titleOf(f.node)+" could not be left")
	return true, nil
}

// fill sets what this pass has settled, and what the page says it needs.
func (f *filler) fill(ctx context.Context, shown []*known) (bool, error) {
	set := false
	for _, k := range shown {
		c, ok := now(f.inv, k)
		if !ok {
			continue
		}
		want, settled := f.pass.overrides[k.id]
		switch {
		case settled:
		case k.control.Required && empty(c) && !f.excluded(k), f.whole && empty(c) && k.control.Kind != page.KindCheckbox && k.control.Kind != page.KindFile:
			want = f.example(k)
		default:
			continue
		}
		if want == nil {
			continue
		}
		if _, done := f.given[k.id]; done {
			continue
		}
		if err := f.give(ctx, k, want); err != nil {
			return set, err
		}
		set = true
		if k.control.Kind != page.KindText && k.control.Kind != page.KindNumber && k.control.Kind != page.KindTextarea {
			break // it may have changed what the page asks
		}
	}
	return set, nil
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

// example is the value that the field is tried with.
func (f *filler) example(k *known) any {
	if k.example == nil {
		list := candidates(k.control, f.now())
		if k.next < len(list) {
			k.example = list[k.next]
		}
	}
	return k.example
}

// another takes the next candidate after a value was refused.
func (f *filler) another(k *known) bool {
	list := candidates(k.control, f.now())
	k.next++
	if k.next >= len(list) {
		return false
	}
	k.example = list[k.next]
	return true
}

// maxTries is how many values one field may be tried with in one visit.
const maxTries = 12

// give sets a field, with the next candidates when the page does not keep one.
func (f *filler) give(ctx context.Context, k *known, value any) error {
	for {
		o, err := f.set(ctx, k, value)
		if err != nil {
			return err
		}
		f.given[k.id] = spelling(value)
		if o.State.OK() {
			return nil
		}
		_, settled := f.pass.overrides[k.id]
		f.tries[k.id]++
		if settled || f.tries[k.id] >= maxTries || o.State == page.StateHidden || o.State == page.StateDisabled || o.State == page.StateReadOnly || !f.another(k) {
			return nil
		}
		value = k.example
	}
}

// press tries to leave the step and learns from what the page says instead.
func (f *filler) press(ctx context.Context, button page.Press, shown []*known) (bool, error) {
	targets := make([]page.Target, len(shown))
	for i, k := range shown {
		targets[i] = input(k.control, k.id).Target
	}
	step, err := f.walker.page.Advance(ctx, pressTarget(button), page.Proof{Fields: targets})
	if err != nil {
		return false, err
	}
	f.pass.steps++
	if step.Moved {
		f.keep(shown)
		f.needs(shown, nil)
		return true, nil
	}
	blamed := f.blamed(step, shown)
	if err := f.look(ctx); err != nil {
		return false, err
	}
	again := f.note(ctx, f.node)
	if len(blamed) > 0 {
		f.needs(shown, blamed)
		return false, f.mend(ctx, again, blamed)
	}
	return false, f.unclear(ctx, again, step)
}

// keep records the answers with which the step is left.
func (f *filler) keep(shown []*known) {
	for _, k := range shown {
		c, ok := now(f.inv, k)
		if !ok {
			continue
		}
		if a := answerOf(c); a != nil {
			f.pass.answers[k.id] = a
			k.tried[spelling(plainAnswer(a))] = true
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
		if !ok || !empty(c) {
			continue
		}
		switch _, is := blamed[k]; {
		case is:
			k.need = append(k.need, moment{answers, true})
		case blamed == nil:
			k.need = append(k.need, moment{answers, false})
		}
	}
}

// blamed maps the page's messages to its questions.
func (f *filler) blamed(step page.Step, shown []*known) map[*known]string {
	out := map[*known]string{}
	for _, e := range step.Errors {
		if e.FieldIndex >= 0 && e.FieldIndex < len(shown) {
			out[shown[e.FieldIndex]] = e.Text
			continue
		}
		if k := byWords(e, shown); k != nil {
			if _, ok := out[k]; !ok {
				out[k] = e.Text
			}
		}
	}
	return out
}

// byWords finds the question that a message names.
func byWords(e page.FormError, shown []*known) *known {
	var best *known
	length := 0
	for _, k := range shown {
		for _, name := range []string{plainLabel(k.control.Label), plainLabel(k.control.Group)} {
			if n := fold(name); len(n) > 2 && len(n) > length && (strings.Contains(fold(e.Text), n) || fold(e.Label) == n) {
				best, length = k, len(n)
			}
		}
	}
	return best
}

// mend answers what the page complained about: an empty question with its
// example, another with its next candidate.
func (f *filler) mend(ctx context.Context, shown []*known, blamed map[*known]string) error {
	progress := false
	for _, k := range shown {
		text, ok := blamed[k]
		if !ok {
			continue
		}
		c, there := now(f.inv, k)
		if !there {
			progress = true
			continue
		}
		if k.control.Kind == page.KindCheckbox && k.control.Set != "" && f.excluded(k) {
			continue
		}
		if !empty(c) || f.tries[k.id] > 0 {
			if _, settled := f.pass.overrides[k.id]; settled && f.tries[k.id] > 0 {
				f.end(endStuck, "the form refuses the answer to "+labelOf(k.control)+": "+text)
				return nil
			}
			f.tries[k.id]++
			f.fromMessage(k, text)
			if f.tries[k.id] > maxTries || !f.another(k) {
				f.end(endStuck, "no example satisfies "+labelOf(k.control)+": "+text)
				return nil
			}
		}
		progress = true
		if err := f.give(ctx, f.inSet(k, shown), f.example(f.inSet(k, shown))); err != nil {
			return err
		}
	}
	if !progress {
		f.end(endStuck, "the form complains again about what it has been given")
		return nil
	}
	return f.look(ctx)
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

var limits = regexp.MustCompile(`(?i)(?:between|from)\s+\$?([\d,.]+)\s+(?:and|to)\s+\$?([\d,.]+)|(?:at least|minimum(?: of)?|or more than|more than|greater than|above)\s+\$?([\d,.]+)|(?:at most|maximum(?: of)?|no more than|less than|below|up to)\s+\$?([\d,.]+)`)

// fromMessage reads limits out of a message about a value.
func (f *filler) fromMessage(k *known, text string) {
	m := limits.FindStringSubmatch(text)
	if m == nil || k.control.Kind != page.KindNumber && k.control.Format == "" && k.control.Kind != page.KindRange {
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
	for _, k := range shown {
		c, ok := now(f.inv, k)
		if _, done := f.given[k.id]; !ok || done || !empty(c) || k.control.Kind == page.KindCheckbox && f.excluded(k) {
			continue
		}
		if waits && k.control.Optional {
			continue
		}
		if want := f.example(k); want != nil {
			if err := f.give(ctx, k, want); err != nil {
				return err
			}
			set++
		}
		if k.control.Kind == page.KindRadio || k.control.Kind == page.KindSelect || k.control.Kind == page.KindCheckbox {
			break
		}
	}
	if set > 0 {
		return f.look(ctx)
	}
	if f.all {
		f.end(endStuck, "the form does not go on, and says nothing about its questions: "+step.Message)
		return nil
	}
	f.all = true
	return nil
}
