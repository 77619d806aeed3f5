package crawl

import (
	"context"
	"errors"
	"net/http"
)

// sniffed is how much of an answer is read when its type or its sender is in doubt.
const sniffed = 64 << 10

// acceptPages is what is asked for: pages first, anything else to know what it is.
const acceptPages = "text/html,application/xhtml+xml;q=0.9,*/*;q=0.8"

// check is what asking for the headers of an address brought.
type check struct {
	answer
	kind  kind
	block string // the product that answered instead of the site
	err   error
}

// ask looks at the headers of an address before it is loaded: by HEAD, and by GET
// when the server refuses HEAD or leaves it without an answer. Any bad status is
// asked again by GET, since servers answer HEAD with every one of them.
func (f *Frontier) ask(ctx context.Context, a address) check {
	c := check{}
	if !f.NoHead && !f.noHead[a.u.Host] {
		c.answer, c.err = f.fetch.get(ctx, a, request{method: http.MethodHead, hops: f.Limits.Redirects, accept: acceptPages})
		c.kind = kindByType(c.contentType)
		if ctx.Err() != nil || endOfRedirects(c.err) || hopeless(c.err) {
			return c
		}
		if c.err == nil && c.status == http.StatusOK && c.kind != kindUnknown {
			return c
		}
		if c.status == http.StatusTooManyRequests { // asking more would be rude
			return c
		}
	}
	byGet := check{}
	byGet.answer, byGet.err = f.fetch.get(ctx, a, request{method: http.MethodGet, hops: f.Limits.Redirects, accept: acceptPages})
	byGet.kind = kindByType(byGet.contentType)
	if c.header != nil || c.err != nil {
		f.learnHead(a, c, byGet)
	}
	if byGet.err == nil && f.doubtful(byGet) {
		f.sniff(ctx, &byGet)
	}
	return byGet
}

// endOfRedirects reports an error that another method cannot change.
func endOfRedirects(err error) bool {
	var no *refused
	return errors.Is(err, errRedirects) || errors.As(err, &no)
}

// learnHead remembers a server that refuses HEAD or hangs on it, and answers GET.
func (f *Frontier) learnHead(a address, head, get check) {
	refuses := head.err != nil || head.status == http.StatusMethodNotAllowed || head.status == http.StatusNotImplemented
	if refuses && get.err == nil && get.status == http.StatusOK {
		f.headRefused[a.u.Host]++
		f.noHead[a.u.Host] = f.headRefused[a.u.Host] >= 3
	}
}

// doubtful reports an answer whose body says more than its headers.
func (f *Frontier) doubtful(c check) bool {
	switch c.status {
	case http.StatusForbidden, http.StatusServiceUnavailable, http.StatusTooManyRequests:
		return true
	}
	return c.status == http.StatusOK && c.kind == kindUnknown
}

// sniff reads the beginning of the body: who answered, and of what type it is.
func (f *Frontier) sniff(ctx context.Context, c *check) {
	ans, err := f.fetch.get(ctx, c.final, request{method: http.MethodGet, body: sniffed, accept: acceptPages})
	if err != nil {
		return
	}
	c.status, c.header = ans.status, ans.header
	if c.kind == kindUnknown {
		c.contentType = http.DetectContentType(ans.body)
		c.kind = kindByType(c.contentType)
	}
	c.block = Blocked(Answer{Status: ans.status, Header: ans.header, Source: string(ans.body)})
}
