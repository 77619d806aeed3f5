package browser

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"time"

	"github.com/legwork-mcp/legwork/internal/fault"
)

// Transport is a way to the network for requests that this program makes itself,
// beside those of a tab with the same policy: an address that a page may not reach
// is not to be had here either, whatever a redirect or a name server says. MaxBytes
// counts for all requests through it together. The caller closes its idle
// connections at the end.
func (p Policy) Transport() (*http.Transport, error) {
	r, err := compile(p)
	if err != nil {
		return nil, err
	}
	g := &guard{rules: r, conns: map[io.Closer]bool{}}
	return &http.Transport{
		DialContext: func(ctx context.Context, _, addr string) (net.Conn, error) {
			c, err := g.dial(ctx, addr)
			var no *refusal
			if errors.As(err, &no) {
				return nil, fault.New(fault.Denied, "origin_not_allowed", "The address "+addr+" is not allowed: "+r.words(no.code)+".",
					"Use a public web address. If this one is yours, start legwork with --allow-private.")
			}
			return c, err
		},
		ForceAttemptHTTP2: true, TLSHandshakeTimeout: connectLimit, ResponseHeaderTimeout: time.Minute,
		MaxIdleConnsPerHost: 4, IdleConnTimeout: 30 * time.Second,
	}, nil
}
