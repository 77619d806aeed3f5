package wire

import (
	"crypto/tls"
	"errors"
	"io"
	"net"
	"time"
)

// lastMoment is how long a server is still listened to once it has written to a client
// that has hung up: with the first bytes it would have learnt that nobody is there, so
// that what comes with them is all that can be held against it.
const lastMoment = 100 * time.Millisecond

func (k *call) overhears() bool { return k != nil && k.overhear }

// sendingHalf closes the sending half of a connection; nil when it cannot be closed alone.
func sendingHalf(conn net.Conn) func() error {
	type half interface{ CloseWrite() error }
	secure, ok := conn.(*tls.Conn)
	if !ok {
		if plain, ok := conn.(half); ok {
			return plain.CloseWrite
		}
		return nil
	}
	under, ok := secure.NetConn().(half)
	if !ok || secure.ConnectionState().NegotiatedProtocol == "h2" { // one connection for all
		return nil
	}
	return func() error { return errors.Join(secure.CloseWrite(), under.CloseWrite()) }
}

// hungUp hangs up a call whose late answer is to be heard. It reports false when that
// cannot be.
func (c *Conn) hungUp(k *call) bool {
	c.mu.Lock()
	hangUp := k.hangUp
	c.mu.Unlock()
	return hangUp != nil && hangUp() == nil
}

// heard ends the listening soon, once a server has written to a client that hung up.
func (c *Conn) heard(k *call) {
	if c.isOver(k) {
		k.cut.Do(func() { time.AfterFunc(lastMoment, k.cancel) })
	}
}

// lastWords is the body of an answer that may come after its client has hung up.
type lastWords struct {
	io.ReadCloser
	c *Conn
	k *call
}

// Read notes that the server has written.
func (b *lastWords) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	if n > 0 {
		b.c.heard(b.k)
	}
	return n, err
}
