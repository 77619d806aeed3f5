package crawl

import (
	"cmp"
	"context"
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/legwork-mcp/legwork/internal/fault"
)

// Documents are the PDF and office files of the site, in the order met. Those that
// only their suffix showed are asked for first, at most as many as given: a missing
// one gets its status, one that robots.txt forbids that reason, and neither is in
// the list.
func (f *Frontier) Documents(ctx context.Context, most int) ([]Entry, error) {
	for _, e := range f.unasked(most) {
		if err := f.askDocument(ctx, e); err != nil {
			return nil, err
		}
	}
	var list []Entry
	for _, e := range f.Ledger() {
		if e.Reason == ReasonDocument && e.Status != 0 && len(list) < most {
			list = append(list, e)
		}
	}
	return list, nil
}

func (f *Frontier) unasked(most int) []*entry {
	f.mu.Lock()
	defer f.mu.Unlock()
	var list []*entry
	for _, e := range f.ledger.entries {
		if e.Reason == ReasonDocument && e.Status == 0 && len(list) < most {
			list = append(list, e)
		}
	}
	return list
}

func (f *Frontier) askDocument(ctx context.Context, e *entry) error {
	if err := f.acquire(ctx); err != nil {
		return err
	}
	defer func() { <-f.asking }()
	if ok, err := f.permitted(ctx, e, e.address); err != nil || !ok {
		return err
	}
	if err := f.fetch.turn(ctx, e.u.Host); err != nil {
		return err
	}
	c := f.ask(ctx, e.address)
	if ctx.Err() != nil {
		return ctx.Err()
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	e.Status, e.ContentType, e.Hops = c.status, c.contentType, c.hops
	switch {
	case c.err != nil:
		e.skip(ReasonHeaderCheck, because(c.err))
	case c.block != "":
		e.State, e.Reason, e.Detail = StateBlocked, ReasonBlocked, c.block
	case !f.scope.sameHost(c.final.u):
		e.Final = c.final.url
		e.skip(ReasonRedirectedOut, "")
	case !usableStatus(c.status):
		e.skip(ReasonStatus, http.StatusText(c.status))
	case c.kind == kindPage:
		e.skip(ReasonNotHTML, "a page under the name of a document")
	case len(c.hops) > 0:
		e.Final = c.final.url
	}
	return nil
}

// Read loads a file of [Frontier.Documents]. One that has more bytes than given, does
// not come in time, or is not there any more is an error that says so.
func (f *Frontier) Read(ctx context.Context, e Entry, most int64, within time.Duration) ([]byte, error) {
	a, err := f.rules.parse(cmp.Or(e.Final, e.URL), nil)
	if err != nil {
		return nil, unread(err.Error())
	}
	a = exact(a)
	if err := f.acquire(ctx); err != nil {
		return nil, err
	}
	defer func() { <-f.asking }()
	if err := f.fetch.turn(ctx, a.u.Host); err != nil {
		return nil, err
	}
	ans, err := f.fetch.get(ctx, a, request{method: http.MethodGet, body: most, hops: f.Limits.Redirects, accept: "application/pdf,*/*;q=0.8", within: within})
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case err != nil:
		return nil, unread(because(err))
	case !f.sameHost(ans.final):
		return nil, unread("it leads to another site")
	case ans.status != http.StatusOK:
		return nil, unread(fmt.Sprintf("status %d %s", ans.status, http.StatusText(ans.status)))
	case ans.cut:
		return nil, unread(fmt.Sprintf("it is longer than %d bytes", most))
	case ans.broken != nil:
		return nil, unread(because(ans.broken))
	}
	return ans.body, nil
}

// unread is the fault of a file that could not be loaded.
func unread(why string) error {
	return fault.New(fault.Failed, "document_unread", "The file could not be read: "+strings.TrimSuffix(why, ".")+".", "")
}
