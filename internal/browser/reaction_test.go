//go:build linux

package browser_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/legwork-mcp/legwork/internal/browser"
)

// lateSite opens windows only when its server has answered, and that answers
// when the test lets it. asked tells that it was asked.
func lateSite(t *testing.T, asked, answer chan string) *httptest.Server {
	t.Helper()
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprint(w, `<link rel=icon href="data:,">`) // or the browser asks for one when it likes
		if r.URL.Path == "/slow" || r.URL.Path == "/next" {
			asked <- r.URL.Path
			select {
			case <-answer:
			case <-r.Context().Done():
			}
		}
		switch r.URL.Path {
		case "/":
			fmt.Fprint(w, `<title>form</title><style>* { margin: 0; padding: 0 } button, a { position: absolute; left: 0; width: 100px; height: 50px }</style>
				<button style="top:0" onclick="fetch('/slow').then(r => r.text()).then(() => window.open('/window'))">fetch</button>
				<form action="/slow" target="_blank"><button style="top:100px">form</button></form>
				<a href="/next" style="top:200px">next</a>
				<button style="top:300px" onclick="fetch('/one').then(() => setTimeout(() => fetch('/slow').then(() => window.open('/window'))))">chain</button>`)
		case "/next":
			fmt.Fprint(w, `<title>next</title><script>window.open('/window')</script>`)
		default:
			fmt.Fprintf(w, `<title>%s</title>`, r.URL.Path)
		}
	}))
	t.Cleanup(srv.Close)
	return srv
}

// inFlight asks until the tab knows of a request: that one begins ends no wait. It
// asks the browser, since a page that is about to be left runs no function before
// the next one has come.
func inFlight(t *testing.T, tab *browser.Tab) {
	t.Helper()
	for tab.Doc().InFlight == 0 {
		if err := browser.Hear(patience(t), tab); err != nil {
			t.Fatal(err)
		}
	}
}

// TestLateWindows: a window counts as the result of a press as long as the site
// still works on it, and no longer.
func TestLateWindows(t *testing.T) {
	for _, c := range []struct {
		name string
		y    float64
		url  string
	}{
		{"a request whose answer opens a window", 20, "/window"},
		{"a form that sends its answer to a new window", 120, "/slow?"},
		{"a page that opens a window when it has come", 220, "/window"},
		{"a request that an answer sets off", 320, "/window"},
	} {
		t.Run(c.name, func(t *testing.T) {
			onEach(t, func(t *testing.T, p *browser.Pool) {
				asked, answer := make(chan string, 1), make(chan string)
				srv := lateSite(t, asked, answer)
				tab := open(t, p, browser.TabOptions{}, srv)
				visit(t, tab, srv.URL+"/")
				if err := tab.Click(patience(t), "", 20, c.y); err != nil {
					t.Fatal(err)
				}
				<-asked
				inFlight(t, tab)
				browser.AgeInput(tab)
				close(answer)
				until(t, tab, "the window", func(d browser.Doc) bool {
					return d.URL == srv.URL+c.url && d.Loaded && d.Windows == 1 && d.InFlight == 0
				})
				if n := tab.Doc().Strays; n != 0 {
					t.Errorf("%d windows were closed", n)
				}
				browser.AgeInput(tab)
				eval[any](t, tab, "", "function () { window.open('/ad') }", nil)
				until(t, tab, "the stray window", func(d browser.Doc) bool { return d.Strays == 1 })
			})
		})
	}
}

// TestLateWindowEndsTheReaction: a page that always has a request under way gets
// one late window for a press, not as many as it likes.
func TestLateWindowEndsTheReaction(t *testing.T) {
	asked, answer := make(chan string, 1), make(chan string)
	srv := lateSite(t, asked, answer)
	onEach(t, func(t *testing.T, p *browser.Pool) {
		tab := open(t, p, browser.TabOptions{}, srv)
		visit(t, tab, srv.URL+"/")
		if err := tab.Click(patience(t), "", 20, 20); err != nil {
			t.Fatal(err)
		}
		<-asked
		inFlight(t, tab)
		browser.AgeInput(tab)
		eval[any](t, tab, "", "function () { window.open('about:blank'); window.open('/ad') }", nil)
		until(t, tab, "the stray window", func(d browser.Doc) bool { return d.Strays == 1 })
	})
}
