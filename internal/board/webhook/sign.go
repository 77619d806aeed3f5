package webhook

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"
)

// The headers of a delivery.
const (
	// SignatureHeader holds t=SECONDS,v1=HEX with one v1 for each valid secret.
	SignatureHeader = "Legwork-Signature"
	// EventHeader holds the type of the event.
	EventHeader = "Legwork-Event"
	// DeliveryHeader holds the id of the delivery, which is the same in all attempts.
	DeliveryHeader = "Legwork-Delivery"
)

// secretPrefix tells people, and scanners for lost secrets, what a secret is.
const secretPrefix = "whsec_"

// secret is the signing secret of one generation of an endpoint. It is derived, so
// that no copy of the tables holds it.
func (h *Hooks) secret(endpoint string, generation int64) string {
	m := hmac.New(sha256.New, h.key)
	fmt.Fprintf(m, "webhook secret\x00%s\x00%d", endpoint, generation)
	return secretPrefix + base64.RawURLEncoding.EncodeToString(m.Sum(nil))
}

// Sign is the value of SignatureHeader: HMAC-SHA256, keyed by the whole text of the
// secret, over the time in decimal seconds, a dot, and the body.
func Sign(body []byte, at time.Time, secrets ...string) string {
	t := strconv.FormatInt(at.Unix(), 10)
	var text strings.Builder
	text.WriteString("t=" + t)
	for _, s := range secrets {
		text.WriteString(",v1=" + hex.EncodeToString(sum(s, t, body)))
	}
	return text.String()
}

func sum(secret, t string, body []byte) []byte {
	m := hmac.New(sha256.New, []byte(secret))
	m.Write([]byte(t + "."))
	m.Write(body)
	return m.Sum(nil)
}

// ErrSignature is the error of a delivery that is not what the holder of the secret
// sent, or not lately.
var ErrSignature = errors.New("the signature of the delivery is not valid")

// Check is the receiver's side of Sign: it holds the header of a delivery against
// the secret, and its time against now.
func Check(header string, body []byte, secret string, now time.Time) error {
	const tolerance = 5 * time.Minute
	var t string
	var sums []string
	for part := range strings.SplitSeq(header, ",") {
		name, value, _ := strings.Cut(part, "=")
		switch name {
		case "t":
			t = value
		case "v1":
			sums = append(sums, value)
		}
	}
	seconds, err := strconv.ParseInt(t, 10, 64)
	if err != nil || now.Sub(time.Unix(seconds, 0)).Abs() > tolerance {
		return ErrSignature
	}
	want := sum(secret, t, body)
	for _, s := range sums {
		if got, err := hex.DecodeString(s); err == nil && hmac.Equal(got, want) {
			return nil
		}
	}
	return ErrSignature
}
