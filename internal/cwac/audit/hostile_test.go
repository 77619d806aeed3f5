//go:build linux

package audit_test

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/legwork-mcp/legwork/internal/browser"
	"github.com/legwork-mcp/legwork/internal/cwac/audit"
	"github.com/legwork-mcp/legwork/internal/cwac/results"
)

const faulty = `<img src="data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7">`

// Whatever a page does to its own script world, the audit finds the one fault in it.
func TestAxeInHostilePages(t *testing.T) {
	t.Parallel()
	pages := map[string]string{
		"/modules": `<script>window.define=function(){throw 1};define.amd=true;window.module={exports:{}};window.exports={};window.require=()=>{throw 2};window.axe={run(){throw 3},version:'0'}</script>`,
		"/names":   `<a id=axe href=/x>a</a><a id=module href=/x>b</a><a id=define href=/x>c</a><a id=legworkAxe href=/x>d</a><a id=legworkAudit href=/x>e</a><a id=legworkWatch href=/x>f</a>`,
		"/natives": `<script>document.querySelectorAll=()=>[];Element.prototype.matches=()=>false;Object.prototype.toString=()=>'x';JSON.stringify=()=>'{}';Array.prototype.push=()=>0;window.Promise=null;
			Element.prototype.getBoundingClientRect=()=>({});window.getComputedStyle=()=>({});setTimeout(()=>{window.setTimeout=()=>{};window.requestAnimationFrame=()=>{}})</script>`,
		"/forms":  `<form><label>a<input name=attributes></label><label>b<input name=name></label><label>c<input name=action></label><label>d<input name=children></label><label>e<input name=id></label><label>f<input id=title name=method></label></form>`,
		"/huge":   `<div style="width:1000000000px;height:1000000000px;overflow:hidden">big</div>`,
		"/span":   `<table><tr><th scope=col>a<td>b</table><table>` + strings.Repeat("<tr><th rowspan=65534 colspan=1000>x", 30) + `</table>`,
		"/alerts": `<script>setInterval(()=>alert('again'),5)</script>`,
		"/growth": `<div id=g></div><script>setInterval(()=>{for(let i=0;i<50;i++)g.append(document.createElement('p'))},20)</script>`,
		"/axe":    `<script>addEventListener('load',()=>{window.axe={_running:true,_tree:{}}})</script>`,
	}
	served := map[string]string{}
	for path, body := range pages {
		served[path] = document(body + faulty)
	}
	address := site(t, served)
	for path := range pages {
		t.Run(path, func(t *testing.T) {
			tab := open(t, pool(browser.EngineHeadlessShell))
			if err := tab.Navigate(patience(t), address+path); err != nil {
				t.Fatal(err)
			}
			page := &audit.Page{Tab: tab}
			if _, err := page.Settle(patience(t), audit.SettleOptions{Limit: time.Second}); err != nil {
				t.Fatal(err)
			}
			got, err := page.Axe(patience(t), audit.AxeOptions{Frames: true, ClosedRoots: true})
			if err != nil {
				t.Fatal(err, errors.Unwrap(err))
			}
			if n := rules(got.Violations)["image-alt"]; n != 1 {
				t.Errorf("found %v, notes %v", rules(got.Violations), got.Notes)
			}
			if _, err := page.Facts(patience(t)); err != nil {
				t.Error("facts:", err)
			}
			if _, err := page.Reflow(patience(t)); err != nil {
				t.Error("reflow:", err)
			}
		})
	}
}

// A form whose fields are named after members of the DOM hides these from whoever asks
// the form itself, as a booking form does with its number of children.
func TestPlacesInFormsThatHideTheirMembers(t *testing.T) {
	t.Parallel()
	tab := open(t, pool(browser.EngineHeadlessShell))
	address := site(t, map[string]string{"/": document(`<form><button>one</button><label>Children <input name=children></label><input aria-label=n name=nodeType></form>`)})
	if err := tab.Navigate(patience(t), address+"/"); err != nil {
		t.Fatal(err)
	}
	page := &audit.Page{Tab: tab}
	got, err := page.Focus(patience(t), audit.FocusOptions{Limit: time.Minute})
	if err != nil || len(got.Missing) != 0 {
		t.Fatalf("%v, %+v", err, got)
	}
	found, _, err := page.Elements(patience(t), "button")
	if err != nil || len(found) != 1 || !strings.Contains(found[0].Target, "/form/button") {
		t.Errorf("%v, %+v", err, found)
	}
}

