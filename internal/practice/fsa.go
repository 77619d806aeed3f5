package practice

import (
	"net/http"
	"net/url"
)

// fsaServer serves the aid estimator: pages from the server, made livelier by
// a script.
type fsaServer struct {
	flow     *flow
	rec      *recorder
	sessions *sessions
}

const fsaBase = "/aid-estimator/estimate/"

func (s *Site) fsaRoutes() {
	f := &fsaServer{flow: fsaFlow(), rec: s.rec, sessions: newSessions()}
	s.mux.HandleFunc("GET /aid-estimator", redirectTo("/aid-estimator/"))
	s.mux.HandleFunc("GET /aid-estimator/{$}", f.landing)
	s.mux.HandleFunc("GET /aid-estimator/start", f.start)
	s.mux.HandleFunc("GET /aid-estimator/states", func(w http.ResponseWriter, _ *http.Request) { writeJSON(w, http.StatusOK, stateNames) })
	s.mux.HandleFunc("GET "+fsaBase+"{path...}", f.show)
	s.mux.HandleFunc("POST "+fsaBase+"{path...}", f.submit)
	s.mux.HandleFunc("POST /aid-estimator/session/stay", f.stay)
	s.mux.HandleFunc("POST /aid-estimator/session/end", f.end)
}

// redirectTo keeps the query, so that a wizard's address may carry settings.
func redirectTo(path string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		target := path
		if r.URL.RawQuery != "" {
			target += "?" + r.URL.RawQuery
		}
		http.Redirect(w, r, target, http.StatusSeeOther)
	}
}

func fsaPage(title string, name string, data any) document {
	return document{
		Title:   title + " | Federal Student Aid (practice)",
		Styles:  []string{"uswds/css/uswds.min.css", "fsa.css"},
		Scripts: []string{"uswds/js/uswds.min.js", "session.js", "fsa.js"},
		Header:  fragment("header", map[string]any{"Nav": []string{"Understand Aid", "Apply for Aid", "Complete Aid Process", "Manage Loans"}}),
		Body:    fragment(name, data),
		Footer:  fragment("footer", nil),
	}
}

func (f *fsaServer) landing(w http.ResponseWriter, r *http.Request) {
	fsaPage("Aid Estimator", "landing", map[string]any{"Timeout": timeoutQuery(r)}).write(w)
}

// timeoutQuery is the session timeout that the entry page passes on.
func timeoutQuery(r *http.Request) string {
	ms := r.URL.Query().Get("timeout_ms")
	if _, ok := wholeNumber(ms); !ok {
		return ""
	}
	return ms
}

func (f *fsaServer) start(w http.ResponseWriter, r *http.Request) {
	f.sessions.start(w, r, &progress{flow: f.flow, rec: f.rec})
	http.Redirect(w, r, fsaBase+f.flow.Steps[0].Path, http.StatusSeeOther)
}

// show answers a page, or sends deep links back to the start.
func (f *fsaServer) show(w http.ResponseWriter, r *http.Request) {
	p := f.sessions.find(r, fsaSite)
	if p == nil {
		http.Redirect(w, r, "/aid-estimator/", http.StatusSeeOther)
		return
	}
	path := r.PathValue("path")
	if out, done := p.result(); done {
		if path != "results" {
			http.Redirect(w, r, fsaBase+"results", http.StatusSeeOther)
			return
		}
		fsaPage("Estimate Results", "results", out).write(w)
		return
	}
	st, ok := p.enter(path)
	if !ok {
		http.Redirect(w, r, "/aid-estimator/", http.StatusSeeOther)
		return
	}
	f.page(p, st, nil, nil).write(w)
}

func (f *fsaServer) submit(w http.ResponseWriter, r *http.Request) {
	p := f.sessions.find(r, fsaSite)
	path := r.PathValue("path")
	if p == nil || r.ParseForm() != nil {
		http.Redirect(w, r, "/aid-estimator/", http.StatusSeeOther)
		return
	}
	st, reachable := p.enter(path)
	next, complaints, ok := p.submit(path, r.PostForm)
	switch {
	case !reachable || !ok:
		http.Redirect(w, r, "/aid-estimator/", http.StatusSeeOther)
	case len(complaints) > 0:
		d := f.page(p, st, r.PostForm, complaints)
		d.Status = http.StatusUnprocessableEntity
		d.write(w)
	case next == "":
		http.Redirect(w, r, fsaBase+"results", http.StatusSeeOther)
	default:
		http.Redirect(w, r, fsaBase+next, http.StatusSeeOther)
	}
}

// page renders a step. After a rejection the typed values decide what shows.
func (f *fsaServer) page(p *progress, st *step, typed url.Values, complaints []complaint) document {
	known := p.known()
	shown := known
	if typed != nil {
		shown = st.collect(known, typed).answers
	}
	var questions []questionView
	for _, q := range st.Questions {
		if q.Asked == nil || q.Asked(known) {
			questions = append(questions, q.view(shown, typed, complaints))
		}
	}
	n, total := p.position(st.Path)
	segments := make([]string, total)
	for i := range segments {
		switch {
		case i < n-1:
			segments[i] = "complete"
		case i == n-1:
			segments[i] = "current"
		}
	}
	return fsaPage(st.Title, "step", map[string]any{
		"Step": st, "Questions": questions, "Complaints": complaints, "Number": n, "Total": total, "Segments": segments,
		"Last": st.Path == f.flow.Steps[len(f.flow.Steps)-1].Path, "Back": f.back(known, st), "Timeout": p.timeoutMillis(), "Base": "/aid-estimator/",
	})
}

func (f *fsaServer) back(a answers, st *step) string {
	previous := ""
	for _, s := range f.flow.route(a) {
		if s == st {
			return previous
		}
		previous = fsaBase + s.Path
	}
	return ""
}

func (f *fsaServer) stay(w http.ResponseWriter, r *http.Request) {
	if f.sessions.find(r, fsaSite) == nil {
		w.WriteHeader(http.StatusGone)
		return
	}
	w.WriteHeader(http.StatusNoContent)
}

func (f *fsaServer) end(w http.ResponseWriter, r *http.Request) {
	f.sessions.end(r, fsaSite)
	w.WriteHeader(http.StatusNoContent)
}
