package browser

import (
	"maps"
	"slices"
	"strings"

	"github.com/chromedp/cdproto/cdp"
	cdpfetch "github.com/chromedp/cdproto/fetch"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/storage"
)

// interceptFor holds the requests to the origins that get headers of their own.
// All others run as if there were none.
func (b *branch) interceptFor(headers map[string]map[string]string) []outcome {
	if len(headers) == 0 {
		return nil
	}
	var patterns []*cdpfetch.RequestPattern
	for _, origin := range slices.Sorted(maps.Keys(headers)) {
		patterns = append(patterns, &cdpfetch.RequestPattern{URLPattern: origin + "/*"})
	}
	return []outcome{start(b.session, cdpfetch.Enable, cdpfetch.EnableParams{Patterns: patterns})}
}

// requestPaused adds the headers of the origin. A redirect comes here again, as a
// request of its own: the headers never follow it to another origin.
func (b *branch) requestPaused(e cdpfetch.EventRequestPaused) {
	params := cdpfetch.ContinueRequestParams{RequestID: e.RequestID}
	extra := b.tab.options.Headers[originOf(e.Request.URL)]
	if len(extra) > 0 {
		for name, value := range e.Request.Headers {
			if text, ok := value.(string); ok && !named(extra, name) {
				params.Headers = append(params.Headers, &cdpfetch.HeaderEntry{Name: name, Value: text})
			}
		}
		for _, name := range slices.Sorted(maps.Keys(extra)) {
			params.Headers = append(params.Headers, &cdpfetch.HeaderEntry{Name: name, Value: extra[name]})
		}
	}
	post(b.session, cdpfetch.ContinueRequest, params)
}

// named tells whether a header is among them, in whatever case.
func named(headers map[string]string, name string) bool {
	for have := range headers {
		if strings.EqualFold(have, name) {
			return true
		}
	}
	return false
}

// setCookies gives the tab its first cookies.
func (t *chromiumTab) setCookies(cookies []Cookie) []outcome {
	if len(cookies) == 0 {
		return nil
	}
	params := storage.SetCookiesParams{BrowserContextID: t.context}
	for _, c := range cookies {
		p := &network.CookieParam{
			Name: c.Name, Value: c.Value, URL: c.URL, Domain: c.Domain, Path: c.Path,
			Secure: c.Secure, HTTPOnly: c.HTTPOnly, SameSite: network.CookieSameSite(c.SameSite),
		}
		if !c.Expires.IsZero() {
			p.Expires = cdp.TimeSinceEpoch(c.Expires.Unix())
		}
		params.Cookies = append(params.Cookies, p)
	}
	return []outcome{start(t.engine.root, storage.SetCookies, params)}
}
