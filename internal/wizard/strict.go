package wizard

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// limits bound a JSON text before anything else looks at it.
type limits struct {
	what  string
	bytes int
	depth int
}

const (
	maxDigits   = 400 // of a number: more is no answer, and slow to compare
	maxExponent = 400
)

// scan refuses what decoders silently accept and what costs too much: repeated
// keys, deep nesting, numbers with huge exponents, text after the value.
func scan(data []byte, l limits) error {
	if len(data) > l.bytes {
		return fmt.Errorf("%s has %d bytes; the limit is %d", l.what, len(data), l.bytes)
	}
	s := scanner{decoder: json.NewDecoder(bytes.NewReader(data)), data: data, limits: l}
	s.decoder.UseNumber()
	if err := s.value("", 0); err != nil {
		return err
	}
	if _, err := s.decoder.Token(); !errors.Is(err, io.EOF) {
		return fmt.Errorf("%s has more text after its JSON value", l.what)
	}
	return nil
}

type scanner struct {
	decoder *json.Decoder
	data    []byte
	limits  limits
}

func (s *scanner) value(path string, depth int) error {
	before := s.decoder.InputOffset()
	token, err := s.token()
	if err != nil {
		return err
	}
	switch t := token.(type) {
	case string:
		if strings.ContainsRune(t, utf8.RuneError) && broken(s.data[before:s.decoder.InputOffset()]) {
			return fmt.Errorf("%s: the text has a part of a character only; send whole characters, as UTF-8", orWhole(path, s.limits.what))
		}
		return nil
	case json.Number:
		return checkNumber(path, t)
	case json.Delim:
		if depth >= s.limits.depth {
			return fmt.Errorf("%s is nested more than %d levels deep", s.limits.what, s.limits.depth)
		}
		if t == '{' {
			return s.object(path, depth)
		}
		return s.array(path, depth)
	}
	return nil
}

func (s *scanner) object(path string, depth int) error {
	seen := map[string]bool{}
	for s.decoder.More() {
		token, err := s.token()
		if err != nil {
			return err
		}
		key, _ := token.(string)
		at := join(path, key)
		if seen[key] {
			return fmt.Errorf("%s: the key is there twice; keep one", at)
		}
		seen[key] = true
		if err := s.value(at, depth+1); err != nil {
			return err
		}
	}
	_, err := s.token()
	return err
}

func (s *scanner) array(path string, depth int) error {
	for i := 0; s.decoder.More(); i++ {
		if err := s.value(join(path, strconv.Itoa(i)), depth+1); err != nil {
			return err
		}
	}
	_, err := s.token()
	return err
}

func (s *scanner) token() (json.Token, error) {
	token, err := s.decoder.Token()
	if errors.Is(err, io.EOF) {
		return nil, fmt.Errorf("%s is not complete JSON: it ends too early", s.limits.what)
	}
	if err != nil {
		return nil, fmt.Errorf("%s is not JSON: %w (byte %d)", s.limits.what, err, s.decoder.InputOffset())
	}
	return token, nil
}

func orWhole(path, what string) string {
	if path == "" {
		return what
	}
	return path
}

// broken tells whether a JSON text has what is no character: bytes that are no UTF-8,
// or one half of a pair of surrogates. Decoders put U+FFFD in its place and say nothing.
func broken(raw []byte) bool {
	if !utf8.Valid(raw) {
		return true
	}
	for i := 0; i+1 < len(raw); i++ {
		if raw[i] != '\\' {
			continue
		}
		i++
		if first := escaped(raw[i:]); utf16.IsSurrogate(first) {
			if i+6 >= len(raw) || raw[i+5] != '\\' || utf16.DecodeRune(first, escaped(raw[i+6:])) == utf8.RuneError {
				return true
			}
			i += 10
		}
	}
	return false
}

// escaped is the code of uXXXX, or 0.
func escaped(raw []byte) rune {
	if len(raw) < 5 || raw[0] != 'u' {
		return 0
	}
	n, err := strconv.ParseUint(string(raw[1:5]), 16, 16)
	if err != nil {
		return 0
	}
	return rune(n)
}

func checkNumber(path string, n json.Number) error {
	text := strings.ToLower(string(n))
	_, exponent, _ := strings.Cut(text, "e")
	size, err := strconv.Atoi(strings.TrimPrefix(exponent, "+"))
	if exponent == "" {
		size, err = 0, nil
	}
	if err != nil || size > maxExponent || size < -maxExponent || len(text) > maxDigits {
		return fmt.Errorf("%s: the number is too long or too large", path)
	}
	return nil
}

// join appends one token to a JSON pointer.
func join(path, token string) string {
	token = strings.ReplaceAll(strings.ReplaceAll(token, "~", "~0"), "/", "~1")
	return path + "/" + token
}

func joinIndex(path string, i int) string { return path + "/" + strconv.Itoa(i) }
