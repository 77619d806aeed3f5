package practice

import (
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func flows() map[string]*flow {
	return map[string]*flow{fsaSite: fsaFlow(), borrowSite: borrowFlow(), repaySite: repayFlow(), ssaSite: ssaFlow()}
}

// formInputs lists what the served form has: per field its inputs, and per
// option its label.
func formInputs(f *flow) map[string]string {
	found := map[string]string{}
	note := func(field, id string) { found["#"+id] = field }
	for _, s := range f.Steps {
		for _, q := range s.Questions {
			for _, p := range q.Parts {
				note(p.Field, p.InputID)
			}
			for _, c := range q.Choices {
				if c.InputID != "" {
					note(q.ID+c.Field+" "+c.Value+" "+c.Label, c.InputID)
				}
			}
			for _, sub := range q.Sub {
				note(sub.ID, sub.InputID)
			}
			if q.InputID != "" {
				note(q.ID, q.InputID)
			}
		}
	}
	return found
}

// wizardInputs is the same, told by the wizard file.
func wizardInputs(w wizardFile) map[string]string {
	groups := map[string]string{
		"personal_circumstances": "personal_circumstances", "parent_benefits": "parent_benefits", "what_applies": "what_applies",
	}
	found := map[string]string{}
	for _, p := range w.Pages {
		for _, f := range p.Fields {
			switch f.FieldType {
			case "radio":
				for _, o := range f.Options {
					found[o.Selector] = f.FieldID + " " + o.Value + " " + o.Label
				}
			case "checkbox":
				found[f.Selector] = groups[f.ExclusiveGroup] + f.FieldID + "  " + f.Label
			case "group":
				found["#fsa_IconLinkButton_LoanSimulatorWizardLoansAddNewLoan"] = f.FieldID
				for _, sub := range f.SubFields {
					found[sub.Selector] = sub.FieldID
				}
			default:
				found[f.Selector] = f.FieldID
			}
		}
	}
	return found
}

// The wizard files name each input, option and label that the forms serve, and
// nothing else.
func TestWizardFilesDescribeTheForms(t *testing.T) {
	for id, f := range flows() {
		w := loadWizard(t, id)
		if diff := cmp.Diff(formInputs(f), wizardInputs(w)); diff != "" {
			t.Errorf("%s: inputs (-form +wizard):\n%s", id, diff)
		}
		if len(w.Pages) != len(f.Steps) {
			t.Errorf("%s: %d pages, the form has %d", id, len(w.Pages), len(f.Steps))
		}
		for i, p := range w.Pages {
			if i < len(f.Steps) && p.PageTitle != f.Steps[i].Title {
				t.Errorf("%s: page %d is %q, the form says %q", id, i+1, p.PageTitle, f.Steps[i].Title)
			}
			for _, field := range p.Fields {
				checkOptions(t, f, field)
			}
		}
	}
}

// checkOptions compares selects and state lists with the form's.
func checkOptions(t *testing.T, f *flow, field wizardField) {
	t.Helper()
	for _, sub := range field.SubFields {
		checkOptions(t, f, sub)
	}
	if field.FieldType != "select" && field.FieldType != "typeahead" || len(field.Options) == 0 {
		return
	}
	var want, got []string
	for _, o := range field.Options {
		label := o.Label
		if label == "" {
			label = o.Value
		}
		got = append(got, o.Value+"|"+label)
	}
	for _, c := range choicesOf(f, field.FieldID) {
		want = append(want, c.Value+"|"+c.Label)
	}
	if field.FieldType == "typeahead" {
		for _, s := range stateNames {
			want = append(want, s+"|"+s)
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("%s: options (-form +wizard):\n%s", field.FieldID, diff)
	}
}

func choicesOf(f *flow, id string) []choice {
	for _, s := range f.Steps {
		for _, q := range s.Questions {
			for _, sub := range q.Sub {
				if sub.ID == id {
					return sub.Choices
				}
			}
			if q.ID == id {
				return q.Choices
			}
		}
	}
	return nil
}

// The data sets visit every page, and choose every option of every radio,
// select and checkbox, of every form.
func TestDataSetsCoverEveryBranch(t *testing.T) {
	least := map[string]int{fsaSite: 16, borrowSite: 9, repaySite: 10, ssaSite: 6}
	total := 0
	for _, id := range wizardIDs {
		sets := loadDataSets(t, id)
		total += len(sets)
		if len(sets) < least[id] {
			t.Errorf("%s: %d data sets, want at least %d", id, len(sets), least[id])
		}
		used := map[string]bool{}
		for _, set := range sets {
			if set.Description == "" || len(set.Expect.Results) == 0 {
				t.Errorf("%s: a data set without description or results", id)
			}
			noteUsed(used, set.Data)
		}
		w := loadWizard(t, id)
		for _, p := range w.Pages {
			for _, f := range p.Fields {
				for _, missing := range unused(used, f) {
					t.Errorf("%s: no data set uses %s", id, missing)
				}
			}
		}
	}
	if total < 40 {
		t.Errorf("%d data sets, want at least 40", total)
	}
}

func noteUsed(used map[string]bool, data map[string]any) {
	for id, value := range data {
		used[id] = true
		used[fmt.Sprint(id, "=", value)] = true
		if rows, ok := value.([]any); ok {
			used[fmt.Sprint(id, " x", len(rows))] = true
			for _, row := range rows {
				cells, _ := row.(map[string]any)
				noteUsed(used, cells)
			}
		}
	}
}

func unused(used map[string]bool, f wizardField) []string {
	var missing []string
	if !used[f.FieldID] {
		missing = append(missing, f.FieldID)
	}
	if f.FieldType == "radio" || f.FieldType == "select" {
		for _, o := range f.Options {
			if key := f.FieldID + "=" + o.Value; !used[key] {
				missing = append(missing, key)
			}
		}
	}
	if f.FieldType == "checkbox" && !used[f.FieldID+"=true"] {
		missing = append(missing, f.FieldID+"=true")
	}
	for _, sub := range f.SubFields {
		missing = append(missing, unused(used, sub)...)
	}
	return missing
}

// The result rules of each wizard name the labels that its answer page shows,
// and the values that the record holds.
func TestResultRulesMatchTheAnswerPage(t *testing.T) {
	for id, f := range flows() {
		w := loadWizard(t, id)
		set := loadDataSets(t, id)
		name := slices.Sorted(maps.Keys(set))[0]
		a := answers{}
		for field, value := range recorded(w, set[name].Data) {
			a[field] = value
		}
		out := f.Answer(a)
		labels := []string{"Practice reference"}
		for _, p := range out.Pairs {
			labels = append(labels, p.Label)
		}
		for _, r := range w.Results {
			if !slices.Contains(labels, r.Label) {
				t.Errorf("%s: no label %q on the answer page", id, r.Label)
			}
			if _, ok := out.Values[r.Name]; !ok && r.Name != "reference" {
				t.Errorf("%s: the record has no %q", id, r.Name)
			}
		}
		if len(w.Results) != len(out.Values)+1 {
			t.Errorf("%s: %d result rules for %d values and the reference", id, len(w.Results), len(out.Values))
		}
	}
}

func TestStatesHaveTheirNearMatches(t *testing.T) {
	if len(stateNames) != 59 {
		t.Errorf("%d states and territories, want 50, the capital and 8", len(stateNames))
	}
	if diff := cmp.Diff([]string{"Washington, D.C.", "Washington"}, matching(stateNames, "washington")); diff != "" {
		t.Errorf("suggestions (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"Virginia", "West Virginia"}, matching(stateNames, "Virginia")); diff != "" {
		t.Errorf("suggestions (-want +got):\n%s", diff)
	}
}

func TestAnswerOfTheCalculatorStandsBehindLongNavigation(t *testing.T) {
	at := newVisitor(t, New()).get("/oact/quickcalc/")
	nav, _, _ := strings.Cut(at.body, `<div class="ssa-content">`)
	if text := strings.Join(ssaTopics, " "); len(text) < 2_000 || !strings.Contains(nav, ssaTopics[len(ssaTopics)-1]) {
		t.Errorf("%d characters of navigation before the content", len(text))
	}
}

// Pages load nothing from elsewhere, every asset is served, each library has
// its licence, and the whole stays small.
func TestAssetsAreLocalLicensedAndSmall(t *testing.T) {
	v := newVisitor(t, New())
	size := 0
	err := fs.WalkDir(assetFiles, ".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		size += int(info.Size())
		if got := v.get("/" + path); got.status != 200 {
			t.Errorf("%s: status %d", path, got.status)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if size > 2_000_000 {
		t.Errorf("%d bytes of assets, want at most 2 MB", size)
	}
	notice, err := fs.ReadFile(assetFiles, "assets/NOTICE.md")
	if err != nil {
		t.Fatal(err)
	}
	libraries, err := fs.ReadDir(assetFiles, "assets")
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range libraries {
		if licences, _ := fs.Glob(assetFiles, "assets/"+d.Name()+"/LICENSE*"); d.IsDir() && len(licences) == 0 {
			t.Errorf("%s has no licence file", d.Name())
		}
		if d.IsDir() && !strings.Contains(string(notice), "| "+d.Name()+" |") {
			t.Errorf("the notice does not name %s", d.Name())
		}
	}
	for _, path := range []string{"/", "/aid-estimator/", "/aid-estimator/start", "/loan-simulator/", "/loan-simulator/start/repayment", "/oact/quickcalc/"} {
		if got := v.get(path); got.status != 200 || strings.Contains(got.body, `src="http`) || strings.Contains(got.body, `href="http`) {
			t.Errorf("%s: status %d, or a resource from elsewhere", path, got.status)
		}
	}
}
