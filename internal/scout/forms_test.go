package scout_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"html/template"
	"io/fs"
	"mime"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/legwork-mcp/legwork/internal/browser"
	"github.com/legwork-mcp/legwork/internal/page"
)

// formTruth is what one form of testdata/forms really asks, found by hand.
type formTruth struct {
	Name      string      `json:"name"`
	Framework string      `json:"framework"`
	Source    string      `json:"source"`
	Start     string      `json:"start"`
	Entry     string      `json:"entry"`
	Pages     []pageTruth `json:"pages"`
	Final     string      `json:"final"`
	NotFields []string    `json:"not_fields"`
}

// pageTruth is one page or step of a form.
type pageTruth struct {
	Heading     string       `json:"heading"`
	VisibleWhen *whenTruth   `json:"visible_when"`
	Continue    string       `json:"continue"`
	Fields      []fieldTruth `json:"fields"`
}

// whenTruth is the answer that shows a page or a field: labels of options, or
// "true" for a checkbox.
type whenTruth struct {
	Field  string   `json:"field"`
	Values []string `json:"values"`
}

// fieldTruth is one question.
type fieldTruth struct {
	Key         string       `json:"key"`
	Label       string       `json:"label"`
	Selector    string       `json:"selector"`
	Kind        string       `json:"kind"`
	Required    bool         `json:"required"`
	Format      string       `json:"format"`
	Options     []string     `json:"options"`
	Dependent   bool         `json:"dependent"` // the options come with another answer
	Frame       []string     `json:"frame"`
	Shadow      bool         `json:"shadow"`
	VisibleWhen *whenTruth   `json:"visible_when"`
	Repeatable  bool         `json:"repeatable"`
	SubFields   []fieldTruth `json:"sub_fields"`
}

// form is a form that a local server shows.
type form struct {
	URL   string
	Truth formTruth
	Steps []step // of a journey whose pages have addresses
}

const formsDir = "testdata/forms"

// forms serves every form of testdata/forms and lists them by name.
func forms(t *testing.T) []form {
	t.Helper()
	root := os.DirFS(formsDir)
	entries, err := fs.ReadDir(root, ".")
	if err != nil {
		t.Fatal(err)
	}
	mux := http.NewServeMux()
	srv := httptest.NewServer(mux)
	t.Cleanup(srv.Close)
	var list []form
	for _, e := range entries {
		if !e.IsDir() {
			continue
		}
		dir, err := fs.Sub(root, e.Name())
		if err != nil {
			t.Fatal(err)
		}
		var truth formTruth
		readJSON(t, dir, "truth.json", &truth)
		j := &journey{dir: dir, sessions: map[string]url.Values{}}
		if _, err := fs.Stat(dir, "steps.json"); err == nil {
			readJSON(t, dir, "steps.json", j)
		}
		prefix := "/" + e.Name()
		mux.Handle(prefix+"/", http.StripPrefix(prefix+"/", j))
		list = append(list, form{URL: srv.URL + truth.Start, Truth: truth, Steps: j.Steps})
	}
	return list
}

// readJSON refuses unknown keys, so that a misspelt one is not a silent gap.
func readJSON(t *testing.T, dir fs.FS, name string, out any) {
	t.Helper()
	b, err := fs.ReadFile(dir, name)
	if err != nil {
		t.Fatal(err)
	}
	d := json.NewDecoder(bytes.NewReader(b))
	d.DisallowUnknownFields()
	if err := d.Decode(out); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
}

// journey serves one folder: files as they are, and, where steps.json names a
// page as a step, that page as a server with a session would show it.
type journey struct {
	Steps []step `json:"steps"`

	dir      fs.FS
	mu       sync.Mutex
	sessions map[string]url.Values
	made     int
}

// step is a page that is posted back to its own address.
type step struct {
	Path     string     `json:"path"`
	Required []required `json:"required"`
	Next     []branch   `json:"next"`
}

// required refuses an answer that is empty, or not as Pattern has it, with a message
// that leads to the element Target.
type required struct {
	Name    string    `json:"name"`
	Message string    `json:"message"`
	Target  string    `json:"target"`
	Pattern string    `json:"pattern"`
	When    *equality `json:"when"`
}

// branch is where a step leads, if its condition holds; the first that holds counts.
type branch struct {
	To   string    `json:"to"`
	When *equality `json:"when"`
}

type equality struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

