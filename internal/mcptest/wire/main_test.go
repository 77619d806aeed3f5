package wire

import (
	"bufio"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"
)

// serverMode makes the test binary a server of the tests: the name of a script.
const serverMode = "WIRE_TEST_SERVER"

func TestMain(m *testing.M) {
	addScripts()
	if mode := os.Getenv(serverMode); mode != "" {
		script := scripts[mode]
		if script == nil {
			fmt.Fprintln(os.Stderr, "no such script: "+mode)
			os.Exit(99)
		}
		in := bufio.NewScanner(os.Stdin)
		in.Buffer(make([]byte, 64<<10), 64<<20)
		script(&stdioServer{in})
		os.Exit(0)
	}
	goleak.VerifyTestMain(m)
}

// stdioServer is a server in a process of its own, written by hand so that it can do
// what a server must not do.
type stdioServer struct{ in *bufio.Scanner }

// message is what a server of the tests looks at.
type message struct {
	ID     json.RawMessage `json:"id"`
	Method string          `json:"method"`
	Params json.RawMessage `json:"params"`
}

// next waits for a message; nil at the end of the input.
func (s *stdioServer) next() *message {
	if !s.in.Scan() {
		return nil
	}
	var m message
	if err := json.Unmarshal(s.in.Bytes(), &m); err != nil {
		return &message{Method: "unreadable", Params: s.in.Bytes()}
	}
	return &m
}

func say(text string) { fmt.Println(text) }

func result(id json.RawMessage, text string) string {
	return `{"jsonrpc":"2.0","id":` + string(id) + `,"result":` + text + `}`
}

func failure(id json.RawMessage, code int, text string) string {
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"error":{"code":%d,"message":%q}}`, id, code, text)
}

const greeting = `{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"test","version":"1"}}`

// shake answers what opens a legacy connection; it reports whether it did.
func shake(m *message) bool {
	switch m.Method {
	case "initialize":
		say(result(m.ID, greeting))
	case "notifications/initialized", "notifications/cancelled":
	case "ping":
		say(result(m.ID, `{}`))
	case "server/discover":
		say(failure(m.ID, CodeMethodNotFound, "Method not found"))
	default:
		return false
	}
	return true
}

// serve answers calls with f until the input ends.
func (s *stdioServer) serve(f func(*message)) {
	for m := s.next(); m != nil; m = s.next() {
		if !shake(m) {
			f(m)
		}
	}
}

// command is a target that runs a script in a process of its own.
func command(mode string) Target {
	return Target{Command: []string{os.Args[0], "-test.run=^$"}, Env: map[string]string{serverMode: mode}}
}

// quick are options that make tests short where a server does not answer.
func quick(o Options) Options {
	o.Environ = os.Environ()
	if o.HTTPClient == nil {
		o.HTTPClient = &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	}
	if o.CloseTimeout == 0 {
		o.CloseTimeout = 10 * time.Second
	}
	if o.ConnectTimeout == 0 {
		o.ConnectTimeout = 60 * time.Second
	}
	return o
}

// dial connects and closes at the end of the test.
func dial(t *testing.T, target Target, o Options) *Conn {
	t.Helper()
	c, err := Connect(t.Context(), target, quick(o))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	return c
}

// codes are those of observations, in order, each once.
func codes(all []Observation) string {
	var out []string
	for _, o := range all {
		if code := string(o.Code); len(out) == 0 || out[len(out)-1] != code {
			out = append(out, code)
		}
	}
	return strings.Join(out, " ")
}
