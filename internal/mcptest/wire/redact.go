package wire

import (
	"bytes"
	"encoding/base64"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
)

// redacted stands where a secret stood.
const redacted = "[redacted]"

// shortestSecret is how long a text must be to be looked for: shorter ones, such as a
// setting of "1", are everywhere.
const shortestSecret = 6

// secretHeaders are those whose values never go into evidence (RFC 9110, 11.6 and
// 11.7; RFC 6265).
var secretHeaders = []string{"Authorization", "Proxy-Authorization", "Cookie", "Set-Cookie", "X-Api-Key", "Api-Key"}

// redactor takes secrets out of evidence, also in the shapes that they take inside
// JSON, an address and basic authentication.
type redactor struct {
	mu      sync.RWMutex
	secrets [][]byte
	headers []string // the names of headers whose values are secrets
}

// learn adds secrets.
func (r *redactor) learn(texts ...string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, text := range texts {
		if len(text) < shortestSecret {
			continue
		}
		inJSON := string(quote(text))
		inJSON = inJSON[1 : len(inJSON)-1]
		for _, shape := range []string{text, inJSON, url.QueryEscape(text), url.PathEscape(text), base64.StdEncoding.EncodeToString([]byte(text))} {
			if !slices.ContainsFunc(r.secrets, func(s []byte) bool { return string(s) == shape }) {
				r.secrets = append(r.secrets, []byte(shape))
			}
		}
	}
	// the longest first: one secret may hold another
	slices.SortFunc(r.secrets, func(a, b []byte) int { return len(b) - len(a) })
}

// learnHeader adds the values of headers, and what follows a scheme in them.
func (r *redactor) learnHeader(h http.Header) {
	for name, values := range h {
		r.mu.Lock()
		r.headers = append(r.headers, http.CanonicalHeaderKey(name))
		r.mu.Unlock()
		for _, v := range values {
			if _, token, found := strings.Cut(v, " "); found {
				r.learn(token)
			}
			r.learn(v)
		}
	}
}

// copy gives the bytes without secrets; always a new slice.
func (r *redactor) copy(b []byte) []byte {
	r.mu.RLock()
	defer r.mu.RUnlock()
	out := bytes.Clone(b)
	for _, s := range r.secrets {
		if bytes.Contains(out, s) {
			out = bytes.ReplaceAll(out, s, []byte(redacted))
		}
	}
	return out
}

// cut gives the beginning of the bytes without secrets. A secret at its end is taken out
// as a whole, not cut in two.
func (r *redactor) cut(b []byte, most int) []byte {
	window := b[:min(len(b), most+r.longest())]
	out := r.copy(window)
	if len(window) < len(b) {
		out = r.whole(out) // what was taken out may have brought the end of the window near
	}
	return out[:min(len(out), most)]
}

// whole takes the beginning of a secret off the end of bytes that were cut.
func (r *redactor) whole(b []byte) []byte {
	const least = 3 // shorter ones tell nothing
	r.mu.RLock()
	defer r.mu.RUnlock()
	for _, s := range r.secrets {
		for k := min(len(s)-1, len(b)); k >= least; k-- {
			if bytes.HasSuffix(b, s[:k]) {
				return b[:len(b)-k]
			}
		}
	}
	return b
}

// longest is the length of the longest secret.
func (r *redactor) longest() int {
	r.mu.RLock()
	defer r.mu.RUnlock()
	if len(r.secrets) == 0 {
		return 0
	}
	return len(r.secrets[0]) // they are sorted
}

func (r *redactor) text(s string) string {
	if s == "" {
		return ""
	}
	return string(r.copy([]byte(s)))
}

// header gives headers without secrets.
func (r *redactor) header(h http.Header) http.Header {
	r.mu.RLock()
	names := slices.Concat(secretHeaders, r.headers)
	r.mu.RUnlock()
	out := make(http.Header, len(h))
	for name, values := range h {
		for _, v := range values {
			if slices.Contains(names, http.CanonicalHeaderKey(name)) {
				v = redacted
			}
			out[name] = append(out[name], r.text(v))
		}
	}
	return out
}
