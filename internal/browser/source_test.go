//go:build linux

package browser_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/legwork-mcp/legwork/internal/browser"
)

func TestSourceIsWhatTheServerSent(t *testing.T) {
	const sent = "<!doctype html>\n<title>Caf\u00e9</title><p>as sent<p id=a><script>document.body.innerHTML='<b>changed</b>'</script>"
	mux := http.NewServeMux()
	mux.HandleFunc("/plain", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprint(w, sent)
	})
	mux.HandleFunc("/uncached", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		w.Header().Set("Cache-Control", "no-store")
		if _, err := r.Cookie("session"); err == nil {
			fmt.Fprint(w, sent)
			return
		}
		fmt.Fprint(w, "who are you?")
	})
	srv := httptest.NewServer(mux)
	t.Cleanup(srv.Close)
	onEach(t, func(t *testing.T, p *browser.Pool) {
		tab := open(t, p, browser.TabOptions{Cookies: []browser.Cookie{{Name: "session", Value: "1", URL: srv.URL}}}, srv)
		for _, path := range []string{"/plain", "/plain#part", "/uncached"} {
			visit(t, tab, srv.URL+path)
			got, err := tab.Source(context.Background())
			if err != nil {
				t.Fatalf("%s: %v", path, err)
			}
			if diff := cmp.Diff(sent, string(got)); diff != "" {
				t.Errorf("%s (-sent +read):\n%s", path, diff)
			}
		}
	})
}
