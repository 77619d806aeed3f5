//go:build linux

package browser

import (
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"os"
	"strings"
	"sync/atomic"
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

// TestOwnerInTable reads both tables as the kernel writes them.
func TestOwnerInTable(t *testing.T) {
	if socketName(netip.MustParseAddrPort("127.0.0.1:8080")) != "0100007F:1F90" {
		return // the samples are of a machine with the other order of bytes
	}
	const tcp = `  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode
   0: 0100007F:1F90 0100007F:C350 01 00000000:00000000 00:00000000 00000000     0        0 100 1 0000000000000000 20 4 30 10 -1
   1: 0100007F:C350 0100007F:1F90 06 00000000:00000000 00:00000000 00000000     0        0 0 1 0000000000000000 20 4 30 10 -1
   2: 0100007F:C350 0100007F:1F90 01 00000000:00000000 00:00000000 00000000  1001        0 101 1 0000000000000000 20 4 30 10 -1
`
	if uid, ok := ownerIn([]byte(tcp), "0100007F:C350", "0100007F:1F90"); uid != 1001 || !ok {
		t.Errorf("the user is %d, %v", uid, ok)
	}
	if got := mappedPrefix() + "0100007F"; got != "0000000000000000FFFF00000100007F" {
		t.Errorf("an IPv4 address in the IPv6 table is %s", got)
	}
}
