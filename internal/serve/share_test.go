package serve_test

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"

	"github.com/legwork-mcp/legwork/internal/auth/oauth/oauthtest"
	"github.com/legwork-mcp/legwork/internal/serve"
	"github.com/legwork-mcp/legwork/internal/tool"
)

// bearer is the header of a caller who may read.
func bearer(issuer *oauthtest.Issuer, subject string) string {
	return "Bearer " + issuer.Mint(map[string]any{"sub": subject, "scope": "test:read"})
}

// member is a caller in a session.
type member struct{ token, session string }

func (m member) header() map[string]string {
	return map[string]string{"Authorization": m.token, "Mcp-Session-Id": m.session}
}

// list is what a member who is still in the session is answered.
func (m member) list(status int) exchange {
	code := 0
	if status != 200 {
		code = -32600
	}
	return exchange{body: `{"jsonrpc":"2.0","id":2,"method":"tools/list"}`, header: m.header(), status: status, code: code}
}

// TestNobodyTakesTheSessionsOfOthers: a caller who opens sessions without end loses
// its own oldest ones, whether it shows its token at once or later.
func TestNobodyTakesTheSessionsOfOthers(t *testing.T) {
	for name, early := range map[string]bool{"token at once": true, "token later": false} {
		t.Run(name, func(t *testing.T) {
			r, issuer := protected(t, func(o *serve.Options) { o.MaxSessions = 4 })
			join := func(subject string, early bool) member {
				m := member{token: bearer(issuer, subject)}
				x := exchange{body: initialize}
				if early {
					x.header = map[string]string{"Authorization": m.token}
				}
				got := send(t, r.url, x)
				check(t, exchange{status: 200}, got)
				m.session = got.header.Get("Mcp-Session-Id")
				check(t, m.list(200), send(t, r.url, m.list(200)))
				return m
			}
			bob := join("bob", early)
			greedy := make([]member, 7)
			for i := range greedy {
				greedy[i] = join("mallory", early)
			}
			ann := join("ann", early)
			for _, m := range []member{bob, ann, greedy[5], greedy[6]} {
				check(t, m.list(200), send(t, r.url, m.list(200)))
			}
			check(t, greedy[4].list(404), send(t, r.url, greedy[4].list(404)))
			// Every place is somebody's now. A newcomer who shows a token gets one of whoever
			// has most, a stranger none.
			stranger := exchange{body: initialize, status: 503, code: -32603}
			check(t, stranger, send(t, r.url, stranger))
			carl := join("carl", true)
			check(t, carl.list(200), send(t, r.url, carl.list(200)))
			for i, m := range []member{bob, ann, greedy[6]} {
				if got := send(t, r.url, m.list(200)); got.status != 200 {
					t.Errorf("%d: %d %s", i, got.status, got.body)
				}
			}
			check(t, greedy[5].list(404), send(t, r.url, greedy[5].list(404)))
			// Everybody has one now, and can begin anew in it.
			dora := exchange{body: initialize, header: map[string]string{"Authorization": bearer(issuer, "dora")}, status: 503, code: -32603}
			check(t, dora, send(t, r.url, dora))
			again := join("bob", true)
			check(t, again.list(200), send(t, r.url, again.list(200)))
			check(t, bob.list(404), send(t, r.url, bob.list(404)))
			check(t, ann.list(200), send(t, r.url, ann.list(200)))
		})
	}
}

// TestAFloodDoesNotOvertakeAToken: a session that was opened with a token is not
// among those that a flood of strangers ends before they are used.
func TestAFloodDoesNotOvertakeAToken(t *testing.T) {
	r, issuer := protected(t, func(o *serve.Options) { o.MaxSessions = 4 })
	ann := member{token: bearer(issuer, "ann")}
	ann.session = send(t, r.url, exchange{body: initialize, header: map[string]string{"Authorization": ann.token}}).header.Get("Mcp-Session-Id")
	for range 20 {
		check(t, exchange{status: 200}, send(t, r.url, exchange{body: initialize}))
	}
	bob := member{token: bearer(issuer, "bob"), session: ann.session}
	check(t, bob.list(404), send(t, r.url, bob.list(404)))
	check(t, ann.list(200), send(t, r.url, ann.list(200)))
	// A token that is not good opens a session like none.
	check(t, exchange{status: 200}, send(t, r.url, exchange{body: initialize, header: map[string]string{"Authorization": "Bearer bad"}}))
}

