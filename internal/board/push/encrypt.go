package push

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/ecdh"
	"crypto/hkdf"
	"crypto/rand"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
)

// Sizes of an encrypted message (RFC 8188, section 2.1; RFC 8291, section 4).
const (
	saltSize = 16
	authSize = 16
	record   = 4096 // the record size that the header names
	// longest is the most that a message holds: what fits the 4096 bytes that every push
	// service takes, without header (86 bytes), tag and delimiter.
	longest = 4096 - 86 - 16 - 1
	// padding is what the length of a message is rounded up to: a push service that sees
	// the length alone knows less of what is said.
	padding = 512
)

// once is what is fresh in every message.
type once struct {
	salt []byte
	key  *ecdh.PrivateKey
}

func newOnce() (once, error) {
	key, err := ecdh.P256().GenerateKey(rand.Reader)
	if err != nil {
		return once{}, fmt.Errorf("make a key for a push: %w", err)
	}
	salt := make([]byte, saltSize)
	_, _ = rand.Read(salt) // never fails: crypto/rand ends the process instead
	return once{salt, key}, nil
}

// padded rounds the length of a text up, with the delimiter of the last record and
// zeros (RFC 8188, section 2).
func padded(text []byte) []byte {
	size := min((len(text)/padding+1)*padding, longest)
	return append(append(append(make([]byte, 0, size+1), text...), 2), make([]byte, size-len(text))...)
}

// seal encrypts a text with its delimiter for a device: the content encoding aes128gcm
// with one record (RFC 8188), keyed as RFC 8291, section 3, says.
func (o once) seal(d Device, text []byte) ([]byte, error) {
	theirs, err := ecdh.P256().NewPublicKey(d.P256DH)
	if err != nil {
		return nil, fmt.Errorf("read the key of a device: %w", err)
	}
	shared, err := o.key.ECDH(theirs)
	if err != nil {
		return nil, fmt.Errorf("agree on a key with a device: %w", err)
	}
	ours := o.key.PublicKey().Bytes()
	ikm, err := hkdf.Key(sha256.New, shared, d.Auth, "WebPush: info\x00"+string(d.P256DH)+string(ours), 32)
	if err != nil {
		return nil, fmt.Errorf("derive the keys of a push: %w", err)
	}
	key, err := hkdf.Key(sha256.New, ikm, o.salt, "Content-Encoding: aes128gcm\x00", 16)
	if err != nil {
		return nil, fmt.Errorf("derive the keys of a push: %w", err)
	}
	nonce, err := hkdf.Key(sha256.New, ikm, o.salt, "Content-Encoding: nonce\x00", 12)
	if err != nil {
		return nil, fmt.Errorf("derive the keys of a push: %w", err)
	}
	block, err := aes.NewCipher(key)
	if err != nil {
		return nil, fmt.Errorf("encrypt a push: %w", err)
	}
	gcm, err := cipher.NewGCM(block)
	if err != nil {
		return nil, fmt.Errorf("encrypt a push: %w", err)
	}
	header := binary.BigEndian.AppendUint32(append([]byte(nil), o.salt...), record)
	header = append(append(header, byte(len(ours))), ours...)
	return gcm.Seal(header, nonce, text, nil), nil
}
