package scout

import (
	"context"
	"log/slog"
	"net/http/httptest"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/legwork-mcp/legwork/internal/browser"
	"github.com/legwork-mcp/legwork/internal/page"
	"github.com/legwork-mcp/legwork/internal/practice"
)

// practiceTabs opens tabs that see a fresh practice site and nothing else.
func practiceTabs(t *testing.T, pool *browser.Pool) func(ctx context.Context) (*browser.Tab, error) {
	t.Helper()
	srv := httptest.NewServer(practice.New())
	t.Cleanup(srv.Close)
	addr := strings.TrimPrefix(srv.URL, "http://")
	return func(ctx context.Context) (*browser.Tab, error) {
		return pool.Open(ctx, browser.TabOptions{
			Policy: browser.Policy{
				Hosts:       map[string]string{"practice.localhost:80": addr, "partner.localhost:80": addr},
				OnlyOrigins: []string{"http://practice.localhost", "http://partner.localhost"},
			},
			Width: 1280, Height: 1024, InitScripts: page.InitScripts(),
		})
	}
}

// discovered explores a form of the practice site.
func discovered(t *testing.T, open func(ctx context.Context) (*browser.Tab, error), req Request) *Discovery {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
	defer cancel()
	if testing.Verbose() {
		req.Progress = func(s string) { t.Log(s) }
	}
	x := newExplorer(req, open, slog.New(slog.DiscardHandler))
	if err := x.explore(ctx); err != nil {
		t.Fatal(err)
	}
	d, err := x.assemble()
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func TestTry(t *testing.T) {
	pool := browser.NewPool(browser.Options{Engine: browser.EngineHeadlessShell, TabsPerBrowser: 4})
	defer pool.Close(context.Background())
	d := discovered(t, practiceTabs(t, pool), Request{URL: os.Getenv("TRY"), Start: os.Getenv("START"), AllowSubmit: true})
	out, err := d.Wizard.Marshal()
	if err != nil {
		t.Fatal(err)
	}
	os.WriteFile("/tmp/try.json", out, 0o644)
	t.Log(d.Coverage, strings.Join(d.Remarks, "\n"))
}
