package crawl

import (
	"cmp"
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"strconv"
	"strings"
	"sync"
	"time"

	"golang.org/x/net/publicsuffix"
)

// tries is how often a request is sent that the network or a busy server fails.
const tries = 3

// fetcher sends the requests of one crawl: one hop at a time, bounded, and never
// faster than politeness allows.
type fetcher struct {
	Options
	rules  addressRules
	jar    *cookiejar.Jar
	delays map[string]time.Duration

	mu   sync.Mutex
	next map[string]time.Time // when a host may be asked again
}

func newFetcher(o Options, rules addressRules) (*fetcher, error) {
	jar, err := cookiejar.New(&cookiejar.Options{PublicSuffixList: publicsuffix.List})
	if err != nil {
		return nil, err
	}
	return &fetcher{Options: o, rules: rules, jar: jar, next: map[string]time.Time{}, delays: map[string]time.Duration{}}, nil
}

// answer is what came back for an address after its redirects.
type answer struct {
	final       address
	hops        []Hop
	status      int
	header      http.Header
	body        []byte // as much as was asked for
	cut         bool   // there was more
	broken      error  // why the rest did not come
	contentType string
}

// errRedirects is the error of a chain of redirects that does not end.
var errRedirects = errors.New("too many redirects")

// request is what is asked of one address.
type request struct {
	method string
	body   int64 // most bytes that are read
	hops   int   // most redirects that are followed
	accept string
	within time.Duration // for all of one answer; 0: as long as any request
}

// get follows the redirects of an address. What was met on the way is in the answer
// also when there is an error.
func (f *fetcher) get(ctx context.Context, a address, r request) (answer, error) {
	ans := answer{final: a}
	for {
		resp, err := f.patiently(ctx, ans.final, r)
		if err != nil {
			return ans, err
		}
		ans.status, ans.header, ans.body, ans.cut = resp.status, resp.header, resp.body, resp.cut
		ans.broken = resp.broken
		ans.contentType = resp.header.Get("Content-Type")
		to := resp.header.Get("Location")
		if !redirects(resp.status) || to == "" {
			return ans, nil
		}
		ans.hops = append(ans.hops, Hop{ans.final.url, resp.status})
		if len(ans.hops) > r.hops {
			return ans, errRedirects
		}
		next, err := f.rules.parse(to, ans.final.u)
		if err != nil {
			return ans, err
		}
		ans.final = exact(next)
	}
}

// exact is an address with its tracking parameters: a redirect means what it says.
func exact(a address) address {
	if u, err := url.Parse(a.full); err == nil {
		a.url, a.u = a.full, u
	}
	return a
}

func redirects(status int) bool {
	switch status {
	case http.StatusMovedPermanently, http.StatusFound, http.StatusSeeOther, http.StatusTemporaryRedirect, http.StatusPermanentRedirect:
		return true
	}
	return false
}

// response is one answer of a server, read as far as asked.
type response struct {
	status int
	header http.Header
	body   []byte
	cut    bool
	broken error
}

// patiently sends a request again when the network fails, and when the server says
// that it is busy: after the time that it names, within the limit.
func (f *fetcher) patiently(ctx context.Context, a address, r request) (response, error) {
	for try := 1; ; try++ {
		resp, err := f.once(ctx, a, r)
		wait := time.Duration(try) * time.Second
		switch {
		case ctx.Err() != nil:
			return resp, ctx.Err()
		case try == tries:
			return resp, err
		case err != nil:
			if errors.Is(err, context.DeadlineExceeded) || hopeless(err) { // it had its time
				return resp, err
			}
		case resp.status == http.StatusTooManyRequests || resp.status == http.StatusServiceUnavailable:
			wait = max(wait, f.retryAfter(resp.header.Get("Retry-After")))
			if wait > f.Limits.RetryAfter {
				return resp, nil
			}
		default:
			return resp, nil
		}
		if err := f.Clock.Wait(ctx, wait); err != nil {
			return resp, err
		}
	}
}

// retryAfter reads the header: seconds or a date (RFC 9110, section 10.2.3).
func (f *fetcher) retryAfter(value string) time.Duration {
	if s, err := strconv.Atoi(strings.TrimSpace(value)); err == nil {
		return time.Duration(min(max(s, 0), 86_400)) * time.Second
	}
	if at, err := http.ParseTime(value); err == nil {
		return max(0, at.Sub(f.Clock.Now()))
	}
	return 0
}

// once sends one request and reads the beginning of what comes.
func (f *fetcher) once(ctx context.Context, a address, r request) (response, error) {
	ctx, cancel := context.WithTimeout(ctx, cmp.Or(r.within, f.Limits.Request))
	defer cancel()
	u := *a.u
	u.Fragment, u.RawFragment = "", ""
	req, err := http.NewRequestWithContext(ctx, r.method, u.String(), nil)
	if err != nil {
		return response{}, err
	}
	f.dress(req, r.accept)
	resp, err := f.Client.RoundTrip(req)
	if err != nil {
		return response{}, err
	}
	defer func() { _ = resp.Body.Close() }() // what is left unread is not wanted
	f.jar.SetCookies(&u, resp.Cookies())
	out := response{status: resp.StatusCode, header: resp.Header}
	if r.body > 0 {
		out.body, err = io.ReadAll(io.LimitReader(resp.Body, r.body+1))
		if int64(len(out.body)) > r.body {
			out.body, out.cut = out.body[:r.body], true
		}
		if err != nil && len(out.body) == 0 {
			return out, err
		}
		out.broken = err
	}
	return out, nil
}

func (f *fetcher) dress(req *http.Request, accept string) {
	for name, value := range f.Headers[req.URL.Scheme+"://"+req.URL.Host] {
		req.Header.Set(name, value)
	}
	for _, c := range f.jar.Cookies(req.URL) {
		req.AddCookie(c)
	}
	req.Header.Set("User-Agent", f.UserAgent)
	req.Header.Set("Accept", accept)
}

// turn waits until a host may be asked again, and takes the turn.
func (f *fetcher) turn(ctx context.Context, host string) error {
	f.mu.Lock()
	now := f.Clock.Now()
	at := f.next[host]
	if at.Before(now) {
		at = now
	}
	f.next[host] = at.Add(max(f.Delay, f.delays[host]))
	f.mu.Unlock()
	if wait := at.Sub(now); wait > 0 {
		return f.Clock.Wait(ctx, wait)
	}
	return ctx.Err()
}

// slow makes a host be asked no more often than its robots.txt wants.
func (f *fetcher) slow(host string, delay time.Duration) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.delays[host] = min(delay, f.Limits.CrawlDelay)
}
