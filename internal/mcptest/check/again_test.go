package check

import (
	"fmt"
	"net/http"
	"os"
	"strings"
	"testing"
	"time"
)

// three are tools of which the first does not survive a call.
var three = "[" + strings.Replace(echo, `"echo"`, `"bad"`, 1) + "," + echo + "," + strings.Replace(strings.Replace(echo, `"echo"`, `"other"`, 1), "Gives", "Also gives", 1) + "]"

// panics ends the process in a call of the tool bad, as a program in Go does.
func panics(method string, raw []byte) (string, bool) {
	if method == "tools/call" && strings.Contains(string(raw), `"bad"`) {
		fmt.Fprintf(os.Stderr, "panic: nil map\n\ngoroutine 7 [running]:\n%s", strings.Repeat("main.deep(0x1)\n\t/src/main.go:1 +0x1\n", 40))
		os.Exit(2)
	}
	return "", false
}

// TestOneBadTool ends the process with one tool: the others are called all the same, no
// other is blamed, and the evidence begins with the cause.
func TestOneBadTool(t *testing.T) {
	r := checked(t, command("bad-tool"), Options{})
	if got := strings.Join(r.Called, " "); got != "bad echo other" {
		t.Errorf("called %s", got)
	}
	for _, name := range []string{"latency", "load", "probes"} {
		if s := stepOf(r, name); s.Status == Skipped {
			t.Errorf("%s was left out: %s", name, s.Detail)
		}
	}
	for _, f := range r.Findings {
		switch {
		case f.Rule == "exited-badly":
			t.Errorf("the end of the process is told twice: %s", f.Evidence)
		case f.Rule == "call-failed" && (f.Subject != "tool bad" || !strings.Contains(f.Evidence, "its error output: panic: nil map")):
			t.Errorf("%s: %s", f.Subject, f.Evidence)
		case f.Severity == Error && f.Subject != "tool bad" && !strings.HasPrefix(f.Subject, "tool bad with"):
			t.Errorf("%s %s is blamed: %s", f.Rule, f.Subject, f.Evidence)
		}
	}
	if !ruleAmong(r, "call-failed", 1) {
		t.Errorf("the call that ended the process is not the first finding:\n%s", asText(r))
	}
}

// TestAsked shows in the report what was asked and what came back, within bounds and
// without what the target was given.
func TestAsked(t *testing.T) {
	const token = "s3cr3t-t0ken-value"
	tools := "[" + echo
	for n := range 60 {
		tools += "," + strings.ReplaceAll(strings.Replace(echo, `"echo"`, fmt.Sprintf(`"echo%d"`, n), 1), "Gives", fmt.Sprintf("Gives %d times", n))
	}
	f := fake{tools: tools + "]", caps: `{"tools":{},"resources":{}}`, result: `{"content":[{"type":"text","text":"<b>` + token + strings.Repeat("x", 5000) + `"}]}`, more: map[string]string{"resources/list": `{"resources":[{"name":"a","uri":"x:a"}]}`}}
	target := serveHTTP(t, f)
	target.Headers = http.Header{"Authorization": {"Bearer " + token}}
	r := checked(t, target, Options{NoProbes: true})
	if len(r.Asked) != mostAsked+1 {
		t.Fatalf("%d calls are kept", len(r.Asked))
	}
	for _, a := range r.Asked {
		if strings.Contains(a.Sent+a.Got, token) || len(a.Sent) > mostSent+50 || len(a.Got) > mostGot+50 {
			t.Errorf("%+v", a)
		}
	}
	first, last := r.Asked[0], r.Asked[mostAsked]
	if first.Subject != "tool echo" || !strings.Contains(first.Sent, `"name":"echo"`) || !strings.Contains(first.Got, "<b>[redacted]") || first.Failed {
		t.Errorf("%+v", first)
	}
	if last.Subject != "resource x:a" || !strings.Contains(last.Got, "-32601") || !last.Failed {
		t.Errorf("%+v", last)
	}
	var page strings.Builder
	if err := r.WriteHTML(&page); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(page.String(), "<dd>61 tools, 1 resource, 0 resource templates, 0 prompts</dd>") || !strings.Contains(page.String(), "<h3>note: ") || !strings.Contains(r.Verdict(), " 1 error, ") {
		t.Errorf("the words of the report: %s\n%s", r.Verdict(), page.String())
	}
	if !strings.Contains(page.String(), "<summary>tool echo, ") || strings.Contains(page.String(), "<b>[") {
		t.Error("the page does not have it as text")
	}
}

