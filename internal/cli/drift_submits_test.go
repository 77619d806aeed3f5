package cli

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/legwork-mcp/legwork/internal/browser"
	"github.com/legwork-mcp/legwork/internal/fault"
	"github.com/legwork-mcp/legwork/internal/scout"
)

// TestCheckSubmitsNothing: the button that led on has become one that submits. What
// says so is not pressed, not even by the replay; what does not is pressed once.
func TestCheckSubmitsNothing(t *testing.T) {
	t.Parallel()
	const thanks = `<!doctype html><title>Housing help</title><main><h1>Thank you</h1><p>Your application was received.</p></main>`
	for _, c := range []struct {
		name   string
		change func(*testing.T, *housing)
		sent   int
		says   []string
	}{
		{"its words", func(t *testing.T, h *housing) {
			swap(t, &h.one, `action="/1"`, `action="/2"`, `type="submit">Continue`, `type="submit">Submit application`)
		}, 0, []string{"not replayed: the button of page 1 may really submit", `says "Submit application" now`}},
		{"the page's words", func(t *testing.T, h *housing) {
			swap(t, &h.one, `action="/1"`, `action="/2"`, `Continue</button>`, `Continue</button><p>By selecting Continue you submit your application.</p>`)
		}, 0, []string{"not replayed: the button of page 1 may really submit", "the page says now that its button submits"}},
		{"nothing says it", func(t *testing.T, h *housing) {
			swap(t, &h.one, `action="/1"`, `action="/2"`, `id="county"`, `id="c7"`, `for="county"`, `for="c7"`)
			h.thanks = thanks
		}, 1, []string{`BREAKS  page 1: the button "Continue" led to "Thank you": it may have submitted the example, once; it was not done again`}},
		{"an answer sends it", func(t *testing.T, h *housing) {
			swap(t, &h.one, `action="/1"`, `action="/2"`, `name="county" required`, `name="county" required onchange="this.form.submit()"`, `id="email"`, `id="mail"`, `for="email"`, `for="mail"`)
			h.thanks = thanks
		}, 1, []string{`answering the page led to "Thank you": it may have submitted the example, once; it was not done again`}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			h := &housing{one: pageOne, two: pageTwo}
			c.change(t, h)
			srv := httptest.NewServer(h)
			defer srv.Close()
			s := newShell(t)
			s.keep(t, strings.ReplaceAll(housingWizard, "URL", srv.URL))
			out, _ := s.run(t, fault.ExitFailed, "wizards", "check", "housing", "--repair")
			contains(t, out, c.says...)
			if len(h.sent) != c.sent {
				t.Errorf("the form was submitted %d times, want %d\n%s", len(h.sent), c.sent, out)
			}
			if _, err := os.Stat(filepath.Join(s.dir, ".review", "housing.json")); !os.IsNotExist(err) {
				t.Errorf("a repair that was not replayed can be accepted: %v", err)
			}
		})
	}
}

// TestTrialRunSubmitsNothing: a button that led on when the wizard was made and is
// called by words of the act now is not pressed by a run that promised not to submit.
func TestTrialRunSubmitsNothing(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name   string
		button string
		exit   int
		says   string
	}{
		{"as it was", `Continue`, fault.ExitOK, "nothing was submitted"},
		{"other words that lead on", `Next: your household`, fault.ExitOK, "nothing was submitted"},
		{"words of the act", `Submit application`, fault.ExitFailed, `the button of page 1 says "Submit application", where the wizard knows "Continue"`},
		{"words of the act in another language", `Antrag absenden`, fault.ExitFailed, `says "Antrag absenden"`},
		{"a sentence beside it", `Continue</button><p>By pressing Continue you submit your application.</p><button type="button" hidden>`, fault.ExitFailed, `page 1 says of its button "Continue"`},
		{"a sentence in another language", `Continue</button><p>Mit Klick auf „Continue“ wird Ihr Antrag abgesendet.</p><button type="button" hidden>`, fault.ExitFailed, `page 1 says of its button "Continue"`},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			h := &housing{one: pageOne, two: pageTwo}
			if c.exit != fault.ExitOK {
				swap(t, &h.one, `action="/1"`, `action="/2"`)
			}
			swap(t, &h.one, `type="submit">Continue`, `type="submit">`+c.button)
			srv := httptest.NewServer(h)
			defer srv.Close()
			s := newShell(t)
			s.keep(t, strings.ReplaceAll(housingWizard, "URL", srv.URL))
			data, _ := s.run(t, fault.ExitOK, "wizards", "show", "housing", "--example")
			file := filepath.Join(t.TempDir(), "data.json")
			if err := os.WriteFile(file, []byte(data), 0o600); err != nil {
				t.Fatal(err)
			}
			out, errs := s.run(t, c.exit, "run", "housing", "--data", file, "--dry-run")
			contains(t, out+errs, c.says)
			if len(h.sent) != 0 {
				t.Errorf("the form was submitted %d times", len(h.sent))
			}
		})
	}
}

