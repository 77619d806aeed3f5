package scout

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/legwork-mcp/legwork/internal/browser"
	"github.com/legwork-mcp/legwork/internal/fault"
	"github.com/legwork-mcp/legwork/internal/lazyregexp"
	"github.com/legwork-mcp/legwork/internal/nearest"
	"github.com/legwork-mcp/legwork/internal/page"
)

// aimAt is what a caller points at.
type aimAt struct {
	Selector string
	Type     string
	Frame    []string
}

func (a aimAt) target() page.Target {
	return page.Target{Selector: a.Selector, Type: a.Type, Frame: a.Frame}
}

// done is what became of one action.
type done struct {
	state   string
	used    string
	how     string // how auto was decided
	moved   bool
	said    []string // messages of the form
	leads   bool     // what was pressed is there to send the page, as far as is known
	dialogs []string
	note    string
	failed  *Failure
}

// decide says how an auto selector is read, and finds the frame of what the last
// look listed in one.
func (x *session) decide(ctx context.Context, a aimAt) (aimAt, string, error) {
	if a.Type == "" {
		a.Type = "auto"
	}
	if len(a.Frame) == 0 {
		a.Frame = x.frameOf(a)
	}
	if a.Type != "auto" {
		return a, "", nil
	}
	ways := []string{"auto", "css", "id", "text", "label"}
	targets := make([]page.Target, len(ways))
	for i, w := range ways {
		targets[i] = page.Target{Selector: a.Selector, Type: w, Frame: a.Frame}
	}
	seen, err := x.page.Survey(ctx, targets)
	if err != nil {
		return a, "", err
	}
	if !seen[0].Present && seen[4].Present {
		a.Type = "label"
		return a, "label", nil
	}
	for i, w := range ways[1:4] {
		if seen[i+1].Present && seen[0].Present && seen[i+1].Count == seen[0].Count {
			return a, w, nil
		}
	}
	return a, "", nil
}

// frameOf is the frame of the listed element that is meant, if there is no such
// element outside of the frames.
func (x *session) frameOf(a aimAt) []string {
	var found []string
	for _, c := range x.inv.Controls {
		if x.means(a, c.Ways, c.Label) || slices.ContainsFunc(c.Options, func(o page.ControlOption) bool { return o.Selector != "" && o.Selector == a.Selector }) {
			if len(c.Frame) == 0 {
				return nil
			}
			found = c.Frame
		}
	}
	for _, b := range x.inv.Buttons {
		if x.means(a, b.Ways, b.Text) {
			if len(b.Frame) == 0 {
				return nil
			}
			found = b.Frame
		}
	}
	return found
}

// means tells whether a selector points at a listed element.
func (x *session) means(a aimAt, ways []page.Way, words string) bool {
	for _, w := range ways {
		if w.Selector == a.Selector || w.Basis == "id" && (w.Selector == "#"+a.Selector) && a.Type != "css" {
			return true
		}
	}
	return a.Type != "css" && a.Type != "id" && words != "" && fold(words) == fold(a.Selector)
}

// control is the listed control that is meant, with the option if one of its
// options is.
func (x *session) control(a aimAt) (*page.Control, *page.ControlOption) {
	for i := range x.inv.Controls {
		c := &x.inv.Controls[i]
		if !slices.Equal(c.Frame, a.Frame) {
			continue
		}
		for j := range c.Options {
			o := &c.Options[j]
			byID := o.Selector == "#"+a.Selector && a.Type != "css"
			if o.Selector != "" && (o.Selector == a.Selector || byID) {
				return c, o
			}
		}
		if a.Type != "text" && x.means(a, c.Ways, c.Label) {
			return c, nil
		}
	}
	return nil, nil
}

// button is the listed thing to press that is meant.
func (x *session) button(a aimAt) (page.Press, bool) {
	for _, b := range x.inv.Buttons {
		if slices.Equal(b.Frame, a.Frame) && x.means(a, b.Ways, b.Text) {
			return b, true
		}
	}
	return page.Press{}, false
}

// press clicks. A radio button or a checkbox is brought into its new state, which
// also works where only its label is drawn; anything else is pressed and watched.
func (x *session) press(ctx context.Context, a aimAt) (done, error) {
	a, how, err := x.decide(ctx, a)
	if err != nil {
		return done{}, err
	}
	c, o := x.control(a)
	if c != nil && (o != nil || c.Kind == page.KindCheckbox) && (c.Kind == page.KindRadio || c.Kind == page.KindCheckbox) {
		d, err := x.pick(ctx, *c, o)
		d.how = how
		return d, err
	}
	d, err := x.pressBy(ctx, a, page.Proof{})
	d.how = how
	return d, err
}

