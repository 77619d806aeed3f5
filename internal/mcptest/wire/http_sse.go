package wire

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
)

// posted reaches a server over HTTP with SSE of 2024-11-05: one stream brings all that
// the server says, and the messages are posted to the address that it names first.
type posted struct {
	*web
	endpoint *url.URL
	stop     context.CancelFunc
}

// carryEvents opens the stream and waits for the address.
func (c *Conn) carryEvents(ctx context.Context, w *web) error {
	streaming, stop := context.WithCancel(c.life)
	p := &posted{web: w, stop: stop}
	ready := make(chan error, 1)
	if !c.spawn(func() { p.read(streaming, ready) }) {
		stop()
		return &Error{Kind: Closed, Detail: "The connection was closed."}
	}
	select {
	case err := <-ready:
		if err != nil {
			stop()
			return err
		}
	case <-ctx.Done():
		stop()
		return giveUp(ctx, "", "The server did not name an endpoint on its event stream.")
	}
	c.carrier = p
	return nil
}

func (p *posted) transport() Transport { return SSETransport }

// read reads the stream until it ends, and the connection with it.
func (p *posted) read(ctx context.Context, ready chan<- error) {
	resp, a, err := p.persist(ctx, p.getStream(nil, ""))
	if err != nil {
		ready <- err
		return
	}
	defer func() { _ = resp.Body.Close() }() // what was read, was read
	if resp.StatusCode != http.StatusOK || mediaType(resp.Header) != typeStream {
		p.readSome(resp, a)
		ready <- &Error{Kind: Refused, Stage: StageHTTP, Detail: fmt.Sprintf("A GET was answered with status %d and no event stream.", resp.StatusCode), HTTP: p.c.copied(a)}
		return
	}
	// the stream lives as long as the connection: only its events are bounded
	r := newEventReader(resp.Body, p.c.opt.Limits.Message, p.c.now)
	for {
		ev, err := r.next()
		if err != nil {
			p.ended(ctx, a, ready, err)
			return
		}
		switch {
		case ev.Type == "endpoint" && p.endpoint == nil:
			p.c.rec.add(Entry{Direction: Received, Note: "event with type endpoint"}, ev.Data)
			if err := p.name(string(ev.Data)); err != nil {
				ready <- err
				return
			}
			ready <- nil
		case ev.Type != "endpoint":
			p.event(ev, a, nil)
		}
	}
}

// name takes the address for the messages. One of another host would be sent what is
// meant for this one.
func (p *posted) name(text string) error {
	u, err := p.url.Parse(text)
	if err != nil || u.Scheme != p.url.Scheme || u.Host != p.url.Host {
		return &Error{Kind: Refused, Stage: StageGuard, Detail: "The endpoint that the server names is on another host.", Cause: err}
	}
	p.endpoint = u
	return nil
}

func (p *posted) ended(ctx context.Context, a *HTTPAnswer, ready chan<- error, err error) {
	if ctx.Err() != nil {
		return
	}
	if errors.Is(err, io.EOF) {
		err = nil
	}
	failed := &Error{Kind: Broken, Stage: StageHTTP, Detail: "The event stream of the connection ended.", HTTP: p.c.copied(a), Cause: err}
	if p.endpoint == nil {
		ready <- failed
		return
	}
	p.c.observe(Observation{Code: StreamEnded, Detail: "The event stream of the connection ended."}, nil)
	p.c.die(failed)
}

// send posts a message; its answer comes on the stream.
func (p *posted) send(ctx context.Context, out *outgoing) error {
	t, err := p.trip(out, p.endpoint)
	if err != nil {
		return err
	}
	p.c.recordSent(out, 0)
	resp, a, err := p.persist(ctx, t)
	if err != nil {
		return err
	}
	defer func() { _ = resp.Body.Close() }() // what was read, was read
	body := p.readSome(resp, a)
	if resp.StatusCode/100 != 2 {
		return p.refusal(t, a, fmt.Sprintf("The server answered with HTTP status %d.", resp.StatusCode))
	}
	if e, ok := open(body); ok && e.isResponse() && (e.result != nil || e.rpcError != nil) {
		p.c.incoming(body, out.call)
	}
	return nil
}

func (p *posted) close(report *Closing) {
	p.stop()
	report.Steps = append(report.Steps, "event stream closed")
}
