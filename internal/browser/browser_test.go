package browser_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/legwork-mcp/legwork/internal/browser"
)

func TestSmoke(t *testing.T) {
	for _, engine := range []string{browser.EngineHeadlessShell, browser.EngineChromium} {
		t.Run(engine, func(t *testing.T) {
			srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				fmt.Fprint(w, "<title>hello</title><p>hi")
			}))
			defer srv.Close()
			ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
			defer cancel()
			p := browser.NewPool(browser.Options{Engine: engine})
			defer p.Close(context.Background())
			t0 := time.Now()
			tab, err := p.Open(ctx, browser.TabOptions{Policy: browser.Policy{AllowOrigins: []string{srv.URL}}})
			if err != nil {
				t.Fatal(err)
			}
			t.Log("open", time.Since(t0))
			t0 = time.Now()
			if err := tab.Navigate(ctx, srv.URL); err != nil {
				t.Fatal(err)
			}
			t.Log("nav", time.Since(t0))
			var title string
			if err := tab.Call(ctx, "", "function(a){ return document.title + a.x }", map[string]any{"x": 1}, &title); err != nil {
				t.Fatal(err)
			}
			if title != "hello1" {
				t.Errorf("title %q", title)
			}
			t.Logf("%+v", tab.Doc())
			if err := tab.Close(ctx); err != nil {
				t.Fatal(err)
			}
		})
	}
}
