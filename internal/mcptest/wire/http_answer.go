package wire

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
)

// readAlready is a body of which the beginning has been read.
func readAlready(beginning []byte, rest io.ReadCloser) io.ReadCloser {
	return struct {
		io.Reader
		io.Closer
	}{io.MultiReader(bytes.NewReader(beginning), rest), rest}
}

// answer reads the answer to a message that was posted.
func (w *web) answer(ctx context.Context, t *trip, resp *http.Response, a *HTTPAnswer) error {
	k := t.out.call
	w.c.noteSession(t, resp)
	switch {
	case t.out.tweak == nil && (k == nil || k.silent):
		return w.accepted(t, resp, a)
	case t.out.tweak == nil && resp.StatusCode == http.StatusNotFound && w.c.sessionOf(k) != "":
		w.readSome(resp, a)
		return w.refusal(t, a, "The server no longer knows the session.")
	case resp.StatusCode/100 == 2 && mediaType(resp.Header) == typeStream:
		return w.stream(ctx, t, resp, a)
	case resp.StatusCode/100 == 2 && resp.StatusCode != http.StatusAccepted && resp.StatusCode != http.StatusNoContent:
		return w.whole(ctx, t, resp, a)
	}
	return w.unusual(ctx, t, resp, a)
}

// accepted reads the answer to a notification or response, which is 202 and nothing
// else (MCP 2025-11-25, Streamable HTTP, Sending Messages to the Server, 4).
func (w *web) accepted(t *trip, resp *http.Response, a *HTTPAnswer) error {
	if resp.StatusCode == http.StatusAccepted {
		w.finish(a)
		return nil
	}
	body := w.readSome(resp, a)
	w.c.observe(Observation{
		Code: BadStatus, Status: resp.StatusCode, Bytes: body,
		Detail: fmt.Sprintf("A notification or response was answered with %d instead of 202.", resp.StatusCode),
	}, t.out.call)
	if resp.StatusCode/100 == 2 {
		return nil
	}
	return w.refusal(t, a, "The server refused a notification or response.")
}

// whole reads an answer that is one JSON body.
func (w *web) whole(ctx context.Context, t *trip, resp *http.Response, a *HTTPAnswer) error {
	k, most := t.out.call, w.c.opt.Limits.Message
	body, err := io.ReadAll(io.LimitReader(resp.Body, int64(most)+1))
	w.keepBody(a, body)
	switch {
	case len(body) > most:
		w.c.observe(Observation{Code: Oversized, Detail: "The answer is larger than the limit.", Bytes: body, Size: len(body)}, k)
		return &Error{Kind: TooLarge, Stage: StageMessage, Method: t.out.method, Detail: "The answer is larger than the limit.", HTTP: w.c.copied(a)}
	case err != nil && ctx.Err() != nil:
		return giveUp(ctx, t.out.method, "The answer did not come to its end in time.")
	case err != nil:
		return &Error{Kind: Broken, Stage: StageHTTP, Method: t.out.method, Detail: "The answer broke off.", HTTP: w.c.copied(a), Cause: err}
	}
	if kind := mediaType(resp.Header); kind != typeJSON && len(body) > 0 {
		w.c.observe(Observation{Code: BadContentType, Status: resp.StatusCode, Detail: "The content type of the answer is neither application/json nor text/event-stream.", Bytes: []byte(resp.Header.Get("Content-Type"))}, k)
	}
	if len(body) > 0 {
		w.c.incoming(body, k)
	}
	return w.unanswered(t, a, "The body holds no answer to the request.")
}

// unusual reads an answer with a status that says that there is no result. Its body may
// be a JSON-RPC error all the same.
func (w *web) unusual(ctx context.Context, t *trip, resp *http.Response, a *HTTPAnswer) error {
	k := t.out.call
	if resp.StatusCode/100 == 3 && !isFollowed(resp.StatusCode) {
		w.redirected(t, resp, a)
	}
	if resp.StatusCode/100 == 2 {
		w.readSome(resp, a)
		if t.out.tweak == nil {
			w.c.observe(Observation{Code: BadStatus, Status: resp.StatusCode, Detail: fmt.Sprintf("A request was answered with %d, which is for notifications.", resp.StatusCode)}, k)
		}
		return w.unanswered(t, a, "The server accepted the request and answered nothing.")
	}
	most := w.c.opt.Limits.Kept
	if mediaType(resp.Header) == typeJSON {
		most = w.c.opt.Limits.Message
	}
	body, err := io.ReadAll(io.LimitReader(resp.Body, int64(most+w.c.hide.longest()+1)))
	w.keepBody(a, body)
	if err != nil && ctx.Err() != nil {
		return giveUp(ctx, t.out.method, "The answer did not come to its end in time.")
	}
	if e, ok := open(body); ok && e.isResponse() && e.rpcError != nil {
		w.c.incoming(body, k)
	} else if len(body) > 0 {
		w.c.rec.add(Entry{Direction: Received, Status: resp.StatusCode, Note: "body"}, w.c.hide.cut(body, w.c.opt.Limits.Kept))
	}
	if w.c.isOver(k) {
		return nil
	}
	return w.refusal(t, a, fmt.Sprintf("The server answered with HTTP status %d.", resp.StatusCode))
}

