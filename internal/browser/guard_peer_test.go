//go:build linux

package browser

import (
	endian "encoding/binary"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"os"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
)

// TestGuardRefusesOtherUsers: the port of a guard is open to every program of
// the machine, but only those of its own user get anything through it.
func TestGuardRefusesOtherUsers(t *testing.T) {
	var hits, lookups atomic.Int32
	srv := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { hits.Add(1) }))
	defer srv.Close()
	g, c := through(t, Policy{AllowOrigins: []string{srv.URL}})
	g.owner = func(from, to netip.AddrPort) (int, bool) {
		lookups.Add(1)
		if to.String() != strings.TrimPrefix(g.address(), "http://") || from == to {
			t.Errorf("asked for %v to %v", from, to)
		}
		return os.Geteuid() + 1, true
	}
	for range 2 {
		if res, _ := fetch(t, c, srv.URL+"/"); res.StatusCode != http.StatusForbidden || res.Header.Get(markHeader) != "" {
			t.Errorf("a program of another user got %d %v", res.StatusCode, res.Header)
		}
	}
	if _, err := c.Get(strings.Replace(srv.URL, "http:", "https:", 1)); err == nil {
		t.Error("a program of another user got a tunnel")
	}
	if l := g.account(); hits.Load() != 0 || l.Requests != 0 || len(l.Refused) != 0 {
		t.Errorf("%d requests reached the server, the ledger has %+v", hits.Load(), l)
	}
	g.owner = func(netip.AddrPort, netip.AddrPort) (int, bool) { return 0, false }
	c.CloseIdleConnections()
	if res, _ := fetch(t, c, srv.URL+"/"); res.StatusCode != http.StatusOK {
		t.Errorf("where the system cannot tell, the answer is %d", res.StatusCode)
	}
}

// TestSocketOwner finds the user of real connections, and of none.
func TestSocketOwner(t *testing.T) {
	l, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	for _, address := range []string{l.Addr().String(), strings.Replace(l.Addr().String(), "127.0.0.1", "[::ffff:127.0.0.1]", 1)} {
		c, err := net.Dial("tcp", address)
		if err != nil {
			t.Fatal(err)
		}
		from, to := c.LocalAddr().(*net.TCPAddr).AddrPort(), l.Addr().(*net.TCPAddr).AddrPort()
		if uid, known := socketOwner(from, to); uid != os.Geteuid() || !known {
			t.Errorf("the user of %s is %d, known %v", address, uid, known)
		}
		if err := c.Close(); err != nil {
			t.Fatal(err)
		}
		if uid, known := socketOwner(from, to); uid != nobody || !known {
			t.Errorf("a connection that its client has closed belongs to %d, known %v", uid, known)
		}
	}
}

// TestKernelAnswers: what is not an answer about a socket is none.
func TestKernelAnswers(t *testing.T) {
	failed := func(code syscall.Errno) []byte {
		m := make([]byte, headerSize+4)
		endian.NativeEndian.PutUint16(m[4:], syscall.NLMSG_ERROR)
		endian.NativeEndian.PutUint32(m[headerSize:], uint32(-int32(code)))
		return m
	}
	for name, c := range map[string]struct {
		message []byte
		known   bool
	}{
		"no such socket":  {failed(syscall.ENOENT), true},
		"not allowed":     {failed(syscall.EPERM), false},
		"cut off":         {question(netip.MustParseAddrPort("127.0.0.1:1"), netip.MustParseAddrPort("127.0.0.1:2"))[:headerSize+8], false},
		"nothing":         {nil, false},
		"another message": {make([]byte, headerSize+answerSize), false},
	} {
		if answer, known := readAnswer(c.message); known != c.known || known && answer != nil {
			t.Errorf("%s: %v, known %v", name, answer, known)
		}
	}
}
