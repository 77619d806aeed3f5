package scout

import (
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/legwork-mcp/legwork/internal/browser"
	"github.com/legwork-mcp/legwork/internal/page"
)

// explorerOf is an explorer of the bench's site.
func explorerOf(s *bench, plan Request) *Explorer {
	plan.URL = "http://practice.localhost/"
	return newExplorer(plan, func(ctx context.Context) (*browser.Tab, error) {
		return s.pool.Open(ctx, browser.TabOptions{
			Policy: browser.Policy{Hosts: s.hosts, OnlyOrigins: []string{"http://practice.localhost"}}, Width: 1280, Height: 1024, InitScripts: page.InitScripts(),
		})
	}, slog.New(slog.DiscardHandler))
}

// html answers with a document.
func html(w http.ResponseWriter, body string) {
	w.Header().Set("Content-Type", "text/html")
	fmt.Fprint(w, "<!doctype html><title>T</title>"+body)
}

// TestBudget: a form that goes on for ever ends with what an exploration may cost,
// whichever part of it the form wears out, and what was seen is kept.
func TestBudget(t *testing.T) {
	for name, c := range map[string]struct {
		may  budget
		says string
		most int64 // documents that the site was asked for
	}{
		"loads":   {budget{loads: 6, steps: 100, answers: 1000, opened: 100}, "loaded 6 pages", 7},
		"steps":   {budget{loads: 100, steps: 4, answers: 1000, opened: 100}, "more than 4 different steps", 6},
		"answers": {budget{loads: 100, steps: 100, answers: 3, opened: 100}, "given 3 answers", 6},
	} {
		t.Run(name, func(t *testing.T) {
			s := newBench(t, Settings{})
			var served atomic.Int64
			s.serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				if strings.Contains(r.URL.Path, "favicon") {
					http.NotFound(w, r)
					return
				}
				n := served.Add(1)
				html(w, fmt.Sprintf(`<h1>Step %d</h1><form method=post action=/step%d><label for=q%d>Question %d</label> <input id=q%d name=q%d required><button>Continue</button></form>`, n, n, n, n, n, n))
			}))
			x := explorerOf(s, Request{AllowSubmit: true}).allow(c.may)
			if err := x.exploreInTime(t.Context()); err != nil {
				t.Fatal(err)
			}
			if got := served.Load(); got > c.most {
				t.Errorf("the site was asked for %d documents, at most %d may be", got, c.most)
			}
			if said := strings.Join(x.remarks, "\n"); !strings.Contains(said, c.says) {
				t.Errorf("it does not say %q: %q", c.says, said)
			}
			if len(x.graph.nodes) == 0 || len(x.graph.nodes[0].controls) != 1 {
				t.Errorf("what was seen is lost: %d steps", len(x.graph.nodes))
			}
		})
	}
}

// TestTimeOfAnExploration: the deadline ends an exploration, not the wizard that it
// has found so far.
func TestTimeOfAnExploration(t *testing.T) {
	s := newBench(t, Settings{})
	s.serve(t, manyFields(3))
	x := explorerOf(s, Request{AllowSubmit: true})
	ctx, cancel := context.WithTimeout(t.Context(), time.Hour)
	defer cancel()
	part, cancel := exploring(ctx, time.Now())
	defer cancel()
	if all, mine := deadlineOf(t, ctx), deadlineOf(t, part); !mine.Before(all.Add(-14*time.Minute)) || mine.Before(all.Add(-16*time.Minute)) {
		t.Errorf("the exploration ends %v before the whole", all.Sub(mine))
	}
	if x.spent(part) {
		t.Error("it is over before it began")
	}
	x.clock = func() time.Time { return deadlineOf(t, part).Add(-lastMoments / 2) }
	if !x.spent(part) || !strings.Contains(x.remarks[0], "its time is over") {
		t.Errorf("its time is not over: %q", x.remarks)
	}
}

func deadlineOf(t *testing.T, ctx context.Context) time.Time {
	t.Helper()
	d, ok := ctx.Deadline()
	if !ok {
		t.Fatal("there is no deadline")
	}
	return d
}

// TestListsThatAreOpened: a page with more lists than anybody opens has only some of
// them opened.
func TestListsThatAreOpened(t *testing.T) {
	s := newBench(t, Settings{})
	var opened atomic.Int64
	s.serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasPrefix(r.URL.Path, "/options/") {
			opened.Add(1)
			fmt.Fprint(w, "Red,Green")
			return
		}
		var b strings.Builder
		b.WriteString(`<h1>Colours</h1><form>`)
		for i := range 12 {
			fmt.Fprintf(&b, `<p><span id=l%d>Colour %d</span> <button type=button role=combobox aria-haspopup=listbox aria-expanded=false aria-labelledby=l%d aria-controls=p%d id=c%d>Choose</button></p><ul role=listbox id=p%d hidden></ul>`, i, i, i, i, i, i)
		}
		b.WriteString(`<button>Submit</button></form><script>for (const c of document.querySelectorAll('[role=combobox]')) c.onclick = async () => {
			const list = document.getElementById(c.getAttribute('aria-controls'));
			if (!list.hidden) { list.hidden = true; c.setAttribute('aria-expanded', 'false'); return; }
			const words = (await (await fetch('/options/' + c.id)).text()).split(',');
			list.innerHTML = words.map((x) => '<li role=option>' + x + '</li>').join(''); list.hidden = false; c.setAttribute('aria-expanded', 'true'); };</script>`)
		html(w, b.String())
	}))
	x := explorerOf(s, Request{}).allow(budget{loads: 3, steps: 10, answers: 100, opened: 3})
	tab, err := x.open(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer tab.Close(context.WithoutCancel(t.Context()))
	w := &walker{Explorer: x, tab: tab, page: page.Open(t.Context(), tab), pass: &pass{}}
	if _, err := w.page.Goto(t.Context(), x.plan.URL); err != nil {
		t.Fatal(err)
	}
	for range 3 { // looks at the same page open nothing more
		if err := w.look(t.Context()); err != nil {
			t.Fatal(err)
		}
		w.late(t.Context())
	}
	if n := opened.Load(); n == 0 || n > 6 { // a list may be opened by script and by a click
		t.Errorf("%d lists were asked for", n)
	}
	if said := strings.Join(x.remarks, "\n"); !strings.Contains(said, "not every list was opened") {
		t.Errorf("it does not say so: %q", said)
	}
}
