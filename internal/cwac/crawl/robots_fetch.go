package crawl

import (
	"bytes"
	"context"
	"errors"
	"net/http"
	"strconv"
	"strings"
)

// robotsRedirects is how many redirects of a robots.txt are followed (RFC 9309,
// section 2.3.1.2: at least five).
const robotsRedirects = 5

// robotsOf gives what the robots.txt of an address's host says. Each is fetched
// once in a crawl.
func (f *Frontier) robotsOf(ctx context.Context, a address) (*robots, error) {
	root := a.u.Scheme + "://" + a.u.Host
	f.mu.Lock()
	known := f.robots[root]
	f.mu.Unlock()
	if known != nil {
		return known, nil
	}
	if f.Robots == RobotsIgnore && !f.Sitemaps {
		return &robots{}, nil
	}
	where, err := f.rules.parse(root+"/robots.txt", nil)
	if err != nil {
		return nil, err
	}
	ans, err := f.fetch.get(ctx, where, request{method: http.MethodGet, body: maxRobots + 1, hops: robotsRedirects, accept: "text/plain, */*;q=0.1"})
	if ctx.Err() != nil {
		return nil, ctx.Err() // nothing is known of the host
	}
	r := f.readRobots(ans, err)
	if f.Robots == RobotsIgnore {
		r = &robots{sitemaps: r.sitemaps}
	}
	f.fetch.slow(a.u.Host, r.delay)
	f.mu.Lock()
	defer f.mu.Unlock()
	f.robots[root] = r
	return r, nil
}

// readRobots judges the answer (RFC 9309, section 2.3.1): 4xx and redirects without
// end allow everything; a server that fails or is silent disallows everything,
// unless the crawl is lenient. A page instead of the file is no file.
func (f *Frontier) readRobots(ans answer, err error) *robots {
	switch {
	case errors.Is(err, errRedirects):
		return &robots{}
	case err != nil:
		return &robots{all: f.Robots == RobotsStrict, why: because(err)}
	case ans.status >= 500, ans.status == http.StatusTooManyRequests:
		return &robots{all: f.Robots == RobotsStrict, why: "the server answered " + strconv.Itoa(ans.status)}
	case ans.status < 200 || ans.status > 299:
		return &robots{}
	case ans.broken != nil: // what forbids most may be in the rest
		return &robots{all: f.Robots == RobotsStrict, why: because(ans.broken)}
	}
	text := bytes.TrimLeft(bytes.TrimPrefix(ans.body, []byte("\xef\xbb\xbf")), " \t\r\n")
	if kindByType(ans.contentType) == kindPage || strings.HasPrefix(string(text[:min(1, len(text))]), "<") {
		return &robots{}
	}
	return parseRobots(ans.body, f.Token)
}
