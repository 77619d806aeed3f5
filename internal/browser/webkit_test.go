//go:build linux

package browser_test

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/legwork-mcp/legwork/internal/browser"
	"github.com/legwork-mcp/legwork/internal/fault"
)

// webkitTab opens a page in WebKit.
func webkitTab(t *testing.T, page string) *browser.Tab {
	t.Helper()
	srv := site(t, map[string]string{"/": page})
	tab := open(t, sharedPool(browser.EngineWebKitGTK), browser.TabOptions{
		InitScripts: []browser.InitScript{{Source: "globalThis.tool = { answer: 42 }"}},
	}, srv)
	visit(t, tab, srv.URL+"/")
	return tab
}

// What the program keeps in a page is not among the page's own names, and a page does
// not find it by chance; but it is one world.
func TestWebKitSharesTheWorld(t *testing.T) {
	tab := webkitTab(t, `<title>Form</title><script>var secret = 1; Array.prototype.slice = null;</script>`)
	if got := eval[int](t, tab, "", "async function () { return tool.answer }", nil); got != 42 {
		t.Errorf("the init script gave %d, want 42", got)
	}
	got := eval[[]any](t, tab, "", `function () {
		return [typeof window.tool, typeof secret, Object.keys(document).filter((n) => n !== "location").length, document.title];
	}`, nil)
	if diff := cmp.Diff([]any{"undefined", "number", 0.0, "Form"}, got); diff != "" {
		t.Error("-want +got", diff)
	}
}

// A page that takes the language's own functions away takes them from the driver too.
// That must be an error and not a wait.
func TestWebKitOnAPageThatBreaksTheLanguage(t *testing.T) {
	tab := webkitTab(t, `<title>x</title><script>Array.prototype.map = null</script>`)
	var script *browser.ScriptError
	err := tab.Call(patience(t), browser.Function{Source: "function () { return 1 }"}, nil)
	if !errors.As(err, &script) {
		t.Errorf("got %v, want the exception", err)
	}
}

func TestWebKitSaysWhatItCannot(t *testing.T) {
	tab := webkitTab(t, "x")
	_, pierced := tab.PierceClosed(patience(t), "", "function () {}")
	for what, err := range map[string]error{
		"closed roots": pierced,
		"interrupt":    tab.Interrupt(patience(t), ""),
		"scrollbars":   tab.Resize(patience(t), browser.Size{Width: 800, Height: 600, Scrollbars: true}),
		"narrow":       tab.Resize(patience(t), browser.Size{Width: 200, Height: 600}),
	} {
		if f := fault.From(err); f == nil || f.Type != "engine_unsupported" {
			t.Errorf("%s: got %v", what, err)
		}
	}
	if err := tab.Resize(patience(t), browser.Size{Width: 800, Height: 600}); err != nil {
		t.Fatal(err)
	}
	if got := eval[[]int](t, tab, "", "function () { return [innerWidth, innerHeight] }", nil); !cmp.Equal(got, []int{800, 600}) {
		t.Errorf("the page has %v", got)
	}
}

func TestWebKitKnowsItsVisitor(t *testing.T) {
	p := sharedPool(browser.EngineWebKitGTK)
	tab := open(t, p, browser.TabOptions{Timezone: "Asia/Tokyo"})
	got := eval[[]string](t, tab, "", `function () { return [innerWidth + "x" + innerHeight, Intl.DateTimeFormat().resolvedOptions().timeZone,
		(1234.5).toLocaleString(), navigator.language, "" + matchMedia("(prefers-reduced-motion: reduce)").matches, "" + document.hasFocus()] }`, nil)
	if diff := cmp.Diff([]string{"1280x800", "Asia/Tokyo", "1,234.5", "en-US", "true", "true"}, got); diff != "" {
		t.Error("-want +got", diff)
	}
	for what, o := range map[string]browser.TabOptions{
		"a locale that no system has":  {Locale: "tlh-QO"},
		"headers on what is encrypted": {Headers: map[string]map[string]string{"https://a.example": {"X": "1"}}},
	} {
		tab, err := p.Open(patience(t), o)
		if f := fault.From(err); f == nil || f.Type != "engine_unsupported" {
			t.Errorf("%s: got %v, %v", what, tab, err)
		}
	}
}

func TestWebKitRefusesDownloads(t *testing.T) {
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Disposition", `attachment; filename="../../receipt.pdf"`)
	}))
	t.Cleanup(srv.Close)
	tab := open(t, sharedPool(browser.EngineWebKitGTK), browser.TabOptions{Downloads: t.TempDir()}, srv)
	if f := fault.From(tab.Navigate(patience(t), srv.URL+"/file")); f == nil || f.Type != "navigation_failed" {
		t.Errorf("got %v", f)
	}
	list := tab.Downloads()
	if len(list) != 1 || list[0].State != "canceled" || list[0].Name != "receipt.pdf" || list[0].Path != "" {
		t.Errorf("got %+v", list)
	}
}

// Whichever of the tab's programs is killed, what waits is told in time, nothing is
// left and the next tab works.
func TestWebKitPartsKilled(t *testing.T) {
	for _, part := range []string{"WebKitWebDriver", "MiniBrowser", "Xvfb", "WebKitWebProcess"} {
		t.Run(part, func(t *testing.T) {
			tab := webkitTab(t, "x")
			pid := browser.PID(tab)
			failed := make(chan error, 1)
			go func() {
				failed <- tab.Call(patience(t), browser.Function{Source: "function () { return new Promise(() => {}) }"}, nil)
			}()
			if err := browser.KillPart(tab, part); err != nil {
				t.Fatal(err)
			}
			if err := <-failed; !errors.Is(err, browser.ErrCrashed) || fault.From(err).Type != "browser_error" {
				t.Errorf("the pending call got %v", err)
			}
			if err := tab.Close(context.Background()); err != nil {
				t.Error(err)
			}
			if left := browser.GroupMembers(pid); len(left) > 0 {
				t.Errorf("left behind: %v", left)
			}
			if got := eval[int](t, webkitTab(t, "x"), "", "function () { return 1 }", nil); got != 1 {
				t.Errorf("the next tab gave %d", got)
			}
		})
	}
}
