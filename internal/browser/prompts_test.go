//go:build linux

package browser_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/legwork-mcp/legwork/internal/browser"
)

// Questions of the browser itself have nobody to answer them: they must come
// to an end by themselves.
func TestPromptsOfTheBrowserEnd(t *testing.T) {
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/login" {
			w.Header().Set("WWW-Authenticate", `Basic realm="members"`)
			w.WriteHeader(http.StatusUnauthorized)
		}
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprint(w, "<title>answer</title>")
	}))
	t.Cleanup(srv.Close)
	// WebKit's browser asks for permissions in its window and goes on waiting.
	exceptWebKit(t, func(t *testing.T, p *browser.Pool) {
		tab := open(t, p, browser.TabOptions{}, srv)
		visit(t, tab, srv.URL+"/")
		got := eval[[]string](t, tab, "", `async function () { return [
			"" + (await fetch("/login")).status,
			"notify " + (await Notification.requestPermission() == "granted"),
			await new Promise(done => navigator.geolocation.getCurrentPosition(() => done("found"), e => done("error " + e.code))),
			await navigator.clipboard.readText().then(() => "read", () => "denied"),
			await navigator.mediaDevices.getUserMedia({audio: true}).then(() => "heard", () => "denied"),
			(print(), "printed"),
		] }`, nil)
		want := []string{"401", "notify false", "error 1", "denied", "denied", "printed"}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Error("answers differ:", diff)
		}
		visit(t, tab, srv.URL+"/login")
		if d := tab.Doc(); d.Status != 401 {
			t.Errorf("the login page gave %+v", d)
		}
		if got := eval[string](t, tab, "", "function () { return document.title }", nil); got != "answer" {
			t.Errorf("the title is %q", got)
		}
	})
}
