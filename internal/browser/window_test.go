//go:build linux

package browser_test

import (
	"bytes"
	"fmt"
	"image"
	_ "image/jpeg"
	_ "image/png"
	"net/http"
	"net/http/httptest"
	"os"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/legwork-mcp/legwork/internal/browser"
)

func TestDialogs(t *testing.T) {
	srv := site(t, map[string]string{"/": `<script>alert("first"); addEventListener("beforeunload", e => e.preventDefault());
		</script><title>after</title>`, "/two": "two"})
	onEach(t, func(t *testing.T, p *browser.Pool) {
		tab := open(t, p, browser.TabOptions{}, srv)
		visit(t, tab, srv.URL+"/") // an alert during load must not stop it
		ask := "function () { return [confirm('sure?'), prompt('name?', 'x')] }"
		if diff := cmp.Diff([]any{false, nil}, eval[[]any](t, tab, "", ask, nil)); diff != "" {
			t.Error("default answers differ:", diff)
		}
		name := "Pat"
		tab.SetDialogPolicy(browser.DialogPolicy{Confirm: true, Prompt: &name})
		if diff := cmp.Diff([]any{true, "Pat"}, eval[[]any](t, tab, "", ask, nil)); diff != "" {
			t.Error("answers differ:", diff)
		}
		// Only a page that was used may ask whether to leave it.
		if err := tab.Click(patience(t), "", 5, 5); err != nil {
			t.Fatal(err)
		}
		visit(t, tab, srv.URL+"/two")
		want := []browser.Dialog{
			{Type: "alert", Message: "first", Answer: "accepted"},
			{Type: "confirm", Message: "sure?", Answer: "dismissed"}, {Type: "prompt", Message: "name?", Answer: "dismissed"},
			{Type: "confirm", Message: "sure?", Answer: "accepted"}, {Type: "prompt", Message: "name?", Answer: "accepted"},
			{Type: "beforeunload", Answer: "accepted"},
		}
		if browser.IsWebKit(tab) {
			// The protocol does not tell an alert from a confirm box, and the driver
			// leaves pages without asking.
			want[0] = browser.Dialog{Type: "confirm", Message: "first", Answer: "dismissed"}
			want = want[:len(want)-1]
		}
		if diff := cmp.Diff(want, tab.Dialogs()); diff != "" {
			t.Error("dialogs differ:", diff)
		}
		if got := tab.Doc().Dialogs; got != len(want) {
			t.Errorf("the document counts %d dialogs", got)
		}
	})
}

// A page that never stops asking must not fill the memory.
func TestDialogsAndDownloadsAreBounded(t *testing.T) {
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/file" {
			w.Header().Set("Content-Disposition", "attachment; filename="+r.URL.RawQuery)
		}
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprint(w, "x")
	}))
	t.Cleanup(srv.Close)
	tab := open(t, sharedPool(browser.EngineHeadlessShell), browser.TabOptions{}, srv)
	visit(t, tab, srv.URL+"/")
	eval[any](t, tab, "", "function () { for (let i = 0; i < 120; i++) alert(i) }", nil)
	list := tab.Dialogs()
	if n := len(list); n != 100 || list[n-1].Message != "119" || tab.Doc().Dialogs != 120 {
		t.Errorf("%d dialogs are kept of %d", n, tab.Doc().Dialogs)
	}
	for i := range 103 {
		eval[any](t, tab, "", "function (i) { location.href = '/file?' + i }", i)
		until(t, tab, "a download", func(browser.Doc) bool {
			list := tab.Downloads()
			return len(list) > 0 && list[len(list)-1].Name == fmt.Sprint(i)
		})
	}
	files := tab.Downloads()
	if n := len(files); n != 100 || files[n-1].Name != "102" {
		t.Errorf("%d downloads are kept", n)
	}
}

