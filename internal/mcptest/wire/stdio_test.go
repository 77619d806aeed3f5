package wire

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// itself makes a shell wait until what it has started last is no copy of it any more.
const itself = `while case $(cat /proc/$!/comm 2>/dev/null) in sh | setsid) ;; *) false ;; esac do :; done`

// scripts are the servers of the tests over stdio.
var scripts = map[string]func(*stdioServer){
	"plain": func(s *stdioServer) {
		s.serve(func(m *message) {
			var p struct {
				Name string `json:"name"`
			}
			_ = json.Unmarshal(m.Params, &p) // no name is no name
			switch p.Name {
			case "silent":
			case "exit":
				fmt.Fprintln(os.Stderr, "last words")
				os.Exit(3)
			default:
				say(result(m.ID, `{"content":[],"echo":`+string(m.Params)+`}`))
			}
		})
	},
	"noisy": func(s *stdioServer) {
		say("Server v1.0 listening...\n\n[info] ready")
		s.serve(func(m *message) {
			fmt.Print("{\"broken\n\x1b[31mred\x1b[0m\n" + result(m.ID, `{}`) + "\r\n")
		})
	},
	"odd": func(s *stdioServer) {
		n := 0
		s.serve(func(m *message) {
			switch n++; n {
			case 1:
				say(result(json.RawMessage(`"`+string(m.ID)+`"`), `{"n":1}`))
			case 2:
				say(`{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"no"}}`)
			case 3:
				say(result(json.RawMessage(`999`), `{}`))
				say(`[` + result(m.ID, `{"n":3}`) + `]`)
			case 4:
				say(`{"id":` + string(m.ID) + `.0,"result":{"n":4},"result":{"n":5},"error":{"code":"x"}}`)
			case 5:
				say(`{"jsonrpc":"2.0","id":` + string(m.ID) + `}`)
				say(result(m.ID, `{}`))
			case 6:
				say(result(m.ID, `[1]`))
			}
		})
	},
	"napping": func(s *stdioServer) { // reads nothing for a while when it is told so
		s.serve(func(m *message) {
			if m.Method == "nap" {
				<-time.After(300 * time.Millisecond)
			}
			say(result(m.ID, `{}`))
		})
	},
	"deaf": func(s *stdioServer) { // ends only when it is killed
		signal.Ignore(syscall.SIGTERM)
		fmt.Fprintln(os.Stderr, strings.Repeat("flood of errors ", 20000))
		s.serve(func(m *message) { say(result(m.ID, `{}`)) })
		select {}
	},
	"parent": func(s *stdioServer) {
		child := exec.Command("setsid", "sleep", "600") // in a group of its own
		child.Stdout = os.Stdout
		if err := child.Start(); err != nil {
			os.Exit(98)
		}
		s.serve(func(m *message) { say(result(m.ID, fmt.Sprintf(`{"pid":%d}`, child.Process.Pid))) })
	},
	"forsaken": func(s *stdioServer) { // by a process that has ended already
		if err := exec.Command("sh", "-c", "sleep 600 >/dev/null 2>&1 & "+itself).Run(); err != nil {
			os.Exit(98)
		}
		s.serve(func(m *message) { say(result(m.ID, `{}`)) })
	},
	"daemonizing": func(s *stdioServer) { // by a process that has ended already, and in a session of its own
		if err := exec.Command("sh", "-c", "setsid sleep 600 </dev/null >/dev/null 2>&1 & "+itself).Run(); err != nil {
			os.Exit(98)
		}
		s.serve(func(m *message) { say(result(m.ID, `{}`)) })
	},
	"watched": func(s *stdioServer) { // by a process that ends soon after it
		child := exec.Command("setsid", "sh", "-c", "cat; sleep 0.1")
		pipe, err := child.StdinPipe()
		if err != nil || child.Start() != nil {
			os.Exit(98)
		}
		s.serve(func(m *message) { say(result(m.ID, `{}`)) })
		_ = pipe
	},
	"huge": func(s *stdioServer) {
		s.serve(func(m *message) {
			if m.Method == "tools/list" {
				say(result(m.ID, `{"tools":"`+strings.Repeat("x", 3<<20)+`"}`))
				return
			}
			say(result(m.ID, `{}`))
		})
	},
	"environment": func(s *stdioServer) {
		s.serve(func(m *message) {
			say(result(m.ID, string(quote(strings.Join(os.Environ(), "\n")))))
		})
	},
	"replying": func(s *stdioServer) { // also to notifications, late
		owed := 1 // for notifications/initialized, which serve takes
		s.serve(func(m *message) {
			if m.ID == nil {
				owed++
				return
			}
			for ; owed > 0; owed-- {
				say(result(json.RawMessage("null"), `{}`))
			}
			say(result(m.ID, `{"tools":[]}`))
		})
	},
	"prober": func(s *stdioServer) {
		s.serve(func(m *message) {
			switch {
			case m.Method == "unreadable":
				say(failure(json.RawMessage("null"), CodeParse, "parse error"))
			case strings.HasPrefix(m.Method, "notifications/") || m.Method == "silence":
			case m.ID == nil:
				say(failure(json.RawMessage("null"), CodeInvalidRequest, "no id"))
			default:
				say(result(m.ID, `{}`))
			}
		})
	},
	"blocked": func(s *stdioServer) { // reads nothing more
		if m := s.next(); m != nil {
			shake(m)
		}
		select {}
	},
}

