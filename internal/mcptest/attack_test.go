package mcptest

import (
	"net/http"
	"net/url"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/legwork-mcp/legwork/internal/mcptest/fixture"
	"github.com/legwork-mcp/legwork/internal/mcptest/wire"
)

// mostTold is more than any answer has for its caller, in bytes, both faces together.
const mostTold = 400_000

// mostTaken is more than one call takes from a server, in bytes: the limit of an answer
// over HTTP, and what is under way in its connections.
const mostTaken = 80 << 20

// TestUnderAttack uses each hostile server as an agent does that knows nothing of it. What
// comes back is bounded, the server's words stay within their marks, nothing that a
// terminal obeys reaches a text, and the tester goes on with another server.
func TestUnderAttack(t *testing.T) {
	for _, s := range fixture.All() {
		if !strings.Contains(s.Row, "A") {
			continue
		}
		for _, over := range s.Over {
			t.Run(s.Name+"/"+string(over), func(t *testing.T) {
				t.Parallel()
				b := newBench(t, quick)
				target := s.StartOver(t, over)
				where := `"url":` + quote(target.URL)
				if over == fixture.Stdio {
					where = `"command":` + quote(target.Command[0]) + `,"args":[` + quote(target.Command[1]) + `,` + quote(target.Command[2]) + `]`
				}
				for _, c := range []struct{ tool, args string }{
					{"connect_to_server", `{"era":"legacy",` + where + `}`}, {"list_tools", `{}`},
					{"call_tool", `{"name":"echo","arguments":{"text":"hello"},"timeout_ms":2000}`},
					{"get_connection_status", `{}`}, {"get_transcript", `{}`}, {"record_suite", `{}`}, {"snapshot", `{}`}, {"disconnect", `{}`},
				} {
					a := b.call(c.tool, c.args)
					if len(a.raw)+len(a.text) > mostTold {
						t.Errorf("%s: %d and %d bytes", c.tool, len(a.raw), len(a.text))
					}
					if at := strings.IndexAny(a.text, "\x1b\x07\u202e\u2066\U000e0069"); at >= 0 {
						t.Errorf("%s: the text has what terminals and models obey: %q", c.tool, a.text[at:min(len(a.text), at+60)])
					}
					if outside := outsideOfMarks(a.text); strings.Contains(outside, "id_rsa") || strings.Contains(outside, "owned") {
						t.Errorf("%s: the server speaks outside of its marks:\n%s", c.tool, a.text)
					}
				}
				if target.Sent != nil && target.Sent() > mostTaken {
					t.Errorf("%d bytes were taken", target.Sent())
				}
				b.want("connect_to_server", at(t, "plain"))
				if a := b.want("call_tool", `{"name":"echo","arguments":{"text":"alive"}}`); !strings.Contains(a.raw, "alive") {
					t.Errorf("the tester is not itself any more: %s", a.raw)
				}
			})
		}
	}
}

// quick bounds the time of connecting and calls, and lets nobody be reached but this
// machine.
func quick(o *Options) {
	o.Settings.Connect, o.Settings.Call = 10*time.Second, 3*time.Second
	o.Environ = os.Environ()
	o.Reach = func(_ string, o *wire.Options) (func(), error) {
		transport := &http.Transport{Proxy: func(r *http.Request) (*url.URL, error) {
			if r.URL.Hostname() != "127.0.0.1" {
				return nil, http.ErrNotSupported
			}
			return nil, nil
		}}
		o.HTTPClient = &http.Client{Transport: transport}
		return transport.CloseIdleConnections, nil
	}
}

// outsideOfMarks is what the tester itself says in a text.
func outsideOfMarks(text string) string {
	var out strings.Builder
	for {
		before, rest, found := strings.Cut(text, openMark)
		out.WriteString(before)
		if !found {
			return out.String()
		}
		if _, text, found = strings.Cut(rest, closeMark); !found {
			return out.String()
		}
	}
}

// TestSpelled shows what would be obeyed and not seen, and leaves the rest alone.
func TestSpelled(t *testing.T) {
	for text, want := range map[string]string{
		"plain <b>\n\ttext": "plain <b>\n\ttext", "a\x1b[2Jb": `a\u001b[2Jb`, "a\u202eb": `a\u202eb`, "\U000e0069": `\udb40\udc69`,
		"👩\u200d💻": "👩\u200d💻", "می\u200cخواهم": "می\u200cخواهم", "\ufeffx": `\ufeffx`, "\u0085": `\u0085`,
	} {
		if got := spelled(text); got != want {
			t.Errorf("%q is spelled %q, want %q", text, got, want)
		}
	}
}
