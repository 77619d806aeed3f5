package browser

import (
	"fmt"
	"maps"
	"net/http"
	"strings"
)

// traffic hears what goes through a guard, for an engine whose protocol does not tell.
// Of an encrypted connection nothing can be told.
type traffic interface {
	// requested is a request at its start; the id is the same for its end.
	requested(id int64, r *http.Request)
	// responded is the beginning of the answer, also of one of the guard itself.
	responded(id int64, r *http.Request, status int, h http.Header)
	// finished is the end of the answer, or of the wait for it.
	finished(id int64)
	// denied is a "host:port" to which no tunnel could be made.
	denied(host string)
}

// deny tells whoever listens that no tunnel could be made.
func (g *guard) deny(host string) {
	g.mu.Lock()
	t := g.traffic
	g.mu.Unlock()
	if t != nil {
		t.denied(host)
	}
}

// listen has the guard tell what goes through it.
func (g *guard) listen(t traffic) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.traffic = t
}

// send makes the guard add headers to the requests to an origin. It cannot add any to
// what is encrypted: an engine that needs it there cannot do it.
func (g *guard) send(engine string, headers map[string]map[string]string) error {
	for origin := range headers {
		if !strings.HasPrefix(origin, "http://") {
			return unsupported(engine, "send headers of one's own to "+origin)
		}
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	g.headers = maps.Clone(headers)
	return nil
}

// extra are the headers to add to a request.
func (g *guard) extra(r *http.Request) map[string]string {
	g.mu.Lock()
	defer g.mu.Unlock()
	if len(g.headers) == 0 {
		return nil
	}
	return g.headers[originOf(r.URL.String())]
}

// heard tells whoever listens of a request, and gives the writer that tells of the
// answer, and what to call at its end.
func (g *guard) heard(w http.ResponseWriter, r *http.Request) (http.ResponseWriter, func()) {
	g.mu.Lock()
	t := g.traffic
	g.heardOf++
	id := g.heardOf
	g.mu.Unlock()
	if t == nil {
		return w, func() {}
	}
	t.requested(id, r)
	told := &toldWriter{ResponseWriter: w, told: func(status int, h http.Header) { t.responded(id, r, status, h) }}
	return told, func() { t.finished(id) }
}

// toldWriter tells of the head of an answer before it is sent.
type toldWriter struct {
	http.ResponseWriter
	told func(status int, h http.Header)
}

// Unwrap lets a response controller reach what is below.
func (w *toldWriter) Unwrap() http.ResponseWriter { return w.ResponseWriter }

// WriteHeader tells of the final head and sends it.
func (w *toldWriter) WriteHeader(status int) {
	if status >= 200 && w.told != nil {
		w.told(status, w.Header().Clone())
		w.told = nil
	}
	w.ResponseWriter.WriteHeader(status)
}

// Write sends the head first, as the writer below would.
func (w *toldWriter) Write(b []byte) (int, error) {
	if w.told != nil {
		w.WriteHeader(http.StatusOK)
	}
	n, err := w.ResponseWriter.Write(b)
	if err != nil {
		return n, fmt.Errorf("sending an answer to the browser: %w", err)
	}
	return n, nil
}
