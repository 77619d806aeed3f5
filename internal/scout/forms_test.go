package scout_test

import (
	"bytes"
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
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
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
		list = append(list, form{URL: srv.URL + truth.Start, Truth: truth})
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

// required refuses an empty answer with a message that leads to the element Target.
type required struct {
	Name    string    `json:"name"`
	Message string    `json:"message"`
	Target  string    `json:"target"`
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
		if q.When.holds(v) && strings.TrimSpace(strings.Join(v[q.Name], "")) == "" {
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
