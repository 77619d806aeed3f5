package practice

import (
	"encoding/json"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Every data set, posted page by page, gets its expected answer, and the
// server holds exactly what the data set says.
func TestDataSetsAreAnsweredAndRecorded(t *testing.T) {
	drivers := map[string]func(*visitor, wizardFile, map[string]any) string{
		fsaSite: driveFSA, borrowSite: driveLoan, repaySite: driveLoan, ssaSite: driveSSA,
	}
	for _, id := range wizardIDs {
		w := loadWizard(t, id)
		for name, set := range loadDataSets(t, id) {
			t.Run(id+"/"+name, func(t *testing.T) {
				site := New()
				final := drivers[id](newVisitor(t, site), w, set.Data)
				all := site.Submissions()
				if len(all) != 1 {
					t.Fatalf("%d submissions, want one", len(all))
				}
				got := all[0]
				want := recorded(w, set.Data)
				if id == borrowSite && want["income_growth_rate"] == nil {
					want["income_growth_rate"] = "3" // the page's own prefilled value
				}
				if diff := cmp.Diff(want, got.Data); diff != "" {
					t.Errorf("recorded data (-want +got):\n%s", diff)
				}
				if diff := cmp.Diff(expected(t, set.Expect.Results), got.Answer); diff != "" {
					t.Errorf("answer (-want +got):\n%s", diff)
				}
				if got.Site != id || len(got.Extra) != 0 || len(got.Pages) == 0 {
					t.Errorf("site %q, pages %v, extra %v", got.Site, got.Pages, got.Extra)
				}
				if !strings.Contains(final, got.Reference) {
					t.Errorf("the answer page does not show the reference %s", got.Reference)
				}
			})
		}
	}
}

// driveFSA walks the server's pages, whichever come, and returns the last one.
func driveFSA(v *visitor, w wizardFile, data map[string]any) string {
	v.t.Helper()
	at := v.get("/aid-estimator/start")
	for range w.Pages {
		wp, ok := pageAt(w, at.path)
		if !ok {
			break
		}
		at = v.post(at.path, v.fill(wp, inputsOf(at.body), data))
		if at.status != http.StatusOK {
			v.t.Fatalf("page %q was refused: %s", wp.PageTitle, summaryOf(at.body))
		}
	}
	if at.path != "/aid-estimator/estimate/results" {
		v.t.Fatalf("ended at %s", at.path)
	}
	return at.body
}

func pageAt(w wizardFile, path string) (wizardPage, bool) {
	for _, p := range w.Pages {
		if strings.TrimPrefix(p.URLPattern, "http://practice.localhost") == path {
			return p, true
		}
	}
	return wizardPage{}, false
}

// summaryOf cuts the error summary out of a page.
func summaryOf(body string) string {
	_, rest, _ := strings.Cut(body, "error-summary")
	summary, _, _ := strings.Cut(rest, "<form")
	return summary
}

func driveSSA(v *visitor, w wizardFile, data map[string]any) string {
	v.t.Helper()
	at := v.get("/oact/quickcalc/")
	return v.post("/cgi-bin/benefit6.cgi", v.fill(w.Pages[0], inputsOf(at.body), data)).body
}

// loanStep is what the simulator's script gets.
type loanStep struct {
	Path      string
	Questions []questionJSON
}

// driveLoan is the simulator's script in Go: it asks for a step, sends the
// answers and goes where the server says.
func driveLoan(v *visitor, w wizardFile, data map[string]any) string {
	v.t.Helper()
	tool := strings.TrimPrefix(w.WizardID, "loan-simulator-")
	at := v.get("/loan-simulator/start/" + tool).path
	api := "/loan-simulator/api/" + tool + "/"
	path := at[strings.LastIndex(at, "/")+1:]
	for path != "results" {
		wp, ok := pageAt(w, "/loan-simulator/"+tool+"/"+path)
		if !ok {
			v.t.Fatalf("the wizard has no page for %s", path)
		}
		var st loanStep
		v.decode(v.get(api+"steps/"+path), &st)
		answer := v.post(api+"steps/"+path, v.loanForm(st, wp, api, data))
		var next struct {
			Next   string
			Errors []complaint
		}
		v.decode(answer, &next)
		if next.Next == "" {
			v.t.Fatalf("step %s was refused: %+v", path, next.Errors)
		}
		path = next.Next
	}
	return v.get(api + "result").body
}

func (v *visitor) decode(p page, into any) {
	v.t.Helper()
	if err := json.Unmarshal([]byte(p.body), into); err != nil {
		v.t.Fatalf("%s: %v", p.path, err)
	}
}

// loanForm fills a step from the data; loan rows are stored on the way.
func (v *visitor) loanForm(st loanStep, wp wizardPage, api string, data map[string]any) url.Values {
	v.t.Helper()
	inputs := map[string]input{}
	form := url.Values{}
	for _, q := range st.Questions {
		inputs[q.InputID] = input{name: q.Name}
		if q.Kind == typeahead {
			inputs[q.InputID] = input{name: q.Name + typedSuffix}
		}
		for _, c := range q.Choices {
			name := q.Name
			if c.Field != "" {
				name, c.Value = c.Field, "true"
			}
			inputs[c.InputID] = input{name, c.Value}
		}
		if q.Kind == rowTable {
			v.addRows(q, api, data[q.ID])
		}
		if q.Kind == text && q.Value != "" {
			form.Set(q.Name, q.Value)
		}
	}
	flat := wizardPage{PageTitle: wp.PageTitle}
	for _, f := range wp.Fields {
		if f.FieldType == "group" {
			continue
		}
		flat.Fields = append(flat.Fields, f)
	}
	for name, values := range v.fill(flat, inputs, data) {
		form[name] = values
	}
	for _, q := range st.Questions {
		if q.Kind == dropdown && form.Get(q.Name) != "" {
			form.Set(q.Name, attrOf(q, form.Get(q.Name)))
		}
	}
	return form
}

// attrOf is the value attribute of the option that means the value.
func attrOf(q questionJSON, means string) string {
	for _, c := range q.Choices {
		if c.Means == means {
			return c.Value
		}
	}
	return ""
}

func (v *visitor) addRows(q questionJSON, api string, value any) {
	v.t.Helper()
	list, _ := value.([]any)
	for i, item := range list {
		cells, _ := item.(map[string]any)
		form := url.Values{}
		for _, sub := range q.Sub {
			form.Set(sub.Name, typed(cells[sub.ID]))
			if sub.Kind == dropdown {
				form.Set(sub.Name, attrOf(sub, typed(cells[sub.ID])))
			}
		}
		if answer := v.post(api+"rows", form); answer.status != http.StatusOK {
			v.t.Fatalf("row %d was refused: %s", i, answer.body)
		}
	}
}

// Visitors at the same time do not see each other's answers.
func TestVisitorsAreKeptApart(t *testing.T) {
	site := New()
	w := loadWizard(t, fsaSite)
	sets := loadDataSets(t, fsaSite)
	t.Run("at once", func(t *testing.T) {
		for name, set := range sets {
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				driveFSA(newVisitor(t, site), w, set.Data)
			})
		}
	})
	want, got := map[string]int{}, map[string]int{}
	for _, set := range sets {
		want[canonical(t, recorded(w, set.Data))]++
	}
	for _, s := range site.Submissions() {
		got[canonical(t, s.Data)]++
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("submissions (-want +got):\n%s", diff)
	}
}

func canonical(t *testing.T, data map[string]any) string {
	t.Helper()
	b, err := json.Marshal(data)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}