// pressBy presses a button, by a pointer or by script, and notes where it led.
func (x *session) pressBy(ctx context.Context, a aimAt, proof page.Proof) (done, error) {
	a, how, err := x.decide(ctx, a)
	if err != nil {
		return done{}, err
	}
	b, known := x.button(a)
	t := a.target()
	if known {
		t.Text = b.Text
	}
	asks := slices.ContainsFunc(x.inv.Controls, asked)
	got, err := x.page.Advance(ctx, t, proof)
	if err != nil {
		f, err := x.explain(ctx, a, err)
		return done{how: how, failed: f}, err
	}
	if why, ok := strings.CutPrefix(got.Message, unpressed); ok {
		return done{how: how, failed: x.unclickable(why)}, nil
	}
	before := spot(x.place)
	headings := append(slices.Clone(x.inv.Headings), x.place.Title)
	if err := x.look(ctx); err != nil {
		return done{}, err
	}
	text := b.Text
	if text == "" && how == "text" {
		text = a.Selector
	}
	x.did(step{
		Action: stepPress, Selector: a.Selector, Type: a.Type, Frame: a.Frame, Text: text, At: before, Moved: got.Moved, Script: proof.Script,
		Submits: asks && got.Moved && !moreSteps(headings) && (earnest.MatchString(text) || x.ended()),
	})
	d := done{state: "pressed", used: a.Selector, how: how, moved: got.Moved, leads: b.Primary || b.Type == "submit", dialogs: got.Dialogs, note: got.Message}
	for _, e := range got.Errors {
		d.said = append(d.said, clip(e.Text, longestText))
	}
	return d, nil
}

// unpressed begins the message of a step whose button could not be pressed.
const unpressed = "the button could not be pressed: "

// earnest are the words of buttons that are never pressed again, wherever they led.
var earnest = lazyregexp.New(`(?i)\b(submit|send|pay|order|apply|file|sign|confirm|donate|book|register|purchase)\b`)

// ended tells whether the form seems to be over: the page asks nothing and offers
// nothing that would lead on. A press that led here may have submitted, whatever
// its words are.
func (x *session) ended() bool {
	if slices.ContainsFunc(x.inv.Controls, asked) {
		return false
	}
	b, ok := onward(x.inv.Buttons, false)
	return !ok || roleOf(b) != roleContinue
}

// pick clicks an option or a checkbox.
func (x *session) pick(ctx context.Context, c page.Control, o *page.ControlOption) (done, error) {
	in := input(c, c.Selector)
	var value any = !c.Checked
	if o != nil {
		value = optionValue(*o)
		if c.Kind == page.KindCheckbox {
			value = []string{optionValue(*o)}
		}
	}
	return x.put(ctx, page.Answer{Input: in, Value: value})
}

// put brings a field into a state and notes it in the trail.
func (x *session) put(ctx context.Context, a page.Answer) (done, error) {
	before := spot(x.place)
	got, err := x.page.Set(ctx, []page.Answer{a})
	if err != nil {
		return done{}, err
	}
	if len(got) == 0 {
		return done{}, errors.New("the page set nothing")
	}
	o := got[0]
	if !o.State.OK() {
		return done{failed: x.refused(ctx, a, o)}, nil
	}
	x.did(step{Action: stepSet, Selector: a.Target.Selector, Type: a.Target.Type, Frame: a.Target.Frame, At: before, answers: []page.Answer{a}})
	return done{state: string(o.State), used: o.Used}, nil
}

// did adds a step to the trail. Filling the same field again replaces what was
// filled in before, as long as nothing was pressed in between.
func (x *session) did(t step) {
	for i := len(x.trail) - 1; i >= 0 && t.Action == stepSet && x.trail[i].Action == stepSet; i-- {
		if x.trail[i].Selector == t.Selector && slices.Equal(x.trail[i].Frame, t.Frame) {
			x.trail = slices.Delete(x.trail, i, i+1)
			break
		}
	}
	x.trail = append(x.trail, t)
}

