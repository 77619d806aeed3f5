package browser

import (
	"context"
	"errors"
	"html/template"
	"net"
	"net/http"
	"sync"
)

// refusedPage is what a person sees, and what a screenshot shows.
var refusedPage = sync.OnceValue(func() *template.Template {
	return template.Must(template.New("refused").Parse(`<!doctype html>
<html lang="en"><title>Not allowed</title>
<body style="font-family: sans-serif; max-width: 40em; margin: 4em auto">
<h1>{{.Title}}</h1>
<p>{{.Host}}: {{.Reason}}.</p>
<p>This page comes from the network guard of the browser, not from the site.</p>
`))
})

// fail answers a request that could not be forwarded. It always answers: on a
// connection that just ends the browser would send the request again, and a
// form would be submitted twice.
func (g *guard) fail(w http.ResponseWriter, r *http.Request, err error) {
	if errors.Is(err, context.Canceled) && r.Context().Err() != nil {
		return // the browser does not want the answer any more
	}
	host := plain(r.Host)
	if r.URL.Host != "" {
		host = hostPort(r.URL)
	}
	scheme, status, d := "http", http.StatusBadGateway, denial{}
	if r.Method == http.MethodConnect {
		scheme = "https"
	}
	page := struct{ Title, Host, Reason string }{"The site could not be reached", host, ""}
	var no *refusal
	mark := ""
	if errors.As(err, &no) {
		status, d.refused, mark = http.StatusForbidden, g.current().words(no.code), " refused "+no.code
		page.Title, page.Reason = "This address is not allowed", d.refused
	} else {
		d.netError = netError(err)
		mark, page.Reason = " failed "+d.netError, d.netError
	}
	g.remember(scheme, host, d)
	g.record(r.Method, host, status)
	if r.Method == http.MethodConnect {
		g.deny(host)
	}
	h := w.Header()
	h.Set(markHeader, g.token+mark)
	h.Set("Content-Type", "text/html; charset=utf-8")
	h.Set("Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'")
	h.Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	_ = refusedPage().Execute(w, page)
}

// overLimit refuses when the tab has received all that it may.
func (g *guard) overLimit(r *rules) error {
	if r.MaxBytes > 0 && g.received.Load() >= r.MaxBytes {
		return &refusal{codeLimit}
	}
	return nil
}

// meteredConn counts what comes from the network, and ends at the limit.
type meteredConn struct {
	net.Conn
	guard *guard
	rules *rules
	once  sync.Once
}

// metered takes a new connection into the guard's care. A nil connection stays nil.
func (g *guard) metered(r *rules, c net.Conn) net.Conn {
	if c == nil {
		return nil
	}
	m := &meteredConn{Conn: c, guard: g, rules: r}
	if !g.own(m) {
		_ = c.Close()
	}
	return m
}

// Read counts, and fails once the limit is reached.
func (c *meteredConn) Read(b []byte) (int, error) {
	if err := c.guard.overLimit(c.rules); err != nil {
		return 0, err
	}
	n, err := c.Conn.Read(b)
	c.guard.received.Add(int64(n))
	return n, err
}

// Close ends the connection and the guard's care for it.
func (c *meteredConn) Close() error {
	c.once.Do(func() { c.guard.disown(c) })
	return c.Conn.Close()
}

// CloseWrite tells the other side that nothing more will come.
func (c *meteredConn) CloseWrite() error {
	if half, ok := c.Conn.(*net.TCPConn); ok {
		return half.CloseWrite()
	}
	return nil
}
