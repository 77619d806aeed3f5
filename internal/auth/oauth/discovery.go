package oauth

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"strings"
)

// issuerMetadata is what this server needs of RFC 8414 section 2.
type issuerMetadata struct {
	Issuer        string `json:"issuer"`
	JWKS          string `json:"jwks_uri"`
	Introspection string `json:"introspection_endpoint"`
}

// metadataURLs are where the metadata of an issuer can be: RFC 8414 section 3.1,
// and OpenID Connect Discovery section 4 with the path in front of the
// well-known part or, as RFC 8414 section 5 has it, behind.
func metadataURLs(issuer string) []string {
	u, err := url.Parse(issuer)
	if err != nil {
		return nil // checked with the settings
	}
	path := strings.TrimSuffix(u.EscapedPath(), "/")
	at := func(path string) string { return u.Scheme + "://" + u.Host + path }
	urls := []string{
		at("/.well-known/oauth-authorization-server" + path),
		at("/.well-known/openid-configuration" + path),
	}
	if path != "" {
		urls = append(urls, at(path+"/.well-known/openid-configuration"))
	}
	return urls
}

// discover reads the issuer's metadata, from the first place that has a document
// of this very issuer.
func (c *Config) discover(ctx context.Context, client issuerClient) (issuerMetadata, error) {
	var errs []error
	for _, at := range metadataURLs(c.Issuer) {
		raw, err := client.get(ctx, at)
		if err == nil {
			var m issuerMetadata
			if m, err = c.readMetadata(raw); err == nil {
				return m, nil
			}
		}
		errs = append(errs, fmt.Errorf("metadata at %s: %w", at, err))
		var status statusError
		if ctx.Err() != nil || err != nil && !errors.As(err, &status) && !errors.Is(err, errMetadata) {
			break // the next place is on the same host, which does not answer
		}
	}
	return issuerMetadata{}, errors.Join(errs...)
}

var errMetadata = errors.New("the document is not usable")

// readMetadata refuses a document of another issuer, since its keys are another's
// (RFC 8414 section 3.3), and addresses that are less protected than the issuer.
func (c *Config) readMetadata(raw []byte) (issuerMetadata, error) {
	var m issuerMetadata
	if err := json.Unmarshal(raw, &m); err != nil {
		return m, fmt.Errorf("%w: it is not JSON", errMetadata)
	}
	if m.Issuer != c.Issuer {
		hint := ""
		if strings.TrimSuffix(m.Issuer, "/") == strings.TrimSuffix(c.Issuer, "/") {
			hint = "; only the slash at the end differs"
		}
		return m, fmt.Errorf("%w: it is of another issuer than the one that is set%s", errMetadata, hint)
	}
	if m.JWKS == "" && c.JWKSURL == "" {
		return m, fmt.Errorf("%w: it names no jwks_uri", errMetadata)
	}
	for _, u := range []string{m.JWKS, m.Introspection} {
		if err := c.checkURL(u); u != "" && err != nil {
			return m, fmt.Errorf("%w: an address in it: %w", errMetadata, err)
		}
	}
	return m, nil
}
