//go:build linux

package browser_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/legwork-mcp/legwork/internal/browser"
	"github.com/legwork-mcp/legwork/internal/fault"
)

// The field has no autofocus: WebKit honours it with the first picture, which on a busy
// machine comes while keys are pressed and takes the focus from the next field.
const keyPage = `<input id=i><textarea id=a></textarea><script>
	globalThis.seen = [];
	for (const type of ["keydown", "keypress", "input", "keyup"])
		addEventListener(type, e => seen.push([type, e.key || "", e.code || "", e.isTrusted, e.shiftKey || false].join(" ")));
	setTimeout(() => i.focus());
</script><meta charset=utf-8>`

// events are in the page's own world, so the page puts them where they can be read.
const readSeen = `function () { return new Promise(done => { const s = document.createElement("script");
	s.textContent = "document.body.dataset.seen = JSON.stringify(seen); seen = []"; document.body.append(s);
	done(JSON.parse(document.body.dataset.seen)) }) }`

func TestKeys(t *testing.T) {
	srv := site(t, map[string]string{"/": keyPage})
	onEach(t, func(t *testing.T, p *browser.Pool) {
		tab := open(t, p, browser.TabOptions{}, srv)
		visit(t, tab, srv.URL+"/")
		if err := tab.Type(patience(t), "", "a!"); err != nil {
			t.Fatal(err)
		}
		want := []string{
			"keydown a KeyA true false", "keypress a KeyA true false", "input   true false", "keyup a KeyA true false",
			"keydown ! Digit1 true true", "keypress ! Digit1 true true", "input   true false", "keyup ! Digit1 true true",
		}
		got := eval[[]string](t, tab, "", readSeen, nil)
		if onFirefox(t) || browser.IsWebKit(tab) { // its shift key is a key too, as a person's is
			got = slices.DeleteFunc(got, func(e string) bool { return strings.Contains(e, " ShiftLeft ") })
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Error("events differ:", diff)
		}
		press := func(keys ...string) string {
			t.Helper()
			if err := tab.Press(patience(t), "", keys...); err != nil {
				t.Fatal(keys, err)
			}
			return eval[string](t, tab, "", "function () { return document.activeElement.value }", nil)
		}
		if got := press("b", "Space", "+", "ArrowLeft", "Backspace"); got != "a!b+" {
			t.Errorf("editing gave %q", got)
		}
		if got := press("Control+A", "Z"); got != "Z" {
			t.Errorf("replacing all gave %q", got)
		}
		if got := press("Tab", "x", "Enter", "y"); got != "x\ny" {
			t.Errorf("the next field holds %q", got)
		}
		if got := press("Shift+Tab"); got != "Z" {
			t.Errorf("going back gave %q", got)
		}
		for _, key := range []string{"Nonsense", "Hyper+A", ""} {
			if f := fault.From(tab.Press(patience(t), "", key)); f == nil || f.Kind != fault.Invalid {
				t.Errorf("pressing %q gave %v", key, f)
			}
		}
	})
}

func TestTypeLongText(t *testing.T) {
	srv := site(t, map[string]string{"/": keyPage})
	tab := open(t, sharedPool(browser.EngineHeadlessShell), browser.TabOptions{}, srv)
	visit(t, tab, srv.URL+"/")
	text := strings.Repeat(`The quick brown fox; 1234567890 ~!@#$%^&*()_+{}|:"<>?`+"`-=[]\\;',./", 4)
	if err := tab.Type(patience(t), "", text); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(text, eval[string](t, tab, "", "function () { return i.value }", nil)); diff != "" {
		t.Error("typed text differs:", diff)
	}
}

func TestClickThatNavigates(t *testing.T) {
	srv := site(t, map[string]string{
		"/":    `<a href="/two" style="display:block;width:200px;height:100px">next</a>`,
		"/two": `<title>two</title>`,
	})
	onEach(t, func(t *testing.T, p *browser.Pool) {
		tab := open(t, p, browser.TabOptions{}, srv)
		visit(t, tab, srv.URL+"/")
		before := tab.Doc()
		if err := tab.Click(patience(t), "", 20, 20); err != nil {
			t.Fatal(err)
		}
		d := until(t, tab, "the next page", func(d browser.Doc) bool { return d.Seq > before.Seq && d.Loaded })
		if d.URL != srv.URL+"/two" {
			t.Errorf("got %+v", d)
		}
	})
}

func TestPierceClosed(t *testing.T) {
	srv := site(t, map[string]string{"/": `<div id=outer></div><div id=open></div><iframe src="/inner"></iframe><script>
		const root = outer.attachShadow({mode: "closed"});
		root.innerHTML = "<p>secret</p><span id=nested></span>";
		root.getElementById("nested").attachShadow({mode: "closed"}).innerHTML = "<b>deep</b>";
		open.attachShadow({mode: "open"}).innerHTML = "<i></i>";</script>`,
		"/inner": `<div id=in></div><script>document.getElementById("in").attachShadow({mode: "closed"}).innerHTML = "inner"</script>`})
	// WebKit's driver has no way, see TestWebKitSaysWhatItCannot.
	exceptWebKit(t, func(t *testing.T, p *browser.Pool) {
		tab := open(t, p, browser.TabOptions{}, srv)
		visit(t, tab, srv.URL+"/")
		frames := waitForFrames(t, tab, 2)
		const keep = "function (host, root) { (globalThis.roots ||= []).push((host.id || '?') + ':' + root.textContent) }"
		for i, want := range [][]string{{"outer:secret", "nested:deep"}, {"in:inner"}} {
			n, err := tab.PierceClosed(patience(t), frames[i].ID, keep)
			if err != nil || n != len(want) {
				t.Fatalf("found %d (%v), want %d", n, err, len(want))
			}
			if diff := cmp.Diff(want, eval[[]string](t, tab, frames[i].ID, "function () { return roots }", nil)); diff != "" {
				t.Error("roots differ:", diff)
			}
		}
	})
}
