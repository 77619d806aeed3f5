package cli_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/legwork-mcp/legwork/internal/fault"
	"github.com/legwork-mcp/legwork/internal/runner"
)

// smallForm is a site of one page with what a test puts beside its field, and an
// answer. It counts what is sent to it.
type smallForm struct {
	addr string
	sent atomic.Int32
}

func startSmallForm(t *testing.T, beside, answer string) *smallForm {
	t.Helper()
	s := &smallForm{}
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		switch {
		case r.Method == http.MethodPost && answer == "file":
			w.Header().Set("Content-Type", "application/octet-stream")
			w.Header().Set("Content-Disposition", `attachment; filename="answer.bin"`)
			fallthrough
		case r.Method == http.MethodPost:
			s.sent.Add(1)
			if answer == failing {
				w.WriteHeader(http.StatusInternalServerError)
			}
			fmt.Fprint(w, answer)
		default:
			fmt.Fprintf(w, `<!doctype html><title>Small form</title><h1>Slow form</h1><form method="post"><label for="n">Name</label><input id="n" name="n">%s</form>`, beside)
		}
	}))
	t.Cleanup(srv.Close)
	s.addr = srv.Listener.Addr().String()
	return s
}

func (s *smallForm) env(t *testing.T) []string {
	return []string{"FEDERALRUNNER_WIZARDS_DIR=" + folderOf(t, "small-form", "http://"+s.addr+"/", nil), "LEGWORK_ALLOW_PRIVATE=1"}
}

// failing is an answer page that comes with a status of 500.
const failing = "<h1>Done</h1><dl><dt>Result</dt><dd>5</dd></dl><p>With a failure."

const pressable = `<button id="go">Continue</button>`

// TestWhyAFormWasNotSent: the text of the answer tells why the form did not go on, and
// says that it may have been submitted only when something was sent.
func TestWhyAFormWasNotSent(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, beside, answer, value string
		typ                         string
		sent                        int32
		says, not                   []string
	}{
		{"a message box", `<button id="go" type="button" onclick="alert('Please give your family name too')">Continue</button>`, "", "Ada", runner.TypeRejected, 0,
			[]string{"Please give your family name too"}, []string{"may have been submitted"}},
		{"a question that is answered", `<button id="go" type="button" onclick="confirm('Are you sure?')">Continue</button>`, "", "Ada", runner.TypeNotAdvanced, 0,
			[]string{"Are you sure?"}, nil},
		{"a closed button", `<button id="go" disabled>Continue</button>`, "", "Ada", runner.TypeNotAdvanced, 0,
			[]string{"could not be pressed", "disabled"}, []string{"may have been submitted"}},
		{"a form that sends itself", pressable + `<script>n.onchange = () => n.form.submit()</script>`, "<h1>Thanks</h1>", "Ada", runner.TypeSelector, 1,
			[]string{"went on by itself", "may have been submitted"}, nil},
		{"a page that comes again by itself", pressable + `<script>n.onchange = () => { if (!sessionStorage.again) { sessionStorage.again = 1; location.reload() } }; document.querySelector('#go').disabled = true</script>`, "", "Ada", runner.TypeNotAdvanced, 0,
			[]string{"could not be pressed"}, []string{"may have been submitted"}},
		{"sent by a script that empties the field", `<button id="go" type="button" onclick="fetch('/', { method: 'POST' }).then(() => { n.value = '' })">Continue</button>`, "", "Ada", runner.TypeNotAdvanced, 1,
			[]string{"may have been submitted"}, nil},
		{"an answer with the status of a failure", pressable, failing, "Ada", runner.TypeNoResult, 1, []string{"may have been submitted"}, nil},
		{"a file", pressable, "file", "Ada", runner.TypeNotAdvanced, 1, []string{"download", "may have been submitted"}, nil},
		{"a line break", pressable, "<h1>Done</h1>", "Ada\nLovelace", runner.TypeMismatch, 0, []string{"one line"}, nil},
		{"half a character", pressable, "<h1>Done</h1>", `\ud83d`, "invalid_user_data", 0, []string{"/name", "whole characters"}, nil},
		{"too many errors", `<button id="go" type="button" onclick="for (let i = 0; i < 300; i++) { const p = document.createElement('p'); p.className = 'error-message'; p.textContent = 'Wrong: ' + i; this.after(p) }">Continue</button>`,
			"", "Ada", runner.TypeRejected, 0, []string{"more errors than these: the first 50 are listed"}, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			site := startSmallForm(t, c.beside, c.answer)
			client := overStdio(t, site.env(t)...)
			value, err := json.Marshal(c.value)
			if err != nil {
				t.Fatal(err)
			}
			if strings.HasPrefix(c.value, `\u`) {
				value = []byte(`"` + c.value + `"`)
			}
			res := call(t, client, "federalrunner_execute_wizard", `{"wizard_id":"small-form","user_data":{"name":`+string(value)+`}}`)
			said, a := text(res), runner.Answer{}
			if err := decode(res, &a); err != nil || a.ErrorType != c.typ {
				t.Errorf("%q, want %q (%v)", a.ErrorType, c.typ, err)
			}
			for _, want := range c.says {
				if !strings.Contains(said, want) {
					t.Errorf("the text lacks %q:\n%.2000s", want, said)
				}
			}
			for _, bad := range c.not {
				if strings.Contains(said, bad) {
					t.Errorf("the text says %q:\n%.2000s", bad, said)
				}
			}
			if n := site.sent.Load(); n != c.sent {
				t.Errorf("%d forms were sent, want %d", n, c.sent)
			}
			if len(a.ValidationErrors) > 50 {
				t.Errorf("%d errors in one answer", len(a.ValidationErrors))
			}
		})
	}
}

