package browser

import (
	"context"
	"strings"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/page"
)

func (t *chromiumTab) source(ctx context.Context) ([]byte, error) {
	v, err := t.page()
	if err != nil {
		return nil, err
	}
	t.mu.Lock()
	main, address := v.main, v.url
	t.mu.Unlock()
	address, _, _ = strings.Cut(address, "#")
	res, err := call(ctx, t.on(v.session), page.GetResourceContent, page.GetResourceContentParams{FrameID: cdp.FrameID(main), URL: address})
	if err == nil {
		return res.Content, nil
	}
	var again string
	if t.Call(ctx, Function{Source: fetchSource, Arg: address}, &again) == nil {
		return []byte(again), nil
	}
	return nil, explain(ctx, err, "reading the source of the page")
}

// fetchSource asks for a document that the browser has no copy of.
const fetchSource = `async function (address) {
	const answer = await fetch(address, { credentials: 'include', cache: 'force-cache' });
	if (!answer.ok) throw new Error('status ' + answer.status);
	return await answer.text();
}`
