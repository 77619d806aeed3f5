package browser

import (
	endian "encoding/binary"
	"net/netip"
	"syscall"
	"time"
)

// The kernel's question for one socket by its addresses, and its answer, are of
// linux/inet_diag.h and linux/sock_diag.h. Reading the whole table of sockets in
// /proc/net/tcp instead takes milliseconds for every connection.
const (
	netlinkSockDiag  = 4
	sockDiagByFamily = 20
	established      = 1
	nobody           = -1

	headerSize   = syscall.SizeofNlMsghdr
	questionSize = 56
	answerSize   = 72
	// offsets in question and answer
	idOffset    = 8
	stateOffset = 1
	userOffset  = 64
)

// answerTime is how long the kernel may take to answer: it does so at once.
const answerTime = 5 * time.Second

// socketOwner is the user whose socket is connected from one address of this
// machine to another. An established connection that the kernel does not know
// belongs to nobody: a client that has gone already is not let in, since what is
// left of its socket counts as root's. A kernel that does not answer such
// questions leaves it unknown.
func socketOwner(from, to netip.AddrPort) (uid int, known bool) {
	answer, ok := askKernel(question(from, to))
	if !ok {
		return nobody, false
	}
	if answer == nil || answer[stateOffset] != established {
		return nobody, true
	}
	return int(endian.NativeEndian.Uint32(answer[userOffset:])), true
}

// question asks for the socket that is connected between two IPv4 addresses; an
// IPv6 socket that is used for them counts too.
func question(from, to netip.AddrPort) []byte {
	m := make([]byte, headerSize+questionSize)
	endian.NativeEndian.PutUint32(m[0:], uint32(len(m)))
	endian.NativeEndian.PutUint16(m[4:], sockDiagByFamily)
	endian.NativeEndian.PutUint16(m[6:], syscall.NLM_F_REQUEST)
	q := m[headerSize:]
	q[0], q[1] = syscall.AF_INET, syscall.IPPROTO_TCP
	endian.NativeEndian.PutUint32(q[4:], 1<<established)
	id := q[idOffset:]
	endian.BigEndian.PutUint16(id[0:], from.Port())
	endian.BigEndian.PutUint16(id[2:], to.Port())
	source, destination := from.Addr().Unmap().As4(), to.Addr().Unmap().As4()
	copy(id[4:], source[:])
	copy(id[20:], destination[:])
	endian.NativeEndian.PutUint64(id[40:], ^uint64(0)) // any cookie
	return m
}

// askKernel returns the answer without its header, nil if there is no such
// socket, and false if the kernel does not take the question.
func askKernel(question []byte) ([]byte, bool) {
	fd, err := syscall.Socket(syscall.AF_NETLINK, syscall.SOCK_RAW|syscall.SOCK_CLOEXEC, netlinkSockDiag)
	if err != nil {
		return nil, false
	}
	defer syscall.Close(fd) //nolint:errcheck // nothing is written
	limit := syscall.NsecToTimeval(answerTime.Nanoseconds())
	if err := syscall.SetsockoptTimeval(fd, syscall.SOL_SOCKET, syscall.SO_RCVTIMEO, &limit); err != nil {
		return nil, false
	}
	if err := syscall.Sendto(fd, question, 0, &syscall.SockaddrNetlink{Family: syscall.AF_NETLINK}); err != nil {
		return nil, false
	}
	buffer := make([]byte, 4096)
	n, _, err := syscall.Recvfrom(fd, buffer, 0)
	if err != nil {
		return nil, false
	}
	return readAnswer(buffer[:n])
}

func readAnswer(m []byte) ([]byte, bool) {
	if len(m) < headerSize+4 {
		return nil, false
	}
	switch endian.NativeEndian.Uint16(m[4:]) {
	case sockDiagByFamily:
		return m[headerSize:], len(m) >= headerSize+answerSize
	case syscall.NLMSG_ERROR:
		code := syscall.Errno(-int32(endian.NativeEndian.Uint32(m[headerSize:])))
		return nil, code == syscall.ENOENT
	}
	return nil, false
}
