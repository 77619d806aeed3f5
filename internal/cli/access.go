package cli

import (
	"cmp"
	"context"
	"errors"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/legwork-mcp/legwork/internal/auth"
	"github.com/legwork-mcp/legwork/internal/auth/oauth"
	"github.com/legwork-mcp/legwork/internal/config"
	"github.com/legwork-mcp/legwork/internal/fault"
	"github.com/legwork-mcp/legwork/internal/observe"
	"github.com/legwork-mcp/legwork/internal/ratelimit"
	"github.com/legwork-mcp/legwork/internal/serve"
	"github.com/legwork-mcp/legwork/internal/store"
	"github.com/legwork-mcp/legwork/internal/tool"
)

// verifier decides about tokens as the settings say; nil when they name neither
// an issuer nor a file of tokens.
func (k *kit) verifier(ctx context.Context, addr string, endpoints []serve.Endpoint) (*oauth.Verifier, error) {
	c := k.cfg
	if c.TokenIssuer() == "" && c.TokensFile == "" {
		return nil, nil
	}
	return oauth.New(ctx, oauth.Config{
		Issuer: c.TokenIssuer(), Audiences: audiences(c, addr, endpoints), JWKSURL: c.JWKSURL, Static: c.TokensFile,
		Leeway: c.TokenLeeway,
		Introspection: oauth.Introspection{
			URL: c.IntrospectionURL, ClientID: c.IntrospectionID, ClientSecret: observe.Secret(c.IntrospectionKey),
			CacheFor: c.IntrospectionCache,
		},
		HTTPClient: &http.Client{Timeout: issuerTime}, Logger: k.log,
	})
}

// issuerTime is how long an issuer may take for one answer.
const issuerTime = 10 * time.Second

// audiences are the names of this server in tokens: those that were configured,
// and the addresses of its endpoints, which clients name as the resource when they
// ask for a token (RFC 8707).
func audiences(c *config.Config, addr string, endpoints []serve.Endpoint) []string {
	out := config.List(c.Audience)
	base := strings.TrimSuffix(cmp.Or(c.ServerURL, "http://"+addr), "/")
	for _, e := range endpoints {
		out = append(out, base+e.Path)
	}
	return append(out, base)
}

// admit puts the login and the limits of the settings before the endpoints of a
// server that will listen on addr. The returned function closes what was opened.
func (k *kit) admit(ctx context.Context, addr string, o *serve.Options) (done func(), err error) {
	if err := checkURL(k.cfg.ServerURL); err != nil {
		return nil, err
	}
	v, err := k.verifier(ctx, addr, o.Endpoints)
	if err != nil || v == nil {
		return func() {}, err
	}
	o.Access = &serve.Access{
		Verify: v.Verify, URL: strings.TrimSuffix(k.cfg.ServerURL, "/"), Origins: config.List(k.cfg.AllowedOrigins),
	}
	if issuer := k.cfg.TokenIssuer(); issuer != "" {
		o.Access.Issuers = []string{issuer}
	}
	if k.cfg.RateLimits == "off" {
		return v.Close, nil
	}
	counts, closeCounts, err := k.counts(ctx)
	if err == nil {
		o.Limits, err = limits(k.cfg.RateLimits, counts)
	}
	if err != nil {
		v.Close()
		return nil, err
	}
	return func() {
		v.Close()
		closeCounts()
	}, nil
}

// counts is where calls are counted: in the database, so that several servers
// count together, or in memory.
func (k *kit) counts(ctx context.Context) (ratelimit.Source, func(), error) {
	if k.cfg.DatabaseURL == "" {
		return ratelimit.NewMemory(0, nil), func() {}, nil
	}
	db, err := store.Open(ctx, store.URL(k.cfg.DatabaseURL))
	if err != nil {
		return nil, nil, err
	}
	if _, err := db.Migrate(ctx); err != nil {
		return nil, nil, errors.Join(err, db.Close())
	}
	return ratelimit.NewSQL(db), func() {
		if err := db.Close(); err != nil {
			k.log.Warn("closing the database", "error", err)
		}
	}, nil
}

// checkURL refuses an address that no client can have as the resource of a token.
func checkURL(address string) error {
	if address == "" {
		return nil
	}
	u, err := url.Parse(address)
	if err != nil || (u.Scheme != "https" && u.Scheme != "http") || u.Host == "" || strings.Trim(u.Path, "/") != "" || u.RawQuery != "" || u.User != nil {
		return fault.New(fault.Invalid, "invalid_setting", "MCP_SERVER_URL is not the address of a server.",
			"Write scheme and host alone, such as https://forms.example.org.")
	}
	return nil
}

// everything is the name under which the limit of all calls of one caller is set.
const everything = "all"

// limits are the built-in limits of the tools, changed by the setting.
func limits(setting string, counts ratelimit.Source) (*serve.Limits, error) {
	changed, err := ratelimit.Parse(setting)
	if err != nil {
		return nil, err
	}
	l := &serve.Limits{
		Source: counts,
		Of: func(s tool.Spec) (ratelimit.Limit, bool) {
			if limit, known := changed[s.Name]; known {
				return limit, limit != ratelimit.Limit{}
			}
			if limit, known := changed["*"]; known {
				return limit, limit != ratelimit.Limit{}
			}
			return ratelimit.Limit(s.Rate), s.Rate != tool.Rate{}
		},
		All: ratelimit.Limit{Calls: 2000, Per: time.Hour, Burst: 500},
	}
	if all, known := changed[everything]; known {
		l.All = all
	}
	return l, nil
}

// allowed lets a caller use the tools of its scopes.
func allowed(ctx context.Context, s tool.Spec) error {
	if missing := auth.Missing(tool.Caller(ctx), s.Scope); len(missing) > 0 {
		return fault.New(fault.Denied, "insufficient_scope", "This caller has no scope "+strings.Join(missing, " ")+".",
			"Ask for a token with this scope.").WithCause(errors.New("the call came past the check of its token"))
	}
	return nil
}
