package practice

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"mime/multipart"
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// widgetCase is one entry of cases/{wizard_id}.json.
type widgetCase struct {
	Name   string         `json:"name"`
	Data   map[string]any `json:"data"`
	Expect widgetExpect   `json:"expect"`
}

type widgetExpect struct {
	Status    string         `json:"status"`
	ErrorType string         `json:"error_type"`
	FieldID   string         `json:"field_id"`
	Submitted map[string]any `json:"submitted"`
	Results   map[string]any `json:"results"`
	Note      string         `json:"note"`
	// AnyOf are all endings that are right, when there are several; the first
	// one is also the case's own.
	AnyOf  []widgetExpect  `json:"any_of"`
	Errors []expectedError `json:"errors"`
}

type expectedError struct {
	FieldID string `json:"field_id"`
	Text    string `json:"text"`
}

// widgetFile is what these tests need of a wizard file.
type widgetFile struct {
	WizardID string `json:"wizard_id"`
	URL      string `json:"url"`
	Practice bool   `json:"practice"`
	Pages    []struct {
		Fields []struct {
			FieldID   string `json:"field_id"`
			Selector  string `json:"selector"`
			FieldType string `json:"field_type"`
			Format    string `json:"format"`
			InputMask string `json:"input_mask"`
		} `json:"fields"`
	} `json:"pages"`
}

func (f widgetFile) site() string {
	u, err := url.Parse(f.URL)
	if err != nil {
		return ""
	}
	return strings.TrimPrefix(u.Path, "/widgets/")
}

func readWidgetFiles(t *testing.T) map[string]widgetFile {
	t.Helper()
	names, err := fs.Glob(Widgets(), "wizard-structures/*.json")
	if err != nil || len(names) == 0 {
		t.Fatalf("wizard files: %d, %v", len(names), err)
	}
	files := map[string]widgetFile{}
	for _, name := range names {
		var file widgetFile
		decodeFile(t, name, &file)
		id := strings.TrimSuffix(strings.TrimPrefix(name, "wizard-structures/"), ".json")
		if file.WizardID != id || !file.Practice {
			t.Errorf("%s: wizard_id %q, practice %v", name, file.WizardID, file.Practice)
		}
		files[id] = file
	}
	return files
}

func readWidgetCases(t *testing.T, id string) []widgetCase {
	t.Helper()
	var cases []widgetCase
	decodeFile(t, "cases/"+id+".json", &cases)
	return cases
}

func decodeFile(t *testing.T, name string, into any) {
	t.Helper()
	data, err := fs.ReadFile(Widgets(), name)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(data, into); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
}

func TestEveryWidgetHasAWizardWithCases(t *testing.T) {
	statuses := []string{"success", "validation_error", "error", "needs_human"}
	covered := map[string]bool{}
	for id, file := range readWidgetFiles(t) {
		covered[file.site()] = true
		asked := map[string]bool{}
		for _, page := range file.Pages {
			for _, field := range page.Fields {
				asked[field.FieldID] = true
			}
		}
		cases := readWidgetCases(t, id)
		if len(cases) == 0 {
			t.Errorf("%s has no case", id)
		}
		for _, c := range cases {
			for _, expect := range append(c.Expect.AnyOf, c.Expect) {
				succeeds, named := expect.Status == "success", expect.ErrorType != ""
				if !slices.Contains(statuses, expect.Status) || succeeds && named || !succeeds && !named && len(c.Expect.AnyOf) == 0 {
					t.Errorf("%s %q: status %q with error_type %q", id, c.Name, expect.Status, expect.ErrorType)
				}
			}
			for key := range c.Data {
				if !asked[key] {
					t.Errorf("%s %q: data has %q, which no page asks", id, c.Name, key)
				}
			}
		}
	}
	for site := range allWidgets() {
		if !covered[site] {
			t.Errorf("widget %s has no wizard file", site)
		}
	}
	if want := len(allWidgets()); len(covered) != want {
		t.Errorf("wizard files lead to %d pages, there are %d", len(covered), want)
	}
}

