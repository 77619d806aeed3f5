package reach

import (
	"context"
	"errors"
	"net"
	"net/netip"
	"strings"
	"time"
)

const (
	connectLimit = 10 * time.Second
	// headStart is how long one address may try alone before the next one tries too.
	headStart = 300 * time.Millisecond
)

// Resolver looks a host name up.
type Resolver func(ctx context.Context, host string) ([]netip.Addr, error)

// Lookup is the addresses of a host, which may be one itself. Names of this machine
// (RFC 6761, section 6.3) are never asked for. A nil resolver is the system's.
func Lookup(ctx context.Context, host string, resolve Resolver) ([]netip.Addr, error) {
	if a, err := netip.ParseAddr(host); err == nil {
		return []netip.Addr{a}, nil
	}
	if host == "localhost" || strings.HasSuffix(host, ".localhost") {
		return []netip.Addr{netip.AddrFrom4([4]byte{127, 0, 0, 1}), netip.IPv6Loopback()}, nil
	}
	if resolve != nil {
		return resolve(ctx, host)
	}
	return net.DefaultResolver.LookupNetIP(ctx, "ip", host)
}

// Refusal is the error of a host that may not be reached.
type Refusal struct {
	// Place is where its address is, a word for Why.
	Place string
}

// Error says why, and not which address it was: whoever chose the name need not
// learn what it leads to from here.
func (r *Refusal) Error() string { return "the address may not be reached: " + Why(r.Place) }

// Dialer connects to public addresses.
type Dialer struct {
	// Resolve is how names are looked up; nil is the system's way.
	Resolve Resolver
	// Allow lets single addresses pass that are not public, and may be nil.
	Allow func(netip.AddrPort) bool
}

// DialContext connects to a host and port over TCP. One address that may not be
// reached condemns the host.
func (d *Dialer) DialContext(ctx context.Context, _, hostport string) (net.Conn, error) {
	ctx, cancel := context.WithTimeout(ctx, connectLimit)
	defer cancel()
	list, err := d.check(ctx, hostport)
	if err != nil {
		return nil, err
	}
	return DialFirst(ctx, list)
}

func (d *Dialer) check(ctx context.Context, hostport string) ([]netip.AddrPort, error) {
	host, port, err := net.SplitHostPort(hostport)
	if err != nil {
		return nil, err
	}
	number, err := net.DefaultResolver.LookupPort(ctx, "tcp", port)
	if err != nil {
		return nil, err
	}
	name := strings.TrimSuffix(strings.ToLower(host), ".")
	addrs, err := Lookup(ctx, name, d.Resolve)
	if err != nil {
		return nil, err
	}
	var list []netip.AddrPort
	for _, a := range addrs {
		target := netip.AddrPortFrom(a.Unmap(), uint16(number))
		if place := NotPublic(a); place != "" && (d.Allow == nil || !d.Allow(target)) {
			return nil, &Refusal{place}
		}
		list = append(list, target)
	}
	if len(list) == 0 {
		return nil, &net.DNSError{Err: "no addresses", Name: name, IsNotFound: true}
	}
	return list, nil
}

// DialFirst connects to the first address that answers. Each one gets a head start
// before the next; those that are too late are closed.
func DialFirst(ctx context.Context, addrs []netip.AddrPort) (net.Conn, error) {
	type result struct {
		conn net.Conn
		err  error
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	results := make(chan result, len(addrs))
	var d net.Dialer
	next, running := 0, 0
	begin := func() {
		a := addrs[next]
		next, running = next+1, running+1
		go func() {
			c, err := d.DialContext(ctx, "tcp", a.String())
			results <- result{c, err}
		}()
	}
	begin()
	var failed []error
	for running > 0 {
		var later <-chan time.Time
		if next < len(addrs) {
			later = time.After(headStart)
		}
		select {
		case r := <-results:
			running--
			if r.err == nil {
				cancel()
				for range running { // owned here: none is left when DialFirst returns
					if late := <-results; late.conn != nil {
						_ = late.conn.Close()
					}
				}
				return r.conn, nil
			}
			failed = append(failed, r.err)
			if next < len(addrs) {
				begin()
			}
		case <-later:
			begin()
		}
	}
	return nil, errors.Join(failed...)
}
