package cli

import (
	"encoding/json"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/legwork-mcp/legwork/internal/runner"
	"github.com/legwork-mcp/legwork/internal/scout"
	"github.com/legwork-mcp/legwork/internal/wizard"
)

// openKit is a kit with a home of its own.
func openKit(t *testing.T) *kit {
	t.Helper()
	home := t.TempDir()
	a := &app{std: Streams{Err: os.Stderr, Environ: []string{"HOME=" + home, "XDG_DATA_HOME=" + home + "/data", "PATH=" + os.Getenv("PATH")}}}
	k, err := a.open()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { k.close(t.Context()) })
	return k
}

// kinds are the findings by kind, field and whether they break a run.
func kinds(d *scout.Drift) []string {
	out := []string{}
	for _, f := range d.Findings {
		s := strings.TrimSpace(f.Kind + " " + f.FieldID)
		if f.Option != "" {
			s += " " + f.Option
		}
		if f.Breaks {
			s += " !"
		}
		out = append(out, s)
	}
	return out
}

// drifts are changes of the form, and what a check must find.
func drifts() []struct {
	name   string
	change func(*testing.T, *housing)
	want   []string
	says   string // part of one message
	keeps  bool   // the contract of the repaired wizard takes the old data
} {
	return []struct {
		name   string
		change func(*testing.T, *housing)
		want   []string
		says   string
		keeps  bool
	}{
		{"nothing", func(*testing.T, *housing) {}, []string{}, "", true},
		{"an id renamed, the wizard has an alternative", func(t *testing.T, h *housing) { swap(t, &h.one, "full-name", "applicant") }, []string{"selector full_name"}, `"#full-name" matches nothing; input[name="full_name"] works (alternative 1 of the wizard`, true},
		{"an id renamed, the page says which it is", func(t *testing.T, h *housing) { swap(t, &h.one, `id="county"`, `id="c7"`, `for="county"`, `for="c7"`) }, []string{"selector county !"}, `on the page`, true},
		{"ids of options renamed", func(t *testing.T, h *housing) {
			swap(t, &h.one, `id="rent-yes"`, `id="renting-yes"`, `id="rent-no"`, `id="renting-no"`)
		}, []string{"selector rent !", "selector rent yes", "selector rent no"}, `option "no"`, true},
		{"id of a conditional question renamed", func(t *testing.T, h *housing) { swap(t, &h.one, "monthly-rent", "amount") }, []string{"selector monthly_rent !"}, "", true},
		{"every id renamed", func(t *testing.T, h *housing) {
			swap(t, &h.one, "full-name", "x1", `"email" name`, `"x2" name`, `for="email"`, `for="x2"`, `id="county"`, `id="x3"`, `for="county"`, `for="x3"`, "monthly-rent", "x4", `"rent-yes"`, `"x5"`, `"rent-no"`, `"x6"`, `"go"`, `"x7"`)
			swap(t, &h.two, `"people" name`, `"y1" name`, `for="people"`, `for="y1"`, `"send"`, `"y2"`)
		}, []string{"selector full_name", "selector email", "selector county !", "selector rent !", "selector rent yes", "selector rent no", "selector monthly_rent !", "selector", "selector people !", "selector"}, "", true},
		{"two ids swapped", func(t *testing.T, h *housing) {
			swap(t, &h.one, `"full-name"`, `"TMP"`, `id="email"`, `id="full-name"`, `for="email"`, `for="full-name"`, `"TMP"`, `"email"`)
		}, []string{"selector full_name", "selector email"}, "now leads to another field", true},
		{"a label reworded", func(t *testing.T, h *housing) { swap(t, &h.one, ">Full name<", ">Name as in your passport<") }, []string{"label_changed full_name"}, `"Name as in your passport"`, true},
		{"an option added", func(t *testing.T, h *housing) {
			swap(t, &h.one, `<option value="west"`, `<option value="east">East</option><option value="west"`)
		}, []string{"option_new county east"}, "East", true},
		{"an option removed", func(t *testing.T, h *housing) { swap(t, &h.one, `<option value="north">North</option>`, "") }, []string{"option_gone county north !"}, "North", true},
		{"the example's option removed", func(t *testing.T, h *housing) { swap(t, &h.one, `<option value="south">South</option>`, "") }, []string{"option_gone county south !"}, "South", false},
		{"an option reworded", func(t *testing.T, h *housing) { swap(t, &h.one, ">West<", ">Far West<") }, []string{"label_changed county west"}, "Far West", true},
		{"an optional question added", func(t *testing.T, h *housing) {
			swap(t, &h.one, `<button id="go"`, `<p><label for="phone">Phone number</label> <input id="phone" name="phone"></p><button id="go"`)
		}, []string{"field_new phone_number"}, "optional", true},
		{"a required question added", func(t *testing.T, h *housing) {
			swap(t, &h.one, `<button id="go"`, `<p><label for="phone">Phone number</label> <input id="phone" name="phone" required></p><button id="go"`)
		}, []string{"field_new phone_number !"}, "required", false},
		{"a question added that only the server demands", func(t *testing.T, h *housing) {
			swap(t, &h.one, `<button id="go"`, `<p><label for="phone">Phone</label> <input id="phone" name="phone"></p><button id="go"`)
			h.needs = []string{"phone"}
		}, []string{"field_new phone !"}, "required", false},
		{"a question gone", func(t *testing.T, h *housing) {
			swap(t, &h.one, `<p><label for="email">Email address</label> <input id="email" name="email" type="email"></p>`, "")
		}, []string{"field_gone email !"}, "not on the page any more", false},
		{"an answer demanded", func(t *testing.T, h *housing) { swap(t, &h.one, `type="email"`, `type="email" required`) }, []string{"required_changed email !"}, "must be answered", true},
		{"an answer not demanded", func(t *testing.T, h *housing) { swap(t, &h.one, `name="full_name" required`, `name="full_name"`) }, []string{"required_changed full_name"}, "need not", true},
		{"an answer that only the server demands, as the wizard has it", func(t *testing.T, h *housing) {
			swap(t, &h.one, `name="full_name" required`, `name="full_name"`)
			h.needs = []string{"full_name"}
		}, []string{}, "", true},
		{"a shorter text", func(t *testing.T, h *housing) { swap(t, &h.one, `maxlength="40"`, `maxlength="5"`) }, []string{"limits_changed full_name !"}, "greatest length 5, was 40", false},
		{"another widget", func(t *testing.T, h *housing) {
			swap(t, &h.one, `<input id="monthly-rent" name="monthly_rent" inputmode="decimal">`, `<select id="monthly-rent" name="monthly_rent"><option value="">Choose</option><option value="low">Up to 1000</option><option value="high">More</option></select>`)
		}, []string{"kind_changed monthly_rent !"}, "select", false},
		{"the button renamed", func(t *testing.T, h *housing) {
			swap(t, &h.one, `id="go" type="submit">Continue`, `id="go" type="submit">Next step`)
		}, []string{"button_changed"}, "Next step", true},
		{"the button's id renamed", func(t *testing.T, h *housing) { swap(t, &h.one, `id="go"`, `id="weiter"`) }, []string{"selector"}, "the button", true},
		{"the button another element, in other words", func(t *testing.T, h *housing) {
			swap(t, &h.one, `<button id="go" type="submit">Continue</button>`, `<input type="submit" id="onward" value="Next">`)
		}, []string{"selector !", "button_changed"}, "", true},
		{"a page inserted", func(t *testing.T, h *housing) { h.more = true }, []string{"page_new !"}, "Name of your landlord", false},
		{"a page inserted for some answers", func(t *testing.T, h *housing) { h.more, h.renters = true, true }, []string{"page_new !"}, `it comes when rent is "yes"`, false},
		{"a heading changed", func(t *testing.T, h *housing) { swap(t, &h.two, "Your household", "People at home") }, []string{"heading_changed"}, "People at home", true},
		{"several at once", func(t *testing.T, h *housing) {
			swap(t, &h.one, "full-name", "applicant", ">Email address<", ">Electronic mail<", `<option value="north">North</option>`, "", `id="go" type="submit">Continue`, `id="next" type="submit">Next`)
			swap(t, &h.two, `"people" name`, `"persons" name`, `for="people"`, `for="persons"`)
		}, []string{"selector full_name", "option_gone county north !", "label_changed email", "selector !", "button_changed", "selector people !"}, "", true},
	}
}