// TestDiscoverFormThatSendsItself: nothing tells before that an answer is the act.
// It is given once, nothing is replayed, and the person is told.
func TestDiscoverFormThatSendsItself(t *testing.T) {
	t.Parallel()
	const service = `<p><label for="s">Service</label> <select id="s" name="s" onchange="this.form.submit()"><option value="">Choose</option><option>Alpha</option><option>Beta</option></select></p>`
	const name = `<p><label for="n">Full name</label> <input id="n" name="n" required></p>`
	for _, c := range []struct{ name, fields, answer string }{
		{"nothing else", service, "<h1>Thank you</h1>"},
		{"an answer of few words", service, "<h1>12345</h1>"},
		{"after a question", name + service, "<h1>Thank you</h1>"},
		{"beside a button", name + service + `<button>Submit application</button>`, "<h1>Your application was received</h1>"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			var sent atomic.Int32
			srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				w.Header().Set("Content-Type", "text/html; charset=utf-8")
				if r.Method == http.MethodPost {
					sent.Add(1)
					fmt.Fprint(w, `<!doctype html><title>Service</title><main>`+c.answer+`</main>`)
					return
				}
				fmt.Fprint(w, `<!doctype html><title>Service</title><main><h1>Your service</h1><form method="post" action="/final">`+c.fields+`</form></main>`)
			}))
			defer srv.Close()
			out, _ := newShell(t).run(t, fault.ExitFailed, "discover", srv.URL, "--id", "own")
			contains(t, out, `"Your service" sends itself when it is answered`, "may have submitted invented answers, once", "not saved as a wizard")
			if n := sent.Load(); n != 1 {
				t.Errorf("the form was sent %d times\n%s", n, out)
			}
		})
	}
}

