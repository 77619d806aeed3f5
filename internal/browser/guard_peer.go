package browser

import (
	"context"
	"net"
	"net/http"
	"net/netip"
	"os"
	"slices"
	"sync"
)

// peer is who is at the other end of one connection to the guard. It is looked
// up once, when the first request comes.
type peer struct {
	from, to netip.AddrPort
	once     sync.Once
	stranger bool
}

type peerKey struct{}

// withPeer puts the peer of a new connection into the context of its requests.
func withPeer(ctx context.Context, c net.Conn) context.Context {
	from, _ := c.RemoteAddr().(*net.TCPAddr)
	to, _ := c.LocalAddr().(*net.TCPAddr)
	if from == nil || to == nil {
		return ctx
	}
	return context.WithValue(ctx, peerKey{}, &peer{from: from.AddrPort(), to: to.AddrPort()})
}

// stranger tells whether a request comes from a program of another user, or from
// another machine than that of the guard's browser. A
// system that cannot tell whose a connection is lets every local program in.
func (g *guard) stranger(r *http.Request) bool {
	p, _ := r.Context().Value(peerKey{}).(*peer)
	if p == nil {
		return false
	}
	p.once.Do(func() {
		if g.peers != nil {
			p.stranger = !slices.Contains(g.peers, p.from.Addr().Unmap())
			return
		}
		uid, known := g.owner(p.from, p.to)
		p.stranger = known && uid != os.Geteuid()
	})
	return p.stranger
}
