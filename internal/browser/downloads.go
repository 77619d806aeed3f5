package browser

import (
	"path/filepath"
	"slices"
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

	id string // the browser's own name for it
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

// beginDownload takes in a file that a frame began to send. id is the engine's own
// name for it, and path where it is written. The caller holds the lock.
func (t *Tab) beginDownload(id, address, name, path string) {
	d := &Download{URL: address, Name: filepath.Base(filepath.FromSlash(name)), Path: path, State: "inProgress", id: id}
	t.files[id] = d
	t.downloads = append(t.downloads, d)
	if len(t.downloads) > kept {
		delete(t.files, t.downloads[0].id)
		t.downloads = slices.Delete(t.downloads, 0, 1)
	}
	t.counts.downloads++
}

// continueDownload takes in how far a file is. The caller holds the lock.
func (t *Tab) continueDownload(id, state string, bytes int64) {
	d := t.files[id]
	if d == nil {
		return
	}
	if state != d.State {
		t.counts.downloads++
	}
	d.State, d.Bytes = state, bytes
}
