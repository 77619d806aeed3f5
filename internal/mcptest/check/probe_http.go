package check

import (
	"bytes"
	"context"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/legwork-mcp/legwork/internal/mcptest/wire"
)

// httpProbe is an HTTP request that is wrong in one thing.
type httpProbe struct {
	name, rule string
	tweak      wire.Tweak
	body       []byte // instead of the usual request
	ok         func(*wire.Exchange) bool
}

// webProbes sends them, one after the other.
type webProbes struct {
	r    *run
	sent int
}

// probeHTTP sends HTTP requests that break the transport.
func (r *run) probeHTTP(ctx context.Context) outcome {
	r.provoked = true
	w := &webProbes{r: r}
	if plain := w.plain(ctx); plain != nil {
		return skip("a request without a fault is refused here, so that nothing can be told by those that have one: " + r.sent(plain, plain.Err))
	}
	for _, p := range r.headerProbes() {
		w.try(ctx, p)
	}
	if r.conn.Era() == wire.EraModern {
		for _, p := range r.modernProbes() {
			w.try(ctx, p)
		}
	} else {
		w.legacy(ctx)
	}
	return outcome{detail: fmt.Sprintf("%d requests", w.sent)}
}

// legacy sends what is wrong with the GET and the sessions of the legacy era.
func (w *webProbes) legacy(ctx context.Context) {
	w.try(ctx, httpProbe{name: "GET", rule: "get-status", tweak: wire.Tweak{Method: http.MethodGet, Header: set("Accept", "text/event-stream")}, ok: func(ex *wire.Exchange) bool {
		stream := strings.HasPrefix(ex.HTTP.Header.Get("Content-Type"), "text/event-stream")
		return answered(http.StatusMethodNotAllowed, http.StatusConflict)(ex) || answered(http.StatusOK)(ex) && stream
	}})
	if w.r.conn.Session() == "" {
		return
	}
	w.try(ctx, httpProbe{name: "a session that does not exist", rule: "session-unknown", tweak: wire.Tweak{Session: "legwork-check-no-such-session"}, ok: answered(http.StatusNotFound)})
	w.try(ctx, httpProbe{name: "no session", rule: "session-missing", tweak: wire.Tweak{Session: "-"}, ok: refusing})
	w.afterDelete(ctx)
}

func set(name, value string) http.Header { return http.Header{name: {value}} }

// refusing reports whether an answer says no: by its status, or by the error in it.
func refusing(ex *wire.Exchange) bool { return ex.HTTP.Status >= 400 || ex.RPC != nil }

func answered(wants ...int) func(*wire.Exchange) bool {
	return func(ex *wire.Exchange) bool { return slices.Contains(wants, ex.HTTP.Status) }
}

// send sends one.
func (w *webProbes) send(ctx context.Context, p httpProbe) (*wire.Exchange, error) {
	body := p.body
	if body == nil && p.tweak.Method == "" {
		body = w.r.conn.Request("legwork-http", "tools/list")
	}
	p.tweak.Timeout, p.tweak.NoAuthorize = min(w.r.o.CallTimeout, patience), true
	return w.r.conn.Send(ctx, body, p.tweak)
}

// plain sends a request without a fault. It is nil when that was taken.
func (w *webProbes) plain(ctx context.Context) *wire.Exchange {
	ex, _ := w.send(ctx, httpProbe{}) // its status says what came
	if ex.HTTP != nil && ex.HTTP.Status/100 == 2 {
		return nil
	}
	return ex
}

