package browser

import (
	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/page"
)

// committed takes in a new main document.
func (b *branch) committed(f *cdp.Frame) {
	url := f.URL + f.URLFragment
	if f.UnreachableURL != "" {
		url = f.UnreachableURL
	}
	b.tab.commit(b.view, string(f.LoaderID), url, f.UnreachableURL != "")
}

// documentOpened takes in a document that a script writes: a popup that gets its
// content from its opener never navigates.
func (b *branch) documentOpened(e page.EventDocumentOpened) {
	v := b.view
	if FrameID(e.Frame.ID) == v.main && b.tab.popups[v.id] != nil {
		v.loaded = true
		b.tab.adopt(v)
		b.tab.counts.seq++
	}
}

func (b *branch) navigatedWithin(e page.EventNavigatedWithinDocument) {
	b.tab.step(b.view, b.place(FrameID(e.FrameID), ""), e.URL)
}

func (b *branch) domContent(page.EventDomContentEventFired) {
	if b.session.id == b.view.session {
		b.view.loaded = true
	}
}
