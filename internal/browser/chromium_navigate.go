package browser

import (
	"context"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/page"
)

func (t *chromiumTab) navigate(ctx context.Context, address string) error {
	v, err := t.page()
	if err != nil {
		return err
	}
	before := t.Doc()
	res, err := call(ctx, t.on(v.session), page.Navigate, page.NavigateParams{URL: address})
	if err != nil {
		post(t.on(v.session), page.StopLoading, cdp.Empty{})
		return t.navigationTimeout(ctx, err, address)
	}
	if res.IsDownload {
		return fileInstead(address)
	}
	if res.ErrorText != "" {
		t.awaitErrorPage(ctx, before)
		return t.navigationError(v, address, res.ErrorText)
	}
	return t.arrived(ctx, before, address, res.LoaderID == "")
}

func (t *chromiumTab) stopLoading() {
	if v, err := t.page(); err == nil {
		post(t.on(v.session), page.StopLoading, cdp.Empty{})
	}
}

func (t *chromiumTab) navigationTimeout(ctx context.Context, err error, address string) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.err != nil {
		return t.err
	}
	return explain(ctx, err, "loading "+origin(address))
}

// awaitErrorPage makes sure that the error page does not come as a surprise
// later, when it would look like another navigation.
func (t *chromiumTab) awaitErrorPage(ctx context.Context, before Doc) {
	ctx, cancel := context.WithTimeout(ctx, errorPageLimit)
	defer cancel()
	_ = t.await(ctx, "waiting for the error page", func() (bool, error) {
		d := t.doc()
		return d.Seq > before.Seq && d.Loaded, nil
	})
}
