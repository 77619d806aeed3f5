package hosted

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// server is a running legwork http.
type server struct {
	*process
	base string // scheme and host, without a slash at the end
	home string
}

// command is the program with an environment of its own.
func command(home string, env []string, args ...string) *exec.Cmd {
	cmd := exec.Command(legworkBin, args...)
	cmd.Env = append([]string{
		"PATH=" + os.Getenv("PATH"), "HOME=" + home, "TMPDIR=" + os.TempDir(),
		"XDG_DATA_HOME=" + filepath.Join(home, "data"), "XDG_CONFIG_HOME=" + filepath.Join(home, "config"),
	}, env...)
	return cmd
}

func startPractice() (*process, error) {
	practiceAddr = freeAddr()
	return start(command(os.TempDir(), nil, "practice", "--addr", practiceAddr), "http://"+practiceAddr+"/")
}

// startServer starts legwork http with the practice site and these settings.
func startServer(t *testing.T, env ...string) *server {
	t.Helper()
	addr := freeAddr()
	s := &server{base: "http://" + addr, home: t.TempDir()}
	env = append([]string{"LEGWORK_PRACTICE_ADDR=" + practiceAddr, "LEGWORK_LOG_LEVEL=debug"}, env...)
	var err error
	if s.process, err = start(command(s.home, env, "http", "--addr", addr), s.base+"/health"); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.stop)
	t.Cleanup(func() {
		if t.Failed() {
			t.Logf("the log of the server:\n%.20000s", s.log)
		}
	})
	return s
}

// reply is an HTTP answer that was read to its end.
type reply struct {
	status int
	header http.Header
	body   string
}

// challenge is the WWW-Authenticate header.
func (r reply) challenge() string { return r.header.Get("WWW-Authenticate") }

// result is the JSON-RPC result, or "" when there is none.
func (r reply) result() string {
	var m struct {
		Result json.RawMessage `json:"result"`
	}
	_ = json.Unmarshal([]byte(r.body), &m) // without a result there is ""
	return string(m.Result)
}

// exchange is one HTTP request, whose body is JSON unless a header says otherwise.
func exchange(method, url string, header http.Header, body string) (reply, error) {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, method, url, strings.NewReader(body))
	if err != nil {
		return reply{}, err
	}
	for name, values := range header {
		req.Header[http.CanonicalHeaderKey(name)] = values
	}
	if body != "" && req.Header.Get("Content-Type") == "" {
		req.Header.Set("Content-Type", "application/json")
	}
	res, err := http.DefaultTransport.RoundTrip(req) // no redirect is followed
	if err != nil {
		return reply{}, err
	}
	defer func() { _ = res.Body.Close() }()
	raw, err := io.ReadAll(res.Body)
	return reply{res.StatusCode, res.Header, string(raw)}, err
}

func send(t *testing.T, method, url string, header http.Header, body string) reply {
	t.Helper()
	r, err := exchange(method, url, header, body)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// caller is a client of one endpoint that shows every byte.
type caller struct {
	t       *testing.T
	url     string
	token   string
	session string
	id      int // of the next message; a session takes none twice at a time
}

func (s *server) caller(t *testing.T, path, token string) *caller {
	return &caller{t: t, url: s.base + path, token: token}
}

// ask sends one message and remembers the session that it opens.
func (c *caller) ask(method, params string) reply {
	c.t.Helper()
	header := http.Header{"Accept": {"application/json"}}
	if c.token != "" {
		header.Set("Authorization", "Bearer "+c.token)
	}
	if c.session != "" {
		header.Set("Mcp-Session-Id", c.session)
	}
	c.id++
	id := fmt.Sprintf(`"id":%d,`, c.id)
	if strings.HasPrefix(method, "notifications/") {
		id = ""
	}
	r := send(c.t, http.MethodPost, c.url, header, `{"jsonrpc":"2.0",`+id+`"method":"`+method+`","params":`+params+`}`)
	if id := r.header.Get("Mcp-Session-Id"); id != "" {
		c.session = id
	}
	return r
}

const initializeParams = `{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"test","version":"1"}}`

// open starts a session.
func (c *caller) open() *caller {
	c.t.Helper()
	if r := c.ask("initialize", initializeParams); r.status != http.StatusOK || c.session == "" {
		c.t.Fatalf("no session: %d %s", r.status, r.body)
	}
	if r := c.ask("notifications/initialized", `{}`); r.status != http.StatusAccepted {
		c.t.Fatalf("the session does not open: %d %s", r.status, r.body)
	}
	return c
}

// list asks for the tools, which takes a good token.
func (c *caller) list() reply {
	c.t.Helper()
	return c.ask("tools/list", `{}`)
}

// call calls a tool.
func (c *caller) call(tool, arguments string) reply {
	c.t.Helper()
	return c.ask("tools/call", `{"name":"`+tool+`","arguments":`+arguments+`}`)
}

// modern calls a tool in the era without sessions.
func (c *caller) modern(tool, arguments string) reply {
	c.t.Helper()
	header := http.Header{
		"Accept": {"application/json"}, "Authorization": {"Bearer " + c.token},
		"Mcp-Protocol-Version": {"2026-07-28"}, "Mcp-Method": {"tools/call"}, "Mcp-Name": {tool},
	}
	return send(c.t, http.MethodPost, c.url, header, `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"`+tool+`","arguments":`+arguments+`,
		"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":{"name":"test","version":"1"},
		"io.modelcontextprotocol/clientCapabilities":{}}}}`)
}

// works reports whether a token is taken now.
func (c *caller) works(token string) bool {
	c.t.Helper()
	c.token = token
	return c.list().status == http.StatusOK
}

// want fails the test unless the reply has this status.
func (r reply) want(t *testing.T, status int) reply {
	t.Helper()
	if r.status != status {
		t.Fatalf("status %d, want %d: %s %s", r.status, status, r.challenge(), r.body)
	}
	return r
}

func decodeSegment(s string) ([]byte, error) { return base64.RawURLEncoding.DecodeString(s) }
