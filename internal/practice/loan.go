package practice

import (
	"net/http"
	"net/url"
)

// loanServer serves the loan simulator: a shell page per step, and the calls
// with which its script asks for a step, submits it, and edits the loan table.
type loanServer struct {
	rec      *recorder
	sessions *sessions
	flows    map[string]*flow // by tool: the word in the address
}

const loanBase = "/loan-simulator/"

func (s *Site) loanRoutes() {
	l := &loanServer{rec: s.rec, sessions: newSessions(), flows: map[string]*flow{"borrow-more": borrowFlow(), "repayment": repayFlow()}}
	s.mux.HandleFunc("GET /loan-simulator", redirectTo(loanBase))
	s.mux.HandleFunc("GET "+loanBase+"{$}", l.landing)
	s.mux.HandleFunc("GET "+loanBase+"start/{tool}", l.start)
	s.mux.HandleFunc("GET "+loanBase+"{tool}/{path}", l.shell)
	s.mux.HandleFunc("GET "+loanBase+"api/states", l.states)
	s.mux.HandleFunc("GET "+loanBase+"api/schools", l.schools)
	s.mux.HandleFunc("GET "+loanBase+"api/{tool}/steps/{path}", l.step)
	s.mux.HandleFunc("POST "+loanBase+"api/{tool}/steps/{path}", l.submit)
	s.mux.HandleFunc("GET "+loanBase+"api/{tool}/result", l.result)
	s.mux.HandleFunc("POST "+loanBase+"api/{tool}/rows", l.addRow)
	s.mux.HandleFunc("DELETE "+loanBase+"api/{tool}/rows/{index}", l.removeRow)
	s.mux.HandleFunc("POST "+loanBase+"{tool}/session/stay", l.stay)
	s.mux.HandleFunc("POST "+loanBase+"{tool}/session/end", l.end)
}

func loanPage(title, name string, data any) document {
	return document{
		Title:   title + " - Loan Simulator (practice)",
		Class:   "govuk-template__body",
		Styles:  []string{"govuk-frontend/govuk-frontend.min.css", "accessible-autocomplete/accessible-autocomplete.min.css", "loan.css"},
		Scripts: []string{"accessible-autocomplete/accessible-autocomplete.min.js", "session.js", "loan.js"},
		Header:  fragment("loan-header", nil), Body: fragment(name, data), Footer: fragment("loan-footer", nil),
	}
}

func (l *loanServer) landing(w http.ResponseWriter, r *http.Request) {
	d := loanPage("Start", "loan-landing", map[string]any{"Timeout": timeoutQuery(r)})
	d.Scripts = nil
	d.write(w)
}

func (l *loanServer) start(w http.ResponseWriter, r *http.Request) {
	tool := r.PathValue("tool")
	f := l.flows[tool]
	if f == nil {
		http.NotFound(w, r)
		return
	}
	l.sessions.start(w, r, &progress{flow: f, rec: l.rec})
	http.Redirect(w, r, loanBase+tool+"/"+f.Steps[0].Path, http.StatusSeeOther)
}

// shell answers the same page for every step; deep links go back to the start.
func (l *loanServer) shell(w http.ResponseWriter, r *http.Request) {
	p := l.visitor(r)
	if p == nil {
		http.Redirect(w, r, loanBase, http.StatusSeeOther)
		return
	}
	tool, path := r.PathValue("tool"), r.PathValue("path")
	_, done := p.result()
	st, reachable := p.enter(path)
	if done != (path == "results") || !done && !reachable {
		http.Redirect(w, r, loanBase, http.StatusSeeOther)
		return
	}
	title := "Results"
	if !done {
		title = st.Title
	}
	loanPage(title, "loan-shell", map[string]any{
		"Tool": tool, "Path": path, "Timeout": p.timeoutMillis(), "Base": loanBase + tool + "/",
	}).write(w)
}

// visitor returns the progress of the request's tool, or nil.
func (l *loanServer) visitor(r *http.Request) *progress {
	f := l.flows[r.PathValue("tool")]
	if f == nil {
		return nil
	}
	return l.sessions.find(r, f.Site)
}

// gone tells the script to leave for the start page.
func gone(w http.ResponseWriter) {
	writeJSON(w, http.StatusConflict, map[string]string{"redirect": loanBase})
}

