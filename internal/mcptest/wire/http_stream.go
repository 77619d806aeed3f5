package wire

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"
	"time"
)

// mostResumed bounds how often a stream is taken up again without anything new in it.
const mostResumed = 5

// shownEvent is how much of an event is kept beside the message that it carried.
const shownEvent = 2 << 10

// position is where an event stream of a call was left.
type position struct {
	call   *call // nil for the standalone stream
	lastID string
	retry  time.Duration
	events int
}

// stream reads an answer that is an event stream, and takes it up again where it was
// left, when that is wanted.
func (w *web) stream(ctx context.Context, t *trip, resp *http.Response, a *HTTPAnswer) error {
	k := t.out.call
	if t.out.tweak != nil && t.method == http.MethodGet {
		w.c.settle(k, nil) // a stream of its own has no answer to wait for
	}
	at := position{call: k, retry: time.Second}
	err := w.events(ctx, resp, a, &at)
	for tries := 0; err == nil && w.c.opt.Resume && !w.c.isOver(k) && at.lastID != "" && tries < mostResumed; tries++ {
		before := at.events
		var again *HTTPAnswer
		if again, err = w.resume(ctx, &at); again != nil {
			a = again
		}
		if at.events > before {
			tries = 0
		}
	}
	if w.c.isOver(k) {
		return nil
	}
	if err != nil {
		return w.streamError(ctx, t, a, err)
	}
	w.c.observe(Observation{Code: StreamEnded, Detail: "The event stream ended before the answer came."}, k)
	if t.out.tweak != nil {
		w.c.settle(k, nil)
		return nil
	}
	return &Error{Kind: Broken, Stage: StageMessage, Method: t.out.method, Detail: "The event stream ended before the answer came.", HTTP: w.c.copied(a)}
}

func (w *web) streamError(ctx context.Context, t *trip, a *HTTPAnswer, err error) error {
	switch {
	case errors.Is(err, errEventTooLarge) || errors.Is(err, errStreamTooLarge):
		w.c.observe(Observation{Code: Oversized, Detail: "An event, or the event stream, is larger than the limit."}, t.out.call)
		return &Error{Kind: TooLarge, Stage: StageMessage, Method: t.out.method, Detail: "The event stream is larger than the limit.", HTTP: w.c.copied(a), Cause: err}
	case ctx.Err() != nil:
		return giveUp(ctx, t.out.method, "The event stream was given up.")
	}
	var known *Error
	if errors.As(err, &known) {
		return err
	}
	return &Error{Kind: Broken, Stage: StageHTTP, Method: t.out.method, Detail: "The event stream broke off.", HTTP: w.c.copied(a), Cause: err}
}

