//go:build linux

package browser_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/legwork-mcp/legwork/internal/browser"
)

const framePage = `<title>main</title><body style="margin:0;height:3000px">
<div style="height:40px">above</div>
<iframe id=same name=same src="/inner" style="margin:10px;border:5px solid;padding:3px;width:300px;height:200px"></iframe>
<iframe id=other name=other src="%s/outer" style="position:absolute;left:400px;top:60px;border:2px solid;width:300px;height:250px"></iframe>`

const clickPage = `<title>%s</title><body style="margin:0">
<button id=b style="position:absolute;left:20px;top:30px;width:80px;height:30px" onclick="this.textContent = 'clicked ' + event.isTrusted">go</button>
<input id=i style="position:absolute;left:20px;top:80px">%s`

// frameSite has a page with a frame of its own site and one of another site,
// which holds a frame of a third site.
func frameSite(t *testing.T) (policy browser.Policy) {
	t.Helper()
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, port, _ := strings.Cut(r.Host, ":")
		w.Header().Set("Content-Type", "text/html")
		switch r.URL.Path {
		case "/":
			fmt.Fprintf(w, framePage, "http://other.localhost:"+port)
		case "/outer":
			fmt.Fprintf(w, clickPage, "outer", fmt.Sprintf(`<iframe src="http://third.localhost:%s/deep" style="position:absolute;left:30px;top:110px;border:1px solid"></iframe>`, port))
		default:
			fmt.Fprintf(w, clickPage, strings.TrimPrefix(r.URL.Path, "/"), "")
		}
	}))
	t.Cleanup(srv.Close)
	_, port, _ := strings.Cut(strings.TrimPrefix(srv.URL, "http://"), ":")
	for _, host := range []string{"main", "other", "third"} {
		policy.AllowOrigins = append(policy.AllowOrigins, "http://"+host+".localhost:"+port)
	}
	return policy
}

func TestFrames(t *testing.T) {
	policy := frameSite(t)
	onEach(t, func(t *testing.T, p *browser.Pool) {
		tab := open(t, p, browser.TabOptions{Policy: policy, InitScripts: []browser.InitScript{{Source: "globalThis.tool = 1"}}})
		visit(t, tab, policy.AllowOrigins[0]+"/")
		frames := waitForFrames(t, tab, 4)
		var names []string
		for _, f := range frames {
			title := eval[string](t, tab, f.ID, "function () { return document.title + tool }", nil)
			names = append(names, strings.TrimPrefix(f.URL, "http://")[:5]+" "+title)
		}
		want := []string{"main. main1", "main. inner1", "other outer1", "third deep1"}
		if diff := cmp.Diff(want, names); diff != "" {
			t.Fatal("frames differ:", diff)
		}
		if frames[3].Parent != frames[2].ID || frames[1].Name != "same" {
			t.Errorf("wrong parents or names: %+v", frames)
		}
		for i, id := range []string{"same", "other"} {
			got, err := tab.FrameOf(patience(t), "", "function (id) { return document.getElementById(id) }", id)
			if err != nil || got != frames[i+1].ID {
				t.Errorf("the frame in #%s is %q (%v), want %q", id, got, err, frames[i+1].ID)
			}
		}
		eval[any](t, tab, "", "function () { scrollTo(0, 35) }", nil)
		for _, f := range frames[1:] {
			inputInFrame(t, tab, f)
		}
	})
}

func waitForFrames(t *testing.T, tab *browser.Tab, n int) []browser.Frame {
	t.Helper()
	var frames []browser.Frame
	until(t, tab, fmt.Sprint(n, " frames"), func(browser.Doc) bool {
		frames = tab.Frames()
		for _, f := range frames {
			if f.URL == "" || f.URL == "about:blank" {
				return false
			}
		}
		return len(frames) == n
	})
	for _, f := range frames {
		eval[bool](t, tab, f.ID, `function () { return document.readyState == "complete" ||
			new Promise(done => addEventListener("load", () => done(true))) }`, nil)
	}
	return frames
}

