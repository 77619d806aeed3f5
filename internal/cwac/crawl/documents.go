package crawl

import (
	"context"
	"net/http"
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
