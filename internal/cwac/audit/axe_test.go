//go:build linux

package audit_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/legwork-mcp/legwork/internal/browser"
	"github.com/legwork-mcp/legwork/internal/cwac/audit"
	"github.com/legwork-mcp/legwork/internal/cwac/results"
	"github.com/legwork-mcp/legwork/internal/fault"
)

// Every frame is looked at, wherever its document comes from, and those that cannot
// be are named.
func TestAxeEntersFrames(t *testing.T) {
	t.Parallel()
	inner := `<!doctype html><html lang=en><title>i</title><main><h1>i</h1>` + faulty + `</main></html>`
	var far string
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		switch r.URL.Path {
		case "/inner":
			fmt.Fprint(w, inner)
		case "/outer":
			fmt.Fprint(w, strings.Replace(inner, faulty, faulty+`<iframe title=deep src="`+far+`/inner" style="margin:7px"></iframe>`, 1))
		case "/silent":
			<-r.Context().Done()
		default:
			fmt.Fprint(w, document(`<iframe title=near src=/inner></iframe><iframe title=far src="`+far+`/outer"></iframe><iframe title=boxed sandbox src=/inner></iframe>
				<iframe title=written srcdoc='`+inner+`'></iframe><iframe title=blank></iframe><iframe title=silent src="`+far+`/silent"></iframe>`))
		}
	}))
	t.Cleanup(srv.Close)
	far = strings.Replace(srv.URL, "127.0.0.1", "localhost", 1)
	onEach(t, func(t *testing.T, p *browser.Pool) {
		tab := open(t, p)
		if err := tab.Navigate(patience(t), srv.URL+"/"); err != nil {
			t.Fatal(err)
		}
		page := &audit.Page{Tab: tab}
		settle := audit.SettleOptions{Limit: 1500e6}
		if notes, err := page.Settle(patience(t), settle); err != nil || kinds(notes)["not_settled"] != 1 {
			t.Fatal("a page with a silent frame:", notes, err)
		}
		got, err := page.Axe(patience(t), audit.AxeOptions{Frames: true})
		if err != nil {
			t.Fatal(err)
		}
		var found []string
		for _, f := range got.Violations {
			if f.Rule == "image-alt" {
				found = append(found, f.Selector+" in "+strings.NewReplacer(srv.URL, "", far, "far:").Replace(f.Frame))
				if f.Box == nil || f.Box.Width != 1 {
					t.Errorf("%s is at %v", f.Selector, f.Box)
				}
			}
		}
		want := []string{
			`iframe[title="near"] | img in /inner`, `iframe[title="far"] | img in far:/outer`, `iframe[title="far"] | iframe | img in far:/inner`,
			`iframe[title="boxed"] | img in /inner`, `iframe[title="written"] | img in about:srcdoc`,
		}
		if diff := cmp.Diff(want, found); diff != "" {
			t.Errorf("faults in frames differ (-want +got):\n%s\nnotes %v", diff, got.Notes)
		}
	})
}

// What is shown in the place of a document that could not be loaded, or may not be, is
// no part of the page: such a frame is untested, not clean.
func TestAxeNamesFramesThatDidNotLoad(t *testing.T) {
	t.Parallel()
	dead := httptest.NewServer(http.NotFoundHandler())
	dead.Close()
	secret := site(t, map[string]string{"/in": document(faulty)})
	elsewhere := func(address string) string { return strings.Replace(address, "127.0.0.1", "localhost", 1) }
	missing := []string{
		dead.URL + "/in", elsewhere(dead.URL) + "/in", strings.Replace(dead.URL, "http:", "https:", 1) + "/in", secret + "/in", elsewhere(secret) + "/in",
		strings.Replace(secret, "http:", "https:", 1) + "/in",
	}
	body := faulty + `<iframe title=near src=/in></iframe>`
	for i, address := range missing {
		body += fmt.Sprintf(`<iframe title="missing %d" src="%s"></iframe>`, i, address)
	}
	address := site(t, map[string]string{"/": document(body), "/in": document(faulty)})
	onEach(t, func(t *testing.T, p *browser.Pool) {
		tab := openWith(t, p, browser.Policy{AllowOrigins: []string{address, dead.URL, elsewhere(dead.URL)}})
		got, err := load(t, tab, address+"/").Axe(patience(t), audit.AxeOptions{Frames: true})
		if err != nil {
			t.Fatal(err)
		}
		var want []results.Note
		for _, a := range missing {
			want = append(want, results.Note{Audit: results.AuditAxe, Kind: "frame_untested", Text: "A frame was not tested: its document could not be loaded.", Where: a})
		}
		if diff := cmp.Diff(want, got.Notes) + cmp.Diff(map[string]int{"image-alt": 2}, rules(got.Violations)); diff != "" {
			t.Errorf("notes or faults differ (-want +got):\n%s", diff)
		}
	})
}

