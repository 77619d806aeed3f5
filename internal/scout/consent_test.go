package scout

import (
	"net/http"
	"testing"

	"github.com/legwork-mcp/legwork/internal/browser"
)

// TestConsent: a box that the form insists on must be true for everybody; one that
// it does not is left to them.
func TestConsent(t *testing.T) {
	s := newBench(t, Settings{})
	s.serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		_, _ = w.Write([]byte(`<!doctype html><title>T</title><h1>Last step</h1><form action=/done><label>Name <input name=n required></label>
			<label><input type=checkbox name=ok required> I agree</label><label><input type=checkbox name=news> Send me news</label><button>Submit</button></form>`))
	}))
	d, err := Discoverer{Browser: s.pool, Width: 1280, Height: 1024, Policy: func(string) (browser.Policy, error) {
		return browser.Policy{Hosts: s.hosts, OnlyOrigins: []string{"http://practice.localhost"}}, nil
	}}.Discover(t.Context(), Request{URL: "http://practice.localhost/"})
	if err != nil {
		t.Fatal(err)
	}
	if f := d.Wizard.Field("i_agree"); f == nil || !f.MustBeTrue || !f.Required {
		t.Errorf("the consent: %+v", f)
	}
	if f := d.Wizard.Field("send_me_news"); f == nil || f.MustBeTrue || f.Required {
		t.Errorf("the news: %+v", f)
	}
}
