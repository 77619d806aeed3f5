package observe

import (
	"fmt"
	"io"
	"log/slog"
)

// Secret is a token or key. It prints as *** everywhere; Reveal gives it back.
type Secret string

// Reveal returns the secret itself, for the one place that needs it.
func (s Secret) Reveal() string { return string(s) }

// String masks the secret.
func (s Secret) String() string { return mask(string(s)) }

// GoString masks the secret for %#v.
func (s Secret) GoString() string { return mask(string(s)) }

// Format masks the secret for every verb.
func (s Secret) Format(f fmt.State, _ rune) { _, _ = io.WriteString(f, mask(string(s))) }

// MarshalJSON masks the secret.
func (s Secret) MarshalJSON() ([]byte, error) { return []byte(`"` + mask(string(s)) + `"`), nil }

// MarshalText masks the secret for every text encoding.
func (s Secret) MarshalText() ([]byte, error) { return []byte(mask(string(s))), nil }

// LogValue masks the secret.
func (s Secret) LogValue() slog.Value { return slog.StringValue(mask(string(s))) }

// mask shows whether there is a secret at all, which is worth knowing.
func mask(s string) string {
	if s == "" {
		return ""
	}
	return Mask
}

// Value holds something that a person typed. It prints as *** everywhere; read
// the field to use it.
type Value struct{ V any }

// String masks the value.
func (Value) String() string { return Mask }

// Format masks the value for every verb.
func (Value) Format(f fmt.State, _ rune) { _, _ = io.WriteString(f, Mask) }

// MarshalJSON masks the value.
func (Value) MarshalJSON() ([]byte, error) { return []byte(`"` + Mask + `"`), nil }

// LogValue masks the value.
func (Value) LogValue() slog.Value { return slog.StringValue(Mask) }