func TestPopups(t *testing.T) {
	srv := site(t, map[string]string{
		"/": `<title>opener</title>
			<a href="/popup" target=_blank style="position:absolute;left:0;top:0;width:100px;height:50px">blank</a>
			<button style="position:absolute;left:0;top:100px;width:100px;height:50px" onclick="window.open('/popup', 'w', 'width=300,height=300')">open</button>
			<button style="position:absolute;left:0;top:200px;width:100px;height:50px" onclick="window.open('about:blank')">empty</button>
			<button style="position:absolute;left:0;top:300px;width:100px;height:50px" onclick="window.open().document.write('<title>written</title>')">write</button>`,
		"/popup": `<title>popup</title>`,
	})
	onEach(t, func(t *testing.T, p *browser.Pool) {
		tab := open(t, p, browser.TabOptions{InitScripts: []browser.InitScript{{Source: "globalThis.tool = 7"}}}, srv)
		visit(t, tab, srv.URL+"/")
		for _, y := range []float64{20, 120} {
			if err := tab.Click(patience(t), "", 20, y); err != nil {
				t.Fatal(err)
			}
			until(t, tab, "the popup", func(d browser.Doc) bool { return d.URL == srv.URL+"/popup" && d.Loaded })
			got := eval[string](t, tab, "", "function () { return document.title + tool + innerWidth }", nil)
			if got != "popup71280" {
				t.Errorf("the popup says %q", got)
			}
			eval[any](t, tab, "", "function () { setTimeout(() => close()) }", nil)
			until(t, tab, "the opener", func(d browser.Doc) bool { return d.URL == srv.URL+"/" })
			if got := eval[string](t, tab, "", "function () { return document.title }", nil); got != "opener" {
				t.Errorf("back in the opener the title is %q", got)
			}
		}
		before := tab.Doc()
		if err := tab.Click(patience(t), "", 20, 220); err != nil {
			t.Fatal(err)
		}
		if d := tab.Doc(); d.URL != srv.URL+"/" || d.Windows != before.Windows {
			t.Errorf("an empty window became the page: %+v", d)
		}
		if err := tab.Click(patience(t), "", 20, 320); err != nil {
			t.Fatal(err)
		}
		until(t, tab, "the written popup", func(d browser.Doc) bool { return d.Windows > before.Windows })
		if got := eval[string](t, tab, "", "function () { return document.title + tool }", nil); got != "written7" {
			t.Errorf("the written popup says %q", got)
		}
	})
}

// A window that no one asked for must not become the page.
func TestWindowsWithoutInputAreClosed(t *testing.T) {
	srv := site(t, map[string]string{
		"/":   `<title>form</title><script>addEventListener("load", () => { globalThis.w = window.open('/ad') })</script>`,
		"/ad": `<title>ad</title>`,
	})
	onEach(t, func(t *testing.T, p *browser.Pool) {
		tab := open(t, p, browser.TabOptions{}, srv)
		visit(t, tab, srv.URL+"/")
		until(t, tab, "the stray window", func(d browser.Doc) bool { return d.Strays == 1 })
		if d := tab.Doc(); d.Windows != 0 || d.URL != srv.URL+"/" {
			t.Errorf("a stray window became the page: %+v", d)
		}
		if got := eval[string](t, tab, "", "function () { return document.title }", nil); got != "form" {
			t.Errorf("the title is %q", got)
		}
	})
}

func TestPopupOutlivesItsOpener(t *testing.T) {
	srv := site(t, map[string]string{
		"/":  `<button style="position:absolute;left:0;top:0;width:100px;height:50px" onclick="window.open('/a')">open</button>`,
		"/a": `<button style="position:absolute;left:0;top:0;width:100px;height:50px" onclick="window.open('/b'); setTimeout(() => close(), 0)">open</button>`,
		"/b": `<title>b</title>`,
	})
	onEach(t, func(t *testing.T, p *browser.Pool) {
		tab := open(t, p, browser.TabOptions{}, srv)
		visit(t, tab, srv.URL+"/")
		for _, next := range []string{"/a", "/b"} {
			if err := tab.Click(patience(t), "", 20, 20); err != nil {
				t.Fatal(err)
			}
			until(t, tab, next, func(d browser.Doc) bool { return d.URL == srv.URL+next && d.Loaded })
		}
		if got := eval[string](t, tab, "", "function () { return document.title }", nil); got != "b" {
			t.Errorf("the title is %q", got)
		}
	})
}

