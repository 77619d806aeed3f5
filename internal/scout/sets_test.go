package scout

import (
	"encoding/json"
	"net/http"
	"testing"

	"github.com/legwork-mcp/legwork/internal/browser"
)

// TestAnyBoxOfASet: a form that wants any of several boxes demands none of them in
// particular, and data without any is refused.
func TestAnyBoxOfASet(t *testing.T) {
	s := newBench(t, Settings{})
	s.serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		said := ""
		if r.Method == http.MethodPost {
			if r.FormValue("zone") != "" && r.FormValue("sure") != "" {
				html(w, "<h1>Thank you</h1>")
				return
			}
			said = "<div role=alert>"
			if r.FormValue("zone") == "" {
				said += "<p><a href=#zones>Select at least one zone</a></p>"
			}
			if r.FormValue("sure") == "" {
				said += "<p><a href=#sure>Confirm that you are sure</a></p>"
			}
			said += "</div>"
		}
		html(w, "<h1>Zones</h1>"+said+`<form method=post><fieldset id=zones><legend>Zones</legend><label><input type=checkbox name=zone value=a> Centre</label>
			<label><input type=checkbox name=zone value=b> North</label> <label><input type=checkbox name=zone value=c> Harbour</label></fieldset>
			<label><input type=checkbox id=sure name=sure value=1> I am sure</label> <button>Send</button></form>`)
	}))
	d, err := Discoverer{Browser: s.pool, Width: 1280, Height: 1024, Prover: content{}, Policy: func(string) (browser.Policy, error) {
		return browser.Policy{Hosts: s.hosts, OnlyOrigins: []string{"http://practice.localhost"}}, nil
	}}.Discover(t.Context(), Request{URL: "http://practice.localhost/", AllowSubmit: true})
	if err != nil {
		t.Fatal(err)
	}
	for data, want := range map[string]bool{
		`{"centre":true,"i_am_sure":true}`: true, `{"harbour":true,"i_am_sure":true}`: true, `{"centre":false,"north":true,"i_am_sure":true}`: true, `{"centre":true,"north":true,"i_am_sure":true}`: true,
		`{"i_am_sure":true}`: false, `{"centre":false,"i_am_sure":true}`: false, `{"centre":true}`: false,
	} {
		if got := d.Contract.Validate(json.RawMessage(data)).Valid; got != want {
			t.Errorf("%s is valid: %v, want %v", data, got, want)
		}
	}
	if got := d.Contract.Example(); got["centre"] != true {
		t.Errorf("the example ticks no box: %v", got)
	}
}
