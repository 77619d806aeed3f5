package scout

import (
	"encoding/json"
	"io/fs"
	"testing"

	"github.com/legwork-mcp/legwork/internal/practice"
	"github.com/legwork-mcp/legwork/internal/wizard"
)

// practiceWizard is one of the practice site's own wizards.
func practiceWizard(t *testing.T, id string) *wizard.Wizard {
	t.Helper()
	raw, err := fs.ReadFile(practice.Wizards(), "wizard-structures/"+id+".json")
	if err != nil {
		t.Fatal(err)
	}
	w, err := wizard.Parse(raw)
	if err != nil {
		t.Fatal(err)
	}
	return w
}

// actionsFor fills a page in with the example of the whole wizard and presses its
// button.
func actionsFor(t *testing.T, p *wizard.Page, data wizard.Answers, press bool) []Action {
	t.Helper()
	var out []Action
	for i := range p.Fields {
		f := &p.Fields[i]
		v, ok := data[f.FieldID]
		if !ok || v == false || !f.VisibleWhen.Holds(data) || f.Repeatable {
			continue
		}
		if f.IsDate() || f.FieldType == "group" {
			continue
		}
		raw, err := json.Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		a := Action{Action: "set", Selector: f.Selector, Value: raw}
		if f.FieldType == "radio" {
			for _, o := range f.Options {
				if o.Value == v && o.Selector != "" {
					a = Action{Action: "click", Selector: o.Selector}
				}
			}
		}
		if f.Interaction == "fill_enter" {
			a.Action = "fill_enter"
		}
		out = append(out, a)
	}
	if press {
		out = append(out, Action{Action: "click", Selector: p.ContinueButton.Selector, SelectorType: p.ContinueButton.SelectorType})
	}
	return out
}

// TestWalkByHand: an agent that writes every page down itself needs at most
// twenty calls for the aid estimator.
func TestWalkByHand(t *testing.T) {
	b := newBench(t, Settings{})
	truth := practiceWizard(t, "fsa-estimator")
	data := examples(truth)
	id := b.call(t, "start_discovery", StartIn{URL: fsaURL, Start: truth.StartAction.Selector}).str("session_id")
	plan := truth.Plan(data)
	number := 0
	for i, planned := range plan {
		p := *planned.Page
		number++
		raw, err := json.Marshal(p)
		if err != nil {
			t.Fatal(err)
		}
		var m map[string]any
		if err := json.Unmarshal(raw, &m); err != nil {
			t.Fatal(err)
		}
		m["page_number"] = number
		delete(m, "visible_when")
		saved := b.as(t, "local", "save_page_metadata", map[string]any{"session_id": id, "page_metadata": m})
		if saved.failed || saved.data["selectors_tested"] != true {
			t.Fatalf("page %d: %s", number, saved.text)
		}
		done := b.as(t, "local", "execute_actions", ActionsIn{SessionID: id, Actions: actionsFor(t, &p, data, i < len(plan)-1), IncludeScreenshot: off()})
		if done.failed {
			t.Fatalf("page %d: %s", number, done.text)
		}
	}
	end := b.call(t, "complete_discovery", CompleteIn{SessionID: id, WizardName: "Aid estimator", WizardID: "aid-estimator"})
	if b.calls.Load() > 20 {
		t.Errorf("%d calls", b.calls.Load())
	}
	e, err := b.wizards.Get("aid-estimator")
	if err != nil {
		t.Fatal(err)
	}
	if e.Wizard.URL != fsaURL || e.Wizard.StartAction == nil || len(e.Wizard.Pages) != len(plan) {
		t.Errorf("saved %+v, start %+v: %s", e.Wizard.URL, e.Wizard.StartAction, end.text)
	}
	if len(b.site.Submissions()) != 0 {
		t.Error("the form was submitted")
	}
	if list := b.partials.of("local"); len(list) != 0 {
		t.Errorf("the partial file is still there: %v", list)
	}
}

// TestWalkByDrafts: with drafts one call a page is enough.
func TestWalkByDrafts(t *testing.T) {
	b := newBench(t, Settings{})
	id := b.call(t, "start_discovery", StartIn{URL: fsaURL, Start: "Start Estimate"}).str("session_id")
	for end := ""; end == ""; {
		got := b.call(t, "draft_page", DraftIn{SessionID: id, Save: true, Proceed: true})
		if end = got.str("end"); end == "" && got.data["proceeded"] != true || b.calls.Load() > 10 {
			t.Fatalf("call %d: %s", b.calls.Load(), got.text)
		}
		if end != "" && end != endFinal {
			t.Fatalf("the form ended as %s: %s", end, got.text)
		}
	}
	b.call(t, "complete_discovery", CompleteIn{SessionID: id, WizardName: "Aid estimator", WizardID: "aid-estimator"})
	if b.calls.Load() > 10 {
		t.Errorf("%d calls", b.calls.Load())
	}
	if len(b.site.Submissions()) != 0 {
		t.Error("the form was submitted")
	}
}
