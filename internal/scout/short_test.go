package scout

import (
	"context"
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"github.com/legwork-mcp/legwork/internal/browser"
	"github.com/legwork-mcp/legwork/internal/wizard"
)

// content is a prover to whom every replay holds, as one does that stops before
// the last button of a draft.
type content struct{}

func (content) Prove(context.Context, *wizard.Wizard, json.RawMessage, bool) (Proof, error) {
	return Proof{OK: true}, nil
}

// TestPatternOfItsOwn: a form of two pages whose first asks for a number in a form
// that no usual example has is gone through to its end; one that takes no answer
// that could be thought of is not called proven, although its replays hold.
func TestPatternOfItsOwn(t *testing.T) {
	for name, tt := range map[string]struct {
		pattern string
		proven  bool
	}{
		"digits":          {"[0-9]{15}", true},
		"letters too":     {"[A-Z]{3}-\\d{7}", true},
		"nothing fits it": {"x$y", false},
	} {
		t.Run(name, func(t *testing.T) {
			s := newBench(t, Settings{})
			s.serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				w.Header().Set("Content-Type", "text/html")
				html := `<h1>Your dog</h1><form action=/owner><label>Microchip number <input name=chip required pattern="` + tt.pattern + `"></label><button>Continue</button></form>`
				if r.URL.Path == "/owner" {
					html = `<h1>About you</h1><form action=/done><label>Full name <input name=n required></label><button>Submit application</button></form>`
				}
				_, _ = w.Write([]byte(`<!doctype html><title>T</title>` + html))
			}))
			d, err := Discoverer{Browser: s.pool, Prover: content{}, Width: 1280, Height: 1024, Policy: func(string) (browser.Policy, error) {
				return browser.Policy{Hosts: s.hosts, OnlyOrigins: []string{"http://practice.localhost"}}, nil
			}}.Discover(t.Context(), Request{URL: "http://practice.localhost/"})
			if err != nil {
				t.Fatal(err)
			}
			said := strings.Join(d.Remarks, "\n")
			if d.Proven != tt.proven || (len(d.Wizard.Pages) == 2) != tt.proven || strings.Contains(said, "No way led to the end of the form: no example is known for Microchip number") == tt.proven {
				t.Errorf("proven: %v, pages: %d, said: %s", d.Proven, len(d.Wizard.Pages), said)
			}
		})
	}
}
