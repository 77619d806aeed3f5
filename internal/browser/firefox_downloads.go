package browser

import (
	"crypto/rand"
	"os"
	"path/filepath"

	"github.com/legwork-mcp/legwork/internal/browser/bidi"
)

// foxDownloads are the browser's orders for the downloads of a tab.
func foxDownloads(o TabOptions) *bidi.DownloadBehavior {
	if o.Downloads == "" {
		return &bidi.DownloadBehavior{Type: "denied"}
	}
	return &bidi.DownloadBehavior{Type: "allowed", Folder: o.Downloads}
}

func (t *firefoxTab) downloadBegins(e bidi.DownloadInfo) {
	v, f := t.viewOf(e.Context)
	if f == nil {
		return
	}
	t.ashore(v, f, e.Navigation)
	path := ""
	if t.options.Downloads != "" {
		path = filepath.Join(t.options.Downloads, rand.Text())
	}
	t.beginDownload(foxFile(e), e.URL, e.SuggestedFilename, path)
}

// foxFile is what a download is known by: its navigation, or else its address.
func foxFile(e bidi.DownloadInfo) string {
	if e.Navigation != "" {
		return e.Navigation
	}
	return string(e.Context) + " " + e.URL
}

// downloadEnds gives the file, which has the name that the page chose, its own.
func (t *firefoxTab) downloadEnds(e bidi.DownloadInfo) {
	d := t.files[foxFile(e)]
	if d == nil {
		return
	}
	if e.Status != "complete" {
		t.continueDownload(d.id, "canceled", d.Bytes)
		return
	}
	// Moved within one folder: this touches names only, so it does not block.
	if d.Path == "" || filepath.Dir(e.Path) != filepath.Clean(t.options.Downloads) || os.Rename(e.Path, d.Path) != nil {
		t.continueDownload(d.id, "canceled", 0)
		return
	}
	size := int64(0)
	if info, err := os.Stat(d.Path); err == nil {
		size = info.Size()
	}
	t.continueDownload(d.id, "completed", size)
}
