package browser

import (
	"context"
	"errors"
	"net/url"
	"strings"
)

func (t *webkitTab) navigate(ctx context.Context, address string) error {
	before := t.Doc()
	t.mu.Lock()
	t.heading, t.barren, t.stranded = address, false, false
	t.headings++
	t.mu.Unlock()
	defer func() {
		t.mu.Lock()
		t.heading = ""
		t.mu.Unlock()
	}()
	// An address that differs in its fragment only is a step in the same document.
	same := strings.Contains(address, "#") && withoutFragment(address) == withoutFragment(before.URL)
	err := t.within(ctx, "", func(ctx context.Context) error { return t.session.Navigate(ctx, address) })
	if err == nil {
		err = t.arrivedOrNot(ctx, before, address, same)
	}
	if err == nil && address != "about:blank" && t.Doc().URL == "about:blank" {
		err = t.blocked(ctx, address)
	}
	if err != nil && ctx.Err() != nil {
		t.stopLoading()
	}
	return explain(ctx, err, "loading "+origin(address))
}

// arrivedOrNot is arrived, but also ends when the answer turns out to be no document,
// or when there is none.
func (t *webkitTab) arrivedOrNot(ctx context.Context, before Doc, address string, same bool) error {
	var barren, stranded bool
	err := t.await(ctx, "waiting for "+origin(address), func() (bool, error) {
		d := t.doc()
		barren, stranded = t.barren, t.stranded
		return barren || stranded || d.Seq > before.Seq && d.Loaded || same && d.Steps > before.Steps, nil
	})
	switch {
	case err != nil:
		return err
	case barren:
		return fileInstead(address)
	case stranded:
		t.strand(ctx, before)
	}
	return t.Doc().failure()
}

// strand takes in that the document did not come. The browser may show an error page.
func (t *webkitTab) strand(ctx context.Context, before Doc) {
	ctx, cancel := context.WithTimeout(ctx, errorPageLimit)
	defer cancel()
	_ = t.await(ctx, "waiting for the error page", func() (bool, error) { return t.doc().Seq > before.Seq, nil })
	t.mu.Lock()
	defer t.mu.Unlock()
	v := t.current()
	if v == nil || t.counts.seq > before.Seq && v.shown.failed() {
		return
	}
	v.loading = t.failedLoad(t.heading)
	v.loading.loader = v.loader
	t.commit(v, v.loader, t.heading, true)
	v.loaded = true
	t.changed()
}

// blocked explains why the browser itself did not ask for an address: it knows some that
// are never public. They are written as it writes them.
func (t *webkitTab) blocked(ctx context.Context, address string) error {
	_ = t.within(ctx, "", func(ctx context.Context) error {
		return t.session.Execute(ctx, "return new URL(arguments[0]).href", &address, address)
	})
	l := load{url: address, netError: "net::ERR_BLOCKED_BY_CLIENT"}
	if u, err := url.Parse(address); err == nil {
		rules := t.guard.current()
		_, trusted, err := rules.permitted(hostPort(u))
		if err == nil {
			_, err = rules.resolve(ctx, hostPort(u), trusted)
		}
		var no *refusal
		if errors.As(err, &no) {
			l.netError, l.refused = "", rules.words(no.code)
		}
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if v := t.current(); v != nil {
		v.url, v.shown = address, l
		t.changed()
	}
	return Doc{URL: address, NetError: l.netError, Refused: l.refused}.failure()
}

// failed tells that the document is an error page.
func (l load) failed() bool { return l.netError != "" || l.refused != "" }

// stopLoading ends what loads now, unless another navigation comes first: that replaces
// it, and would be stopped in its place.
func (t *webkitTab) stopLoading() {
	t.mu.Lock()
	navigation := t.headings
	t.mu.Unlock()
	t.background.Go(func() {
		ctx, cancel := context.WithTimeout(t.life, lookLimit)
		defer cancel()
		_ = t.within(ctx, "", func(ctx context.Context) error {
			t.mu.Lock()
			over := t.headings != navigation
			t.mu.Unlock()
			if over {
				return nil
			}
			return t.session.Execute(ctx, "window.stop()", nil)
		})
	})
}
