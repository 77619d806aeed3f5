package oauth

import (
	"net/http"
	"strings"
)

// Bearer returns the token of a request: RFC 6750 section 2.1, the only one of
// its three ways that OAuth 2.1 keeps and MCP allows. A token in the query or the
// body is not looked at. The error is an *Error of NoToken, InvalidRequest or
// InvalidToken.
func Bearer(h http.Header) (string, error) {
	values := h.Values("Authorization")
	switch {
	case len(values) == 0:
		return "", &Error{Code: NoToken}
	case len(values) > 1:
		// Two parties on the way could each believe in another one.
		return "", &Error{Code: InvalidRequest, Description: "there is more than one Authorization header"}
	}
	scheme, token, _ := strings.Cut(values[0], " ")
	if !strings.EqualFold(scheme, "Bearer") {
		return "", &Error{Code: NoToken, Description: "the Authorization header holds none"}
	}
	token = strings.Trim(token, " ")
	if !isToken(token) {
		return "", invalid("it is not a token in form")
	}
	return token, nil
}

// isToken reports whether s is a b64token of RFC 6750 section 2.1.
func isToken(s string) bool {
	body := strings.TrimRight(s, "=")
	for i := range len(body) {
		switch c := body[i]; {
		case 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z', '0' <= c && c <= '9', strings.IndexByte("-._~+/", c) >= 0:
		default:
			return false
		}
	}
	return body != ""
}
