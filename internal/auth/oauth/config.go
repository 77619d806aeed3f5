package oauth

import (
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"net/url"
	"slices"
	"time"

	"github.com/legwork-mcp/legwork/internal/fault"
	"github.com/legwork-mcp/legwork/internal/observe"
)

// Config says whose tokens are accepted. It needs an issuer, a file of static
// tokens, or both.
type Config struct {
	// Issuer is the "iss" of every token, compared byte for byte: a trailing
	// slash matters (RFC 7519 section 4.1.1). It must be an https URL; http is
	// allowed for an issuer on this machine.
	Issuer string
	// Audiences are the names of this server; a token must be for one of them
	// (RFC 9068 section 4, RFC 8707).
	Audiences []string
	// JWKSURL is where the issuer's keys are. Empty: it is looked up in the
	// issuer's metadata (RFC 8414 section 3, OpenID Connect Discovery section 4).
	JWKSURL string
	// Algorithms are the "alg" that are accepted; empty is DefaultAlgorithms.
	// Symmetric ones and "none" cannot be among them.
	Algorithms []string
	// Leeway is how far the clocks may differ: zero is 30 s, at most 5 min.
	Leeway time.Duration
	// MaxToken is the longest token in bytes: zero is 8192.
	MaxToken int
	// Introspection is how opaque tokens are asked about; without its client they
	// are refused.
	Introspection Introspection
	// Static is the path of a file with static tokens; see NewStatic.
	Static string
	// HTTPClient reaches the issuer. Redirects are never followed.
	HTTPClient *http.Client
	// Clock is time.Now unless a test replaces it.
	Clock func() time.Time
	// Logger hears of the issuer's outages and the file's mistakes; nil is nobody.
	Logger *slog.Logger
}

// Introspection is the issuer's answer about single tokens (RFC 7662).
type Introspection struct {
	// URL is the endpoint. Empty: it is looked up in the issuer's metadata.
	URL string
	// ClientID and ClientSecret are how this server authenticates there, with
	// HTTP Basic.
	ClientID     string
	ClientSecret observe.Secret
	// CacheFor is how long an answer is believed, and so how long a revoked
	// token still works: zero is 30 s.
	CacheFor time.Duration
	// AudienceOptional accepts answers that name no audience. Then every token
	// of the issuer is for this server, also one that was meant for another.
	AudienceOptional bool
}

const (
	defaultLeeway   = 30 * time.Second
	maxLeeway       = 5 * time.Minute
	defaultMaxToken = 8 << 10
	defaultCacheFor = 30 * time.Second
)

// DefaultAlgorithms are what issuers sign with by default: RS256 nearly all of
// them (RFC 9068 section 2.1 requires it), ES256 and PS256 those that are asked
// to do better.
func DefaultAlgorithms() []string { return []string{"RS256", "ES256", "PS256"} }

// asymmetric are the algorithms that can be configured. A key that anybody can
// read must not be able to sign, so none of HS* is here.
var asymmetric = []string{
	"RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512", "EdDSA",
}

// complete checks the settings and fills in the defaults.
func (c *Config) complete() error {
	if c.Issuer == "" && c.Static == "" {
		return badSetting("Neither an issuer nor a file of static tokens is set, so no token could be accepted", "Set one of them.")
	}
	if err := c.completeIssuer(); err != nil {
		return err
	}
	if c.Leeway == 0 {
		c.Leeway = defaultLeeway
	}
	if c.MaxToken == 0 {
		c.MaxToken = defaultMaxToken
	}
	if c.Introspection.CacheFor == 0 {
		c.Introspection.CacheFor = defaultCacheFor
	}
	if c.Leeway < 0 || c.Leeway > maxLeeway || c.MaxToken < 0 || c.Introspection.CacheFor < 0 {
		return badSetting("The leeway, the size of a token or the time of an introspection's answer is out of range", "Use a leeway of at most 5 minutes and positive values.")
	}
	if c.Clock == nil {
		c.Clock = time.Now
	}
	if c.Logger == nil {
		c.Logger = slog.New(slog.DiscardHandler)
	}
	return nil
}

func (c *Config) completeIssuer() error {
	if c.Issuer == "" {
		return nil
	}
	if c.HTTPClient == nil {
		return badSetting("There is no HTTP client to reach the issuer with", "Pass one.")
	}
	if len(c.Audiences) == 0 || slices.Contains(c.Audiences, "") {
		return badSetting("An issuer is set, and no audience", "Set the audience that the issuer writes into tokens for this server.")
	}
	for _, u := range []string{c.Issuer, c.JWKSURL, c.Introspection.URL} {
		if err := c.checkURL(u); u != "" && err != nil {
			return badSetting(fmt.Sprintf("The address %q of the issuer is not usable: %v", u, err), "Use an https URL such as https://login.example.org/.")
		}
	}
	if c.Introspection.URL != "" && c.Introspection.ClientID == "" {
		return badSetting("An introspection endpoint is set, and no client for it", "Set the id and the secret of a client that may introspect.")
	}
	if len(c.Algorithms) == 0 {
		c.Algorithms = DefaultAlgorithms()
	}
	for _, a := range c.Algorithms {
		if !slices.Contains(asymmetric, a) {
			return badSetting(fmt.Sprintf("The algorithm %q cannot be accepted", a), fmt.Sprintf("Use some of %v.", asymmetric))
		}
	}
	return nil
}

func badSetting(message, action string) error {
	return fault.New(fault.Invalid, "invalid_setting", message+".", action)
}

// checkURL wants https, or http on this machine when the issuer is there too, and
// nothing that could be a secret or hide the host (RFC 8414 section 2).
func (c *Config) checkURL(raw string) error {
	u, err := url.Parse(raw)
	switch {
	case err != nil:
		return fmt.Errorf("it is not a URL")
	case u.User != nil || u.Fragment != "" || u.Host == "":
		return fmt.Errorf("it needs a host, and no user or fragment")
	case raw == c.Issuer && (u.RawQuery != "" || u.ForceQuery):
		return fmt.Errorf("it has a query")
	case u.Scheme == "https":
		return nil
	case u.Scheme != "http" || !onThisMachine(u):
		return fmt.Errorf("it is not https")
	}
	if i, err := url.Parse(c.Issuer); err != nil || i.Scheme != "http" {
		return fmt.Errorf("it is not https, as the issuer is")
	}
	return nil
}

func onThisMachine(u *url.URL) bool {
	ip := net.ParseIP(u.Hostname())
	return u.Hostname() == "localhost" || ip != nil && ip.IsLoopback()
}