// The places of faults in frames are places of the page.
func TestAxePlacesInFrames(t *testing.T) {
	t.Parallel()
	address := site(t, map[string]string{
		"/":      `<!doctype html><html lang=en><title>t</title><body style="margin:0"><main><h1 style="margin:0;height:100px">h</h1><iframe title=f src=/inner style="border:5px solid;padding:3px;margin-left:20px;width:200px;height:100px"></iframe><div style="height:2000px"></div><script>onload=()=>scrollTo(0,50)</script></main>`,
		"/inner": `<!doctype html><html lang=en><title>i</title><body style="margin:0"><main><h1 style="margin:0;height:30px">i</h1><img src="/x.gif" style="width:40px;height:20px;margin-left:10px"></main>`,
	})
	got, err := visit(t, address+"/").Axe(patience(t), audit.AxeOptions{Frames: true, Rules: []string{"image-alt"}})
	if err != nil || len(got.Violations) != 1 {
		t.Fatal(got, err)
	}
	f := got.Violations[0]
	if diff := cmp.Diff(&results.Box{X: 38, Y: 138, Width: 40, Height: 20}, f.Box); diff != "" {
		t.Error("its place differs:", diff)
	}
	if f.Target != "/html/body/main/img" || f.Selector != "iframe | img" || f.Frame != address+"/inner" {
		t.Errorf("it is %s, %s in %s", f.Target, f.Selector, f.Frame)
	}
}

func TestAxeFinding(t *testing.T) {
	t.Parallel()
	address := site(t, map[string]string{"/": document(`<p id="x" style="color:#999;margin:0;width:200px;height:20px">Grey</p><x-y></x-y>
		<script>customElements.define('x-y',class extends HTMLElement{connectedCallback(){this.attachShadow({mode:'open'}).innerHTML='<button class=b></button>'}})</script>`)})
	page := visit(t, address+"/")
	got, err := page.Axe(patience(t), audit.AxeOptions{Rules: []string{"color-contrast", "button-name"}})
	if err != nil || len(got.Violations) != 2 {
		t.Fatal(got, err)
	}
	var contrast, button results.Finding
	for _, f := range got.Violations {
		if f.Rule == "button-name" {
			button = f
		} else {
			contrast = f
		}
	}
	if button.Selector != "x-y >>> button" || button.Impact != "critical" {
		t.Errorf("the button is %s, %s", button.Selector, button.Impact)
	}
	for key, want := range map[string]any{"fgColor": "#999999", "bgColor": "#ffffff", "contrastRatio": 2.84, "expectedContrastRatio": "4.5:1", "fontSize": "12.0pt (16px)"} {
		if contrast.Data[key] != want {
			t.Errorf("%s is %v", key, contrast.Data[key])
		}
	}
	contrast.Data, contrast.Tags, contrast.Box, contrast.Summary = nil, nil, nil, strings.SplitN(contrast.Summary, "\n", 2)[0]
	want := results.Finding{
		View: page.View, Audit: results.AuditAxe, Rule: "color-contrast", Impact: "serious", Count: 1,
		Help:        "Elements must meet minimum color contrast ratio thresholds",
		Description: "Ensure the contrast between foreground and background colors meets WCAG 2 AA minimum contrast ratio thresholds",
		HelpURL:     "https://dequeuniversity.com/rules/axe/4.13/color-contrast?application=axeAPI",
		HTML:        `<p id="x" style="color:#999;margin:0;width:200px;height:20px">Grey</p>`,
		Target:      "//p[@id='x']", Selector: "#x", Summary: "Fix any of the following:",
	}
	if diff := cmp.Diff(want, contrast); diff != "" {
		t.Error("the finding differs (-want +got):", diff)
	}
}

