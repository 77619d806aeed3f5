package serve

import (
	"container/list"
	"context"
	"net"
	"net/http"
	"sync"
)

// crowd ends the connection that has said nothing for longest when there are
// nearly too many. Strangers can hold connections that are idle, or that never end
// their headers or bodies, until their time is over: meanwhile nobody else would
// get in.
type crowd struct {
	most int // from here on, silent connections give way

	mu     sync.Mutex
	open   map[net.Conn]*list.Element // nil while a request is under way
	silent *list.List                 // of net.Conn, the one that is silent for longest first
}

// newCrowd leaves some room for new connections below the bound of all.
func newCrowd(bound int) *crowd {
	return &crowd{most: bound - bound/16 - 1, open: map[net.Conn]*list.Element{}, silent: list.New()}
}

type connKey struct{}

// withConn lets connOf find the connection of a request: http.Server.ConnContext.
func withConn(ctx context.Context, conn net.Conn) context.Context {
	return context.WithValue(ctx, connKey{}, conn)
}

func connOf(r *http.Request) net.Conn {
	conn, _ := r.Context().Value(connKey{}).(net.Conn)
	return conn
}

// changed is told of every step in the life of a connection: http.Server.ConnState,
// to which a request whose body is not there yet is no request either.
func (c *crowd) changed(conn net.Conn, state http.ConnState) {
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
