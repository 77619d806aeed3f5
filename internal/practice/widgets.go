package practice

import (
	"embed"
	"fmt"
	"html/template"
	"io/fs"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
)

//go:embed widgets/pages
var widgetPages embed.FS

//go:embed widgets/assets
var widgetAssets embed.FS

//go:embed widgets/wizard-structures widgets/cases
var widgetWizards embed.FS

// Widgets returns the wizard files and cases of the widget pages:
// wizard-structures/*.json and cases/*.json.
func Widgets() fs.FS { return subFolder(widgetWizards, "widgets") }

// widget is one page with one kind of control or trap. It is a small real form:
// what it posts is checked against asks and recorded.
type widget struct {
	title string
	asks  []ask
	// page is the template of the form; empty is the widget's name.
	page string
	// steps are the titles of the pages of a form with several; the page then
	// has one template, which looks at .Step.
	steps []string
	// rejectStatus is the HTTP status of a refused form; 0 is 422.
	rejectStatus int
	// again is the template of a refused form, when that is not the whole page.
	again string
	// open answers instead of the form's page when it returns true.
	open func(c *widgetCall) bool
	// parts are further addresses below the page: /widgets/{site}/{part}.
	parts map[string]func(c *widgetCall)
	// answer writes the result page; nil is the plain one.
	answer func(c *widgetCall, reference string)
}

// widgetSite serves all widget pages.
type widgetSite struct {
	rec     *recorder
	pages   *template.Template
	widgets map[string]widget
	resets  *counter
}

// widgetCall is one request to a widget page.
type widgetCall struct {
	site   *widgetSite
	name   string
	widget widget
	w      http.ResponseWriter
	r      *http.Request
}

// widgetRoutes adds the widget pages to the site.
func widgetRoutes(mux *http.ServeMux, rec *recorder) {
	s := &widgetSite{
		rec:     rec,
		pages:   template.Must(template.ParseFS(widgetPages, "widgets/pages/*.html")),
		widgets: allWidgets(),
		resets:  newCounter(),
	}
	assets := http.StripPrefix("/widgets", http.FileServerFS(subFolder(widgetAssets, "widgets")))
	mux.Handle("GET /widgets/assets/{file}", assets)
	mux.HandleFunc("GET /widgets/{$}", s.index)
	mux.HandleFunc("/widgets/{site}", s.serve)
	mux.HandleFunc("/widgets/{site}/{part}", s.servePart)
}

// allWidgets joins the tables of the widget pages.
func allWidgets() map[string]widget {
	all := map[string]widget{}
	for _, table := range []map[string]widget{
		choiceWidgets(), pickerWidgets(), textWidgets(), advanceWidgets(), branchWidgets(), dateWidgets(), fileWidgets(),
		frameWidgets(), dialogWidgets(), loadWidgets(), gateWidgets(), controlledWidgets(), scaleWidgets(),
		labelWidgets(), resultWidgets(), hostileWidgets(),
	} {
		maps.Copy(all, table)
	}
	return all
}

func (s *widgetSite) call(w http.ResponseWriter, r *http.Request) (*widgetCall, bool) {
	name := r.PathValue("site")
	found, ok := s.widgets[name]
	if !ok {
		http.NotFound(w, r)
		return nil, false
	}
	return &widgetCall{site: s, name: name, widget: found, w: w, r: r}, true
}

func (s *widgetSite) serve(w http.ResponseWriter, r *http.Request) {
	c, ok := s.call(w, r)
	if !ok {
		return
	}
	switch r.Method {
	case http.MethodGet, http.MethodHead:
		if c.widget.open != nil && c.widget.open(c) {
			return
		}
		c.show(c.page())
	case http.MethodPost:
		c.receive()
	default:
		http.Error(w, "use GET or POST", http.StatusMethodNotAllowed)
	}
}

func (s *widgetSite) servePart(w http.ResponseWriter, r *http.Request) {
	c, ok := s.call(w, r)
	if !ok {
		return
	}
	part := r.PathValue("part")
	if serve, ok := c.widget.parts[part]; ok {
		serve(c)
		return
	}
	if part == "received" && r.Method == http.MethodGet {
		c.received()
		return
	}
	http.NotFound(w, r)
}

