package page_test

import (
	"fmt"
	"net/http"
	"testing"
	"time"

	"github.com/legwork-mcp/legwork/internal/browser"
	"github.com/legwork-mcp/legwork/internal/page"
)

// windowSite is a form whose next page comes in a window, and only once the
// server has taken its time.
func windowSite(takes time.Duration) http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /{$}", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprint(w, `<!doctype html><h1>Question</h1><form action="/slow" target="_blank"><input id=f name=f><button id=form>Go</button></form>
			<button id=fetch onclick="fetch('/slow').then(r => r.text()).then(() => setTimeout(() => window.open('/slow?again'), 100))">Go</button>`)
	})
	mux.HandleFunc("GET /slow", func(w http.ResponseWriter, r *http.Request) {
		if r.URL.RawQuery != "again" {
			late := time.NewTimer(takes)
			defer late.Stop()
			select {
			case <-late.C:
			case <-r.Context().Done():
			}
		}
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprint(w, `<!doctype html><h1>Thank you</h1>`)
	})
	return mux
}

// TestLateWindow: a press whose window comes later than a quiet page is waited
// for has left the page all the same.
func TestLateWindow(t *testing.T) {
	const takes = 2500 * time.Millisecond
	for _, engine := range []string{browser.EngineHeadlessShell, browser.EngineChromium} {
		t.Run(engine, func(t *testing.T) {
			from := pool
			if engine == browser.EngineChromium {
				from = browser.NewPool(browser.Options{Engine: engine})
				t.Cleanup(func() { closePool(t, from) })
			}
			for _, button := range []string{"#form", "#fetch"} {
				v := visit(t, from, windowSite(takes))
				step, err := v.Advance(v.ctx, page.Target{Selector: button}, page.Proof{Fields: []page.Target{{Selector: "#f"}}})
				if err != nil || !step.Moved || step.Place.Heading != "Thank you" {
					t.Errorf("%s: %+v, %v", button, step, err)
				}
			}
		})
	}
}
