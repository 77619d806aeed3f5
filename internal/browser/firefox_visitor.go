package browser

import (
	"context"
	"net/url"
	"strings"

	"github.com/legwork-mcp/legwork/internal/browser/bidi"
)

// holdFor has the browser hold every request, if any origin gets headers of its own.
// It must be every request: a redirect carries headers on to where they must not go.
func (t *firefoxTab) holdFor(ctx context.Context, headers map[string]map[string]string) error {
	if len(headers) == 0 {
		return nil
	}
	res, err := bidi.Call(ctx, t.process.conn, bidi.AddIntercept, bidi.InterceptParams{Phases: []string{"beforeRequestSent"}})
	if err == nil {
		t.held = append(t.held, res.Intercept)
	}
	return err
}

// foxCookies are the cookies in the protocol's form.
func foxCookies(list []Cookie) []bidi.Cookie {
	var out []bidi.Cookie
	for _, c := range list {
		b := bidi.Cookie{
			Name: c.Name, Value: bidi.Text(c.Value), Domain: c.Domain, Path: c.Path,
			HTTPOnly: c.HTTPOnly, Secure: c.Secure, SameSite: strings.ToLower(c.SameSite),
		}
		if u, err := url.Parse(c.URL); err == nil && c.URL != "" {
			b.Domain, b.Secure = u.Hostname(), c.Secure || u.Scheme == "https"
		}
		if b.Path == "" {
			b.Path = "/"
		}
		if !c.Expires.IsZero() {
			b.Expiry = c.Expires.Unix()
		}
		out = append(out, b)
	}
	return out
}