// inputInFrame clicks and types in a frame and asks its document what came.
func inputInFrame(t *testing.T, tab *browser.Tab, f browser.Frame) {
	t.Helper()
	if err := tab.Click(patience(t), f.ID, 60, 45); err != nil {
		t.Fatal("clicking:", err)
	}
	if got := eval[string](t, tab, f.ID, "function () { return document.getElementById('b').textContent }", nil); got != "clicked true" {
		t.Errorf("%s: the button says %q", f.URL, got)
	}
	if err := tab.Click(patience(t), f.ID, 40, 90); err != nil {
		t.Fatal("clicking:", err)
	}
	if err := tab.Type(patience(t), f.ID, "Ab1-é日"); err != nil {
		t.Fatal("typing:", err)
	}
	if err := tab.InsertText(patience(t), f.ID, " and more"); err != nil {
		t.Fatal("inserting:", err)
	}
	if got := eval[string](t, tab, f.ID, "function () { return document.getElementById('i').value }", nil); got != "Ab1-é日 and more" {
		t.Errorf("%s: the input says %q", f.URL, got)
	}
}

func TestFrameMovesBetweenSites(t *testing.T) {
	policy := frameSite(t)
	onEach(t, func(t *testing.T, p *browser.Pool) {
		tab := open(t, p, browser.TabOptions{Policy: policy})
		visit(t, tab, policy.AllowOrigins[0]+"/inner")
		eval[any](t, tab, "", `function () { const f = document.createElement("iframe"); f.id = "f"; document.body.append(f) }`, nil)
		id, err := tab.FrameOf(patience(t), "", "function () { return document.getElementById('f') }", nil)
		if err != nil {
			t.Fatal(err)
		}
		for _, origin := range []string{policy.AllowOrigins[1], policy.AllowOrigins[0], policy.AllowOrigins[2]} {
			eval[any](t, tab, "", `function (u) { return new Promise(done => {
				const f = document.getElementById("f"); f.onload = () => done(null); f.src = u }) }`, origin+"/inner")
			if got := eval[string](t, tab, id, "function () { return location.origin }", nil); got != origin {
				t.Errorf("the frame is at %q, want %q", got, origin)
			}
		}
		eval[any](t, tab, "", `function () { document.getElementById("f").remove() }`, nil)
		waitForFrames(t, tab, 1)
	})
}

// Workers start held, because frames do, and somebody has to let them go.
func TestWorkersRun(t *testing.T) {
	const page = `<title>page</title><script>
const source = "const say = p => p.postMessage('running'); onconnect = e => say(e.ports[0]); if (self.postMessage) say(self)";
const url = URL.createObjectURL(new Blob([source]));
const said = p => new Promise(done => p.onmessage = e => done(e.data));
globalThis.all = Promise.all([said(new Worker(url)), said(new SharedWorker("/shared.js").port),
	navigator.serviceWorker.register("/service.js").then(() => navigator.serviceWorker.ready).then(() => "running")]);
all.then(list => document.title = list.join());
</script>`
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasSuffix(r.URL.Path, ".js") {
			w.Header().Set("Content-Type", "text/javascript")
			fmt.Fprint(w, `onconnect = e => e.ports[0].postMessage("running"); onfetch = () => {}`)
			return
		}
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprint(w, page)
	}))
	t.Cleanup(srv.Close)
	onEach(t, func(t *testing.T, p *browser.Pool) {
		tab := open(t, p, browser.TabOptions{}, srv)
		visit(t, tab, srv.URL+"/")
		got := eval[string](t, tab, "", `function () { return new Promise(done => {
			const look = () => document.title != "page" ? done(document.title) : setTimeout(look, 5); look() }) }`, nil)
		if got != "running,running,running" {
			t.Errorf("got %q", got)
		}
	})
}