// A rule that fails costs that rule, and says so.
func TestAxeRuleThatFails(t *testing.T) {
	t.Parallel()
	address := site(t, map[string]string{"/": document(`<form><label>a<input name=getClientRects></label></form>` + faulty)})
	got, err := visit(t, address+"/").Axe(patience(t), audit.AxeOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(map[string]int{"image-alt": 1}, rules(got.Violations)); diff != "" {
		t.Error("faults differ (-want +got):", diff)
	}
	if len(got.Notes) != 1 || got.Notes[0].Kind != "rule_error" || !strings.Contains(got.Notes[0].Text, "color-contrast") || rules(got.Review)["color-contrast"] != 0 {
		t.Errorf("notes are %v", got.Notes)
	}
}

// A strict policy of the page keeps its own scripts out, not the audit.
func TestAxeUnderStrictPolicies(t *testing.T) {
	t.Parallel()
	for name, policy := range map[string]string{
		"nothing allowed": "default-src 'none'; sandbox",
		"trusted types":   "require-trusted-types-for 'script'; trusted-types 'none'; script-src 'self'",
	} {
		t.Run(name, func(t *testing.T) {
			srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
				w.Header().Set("Content-Type", "text/html")
				w.Header().Set("Content-Security-Policy", policy)
				fmt.Fprint(w, document(`<p style="color:#bbb">x</p><button></button>`))
			}))
			t.Cleanup(srv.Close)
			onEach(t, func(t *testing.T, p *browser.Pool) {
				got, err := load(t, open(t, p), srv.URL+"/").Axe(patience(t), audit.AxeOptions{Frames: true})
				if err != nil {
					t.Fatal(err)
				}
				if n := rules(got.Violations)["button-name"]; n != 1 || len(got.Notes) > 0 {
					t.Errorf("found %v, notes %v", rules(got.Violations), got.Notes)
				}
			})
		})
	}
}

// A page with far too much in it gives what could be looked at in time, and says
// which rules that was not all of.
func TestAxeHasALimit(t *testing.T) {
	t.Parallel()
	body := faulty + strings.Repeat(`<div><p style="color:#bbb">faint <a href="/x">link</a></p></div>`, 7000)
	address := site(t, map[string]string{"/": document(body)})
	page := visit(t, address+"/")
	got, err := page.Axe(patience(t), audit.AxeOptions{Limit: 500 * time.Millisecond, Grace: time.Minute, Rules: []string{"image-alt", "color-contrast"}})
	if err != nil {
		t.Fatal(err)
	}
	if n := rules(got.Violations)["image-alt"]; n != 1 {
		t.Errorf("what was fast is lost: %v", rules(got.Violations))
	}
	if n := kinds(got.Notes)["time_limit"]; n == 0 {
		t.Errorf("nothing says that it is not all: %v", got.Notes)
	}
	title, err := page.Title(patience(t)) // the page is still there
	if err != nil || title != "t" {
		t.Errorf("afterwards: %q, %v", title, err)
	}
}

// A page of hundreds of frames costs the time that it may, and says what is missing.
func TestAxeEntersNoFrameWhenTheTimeIsOver(t *testing.T) {
	t.Parallel()
	frame := `<iframe title=f src="/frame"></iframe>`
	address := site(t, map[string]string{"/": document(faulty + strings.Repeat(frame, 40)), "/frame": document(faulty)})
	page := visit(t, address+"/")
	for limit, want := range map[time.Duration]int{time.Nanosecond: 0, time.Hour: 41} {
		got, err := page.Axe(patience(t), audit.AxeOptions{Frames: true, Limit: limit, Grace: time.Minute, Rules: []string{"image-alt"}})
		if err != nil {
			t.Fatal(err)
		}
		if n := rules(got.Violations)["image-alt"]; want > 0 && n != want {
			t.Errorf("within %v: %d faults instead of %d, notes %v", limit, n, want, got.Notes)
		}
		late := slices.ContainsFunc(got.Notes, func(n results.Note) bool {
			return n.Kind == "time_limit" && n.Text == "Time ran out before these frames were looked at: 40."
		})
		if late != (want == 0) {
			t.Errorf("within %v: %v", limit, got.Notes)
		}
	}
}

// Frames that never answer cost a limit together, and not each its own.
func TestFramesThatHangShareALimit(t *testing.T) {
	t.Parallel()
	const frames, alone, together = 12, 2 * time.Second, 10 * time.Second
	listener, err := net.Listen("tcp4", "0.0.0.0:0")
	if err != nil {
		t.Fatal(err)
	}
	_, port, _ := net.SplitHostPort(listener.Addr().String())
	srv := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body := "<details><summary>s</summary>x</details>"
		switch r.URL.Path {
		case "/never":
			<-r.Context().Done()
			return
		case "/":
			for i := range frames { // sites of their own, so processes of their own
				body += fmt.Sprintf(`<iframe title=f src="http://127.0.0.%d:%s/hangs"></iframe>`, i+2, port)
			}
		case "/hangs":
			body += `<script>const x=new XMLHttpRequest();x.open('GET','/never',false);x.send()</script>`
		}
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprint(w, document(body))
	}))
	if err := srv.Listener.Close(); err != nil {
		t.Fatal(err)
	}
	srv.Listener = listener
	srv.Start()
	t.Cleanup(srv.Close)
	tab := open(t, pool(browser.EngineChromium))
	if err := tab.Navigate(patience(t), "http://127.0.0.1:"+port+"/"); err != nil {
		t.Fatal(err)
	}
	page := &audit.Page{Tab: tab}
	if _, err := page.Settle(patience(t), audit.SettleOptions{Limit: 2 * time.Second}); err != nil {
		t.Fatal(err)
	}
	if got := len(tab.Frames()); got != frames+1 {
		t.Fatalf("%d frames", got)
	}
	start := time.Now()
	opened, err := page.OpenDetails(patience(t))
	if err != nil {
		t.Fatal(err)
	}
	took := time.Since(start)
	if opened != 1 || took < alone || took > (frames*alone+together)/2 {
		t.Errorf("%d opened in %v", opened, took)
	}
}