func (l *loanServer) step(w http.ResponseWriter, r *http.Request) {
	p := l.visitor(r)
	if p == nil {
		gone(w)
		return
	}
	st, ok := p.enter(r.PathValue("path"))
	if !ok {
		gone(w)
		return
	}
	known := p.known()
	n, total := p.position(st.Path)
	var questions []questionJSON
	for _, q := range st.Questions {
		if q.Asked == nil || q.Asked(known) {
			questions = append(questions, q.json(known))
		}
	}
	last := p.flow.Steps[len(p.flow.Steps)-1].Path == st.Path
	writeJSON(w, http.StatusOK, map[string]any{
		"path": st.Path, "title": st.Title, "intro": st.Intro, "number": n, "total": total, "last": last, "questions": questions,
	})
}

func (l *loanServer) submit(w http.ResponseWriter, r *http.Request) {
	p := l.visitor(r)
	if p == nil || r.ParseForm() != nil {
		gone(w)
		return
	}
	next, complaints, ok := p.submit(r.PathValue("path"), r.PostForm)
	switch {
	case !ok:
		gone(w)
	case len(complaints) > 0:
		writeJSON(w, http.StatusUnprocessableEntity, map[string]any{"errors": complaints})
	case next == "":
		writeJSON(w, http.StatusOK, map[string]string{"next": "results"})
	default:
		writeJSON(w, http.StatusOK, map[string]string{"next": next})
	}
}

func (l *loanServer) result(w http.ResponseWriter, r *http.Request) {
	p := l.visitor(r)
	if p == nil {
		gone(w)
		return
	}
	out, done := p.result()
	if !done {
		gone(w)
		return
	}
	writeJSON(w, http.StatusOK, out)
}

func (l *loanServer) states(w http.ResponseWriter, r *http.Request) {
	writeJSON(w, http.StatusOK, matching(stateNames, r.URL.Query().Get("q")))
}

func (l *loanServer) schools(w http.ResponseWriter, r *http.Request) {
	found := matching(schools(r.URL.Query().Get("school_location")), r.URL.Query().Get("q"))
	writeJSON(w, http.StatusOK, found[:min(len(found), maxSuggestions)])
}

func (l *loanServer) stay(w http.ResponseWriter, r *http.Request) {
	if l.visitor(r) == nil {
		w.WriteHeader(http.StatusGone)
		return
	}
	w.WriteHeader(http.StatusNoContent)
}

func (l *loanServer) end(w http.ResponseWriter, r *http.Request) {
	if f := l.flows[r.PathValue("tool")]; f != nil {
		l.sessions.end(r, f.Site)
	}
	w.WriteHeader(http.StatusNoContent)
}

func (l *loanServer) addRow(w http.ResponseWriter, r *http.Request) {
	p := l.visitor(r)
	if p == nil || r.ParseForm() != nil {
		gone(w)
		return
	}
	l.answerRows(w, p, func(q question) []complaint { return p.addRow(q, r.PostForm) })
}

func (l *loanServer) removeRow(w http.ResponseWriter, r *http.Request) {
	p := l.visitor(r)
	index, ok := wholeNumber(r.PathValue("index"))
	if p == nil || !ok {
		gone(w)
		return
	}
	l.answerRows(w, p, func(q question) []complaint { p.removeRow(q, int(index)); return nil })
}

// answerRows edits the loan table of a visitor who may see it, and returns it.
func (l *loanServer) answerRows(w http.ResponseWriter, p *progress, edit func(question) []complaint) {
	st, ok := p.enter("loans")
	if !ok {
		gone(w)
		return
	}
	q := st.Questions[0]
	if complaints := edit(q); len(complaints) > 0 {
		writeJSON(w, http.StatusUnprocessableEntity, map[string]any{"errors": complaints})
		return
	}
	writeJSON(w, http.StatusOK, map[string]any{"rows": q.rowLabels(p.known())})
}

// addRow stores one row of a repeatable group.
func (p *progress) addRow(q question, form url.Values) []complaint {
	p.mu.Lock()
	defer p.mu.Unlock()
	rows, _ := p.answers[q.ID].([]any)
	if len(rows) >= maxLoans {
		return []complaint{{ID: q.ID, InputID: q.InputID, Text: "You cannot add more than three loans"}}
	}
	cells := step{Questions: q.Sub}
	r := cells.collect(nil, form)
	for name, value := range r.extra {
		p.extra[name] = value
	}
	if len(r.complaints) > 0 {
		return r.complaints
	}
	// A new slice: known() hands out shallow copies.
	p.answers[q.ID] = append(rows[:len(rows):len(rows)], map[string]any(r.answers))
	return nil
}

// removeRow forgets the row at the index.
func (p *progress) removeRow(q question, index int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	rows, _ := p.answers[q.ID].([]any)
	if index < 0 || index >= len(rows) {
		return
	}
	kept := append([]any{}, rows[:index]...)
	p.answers[q.ID] = append(kept, rows[index+1:]...)
}
