package check

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"github.com/legwork-mcp/legwork/internal/mcptest/wire"
)

// pulse asks whether the server answers, with ping as long as it answers that.
func (r *run) pulse(ctx context.Context, o wire.CallOptions) (*wire.Exchange, error) {
	ex, err := r.beat(ctx, o)
	if r.pingless || !timedOut(err) || len(r.tools) == 0 || ctx.Err() != nil {
		return ex, err
	}
	other, failed := r.conn.Call(ctx, "tools/list", nil, o)
	if failed != nil {
		return ex, err
	}
	r.pingless = true
	r.add("ping-silent", spot{"ping", "", err})
	return other, nil
}

// beat asks once, with what the server is known to answer.
func (r *run) beat(ctx context.Context, o wire.CallOptions) (*wire.Exchange, error) {
	if r.pingless {
		return r.conn.Call(ctx, "tools/list", nil, o)
	}
	return r.conn.Alive(ctx, o)
}

func timedOut(err error) bool {
	var e *wire.Error
	return errors.As(err, &e) && e.Kind == wire.Timeout
}

// refused reports whether an error shows that the server is there: it said no with an
// HTTP status, or answered something that is no answer.
func refused(err error) bool {
	var e *wire.Error
	return errors.As(err, &e) && (e.Kind == wire.Protocol || e.Kind == wire.Refused && e.Stage == wire.StageHTTP && e.Status() < 500)
}

// explained names the cause of a failure, when it lies outside of what was asked. Without
// one the caller says what failed.
func (r *run) explained(ctx context.Context, at spot, err error) bool {
	var e *wire.Error
	if !errors.As(err, &e) {
		return false
	}
	at.evidence = e.Error() + r.detail(e)
	switch status := e.Status(); {
	case e.Kind == wire.TooLarge:
		r.add("oversized", at)
	case limited(err):
		r.add("rate-limited", at)
	case status == http.StatusNotFound && r.conn.Session() != "":
		r.add("session-unstable", at)
	case status == http.StatusBadRequest && r.withoutVersion(ctx, at.subject):
		r.add("version-refused", at)
	case status == http.StatusForbidden && !strings.Contains(challenges(e), "insufficient_scope"):
		r.add("auth-scope", at)
	case status == http.StatusForbidden || status == http.StatusUnauthorized:
		r.add("call-unauthorized", at)
	default:
		return false
	}
	return true
}

// limited reports whether a server says that it is asked too often, as it may.
func limited(err error) bool {
	var e *wire.Error
	return errors.As(err, &e) && e.Status() == http.StatusTooManyRequests
}

func challenges(e *wire.Error) string {
	return strings.Join(e.HTTP.Header.Values("WWW-Authenticate"), ", ")
}

// withoutVersion reports whether a list is answered when the header with the protocol
// version is left out.
func (r *run) withoutVersion(ctx context.Context, method string) bool {
	if r.conn.Era() != wire.EraLegacy || r.conn.Transport() != wire.HTTPTransport || !strings.HasSuffix(method, "/list") {
		return false
	}
	raw := fmt.Sprintf(`{"jsonrpc":"2.0","id":"legwork-version","method":%q,"params":{}}`, method)
	ex, err := r.conn.Send(ctx, []byte(raw), wire.Tweak{Header: http.Header{"Mcp-Protocol-Version": nil}, Timeout: r.o.CallTimeout, NoAuthorize: true})
	return err == nil && len(ex.Result) > 0
}

// repeat calls a tool once more that says that it changes nothing: a server may be good
// for one call only. It reports whether that was so good as the first time.
func (r *run) repeat(ctx context.Context, i item, args any) bool {
	a, _ := i.fields["annotations"].(map[string]any)
	if r.repeated || a["readOnlyHint"] != true || ctx.Err() != nil {
		return true
	}
	r.repeated = true
	_, err := r.conn.Call(ctx, "tools/call", map[string]any{"name": i.name, "arguments": args}, r.callOptions())
	var e *wire.Error
	if errors.As(err, &e) && e.Kind != wire.Cancelled && e.Kind != wire.Timeout && !limited(err) {
		r.add("call-unrepeatable", i.at("", e.Error()+r.detail(e)))
		return false
	}
	return true
}

// diedListing notes that the server ended at the request for a list that it does not
// offer, and starts it anew.
func (r *run) diedListing(ctx context.Context, l list, err error) bool {
	var e *wire.Error
	if !errors.As(err, &e) || e.Kind != wire.Exited {
		return false
	}
	r.add("probe-killed", spot{l.method, "", e.Error() + r.detail(e)})
	r.unasked = true // the next one would end it too
	r.again(ctx)
	return true
}

// exitCode notes a process that ended with an error after it was told to end. The wire
// sees those that end before.
func (r *run) exitCode(closing *wire.Closing) {
	other := slices.ContainsFunc(closing.Steps, func(s string) bool { return strings.HasPrefix(s, "SIG") || s == wire.HadEnded })
	if e := closing.Exit; e != nil && !other && (e.Code > 0 || e.Signal != "") {
		r.add("exited-badly", spot{"process", "", strings.TrimSpace(fmt.Sprintf("after the end of its input: exit code %d %s", e.Code, e.Signal)) + lastWords(e.Stderr)})
	}
}

// mostWords bounds what is shown of an error output, in bytes.
const mostWords = 400

// lastWords are what an error output says of the end of its process: the beginning of the
// crash, when one is known by its form, and else its end. A crash of many lines names its
// cause in the first, in Python in the last.
func lastWords(output []byte) string {
	text := strings.TrimSpace(strings.ToValidUTF8(string(output), ""))
	if text == "" {
		return "; it wrote nothing to stderr"
	}
	begin := -1
	for _, mark := range []string{"panic: ", "fatal error: ", "Traceback (most recent call last)", "Error: ", "Exception: ", "Exception in thread", "thread '"} {
		begin = max(begin, crashAt(text, mark))
	}
	switch {
	case begin < 0 && len(text) > mostWords, begin >= 0 && strings.HasPrefix(text[begin:], "Traceback") && len(text)-begin > mostWords:
		return "; its error output ends: " + strings.ToValidUTF8(text[len(text)-mostWords:], "")
	case begin < 0:
		return "; its error output: " + text
	}
	return "; its error output: " + strings.ToValidUTF8(text[begin:min(len(text), begin+mostWords)], "")
}

// crashAt is where the last line begins that has a mark, at its beginning or at the end
// of its first word; -1 is nowhere. The last line of a Python traceback is no line of
// its own.
func crashAt(text, mark string) int {
	for end := len(text); end > 0; {
		at := strings.LastIndex(text[:end], mark)
		if at < 0 {
			return -1
		}
		line := strings.LastIndexByte(text[:at], '\n') + 1
		if !strings.ContainsAny(text[line:at], " \t") && !strings.Contains(text[:line], "Traceback (most recent call last)") {
			return line
		}
		end = at
	}
	return -1
}
