package page_test

import (
	"fmt"
	"net/http"
	"testing"

	"github.com/legwork-mcp/legwork/internal/browser"
	"github.com/legwork-mcp/legwork/internal/page"
)

// TestFrameTellsItsPage: what a frame tells its page about an answer has come
// before the button is pressed, and an answer that a frame lost is given again.
func TestFrameTellsItsPage(t *testing.T) {
	files := map[string]string{
		"/": `<!doctype html><title>Form</title><h1>Address</h1><iframe id=home src=/inner></iframe><button id=b type=button>Send</button><script>let told='nothing';
			onmessage=(e)=>{told=e.data};b.onclick=()=>{document.querySelector('h1').textContent='Thank you';home.remove();b.textContent=told}</script>`,
		"/inner": `<!doctype html><input id=f><script>f.oninput=()=>requestAnimationFrame(()=>requestAnimationFrame(()=>parent.postMessage(f.value,'*')))</script>`,
	}
	for _, lost := range []bool{false, true} {
		t.Run(fmt.Sprint("lost ", lost), func(t *testing.T) {
			v := visit(t, pool, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				w.Header().Set("Content-Type", "text/html")
				fmt.Fprint(w, files[r.URL.Path])
			}))
			a := field("#f", page.KindText, "Ames")
			a.Target.Frame = []string{"#home"}
			if got, err := v.Enter(v.ctx, []page.Answer{a}); err != nil || got[0].State != page.StateSet {
				t.Fatalf("%+v, %v", got, err)
			}
			if lost {
				frame, err := v.tab.FrameOf(v.ctx, v.tab.Main(), "() => document.querySelector('#home')", nil)
				if err != nil {
					t.Fatal(err)
				}
				clear := "() => { document.querySelector('#f').value = ''; parent.postMessage('lost', '*') }"
				if err := v.tab.Call(v.ctx, browser.Function{Frame: frame, Source: clear}, nil); err != nil {
					t.Fatal(err)
				}
			}
			step, err := v.Advance(v.ctx, page.Target{Selector: "#b"}, page.Proof{Heading: "Thank you"})
			if err != nil || !step.Moved {
				t.Fatalf("%+v, %v", step, err)
			}
			same(t, "what the page was told", "Ames", v.eval(t, "() => b.textContent"))
		})
	}
}
