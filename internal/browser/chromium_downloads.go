package browser

import (
	cdpbrowser "github.com/chromedp/cdproto/browser"

	"path/filepath"

	jsonv2 "github.com/chromedp/cdproto/cdp/jsonv2"
)

// downloadOptions are the browser's orders for the downloads of this tab.
func (t *chromiumTab) downloadOptions() cdpbrowser.SetDownloadBehaviorParams {
	p := cdpbrowser.SetDownloadBehaviorParams{
		Behavior: cdpbrowser.SetDownloadBehaviorBehaviorDeny, BrowserContextID: t.context, EventsEnabled: ptr(true),
	}
	if t.options.Downloads != "" {
		p.Behavior = cdpbrowser.SetDownloadBehaviorBehaviorAllowAndName
		p.DownloadPath = t.options.Downloads
	}
	return p
}

// downloadEvent applies an event about a download to the tab that it belongs
// to, and reports whether the method was one.
func (e *chromium) downloadEvent(method string, params jsonv2.Value) bool {
	if v, ok := event(cdpbrowser.DownloadWillBegin, method, params); ok {
		for _, t := range e.all() {
			if t.downloadBegins(v) {
				break
			}
		}
		return true
	}
	if v, ok := event(cdpbrowser.DownloadProgress, method, params); ok {
		for _, t := range e.all() {
			t.downloadContinues(v)
		}
		return true
	}
	return false
}

func (t *chromiumTab) downloadBegins(e cdpbrowser.EventDownloadWillBegin) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.frames[FrameID(e.FrameID)] == nil || t.files[e.GUID] != nil {
		return false
	}
	path := ""
	if t.options.Downloads != "" {
		path = filepath.Join(t.options.Downloads, e.GUID)
	}
	t.beginDownload(e.GUID, e.URL, e.SuggestedFilename, path)
	t.changed()
	return true
}

func (t *chromiumTab) downloadContinues(e cdpbrowser.EventDownloadProgress) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.continueDownload(e.GUID, string(e.State), int64(e.ReceivedBytes))
	t.changed()
}
