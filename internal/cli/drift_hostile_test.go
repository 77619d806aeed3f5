package cli

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// feedback is a second form on the page, with fields that are called the same.
const feedback = `<aside><h2>Tell us what you think</h2><form id="opinion" action="/opinion"><p><label for="o-mail">Email address</label> <input id="o-mail" name="email" type="email"></p>
<p><label for="o-text">Message</label> <textarea id="o-text" name="message"></textarea></p><button type="submit">Send feedback</button></form></aside>`

// TestDriftHostile: what merely looks like a field of the form is not taken for
// it, and no button is pressed that may do something else than lead on.
func TestDriftHostile(t *testing.T) {
	t.Parallel()
	k := openKit(t)
	for _, c := range []struct {
		name   string
		change func(*testing.T, *housing)
		want   []string
		works  string // the selector that takes the place of the first that fails
		passed string // part of why an alternative was passed over
		left   string // part of what could not be looked at
		breaks bool   // no repair is possible
	}{
		{"the alternative is a trap", func(t *testing.T, h *housing) {
			swap(t, &h.one, `id="full-name" name="full_name" required`, `id="applicant" name="applicant" required`, `for="full-name"`, `for="applicant"`,
				"<p><label for=\"email\"", `<p style="position:absolute;left:-9999px"><label>Leave this field blank <input name="full_name" tabindex="-1" autocomplete="off"></label></p><p><label for="email"`)
		}, []string{"selector full_name !"}, "#applicant", "alternative 1", "", false},
		{"the alternative is a trap in sight", func(t *testing.T, h *housing) {
			swap(t, &h.one, `id="full-name" name="full_name" required`, `id="applicant" name="applicant" required`, `for="full-name"`, `for="applicant"`,
				"<p><label for=\"email\"", `<p><label>If you are human, leave this field blank <input name="full_name"></label></p><p><label for="email"`)
		}, []string{"selector full_name !"}, "#applicant", "no question for a person: honeypot", "", false},
		{"the alternative is hidden", func(t *testing.T, h *housing) {
			swap(t, &h.one, `id="full-name" name="full_name" required`, `id="applicant" name="applicant" required`, `for="full-name"`, `for="applicant"`,
				"<p><label for=\"email\"", `<p hidden><label>Full name <input name="full_name"></label></p><p><label for="email"`)
		}, []string{"selector full_name !"}, "#applicant", "matches only what is not shown", "", false},
		{"the alternative is of another form", func(t *testing.T, h *housing) {
			swap(t, &h.one, `id="email" name="email"`, `id="mail" name="mail"`, `for="email"`, `for="mail"`, "</main>", "</main>"+feedback)
		}, []string{"selector email !"}, "#mail", "another form", "", false},
		{"only another form asks it", func(t *testing.T, h *housing) {
			swap(t, &h.one, `<p><label for="email">Email address</label> <input id="email" name="email" type="email"></p>`, "", "</main>", "</main>"+feedback)
		}, []string{"field_gone email !"}, "", "another form", "", false},
		{"the first selector is another question's", func(t *testing.T, h *housing) {
			swap(t, &h.one, `id="full-name" name="full_name" required`, `id="applicant" name="applicant" required`, `for="full-name"`, `for="applicant"`, `id="email"`, `id="full-name"`, `for="email"`, `for="full-name"`)
		}, []string{"selector full_name !", "selector email"}, "#applicant", "", "", false},
		{"the button's id is on one that discards", func(t *testing.T, h *housing) {
			swap(t, &h.one, `<button id="go" type="submit">Continue</button>`, `<button id="go" type="reset">Clear the form</button> <button id="forward" type="submit">Continue</button>`)
		}, []string{"selector !"}, "#forward", "", "", false},
		{"the button may submit now", func(t *testing.T, h *housing) {
			swap(t, &h.one, `type="submit">Continue`, `type="submit">Submit application`)
		}, []string{"button_changed"}, "", "", "may really submit", true},
		{"the last page cannot be recognised", func(t *testing.T, h *housing) {
			h.two = `<!doctype html><title>Other</title><main><h1>One more thing</h1><form method="post" action="/2"><p><label for="z">Colour</label> <input id="z" name="z"></p><button type="submit">Send</button></form></main>`
		}, []string{}, "", "", "its button was not pressed", true},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			h, e := serveHousing(t, c.change)
			d, err := k.checker(e, nil).Check(t.Context(), e, true)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(c.want, kinds(d)); diff != "" {
				t.Errorf("findings (-want +got):\n%s\n%v", diff, d.Findings)
			}
			if c.works != "" && (len(d.Findings) == 0 || d.Findings[0].Works == nil || d.Findings[0].Works.Selector != c.works) {
				t.Errorf("it does not take %s: %v", c.works, d.Findings)
			}
			if len(d.Findings) > 0 && !strings.Contains(strings.Join(d.Findings[0].Passed, "\n"), c.passed) {
				t.Errorf("it does not say %q: %q", c.passed, d.Findings[0].Passed)
			}
			if all := strings.Join(d.Unreached, "\n"); !strings.Contains(all, c.left) || c.left == "" && all != "" {
				t.Errorf("not reached: %q", d.Unreached)
			}
			if len(h.sent) > 0 {
				t.Errorf("the form was submitted: %q", h.sent)
			}
			if !c.breaks {
				k.runs(t, e, d, !strings.Contains(strings.Join(c.want, " "), "gone"))
			}
		})
	}
}
