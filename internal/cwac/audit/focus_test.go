//go:build linux

package audit_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/legwork-mcp/legwork/internal/browser"
	"github.com/legwork-mcp/legwork/internal/cwac/audit"
)

func TestFocus(t *testing.T) {
	t.Parallel()
	address := site(t, map[string]string{
		"/plain":  document(`<a href=/a>one</a> <button>two</button> <input aria-label=n> <select aria-label=s><option>1</select>`),
		"/inputs": document(`<style>:focus{outline:none}</style><input aria-label=n><textarea aria-label=t></textarea><button style="border:0">x</button>`),
		"/scroll": document(`<style>a.n:focus{outline:none}</style><a href=/1>up</a><div style="height:3000px"></div><a class=n href=/2>down</a><div style="height:3000px"></div><a href=/3>end</a>`),
		"/sticky": document(`<div style="position:fixed;top:0;left:0;right:0;height:140px;background:#fff"><a href=/m>menu</a></div>
			<p style="height:20px;margin:0"><a href=/1>hidden</a></p><p style="margin:0;height:200px">x</p><a href=/2>shown</a>`),
		"/moving":   document(`<style>@keyframes k{to{background:red}}div{animation:k 1s infinite;height:50px}</style><div></div><canvas width=300 height=50></canvas><script>const c=document.querySelector('canvas').getContext('2d');let n=0;setInterval(()=>{c.fillStyle='hsl('+(n+=37)%360+' 90% 50%)';c.fillRect(0,0,300,50)},15)</script><style>.n:focus{outline:none}</style><p><a class=n href=/x style="position:relative;top:-40px">over the canvas</a></p><p style="margin-top:60px"><a class=n href=/a>no</a> <a href=/b>yes</a></p>`),
		"/trap":     document(`<a href=/1>one</a><div id=d><button>a</button><button>b</button></div><a href=/2>two</a><script>const b=document.querySelectorAll('button');d.addEventListener('keydown',e=>{if(e.key==='Tab'){e.preventDefault();(document.activeElement===b[0]?b[1]:b[0]).focus()}})</script>`),
		"/escape":   document(`<a href=/1>one</a><div id=d><button>a</button></div><a href=/2>two</a><script>let free=false;d.addEventListener('keydown',e=>{if(e.key==='Escape')free=true;if(e.key==='Tab'&&!free)e.preventDefault()})</script>`),
		"/order":    document(`<a href=/1>one</a><a href=/2 tabindex=3 id=early>two</a>`),
		"/custom":   document(`<style>.r{position:absolute;opacity:0}.r:focus+span{outline:2px solid}.t button{outline:none}.t button:focus{transition:background .5s;background:#060}</style><label><input type=radio class=r name=q><span>choice</span></label><p class=t><button>slow</button></p>`),
		"/shadow":   document(`<x-y></x-y><script>customElements.define('x-y',class extends HTMLElement{connectedCallback(){this.attachShadow({mode:'open'}).innerHTML='<style>:focus{outline:none}</style><button style="border:0">in</button>'}})</script>`),
		"/empty":    document(`<p>nothing to press</p>`),
		"/frames":   document(`<a href=/1>one</a>` + strings.Repeat(`<iframe title=f src=/quiet style="width:60px;height:40px"></iframe>`, 12) + `<a href=/2>two</a>`),
		"/quiet":    document(`<p>text to scroll</p>`),
		"/navigate": document(`<a href=/empty onfocus="location='/empty'">x</a><a href=/plain>y</a>`),
	})
	for _, c := range []struct {
		page   string
		stops  int
		faults map[string]int
		notes  map[string]int
	}{
		{"/plain", 4, map[string]int{}, map[string]int{}},
		{"/inputs", 3, map[string]int{"focus-visible": 1}, map[string]int{}}, // the text cursor is an indicator
		{"/scroll", 3, map[string]int{"focus-visible": 1}, map[string]int{}},
		{"/sticky", 3, map[string]int{"focus-not-obscured": 1}, map[string]int{}},
		{"/moving", 3, map[string]int{"focus-visible": 2}, map[string]int{"moving_content": 1}},
		{"/trap", 3, map[string]int{"no-keyboard-trap": 1}, map[string]int{}},
		{"/escape", 2, map[string]int{}, map[string]int{"focus_kept": 1}},
		{"/order", 2, map[string]int{}, map[string]int{"positive_tabindex": 1}},
		{"/custom", 2, map[string]int{}, map[string]int{}},
		{"/shadow", 1, map[string]int{"focus-visible": 1}, map[string]int{}},
		{"/frames", 14, map[string]int{}, map[string]int{"frame_focus": 1}}, // no trap, and no element of its own
		{"/empty", 0, map[string]int{}, map[string]int{}},
		{"/navigate", 0, map[string]int{}, map[string]int{"focus_navigates": 1}},
	} {
		t.Run(c.page, func(t *testing.T) {
			got, err := visit(t, address+c.page).Focus(patience(t), audit.FocusOptions{})
			if err != nil {
				t.Fatal(err)
			}
			if got.Stops != c.stops {
				t.Errorf("%d stops, want %d", got.Stops, c.stops)
			}
			if diff := cmp.Diff(c.faults, rules(got.Missing)); diff != "" {
				t.Errorf("faults differ (-want +got):\n%s%+v", diff, got.Missing)
			}
			if diff := cmp.Diff(c.notes, kinds(got.Notes)); diff != "" {
				t.Errorf("notes differ (-want +got):\n%s%v", diff, got.Notes)
			}
		})
	}
}

