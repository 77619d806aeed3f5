package wizard

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
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
	s := scanner{decoder: json.NewDecoder(bytes.NewReader(data)), limits: l}
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
	limits  limits
}

func (s *scanner) value(path string, depth int) error {
	token, err := s.token()
	if err != nil {
		return err
	}
	switch t := token.(type) {
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
