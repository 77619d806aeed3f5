package login

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"strings"
	"time"
)

func encode(s string) string { return base64.StdEncoding.EncodeToString([]byte(s)) }

// kindOf tells a JWT from a token that only its issuer can read.
func kindOf(token string) string {
	if claimsOf(token) == nil {
		return "opaque"
	}
	return "JWT"
}

// claimsOf are the claims of a JWT, unverified; nil for anything else.
func claimsOf(token string) map[string]any {
	parts := strings.Split(token, ".")
	if len(parts) != 3 {
		return nil
	}
	raw, err := base64.RawURLEncoding.DecodeString(strings.TrimRight(parts[1], "="))
	var claims map[string]any
	if err != nil || json.Unmarshal(raw, &claims) != nil {
		return nil
	}
	return claims
}

// noteClaims shows what a token says of itself, as far as servers decide by it, and
// what will make them refuse it (RFC 9068, 4; MCP 2025-11-25, Token Handling). Who the
// person is stays out.
func (l *Login) noteClaims(token string, f found) {
	claims := claimsOf(token)
	if claims == nil {
		return
	}
	audience := texts(map[string]any{"aud": claims["aud"]}, "aud")
	if one := text(claims, "aud"); one != "" {
		audience = []string{one}
	}
	s := Step{Name: StepClaims, Outcome: OK, Source: "RFC 9068, 4", Detail: "The token is a JWT; its signature was not checked here.", Facts: []Fact{
		{"iss", text(claims, "iss")}, {"aud", strings.Join(audience, " ")}, {"exp", when(claims["exp"])}, {"iat", when(claims["iat"])},
		{"scope", text(claims, "scope")}, {"scp", strings.Join(texts(claims, "scp"), " ")}, {"permissions", strings.Join(texts(claims, "permissions"), " ")},
	}}
	warn := func(format string, args ...any) {
		s.Outcome = Warning
		s.Detail += " " + fmt.Sprintf(format, args...)
	}
	wanted := l.o.Audience
	if wanted == "" {
		wanted = l.resourceOf(f)
	}
	if wanted != "" {
		meant := false
		for _, a := range audience {
			meant = meant || a == wanted || sameAddress(a, wanted)
		}
		if !meant {
			warn("It is not meant for %q: its audience is %q.", wanted, audience)
		}
	}
	if iss := text(claims, "iss"); f.server.issuer != "" && iss != f.server.issuer {
		warn("Its issuer is %q, and that of the metadata %q.", iss, f.server.issuer)
	}
	if exp, ok := claims["exp"].(float64); ok && !l.o.Now().Before(time.Unix(int64(exp), 0)) {
		warn("It has expired.")
	}
	l.rec.add(s)
}

// when writes the time of a claim.
func when(v any) string {
	seconds, ok := v.(float64)
	if !ok || seconds < 0 || seconds > 1<<40 {
		return ""
	}
	return time.Unix(int64(seconds), 0).UTC().Format(time.RFC3339)
}
