package data

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"
)

// secrets derives everything that must not be kept in the clear. Each use has a
// key of its own, so that a value of one can never stand for another.
type secrets struct{ pepper []byte }

// The uses.
const (
	useKey     = "key"
	useCode    = "code"
	useSession = "session"
	useRef     = "reference"
	useSource  = "source"
	useSignIn  = "requester sign-in"
)

func newSecrets(pepper []byte) secrets { return secrets{append([]byte(nil), pepper...)} }

// mac is HMAC-SHA256 (RFC 2104) of the parts under the pepper, in hex.
func (s secrets) mac(use string, parts ...string) string {
	return hex.EncodeToString(s.sum(use, parts...))
}

func (s secrets) sum(use string, parts ...string) []byte {
	h := hmac.New(sha256.New, s.pepper)
	for _, p := range append([]string{use}, parts...) {
		_, _ = fmt.Fprintf(h, "%d:%s", len(p), p) // a hash takes everything
	}
	return h.Sum(nil)
}

// same compares without telling by its time how much is the same.
func same(a, b string) bool { return hmac.Equal([]byte(a), []byte(b)) }

// refPrefix starts a reference to a person.
const refPrefix = "hr_"

// ref hides a person's id from an agent: one block of AES (FIPS 197) under a key of
// this agent, so that two agents cannot tell that they mean the same person.
func (s secrets) ref(agentID, humanID string) string {
	raw, err := hex.DecodeString(strings.ReplaceAll(humanID, "-", ""))
	if err != nil || len(raw) != aes.BlockSize {
		return ""
	}
	s.block(agentID).Encrypt(raw, raw)
	return refPrefix + hex.EncodeToString(raw)
}

// deref is the id behind a reference; false for text that is none.
func (s secrets) deref(agentID, ref string) (string, bool) {
	text, ours := strings.CutPrefix(ref, refPrefix)
	raw, err := hex.DecodeString(text)
	if !ours || err != nil || len(raw) != aes.BlockSize {
		return "", false
	}
	s.block(agentID).Decrypt(raw, raw)
	h := hex.EncodeToString(raw)
	return h[:8] + "-" + h[8:12] + "-" + h[12:16] + "-" + h[16:20] + "-" + h[20:], true
}

func (s secrets) block(agentID string) cipher.Block {
	block, err := aes.NewCipher(s.sum(useRef, agentID))
	if err != nil {
		panic(err) // a key of 32 bytes is always one
	}
	return block
}

// random is n bytes in hex that nobody can guess.
func random(n int) string {
	b := make([]byte, n)
	_, _ = rand.Read(b) // never fails: crypto/rand ends the process instead
	return hex.EncodeToString(b)
}