// try sends one and judges its answer.
func (w *webProbes) try(ctx context.Context, p httpProbe) {
	if ctx.Err() != nil || w.r.dead() {
		return
	}
	w.sent++
	ex, err := w.send(ctx, p)
	if ex.HTTP == nil || ex.HTTP.Status == 0 || ex.HTTP.Status == http.StatusTooManyRequests {
		return // no answer to this, nothing to judge
	}
	at := spot{p.name, "", fmt.Sprintf("HTTP %d %s; %s", ex.HTTP.Status, ex.HTTP.Header.Get("Content-Type"), w.r.sent(ex, err))}
	session := p.rule == "session-deleted" || p.rule == "session-unknown"
	if p.rule == "session-deleted" && refusing(ex) { // it is dead, and clients are not told so
		p.rule = "session-dead-status"
	}
	switch {
	case ex.HTTP.Status >= 500 && !session:
		w.r.add("server-error", at)
	case p.ok != nil && !p.ok(ex):
		w.r.add(p.rule, at)
	}
}

// headerProbes are wrong in their headers, in both eras.
func (r *run) headerProbes() []httpProbe {
	return []httpProbe{
		{name: "Origin of a foreign page", rule: "origin-taken", tweak: wire.Tweak{Header: set("Origin", "https://legwork-check.example")}, ok: refusing},
		{name: "a protocol version that does not exist", rule: "version-header", tweak: wire.Tweak{Header: set("Mcp-Protocol-Version", "1999-01-01")}, ok: refusing},
		{name: "Host of a foreign page", rule: "host-taken", tweak: wire.Tweak{Header: set("Host", "legwork-check.example")}, ok: func(ex *wire.Exchange) bool {
			return !local(r.target.URL) || refusing(ex)
		}},
		{name: "Accept text/html", rule: "accept-taken", tweak: wire.Tweak{Header: set("Accept", "text/html")}, ok: refusing},
		{name: "Accept application/json", rule: "accept-ignored", tweak: wire.Tweak{Header: set("Accept", "application/json")}, ok: func(ex *wire.Exchange) bool {
			return !strings.HasPrefix(ex.HTTP.Header.Get("Content-Type"), "text/event-stream")
		}},
		{name: "HEAD", tweak: wire.Tweak{Method: http.MethodHead}}, // any status but a failure will do
		{name: "Content-Type text/plain", rule: "content-type-taken", tweak: wire.Tweak{Header: set("Content-Type", "text/plain")}, ok: refusing},
	}
}

// modernProbes break what 2026-07-28 demands of each request (Transports, Streamable HTTP,
// Server Validation; Versioning). A server of both eras may take a GET for one of the
// legacy era that lacks its session.
func (r *run) modernProbes() []httpProbe {
	const never = "2099-01-01"
	later := bytes.ReplaceAll(r.conn.Request("legwork-http", "tools/list"), []byte(`"`+r.conn.Version()+`"`), []byte(`"`+never+`"`))
	return []httpProbe{
		{name: "GET", rule: "get-status", tweak: wire.Tweak{Method: http.MethodGet}, ok: answered(http.StatusMethodNotAllowed, http.StatusBadRequest)},
		{name: "Mcp-Method of another method", rule: "header-unchecked", tweak: wire.Tweak{Header: set("Mcp-Method", "prompts/list")}, ok: refusing},
		{name: "no Mcp-Method", rule: "header-unchecked", tweak: wire.Tweak{Header: http.Header{"Mcp-Method": nil}}, ok: refusing},
		{name: "version " + never, rule: "version-unsupported", tweak: wire.Tweak{Header: set("Mcp-Protocol-Version", never)}, body: later, ok: func(ex *wire.Exchange) bool {
			return ex.HTTP.Status == http.StatusBadRequest && ex.RPC != nil && ex.RPC.Code == wire.CodeUnsupportedVersion
		}},
	}
}

// afterDelete ends a session of its own and uses it again.
func (w *webProbes) afterDelete(ctx context.Context) {
	o := w.r.o.Wire
	o.Era, o.NoStream = wire.EraLegacy, true
	other, err := wire.Connect(ctx, w.r.target, o)
	if err != nil {
		return
	}
	id := other.Session()
	for _, step := range other.Close().Steps {
		if strings.HasPrefix(step, "DELETE 2") && id != "" {
			w.try(ctx, httpProbe{name: "a session that was ended", rule: "session-deleted", tweak: wire.Tweak{Session: id}, ok: answered(http.StatusNotFound)})
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