func TestCommandAnswers(t *testing.T) {
	c := dial(t, command("plain"), Options{Era: EraLegacy})
	if s := c.Server(); s.Name != "test" || s.ProtocolVersion != Version20251125 || c.Transport() != StdioTransport {
		t.Errorf("the server is %+v over %s", s, c.Transport())
	}
	args := `{"n":9007199254740993,"z":1.0,"a":"<&>"}`
	ex, err := c.Call(t.Context(), "tools/call", json.RawMessage("{\n\"name\":\"x\",\"arguments\":"+args+"}"), CallOptions{NoProgressToken: true})
	if err != nil {
		t.Fatal(err)
	}
	if got := string(field(field(ex.Result, "echo"), "arguments")); got != args {
		t.Errorf("the arguments arrived as %s", got)
	}
	closing := c.Close()
	if closing.Exit == nil || closing.Exit.Code != 0 || len(closing.Orphans) > 0 || strings.Join(closing.Steps, ",") != "stdin closed" {
		t.Errorf("it closed as %+v", closing)
	}
	if _, err := c.Call(t.Context(), "ping", nil, CallOptions{}); kindOf(err) != Closed {
		t.Errorf("a call after Close fails with %v", err)
	}
}

func kindOf(err error) Kind {
	var e *Error
	if errors.As(err, &e) {
		return e.Kind
	}
	return ""
}

func TestProcessExit(t *testing.T) {
	c := dial(t, command("plain"), Options{Era: EraLegacy})
	_, err := c.Call(t.Context(), "tools/call", map[string]any{"name": "exit"}, CallOptions{})
	var e *Error
	if !errors.As(err, &e) || e.Kind != Exited || e.Exit.Code != 3 || !strings.Contains(string(e.Exit.Stderr), "last words") {
		t.Fatalf("the call fails with %#v", err)
	}
	if got := codes(c.Observations()); got != "exited_badly" {
		t.Errorf("it observes %s", got)
	}
}

