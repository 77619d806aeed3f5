package page_test

import (
	"bytes"
	"fmt"
	"image"
	"net/http"
	"testing"

	"github.com/legwork-mcp/legwork/internal/browser"
	"github.com/legwork-mcp/legwork/internal/page"
)

// darkIn counts the dark pixels of a row of the picture, 40 pixels high.
func darkIn(t *testing.T, s page.Image, row int) int {
	t.Helper()
	img, _, err := image.Decode(bytes.NewReader(s.Data))
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for y := row * 40; y < (row+1)*40; y++ {
		for x := range 600 {
			if r, g, b, _ := img.At(x, y).RGBA(); r+g+b < 3*0x4000 {
				n++
			}
		}
	}
	return n
}

// TestPrivateTexts: a private value is unreadable wherever a page repeats it,
// whatever stands around it stays readable, and the page is as it was afterwards.
func TestPrivateTexts(t *testing.T) {
	rows := []struct {
		name, html string
		hidden     bool
	}{
		{"the value", `<div>123-45-6789</div>`, true},
		{"without its dashes", `<div>123456789</div>`, true},
		{"with other dashes and spaces", "<div>123\u2013 45 \u20136789</div>", true},
		{"in several elements", `<div><b>123</b>-<i>45</i>-<span>6789</span></div>`, true},
		{"in boxes of their own", `<div style="display:flex"><p>123</p><p>45</p><p>6789</p></div>`, true},
		{"in another case", `<div>EXAMPLE STREET</div>`, true},
		{"in an input", `<input value="123 45 6789" style="border:0;font:inherit">`, true},
		{"in an open shadow root", `<div id=host></div>`, true},
		{"in a frame", `<iframe style="border:0;height:40px;width:500px" src="/inner"></iframe>`, true},
		{"in a frame of another site", `<iframe style="border:0;height:40px;width:500px" src="PARTNER"></iframe>`, true},
		{"in a colour that insists", `<div style="color:black!important;-webkit-text-fill-color:black!important">123-45-6789</div>`, true},
		{"in a drawing", `<svg width=500 height=40><text y=30 font-size=30>123-45-6789</text></svg>`, true},
		{"another number", `<div>123-45-6780</div>`, false},
		{"a short value", `<div>abc</div>`, false},
		{"pieces of a value of few letters in several blocks", `<div style="display:flex"><p>98</p><p>76</p></div>`, false},
	}
	var body, partner string
	for _, r := range rows {
		body += `<section>` + r.html + `</section>`
	}
	mux := http.NewServeMux()
	serve := func(path string, html *string) {
		mux.HandleFunc("GET "+path, func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "text/html; charset=utf-8")
			fmt.Fprint(w, `<!doctype html><style>*{margin:0;padding:0} body{font:30px/40px sans-serif;color:#000;background:#fff} section{height:40px;overflow:hidden}</style>`, *html)
		})
	}
	inner := "My number: 123-45-6789"
	serve("/{$}", &body)
	serve("/inner", &inner)
	partner = "http://localhost:" + port(httptestServer(t, mux)) + "/inner"
	body = string(bytes.ReplaceAll([]byte(body), []byte("PARTNER"), []byte(partner))) +
		`<script>document.getElementById("host").attachShadow({mode: "open"}).innerHTML = "<p style='margin:0'>123-45-6789</p>"</script>`
	for _, engine := range []string{browser.EngineHeadlessShell, browser.EngineChromium} {
		t.Run(engine, func(t *testing.T) {
			from := pool
			if engine == browser.EngineChromium {
				from = browser.NewPool(browser.Options{Engine: engine})
				t.Cleanup(func() { closePool(t, from) })
			}
			v := visit(t, from, mux)
			if err := v.Settle(v.ctx); err != nil {
				t.Fatal(err)
			}
			const state = `() => document.documentElement.outerHTML + document.adoptedStyleSheets.length + document.querySelector("#host").shadowRoot.innerHTML +
				document.querySelector("#host").shadowRoot.adoptedStyleSheets.length + CSS.highlights.size`
			before := v.eval(t, state)
			plain := v.picture(t)
			hidden := v.picture(t, "123-45-6789", "Example  street", "abc", "9876")
			same(t, "the page afterwards", before, v.eval(t, state))
			after := v.picture(t)
			for i, r := range rows {
				if darkIn(t, plain, i) == 0 || darkIn(t, after, i) == 0 {
					t.Errorf("%s: the text is not in the plain pictures", r.name)
				}
				if n := darkIn(t, hidden, i); (n == 0) != r.hidden && (r.name != "in a frame of another site" && r.name != "in a frame") {
					t.Errorf("%s: %d dark pixels are in the picture", r.name, n)
				}
			}
			for _, i := range []int{8, 9} { // in the frames words stand before the value
				if n, of := darkIn(t, hidden, i), darkIn(t, plain, i); n == 0 || n > of*2/3 {
					t.Errorf("%s: %d of %d dark pixels are in the picture", rows[i].name, n, of)
				}
			}
		})
	}
}

// picture is the first tile of the page.
func (v *view) picture(t *testing.T, private ...string) page.Image {
	t.Helper()
	shots, err := v.Shots(v.ctx, page.ShotOptions{Quality: 90, Private: private})
	if err != nil {
		t.Fatal(err)
	}
	return shots[0]
}
