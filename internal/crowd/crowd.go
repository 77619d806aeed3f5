// Package crowd keeps clients that send or take nothing from keeping others out: it
// ends their connections when there are nearly too many, and gives each of them a time
// for what it owes. Every server of Legwork that strangers reach stands behind it.
package crowd

import (
	"container/list"
	"context"
	"io"
	"net"
	"net/http"
	"sync"
	"time"
)

// Crowd ends the connection that has said nothing for longest when there are
// nearly too many. Strangers can hold connections that are idle, or that never end
// their headers or bodies, until their time is over: meanwhile nobody else would
// get in.
type Crowd struct {
	most int // from here on, silent connections give way

	mu     sync.Mutex
	open   map[net.Conn]*list.Element // nil while a request is under way
	silent *list.List                 // of net.Conn, the one that is silent for longest first
}

// New leaves some room for new connections below the bound of all.
func New(bound int) *Crowd {
	return &Crowd{most: bound - bound/16 - 1, open: map[net.Conn]*list.Element{}, silent: list.New()}
}

type connKey struct{}

// WithConn lets a Crowd find the connection of a request: http.Server.ConnContext.
func WithConn(ctx context.Context, conn net.Conn) context.Context {
	return context.WithValue(ctx, connKey{}, conn)
}

func connOf(r *http.Request) net.Conn {
	conn, _ := r.Context().Value(connKey{}).(net.Conn)
	return conn
}

// Owed says that the body of a request is not there yet: until Paid, that is no request
// either.
func (c *Crowd) Owed(r *http.Request) { c.Changed(connOf(r), http.StateIdle) }

// Paid says that the body is there.
func (c *Crowd) Paid(r *http.Request) { c.Changed(connOf(r), http.StateActive) }

// Changed is told of every step in the life of a connection: http.Server.ConnState.
func (c *Crowd) Changed(conn net.Conn, state http.ConnState) {
	c.mu.Lock()
	defer c.mu.Unlock()
	mark, known := c.open[conn]
	if !known && state != http.StateNew {
		return // it was ended here
	}
	if mark != nil {
		c.silent.Remove(mark)
	}
	switch state {
	case http.StateNew, http.StateIdle:
		c.open[conn] = c.silent.PushBack(conn)
	case http.StateActive:
		c.open[conn] = nil
	case http.StateHijacked, http.StateClosed:
		delete(c.open, conn)
	}
	if first := c.silent.Front(); len(c.open) > c.most && first != nil && first.Value != conn {
		longest := c.silent.Remove(first).(net.Conn)
		delete(c.open, longest)
		_ = longest.Close() // it is not needed whatever this says
	}
}

// Handler gives each client of next the time slow: for whatever of a body no handler
// reads, and for taking each part of an answer. A handler that reads a body which may
// take longer sets a deadline of its own. Requests without a body owe nothing, however
// long their answer takes. The server's ReadTimeout and WriteTimeout must be slow, too:
// net/http applies them to what it reads and writes itself.
func (c *Crowd) Handler(next http.Handler, slow time.Duration) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Body == http.NoBody {
			_ = http.NewResponseController(w).SetReadDeadline(time.Time{}) // every HTTP/1 connection has one
		} else {
			c.Owed(r)
			r.Body = &body{ReadCloser: r.Body, crowd: c, request: r}
		}
		next.ServeHTTP(&answer{ResponseWriter: w, slow: slow}, r)
	})
}

// body tells the crowd of each part that arrives, so that a long upload is not what has
// been silent for longest, and of its end.
type body struct {
	io.ReadCloser
	crowd   *Crowd
	request *http.Request
}

func (b *body) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	switch {
	case err == io.EOF: // io.Reader promises the bare one
		b.crowd.Paid(b.request)
	case n > 0:
		b.crowd.Owed(b.request)
	}
	return n, err
}

// answer gives the client its time for each part anew.
type answer struct {
	http.ResponseWriter
	slow time.Duration
}

func (a *answer) Write(p []byte) (int, error) {
	_ = http.NewResponseController(a.ResponseWriter).SetWriteDeadline(time.Now().Add(a.slow)) // every HTTP/1 connection has one
	return a.ResponseWriter.Write(p)
}

// Unwrap lets a ResponseController through.
func (a *answer) Unwrap() http.ResponseWriter { return a.ResponseWriter }