// TestGoneOverHTTP has a server over HTTP that does not come back: what follows is left
// out, and not blamed.
func TestGoneOverHTTP(t *testing.T) {
	gone := false
	f := fake{tools: three, caps: `{"tools":{},"prompts":{}}`, more: map[string]string{"prompts/list": `{"prompts":[{"name":"a","description":"A."}]}`}, onCall: func() { gone = true }}
	f.web = func(w http.ResponseWriter, r *http.Request, next http.Handler) {
		if !gone {
			next.ServeHTTP(w, r)
		}
		if gone {
			panic(http.ErrAbortHandler) // the connection breaks
		}
	}
	r := checked(t, serveHTTP(t, f), Options{})
	var blamed []string
	for _, found := range r.Findings {
		if found.Severity == Error {
			blamed = append(blamed, found.Rule+" "+found.Subject)
		}
	}
	if got := strings.Join(blamed, ", "); got != "call-failed tool bad" {
		t.Errorf("blamed: %s\n%s", got, asText(r))
	}
	for _, name := range []string{"prompts", "latency", "load", "probes"} {
		if s := stepOf(r, name); s.Status != Skipped || s.Detail != "the server was gone after tool bad" {
			t.Errorf("%s %s: %s", name, s.Status, s.Detail)
		}
	}
}

// TestLastWords picks from an error output what says why a process ended.
func TestLastWords(t *testing.T) {
	frames := strings.Repeat("\tat some.place (file:1)\n", 60)
	for name, c := range map[string]struct{ output, begins, has string }{
		"nothing":       {"\n", "; it wrote nothing to stderr", ""},
		"a line":        {"no API key\n", "; its error output: no API key", ""},
		"a long log":    {strings.Repeat("working\n", 100) + "the end", "; its error output ends: ", "the end"},
		"Go":            {"ready\npanic: nil map\n\ngoroutine 1 [running]:\n" + frames, "; its error output: panic: nil map\n", "goroutine 1"},
		"Node":          {"ready\nfile:///a.mjs:1\n\nTypeError: x is no function\n" + frames + "\nNode.js v20\n", "; its error output: TypeError: x is no function\n", ""},
		"Python":        {"ready\nTraceback (most recent call last):\n  File \"a.py\", line 1\nKeyError: 'id'\n", "; its error output: Traceback", "KeyError: 'id'"},
		"a deep Python": {"Traceback (most recent call last):\n" + frames + "KeyError: 'id'\n", "; its error output ends: ", "KeyError: 'id'"},
		"a word of it":  {"watch out for Error: lines\n", "; its error output: watch out", ""},
	} {
		if got := lastWords([]byte(c.output)); !strings.HasPrefix(got, c.begins) || !strings.Contains(got, c.has) || len(got) > mostWords+100 {
			t.Errorf("%s: %q", name, got)
		}
	}
}

// TestSlowWithWhatMayBeTaken: null for what is optional is taken by many servers, whose tool
// then does what it does, as long as that takes.
func TestSlowWithWhatMayBeTaken(t *testing.T) {
	r := checked(t, command("slow-when-null"), Options{CallTimeout: 2 * time.Second})
	if r.Count(Error)+r.Count(Warning) > 0 || stepOf(r, "probes").Status != Passed {
		t.Errorf("a server that takes its time is blamed:\n%s", asText(r))
	}
}

// endsInCompletion is a server that completion ends, with two prompts that are in order.
var endsInCompletion = fake{
	tools: "[" + echo + "]", caps: `{"tools":{},"prompts":{},"completions":{}}`,
	message: func(method string, _ []byte) (string, bool) {
		if method == "completion/complete" {
			fmt.Fprintln(os.Stderr, "panic: nil pointer")
			os.Exit(2)
		}
		return "", false
	},
	more: map[string]string{
		"prompts/list": `{"prompts":[{"name":"a","description":"A.","arguments":[{"name":"who","required":true}]},{"name":"b","description":"B.","arguments":[{"name":"who","required":true}]}]}`,
		"prompts/get":  `{"messages":[{"role":"user","content":{"type":"text","text":"Hello."}}]}`,
	},
}

// TestWhatCompletionEndsIsNotThePrompts has completion that ends the server: it is named
// for that alone, once, and the prompts are got.
func TestWhatCompletionEndsIsNotThePrompts(t *testing.T) {
	r := checked(t, command("bad-completion"), Options{})
	if s := stepOf(r, "prompts"); s.Detail != "2 of 2 prompts got" {
		t.Errorf("%s: %s", s.Status, s.Detail)
	}
	n := 0
	for _, f := range r.Findings {
		switch {
		case f.Rule == "completion-failed":
			n++
		case f.Severity == Error:
			t.Errorf("%s %s is blamed: %s", f.Rule, f.Subject, f.Evidence)
		}
	}
	if n != 1 {
		t.Errorf("completion is named %d times", n)
	}
}
