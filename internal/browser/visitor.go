package browser

import (
	"encoding/json"
	"maps"
	"net/url"
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

// originOf is the origin of an address as a script sees it, or empty.
func originOf(address string) string {
	u, err := url.Parse(address)
	if err != nil || u.Host == "" {
		return ""
	}
	host, scheme := strings.ToLower(u.Host), strings.ToLower(u.Scheme)
	if scheme == "https" {
		host = strings.TrimSuffix(host, ":443")
	}
	if scheme == "http" {
		host = strings.TrimSuffix(host, ":80")
	}
	return scheme + "://" + host
}

// setCookies gives the tab its first cookies.
func (t *Tab) setCookies(cookies []Cookie) []outcome {
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

// storageScripts put the entries in place before the page's own scripts look. The
// entries are JSON literals in a fixed text: no part of them can be read as script.
func storageScripts(entries map[string]map[string]string) []InitScript {
	if len(entries) == 0 {
		return nil
	}
	data, err := json.Marshal(entries) // strings only: it cannot fail
	if err != nil {
		return nil
	}
	return []InitScript{{Source: `(function (all) {
		const mine = Object.hasOwn(all, location.origin) ? all[location.origin] : {};
		try {
			for (const name of Object.keys(mine)) if (localStorage.getItem(name) === null) localStorage.setItem(name, mine[name]);
		} catch (refused) { /* a document without storage */ }
	})(` + string(data) + `);`}}
}
