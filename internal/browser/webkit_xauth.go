package browser

import (
	"bytes"
	"crypto/rand"
)

// xauthority is a file with one new MIT-MAGIC-COOKIE-1 for every display, in the
// format of libXau: the family, here the one that fits all, and four counted strings,
// of which the address and the number of the display are empty.
func xauthority() []byte {
	cookie := make([]byte, 16)
	_, _ = rand.Read(cookie) // it never fails
	b := bytes.NewBuffer([]byte{0xff, 0xff})
	for _, field := range [][]byte{nil, nil, []byte("MIT-MAGIC-COOKIE-1"), cookie} {
		b.Write([]byte{byte(len(field) >> 8), byte(len(field))})
		b.Write(field)
	}
	return b.Bytes()
}