func TestWidgetPagesAnswer(t *testing.T) {
	server := httptest.NewServer(New())
	defer server.Close()
	refused := map[string]int{"f19a": http.StatusForbidden, "f19h": http.StatusTooManyRequests}
	// A connection of its own for each request: a client may repeat a request on
	// a reused one, and would then not see the answer that breaks.
	client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	if reply, err := client.Get(server.URL + "/widgets/f18b?token=pages"); err == nil {
		reply.Body.Close()
		t.Fatalf("the first answer of f18b has status %d; it must break", reply.StatusCode)
	}
	for site, w := range allWidgets() {
		t.Run(site, func(t *testing.T) {
			reply, err := client.Get(server.URL + "/widgets/" + site + "?token=pages")
			if err != nil {
				t.Fatal(err)
			}
			defer reply.Body.Close()
			start, err := io.ReadAll(io.LimitReader(reply.Body, 1<<20))
			if err != nil {
				t.Fatal(err)
			}
			if want := or(refused[site], http.StatusOK); reply.StatusCode != want {
				t.Errorf("status %d, want %d", reply.StatusCode, want)
			}
			if !bytes.HasPrefix(start, []byte("<!DOCTYPE html>")) || bytes.Contains(start, []byte("ZgotmplZ")) {
				t.Errorf("not a sound page: %.200s", start)
			}
			for part := range w.parts {
				if part != "never" && part != "away" { // one never answers, one leads away
					checkPart(t, server.URL+"/widgets/"+site+"/"+part)
				}
			}
		})
	}
}

func or(a, b int) int {
	if a != 0 {
		return a
	}
	return b
}

func checkPart(t *testing.T, address string) {
	t.Helper()
	reply, err := http.Get(address)
	if err != nil {
		t.Error(err)
		return
	}
	defer reply.Body.Close()
	if _, err := io.Copy(io.Discard, reply.Body); err != nil || reply.StatusCode >= 400 {
		t.Errorf("%s: status %d, %v", address, reply.StatusCode, err)
	}
}

// sentByScript are the hidden values that a page's own script adds.
var sentByScript = map[string]url.Values{
	"f03f": {"office": {"office-98101"}},
	"f09i": {"cookies": {"reject"}},
	"f18d": {"ready": {"yes"}},
	"f18e": {"stayed": {"yes"}},
	"f20c": {"checked": {"yes"}},
}

// encode writes the wanted record as the page would post it.
func (f widgetFile) encode(wanted map[string]any) url.Values {
	form := url.Values{}
	for name, values := range sentByScript[f.site()] {
		form[name] = values
	}
	for _, page := range f.Pages {
		for _, field := range page.Fields {
			value, ok := wanted[field.FieldID]
			if !ok {
				continue
			}
			if day, isText := value.(string); isText && field.Format == "date" {
				encodeDay(form, field.FieldID, day, field.FieldType == "group", field.InputMask != "")
				continue
			}
			encodeValue(form, field.FieldID, value)
		}
	}
	for id, value := range wanted { // what no field asks for comes from a dialog
		if !form.Has(id) {
			encodeValue(form, id, value)
		}
	}
	if f.site() == "f22e" {
		form = url.Values{"nonce": {"n"}, "n-full": form["full_name"], "n-city": form["city"]}
	}
	return form
}

func encodeDay(form url.Values, id, day string, inParts, masked bool) {
	y, m, d := day[:4], day[5:7], day[8:]
	switch {
	case inParts:
		form.Set(id+".year", y)
		form.Set(id+".month", m)
		form.Set(id+".day", d)
	case masked:
		form.Set(id, m+"/"+d+"/"+y)
	default:
		form.Set(id, day)
	}
}