func (e *equality) holds(v url.Values) bool {
	return e == nil || slices.Contains(v[e.Name], e.Value)
}

func (j *journey) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	name := r.URL.Path
	if name == "" {
		name = "index.html"
	}
	at := slices.IndexFunc(j.Steps, func(s step) bool { return s.Path == name })
	if at < 0 {
		j.file(w, r, name)
		return
	}
	s, id := j.Steps[at], j.session(w, r)
	if r.Method != http.MethodPost {
		j.render(w, id, s, nil)
		return
	}
	if err := r.ParseMultipartForm(1 << 20); err != nil && !errors.Is(err, http.ErrNotMultipart) {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	if wrong := j.take(id, s, r); len(wrong) > 0 {
		j.render(w, id, s, wrong)
		return
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	for _, b := range s.Next {
		if b.When.holds(j.sessions[id]) {
			http.Redirect(w, r, b.To, http.StatusSeeOther)
			return
		}
	}
}

// session finds or begins the visitor's session.
func (j *journey) session(w http.ResponseWriter, r *http.Request) string {
	j.mu.Lock()
	defer j.mu.Unlock()
	if c, err := r.Cookie("visit"); err == nil && j.sessions[c.Value] != nil {
		return c.Value
	}
	j.made++
	id := strconv.Itoa(j.made)
	j.sessions[id] = url.Values{}
	http.SetCookie(w, &http.Cookie{Name: "visit", Value: id})
	return id
}

// take keeps what was posted and returns the questions that were left out.
func (j *journey) take(id string, s step, r *http.Request) []required {
	j.mu.Lock()
	defer j.mu.Unlock()
	v := j.sessions[id]
	for _, q := range s.Required {
		v.Del(q.Name) // a choice that was cleared is not posted at all
	}
	for name, values := range r.PostForm {
		v[name] = values
	}
	if r.MultipartForm != nil {
		for name, files := range r.MultipartForm.File {
			if files[0].Size > 0 {
				v.Set(name, files[0].Filename)
			}
		}
	}
	var wrong []required
	for _, q := range s.Required {
		given := strings.TrimSpace(strings.Join(v[q.Name], ""))
		if q.When.holds(v) && (given == "" || !regexp.MustCompile(q.Pattern).MatchString(given)) {
			wrong = append(wrong, q)
		}
	}
	return wrong
}

// render shows a step with the answers of the session and the errors of this turn.
func (j *journey) render(w http.ResponseWriter, id string, s step, wrong []required) {
	j.mu.Lock()
	defer j.mu.Unlock()
	v := j.sessions[id]
	page, err := template.New(s.Path+".html").Funcs(template.FuncMap{
		"errors": func() []required { return wrong },
		"error": func(name string) string {
			if at := slices.IndexFunc(wrong, func(q required) bool { return q.Name == name }); at >= 0 {
				return wrong[at].Message
			}
			return ""
		},
		"value": v.Get,
		"on":    func(name, value string) bool { return slices.Contains(v[name], value) },
	}).ParseFS(j.dir, s.Path+".html")
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.Header().Set("Cache-Control", "no-store")
	if err := page.Execute(w, nil); err != nil {
		fmt.Fprint(w, err)
	}
}

// file serves a file, for POST too: what a form without a journey is sent to.
// A bundle may be stored with gzip.
func (j *journey) file(w http.ResponseWriter, r *http.Request, name string) {
	if name == "truth.json" || name == "steps.json" {
		http.NotFound(w, r)
		return
	}
	b, err := fs.ReadFile(j.dir, name)
	if err != nil {
		if b, err = fs.ReadFile(j.dir, name+".gz"); err == nil {
			w.Header().Set("Content-Encoding", "gzip")
		}
	}
	if err != nil {
		if b, err = fs.ReadFile(j.dir, name+".html"); err != nil {
			http.NotFound(w, r)
			return
		}
		name += ".html"
	}
	w.Header().Set("Content-Type", mime.TypeByExtension(path.Ext(name)))
	if _, err := w.Write(b); err != nil && r.Context().Err() == nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
	}
}

// TestFormsAreWhatTheirTruthSays opens every form in a real browser. Of the
// journeys with pages of their own it looks at each page, of the others at the
// first step, because only that is there without answers.
func TestFormsAreWhatTheirTruthSays(t *testing.T) {
	list := forms(t)
	pool := browser.NewPool(browser.Options{Engine: browser.EngineHeadlessShell, TabsPerBrowser: 2})
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
		defer cancel()
		if err := pool.Close(ctx); err != nil {
			t.Error(err)
		}
	})
	for _, f := range list {
		t.Run(f.Truth.Name, func(t *testing.T) { checkForm(t, pool, f) })
	}
}

