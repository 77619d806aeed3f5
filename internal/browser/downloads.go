package browser

import (
	"path/filepath"
	"slices"

	cdpbrowser "github.com/chromedp/cdproto/browser"
	jsonv2 "github.com/chromedp/cdproto/cdp/jsonv2"
)

// Download is a file that the page sent.
type Download struct {
	// URL it came from, and the name that the server suggests.
	URL, Name string
	// Path of the file; its name is made up, so that no page can choose it.
	// Empty when downloads are refused.
	Path string
	// State is inProgress, completed or canceled.
	State string
	// Bytes received so far.
	Bytes int64

	guid string // the browser's own name for it
}

// Downloads are the latest downloads, oldest first. [Doc] counts them all.
func (t *Tab) Downloads() []Download {
	t.mu.Lock()
	defer t.mu.Unlock()
	list := make([]Download, 0, len(t.downloads))
	for _, d := range t.downloads {
		list = append(list, *d)
	}
	return list
}

// downloadOptions are the browser's orders for the downloads of this tab.
func (t *Tab) downloadOptions() cdpbrowser.SetDownloadBehaviorParams {
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
func (e *engine) downloadEvent(method string, params jsonv2.Value) bool {
	if v, ok := event(cdpbrowser.DownloadWillBegin, method, params); ok {
		for _, t := range e.all() {
			if t.beginDownload(v) {
				break
			}
		}
		return true
	}
	if v, ok := event(cdpbrowser.DownloadProgress, method, params); ok {
		for _, t := range e.all() {
			t.continueDownload(v)
		}
		return true
	}
	return false
}

func (t *Tab) beginDownload(e cdpbrowser.EventDownloadWillBegin) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.frames[FrameID(e.FrameID)] == nil || t.files[e.GUID] != nil {
		return false
	}
	d := &Download{URL: e.URL, Name: filepath.Base(filepath.FromSlash(e.SuggestedFilename)), State: "inProgress", guid: e.GUID}
	if t.options.Downloads != "" {
		d.Path = filepath.Join(t.options.Downloads, e.GUID)
	}
	t.files[e.GUID] = d
	t.downloads = append(t.downloads, d)
	if len(t.downloads) > kept {
		delete(t.files, t.downloads[0].guid)
		t.downloads = slices.Delete(t.downloads, 0, 1)
	}
	t.counts.downloads++
	t.changed()
	return true
}

func (t *Tab) continueDownload(e cdpbrowser.EventDownloadProgress) {
	t.mu.Lock()
	defer t.mu.Unlock()
	d := t.files[e.GUID]
	if d == nil {
		return
	}
	if string(e.State) != d.State {
		t.counts.downloads++
	}
	d.State, d.Bytes = string(e.State), int64(e.ReceivedBytes)
	t.changed()
}