// TestALineBreakSubmitsNothingInATrial: a value cannot press Enter in a form that was
// to be only tried.
func TestALineBreakSubmitsNothingInATrial(t *testing.T) {
	t.Parallel()
	site := startSmallForm(t, pressable, "<h1>Done</h1>")
	client := overStdio(t, site.env(t)...)
	a, _, err := execute(t, client, "small-form", map[string]any{"name": "Ada\nLovelace"}, map[string]any{"dry_run": true})
	if err != nil || a.ErrorType != runner.TypeMismatch {
		t.Errorf("%s %v", a.Text(), err)
	}
	if n := site.sent.Load(); n != 0 {
		t.Errorf("the trial sent %d forms", n)
	}
}

// TestATrialTellsOfAPageThatLoadedItself: it may have sent what was entered, though no
// button was pressed.
func TestATrialTellsOfAPageThatLoadedItself(t *testing.T) {
	t.Parallel()
	const again = `<title>Small form</title><h1>Slow form</h1><form method="post"><label for="n">Name</label><input id="n" name="n" value="Ada">` + pressable + `</form>`
	site := startSmallForm(t, pressable+`<script>n.onchange = () => n.form.submit()</script>`, again)
	client := overStdio(t, site.env(t)...)
	a, _, err := execute(t, client, "small-form", map[string]any{"name": "Ada"}, map[string]any{"dry_run": true})
	if err != nil || a.Status != runner.StatusStopped || !strings.Contains(a.Text(), "loaded itself again") || site.sent.Load() != 1 {
		t.Errorf("%s %v, sent %d", a.Text(), err, site.sent.Load())
	}
}

// TestAnswersOnATerminal: what a site answers reaches the terminal as text, not as
// orders to it.
func TestAnswersOnATerminal(t *testing.T) {
	t.Parallel()
	site := startSmallForm(t, pressable, "<title>Done \x1b]0;owned\a</title><h1>Done</h1><dl><dt>Result \u202e</dt><dd>5 \x1b[2J\u009b31m</dd></dl>")
	data := filepath.Join(t.TempDir(), "data.json")
	if err := os.WriteFile(data, []byte(`{"name":"Ada"}`), 0o600); err != nil {
		t.Fatal(err)
	}
	stdout, stderr, code := output(t, command(t, site.env(t), "run", "small-form", "--data", data))
	if code != fault.ExitOK || !strings.Contains(stdout, "Result") {
		t.Fatalf("exit code %d\n%q\n%s", code, stdout, stderr)
	}
	if strings.ContainsAny(stdout+stderr, "\x1b\a\u009b\u202e") {
		t.Errorf("it is %q %q", stdout, stderr)
	}
	client := overStdio(t, site.env(t)...)
	if res := call(t, client, "federalrunner_execute_wizard", `{"wizard_id":"small-form","user_data":{"name":"Ada"}}`); strings.ContainsAny(text(res), "\x1b\a\u009b") {
		t.Errorf("a host is given %q", text(res))
	}
}

// TestTheSameDataInAnotherOrderIsTheSameCall: a client that repeats a call with its
// idempotency key may have sorted the keys.
func TestTheSameDataInAnotherOrderIsTheSameCall(t *testing.T) {
	t.Parallel()
	site := startPractice(t)
	client := overStdio(t, "LEGWORK_PRACTICE_ADDR="+site.addr)
	run := func(data string, options ...string) runner.Answer {
		res := call(t, client, "federalrunner_execute_wizard",
			`{"wizard_id":"ssa-quick-calculator","options":{"idempotency_key":"k","return_screenshots":false`+strings.Join(options, "")+`},"user_data":{`+data+`}}`)
		var a runner.Answer
		if err := decode(res, &a); err != nil {
			t.Fatal(err)
		}
		return a
	}
	first := run(`"birth_month":"05","birth_day":"15","birth_year":"1980","current_earnings":60000,"dollar_type":"constant"`)
	again := run(`"dollar_type":"constant","current_earnings":60000,"birth_year":"1980","birth_day":"15","birth_month":"05"`)
	if !first.Success || again.RunID != first.RunID {
		t.Errorf("%s\nthen %s", first.Text(), again.Text())
	}
	if other := run(`"dollar_type":"constant","current_earnings":60001,"birth_year":"1980","birth_day":"15","birth_month":"05"`); other.ErrorType != "idempotency_conflict" {
		t.Errorf("other data: %s", other.Text())
	}
	if other := run(`"birth_month":"05","birth_day":"15","birth_year":"1980","current_earnings":60000,"dollar_type":"constant"`, `,"dry_run":true`); other.ErrorType != "idempotency_conflict" {
		t.Errorf("other options: %s", other.Text())
	}
}