// unanswered is the end of an HTTP answer without a response in it. For a probe that is
// an answer too.
func (w *web) unanswered(t *trip, a *HTTPAnswer, detail string) error {
	k := t.out.call
	if w.c.isOver(k) {
		return nil
	}
	if t.out.tweak != nil {
		w.c.settle(k, nil)
		return nil
	}
	return &Error{Kind: Protocol, Stage: StageMessage, Method: t.out.method, Detail: detail, HTTP: w.c.copied(a)}
}

// refusal is the failure of a message whose HTTP status says no. For a probe that is an
// answer too.
func (w *web) refusal(t *trip, a *HTTPAnswer, detail string) error {
	if t.out.tweak != nil {
		w.c.settle(t.out.call, nil)
		return nil
	}
	return &Error{Kind: Refused, Stage: StageHTTP, Method: t.out.method, Detail: detail, HTTP: w.c.copied(a)}
}

func (w *web) keepBody(a *HTTPAnswer, body []byte) {
	kept := w.c.hide.cut(body, w.c.opt.Limits.Kept)
	w.c.mu.Lock()
	defer w.c.mu.Unlock()
	a.Body, a.Size, a.Done = kept, int64(len(body)), w.c.now()
}

func (w *web) finish(a *HTTPAnswer) {
	w.c.mu.Lock()
	defer w.c.mu.Unlock()
	a.Done = w.c.now()
}

// copied is an HTTP answer as it is now.
func (c *Conn) copied(a *HTTPAnswer) *HTTPAnswer {
	c.mu.Lock()
	defer c.mu.Unlock()
	out := *a
	out.Events = out.Events[:len(out.Events):len(out.Events)]
	return &out
}

func (c *Conn) isOver(k *call) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return k == nil || k.over
}

func (c *Conn) sessionOf(k *call) string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return k.session
}

// noteSession takes the session id that an answer carries: initialize begins a session,
// and nothing else may (MCP 2025-11-25, Streamable HTTP, Session Management).
func (c *Conn) noteSession(t *trip, resp *http.Response) {
	id := resp.Header.Get("Mcp-Session-Id")
	if id == "" || t.out.tweak != nil {
		return
	}
	for i := range len(id) {
		if id[i] < 0x21 || id[i] > 0x7e {
			c.observe(Observation{Code: BadSessionID, Detail: "The session id has characters that are not visible ASCII.", Bytes: []byte(id)}, t.out.call)
			break
		}
	}
	c.mu.Lock()
	old, begins := c.session, t.out.method == "initialize"
	if begins && resp.StatusCode/100 == 2 {
		c.session = id
	}
	modern, opened := c.era == EraModern, c.opening != nil
	c.mu.Unlock()
	switch {
	case modern && !opened: // a legacy server that was asked for its era may begin a session
	case modern:
		c.observe(Observation{Code: WrongEra, Detail: "The server sent a session id; 2026-07-28 has no sessions.", Bytes: []byte(id)}, t.out.call)
	case !begins && id != old:
		c.observe(Observation{Code: ChangedSessionID, Detail: "The session id changed during the session.", Bytes: []byte(id)}, t.out.call)
	}
}

var errStreamTooLarge = errors.New("the stream is larger than the limit")

// bounded fails after so many bytes, where io.LimitReader would feign the end.
type bounded struct {
	r    io.Reader
	left int64
}

func (b *bounded) Read(p []byte) (int, error) {
	if b.left <= 0 {
		return 0, errStreamTooLarge
	}
	n, err := b.r.Read(p[:min(int64(len(p)), b.left)])
	b.left -= int64(n)
	return n, err
}
