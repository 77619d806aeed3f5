package browser

import (
	"bufio"
	"io"
	"net"
	"net/http"
	"sync"
)

// tunnel joins the browser with a host, for encrypted connections and WebSockets.
func (g *guard) tunnel(w http.ResponseWriter, r *http.Request) {
	up, err := g.dial(r.Context(), r.Host)
	if err != nil {
		g.fail(w, r, err)
		return
	}
	defer up.Close()
	down, buffered, err := http.NewResponseController(w).Hijack()
	if err != nil {
		return
	}
	defer down.Close()
	if !g.own(down) {
		return
	}
	defer g.disown(down)
	g.record(r.Method, plain(r.Host), http.StatusOK)
	if _, err := io.WriteString(down, "HTTP/1.1 200 Connection established\r\n\r\n"); err != nil {
		return
	}
	join(up, down, buffered.Reader)
}

// join copies both ways until both have ended. When one way breaks, the other
// is cut too, since nobody would hear the rest.
func join(up, down net.Conn, early *bufio.Reader) {
	var ways sync.WaitGroup
	ways.Go(func() { pass(up, io.MultiReader(io.LimitReader(early, int64(early.Buffered())), down), down) })
	ways.Go(func() { pass(down, up, up) })
	ways.Wait()
}

// pass copies from src to dst, and passes the end on.
func pass(dst net.Conn, src io.Reader, from net.Conn) {
	_, err := io.Copy(dst, src)
	if err != nil {
		reset(dst)
		_ = from.Close()
		return
	}
	if half, ok := dst.(interface{ CloseWrite() error }); ok {
		_ = half.CloseWrite()
	}
}

// reset makes a broken connection look broken on the other side too.
func reset(c net.Conn) {
	if m, ok := c.(*meteredConn); ok {
		c = m.Conn
	}
	if tcp, ok := c.(*net.TCPConn); ok {
		_ = tcp.SetLinger(0)
	}
	_ = c.Close()
}
