package practice

import (
	"encoding/json"
	"io"
	"io/fs"
	"net/http"
	"net/http/cookiejar"
	"net/http/httptest"
	"net/url"
	"path"
	"regexp"
	"strings"
	"testing"
)

// The tests read the wizard files as a stranger would: only the keys that they
// need, and the inputs by the ids in the selectors.

type wizardFile struct {
	WizardID string `json:"wizard_id"`
	URL      string `json:"url"`
	Pages    []wizardPage
	Results  []struct{ Name, Label string }
}

type wizardPage struct {
	PageTitle  string        `json:"page_title"`
	URLPattern string        `json:"url_pattern"`
	Fields     []wizardField `json:"fields"`
}

type wizardField struct {
	Label          string `json:"label"`
	FieldID        string `json:"field_id"`
	Selector       string `json:"selector"`
	FieldType      string `json:"field_type"`
	ExclusiveGroup string `json:"exclusive_group"`
	Exclusive      bool   `json:"exclusive"`
	Required       bool   `json:"required"`
	Options        []struct {
		Value, Label, Selector string
	}
	SubFields []wizardField `json:"sub_fields"`
	Example   any           `json:"example_value"`
}

type dataSet struct {
	Description string
	Data        map[string]any
	Expect      struct{ Results map[string]any }
}

func readJSON(t *testing.T, files fs.FS, name string, into any) {
	t.Helper()
	raw, err := fs.ReadFile(files, name)
	if err != nil {
		t.Fatal(err)
	}
	d := json.NewDecoder(strings.NewReader(string(raw)))
	if _, ok := into.(*dataSet); ok {
		d.UseNumber()
	}
	if err := d.Decode(into); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
}

func loadWizard(t *testing.T, id string) wizardFile {
	t.Helper()
	var w wizardFile
	readJSON(t, Wizards(), "wizard-structures/"+id+".json", &w)
	return w
}

// loadDataSets returns the data sets of a wizard by name.
func loadDataSets(t *testing.T, id string) map[string]dataSet {
	t.Helper()
	names, err := fs.Glob(DataSets(), id+"/*.json")
	if err != nil || len(names) == 0 {
		t.Fatalf("no data sets of %s: %v", id, err)
	}
	sets := map[string]dataSet{}
	for _, name := range names {
		var d dataSet
		readJSON(t, DataSets(), name, &d)
		sets[strings.TrimSuffix(path.Base(name), ".json")] = d
	}
	return sets
}

var wizardIDs = []string{fsaSite, borrowSite, repaySite, ssaSite}

// visitor is a browser without a screen: an HTTP client with cookies.
type visitor struct {
	t      *testing.T
	client *http.Client
	base   string
}

func newVisitor(t *testing.T, site *Site) *visitor {
	t.Helper()
	server := httptest.NewServer(site)
	t.Cleanup(server.Close)
	jar, err := cookiejar.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	// Connections of its own: a test server that ends closes those of the default client
	// even while another test uses them.
	own := &http.Transport{}
	t.Cleanup(own.CloseIdleConnections)
	return &visitor{t: t, client: &http.Client{Jar: jar, Transport: own}, base: server.URL}
}

// page is an answer: where it came from after redirects, and its text.
type page struct {
	status int
	path   string
	body   string
}

func (v *visitor) do(method, path string, form url.Values) page {
	v.t.Helper()
	var body io.Reader
	if form != nil {
		body = strings.NewReader(form.Encode())
	}
	req, err := http.NewRequestWithContext(v.t.Context(), method, v.base+path, body)
	if err != nil {
		v.t.Fatal(err)
	}
	if form != nil {
		req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	}
	res, err := v.client.Do(req)
	if err != nil {
		v.t.Fatal(err)
	}
	defer res.Body.Close()
	text, err := io.ReadAll(res.Body)
	if err != nil {
		v.t.Fatal(err)
	}
	return page{res.StatusCode, res.Request.URL.Path, string(text)}
}

func (v *visitor) get(path string) page { v.t.Helper(); return v.do(http.MethodGet, path, nil) }

func (v *visitor) post(path string, form url.Values) page {
	v.t.Helper()
	return v.do(http.MethodPost, path, form)
}

// input is an element of a page, found by its id.
type input struct{ name, value string }

var (
	inputTag  = regexp.MustCompile(`<input[^>]*>`)
	attribute = regexp.MustCompile(`([a-z-]+)="([^"]*)"`)
)

// inputsOf lists a page's inputs by id.
func inputsOf(body string) map[string]input {
	inputs := map[string]input{}
	for _, tag := range inputTag.FindAllString(body, -1) {
		attrs := map[string]string{}
		for _, m := range attribute.FindAllStringSubmatch(tag, -1) {
			attrs[m[1]] = m[2]
		}
		inputs[attrs["id"]] = input{attrs["name"], attrs["value"]}
	}
	return inputs
}

// typed is how a person types a value of the data.
func typed(value any) string {
	switch v := value.(type) {
	case json.Number:
		return v.String()
	case string:
		return v
	}
	return ""
}

// fill turns the data of one wizard page into a form, through the page's own
// inputs.
func (v *visitor) fill(w wizardPage, inputs map[string]input, data map[string]any) url.Values {
	v.t.Helper()
	form := url.Values{}
	for _, f := range w.Fields {
		value, given := data[f.FieldID]
		if !given {
			continue
		}
		selector := f.Selector
		for _, o := range f.Options {
			if o.Value == value && o.Selector != "" {
				selector = o.Selector
			}
		}
		in, ok := inputs[strings.TrimPrefix(selector, "#")]
		if !ok {
			v.t.Fatalf("page %q has no input %s", w.PageTitle, selector)
		}
		switch f.FieldType {
		case "radio":
			form.Set(in.name, in.value)
		case "checkbox":
			if value == true {
				form.Set(in.name, in.value)
			}
		case "typeahead":
			form.Set(in.name, typed(value))
			form.Set(strings.TrimSuffix(in.name, typedSuffix), typed(value))
		default:
			form.Set(in.name, typed(value))
		}
	}
	return form
}

// recorded is what the server must hold for a data set: typed text as text,
// and each box of a group that was on the page, ticked or not.
func recorded(w wizardFile, data map[string]any) map[string]any {
	want := map[string]any{}
	for _, p := range w.Pages {
		groups := map[string]bool{}
		for _, f := range p.Fields {
			if _, given := data[f.FieldID]; given && f.ExclusiveGroup != "" {
				groups[f.ExclusiveGroup] = true
			}
		}
		for _, f := range p.Fields {
			value, given := data[f.FieldID]
			switch {
			case groups[f.ExclusiveGroup]:
				want[f.FieldID] = value == true
			case given && f.FieldType == "group":
				want[f.FieldID] = recordedRows(value)
			case given:
				want[f.FieldID] = typed(value)
			}
		}
	}
	return want
}

func recordedRows(value any) []any {
	list, _ := value.([]any)
	var rows []any
	for _, item := range list {
		row := map[string]any{}
		cells, _ := item.(map[string]any)
		for id, cell := range cells {
			row[id] = typed(cell)
		}
		rows = append(rows, row)
	}
	return rows
}

// expected are a data set's results as numbers, the way Answer holds them.
func expected(t *testing.T, results map[string]any) map[string]any {
	t.Helper()
	want := map[string]any{}
	for name, value := range results {
		if n, ok := value.(json.Number); ok {
			f, err := n.Float64()
			if err != nil {
				t.Fatal(err)
			}
			value = f
		}
		want[name] = value
	}
	return want
}
