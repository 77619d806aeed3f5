package browser

import (
	"bufio"
	"bytes"
	endian "encoding/binary"
	"fmt"
	"net/netip"
	"os"
	"strconv"
)

// The columns of the kernel's socket tables that count here.
const (
	columnLocal, columnRemote, columnState, columnUser = 1, 2, 3, 7
	columnCount                                        = 8
	established                                        = "01"
	nobody                                             = -1
)

// socketOwner is the user whose socket is connected from one address of this
// machine to another. An established connection that the tables do not list
// belongs to nobody: a client that has gone already is not let in, since what is
// left of its socket counts as root's.
func socketOwner(from, to netip.AddrPort) (uid int, known bool) {
	want := [2]string{socketName(from), socketName(to)}
	read := false
	// A client may use an IPv6 socket for an IPv4 address.
	for _, table := range []struct{ path, prefix string }{{"/proc/net/tcp", ""}, {"/proc/net/tcp6", mappedPrefix()}} {
		text, err := os.ReadFile(table.path)
		if err != nil {
			continue
		}
		read = true
		if uid, ok := ownerIn(text, table.prefix+want[0], table.prefix+want[1]); ok {
			return uid, true
		}
	}
	return nobody, read
}

func ownerIn(table []byte, local, remote string) (int, bool) {
	lines := bufio.NewScanner(bytes.NewReader(table))
	for lines.Scan() {
		f := bytes.Fields(lines.Bytes())
		if len(f) < columnCount || string(f[columnLocal]) != local || string(f[columnRemote]) != remote || string(f[columnState]) != established {
			continue
		}
		uid, err := strconv.Atoi(string(f[columnUser]))
		return uid, err == nil
	}
	return 0, false
}

// socketName is an IPv4 address as the tables write it: the bytes as a number of
// this machine, and the port.
func socketName(a netip.AddrPort) string {
	b := a.Addr().Unmap().As4()
	return fmt.Sprintf("%08X:%04X", endian.NativeEndian.Uint32(b[:]), a.Port())
}

// mappedPrefix is how the IPv6 table begins an IPv4 address.
func mappedPrefix() string {
	return fmt.Sprintf("%016X%08X", 0, endian.NativeEndian.Uint32([]byte{0, 0, 0xff, 0xff}))
}