func TestDownloads(t *testing.T) {
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/file" {
			w.Header().Set("Content-Disposition", `attachment; filename="../../receipt.pdf"`)
			fmt.Fprint(w, "the receipt")
			return
		}
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprint(w, `<a href="/file" style="display:block;width:100px;height:50px">get</a>`)
	}))
	t.Cleanup(srv.Close)
	// WebKit's driver has no downloads, see TestWebKitRefusesDownloads.
	exceptWebKit(t, func(t *testing.T, p *browser.Pool) {
		dirs := []string{t.TempDir(), t.TempDir(), ""} // two tabs at once, and one that refuses
		for _, dir := range dirs {
			tab := open(t, p, browser.TabOptions{Downloads: dir}, srv)
			visit(t, tab, srv.URL+"/")
			if err := tab.Click(patience(t), "", 20, 20); err != nil {
				t.Fatal(err)
			}
			until(t, tab, "the download", func(d browser.Doc) bool {
				list := tab.Downloads()
				return len(list) == 1 && list[0].State != "inProgress" || dir == "" && len(list) == 1
			})
			got := tab.Downloads()[0]
			if dir == "" {
				if got.Path != "" {
					t.Errorf("a refused download has a path: %+v", got)
				}
				continue
			}
			text, err := os.ReadFile(got.Path)
			if err != nil || string(text) != "the receipt" || got.State != "completed" || got.Bytes != 11 || got.URL != srv.URL+"/file" {
				t.Errorf("got %+v with %q (%v)", got, text, err)
			}
			t.Log(got.Name)
		}
	})
}

func TestScreenshot(t *testing.T) {
	srv := site(t, map[string]string{"/": `<body style="margin:0"><div style="height:3000px;background:linear-gradient(white 50%, red 50%)"></div>`})
	onEach(t, func(t *testing.T, p *browser.Pool) {
		tab := open(t, p, browser.TabOptions{Width: 460, Height: 300}, srv)
		visit(t, tab, srv.URL+"/")
		eval[any](t, tab, "", "function () { scrollTo(0, 2000) }", nil)
		for _, c := range []struct {
			shot   browser.Shot
			format string
			size   image.Point
			red    bool
		}{
			{browser.Shot{}, "jpeg", image.Pt(460, 300), true},
			{browser.Shot{Format: "png", Scale: 0.5}, "png", image.Pt(230, 150), true},
			{browser.Shot{Clip: &browser.Rect{X: 0, Y: 0, W: 460, H: 1000}, Scale: 0.5, Quality: 40}, "jpeg", image.Pt(230, 500), false},
			{browser.Shot{Clip: &browser.Rect{X: 100, Y: 1600, W: 200, H: 1400}, Format: "png"}, "png", image.Pt(200, 1400), true},
		} {
			data, err := tab.Screenshot(patience(t), c.shot)
			if err != nil {
				t.Fatal(err)
			}
			img, format, err := image.Decode(bytes.NewReader(data))
			if err != nil {
				t.Fatal(err)
			}
			_, g, _, _ := img.At(10, 10).RGBA()
			if format != c.format || img.Bounds().Size() != c.size || (g < 0x8000) != c.red {
				t.Errorf("%+v gave a %s of %v, green %x", c.shot, format, img.Bounds().Size(), g)
			}
		}
	})
}

func TestEmulation(t *testing.T) {
	srv := site(t, map[string]string{"/": "x"})
	// WebKit takes the locales of the system, and no narrow window, see TestWebKitKnowsItsVisitor.
	exceptWebKit(t, func(t *testing.T, p *browser.Pool) {
		for _, c := range []struct {
			options browser.TabOptions
			want    []string
		}{
			{browser.TabOptions{}, []string{"1280x800", "America/New_York", "1,234.5", "en-US", "true", "true"}},
			{browser.TabOptions{Width: 390, Height: 700, Locale: "de-DE", Timezone: "Asia/Tokyo"}, []string{"390x700", "Asia/Tokyo", "1.234,5", "de-DE", "true", "true"}},
		} {
			tab := open(t, p, c.options, srv)
			visit(t, tab, srv.URL+"/")
			got := eval[[]string](t, tab, "", `function () { return [innerWidth + "x" + innerHeight, Intl.DateTimeFormat().resolvedOptions().timeZone,
				(1234.5).toLocaleString(), navigator.language, "" + matchMedia("(prefers-reduced-motion: reduce)").matches, "" + document.hasFocus()] }`, nil)
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Error("emulation differs:", diff)
			}
		}
	})
}

func TestTabsAreIsolated(t *testing.T) {
	srv := site(t, map[string]string{"/": "x"})
	onEach(t, func(t *testing.T, p *browser.Pool) {
		first, second := open(t, p, browser.TabOptions{}, srv), open(t, p, browser.TabOptions{}, srv)
		visit(t, first, srv.URL+"/")
		visit(t, second, srv.URL+"/")
		eval[any](t, first, "", "function () { document.cookie = 'a=1'; localStorage.setItem('a', '1') }", nil)
		if got := eval[string](t, second, "", "function () { return document.cookie + localStorage.length }", nil); got != "0" {
			t.Errorf("the second tab sees %q", got)
		}
	})
}