func encodeValue(form url.Values, name string, value any) {
	switch value := value.(type) {
	case string:
		form.Set(name, value)
	case bool:
		if value {
			form.Set(name, "on")
		}
	case map[string]any:
		if value["sha256"] != nil {
			return // a file is sent as a part of its own
		}
		for key, cell := range value {
			encodeValue(form, name+"."+key, cell)
		}
	case []any:
		for n, item := range value {
			if text, ok := item.(string); ok {
				form.Add(name, text)
				continue
			}
			encodeValue(form, fmt.Sprintf("%s.%d", name, n), item)
		}
	}
}

// post sends the values, and the files of the data when there are any.
func (f widgetFile) post(t *testing.T, base string, c widgetCase, values url.Values) *http.Response {
	t.Helper()
	var body bytes.Buffer
	form := multipart.NewWriter(&body)
	for name, list := range values {
		for _, value := range list {
			_ = form.WriteField(name, value)
		}
	}
	for name, value := range c.Data {
		for _, file := range filesIn(value) {
			content, err := base64.StdEncoding.DecodeString(file["content_base64"].(string))
			if err != nil {
				t.Fatal(err)
			}
			part, err := form.CreateFormFile(name, file["name"].(string))
			if err != nil {
				t.Fatal(err)
			}
			_, _ = part.Write(content)
		}
	}
	form.Close()
	address := base + "/widgets/" + f.site()
	if len(allWidgets()[f.site()].steps) > 0 {
		address += fmt.Sprintf("?step=%d", f.lastStep(c.Expect.Errors))
	}
	reply, err := http.Post(address, form.FormDataContentType(), &body)
	if err != nil {
		t.Fatal(err)
	}
	return reply
}

// lastStep is the page that is refused, or the last one.
func (f widgetFile) lastStep(errors []expectedError) int {
	for n, page := range f.Pages {
		for _, field := range page.Fields {
			if len(errors) > 0 && errors[0].FieldID == field.FieldID {
				return n + 1
			}
		}
	}
	return len(f.Pages)
}

func filesIn(value any) []map[string]any {
	var files []map[string]any
	list, ok := value.([]any)
	if !ok {
		list = []any{value}
	}
	for _, item := range list {
		if file, ok := item.(map[string]any); ok && file["content_base64"] != nil {
			files = append(files, file)
		}
	}
	return files
}

func TestWidgetCasesAreRecordedAsExpected(t *testing.T) {
	site := New()
	server := httptest.NewServer(site)
	defer server.Close()
	for id, file := range readWidgetFiles(t) {
		for _, c := range readWidgetCases(t, id) {
			if c.Expect.Status != "success" || c.Expect.Submitted == nil {
				continue
			}
			t.Run(id+"/"+c.Name, func(t *testing.T) {
				before := len(site.Submissions())
				reply := file.post(t, server.URL, c, file.encode(c.Expect.Submitted))
				defer reply.Body.Close()
				page, _ := io.ReadAll(reply.Body)
				all := site.Submissions()
				if len(all) != before+1 {
					t.Fatalf("not recorded; status %d: %s", reply.StatusCode, errorLines(page))
				}
				got := all[before]
				if diff := cmp.Diff(c.Expect.Submitted, throughJSON(t, got.Data)); diff != "" {
					t.Errorf("recorded (-want +got):\n%s", diff)
				}
				if got.Site != file.site() || len(got.Extra) > 0 {
					t.Errorf("site %q, extra %v", got.Site, got.Extra)
				}
				if !bytes.Contains(page, []byte(got.Reference)) || !bytes.Contains(page, []byte("Received</h1>")) && file.site() != "f23d" {
					t.Errorf("the answer page lacks its heading or the reference %s", got.Reference)
				}
			})
		}
	}
}

var errorText = regexp.MustCompile(`(?s)<div class="error-summary".*?</div>`)

func errorLines(page []byte) string { return string(errorText.Find(page)) }