// TestStrangersWizard: the texts of a wizard file that somebody else wrote do not
// command the terminal, and a device is no wizard.
func TestStrangersWizard(t *testing.T) {
	t.Parallel()
	s := newShell(t)
	const evil = `\u001b[31m\u009b2J\u202e\u200b\n| evil |`
	raw := strings.NewReplacer("URL", "https://example.org", `"name": "Housing help"`, `"name": "Help`+evil+`"`, `"page_title": "About you"`, `"page_title": "You`+evil+`"`,
		`"label": "Full name"`, `"label": "Name`+evil+`"`, `"example_value": "Alex Sample"`, `"example_value": "Alex`+evil+`"`).Replace(housingWizard)
	s.keep(t, raw)
	if err := os.WriteFile(filepath.Join(s.dir, "wizard-structures", "odd\u202e.json"), []byte("{}"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{
		{"wizards", "list"}, {"wizards", "list", "--json"}, {"wizards", "show", "housing"}, {"wizards", "show", "housing", "--json"}, {"wizards", "show", "housing", "--example"},
		{"wizards", "show", "housing", "--schema"}, {"tool", "call", "federalrunner_list_wizards"}, {"tool", "call", "federalrunner_get_wizard_info", `{"wizard_id":"housing"}`},
	} {
		out, errs := s.run(t, fault.ExitOK, args...)
		unarmed(t, out+errs)
		if strings.Contains(out, "\n| evil |") && args[0] == "wizards" {
			t.Errorf("%v: a name takes several lines:\n%s", args, out)
		}
	}
	_, errs := s.run(t, fault.ExitInvalid, "wizards", "show", "/dev/zero")
	contains(t, errs, "the limit is 5242880")
}

// dying is a browser that has ended the first times that a tab is opened.
type dying struct {
	scout.Opener
	times atomic.Int32
}

func (d *dying) Open(ctx context.Context, o browser.TabOptions) (*browser.Tab, error) {
	if d.times.Add(-1) >= 0 {
		return nil, fault.New(fault.Unavailable, "browser_error", "The browser process ended unexpectedly.", "").WithCause(errors.Join(browser.ErrCrashed))
	}
	return d.Opener.Open(ctx, o)
}

// TestCheckOutlivesTheBrowser: a branch is looked at again when the browser ended
// under it; when that does not help, the check does not say that all is well.
func TestCheckOutlivesTheBrowser(t *testing.T) {
	t.Parallel()
	k := openKit(t)
	for times, broken := range map[int32]bool{1: false, 2: true} {
		_, e := serveHousing(t, nil)
		c := k.checker(e, nil)
		d := &dying{Opener: c.Browser}
		d.times.Store(times)
		c.Browser = d
		drift, err := c.Check(t.Context(), e, false)
		if err != nil {
			t.Fatal(err)
		}
		if drift.Broken != broken || (drift.Pages == 2) == broken {
			t.Errorf("the browser ended %d times: broken %v, %d pages seen, %q", times, drift.Broken, drift.Pages, drift.Unreached)
		}
	}
}

// TestRepairThatCannotBeKept: what the machine does not let be written is told as
// that, and the wizard stays.
func TestRepairThatCannotBeKept(t *testing.T) {
	t.Parallel()
	h := &housing{one: pageOne, two: pageTwo}
	swap(t, &h.one, `id="county"`, `id="c7"`, `for="county"`, `for="c7"`)
	srv := httptest.NewServer(h)
	defer srv.Close()
	s := newShell(t)
	s.keep(t, strings.ReplaceAll(housingWizard, "URL", srv.URL))
	review := filepath.Join(s.dir, ".review")
	if err := os.WriteFile(review, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	out, errs := s.run(t, fault.ExitFailed, "wizards", "check", "housing", "--repair")
	contains(t, errs, "It could not be written: ")
	contains(t, out, "FAIL housing")
	if err := os.Remove(review); err != nil {
		t.Fatal(err)
	}
	s.run(t, fault.ExitFailed, "wizards", "check", "housing", "--repair")
	if err := os.WriteFile(filepath.Join(s.dir, ".history"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	_, errs = s.run(t, fault.ExitUnavailable, "wizards", "accept", "housing")
	contains(t, errs, "It could not be written: ", "wizards_dir")
	if out, _ := s.run(t, fault.ExitOK, "wizards", "show", "housing", "--json"); strings.Contains(out, "#c7") {
		t.Error("the repair runs although its version could not be kept")
	}
	if _, err := os.Stat(filepath.Join(review, "housing.json")); err != nil {
		t.Errorf("the repair is lost: %v", err)
	}
}

// TestCheckTellsOfAnotherOrigin: a form that is served from elsewhere still works, and
// is told; where a wizard keeps no address of its pages there is nothing to compare.
func TestCheckTellsOfAnotherOrigin(t *testing.T) {
	t.Parallel()
	elsewhere := httptest.NewServer(&housing{one: pageOne, two: pageTwo})
	defer elsewhere.Close()
	moved := httptest.NewServer(http.RedirectHandler(elsewhere.URL+"/", http.StatusFound))
	defer moved.Close()
	told := "the page is at \"" + elsewhere.URL + "\" now, not at \"" + moved.URL + "\""
	s := newShell(t)
	s.keep(t, strings.ReplaceAll(housingWizard, "URL", moved.URL))
	out, _ := s.run(t, fault.ExitFailed, "wizards", "check", "housing")
	contains(t, out, "page 1: "+told, "page 2: "+told)
	s.keep(t, strings.ReplaceAll(strings.NewReplacer(`"url_pattern": "URL/", `, "", `"url_pattern": "URL/home", `, "").Replace(housingWizard), "URL", moved.URL))
	if out, _ := s.run(t, fault.ExitOK, "wizards", "check", "housing"); strings.Contains(out, "is at") {
		t.Errorf("a page whose address is not known is said to have moved:\n%s", out)
	}
}
