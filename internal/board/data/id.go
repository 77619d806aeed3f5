package data

import (
	"crypto/rand"
	"encoding/binary"
	"encoding/hex"
	"time"

	"github.com/legwork-mcp/legwork/internal/store"
)

// newID is a UUID of version 7 (RFC 9562, section 5.7): ids sort by the time that
// they were made at.
func newID(now time.Time) string {
	var b [16]byte
	_, _ = rand.Read(b[6:]) // never fails: crypto/rand ends the process instead
	var ms [8]byte
	binary.BigEndian.PutUint64(ms[:], uint64(now.UnixMilli()))
	copy(b[:6], ms[2:])
	b[6] = b[6]&0x0f | 0x70
	b[8] = b[8]&0x3f | 0x80
	h := hex.EncodeToString(b[:])
	return h[:8] + "-" + h[8:12] + "-" + h[12:16] + "-" + h[16:20] + "-" + h[20:]
}

// millis is a time as it is kept; 0 for none.
func millis(t time.Time) int64 {
	if t.IsZero() {
		return 0
	}
	return t.UnixMilli()
}

// moment is a time as it was kept.
func moment(ms int64) time.Time {
	if ms == 0 {
		return time.Time{}
	}
	return time.UnixMilli(ms).UTC()
}

// kept is the time of a transaction with the precision that is kept.
func kept(tx store.Tx) time.Time { return moment(millis(tx.Now())) }
