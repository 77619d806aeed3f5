package page_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/legwork-mcp/legwork/internal/page"
)

// slowSite is a form whose POST is answered when answer is closed.
func slowSite(answer <-chan struct{}) http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /{$}", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprint(w, `<!doctype html><h1>Question</h1><form method=post><input id=f name=f><button id=go>Go</button></form>
			<button id=spin onclick="setTimeout(() => { for (;;); }, 50)">Spin</button>
			<button id=stick onclick="for (;;);">Stick</button>`)
	})
	mux.HandleFunc("POST /{$}", func(w http.ResponseWriter, r *http.Request) {
		_ = r.ParseForm() // a server learns that the client went away only after it has read all
		select {
		case <-answer:
		case <-r.Context().Done():
		}
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprint(w, `<!doctype html><h1>Thank you</h1>`)
	})
	return mux
}

// TestSlowAnswer: a form whose server takes longer to answer than a page may
// spin is waited for, and its page is not taken for one that spins.
func TestSlowAnswer(t *testing.T) {
	const limit = time.Second
	proof := page.Proof{Fields: []page.Target{{Selector: "#f"}}}
	answer := make(chan struct{})
	v := visit(t, pool, slowSite(answer))
	page.SetUnresponsive(v.Page, limit)
	slow := time.AfterFunc(3*limit, func() { close(answer) })
	defer slow.Stop()
	step, err := v.Advance(v.ctx, page.Target{Selector: "#go"}, proof)
	if err != nil || !step.Moved || step.Place.Heading != "Thank you" {
		t.Errorf("%+v, %v", step, err)
	}

	v = visit(t, pool, slowSite(nil))
	page.SetUnresponsive(v.Page, limit)
	v.NavigationTimeout = 2 * limit
	if _, err := v.Advance(v.ctx, page.Target{Selector: "#go"}, proof); faultType(err) != "timeout" || !strings.Contains(err.Error(), "site has not answered") {
		t.Errorf("a server that never answers gives %v", err)
	}
}

// TestSpinningPage is given up, whether it spins after the press or in it, and
// so is what is asked of it then.
func TestSpinningPage(t *testing.T) {
	for _, button := range []string{"#spin", "#stick"} {
		v := visit(t, pool, slowSite(nil))
		page.SetUnresponsive(v.Page, 2*time.Second)
		_, pressed := v.Advance(v.ctx, page.Target{Selector: button}, page.Proof{})
		_, seen := v.Shots(v.ctx, page.ShotOptions{})
		for _, err := range []error{pressed, seen} {
			if faultType(err) != "timeout" || !strings.Contains(err.Error(), "keep it busy") {
				t.Errorf("a page that spins by %s gives %v", button, err)
			}
		}
	}
}
