package main

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"

	"github.com/legwork-mcp/legwork/internal/cwac/engine/planted"
)

// manyPages is the site with known faults over and over: n pages, each linked from the
// ten before it, whose contents take turns. What they load is that of the site.
type manyPages struct {
	site   http.Handler
	bodies []string // up to the end of their main part, and what comes after
	ends   []string
	n      int
}

const mainEnd = "</main>"

func newManyPages(n int) (*manyPages, error) {
	m := &manyPages{site: planted.New(), n: n}
	for _, p := range planted.Pages() {
		w := httptest.NewRecorder()
		m.site.ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/"+p.Name+".html", nil))
		body, end, found := strings.Cut(w.Body.String(), mainEnd)
		if w.Code != http.StatusOK || !found {
			return nil, fmt.Errorf("the page %s cannot be taken: status %d", p.Name, w.Code)
		}
		m.bodies, m.ends = append(m.bodies, body), append(m.ends, mainEnd+end)
	}
	return m, nil
}

// ServeHTTP implements http.Handler.
func (m *manyPages) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	var i int
	if r.URL.Path == "/" || r.URL.Path == "/index.html" {
		i = 1
	} else if _, err := fmt.Sscanf(r.URL.Path, "/many/%d.html", &i); err != nil || i < 1 || i > m.n {
		m.site.ServeHTTP(w, r)
		return
	}
	var links strings.Builder
	for next := i + 1; next <= min(i+10, m.n); next++ {
		fmt.Fprintf(&links, `<p><a href="/many/%d.html">page %d</a></p>`, next, next)
	}
	at := (i - 1) % len(m.bodies)
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	_, _ = fmt.Fprint(w, m.bodies[at], links.String(), m.ends[at]) // whoever asked may be gone
}