// TestDrift: each way in which a form changes is told, all that one check can
// reach at once; and the repaired wizard runs to the form's answer.
func TestDrift(t *testing.T) {
	t.Parallel()
	k := openKit(t)
	for _, c := range drifts() {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			h, e := serveHousing(t, c.change)
			checker := k.checker(e, nil)
			d, err := checker.Check(t.Context(), e, true)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(c.want, kinds(d)); diff != "" {
				t.Errorf("findings (-want +got):\n%s\n%v", diff, d.Findings)
			}
			all := ""
			for _, f := range d.Findings {
				all += f.String() + "\n"
			}
			if !strings.Contains(all, c.says) {
				t.Errorf("it does not say %q:\n%s", c.says, all)
			}
			if len(d.Unreached) > 0 {
				t.Errorf("not reached: %q", d.Unreached)
			}
			if len(h.sent) > 0 {
				t.Fatal("the check submitted the form")
			}
			if len(c.want) > 0 {
				k.runs(t, e, d, c.keeps)
			}
			if len(h.sent) != min(1, len(c.want)) {
				t.Errorf("the form got %q", h.sent)
			}
		})
	}
}

// runs repairs a wizard and runs the repaired one to the form's answer.
func (k *kit) runs(t *testing.T, e *wizard.Entry, d *scout.Drift, keeps bool) {
	t.Helper()
	r, err := k.checker(e, nil).Repair(t.Context(), e, d)
	if err != nil {
		t.Fatal(err)
	}
	if !r.Proven || len(r.Changes) == 0 {
		t.Fatalf("the repaired wizard is not proven: %+v\n%v\n%v", r.Proofs, r.Changes, d.Findings)
	}
	for _, f := range d.Findings {
		for _, p := range r.Wizard.Pages {
			if f.Kind == scout.FoundPage && p.PageTitle == f.Title && !cmp.Equal(f.When, p.VisibleWhen) {
				t.Errorf("the new page comes when %s, in the repaired wizard when %s", f.When, p.VisibleWhen)
			}
		}
	}
	c, err := wizard.NewContract(r.Wizard)
	if err != nil {
		t.Fatal(err)
	}
	old, err := json.Marshal(e.Contract.Example())
	if err != nil {
		t.Fatal(err)
	}
	if report := c.Validate(old); report.Valid != keeps {
		t.Errorf("the new contract takes the old data: %v, want %v\n%+v", report.Valid, keeps, report)
	}
	data, err := json.Marshal(c.Example())
	if err != nil {
		t.Fatal(err)
	}
	again := &wizard.Entry{Wizard: r.Wizard, Contract: c, Hash: r.Wizard.Hash(), Path: e.Path}
	answer, err := k.runner.Execute(t.Context(), again, data, runner.Job{Opts: runner.RunOptions{Timeout: time.Minute}})
	if err != nil || !answer.Success || answer.Results["help"] == nil {
		t.Errorf("the repaired wizard does not run: %v\n%s", err, answer.Text())
	}
	for _, w := range answer.Warnings {
		t.Errorf("it runs with a warning: %s", w)
	}
	fresh, err := k.checker(again, nil).Check(t.Context(), again, false)
	if err != nil || len(fresh.Findings) > 0 {
		t.Errorf("the repaired wizard drifts: %v %v", err, fresh)
	}
}

