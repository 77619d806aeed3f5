package media

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"net/url"
	"strconv"
	"strings"
	"time"
)

// Variant is which form of a file a link gives.
type Variant string

// The variants.
const (
	Full  Variant = "full"
	Thumb Variant = "thumb" // of a photo
)

// Grant says what a link allows.
type Grant struct {
	// Viewer is who may use the link, such as human:ID; they must be logged in
	// when they do. Empty means whoever holds it: for programs that fetch the
	// address without a login.
	Viewer string
	// Purpose is what for, such as review; it is part of the signature and of the
	// address, so that a link of one purpose serves no other.
	Purpose string
	Variant Variant
	// For is how long, at most MaxLink.
	For time.Duration
}

// MaxLink is the longest time that a link is good for.
const MaxLink = time.Hour

// Link is the path of a file below the mount point of Files, such as
// 4f…/full?e=…&p=review&s=…, and when it ends. The signature is HMAC-SHA256
// (RFC 2104) over all of it and the viewer.
func (s *Store) Link(id string, g Grant) (path string, ends time.Time) {
	if g.Variant == "" {
		g.Variant = Full
	}
	ends = s.o.Now().Add(min(g.For, MaxLink)).Truncate(time.Second).UTC()
	bound := "0"
	if g.Viewer != "" {
		bound = "1"
	}
	q := url.Values{"e": {strconv.FormatInt(ends.Unix(), 10)}, "p": {g.Purpose}, "b": {bound}}
	q.Set("s", s.sign(id, g, q))
	return id + "/" + string(g.Variant) + "?" + q.Encode(), ends
}

// sign covers every part of a link; lengths keep the parts from running together.
func (s *Store) sign(id string, g Grant, q url.Values) string {
	mac := hmac.New(sha256.New, s.o.Key)
	for _, part := range []string{"media link v1", id, string(g.Variant), q.Get("p"), q.Get("e"), q.Get("b"), g.Viewer} {
		mac.Write([]byte(strconv.Itoa(len(part)) + ":" + part))
	}
	return base64.RawURLEncoding.EncodeToString(mac.Sum(nil))
}

// check returns the purpose of a link that is good now for the viewer.
func (s *Store) check(rest string, q url.Values, viewer string) (id string, v Variant, err error) {
	id, variant, _ := strings.Cut(rest, "/")
	v = Variant(variant)
	if q.Get("b") == "0" {
		viewer = ""
	} else if viewer == "" {
		return "", "", errLogin()
	}
	want := s.sign(id, Grant{Viewer: viewer, Variant: v}, q)
	if !isID(id) || v != Full && v != Thumb || !hmac.Equal([]byte(want), []byte(q.Get("s"))) {
		return "", "", errLink()
	}
	ends, err := strconv.ParseInt(q.Get("e"), 10, 64)
	if err != nil {
		return "", "", errLink()
	}
	if !s.o.Now().Before(time.Unix(ends, 0)) {
		return "", "", errExpired()
	}
	return id, v, nil
}
