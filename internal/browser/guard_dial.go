package browser

import (
	"context"
	"errors"
	"net"
	"net/netip"
	"strings"
	"syscall"
	"time"

	"github.com/legwork-mcp/legwork/internal/reach"
)

const connectLimit = 15 * time.Second

// dial connects to a host if the policy allows it. The name is resolved once
// and the addresses that were checked are those that are dialled, so an answer
// that changes later changes nothing.
func (g *guard) dial(ctx context.Context, hostport string) (net.Conn, error) {
	ctx, cancel := context.WithTimeout(ctx, connectLimit)
	defer cancel()
	hostport = plain(hostport)
	r := g.current()
	if err := g.overLimit(r); err != nil {
		return nil, err
	}
	override, trusted, err := r.permitted(hostport)
	if err != nil {
		return nil, err
	}
	var d net.Dialer
	if override != "" {
		c, err := d.DialContext(ctx, "tcp", override)
		return g.metered(r, c), err
	}
	addrs, err := r.resolve(ctx, hostport, trusted)
	if err != nil {
		return nil, err
	}
	c, err := reach.DialFirst(ctx, addrs)
	return g.metered(r, c), err
}

// resolve looks a host up and checks every address: one that is not public
// condemns the name.
func (r *rules) resolve(ctx context.Context, hostport string, trusted bool) ([]netip.AddrPort, error) {
	host, port, err := net.SplitHostPort(hostport)
	if err != nil {
		return nil, err
	}
	number, err := net.DefaultResolver.LookupPort(ctx, "tcp", port)
	if err != nil {
		return nil, err
	}
	addrs, err := reach.Lookup(ctx, host, r.Lookup)
	if err != nil {
		return nil, err
	}
	list := make([]netip.AddrPort, 0, len(addrs))
	for _, a := range addrs {
		if code := reach.NotPublic(a); code != "" && !trusted {
			return nil, &refusal{code}
		}
		list = append(list, netip.AddrPortFrom(a.Unmap(), uint16(number)))
	}
	if len(list) == 0 {
		return nil, &net.DNSError{Err: "no addresses", Name: host, IsNotFound: true}
	}
	return list, nil
}

// netErrors are all that netError gives.
var netErrors = []string{
	"net::ERR_NAME_NOT_RESOLVED", "net::ERR_CONNECTION_REFUSED", "net::ERR_CONNECTION_RESET", "net::ERR_ADDRESS_UNREACHABLE",
	"net::ERR_CONNECTION_TIMED_OUT", "net::ERR_EMPTY_RESPONSE", "net::ERR_CONNECTION_FAILED",
}

// netError is Chromium's word for why a connection failed.
func netError(err error) string {
	var dns *net.DNSError
	var timeout net.Error
	switch {
	case errors.As(err, &dns):
		return "net::ERR_NAME_NOT_RESOLVED"
	case errors.Is(err, syscall.ECONNREFUSED):
		return "net::ERR_CONNECTION_REFUSED"
	case errors.Is(err, syscall.ECONNRESET), errors.Is(err, syscall.EPIPE):
		return "net::ERR_CONNECTION_RESET"
	case errors.Is(err, syscall.EHOSTUNREACH), errors.Is(err, syscall.ENETUNREACH):
		return "net::ERR_ADDRESS_UNREACHABLE"
	case errors.Is(err, context.DeadlineExceeded), errors.As(err, &timeout) && timeout.Timeout():
		return "net::ERR_CONNECTION_TIMED_OUT"
	case strings.Contains(err.Error(), "EOF"), strings.Contains(err.Error(), "server closed"):
		return "net::ERR_EMPTY_RESPONSE"
	default:
		return "net::ERR_CONNECTION_FAILED"
	}
}