// refused explains why a field does not hold what it was given, without it.
func (x *session) refused(ctx context.Context, a page.Answer, o page.Outcome) *Failure {
	f := &Failure{Candidates: o.Candidates, Error: o.Message}
	say := func(typ, message, action string) {
		f.ErrorType, f.CorrectiveAction = typ, action
		if f.Error == "" {
			f.Error = message
		}
	}
	name := a.Target.Selector
	switch o.State {
	case page.StateNotFound, page.StateHidden:
		if bad := x.malformed(ctx, a.Target); bad != nil {
			return bad
		}
		say(TypeNotFound, fmt.Sprintf("Nothing on the page that can be filled in matches %q.", name), "Use a selector that federalscout_get_page_info lists.")
		f.Suggestion = x.suggest(name)
	case page.StateAmbiguous:
		say(TypeAmbiguous, fmt.Sprintf("Several elements match %q.", name), "Use a selector that only one of them matches.")
	case page.StateOptionNotFound:
		say(TypeOption, fmt.Sprintf("%q has no such option.", name), "Give one of the candidates, exactly.")
	case page.StateDisabled, page.StateReadOnly:
		say(TypeValue, fmt.Sprintf("%q is %s.", name, o.State), "Answer first what it depends on, or leave it out.")
	default:
		say(TypeValue, fmt.Sprintf("The page does not keep the value in %q.", name), "Give the value in the form that the field takes: see its format, pattern and hint.")
	}
	return f
}

// malformed explains a selector that matches nothing because it is no CSS; nil if it
// is, or is none by its type.
func (x *session) malformed(ctx context.Context, t page.Target) *Failure {
	why, err := x.page.Malformed(ctx, t)
	if err != nil || why == "" {
		return nil // what did not match is told as that
	}
	return &Failure{
		ErrorType: TypeSelector, Error: fmt.Sprintf("%q is no valid CSS selector: %s.", t.Selector, strings.TrimSuffix(why, ".")),
		Suggestion: x.suggest(t.Selector), CorrectiveAction: "Correct it, use a selector that federalscout_get_page_info lists, or say with selector_type what else it is, such as text.",
	}
}

// explain turns the fault of one element into a failure; others stay errors.
func (x *session) explain(ctx context.Context, a aimAt, err error) (*Failure, error) {
	f := fault.From(err)
	switch {
	case errors.Is(err, browser.ErrCrashed), errors.Is(err, browser.ErrClosed):
		return nil, err
	case f.Type == "selector_not_found":
		if bad := x.malformed(ctx, page.Target{Selector: a.Selector, Type: a.Type}); bad != nil {
			return bad, nil
		}
		return &Failure{
			ErrorType: TypeNotFound, Error: fmt.Sprintf("Nothing on the page matches %q as %s.", a.Selector, a.Type),
			Suggestion: x.suggest(a.Selector), CorrectiveAction: "Use a selector that federalscout_get_page_info lists, or the text of what is meant.",
		}, nil
	case f.Type == TypeAmbiguous:
		c, _ := f.Data["candidates"].([]string)
		return &Failure{ErrorType: TypeAmbiguous, Error: fmt.Sprintf("Several elements match %q.", a.Selector), CorrectiveAction: "Use a selector that only one of them matches.", Candidates: c}, nil
	case f.Type == TypeNotClickable:
		return x.unclickable(f.Message), nil
	}
	return nil, err
}

// unclickable says why something cannot be pressed; an open dialog is the likely
// reason when there is one.
func (x *session) unclickable(why string) *Failure {
	if x.inv.Dialog != "" || strings.Contains(why, "covered by dialog") {
		return &Failure{
			ErrorType: TypeDialog, Error: fmt.Sprintf("An open dialog leaves nothing else to use: %s.", strings.TrimSuffix(clip(why, 2*longestText), ".")),
			CorrectiveAction: "Answer or close the dialog first: its buttons are in the list.",
		}
	}
	return &Failure{
		ErrorType: TypeNotClickable, Error: "It cannot be pressed: " + strings.TrimSuffix(clip(why, 2*longestText), ".") + ".",
		CorrectiveAction: "Look at the picture for what is in its way; a disabled button waits for answers.",
	}
}

// suggest names what is nearest on the page: a text, a label or a selector.
func (x *session) suggest(selector string) string {
	bare := strings.Trim(selector, "#. ")
	var names []string
	where := map[string]string{}
	put := func(name, at string) {
		if name != "" && at != "" && len(names) < maxControls {
			names = append(names, name)
			if where[name] == "" {
				where[name] = at
			}
		}
	}
	for _, b := range x.inv.Buttons {
		put(b.Text, b.Selector)
		put(pressElement(b).ID, b.Selector)
	}
	for _, c := range x.inv.Controls {
		if c.Visible {
			put(c.Label, c.Selector)
			put(c.ID, c.Selector)
			put(c.Name, c.Selector)
		}
	}
	if near := nearest.Name(bare, names); near != "" {
		return fmt.Sprintf("%q is on the page: %s", clip(near, 80), where[near])
	}
	var buttons []string
	for _, b := range x.inv.Buttons {
		if b.Tag != "a" || b.Role == "button" {
			buttons = append(buttons, fmt.Sprintf("%q", clip(b.Text, 60)))
		}
	}
	if len(buttons) == 0 {
		return ""
	}
	return "The page has the buttons " + list(buttons, 8)
}
