package crawl

import "strings"

const upperHex = "0123456789ABCDEF"

// unreserved reports whether a byte means the same encoded and not (RFC 3986,
// section 2.3).
func unreserved(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || strings.IndexByte("-._~", c) >= 0
}

// legal reports whether a byte may stand in an address as it is (RFC 3986,
// section 2.2 and 2.3). The percent sign is judged by what follows it.
func legal(c byte) bool {
	return unreserved(c) || strings.IndexByte(":/?#[]@!$&'()*+,;=", c) >= 0
}

// escapeIllegal percent-encodes what may not stand in an address: spaces, quotes,
// letters beyond ASCII, and a percent sign that begins no encoding. What is encoded
// already stays, so that nothing is encoded twice.
func escapeIllegal(s string) string {
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case legal(c), c == '%' && encodedAt(s, i):
			b.WriteByte(c)
		default:
			b.Write([]byte{'%', upperHex[c>>4], upperHex[c&15]})
		}
	}
	return b.String()
}

// normalEscapes gives every encoded byte its one form: unreserved ones decoded, the
// others with capital digits (RFC 3986, section 6.2.2).
func normalEscapes(s string) string {
	if strings.IndexByte(s, '%') < 0 {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] != '%' || !encodedAt(s, i) {
			b.WriteByte(s[i])
			continue
		}
		c := unhex(s[i+1])<<4 | unhex(s[i+2])
		if i += 2; unreserved(c) {
			b.WriteByte(c)
		} else {
			b.Write([]byte{'%', upperHex[c>>4], upperHex[c&15]})
		}
	}
	return b.String()
}

func encodedAt(s string, i int) bool {
	return i+2 < len(s) && isHex(s[i+1]) && isHex(s[i+2])
}

func isHex(c byte) bool {
	return '0' <= c && c <= '9' || 'a' <= c && c <= 'f' || 'A' <= c && c <= 'F'
}

func unhex(c byte) byte {
	switch {
	case c <= '9':
		return c - '0'
	case c >= 'a':
		return c - 'a' + 10
	default:
		return c - 'A' + 10
	}
}

// withoutDots removes "." and ".." from a path (RFC 3986, section 5.2.4).
func withoutDots(path string) string {
	if !strings.Contains(path, "/.") {
		return path
	}
	parts := strings.Split(strings.TrimPrefix(path, "/"), "/")
	var kept []string
	for i, p := range parts {
		last := i == len(parts)-1
		switch p {
		case ".":
		case "..":
			kept = kept[:max(0, len(kept)-1)]
		default:
			kept = append(kept, p)
			continue
		}
		if last {
			kept = append(kept, "")
		}
	}
	return "/" + strings.Join(kept, "/")
}
