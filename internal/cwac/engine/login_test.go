package engine_test

import (
	"context"
	"encoding/json"
	"io"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/legwork-mcp/legwork/internal/browser"
	"github.com/legwork-mcp/legwork/internal/cwac/engine"
	"github.com/legwork-mcp/legwork/internal/cwac/results"
	"github.com/legwork-mcp/legwork/internal/fault"
)

const secret = "s3cret-Value"

// members is a site of three pages for whoever has the session cookie, or the
// header. It forgets the session once, after so many pages.
func members(t *testing.T, forget int32) (pages, *atomic.Int32) {
	var served, logins atomic.Int32
	inside := func(next http.HandlerFunc) http.HandlerFunc {
		return func(w http.ResponseWriter, r *http.Request) {
			c, err := r.Cookie("session")
			known := err == nil && c.Value == secret || r.Header.Get("X-Key") == secret
			if n := served.Load(); known && n == forget && err == nil {
				served.Add(1)
				known = false
			}
			if !known {
				http.Redirect(w, r, "/signin", http.StatusFound)
				return
			}
			if r.Method == http.MethodGet {
				served.Add(1)
			}
			next(w, r)
		}
	}
	return pages{
		"/":  inside(linking("/a", "/b", "/c")),
		"/a": inside(doc("first")), "/b": inside(doc("second")), "/c": inside(doc("third")),
		"/signin": doc(`<form action="/enter" method="post"><label>Name <input name="user"></label><label>Password <input type="password" name="pass"></label><button>Enter</button></form>`),
		"/enter": func(w http.ResponseWriter, r *http.Request) {
			body, err := io.ReadAll(r.Body)
			if err != nil || !strings.Contains(string(body), "user=ada") || !strings.Contains(string(body), secret) {
				t.Errorf("the form came with %q", body)
			}
			logins.Add(1)
			http.SetCookie(w, &http.Cookie{Name: "session", Value: secret, Path: "/"})
			http.Redirect(w, r, "/", http.StatusSeeOther)
		},
	}, &logins
}

func steps() json.RawMessage {
	raw, err := json.Marshal(engine.Login{Steps: []engine.LoginStep{
		{Action: engine.StepGoto, Value: "http://" + bench + "/signin"},
		{Action: engine.StepFill, Selector: "input[name=user]", Value: "ada"},
		{Action: engine.StepFill, Selector: "input[name=pass]", Value: secret},
		{Action: engine.StepPress, Selector: "input[name=pass]", Value: "Enter"},
		{Action: engine.StepWait, Selector: "a[href='/a']"},
	}})
	if err != nil {
		panic(err)
	}
	return raw
}

func TestPagesBehindALogin(t *testing.T) {
	t.Parallel()
	state := filepath.Join(t.TempDir(), "state.json")
	if err := os.WriteFile(state, []byte(`{"cookies":[{"name":"session","value":"`+secret+`","domain":"127.0.0.1","path":"/","expires":-1,"httpOnly":true,"secure":false,"sameSite":"Lax"}],"origins":[]}`), 0o600); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "login.json")
	if err := os.WriteFile(file, []byte(`{"headers":{"http://`+bench+`":{"X-Key":"`+secret+`"}}}`), 0o600); err != nil {
		t.Fatal(err)
	}
	all := map[string]string{"/": "scanned", "/a": "scanned", "/b": "scanned", "/c": "scanned"}
	tests := []struct {
		name   string
		login  json.RawMessage
		forget int32
		logins int32
	}{
		{"headers", json.RawMessage(`{"headers":{"http://` + bench + `":{"X-Key":"` + secret + `"}}}`), -1, 0},
		{"cookies", json.RawMessage(`{"cookies":[{"name":"session","value":"` + secret + `","url":"http://` + bench + `/"}]}`), -1, 0},
		{"a saved session", json.RawMessage(`{"state_file":"` + state + `"}`), -1, 0},
		{"a file", json.RawMessage(`{"file":"` + file + `"}`), -1, 0},
		{"steps", steps(), -1, 1},
		{"a session that is lost", steps(), 3, 2},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			site, logins := members(t, tt.forget)
			o := quick(t, site)
			o.Config.Legwork.Login = tt.login
			out, read := scan(t, o)
			got := outcomes(t, read)
			delete(got, "/signin")
			if diff := cmp.Diff(all, got); diff != "" {
				t.Errorf("outcomes (-want +got):\n%s", diff)
			}
			if logins.Load() != tt.logins {
				t.Errorf("%d logins instead of %d", logins.Load(), tt.logins)
			}
			noSecret(t, out.Dir)
		})
	}
}