// events reads an event stream to its end. Once its call is over it is read for a
// moment only. It gives nil at the end of the stream.
func (w *web) events(ctx context.Context, resp *http.Response, a *HTTPAnswer, at *position) error {
	k := at.call
	r := newEventReader(&bounded{resp.Body, w.c.opt.Limits.Stream}, w.c.opt.Limits.Message, w.c.now)
	r.lastID = at.lastID
	var linger *time.Timer
	defer func() {
		if linger != nil {
			linger.Stop()
		}
		w.finish(a)
		if r.odd > 0 {
			w.c.observe(Observation{Code: BadEvent, Detail: "The event stream has lines that are no field.", Bytes: r.oddOne, Size: r.odd}, k)
		}
	}()
	for {
		ev, err := r.next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		at.events++
		at.lastID = ev.ID
		if ev.Retry >= 0 {
			at.retry = ev.Retry
		}
		w.event(ev, a, k)
		if k != nil && linger == nil && w.c.isOver(k) {
			linger = time.AfterFunc(lingerFor, func() { _ = resp.Body.Close() })
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
	}
}

// event takes one event.
func (w *web) event(ev StreamEvent, a *HTTPAnswer, k *call) {
	kept := ev
	kept.Data = w.c.hide.cut(ev.Data, shownEvent)
	w.c.mu.Lock()
	a.Size += int64(len(ev.Data))
	if len(a.Events) < w.c.opt.Limits.PerCall {
		a.Events = append(a.Events, kept)
	}
	w.c.mu.Unlock()
	w.c.recordEvent(ev)
	if len(bytes.TrimSpace(ev.Data)) == 0 {
		return // it only says where the stream is
	}
	if ev.Type != "message" {
		w.c.observe(Observation{Code: BadEvent, Detail: "An event has another type than message; it is taken for a message if it is one.", Bytes: []byte(ev.Type)}, k)
		if !looksLikeJSON(bytes.TrimSpace(ev.Data)) {
			return
		}
	}
	w.c.incoming(ev.Data, k)
}

// resume takes a stream up again (MCP 2025-11-25, Streamable HTTP, Resumability and
// Redelivery), after the time that the server asked for.
func (w *web) resume(ctx context.Context, at *position) (*HTTPAnswer, error) {
	wait := time.NewTimer(at.retry)
	defer wait.Stop()
	select {
	case <-wait.C:
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	t := w.getStream(at.call, at.lastID)
	resp, a, err := w.persist(ctx, t)
	if err != nil {
		return a, err
	}
	defer func() { _ = resp.Body.Close() }() // what was read, was read
	if resp.StatusCode != http.StatusOK || mediaType(resp.Header) != typeStream {
		w.readSome(resp, a)
		return a, &Error{Kind: Refused, Stage: StageHTTP, Detail: "The event stream could not be taken up again.", HTTP: w.c.copied(a)}
	}
	return a, w.events(ctx, resp, a, at)
}

// getStream is a request for an event stream.
func (w *web) getStream(k *call, lastID string) *trip {
	tweak := &Tweak{Method: http.MethodGet, Header: http.Header{"Accept": {typeStream}, "Content-Type": nil}}
	if lastID != "" {
		tweak.Header["Last-Event-Id"] = []string{lastID}
	}
	return &trip{method: http.MethodGet, url: w.url, out: &outgoing{call: k, tweak: tweak}}
}

// listen keeps the standalone stream of a legacy session open, on which the server
// sends what belongs to no call. A server need not have one: it answers 405 then.
func (w *web) listen(ctx context.Context, answered chan<- struct{}) {
	at := position{retry: time.Second}
	resp, a, err := w.persist(ctx, w.getStream(nil, ""))
	close(answered)
	if err != nil {
		w.c.rec.add(Entry{Direction: Note, Note: "the GET stream could not be opened: " + err.Error()}, nil)
		return
	}
	if resp.StatusCode != http.StatusOK || mediaType(resp.Header) != typeStream {
		body := w.readSome(resp, a)
		_ = resp.Body.Close() // it was read
		if resp.StatusCode != http.StatusMethodNotAllowed {
			w.c.observe(Observation{Code: StreamStatus, Status: resp.StatusCode, Detail: "A GET for the event stream must be answered with one, or with 405.", Bytes: body}, nil)
		}
		return
	}
	err = w.events(ctx, resp, a, &at)
	_ = resp.Body.Close() // it was read
	for tries := 0; err == nil && w.c.opt.Resume && ctx.Err() == nil && tries < mostResumed; tries++ {
		before := at.events
		_, err = w.resume(ctx, &at)
		if at.events > before {
			tries = 0
		}
	}
	if ctx.Err() == nil {
		w.c.rec.add(Entry{Direction: Note, Note: "the GET stream ended"}, nil)
	}
}

// close says goodbye to a legacy session. A server need not let a client end it, and
// answers 405 then.
func (w *web) close(report *Closing) {
	session := w.c.Session()
	if session == "" {
		return
	}
	ctx, cancel := context.WithTimeout(w.c.life, w.c.opt.CloseTimeout)
	defer cancel()
	t := &trip{method: http.MethodDelete, url: w.url, out: &outgoing{tweak: &Tweak{Method: http.MethodDelete, Header: http.Header{"Content-Type": nil}}}}
	resp, a, err := w.roundTrip(ctx, t)
	if err != nil {
		report.Steps = append(report.Steps, "DELETE failed")
		return
	}
	body := w.readSome(resp, a)
	_ = resp.Body.Close() // it was read
	report.Steps = append(report.Steps, "DELETE "+resp.Status)
	if resp.StatusCode/100 != 2 && resp.StatusCode != http.StatusMethodNotAllowed {
		w.c.observe(Observation{Code: DeleteStatus, Status: resp.StatusCode, Detail: "The end of the session was refused with another status than 405.", Bytes: body}, nil)
	}
}
