package practice

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

// spyScript reports every exception of a page to the test's server, keeps
// dialogs from blocking, and tells the outermost window when the page stands.
const spyScript = `<script>(() => {
const report = (message) => fetch('/_test/error', { method: 'POST', body: location.pathname + ': ' + message });
addEventListener('error', (event) => { if (event.message) report(event.message); });
addEventListener('unhandledrejection', (event) => report(String(event.reason)));
window.alert = () => {}; window.confirm = () => true; window.prompt = () => 'x';
const frame = requestAnimationFrame.bind(window);
const tell = () => top.postMessage(location.pathname, '*');
addEventListener('DOMContentLoaded', () => frame(() => frame(tell)));
})();</script>`

// tourPage opens one page after the other in a frame.
const tourPage = `<!DOCTYPE html><title>Tour</title><script>
const pages = %s;
function next() {
  document.querySelectorAll('iframe').forEach((old) => old.remove());
  if (pages.length === 0) { fetch('/_test/done', { method: 'POST' }); return; }
  const frame = document.createElement('iframe');
  frame.width = 1000; frame.height = 700; frame.src = pages[0];
  document.body.append(frame);
}
addEventListener('message', (event) => { if (event.data === pages[0]) { pages.shift(); next(); } });
addEventListener('DOMContentLoaded', next);
</script><body></body>`

// spiedSite serves the practice site with the spy in each page.
type spiedSite struct {
	site  http.Handler
	pages []string
	done  chan struct{}

	mu     sync.Mutex
	errors []string
}

func (s *spiedSite) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	switch r.URL.Path {
	case "/_test/tour":
		list, _ := json.Marshal(s.pages)
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprintf(w, tourPage, list)
	case "/_test/broken":
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprintf(w, "<!DOCTYPE html><html><head>%s</head><body><script>notDefined();</script></body></html>", spyScript)
	case "/_test/error":
		message, _ := io.ReadAll(r.Body)
		s.mu.Lock()
		s.errors = append(s.errors, string(message))
		s.mu.Unlock()
	case "/_test/done":
		close(s.done)
	default:
		s.serveSpied(w, r)
	}
}

func (s *spiedSite) serveSpied(w http.ResponseWriter, r *http.Request) {
	reply := httptest.NewRecorder()
	s.site.ServeHTTP(reply, r)
	page := reply.Body.String()
	if strings.HasPrefix(reply.Header().Get("Content-Type"), "text/html") {
		page = strings.Replace(page, "<head>", "<head>"+spyScript, 1)
	}
	maps.Copy(w.Header(), reply.Header())
	w.Header().Del("Content-Length")
	w.WriteHeader(reply.Code)
	_, _ = io.WriteString(w, page)
}

// TestWidgetPagesRunWithoutExceptions loads every page in a real browser.
func TestWidgetPagesRunWithoutExceptions(t *testing.T) {
	spied := &spiedSite{site: New(), done: make(chan struct{}), pages: []string{"/_test/broken"}}
	for _, name := range slices.Sorted(maps.Keys(allWidgets())) {
		switch name {
		case "f18b", "f25f", "f25g": // one breaks, one leaves, one is fifty megabytes
		case "f19d":
			spied.pages = append(spied.pages, "/widgets/f19d/login")
		case "f19e":
			spied.pages = append(spied.pages, "/widgets/f19e/code")
		default:
			spied.pages = append(spied.pages, "/widgets/"+name)
		}
	}
	server := httptest.NewServer(spied)
	defer server.Close()
	ctx, cancel := context.WithTimeout(t.Context(), 3*time.Minute)
	defer cancel()
	browse(ctx, t, server)
	select {
	case <-spied.done:
	case <-ctx.Done():
		t.Fatal("the browser did not finish the tour")
	}
	spied.mu.Lock()
	defer spied.mu.Unlock()
	control := "/_test/broken: Uncaught ReferenceError: notDefined is not defined"
	if !slices.Contains(spied.errors, control) {
		t.Errorf("the spy missed the broken page; it saw %q", spied.errors)
	}
	for _, message := range spied.errors {
		if message != control {
			t.Error(message)
		}
	}
}

// browse opens the tour in a browser that ends with the test.
func browse(ctx context.Context, t *testing.T, server *httptest.Server) {
	t.Helper()
	address := server.Listener.Addr().String()
	cmd := exec.CommandContext(ctx, "/usr/lib/chromium/chromium-headless-shell",
		"--headless", "--no-sandbox", "--disable-gpu", "--remote-debugging-port=0", "--user-data-dir="+t.TempDir(),
		"--host-resolver-rules=MAP practice.localhost:80 "+address+", MAP partner.localhost:80 "+address,
		"http://practice.localhost/_test/tour")
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait() // it was killed: its error says so
		server.CloseClientConnections()
	})
}
