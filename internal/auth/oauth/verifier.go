package oauth

import (
	"context"
	"errors"
	"log/slog"
	"strings"
	"time"

	"github.com/golang-jwt/jwt/v5"

	"github.com/legwork-mcp/legwork/internal/auth"
)

// maxRemembered bounds how many tokens are remembered; a cache holds up to twice
// as many.
const maxRemembered = 4096

// Verifier decides whether tokens are good. It is safe for concurrent use.
type Verifier struct {
	cfg    Config
	parser *jwt.Parser
	keys   *keys         // nil without an issuer
	asks   *introspector // nil without introspection
	static *staticTokens // nil without a file
	jwts   *cache[auth.Principal]
}

// New makes a verifier. It tries once to get the issuer's keys, and works without
// them until they can be had: a server must not depend on the order in which
// things start. ctx bounds that attempt only. The error is a fault about a
// setting. Close the verifier when done.
func New(ctx context.Context, c Config) (*Verifier, error) {
	if err := c.complete(); err != nil {
		return nil, err
	}
	v := &Verifier{cfg: c, jwts: newCache[auth.Principal](maxRemembered)}
	if c.Static != "" {
		var err error
		if v.static, err = newStaticTokens(&v.cfg); err != nil {
			return nil, err
		}
	}
	if c.Issuer == "" {
		return v, nil
	}
	client := newIssuerClient(c.HTTPClient)
	v.parser = newParser(&v.cfg)
	v.keys = newKeys(&v.cfg, client, v.jwts.clear)
	if c.Introspection.ClientID != "" {
		v.asks = newIntrospector(&v.cfg, client)
	}
	ctx, cancel := context.WithTimeout(ctx, fetchTime)
	defer cancel()
	if err := v.Check(ctx); err != nil {
		c.Logger.WarnContext(ctx, "no token of the issuer can be checked until it answers", "issuer", c.Issuer)
	}
	return v, nil
}

// Check reports whether tokens of the issuer can be checked now; the error is an
// *Error of code Unavailable.
func (v *Verifier) Check(ctx context.Context) error {
	if v.keys == nil {
		return nil
	}
	return v.keys.check(ctx)
}

// Verify says whose token this is and what it grants. The error is an *Error of
// code InvalidToken or Unavailable; when it cannot be told, the answer is no.
func (v *Verifier) Verify(ctx context.Context, token string) (auth.Principal, error) {
	p, err := v.verify(ctx, token)
	if err == nil {
		return p, nil
	}
	var own *Error
	if !errors.As(err, &own) {
		own = unavailable(time.Second, err)
	}
	v.cfg.Logger.LogAttrs(ctx, slog.LevelDebug, "a bearer token is refused",
		slog.String("code", string(own.Code)), slog.String("reason", own.Description))
	return auth.Principal{}, own
}

func (v *Verifier) verify(ctx context.Context, token string) (auth.Principal, error) {
	switch {
	case len(token) > v.cfg.MaxToken:
		return auth.Principal{}, invalid("it is too long")
	case !isToken(token):
		return auth.Principal{}, invalid("it is not a token in form")
	case strings.HasPrefix(token, StaticPrefix):
		if v.static == nil {
			return auth.Principal{}, invalid("it is not known")
		}
		return v.static.verify(ctx, token)
	case v.keys == nil:
		return auth.Principal{}, invalid("it is not known")
	case strings.Count(token, ".") == 2:
		return v.remembered(ctx, token)
	case v.asks == nil:
		// Also a JWE with its five parts, which only the issuer can read.
		return auth.Principal{}, invalid("it is opaque, and this server takes JWTs only")
	}
	return v.asks.verify(ctx, token)
}

// remembered checks a JWT once: it does not change until it ends, or the keys do.
func (v *Verifier) remembered(ctx context.Context, token string) (auth.Principal, error) {
	d, now := digestOf(token), v.cfg.Clock()
	// The keys may be due, and bring the news that one of them was taken back.
	if _, err := v.keys.current(ctx); err != nil {
		return auth.Principal{}, err
	}
	if p, ok := v.jwts.get(d, now); ok {
		return p, nil
	}
	era := v.jwts.started()
	p, err := v.verifyJWT(ctx, token)
	if err != nil {
		return auth.Principal{}, err
	}
	v.jwts.put(era, d, entry[auth.Principal]{p, p.Expires})
	return p, nil
}

// Close ends what is being asked and waits for it. A closed verifier decides
// nothing new.
func (v *Verifier) Close() {
	if v.keys != nil {
		v.keys.close()
	}
	if v.asks != nil {
		v.asks.close()
	}
}