func checkForm(t *testing.T, pool *browser.Pool, f form) {
	ctx, cancel := context.WithTimeout(t.Context(), 90*time.Second)
	defer cancel()
	at, err := url.Parse(f.URL)
	if err != nil {
		t.Fatal(err)
	}
	tab, err := pool.Open(ctx, browser.TabOptions{
		Policy:      browser.Policy{AllowPrivate: true, OnlyOrigins: []string{at.Scheme + "://" + at.Host}},
		InitScripts: page.InitScripts(),
	})
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := tab.Close(ctx); err != nil {
			t.Error(err)
		}
	}()
	shown := page.Open(ctx, tab)
	for n, address := range pageAddresses(f) {
		if _, err := shown.Goto(ctx, address); err != nil {
			t.Fatal(err)
		}
		if err := shown.Settle(ctx); err != nil {
			t.Fatal(err)
		}
		checkPage(t, tab, f.Truth.Pages[n])
		if n == 0 && f.Truth.Entry == "" {
			checkAbsent(t, tab, f.Truth.NotFields)
		}
	}
	if refused := tab.Ledger().Refused; len(refused) > 0 {
		t.Errorf("the form asks for something elsewhere: %v", refused)
	}
}

// pageAddresses are the pages that can be opened without answers: those of a
// journey are in the order of its steps.
func pageAddresses(f form) []string {
	if len(f.Steps) == 0 {
		return []string{f.URL}
	}
	base := f.URL[:strings.LastIndexByte(f.URL, '/')+1]
	var list []string
	for _, s := range f.Steps {
		list = append(list, base+s.Path)
	}
	return list
}

// found is what the page has for one selector.
type found struct {
	Count   int      `json:"count"`
	Options []string `json:"options"`
}

// look counts what a selector matches, and reads the options of a native
// control: those with a value and a text of a select, the group of a radio.
const look = `selector => {
	const all = document.querySelectorAll(selector), first = all[0];
	let options = null;
	if (first instanceof HTMLSelectElement) {
		options = [...first.options].filter(o => o.value !== '' && o.text.trim() !== '').map(o => o.text.trim());
	} else if (first instanceof HTMLInputElement && first.type === 'radio') {
		options = [...document.querySelectorAll('input[type=radio]')].filter(r => r.name === first.name && r.form === first.form).map(() => '');
	}
	return {count: all.length, options};
}`

func lookUp(t *testing.T, tab *browser.Tab, selector string) found {
	t.Helper()
	var got found
	if err := tab.Call(t.Context(), browser.Function{Frame: tab.Main(), Source: look, Arg: selector}, &got); err != nil {
		t.Fatalf("%s: %v", selector, err)
	}
	return got
}

func checkPage(t *testing.T, tab *browser.Tab, truth pageTruth) {
	t.Helper()
	for _, q := range truth.Fields {
		got := lookUp(t, tab, q.Selector)
		if got.Count == 0 && q.VisibleWhen == nil {
			t.Errorf("%q: nothing matches %s of the field %q", truth.Heading, q.Selector, q.Key)
		}
		if got.Options != nil && q.Kind != "date" && !q.Dependent && len(got.Options) != len(q.Options) {
			t.Errorf("%q: %s has %d options, the truth has %d", truth.Heading, q.Selector, len(got.Options), len(q.Options))
		}
		for n, label := range got.Options {
			if label != "" && n < len(q.Options) && label != q.Options[n] {
				t.Errorf("%q: option %d of %s is %q, in the truth %q", truth.Heading, n+1, q.Selector, label, q.Options[n])
			}
		}
		for _, sub := range q.SubFields {
			if lookUp(t, tab, sub.Selector).Count == 0 {
				t.Errorf("%q: nothing matches %s of the field %q", truth.Heading, sub.Selector, sub.Key)
			}
		}
	}
}

// checkAbsent sees that what is no question of the form is there to be mistaken for one.
func checkAbsent(t *testing.T, tab *browser.Tab, selectors []string) {
	t.Helper()
	for _, s := range selectors {
		if lookUp(t, tab, s).Count == 0 {
			t.Errorf("nothing matches %s, which is said to be no field", s)
		}
	}
}