// receive checks what was posted; it records a complete form and shows an
// incomplete one again.
func (c *widgetCall) receive() {
	p, err := readPosted(c.w, c.r)
	if err != nil {
		http.Error(c.w, "the form could not be read: "+err.Error(), http.StatusBadRequest)
		return
	}
	step := c.step()
	data, problems := checkAsks(c.widget.asks, p, step)
	if len(problems) > 0 {
		c.reject(p, problems)
		return
	}
	if next := c.nextStep(p, step); next > 0 {
		page := c.page()
		page.Step, page.StepTitle, page.values = next, c.widget.steps[next-1], p.values
		c.show(page)
		return
	}
	reference := c.site.rec.record(Submission{
		Site: c.name, Data: data, Pages: c.visited(p), Answer: map[string]any{"received": true},
		Extra: extraNames(c.widget.asks, p),
	})
	c.accept(reference)
}

// step is the page of a form with several that was posted; 0 when it has one.
func (c *widgetCall) step() int {
	if len(c.widget.steps) == 0 {
		return 0
	}
	n, err := strconv.Atoi(c.r.URL.Query().Get("step"))
	if err != nil || n < 1 || n > len(c.widget.steps) {
		return 1
	}
	return n
}

// nextStep is the next page that asks something for these answers; 0 at the end.
func (c *widgetCall) nextStep(p widgetPost, step int) int {
	for next := step + 1; step > 0 && next <= len(c.widget.steps); next++ {
		if slices.ContainsFunc(c.widget.asks, func(a ask) bool { return a.page == next && a.asked(p) }) {
			return next
		}
	}
	return 0
}

func (c *widgetCall) visited(p widgetPost) []string {
	pages := []string{c.r.URL.Path}
	for step := c.nextStep(p, 1); step > 0; step = c.nextStep(p, step) {
		pages = append(pages, fmt.Sprintf("%s?step=%d", c.r.URL.Path, step))
	}
	return pages
}

func (c *widgetCall) reject(p widgetPost, problems []widgetProblem) {
	if c.wantsJSON() {
		writeJSON(c.w, http.StatusUnprocessableEntity, map[string]any{"errors": problems})
		return
	}
	page := c.page()
	page.Problems, page.values = problems, p.values
	page.Status = http.StatusUnprocessableEntity
	if c.widget.rejectStatus != 0 {
		page.Status = c.widget.rejectStatus
	}
	if c.widget.again != "" {
		c.showTemplate(c.widget.again, page)
		return
	}
	c.show(page)
}

func (c *widgetCall) accept(reference string) {
	if c.widget.answer != nil {
		c.widget.answer(c, reference)
		return
	}
	to := "/widgets/" + c.name + "/received?reference=" + url.QueryEscape(reference)
	if c.wantsJSON() {
		writeJSON(c.w, http.StatusOK, map[string]any{"location": to, "reference": reference})
		return
	}
	http.Redirect(c.w, c.r, to, http.StatusSeeOther)
}

// received shows the answer page of a submission that was recorded.
func (c *widgetCall) received() {
	reference := c.r.URL.Query().Get("reference")
	if s, ok := c.site.rec.find(reference); !ok || s.Site != c.name {
		http.NotFound(c.w, c.r)
		return
	}
	c.showTemplate("received.html", widgetPage{Site: c.name, Title: "Received", Reference: reference})
}

func (c *widgetCall) wantsJSON() bool {
	return strings.Contains(c.r.Header.Get("Accept"), "application/json")
}

func (s *widgetSite) index(w http.ResponseWriter, _ *http.Request) {
	type entry struct{ Name, Title string }
	var entries []entry
	for _, name := range slices.Sorted(maps.Keys(s.widgets)) {
		entries = append(entries, entry{name, s.widgets[name].title})
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	_ = s.pages.ExecuteTemplate(w, "index.html", entries) // a broken connection is the client's
}

// widgetProblem is one refused answer, as the page and the JSON reply show it.
type widgetProblem struct {
	Field   string `json:"field"`
	Message string `json:"message"`
}
