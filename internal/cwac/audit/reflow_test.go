//go:build linux

package audit_test

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/legwork-mcp/legwork/internal/browser"
	"github.com/legwork-mcp/legwork/internal/cwac/audit"
)

func TestReflow(t *testing.T) {
	t.Parallel()
	address := site(t, map[string]string{
		"/fits":     document(`<p>short</p>`),
		"/box":      document(`<div style="width:400px"><p>in it</p></div>`),
		"/word":     document(`<p style="width:200px">` + fmt.Sprintf("%0500d", 0) + `</p>`),
		"/scroller": document(`<div style="overflow-x:auto"><table style="width:900px"><tr><th>a<td>b</table></div><pre style="overflow:auto">` + fmt.Sprintf("%0500d", 0) + `</pre>`),
		"/table":    document(`<table style="width:900px"><tr><th>a<td>b</table>`),
		"/layout":   document(`<table style="width:900px"><tr><td>a<td>b</table>`),
		"/image":    document(`<img alt=map src="data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7" style="width:700px;height:20px">`),
		"/fixed":    document(`<div style="position:fixed;left:0;width:900px">x</div>`),
		"/shadow":   document(`<x-y></x-y><script>customElements.define('x-y',class extends HTMLElement{connectedCallback(){this.attachShadow({mode:'open'}).innerHTML='<p style="width:600px">x</p>'}})</script>`),
		"/body":     `<!doctype html><html lang=en><title>t</title><body style="min-width:960px;margin:0"><p>x</p>`,
		"/margin":   document(`<p><button style="width:100%;margin:0 24px 0 0">go</button></p>`), // an element that fits
		"/smooth":   document(`<style>html{scroll-behavior:smooth}</style><div style="width:700px">x</div>`),
	})
	tab := open(t, pool(browser.EngineHeadlessShell))
	if err := tab.Resize(patience(t), browser.Size{Width: 320, Height: 450}); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		page             string
		overflow, capped int
		culprits         []string
	}{
		{"/fits", 0, 0, nil},
		{"/box", 88, 88, []string{"div true 88"}}, // 8 pixels of margin and 400
		{"/word", 0, 100, []string{"p true 0"}},
		{"/scroller", 0, 0, nil},
		{"/table", 588, 100, []string{"table false 588"}},
		{"/layout", 588, 100, []string{"table true 588"}},
		{"/image", 388, 100, []string{"img false 388"}},
		{"/fixed", 0, 0, nil},
		{"/shadow", 288, 100, []string{"x-y >>> p true 288"}},
		{"/body", 640, 100, []string{"body true 640"}},
		{"/margin", 16, 16, []string{"button true 16"}}, // 8 of the body's margin are left
		{"/smooth", 388, 100, []string{"div true 388"}},
	} {
		t.Run(c.page, func(t *testing.T) {
			got, err := load(t, tab, address+c.page).Reflow(patience(t))
			if err != nil {
				t.Fatal(err)
			}
			var culprits []string
			for _, f := range got.Culprits {
				by := f.Data["beyond_px"]
				if c.page == "/word" { // as wide as the font draws it
					by, got.Overflow = 0, 0
				}
				last := f.Selector
				for i := len(last) - 1; i >= 0; i-- {
					if last[i:min(i+3, len(last))] == " > " {
						last = last[i+3:]
						break
					}
				}
				culprits = append(culprits, fmt.Sprint(last, " ", !f.Review, " ", by))
				if f.Box == nil || f.Summary == "" || f.HelpURL == "" || f.Rule != "reflow" || f.View.URL != address+c.page {
					t.Errorf("incomplete: %+v", f)
				}
			}
			if diff := cmp.Diff(c.culprits, culprits); diff != "" || got.Overflow != c.overflow || got.Capped != c.capped {
				t.Errorf("overflow %d, capped %d (-want +got):\n%s", got.Overflow, got.Capped, diff)
			}
		})
	}
}

// The planted page overflows by what its box needs, at both sizes of the window that
// 320 can mean.
func TestReflowOfThePlantedPage(t *testing.T) {
	t.Parallel()
	address := plantedSite(t)
	onEach(t, func(t *testing.T, p *browser.Pool) {
		tab := open(t, p)
		for _, c := range []struct {
			nominal bool
			page    string
			want    int
		}{{false, "overflow", 511}, {true, "overflow", 496}, {false, "index", 0}, {true, "about", 0}} {
			if err := tab.Resize(patience(t), audit.Inner(small, c.nominal)); err != nil {
				t.Fatal(err)
			}
			got, err := load(t, tab, address+"/"+c.page+".html").Reflow(patience(t))
			if err != nil || got.Overflow != c.want || (c.want > 0) != (len(got.Culprits) == 1) {
				t.Errorf("%s, nominal %v: %+v, %v", c.page, c.nominal, got, err)
			}
		}
	})
}