func TestTimeoutAndLateness(t *testing.T) {
	c := dial(t, command("plain"), Options{Era: EraLegacy})
	ex, err := c.Call(t.Context(), "tools/call", map[string]any{"name": "silent"}, CallOptions{Timeout: 50 * time.Millisecond})
	if kindOf(err) != Timeout || ex.Response != nil {
		t.Errorf("the call fails with %v", err)
	}
	// the connection is as good as before
	if _, err := c.Alive(t.Context(), CallOptions{}); err != nil {
		t.Error(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := c.Call(ctx, "tools/call", map[string]any{"name": "silent"}, CallOptions{}); kindOf(err) != Cancelled {
		t.Errorf("a call that was given up fails with %v", err)
	}
	if _, err := c.Alive(t.Context(), CallOptions{}); err != nil {
		t.Error(err)
	}
}

// seen waits until a code has been observed: what a child does without being asked
// comes whenever it comes.
func seen(t *testing.T, c *Conn, code Code) Observation {
	t.Helper()
	ask := time.NewTicker(5 * time.Millisecond)
	defer ask.Stop()
	over := time.After(30 * time.Second)
	for {
		for _, o := range c.Observations() {
			if o.Code == code {
				return o
			}
		}
		select {
		case <-ask.C:
		case <-over:
			t.Fatalf("no %s was observed, but %s", code, codes(c.Observations()))
		}
	}
}

func TestNoiseOnStdout(t *testing.T) {
	c := dial(t, command("noisy"), Options{Era: EraLegacy})
	if _, err := c.Call(t.Context(), "tools/list", nil, CallOptions{}); err != nil {
		t.Fatal(err)
	}
	if got := codes(c.Observations()); got != "noise_line blank_line noise_line invalid_json noise_line crlf_line" {
		t.Errorf("it observes %s", got)
	}
	all := c.Observations()
	if got := string(all[4].Bytes); got != "\x1b[31mred\x1b[0m\n" {
		t.Errorf("the escapes were kept as %q", got)
	}
}

// TestOddAnswers: an answer that can belong to one request only is taken for its
// answer, and what is wrong with it is said.
func TestOddAnswers(t *testing.T) {
	c := dial(t, command("odd"), Options{Era: EraLegacy})
	for _, want := range []struct {
		codes, result string
		kind          Kind
		rpc           bool
	}{
		{"changed_id", `{"n":1}`, "", false},
		{"null_id", "", "", true},
		{"batch_message", `{"n":3}`, "", false},
		{"duplicate_key bad_id missing_jsonrpc result_and_error bad_error", `{"n":5}`, "", true},
		{"no_result_no_error", "", Protocol, false},
		{"bad_result", `[1]`, "", false},
	} {
		ex, err := c.Call(t.Context(), "tools/list", nil, CallOptions{})
		got := codes(ex.Observations)
		for _, code := range strings.Fields(want.codes) {
			if !strings.Contains(got, code) {
				t.Errorf("the exchange observes %q, without %s", got, code)
			}
		}
		if string(ex.Result) != want.result || kindOf(err) != want.kind || (ex.RPC != nil) != want.rpc {
			t.Errorf("the call gives %s and %v, not %+v", ex.Result, err, want)
		}
	}
	all := c.Counts()
	if all[UnknownID] != 1 || all[BatchMessage] != 1 || all[DuplicateResponse] != 1 {
		t.Errorf("the connection observes %v", all)
	}
}

func TestStubbornChild(t *testing.T) {
	c := dial(t, command("deaf"), Options{Era: EraLegacy, CloseTimeout: 50 * time.Millisecond})
	if _, err := c.Call(t.Context(), "tools/list", nil, CallOptions{}); err != nil {
		t.Fatal(err) // also when its error output is not read
	}
	closing := c.Close()
	if got := strings.Join(closing.Steps, ", "); got != "stdin closed, SIGTERM, SIGKILL" {
		t.Errorf("it took %s", got)
	}
	if closing.Exit == nil || closing.Exit.Signal != "killed" || closing.Exit.Code != -1 || len(closing.Exit.Stderr) != 64<<10 {
		t.Errorf("it ended as %+v", closing.Exit)
	}
	if c.Counts()[EOFIgnored] != 1 {
		t.Errorf("it observes %s", codes(c.Observations()))
	}
}

func TestLimitOfALine(t *testing.T) {
	c := dial(t, command("huge"), Options{Era: EraLegacy, Limits: Limits{Message: 1 << 20}})
	_, err := c.Call(t.Context(), "tools/list", nil, CallOptions{})
	if kindOf(err) != TooLarge {
		t.Errorf("the call fails with %v", err)
	}
	if o := seen(t, c, Oversized); o.Size < 3<<20 || len(o.Bytes) != shown {
		t.Errorf("it observes %d bytes and keeps %d", o.Size, len(o.Bytes))
	}
	if _, err := c.Alive(t.Context(), CallOptions{}); err != nil {
		t.Error(err)
	}
}

// TestEnvironmentOfTheChild: it gets what programs need, what it was given, and no
// secret of ours.
func TestEnvironmentOfTheChild(t *testing.T) {
	target := command("environment")
	target.Env["TOKEN_OF_SERVER"] = "swordfish-1"
	o := quick(Options{Era: EraLegacy})
	o.Environ = append(o.Environ, "AWS_SECRET_ACCESS_KEY=canary-2", "PATH=/usr/bin:/bin", "LEGWORK_DATABASE_URL=canary-3")
	c, err := Connect(t.Context(), target, o)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	ex, err := c.Call(t.Context(), "tools/list", nil, CallOptions{})
	if err != nil {
		t.Fatal(err)
	}
	all := unquote(ex.Result)
	if !strings.Contains(all, "PATH=/usr/bin:/bin") || !strings.Contains(all, "TOKEN_OF_SERVER=swordfish-1") || strings.Contains(all, "canary") {
		t.Errorf("the child has %s", all)
	}
	evidence, _ := c.Process()
	if got := strings.Join(evidence.Environment, " "); !strings.Contains(got, "TOKEN_OF_SERVER") || strings.Contains(got, "swordfish") || evidence.Path != os.Args[0] {
		t.Errorf("the evidence is %+v", evidence)
	}
	for _, e := range c.Transcript(0, 0).Entries {
		if strings.Contains(string(e.Bytes), "swordfish") {
			t.Errorf("the transcript has the secret in %s", e.Bytes)
		}
	}
}

// TestFolderThatIsNotThere: it is the folder that is missing, and not the program.
func TestFolderThatIsNotThere(t *testing.T) {
	target := command("napping")
	target.Dir = filepath.Join(t.TempDir(), "none")
	if _, err := Connect(t.Context(), target, quick(Options{Era: EraLegacy})); err == nil || !strings.Contains(err.Error(), "folder") {
		t.Errorf("the error is %v", err)
	}
}

// TestChildThatReadsLate: a long line is written to its end although nobody waits for its
// answer any more. A line that is cut would make all that follows worthless.
func TestChildThatReadsLate(t *testing.T) {
	c := dial(t, command("napping"), Options{Era: EraLegacy})
	for _, raw := range []string{`{"jsonrpc":"2.0","id":"n","method":"nap"}`, `{"jsonrpc":"2.0","id":"l","method":"nothing","params":{"x":"` + strings.Repeat("x", 1<<20) + `"}}`} {
		if _, err := c.Send(t.Context(), []byte(raw), Tweak{Await: 10 * time.Millisecond}); kindOf(err) != Timeout {
			t.Errorf("no answer gives %v", err)
		}
	}
	if _, err := c.Alive(t.Context(), CallOptions{}); err != nil {
		t.Errorf("after it: %v, %s", err, codes(c.Observations()))
	}
	if got := codes(c.Observations()); got != "" {
		t.Errorf("answers that nobody waited for are held against the server: %s", got)
	}
}

func TestChildThatDoesNotRead(t *testing.T) {
	c := dial(t, command("blocked"), Options{Era: EraLegacy, CloseTimeout: 50 * time.Millisecond})
	big := map[string]string{"text": strings.Repeat("x", 1<<20)}
	if _, err := c.Call(t.Context(), "tools/call", big, CallOptions{Timeout: 100 * time.Millisecond}); kindOf(err) != Timeout {
		t.Errorf("the call fails with %v", err)
	}
	if closing := c.Close(); closing.Exit == nil || closing.Exit.Signal == "" {
		t.Errorf("it closed as %+v", closing)
	}
}

// TestAnsweredNotification: an answer to a notification looks like one to the request after
// it. It is not taken for that when the request is answered too.
func TestAnsweredNotification(t *testing.T) {
	c := dial(t, command("replying"), Options{Era: EraLegacy})
	for n := range 3 {
		ex, err := c.Call(t.Context(), "tools/list", nil, CallOptions{})
		if err != nil || string(ex.Result) != `{"tools":[]}` || len(ex.Observations) > 0 {
			t.Fatalf("call %d gives %s, %v, and observes %s", n, ex.Result, err, codes(ex.Observations))
		}
	}
	if _, err := c.Notify(t.Context(), "notifications/roots/list_changed", nil); err != nil {
		t.Fatal(err)
	}
	if _, err := c.Call(t.Context(), "tools/list", nil, CallOptions{}); err != nil {
		t.Fatal(err)
	}
	if all := c.Counts(); all[NotificationReply] != 2 || len(all) != 1 {
		t.Errorf("the connection observes %v", all)
	}
}

func TestCommandsThatCannotRun(t *testing.T) {
	script := t.TempDir() + "/script"
	if err := os.WriteFile(script, []byte("#!/no/such/interpreter\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	for _, words := range [][]string{{"no-such-program-anywhere"}, {"./not-there"}, {script}, {""}} {
		_, err := Connect(t.Context(), Target{Command: words}, quick(Options{Era: EraLegacy}))
		var e *Error
		if !errors.As(err, &e) || e.Kind != Refused || e.Stage != StageCommand {
			t.Errorf("%q fails with %v", words, err)
		}
	}
	for word, hint := range map[string]string{"no such --flag": "words of their own", "localhost:1/mcp": "begins with https://", "[::1]:80": "begins with https://"} {
		if _, err := Connect(t.Context(), Target{Command: []string{word}}, quick(Options{Era: EraLegacy})); err == nil || !strings.Contains(err.Error(), hint) {
			t.Errorf("%q fails with %v, without %q", word, err, hint)
		}
	}
	_, err := Connect(t.Context(), Target{Command: []string{"true"}}, quick(Options{}))
	var failed *ConnectError
	if !errors.As(err, &failed) || kindOf(err) != Exited || failed.Evidence.Process == nil || failed.Evidence.Probe == nil || len(failed.Evidence.Transcript.Entries) == 0 {
		t.Errorf("a program that is no server fails with %#v", err)
	}
}

// TestConnectContext: the child lives on when the context of Connect is over.
func TestConnectContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	c, err := Connect(ctx, command("plain"), quick(Options{Era: EraLegacy}))
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	cancel()
	if _, err := c.Alive(t.Context(), CallOptions{}); err != nil {
		t.Error(err)
	}
}
