package check

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"strings"

	"github.com/legwork-mcp/legwork/internal/mcptest/wire"
)

// probeHTTP sends HTTP requests that break the transport.
func (r *run) probeHTTP(ctx context.Context) outcome {
	r.provoked = true
	n := 0
	client := func(a *wire.HTTPAnswer) bool { return a.Status >= 400 }
	try := func(name, rule string, t wire.Tweak, ok func(*wire.HTTPAnswer) bool) {
		if ctx.Err() != nil || r.dead() {
			return
		}
		n++
		body := `{"jsonrpc":"2.0","id":"legwork-http","method":"tools/list","params":{}}`
		if t.Method != "" {
			body = ""
		}
		t.Timeout, t.NoAuthorize = min(r.o.CallTimeout, patience), true
		ex, err := r.conn.Send(ctx, []byte(body), t)
		if ex == nil || ex.HTTP == nil || ex.HTTP.Status == 0 {
			return // no status, nothing to judge
		}
		at := spot{name, "", fmt.Sprintf("HTTP %d %s; %s", ex.HTTP.Status, ex.HTTP.Header.Get("Content-Type"), r.sent(ex, err))}
		session := rule == "session-deleted" || rule == "session-unknown"
		if rule == "session-deleted" && client(ex.HTTP) { // it is dead, and clients are not told so
			rule = "session-dead-status"
		}
		if ex.HTTP.Status >= 500 && !session {
			r.add("server-error", at)
			return
		}
		if !ok(ex.HTTP) {
			r.add(rule, at)
		}
	}
	status := func(wants ...int) func(*wire.HTTPAnswer) bool {
		return func(a *wire.HTTPAnswer) bool {
			for _, want := range wants {
				if a.Status == want {
					return true
				}
			}
			return false
		}
	}
	set := func(k, v string) http.Header { return http.Header{k: {v}} }

	try("Origin of a foreign page", "origin-taken", wire.Tweak{Header: set("Origin", "https://legwork-check.example")}, client)
	try("a protocol version that does not exist", "version-header", wire.Tweak{Header: set("Mcp-Protocol-Version", "1999-01-01")}, client)
	try("Host of a foreign page", "host-taken", wire.Tweak{Header: set("Host", "legwork-check.example")}, func(a *wire.HTTPAnswer) bool {
		return !local(r.target.URL) || client(a)
	})
	try("Accept text/html", "accept-taken", wire.Tweak{Header: set("Accept", "text/html")}, client)
	try("Accept application/json", "accept-ignored", wire.Tweak{Header: set("Accept", "application/json")}, func(a *wire.HTTPAnswer) bool {
		return !strings.HasPrefix(a.Header.Get("Content-Type"), "text/event-stream")
	})
	try("HEAD", "http-bad-status", wire.Tweak{Method: http.MethodHead}, func(a *wire.HTTPAnswer) bool { return len(a.Body) == 0 })
	try("Content-Type text/plain", "content-type-taken", wire.Tweak{Header: set("Content-Type", "text/plain")}, client)
	if r.conn.Era() == wire.EraLegacy {
		try("GET", "get-status", wire.Tweak{Method: http.MethodGet, Header: set("Accept", "text/event-stream")}, func(a *wire.HTTPAnswer) bool {
			return a.Status == http.StatusMethodNotAllowed || a.Status == http.StatusConflict || a.Status == http.StatusOK && strings.HasPrefix(a.Header.Get("Content-Type"), "text/event-stream")
		})
	} else {
		try("GET", "get-status", wire.Tweak{Method: http.MethodGet}, status(http.StatusMethodNotAllowed))
	}
	if old := r.conn.Session(); old != "" {
		try("a session that does not exist", "session-unknown", wire.Tweak{Session: "legwork-check-no-such-session"}, status(http.StatusNotFound))
		try("no session", "session-missing", wire.Tweak{Session: "-"}, client)
		r.afterDelete(ctx, try, status)
	}
	return outcome{detail: fmt.Sprintf("%d requests", n)}
}

// afterDelete ends a session of its own and uses it again.
func (r *run) afterDelete(ctx context.Context, try func(string, string, wire.Tweak, func(*wire.HTTPAnswer) bool), status func(...int) func(*wire.HTTPAnswer) bool) {
	o := r.o.Wire
	o.Era, o.NoStream = wire.EraLegacy, true
	other, err := wire.Connect(ctx, r.target, o)
	if err != nil {
		return
	}
	id := other.Session()
	steps := other.Close().Steps
	for _, s := range steps {
		if strings.HasPrefix(s, "DELETE 2") && id != "" {
			try("a session that was ended", "session-deleted", wire.Tweak{Session: id}, status(http.StatusNotFound))
		}
	}
}

// local reports whether an address is one of this machine, where pages of a browser can
// reach a server under a name of theirs (DNS rebinding).
func local(address string) bool {
	u, err := url.Parse(address)
	if err != nil {
		return false
	}
	ip := net.ParseIP(u.Hostname())
	return u.Hostname() == "localhost" || ip != nil && ip.IsLoopback()
}
