package practice

import (
	"embed"
	"encoding/json"
	"io/fs"
	"net/http"
)

//go:embed assets
var assetFiles embed.FS

//go:embed wizards
var wizardFiles embed.FS

//go:embed datasets
var datasetFiles embed.FS

// Site is the practice server: an http.Handler for every replica and widget
// page, and the record of what was submitted to them.
type Site struct {
	mux *http.ServeMux
	rec *recorder
}

// New returns a site with nothing submitted. It answers for any host name:
// practice.localhost is the main one, partner.localhost the one of frames from
// elsewhere.
func New() *Site {
	s := &Site{mux: http.NewServeMux(), rec: newRecorder()}
	s.mux.Handle("GET /assets/", http.FileServerFS(assetFiles))
	s.mux.HandleFunc("GET /_practice/submissions", s.listSubmissions)
	s.mux.HandleFunc("GET /_practice/submissions/{reference}", s.showSubmission)
	s.fsaRoutes()
	s.loanRoutes()
	s.ssaRoutes()
	s.mux.HandleFunc("GET /{$}", s.index)
	widgetRoutes(s.mux, s.rec)
	return s
}

// ServeHTTP implements http.Handler.
func (s *Site) ServeHTTP(w http.ResponseWriter, r *http.Request) { s.mux.ServeHTTP(w, r) }

// Submissions returns what was submitted so far, oldest first.
func (s *Site) Submissions() []Submission { return s.rec.all() }

// Wizards returns the wizard files of the replicas: wizard-structures/*.json.
func Wizards() fs.FS { return subFolder(wizardFiles, "wizards") }

// DataSets returns hand-written user data: {wizard_id}/{name}.json.
func DataSets() fs.FS { return subFolder(datasetFiles, "datasets") }

// index lists the replicas.
func (s *Site) index(w http.ResponseWriter, _ *http.Request) {
	render(w, "Practice sites", `<h1>Practice sites</h1>
<p>Local replicas of public forms, for practice. Their answers are not official.</p>
<ul>
<li><a href="/aid-estimator/">Federal student aid estimator</a></li>
<li><a href="/loan-simulator/">Loan simulator: borrow more, and repayment</a></li>
<li><a href="/oact/quickcalc/">Social Security quick calculator</a></li>
<li><a href="/widgets/">Widget pages</a></li>
<li><a href="/_practice/submissions">What was submitted</a></li>
</ul>`)
}

func subFolder(files embed.FS, name string) fs.FS {
	sub, err := fs.Sub(files, name)
	if err != nil {
		panic(err) // the names are constants of this package
	}
	return sub
}

func (s *Site) listSubmissions(w http.ResponseWriter, _ *http.Request) {
	all := s.rec.all()
	if all == nil {
		all = []Submission{}
	}
	writeJSON(w, http.StatusOK, all)
}

func (s *Site) showSubmission(w http.ResponseWriter, r *http.Request) {
	sub, ok := s.rec.find(r.PathValue("reference"))
	if !ok {
		writeJSON(w, http.StatusNotFound, map[string]string{"error": "no submission has this reference"})
		return
	}
	writeJSON(w, http.StatusOK, sub)
}

func writeJSON(w http.ResponseWriter, status int, v any) {
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(v) // a broken connection is the client's
}
