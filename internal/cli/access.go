package cli

import (
	"context"
	"errors"
	"net"
	"net/http"
	"slices"
	"strings"

	"github.com/legwork-mcp/legwork/internal/auth"
	"github.com/legwork-mcp/legwork/internal/auth/oauth"
	"github.com/legwork-mcp/legwork/internal/config"
	"github.com/legwork-mcp/legwork/internal/fault"
	"github.com/legwork-mcp/legwork/internal/observe"
	"github.com/legwork-mcp/legwork/internal/ratelimit"
	"github.com/legwork-mcp/legwork/internal/serve"
	"github.com/legwork-mcp/legwork/internal/store"
	"github.com/legwork-mcp/legwork/internal/tool"
	"time"
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
		HTTPClient: &http.Client{}, Logger: k.log,
	})
}

// audiences are the names of this server in tokens: those that were configured,
// and the addresses of its endpoints, which clients name as the resource when they
// ask for a token (RFC 8707).
func audiences(c *config.Config, addr string, endpoints []serve.Endpoint) []string {
	out := config.List(c.Audience)
	for _, base := range bases(c, addr) {
		for _, e := range endpoints {
			out = append(out, base+e.Path)
		}
		out = append(out, base)
	}
	return out
}

// bases are scheme and host of the server as clients may write them. Without the
// setting it is on this machine, which has several names: the metadata names the
// one that the client used.
func bases(c *config.Config, addr string) []string {
	if c.ServerURL != "" {
		return []string{strings.TrimSuffix(c.ServerURL, "/")}
	}
	out := []string{"http://" + addr}
	_, port, err := net.SplitHostPort(addr)
	if err != nil {
		return out // no address, or one that cannot be listened on
	}
	for _, host := range []string{"127.0.0.1", "localhost", "::1"} {
		if base := "http://" + net.JoinHostPort(host, port); !slices.Contains(out, base) {
			out = append(out, base)
		}
	}
	return out
}

// admit puts the login and the limits of the settings before the endpoints of a
// server that will listen on addr. The returned function closes what was opened.
func (k *kit) admit(ctx context.Context, addr string, o *serve.Options) (done func(), err error) {
	if err := checkAddresses(k.cfg); err != nil {
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
	var c counts
	if o.Limits, err = limits(k.cfg.RateLimits, k.tools()); err == nil {
		c, err = k.counts(ctx)
	}
	if err != nil {
		v.Close()
		return nil, err
	}
	o.Limits.Source = c.Source
	o.Ready = allReady(o.Ready, c.ready)
	return func() {
		v.Close()
		c.close()
	}, nil
}

// counts is where calls are counted.
type counts struct {
	ratelimit.Source
	ready func(context.Context) error
	close func()
}

// counts opens it: the database, so that several servers count together, or memory.
func (k *kit) counts(ctx context.Context) (counts, error) {
	if k.cfg.DatabaseURL == "" {
		return counts{ratelimit.NewMemory(0, nil), func(context.Context) error { return nil }, func() {}}, nil
	}
	db, err := k.database(ctx)
	if err != nil {
		if cause := fault.From(err).Cause; cause != nil { // without passwords
			k.log.Error("the database in which calls are counted cannot be used", "error", cause)
		}
		return counts{}, err
	}
	if _, err := db.Migrate(ctx); err != nil {
		return counts{}, errors.Join(err, db.Close())
	}
	return counts{ratelimit.Within(ratelimit.NewSQL(db), countPatience), k.reached(db), func() {
		if err := db.Close(); err != nil {
			k.log.Warn("closing the database", "error", err)
		}
	}}, nil
}

// countPatience is how long the database may take to count one call.
const countPatience = 5 * time.Second

// reached says whether the database answers. Who may ask is anybody, so where it is,
// and who this program is there, are for the log alone.
func (k *kit) reached(db *store.DB) func(context.Context) error {
	return func(ctx context.Context) error {
		err := db.Ping(ctx)
		if err == nil {
			return nil
		}
		k.log.WarnContext(ctx, "the database in which calls are counted does not answer", "error", err, "cause", fault.From(err).Cause)
		return fault.New(fault.Unavailable, "database_unavailable", "The database in which calls are counted does not answer.",
			"Whoever runs the server finds the reason in its log.")
	}
}

// database opens it as it is: who writes to it brings it up to date first.
func (k *kit) database(ctx context.Context) (*store.DB, error) {
	return store.Open(ctx, store.URL(k.cfg.DatabaseURL))
}

// allReady is ready when all are: a replica that can take no call gets none.
func allReady(checks ...func(context.Context) error) func(context.Context) error {
	return func(ctx context.Context) error {
		for _, check := range checks {
			if err := check(ctx); err != nil {
				return err
			}
		}
		return nil
	}
}

// allowed lets a caller use the tools of its scopes.
func allowed(ctx context.Context, s tool.Spec) error {
	if missing := auth.Missing(tool.Caller(ctx), s.Scope); len(missing) > 0 {
		return fault.New(fault.Denied, "insufficient_scope", "This caller has no scope "+strings.Join(missing, " ")+".",
			"Ask for a token with this scope.").WithCause(errors.New("the call came past the check of its token"))
	}
	return nil
}
