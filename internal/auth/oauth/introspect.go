package oauth

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"time"

	"github.com/golang-jwt/jwt/v5"
	"golang.org/x/time/rate"

	"github.com/legwork-mcp/legwork/internal/auth"
)

const (
	// rememberGood is how long a token counts as known after its answer is no
	// longer believed: asking about it again is no flood.
	rememberGood = 10 * time.Minute
	// rememberBad is how long a refused token is refused unasked.
	rememberBad = 30 * time.Second
	// newTokens and newBurst bound how often the issuer is asked about tokens
	// that nobody has seen, a second and at once: anybody can make them.
	newTokens = 20
	newBurst  = 40
	// lastIntrospectionRetry is short, since good tokens wait for it.
	lastIntrospectionRetry = 5 * time.Second
)

// known is a token that was good.
type known struct {
	who auth.Principal
	// fresh is until when that is believed without asking again.
	fresh time.Time
}

// introspector asks the issuer about opaque tokens.
type introspector struct {
	cfg     *Config
	client  issuerClient
	flights *flights[auth.Principal]
	good    *cache[known]
	bad     *cache[*Error]
	new     *rate.Limiter

	mu    sync.Mutex
	url   string
	retry backoff
	told  bool // that it cannot be asked
}

func newIntrospector(cfg *Config, client issuerClient) *introspector {
	return &introspector{
		cfg: cfg, client: client, url: cfg.Introspection.URL, flights: newFlights[auth.Principal](),
		good: newCache[known](maxRemembered), bad: newCache[*Error](maxRemembered),
		new:   rate.NewLimiter(newTokens, newBurst),
		retry: backoff{first: firstRetry, most: lastIntrospectionRetry},
	}
}

// verify decides about an opaque token.
func (i *introspector) verify(ctx context.Context, token string) (auth.Principal, error) {
	d, now := digestOf(token), i.cfg.Clock()
	seen, old := i.good.get(d, now)
	if old && now.Before(seen.fresh) {
		return seen.who, nil
	}
	if err, ok := i.bad.get(d, now); ok {
		return auth.Principal{}, err
	}
	who, err := i.flights.do(ctx, d, func(ctx context.Context) (auth.Principal, error) {
		return i.ask(ctx, token, old)
	})
	var own *Error
	if err != nil && !errors.As(err, &own) {
		return auth.Principal{}, unavailable(firstRetry, err)
	}
	return who, err
}

// ask puts the question, unless the issuer needs rest, and remembers the answer.
func (i *introspector) ask(ctx context.Context, token string, old bool) (auth.Principal, error) {
	now := i.cfg.Clock()
	i.mu.Lock()
	wait := i.retry.wait(now)
	i.mu.Unlock()
	if wait > 0 {
		return auth.Principal{}, unavailable(wait, errRecently)
	}
	if !old && !i.new.AllowN(now, 1) {
		return auth.Principal{}, unavailable(time.Second, errors.New("too many tokens that were never seen"))
	}
	said, err := i.request(ctx, token)
	i.note(ctx, err)
	if err != nil {
		return auth.Principal{}, unavailable(firstRetry, err)
	}
	who, err := i.judge(said)
	d := digestOf(token)
	if err != nil {
		var own *Error
		if errors.As(err, &own) {
			i.bad.put(0, d, entry[*Error]{own, now.Add(rememberBad)})
		}
		i.good.put(0, d, entry[known]{}) // it was good, perhaps, and is not any more
		return auth.Principal{}, err
	}
	fresh := ends(who, now.Add(i.cfg.Introspection.CacheFor))
	i.good.put(0, d, entry[known]{known{who, fresh}, fresh.Add(rememberGood)})
	return who, nil
}

// note keeps the issuer from being asked in a loop while it cannot answer, and
// logs when that begins and ends.
func (i *introspector) note(ctx context.Context, err error) {
	i.mu.Lock()
	was := i.told
	i.told = err != nil
	switch {
	case err == nil:
		i.retry.succeeded()
	case !aboutOneToken(err):
		i.retry.failed(i.cfg.Clock())
	}
	i.mu.Unlock()
	switch {
	case ctx.Err() != nil: // closing
	case err != nil && !was:
		i.cfg.Logger.LogAttrs(ctx, slog.LevelWarn, "the issuer cannot be asked about opaque tokens", slog.Any("error", err))
	case err == nil && was:
		i.cfg.Logger.InfoContext(ctx, "the issuer answers about opaque tokens again")
	}
}