func TestAxeOptions(t *testing.T) {
	t.Parallel()
	address := site(t, map[string]string{"/": document(`<div id=a>` + faulty + `</div><div id=b>` + faulty + `<button></button></div><div role=region>x</div><p id=c>x</p><iframe title=f src=/in></iframe><div style="background-image:url(/x)">over a picture</div>`),
		"/in": document(`<section id=s>` + faulty + `</section>` + faulty)})
	for name, c := range map[string]struct {
		options audit.AxeOptions
		want    map[string]int
		broken  string
	}{
		"all":            {audit.AxeOptions{}, map[string]int{"image-alt": 2, "button-name": 1}, ""},
		"rules":          {audit.AxeOptions{Rules: []string{"button-name"}}, map[string]int{"button-name": 1}, ""},
		"tags":           {audit.AxeOptions{Tags: []string{"cat.text-alternatives"}}, map[string]int{"image-alt": 2}, ""},
		"disable":        {audit.AxeOptions{Disable: []string{"image-alt"}}, map[string]int{"button-name": 1}, ""},
		"include":        {audit.AxeOptions{Include: []string{"#a", "#c"}}, map[string]int{"image-alt": 1}, ""},
		"exclude":        {audit.AxeOptions{Exclude: []string{"#b"}}, map[string]int{"image-alt": 1}, ""},
		"part of frame":  {audit.AxeOptions{Frames: true, Include: []string{"iframe | #s"}}, map[string]int{"image-alt": 1}, ""},
		"nothing there":  {audit.AxeOptions{Include: []string{"#a", "#zzz"}}, nil, "nothing matches #zzz"},
		"no selector":    {audit.AxeOptions{Include: []string{"#a", "]["}}, nil, "no selector: ]["},
		"no such rule":   {audit.AxeOptions{Rules: []string{"imagealt"}}, nil, "no rule is named imagealt"},
		"no such tag":    {audit.AxeOptions{Tags: []string{"wcag9"}}, nil, "no rule has the tag wcag9"},
		"not that rule":  {audit.AxeOptions{Rules: []string{"button-name", "image-alt"}, Disable: []string{"image-alt"}}, map[string]int{"button-name": 1}, ""},
		"best practices": {audit.AxeOptions{BestPractice: true, Tags: []string{"best-practice"}}, map[string]int{}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := visit(t, address+"/").Axe(patience(t), c.options)
			if c.broken != "" {
				if f := fault.From(err); f == nil || f.Kind != fault.Invalid || !strings.Contains(f.Message, c.broken) {
					t.Errorf("the mistake gives %v", err)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(c.want, rules(got.Violations)); diff != "" {
				t.Error("faults differ (-want +got):", diff)
			}
			for _, f := range got.Review {
				if !f.Review || f.Rule == "" {
					t.Errorf("not marked for review: %+v", f)
				}
			}
			if len(got.Rules) == 0 {
				t.Error("no rule ran")
			}
			if name == "all" && rules(got.Review)["color-contrast"] != 1 {
				t.Errorf("what cannot be decided is %v", rules(got.Review))
			}
		})
	}
}

// What is put into the slots of a component belongs to the list inside it. Whoever
// may not look inside cannot tell.
func TestAxeAndComponents(t *testing.T) {
	t.Parallel()
	component := func(mode string) string {
		return document(`<x-list><li>a</li></x-list><script>customElements.define('x-list',class extends HTMLElement{connectedCallback(){this.attachShadow({mode:'` + mode + `'}).innerHTML='<ul><slot></slot></ul><button></button>'}})</script>`)
	}
	tab := open(t, pool(browser.EngineHeadlessShell))
	address := site(t, map[string]string{"/open": component("open"), "/closed": component("closed")})
	for _, c := range []struct {
		page           string
		closed         bool
		faults, review map[string]int
		notes          int
	}{
		{"/open", false, map[string]int{"button-name": 1}, map[string]int{}, 0},
		{"/closed", true, map[string]int{"button-name": 1}, map[string]int{}, 0},
		{"/closed", false, map[string]int{}, map[string]int{"listitem": 1}, 1},
	} {
		got, err := load(t, tab, address+c.page).Axe(patience(t), audit.AxeOptions{ClosedRoots: c.closed, Rules: []string{"listitem", "list", "button-name"}})
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(c.faults, rules(got.Violations)) + cmp.Diff(c.review, rules(got.Review)); diff != "" || kinds(got.Notes)["closed_shadow_root"] != c.notes {
			t.Errorf("%s, looking in %v: notes %v, faults differ (-want +got):\n%s", c.page, c.closed, got.Notes, diff)
		}
	}
}