// TestRunTellsOfAlternatives: a run that needed another selector works, and says
// which one it was.
func TestRunTellsOfAlternatives(t *testing.T) {
	t.Parallel()
	k := openKit(t)
	_, e := serveHousing(t, func(t *testing.T, h *housing) { swap(t, &h.one, "full-name", "applicant") })
	data, err := json.Marshal(e.Contract.Example())
	if err != nil {
		t.Fatal(err)
	}
	a, err := k.runner.Execute(t.Context(), e, data, runner.Job{Opts: runner.RunOptions{Timeout: time.Minute}})
	if err != nil || !a.Success {
		t.Fatalf("%v\n%s", err, a.Text())
	}
	if got := strings.Join(a.Warnings, "\n"); !strings.Contains(got, `full_name was found by alternative 1 (input[name="full_name"])`) {
		t.Errorf("warnings: %q", got)
	}
	report, err := a.Report("Housing help", nil)
	if err != nil || !strings.Contains(string(report), "full_name was found by alternative 1") {
		t.Errorf("the report does not say so: %v", err)
	}
	for _, f := range a.Submitted.Fields {
		if (f.FieldID == "full_name") != (f.Selector != "") {
			t.Errorf("%s was found by %q", f.FieldID, f.Selector)
		}
	}
}

// TestRepairKeepsTheWrittenSchema: a contract that somebody wrote stays where it
// still fits, and its end is told where it does not.
func TestRepairKeepsTheWrittenSchema(t *testing.T) {
	t.Parallel()
	k := openKit(t)
	for name, c := range map[string]struct {
		old, new string
		kept     bool
	}{
		"a selector":   {`id="county"`, `id="c7"`, true},
		"a new option": {`<option value="west"`, `<option value="east">East</option><option value="west"`, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, e := serveHousing(t, func(t *testing.T, h *housing) { swap(t, &h.one, c.old, c.new) })
			schema := strings.Replace(string(e.Contract.Schema), `"$comment"`, `"x-written"`, 1)
			written, err := wizard.ParseContract(e.Wizard, []byte(schema))
			if err != nil || written.Generated || len(written.Mismatches()) > 0 {
				t.Fatalf("%v %v", err, written.Mismatches())
			}
			e.Contract = written
			d, err := k.checker(e, nil).Check(t.Context(), e, false)
			if err != nil {
				t.Fatal(err)
			}
			r, err := k.checker(e, nil).Repair(t.Context(), e, d)
			if err != nil || !r.Proven {
				t.Fatalf("%v %+v", err, r)
			}
			told := strings.Contains(strings.Join(r.Remarks, "\n"), "written by hand")
			if kept := r.Contract != nil && !r.Contract.Generated; kept != c.kept || told == c.kept {
				t.Errorf("kept: %v, told: %v", kept, told)
			}
		})
	}
}
