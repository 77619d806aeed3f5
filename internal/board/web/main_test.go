package web

import (
	"context"
	"fmt"
	"os"
	"sync"
	"testing"
	"time"

	"github.com/legwork-mcp/legwork/internal/browser"
	"github.com/legwork-mcp/legwork/internal/cwac/audit"
	"github.com/legwork-mcp/legwork/internal/cwac/results"
	"github.com/legwork-mcp/legwork/internal/store/storetest"
)

var databases storetest.Databases

// pool is the one browser of the tests, started by the first that needs it.
var pool = sync.OnceValue(func() *browser.Pool {
	return browser.NewPool(browser.Options{Engine: browser.EngineHeadlessShell})
})

func TestMain(m *testing.M) {
	code := databases.Run(m)
	if err := pool().Close(context.Background()); err != nil {
		fmt.Fprintln(os.Stderr, "closing the browser:", err)
		code = 1
	}
	os.Exit(code)
}

// phone is the window of a small phone; at twice the text size it shows what a
// window of half its width does.
var phone = results.Viewport{Name: "phone", Width: 390, Height: 844}

// patience bounds a test that hangs; no test expects to come near it.
func patience(t *testing.T) context.Context {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 120*time.Second)
	t.Cleanup(cancel)
	return ctx
}

// open gives a tab of a phone whose language is the one asked for, and that
// reaches the origins and nothing else.
func open(t *testing.T, origin, locale string, others ...string) *browser.Tab {
	t.Helper()
	origins := append([]string{origin}, others...)
	tab, err := pool().Open(patience(t), browser.TabOptions{
		InitScripts: audit.InitScripts(), Locale: locale, Timezone: "Asia/Tokyo", Width: phone.Width, Height: phone.Height,
		Policy: browser.Policy{AllowOrigins: origins, OnlyOrigins: origins},
	})
	if err != nil {
		t.Fatal("opening a tab:", err)
	}
	t.Cleanup(func() {
		if l := tab.Ledger(); len(l.Refused) > 0 {
			t.Errorf("the pages asked for something elsewhere: %v", l.Refused)
		}
		if err := tab.Close(context.Background()); err != nil {
			t.Error("closing the tab:", err)
		}
	})
	return tab
}

// settle waits until the page in the tab is at rest.
func settle(t *testing.T, tab *browser.Tab) *audit.Page {
	t.Helper()
	p := &audit.Page{Tab: tab, View: results.View{URL: tab.Doc().URL, Viewport: phone}}
	if _, err := p.Settle(patience(t), audit.SettleOptions{}); err != nil {
		t.Fatalf("waiting for %s: %v", tab.Doc().URL, err)
	}
	return p
}

// visitPage loads a page of the site.
func visitPage(t *testing.T, tab *browser.Tab, address string) *audit.Page {
	t.Helper()
	if err := tab.Navigate(patience(t), address); err != nil {
		t.Fatalf("loading %s: %v", address, err)
	}
	return settle(t, tab)
}

// clean is a page that axe has nothing to say of.
func clean(t *testing.T, p *audit.Page) {
	t.Helper()
	axe, err := p.Axe(patience(t), audit.AxeOptions{BestPractice: true})
	if err != nil {
		t.Fatalf("axe at %s: %v", p.View.URL, err)
	}
	if len(axe.Rules) < 50 {
		t.Fatalf("axe ran %d rules at %s", len(axe.Rules), p.View.URL)
	}
	complain(t, p, axe.Violations)
}

// fits is a page that does not scroll sideways at twice the size.
func fits(t *testing.T, p *audit.Page) {
	t.Helper()
	if err := p.Tab.Resize(patience(t), browser.Size{Width: phone.Width / 2, Height: phone.Height / 2}); err != nil {
		t.Fatal("narrowing the window:", err)
	}
	reflow, err := p.Reflow(patience(t))
	if err != nil {
		t.Fatalf("reflow at %s: %v", p.View.URL, err)
	}
	if reflow.Overflow > 0 {
		t.Errorf("%s scrolls sideways by %d px at 200 %% zoom", p.View.URL, reflow.Overflow)
		complain(t, p, reflow.Culprits)
	}
	if err := p.Tab.Resize(patience(t), browser.Size{Width: phone.Width, Height: phone.Height}); err != nil {
		t.Fatal("widening the window:", err)
	}
}

// reachable is a page that can be used with the keyboard alone: the Tab key comes
// to everything that can be used, and each shows that it has the focus.
func reachable(t *testing.T, p *audit.Page) {
	t.Helper()
	var all []string
	call(t, p, listUsable, &all)
	seen := map[int]bool{}
	for range len(all) + 20 { // a video has stops of its own
		if err := p.Tab.Press(patience(t), "", "Tab"); err != nil {
			t.Fatal("pressing Tab:", err)
		}
		var at struct {
			Index int
			Shown bool
			What  string
		}
		call(t, p, whereFocus, &at)
		if at.Index >= 0 && !seen[at.Index] && !at.Shown {
			t.Errorf("%s: %s does not show its focus", p.View.URL, at.What)
		}
		seen[at.Index] = true
	}
	for i, what := range all {
		if !seen[i] {
			t.Errorf("%s: the Tab key never comes to %s", p.View.URL, what)
		}
	}
	if len(all) < 5 {
		t.Errorf("%s has only %d things to use", p.View.URL, len(all))
	}
}

// usable lists what people can use on a page; of radio buttons one in a group.
const usable = `const names = new Set(); const list = [...document.querySelectorAll('a[href], button, input:not([type=hidden]), select, textarea, summary, [tabindex="0"], video[controls]')]
  .filter((el) => el.checkVisibility() && !el.disabled && !(el.type === 'radio' && (names.has(el.name) || !names.add(el.name))));
  const name = (el) => el.outerHTML.slice(0, 120);`

const (
	listUsable = `() => { ` + usable + ` return list.map(name); }`
	whereFocus = `() => { ` + usable + ` const el = document.activeElement; const style = getComputedStyle(el);
  return { Index: list.indexOf(el), Shown: style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) >= 2, What: name(el) }; }`
)

func call(t *testing.T, p *audit.Page, source string, out any) {
	t.Helper()
	if err := p.Tab.Call(patience(t), browser.Function{Source: source}, out); err != nil {
		t.Fatalf("in the page %s: %v", p.View.URL, err)
	}
}

// undisturbed is what pictures say of the focus, which takes longer: it changes
// what is seen, and nothing covers or traps it.
func undisturbed(t *testing.T, p *audit.Page) {
	t.Helper()
	focus, err := p.Focus(patience(t), audit.FocusOptions{})
	if err != nil {
		t.Fatalf("focus at %s: %v", p.View.URL, err)
	}
	complain(t, p, focus.Missing)
}

func complain(t *testing.T, p *audit.Page, findings []results.Finding) {
	t.Helper()
	for _, f := range findings {
		t.Errorf("%s: %s: %s\n%s\n%s", p.View.URL, f.Rule, f.Help, f.HTML, f.Summary)
	}
}