func throughJSON(t *testing.T, value map[string]any) map[string]any {
	t.Helper()
	data, err := json.Marshal(value)
	if err != nil {
		t.Fatal(err)
	}
	var back map[string]any
	if err := json.Unmarshal(data, &back); err != nil {
		t.Fatal(err)
	}
	return back
}

func TestWidgetRejectionsNameTheFields(t *testing.T) {
	site := New()
	server := httptest.NewServer(site)
	defer server.Close()
	for id, file := range readWidgetFiles(t) {
		for _, c := range readWidgetCases(t, id) {
			if c.Expect.Status != "validation_error" || file.site() == "f09f" { // there the browser rejects
				continue
			}
			t.Run(id+"/"+c.Name, func(t *testing.T) {
				reply := file.post(t, server.URL, c, file.encode(c.Data))
				defer reply.Body.Close()
				page, _ := io.ReadAll(reply.Body)
				if reply.StatusCode != http.StatusUnprocessableEntity && file.site() != "f09c" {
					t.Errorf("status %d", reply.StatusCode)
				}
				summary := errorLines(page)
				for _, e := range c.Expect.Errors {
					if !strings.Contains(summary, e.Text) || e.FieldID != "" && !strings.Contains(summary, `href="#`+e.FieldID+`"`) {
						t.Errorf("summary lacks %q for %q: %s", e.Text, e.FieldID, summary)
					}
					if e.FieldID != "" && !bytes.Contains(page, []byte(`id="`+e.FieldID+`-error"`)) {
						t.Errorf("no message beside %q", e.FieldID)
					}
				}
			})
		}
	}
	if n := len(site.Submissions()); n != 0 {
		t.Errorf("%d refused forms were recorded", n)
	}
}

func TestWidgetServerIsStrict(t *testing.T) {
	site := New()
	server := httptest.NewServer(site)
	defer server.Close()
	tests := []struct {
		name, site string
		form       url.Values
		refused    bool
		extra      map[string]any
	}{
		{"answer to a question not asked", "f10e", url.Values{"filed": {"no"}, "amount": {"51000"}}, true, nil},
		{"two radios of one group", "f01a", url.Values{"housing": {"own", "rent"}}, true, nil},
		{"unknown option", "f06c", url.Values{"city": {"Springfield"}}, true, nil},
		{"typed and not picked", "f03a", url.Values{"state": {""}, "city": {"Salem"}}, true, nil},
		{"none and one", "f02b", url.Values{"is_veteran": {"on"}, "none_apply": {"on"}}, true, nil},
		{"an impossible day", "f12d", url.Values{"birth_date": {"02/31/2000"}}, true, nil},
		{"too many rows", "f11b", rowsOfLoans(4), true, nil},
		{"half a row", "f11b", url.Values{"loans.0.lender": {"First Bank"}}, true, nil},
		{"a filled trap", "f25b", url.Values{"full_name": {"Maria"}, "website": {"x"}}, false, map[string]any{"website": "x"}},
		{"an empty trap", "f25b", url.Values{"full_name": {"Maria"}, "website": {""}}, false, nil},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			before := len(site.Submissions())
			reply, err := http.PostForm(server.URL+"/widgets/"+test.site, test.form)
			if err != nil {
				t.Fatal(err)
			}
			reply.Body.Close()
			all := site.Submissions()
			if refused := len(all) == before; refused != test.refused {
				t.Fatalf("refused %v, want %v", refused, test.refused)
			}
			if !test.refused {
				if diff := cmp.Diff(test.extra, all[before].Extra); diff != "" {
					t.Errorf("extra (-want +got):\n%s", diff)
				}
			}
		})
	}
}

func rowsOfLoans(n int) url.Values {
	form := url.Values{}
	for i := range n {
		form.Set(fmt.Sprintf("loans.%d.lender", i), "Bank")
		form.Set(fmt.Sprintf("loans.%d.balance", i), "1")
	}
	return form
}
