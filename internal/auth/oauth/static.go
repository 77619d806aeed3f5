package oauth

import (
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/legwork-mcp/legwork/internal/auth"
	"github.com/legwork-mcp/legwork/internal/fault"
	"github.com/legwork-mcp/legwork/internal/lazyregexp"
)

const (
	// StaticPrefix begins every static token, so that one that leaked is found
	// by secret scanners and is never sent to an issuer.
	StaticPrefix = "lgw_"
	// StaticIssuer vouches for the bearers of static tokens.
	StaticIssuer = "static"
	// staticBytes of randomness cannot be guessed, which is why a plain hash of
	// the token may be stored.
	staticBytes = 32
	hashPrefix  = "sha256:"
	expiresKey  = "expires="
)

var (
	staticName  = lazyregexp.New(`^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$`)
	staticToken = lazyregexp.New(`^` + StaticPrefix + `[A-Za-z0-9_-]{43}$`) // 43 characters of base64 are 256 bits
)

// NewStatic makes a static token and the line of the file that admits it. The
// token cannot be had from the line. The name, of letters, digits, ".", "_" and
// "-", is who calls: see StaticSubject. expires is when the token
// ends; zero is never. The error is a fault of kind invalid.
func NewStatic(name string, scopes []string, expires time.Time) (token, line string, err error) {
	if !staticName.MatchString(name) {
		return "", "", fault.New(fault.Invalid, "invalid_name", fmt.Sprintf("The name %q is not usable for a token.", name),
			"Use up to 64 letters, digits, dots, dashes and underscores.")
	}
	unusable := func(s string) bool { return !isScope(s) || strings.Contains(s, ",") }
	if len(scopes) == 0 || len(scopes) > maxScopes || slices.ContainsFunc(scopes, unusable) {
		return "", "", fault.New(fault.Invalid, "invalid_scope", "A token needs scopes, each of printable characters without a comma, quote or backslash.",
			"Name the scopes that the bearer may use.")
	}
	var random [staticBytes]byte
	_, _ = rand.Read(random[:]) // never fails: crypto/rand ends the process instead
	token = StaticPrefix + base64.RawURLEncoding.EncodeToString(random[:])
	sum := sha256.Sum256([]byte(token))
	line = name + " " + strings.Join(scopes, ",") + " " + hashPrefix + hex.EncodeToString(sum[:])
	if !expires.IsZero() {
		line += " " + expiresKey + expires.UTC().Format(time.RFC3339)
	}
	return token, line, nil
}

// StaticSubject is the subject of the bearer of a static token, by the token's name.
func StaticSubject(name string) string { return "static:" + name }

// staticEntry is one line of the file.
type staticEntry struct {
	sum digest
	who auth.Principal
}

// parseStatic reads the file: a token a line, as NewStatic writes it; empty lines
// and those that begin with # are skipped. One mistake refuses the whole file.
func parseStatic(text string) ([]staticEntry, error) {
	var out []staticEntry
	for n, line := range strings.Split(text, "\n") {
		line = strings.TrimSpace(line)
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		e, err := parseStaticLine(strings.Fields(line))
		if err == nil && slices.ContainsFunc(out, func(o staticEntry) bool { return o.sum == e.sum }) {
			err = errors.New("the same token is there twice")
		}
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", n+1, err)
		}
		out = append(out, e)
	}
	return out, nil
}

// parseStaticLine says what is wrong without quoting it: whoever confuses the
// columns has a secret in one of them.
func parseStaticLine(fields []string) (staticEntry, error) {
	var e staticEntry
	if len(fields) != 3 && len(fields) != 4 {
		return e, errors.New("it is not NAME SCOPE[,SCOPE...] sha256:HEX [expires=TIME]")
	}
	if !staticName.MatchString(fields[0]) || strings.HasPrefix(fields[0], StaticPrefix) {
		return e, errors.New("the name is not usable")
	}
	scopes := strings.Split(fields[1], ",")
	if len(scopes) > maxScopes || slices.ContainsFunc(scopes, func(s string) bool { return !isScope(s) }) {
		return e, errors.New("the scopes are not usable")
	}
	hexSum, ok := strings.CutPrefix(fields[2], hashPrefix)
	sum, err := hex.DecodeString(hexSum)
	if !ok || err != nil || len(sum) != len(e.sum) {
		return e, errors.New("the third column is not sha256: and 64 hexadecimal digits")
	}
	copy(e.sum[:], sum)
	e.who = auth.Principal{Issuer: StaticIssuer, Subject: StaticSubject(fields[0]), Scopes: scopes}.Identified()
	if len(fields) == 4 {
		at, ok := strings.CutPrefix(fields[3], expiresKey)
		if e.who.Expires, err = time.Parse(time.RFC3339, at); !ok || err != nil {
			return e, errors.New("the fourth column is not expires= and a time such as 2027-01-31T00:00:00Z")
		}
	}
	return e, nil
}

// lookUp finds a token in a time that does not depend on how much of it is right.
func lookUp(entries []staticEntry, token string) (auth.Principal, bool) {
	var who auth.Principal
	found := 0
	d := digestOf(token)
	for i := range entries {
		if subtle.ConstantTimeCompare(entries[i].sum[:], d[:]) == 1 {
			who, found = entries[i].who, 1
		}
	}
	return who, found == 1
}