// A single element on which a rule would work for minutes costs that rule and those
// after it, not the page.
func TestAxeIsEndedFromOutside(t *testing.T) {
	t.Parallel()
	address := site(t, map[string]string{"/": document(`<img usemap="#m" alt=x src="/x.gif"><map name=m><area href="/x" coords="0,0,9,9"></map>
		<div id=x>` + strings.Repeat("<b>a</b>", 3000) + `</div><button aria-labelledby="` + strings.Repeat("x ", 20000) + `"></button>`)})
	page := visit(t, address+"/")
	got, err := page.Axe(patience(t), audit.AxeOptions{Limit: 2 * time.Second, Grace: time.Second})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(map[string]int{"area-alt": 1}, rules(got.Violations)); diff != "" {
		t.Error("what was found before differs (-want +got):", diff)
	}
	if n := kinds(got.Notes)["time_limit"]; n != 1 || !strings.Contains(got.Notes[0].Text, "button-name") {
		t.Errorf("notes are %v", got.Notes)
	}
	again, err := page.Axe(patience(t), audit.AxeOptions{Rules: []string{"area-alt"}})
	if err != nil || len(again.Violations) != 1 {
		t.Errorf("a second run in the same document finds %v, %v", rules(again.Violations), err)
	}
}

// A page that never lets go of its thread costs the caller's time and no more.
func TestAxeOnASpinningPage(t *testing.T) {
	t.Parallel()
	address := site(t, map[string]string{"/": document(`<script>setTimeout(()=>{for(;;);},300)</script>`), "/after": document(faulty)})
	tab := open(t, pool(browser.EngineHeadlessShell))
	if err := tab.Navigate(patience(t), address+"/"); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(patience(t), 1500*time.Millisecond)
	defer cancel()
	page := &audit.Page{Tab: tab}
	_, err := page.Settle(ctx, audit.SettleOptions{Quiet: time.Second})
	if err == nil {
		t.Fatal("a spinning page came to rest")
	}
	if err := tab.Interrupt(patience(t), ""); err != nil {
		t.Fatal(err)
	}
	got, err := load(t, tab, address+"/after").Axe(patience(t), audit.AxeOptions{})
	if err != nil || rules(got.Violations)["image-alt"] != 1 {
		t.Errorf("the tab cannot be used again: %v, %v", rules(got.Violations), err)
	}
}

// What moves, fades or comes late does not change the result.
func TestAxeIsRepeatable(t *testing.T) {
	t.Parallel()
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/late.css" {
			w.Header().Set("Content-Type", "text/css")
			fmt.Fprint(w, `.late{color:#bbb}`)
			return
		}
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprint(w, document(`<style>@keyframes fade{from{opacity:0}}@keyframes pulse{50%{color:#ccc}}
			.fade{animation:fade 2s both}.pulse{animation:pulse 1s infinite;color:#000}.slow{transition:color 2s;color:#000}html{scroll-behavior:smooth}</style>
			<p class=fade style="color:#bbb">fades in</p><p class=pulse>pulses</p><p class=slow id=s>turns grey</p><p class=late>late style</p><div style="height:3000px"></div>
			<script>const l=document.createElement('link');l.rel='stylesheet';l.href='/late.css';setTimeout(()=>{document.head.append(l);s.style.color='#bbb'},60);scrollTo(0,2000)</script>`))
	}))
	t.Cleanup(srv.Close)
	tab := open(t, pool(browser.EngineHeadlessShell))
	for range 20 {
		page := load(t, tab, srv.URL+"/")
		got, err := page.Axe(patience(t), audit.AxeOptions{Rules: []string{"color-contrast"}})
		if err != nil {
			t.Fatal(err)
		}
		var found []string
		for _, f := range got.Violations {
			found = append(found, fmt.Sprint(f.Selector, " ", f.Data["contrastRatio"]))
		}
		if diff := cmp.Diff([]string{".fade 1.91", "#s 1.91", ".late 1.91"}, found); diff != "" {
			t.Fatal("faults differ (-want +got):", diff)
		}
	}
}