// TestASavedSessionInBothBrowsers: cookies and storage of a saved session are there from
// the first page of its origin on, also when that page takes its time.
func TestASavedSessionInBothBrowsers(t *testing.T) {
	t.Parallel()
	state := filepath.Join(t.TempDir(), "state.json")
	if err := os.WriteFile(state, []byte(`{"cookies":[{"name":"session","value":"`+secret+`","domain":"127.0.0.1","path":"/"}],
		"origins":[{"origin":"http://`+bench+`","localStorage":[{"name":"seen","value":"yes"}]}]}`), 0o600); err != nil {
		t.Fatal(err)
	}
	page := doc(`<div id="o"></div><a href="/a">a</a><script>if (localStorage.getItem("seen") !== "yes") o.innerHTML = '<img src="/overlay.gif">';
		fetch("/api").then(r => { if (!r.ok) o.innerHTML = "<button></button>"; });</script>`)
	inside := func(w http.ResponseWriter, r *http.Request) {
		if c, err := r.Cookie("session"); err != nil || c.Value != secret {
			http.Error(w, "sign in", http.StatusUnauthorized)
			return
		}
		if r.Method == http.MethodGet {
			select { // a slow session
			case <-time.After(1500 * time.Millisecond):
			case <-r.Context().Done():
			}
		}
		page(w, r)
	}
	for _, name := range []string{browser.EngineHeadlessShell, browser.EngineChromium} {
		t.Run(name, func(t *testing.T) {
			own := browser.NewPool(browser.Options{Engine: name, Scrollbars: true})
			t.Cleanup(func() {
				if err := own.Close(context.WithoutCancel(t.Context())); err != nil {
					t.Error(err)
				}
			})
			o := quick(t, pages{"/": inside, "/a": inside, "/api": inside})
			only(&o.Config, results.AuditAxe)
			o.Browser = own
			o.Config.Legwork.Login = json.RawMessage(`{"state_file":"` + state + `"}`)
			_, read := scan(t, o)
			if diff := cmp.Diff(map[string]string{"/": "scanned", "/a": "scanned"}, outcomes(t, read)); diff != "" {
				t.Errorf("outcomes (-want +got):\n%s", diff)
			}
			for f, err := range read.Findings() {
				t.Errorf("the session is not whole: %s, %v", f.Rule, err)
			}
		})
	}
}