func TestFocusOfThePlantedPage(t *testing.T) {
	t.Parallel()
	address := plantedSite(t)
	onEach(t, func(t *testing.T, p *browser.Pool) {
		page := load(t, open(t, p), address+"/focus.html")
		if err := page.Tab.Resize(patience(t), audit.Inner(small, false)); err != nil {
			t.Fatal(err)
		}
		got, err := page.Focus(patience(t), audit.FocusOptions{})
		if err != nil {
			t.Fatal(err)
		}
		var found []string
		for _, f := range got.Missing {
			found = append(found, f.HTML)
		}
		want := []string{`<a class="nf" href="/about.html">one</a>`, `<a class="nf" href="/forms.html">two</a>`, `<button class="nf">four</button>`}
		if diff := cmp.Diff(want, found); diff != "" || got.Stops != 24 {
			t.Errorf("%d stops, faults differ (-want +got):\n%s", got.Stops, diff)
		}
	})
}

// The focus is followed into frames, also of other sites, and judged there.
func TestFocusInFrames(t *testing.T) {
	t.Parallel()
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		if r.URL.Path == "/in" {
			fmt.Fprint(w, document(`<style>.n:focus{outline:none}</style><a class=n id=bad href=/1>bad</a> <a href=/2>good</a>`))
			return
		}
		far := strings.Replace("http://"+r.Host, "127.0.0.1", "localhost", 1)
		fmt.Fprint(w, document(`<a href=/a>before</a><p style="height:900px"></p><iframe title=far src="`+far+`/in"></iframe><iframe title=near src="/in"></iframe><a href=/b>after</a>`))
	}))
	t.Cleanup(srv.Close)
	onEach(t, func(t *testing.T, p *browser.Pool) {
		page := load(t, open(t, p), srv.URL+"/")
		got, err := page.Focus(patience(t), audit.FocusOptions{Frames: true})
		if err != nil {
			t.Fatal(err)
		}
		var found []string
		for _, f := range got.Missing {
			u, err := url.Parse(f.Frame)
			if err != nil || f.Box == nil || f.Box.Y < 900 {
				t.Errorf("in %s at %v: %v", f.Frame, f.Box, err)
				continue
			}
			found = append(found, f.Rule+" "+f.Selector+" "+u.Hostname())
		}
		want := []string{"focus-visible #bad localhost", "focus-visible #bad 127.0.0.1"}
		if diff := cmp.Diff(want, found); diff != "" || got.Stops != 6 {
			t.Errorf("%d stops, notes %v, faults differ (-want +got):\n%s", got.Stops, got.Notes, diff)
		}
	})
}