// aboutOneToken reports whether an answer may concern the token alone: an issuer
// that dislikes one token's form must not be left alone for that, or anybody
// could keep it from being asked about the others.
func aboutOneToken(err error) bool {
	var status statusError
	if !errors.As(err, &status) {
		return false
	}
	switch status {
	case http.StatusUnauthorized, http.StatusForbidden, http.StatusNotFound, http.StatusTooManyRequests:
		return false // that is about this server
	}
	return status >= 400 && status < 500
}

// request is RFC 7662 section 2.1.
func (i *introspector) request(ctx context.Context, token string) (claims, error) {
	at, err := i.place(ctx)
	if err != nil {
		return nil, err
	}
	s := i.cfg.Introspection
	raw, err := i.client.do(ctx, http.MethodPost, at, &form{
		body: url.Values{"token": {token}, "token_type_hint": {"access_token"}}.Encode(),
		// Encoded once more before Basic: RFC 6749 section 2.3.1.
		user: url.QueryEscape(s.ClientID), password: url.QueryEscape(s.ClientSecret.Reveal()),
	})
	if err != nil {
		return nil, fmt.Errorf("introspection at %s: %w", at, err)
	}
	var said claims
	if err := json.Unmarshal(raw, &said); err != nil {
		return nil, fmt.Errorf("introspection at %s: its answer is not JSON of an object", at)
	}
	if _, ok := said["active"].(bool); !ok {
		return nil, fmt.Errorf("introspection at %s: its answer does not say whether the token is active", at)
	}
	return said, nil
}

// place is where to ask.
func (i *introspector) place(ctx context.Context) (string, error) {
	i.mu.Lock()
	at := i.url
	i.mu.Unlock()
	if at != "" {
		return at, nil
	}
	m, err := i.cfg.discover(ctx, i.client)
	if err != nil {
		return "", err
	}
	if m.Introspection == "" {
		return "", errors.New("the issuer's metadata names no introspection_endpoint")
	}
	i.mu.Lock()
	i.url = m.Introspection
	i.mu.Unlock()
	return m.Introspection, nil
}

// judge holds an answer to the same rules as a JWT, as far as it says anything.
func (i *introspector) judge(said claims) (auth.Principal, error) {
	if active, _ := said["active"].(bool); !active {
		return auth.Principal{}, invalid("it is not active")
	}
	if err := said.checkTimes(); err != nil {
		return auth.Principal{}, err
	}
	options := []jwt.ParserOption{jwt.WithIssuedAt(), jwt.WithLeeway(i.cfg.Leeway), jwt.WithTimeFunc(i.cfg.Clock)}
	if _, ok := said["iss"]; ok {
		options = append(options, jwt.WithIssuer(i.cfg.Issuer))
	}
	if _, ok := said["aud"]; ok || !i.cfg.Introspection.AudienceOptional {
		options = append(options, jwt.WithAudience(i.cfg.Audiences...))
	}
	if err := jwt.NewValidator(options...).Validate(jwt.MapClaims(said)); err != nil {
		return auth.Principal{}, refusal(err)
	}
	if t, ok := said["token_type"]; ok {
		if s, _ := t.(string); !strings.EqualFold(s, "Bearer") && s != "access_token" {
			return auth.Principal{}, invalid("it is not a bearer token")
		}
	}
	p, err := said.principal(i.cfg.Issuer)
	if err != nil {
		return auth.Principal{}, err
	}
	expires, err := jwt.MapClaims(said).GetExpirationTime()
	if err != nil {
		return auth.Principal{}, invalid("a date in it is not a date")
	}
	if expires != nil {
		p.Expires = expires.UTC()
	}
	return p, nil
}

func (i *introspector) close() { i.flights.close() }