// noSecret looks into every file of a results folder.
func noSecret(t *testing.T, dir string) {
	t.Helper()
	err := filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		text, err := os.ReadFile(path)
		if strings.Contains(string(text), secret) {
			t.Errorf("%s has the secret", filepath.Base(path))
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

func TestALoginThatFailsScansNothing(t *testing.T) {
	t.Parallel()
	site, _ := members(t, -1)
	o := quick(t, site)
	raw, err := json.Marshal(engine.Login{Steps: []engine.LoginStep{
		{Action: engine.StepGoto, Value: "http://" + bench + "/signin"},
		{Action: engine.StepFill, Selector: "#nowhere", Value: secret},
	}})
	if err != nil {
		t.Fatal(err)
	}
	o.Config.Legwork.Login = raw
	out, _ := scan(t, o)
	if out.Pages != 0 || !strings.Contains(out.Sites[0].Reason, "step 2 (fill)") || strings.Contains(out.Sites[0].Reason, secret) {
		t.Errorf("the outcome is %+v", out.Sites)
	}
	noSecret(t, out.Dir)
}

// TestMistakesInALoginQuoteNoSecret: the words of an error go to terminals and logs.
func TestMistakesInALoginQuoteNoSecret(t *testing.T) {
	wrong, nested := filepath.Join(t.TempDir(), "wrong.json"), filepath.Join(t.TempDir(), "nested.json")
	for path, text := range map[string]string{wrong: `{"header": "` + secret + `"}`, nested: `{"file": "` + wrong + `"}`} {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for name, raw := range map[string]string{
		"syntax":          `{"headers": {"` + secret + `"`,
		"an unknown key":  `{"` + secret + `": 1}`,
		"a wrong type":    `{"cookies": "` + secret + `"}`,
		"a wrong header":  `{"headers": {"https://example.org": {"X": "` + secret + `\r\nY: 1"}}}`,
		"a password":      `{"headers": {"https://me:` + secret + `@example.org": {"X": "1"}}}`,
		"capitals":        `{"headers": {"https://Example.org": {"X": "` + secret + `"}}}`,
		"the usual port":  `{"headers": {"https://example.org:443": {"X": "` + secret + `"}}}`,
		"a bad step":      `{"steps": [{"action": "goto", "value": "` + secret + `"}]}`,
		"a missing state": `{"state_file": "/nowhere/` + secret + `"}`,
		"a missing file":  `{"file": "/nowhere/` + secret + `"}`,
		"a folder":        `{"file": "/"}`,
		"file and more":   `{"file": "` + wrong + `", "headers": {}, "cookies": [{"name": "` + secret + `", "domain": "a"}]}`,
		"a wrong file":    `{"file": "` + wrong + `"}`,
		"a file of files": `{"file": "` + nested + `"}`,
	} {
		t.Run(name, func(t *testing.T) {
			o := quick(t, pages{})
			o.Config.Legwork.Login = json.RawMessage(raw)
			_, err := engine.Run(patience(t), o)
			f := fault.From(err)
			if err == nil || f.Type != "login_invalid" || strings.Contains(f.Message+f.Action+err.Error(), secret) {
				t.Errorf("it says %v", err)
			}
		})
	}
}

// TestMistakesInALoginSayWhatToDo: each is found before a browser starts, and told so
// that it can be put right.
func TestMistakesInALoginSayWhatToDo(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"alien.json": `{"steps": []}`, "saved.json": `{"cookies": [], "origins": []}`, "null.json": `null`, "list.json": `[{"name": "a"}]`,
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for raw, want := range map[string]string{
		`{}`:                               "it holds no headers",
		`{"steps": [], "cookies": []}`:     "it holds no headers",
		`{"file": "DIR/null.json"}`:        "it holds no headers",
		`{"file": "DIR/saved.json"}`:       `{"state_file": "PATH"}`,
		`{"file": "DIR/list.json"}`:        "no JSON object",
		`{"state_file": "DIR/alien.json"}`: "state_file holds no cookies",
		`{"state_file": "DIR/saved.json"}`: "state_file holds no cookies",
		`{"state_file": "DIR/list.json"}`:  "state_file is no storageState",
		`{"redacted": true}`:               "give it again",
		`{"step": []}`:                     "steps may be meant",
		`{"cookies": {}}`:                  "cookies has a wrong type",
		`{"steps": [{"act": "goto"}]}`:     "a step",
		"{\n\"steps\": [\n}":               "line 3",
		`{"headers": {"https://a.example": {"host": "b", "X": "1"}}}`:                       "host belongs to the connection",
		`{"cookies": [{"name": "a", "value": "b\r\nc", "domain": "a.example"}]}`:            "number 1 holds a character",
		`{"cookies": [{"name": "a=b", "value": "b", "domain": "a.example"}]}`:               "number 1 holds a character",
		`{"cookies": [{"name": "a", "domain": "a.example", "sameSite": "no_restriction"}]}`: "Strict, Lax or None",
	} {
		o := quick(t, pages{"/": doc("")})
		o.Config.Legwork.Login = json.RawMessage(strings.ReplaceAll(raw, "DIR", dir))
		_, err := engine.Run(patience(t), o)
		if f := fault.From(err); err == nil || f.Type != "login_invalid" || !strings.Contains(f.Message, want) {
			t.Errorf("%s: it says %v", raw, err)
		}
	}
}

// TestALoginFileNamesItsState: relative to itself, wherever the scan is started, and
// with the mark that editors of Windows put first.
func TestALoginFileNamesItsState(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"login.json": "\ufeff" + `{"state_file": "state.json"}`,
		"state.json": "\ufeff" + `{"cookies": [{"name": "own", "value": "1", "domain": "app.example.org", "path": "/"}], "origins": []}`,
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if got := engine.Lent(t, `{"file": "`+filepath.Join(dir, "login.json")+`"}`, "https://app.example.org/"); len(got) != 1 || got[0] != "own" {
		t.Errorf("%q are sent", got)
	}
}

// TestALoginThatDoesNotFit: the sign-in page is not the page that was asked for, and no
// fault on it would be a clean result of a site that nobody saw.
func TestALoginThatDoesNotFit(t *testing.T) {
	t.Parallel()
	state := filepath.Join(t.TempDir(), "state.json")
	if err := os.WriteFile(state, []byte(`{"cookies": [], "origins": [{"origin": "https://other.example", "localStorage": [{"name": "a", "value": "`+secret+`"}]}]}`), 0o600); err != nil {
		t.Fatal(err)
	}
	for name, login := range map[string]string{
		"a cookie that is over":    `{"cookies": [{"name": "session", "value": "old", "domain": "127.0.0.1", "path": "/"}]}`,
		"a cookie of another site": `{"cookies": [{"name": "session", "value": "` + secret + `", "domain": "other.example", "path": "/"}]}`,
		"a header of another site": `{"headers": {"https://other.example": {"X-Key": "` + secret + `"}}}`,
		"a state of another site":  `{"state_file": "` + state + `"}`,
	} {
		t.Run(name, func(t *testing.T) {
			site, _ := members(t, -1)
			o := quick(t, site)
			o.Config.Legwork.Login = json.RawMessage(login)
			out, _ := scan(t, o)
			if out.Pages != 0 || len(out.Sites) != 1 || !strings.Contains(out.Sites[0].Reason, "sign-in page came instead") {
				t.Errorf("the outcome is %+v", out.Sites)
			}
			noSecret(t, out.Dir)
		})
	}
}

// TestAScanThatIsStoppedWhileItLogsIn: nothing was wrong with the login.
func TestAScanThatIsStoppedWhileItLogsIn(t *testing.T) {
	t.Parallel()
	ctx, stop := context.WithCancel(patience(t))
	o := quick(t, pages{"/": doc(""), "/signin": func(_ http.ResponseWriter, r *http.Request) {
		stop()
		<-r.Context().Done()
	}})
	o.Config.Legwork.Login = steps()
	out, err := engine.Run(ctx, o)
	if err != nil || out.State != results.StateCancelled || out.Sites[0].Reason != "the scan was stopped" {
		t.Errorf("the outcome is %s %+v, %v", out.State, out.Sites, err)
	}
}

// TestALoginElsewhere: a step that the guard stops is told as that.
func TestALoginElsewhere(t *testing.T) {
	t.Parallel()
	o := quick(t, pages{"/": doc("")})
	raw, err := json.Marshal(engine.Login{Steps: []engine.LoginStep{{Action: engine.StepGoto, Value: httptestServer(t, http.NotFoundHandler()) + "/" + secret}}})
	if err != nil {
		t.Fatal(err)
	}
	o.Config.Legwork.Login = raw
	out, _ := scan(t, o)
	if why := out.Sites[0].Reason; out.Pages != 0 || !strings.Contains(why, "step 1 (goto) leads to an address of this machine") || strings.Contains(why, secret) {
		t.Errorf("the outcome is %+v", out.Sites)
	}
}

// TestCookiesOfAHostStayThere: only a cookie whose domain begins with a dot goes to
// the requests of a subdomain.
func TestCookiesOfAHostStayThere(t *testing.T) {
	got := engine.Lent(t, `{"cookies": [
		{"name": "all", "value": "1", "domain": ".example.org"}, {"name": "parent", "value": "1", "domain": "example.org"},
		{"name": "own", "value": "1", "domain": "app.example.org"}, {"name": "page", "value": "1", "url": "https://app.example.org/x"},
		{"name": "other", "value": "1", "domain": ".ample.org"}]}`, "https://app.example.org/")
	if want := "all own page"; strings.Join(got, " ") != want {
		t.Errorf("%q are sent, and should be %s", got, want)
	}
}
