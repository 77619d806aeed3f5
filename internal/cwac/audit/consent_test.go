//go:build linux

package audit_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/legwork-mcp/legwork/internal/browser"
	"github.com/legwork-mcp/legwork/internal/cwac/audit"
)

func TestConsent(t *testing.T) {
	t.Parallel()
	bar := func(buttons string) string {
		return `<div id=bar style="position:fixed;bottom:0;left:0;right:0;height:90px;background:#eee"><p>We use cookies to improve this site.</p>` + buttons + `</div>
			<script>for(const b of bar.querySelectorAll('button,a'))b.addEventListener('click',e=>{e.preventDefault();bar.remove();document.body.dataset.pressed=b.textContent+e.isTrusted})</script>`
	}
	address := site(t, map[string]string{
		"/reject":   document(bar(`<button>Accept all</button><button>Settings</button><button>Reject all</button>`)),
		"/german":   document(bar(`<button>Alle akzeptieren</button><button>Nur notwendige Cookies</button>`)),
		"/close":    document(bar(`<button>Accept cookies</button><button aria-label="Close">×</button>`)),
		"/only-yes": document(bar(`<button>OK</button><a href="/policy">Cookie policy</a>`)),
		"/none":     document(`<p>This page is about cookies and consent. <button>Reject the proposal</button></p>`),
		"/dialog":   document(`<dialog id=bar aria-label=Privacy><p>We value your privacy and use tracking.</p><button>Decline</button></dialog><script>bar.showModal();bar.querySelector('button').onclick=()=>setTimeout(()=>bar.close(),100)</script>`),
		"/stays":    document(`<div class=cookie-banner style="position:fixed;top:0;height:90px">We use cookies <button>Reject</button></div>`),
		"/framed":   document(`<iframe title=f src=/cmp style="position:fixed;bottom:0;left:0;width:400px;height:120px"></iframe><script>onmessage=()=>document.querySelector('iframe').remove()</script>`),
		"/cmp":      `<!doctype html><title>c</title><div role=dialog>We use cookies <button onclick="parent.postMessage(1,'*')">Continue without accepting</button></div>`,
		"/shadow":   document(`<x-y></x-y><script>customElements.define('x-y',class extends HTMLElement{connectedCallback(){const s=this.attachShadow({mode:'open'});s.innerHTML='<div role=dialog>Your consent, please <button>Refuse</button></div>';s.querySelector('button').onclick=()=>this.remove()}})</script>`),
	})
	onEach(t, func(t *testing.T, p *browser.Pool) {
		tab := open(t, p)
		for _, c := range []struct {
			page string
			want audit.Consent
		}{
			{"/reject", audit.Consent{Found: true, Action: "rejected", Button: "Reject all", Gone: true}},
			{"/german", audit.Consent{Found: true, Action: "rejected", Button: "Nur notwendige Cookies", Gone: true}},
			{"/close", audit.Consent{Found: true, Action: "closed", Button: "Close", Gone: true}},
			{"/only-yes", audit.Consent{Found: true}},
			{"/none", audit.Consent{}},
			{"/dialog", audit.Consent{Found: true, Action: "rejected", Button: "Decline", Gone: true}},
			{"/stays", audit.Consent{Found: true, Action: "rejected", Button: "Reject"}},
			{"/framed", audit.Consent{Found: true, Action: "rejected", Button: "Continue without accepting", Gone: true, Frame: address + "/cmp"}},
			{"/shadow", audit.Consent{Found: true, Action: "rejected", Button: "Refuse", Gone: true}},
		} {
			t.Run(c.page, func(t *testing.T) {
				page := load(t, tab, address+c.page)
				seen, err := page.FindConsent(patience(t))
				if err != nil || seen.Found != c.want.Found || seen.Action != c.want.Action || seen.Gone {
					t.Errorf("looking finds %+v, %v", seen, err)
				}
				got, err := page.DismissConsent(patience(t))
				if err != nil {
					t.Fatal(err)
				}
				if diff := cmp.Diff(c.want, got, cmpopts.IgnoreFields(audit.Consent{}, "Text", "Selector")); diff != "" {
					t.Error("the outcome differs (-want +got):", diff)
				}
				if got.Found && (got.Selector == "" || !strings.ContainsAny(got.Text, "cy")) {
					t.Errorf("it does not say what it found: %+v", got)
				}
			})
		}
	})
}
