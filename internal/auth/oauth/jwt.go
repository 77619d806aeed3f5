package oauth

import (
	"context"
	"crypto/ecdsa"
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/golang-jwt/jwt/v5"

	"github.com/legwork-mcp/legwork/internal/auth"
)

// maxKID bounds the name of a key in a token.
const maxKID = 256

// newParser checks everything that golang-jwt can check; claims and headers do
// the rest.
func newParser(cfg *Config) *jwt.Parser {
	return jwt.NewParser(
		jwt.WithValidMethods(cfg.Algorithms),
		jwt.WithStrictDecoding(),
		jwt.WithIssuer(cfg.Issuer),
		jwt.WithAudience(cfg.Audiences...),
		jwt.WithExpirationRequired(),
		jwt.WithIssuedAt(),
		jwt.WithLeeway(cfg.Leeway),
		jwt.WithTimeFunc(cfg.Clock),
	)
}

// verifyJWT decides about a token with three parts, by RFC 8725 and RFC 9068
// section 4.
func (v *Verifier) verifyJWT(ctx context.Context, token string) (auth.Principal, error) {
	said := jwt.MapClaims{}
	parsed, err := v.parser.ParseWithClaims(token, said, func(t *jwt.Token) (any, error) {
		// Here the algorithm is an allowed one; the signature is not checked yet.
		kid, err := checkHeader(t.Header)
		if err != nil {
			return nil, err
		}
		if err := claims(said).checkTimes(); err != nil {
			return nil, err
		}
		set, err := v.keys.find(ctx, kid)
		if err != nil {
			return nil, err
		}
		key, err := set.lookup.Keyfunc(t) // also compares the algorithms of token and key
		if err != nil {
			return nil, invalid("the issuer's key is not for this algorithm")
		}
		return key, checkCurve(t.Method, key)
	})
	if err != nil || !parsed.Valid {
		return auth.Principal{}, refusal(err)
	}
	p, err := claims(said).principal(v.cfg.Issuer)
	if err != nil {
		return auth.Principal{}, err
	}
	expires, err := said.GetExpirationTime()
	if err != nil || expires == nil {
		return auth.Principal{}, invalid("it does not say when it expires")
	}
	p.Expires = expires.UTC()
	return p, nil
}

// checkHeader returns the name of the key. What else a header says of keys (jwk,
// jku, x5u, x5c) is ignored: RFC 8725 section 3.10.
func checkHeader(h map[string]any) (kid string, err error) {
	kid, ok := h["kid"].(string)
	if !ok || kid == "" || len(kid) > maxKID {
		return "", invalid("it does not name its key")
	}
	// Whatever is critical is not understood here: RFC 7515 section 4.1.11.
	if _, ok := h["crit"]; ok {
		return "", invalid("its header demands an extension")
	}
	typ, given := h["typ"]
	name, ok := typ.(string)
	if given && !ok {
		return "", invalid("it is not an access token")
	}
	// Media types have no case: RFC 7515 section 4.1.9, RFC 9068 section 4. Other
	// types are other things that the issuer signs: RFC 8725 section 3.11.
	if !slices.Contains([]string{"", "jwt", "at+jwt", "application/at+jwt"}, strings.ToLower(name)) {
		return "", invalid("it is not an access token")
	}
	return kid, nil
}

// checkCurve holds an algorithm to its curve: RFC 7518 section 3.4.
func checkCurve(method jwt.SigningMethod, key any) error {
	m, ok := method.(*jwt.SigningMethodECDSA)
	if !ok {
		return nil
	}
	if k, ok := key.(*ecdsa.PublicKey); !ok || k.Curve.Params().BitSize != m.CurveBits {
		return invalid("the issuer's key is not for this algorithm")
	}
	return nil
}

// refusal puts what the library found into words of our own: its text may quote
// the token.
func refusal(err error) error {
	var own *Error
	if errors.As(err, &own) {
		return own
	}
	for _, r := range []struct {
		is   error
		says string
	}{
		{jwt.ErrTokenExpired, "it has expired"},
		{jwt.ErrTokenNotValidYet, "it is not valid yet"},
		{jwt.ErrTokenUsedBeforeIssued, "it was issued in the future"},
		{jwt.ErrTokenInvalidIssuer, "it is of another issuer"},
		{jwt.ErrTokenInvalidAudience, "it is for another audience"},
		{jwt.ErrTokenRequiredClaimMissing, "it lacks its issuer, its audience or when it expires"},
		{jwt.ErrTokenMalformed, "it is not a token in form"},
		{jwt.ErrTokenSignatureInvalid, "its signature is not good"},
		{jwt.ErrTokenUnverifiable, "its signature is not good"},
	} {
		if errors.Is(err, r.is) {
			return invalid(r.says)
		}
	}
	return invalid("its claims are not usable")
}

// ends is when to forget a verdict on a token: with the token.
func ends(p auth.Principal, latest time.Time) time.Time {
	if p.Expires.IsZero() || latest.Before(p.Expires) {
		return latest
	}
	return p.Expires
}
