package wire

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"strings"
	"syscall"
	"testing"
	"time"
)

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
	"deaf": func(s *stdioServer) { // ends only when it is killed
		signal.Ignore(syscall.SIGTERM)
		fmt.Fprintln(os.Stderr, strings.Repeat("flood of errors ", 20000))
		s.serve(func(m *message) { say(result(m.ID, `{}`)) })
		select {}
	},
	"parent": func(s *stdioServer) {
		child := exec.Command("sleep", "600")
		child.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
		child.Stdout = os.Stdout
		if err := child.Start(); err != nil {
			os.Exit(98)
		}
		s.serve(func(m *message) { say(result(m.ID, fmt.Sprintf(`{"pid":%d}`, child.Process.Pid))) })
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
}