// TestStrangersSendLittle: who has shown no token gets no memory for a large body,
// and is told to show one before its body is there.
func TestStrangersSendLittle(t *testing.T) {
	r, issuer := protected(t, nil)
	const size = 1 << 20
	call := `{"jsonrpc":"2.0","id":2,"method":"server/discover","params":{}}`
	for name, tt := range map[string]struct {
		header string
		status int
	}{
		"no token":   {"", 401},
		"bad token":  {"Authorization: Bearer bad\r\n", 401},
		"two tokens": {"Authorization: Bearer bad\r\nAuthorization: " + bearer(issuer, "ann") + "\r\n", 400},
	} {
		t.Run(name, func(t *testing.T) {
			conn, err := net.Dial("tcp", strings.TrimPrefix(r.url, "http://"))
			if err != nil {
				t.Fatal(err)
			}
			defer conn.Close()
			fmt.Fprintf(conn, "POST / HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n%sContent-Length: %d\r\n\r\n%s",
				tt.header, size, call+strings.Repeat(" ", 40<<10))
			// The rest never comes: the answer does not wait for it.
			answer := make([]byte, 12)
			if _, err := io.ReadFull(conn, answer); err != nil {
				t.Fatal(err)
			}
			if want := fmt.Sprintf("HTTP/1.1 %d", tt.status); string(answer) != want {
				t.Errorf("%q, want %q", answer, want)
			}
		})
	}
	x := exchange{body: call + strings.Repeat(" ", 40<<10), status: 401, code: -32600}
	got := send(t, r.url, x)
	check(t, x, got)
	if !strings.Contains(got.header.Get("WWW-Authenticate"), "resource_metadata=") {
		t.Errorf("the challenge is %q", got.header.Get("WWW-Authenticate"))
	}
	x = exchange{
		body:   strings.Replace(initialize, "{", "{"+strings.Repeat(" ", size), 1),
		header: map[string]string{"Authorization": bearer(issuer, "ann")}, status: http.StatusOK,
	}
	check(t, x, send(t, r.url, x))
}

// TestAnEndedSessionEndsItsCalls: ending a session does not wait until a call is
// over, and whoever waits for the call is told, instead of getting nothing.
func TestAnEndedSessionEndsItsCalls(t *testing.T) {
	for name, tt := range map[string]struct{ accept, tool string }{
		"JSON":                   {"application/json", "slow"},
		"a stream":               {"application/json, text/event-stream", "slow"},
		"a stream with progress": {"application/json, text/event-stream", "begun"},
	} {
		t.Run(name, func(t *testing.T) {
			d := newDesk()
			r := start(t, func(o *serve.Options) { o.Endpoints[0].Tools = append(o.Endpoints[0].Tools, begun.Bind(d)) })
			header := open(t, r.url)
			header["Accept"] = tt.accept
			ended := make(chan answer, 1)
			go func() {
				ended <- send(t, r.url, exchange{header: header, body: fmt.Sprintf(
					`{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":%q,"arguments":{},"_meta":{"progressToken":1}}}`, tt.tool)})
			}()
			select {
			case <-r.started:
			case <-d.started:
			}
			check(t, exchange{status: 204}, send(t, r.url, exchange{method: "DELETE", header: map[string]string{"Mcp-Session-Id": header["Mcp-Session-Id"]}}))
			got := <-ended
			if body := string(got.body); got.status != 200 || !strings.Contains(body, `"id":7,`) || strings.Contains(body, `"done":true`) {
				t.Errorf("%d %s", got.status, body)
			}
		})
	}
}

// begun says that it has begun, and goes on.
var begun = tool.New(spec("begun"), func(d *desk, ctx context.Context, _ none) (done, error) {
	tool.Progress(ctx, 0, 1, "begun")
	d.started <- struct{}{}
	<-ctx.Done()
	return done{}, ctx.Err()
})

// TestASessionThatGivesWayHoldsNobodyUp: a caller whose oldest session has a call
// under way can open the next one all the same.
func TestASessionThatGivesWayHoldsNobodyUp(t *testing.T) {
	r, issuer := protected(t, func(o *serve.Options) { o.MaxSessions = 1 })
	header := map[string]string{"Authorization": bearer(issuer, "ann")}
	first := member{header["Authorization"], send(t, r.url, exchange{body: initialize, header: header}).header.Get("Mcp-Session-Id")}
	ended := make(chan answer, 1)
	go func() {
		ended <- send(t, r.url, exchange{header: first.header(), body: `{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"slow","arguments":{}}}`})
	}()
	<-r.started
	second := member{first.token, send(t, r.url, exchange{body: initialize, header: header}).header.Get("Mcp-Session-Id")}
	check(t, second.list(200), send(t, r.url, second.list(200)))
	check(t, first.list(404), send(t, r.url, first.list(404)))
	if got := <-ended; !strings.Contains(string(got.body), `"id":7,`) {
		t.Errorf("%d %s", got.status, got.body)
	}
}
