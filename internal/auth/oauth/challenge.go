package oauth

import "strings"

// Challenge is the value of a WWW-Authenticate header: RFC 6750 section 3, with
// the parameter of RFC 9728 section 5.1.
type Challenge struct {
	// ResourceMetadata is the URL of the protected-resource metadata.
	ResourceMetadata string
	// Scopes are what the client should ask for.
	Scopes []string
	// Error is the OAuth error code; "" when the request had no token.
	Error string
	// Description says why, for the client's developer.
	Description string
}

// String is the header's value. It is safe to send whatever the fields hold: what
// may not stand in a quoted string is left out or replaced.
func (c Challenge) String() string {
	var params []string
	add := func(name, value string) {
		if value != "" {
			params = append(params, name+`="`+value+`"`)
		}
	}
	add("error", printable(c.Error))
	add("error_description", printable(c.Description))
	var scopes []string
	for _, s := range c.Scopes {
		if isScope(s) {
			scopes = append(scopes, s)
		}
	}
	add("scope", strings.Join(scopes, " "))
	add("resource_metadata", strings.ReplaceAll(printable(c.ResourceMetadata), " ", "%20"))
	if len(params) == 0 {
		return "Bearer"
	}
	return "Bearer " + strings.Join(params, ", ")
}

// printable keeps what RFC 6750 section 3 allows in these values: %x20-21,
// %x23-5B and %x5D-7E.
func printable(s string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == '"' || r == '\\':
			return '\''
		case r < 0x20 || r > 0x7e:
			return -1
		}
		return r
	}, s)
}

// isScope reports whether s is one scope-token of RFC 6749 section 3.3.
func isScope(s string) bool {
	for i := range len(s) {
		if c := s[i]; c <= 0x20 || c >= 0x7f || c == '"' || c == '\\' {
			return false
		}
	}
	return s != ""
}
