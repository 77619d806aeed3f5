package web

import (
	"net/http"
	"time"

	"github.com/legwork-mcp/legwork/internal/board/data"
	"github.com/legwork-mcp/legwork/internal/board/media"
	"github.com/legwork-mcp/legwork/internal/board/task"
	"github.com/legwork-mcp/legwork/internal/fault"
)

// FilesPath is where links to files lead, and uploadsPath where files are sent to.
const (
	FilesPath   = "/files/"
	uploadsPath = "/uploads/"
)

// linkTime is how long the address of a file on a page is good.
const linkTime = 30 * time.Minute

// holder is somebody as the store of files names them.
func holder(a task.Actor) string { return string(a.Kind) + ":" + a.ID }

// fileLink is the address of a file that the visitor may see, for a while and for
// them alone.
func (v *visit) fileLink(id string, form media.Variant) string {
	path, _ := v.site.media.Link(id, media.Grant{Viewer: holder(v.actor()), Purpose: "review", Variant: form, For: linkTime})
	return FilesPath + path
}

// viewerOf says who asks for a file; nobody when they are not signed in.
func (s *Site) viewerOf(r *http.Request) string {
	v := &visit{site: s, r: r, now: s.now()}
	if who, _, err := v.identify(); err == nil && who.Known {
		v.who = who
		return holder(v.actor())
	}
	if s.options.Owner != nil {
		return s.options.Owner(r)
	}
	return ""
}

// uploaderOf says who sends a file: workers only. What they send counts with their pages.
func (s *Site) uploaderOf(r *http.Request) (string, error) {
	v := &visit{site: s, r: r, now: s.now()}
	who, _, err := v.identify()
	if err != nil || !who.Human {
		return "", err
	}
	v.who = who
	if err := v.countVisit(); task.ReasonOf(err) == task.RateLimited {
		return "", media.TooOften(fault.From(err).RetryAfter)
	} else if err != nil {
		return "", err
	}
	return holder(v.actor()), nil
}

// itemOf is a stored file as a piece of a delivery.
func itemOf(f media.File) data.Item {
	return data.Item{
		Kind: task.Deliverable(f.Kind), Upload: f.ID, SHA256: f.SHA256, MIME: f.MIME, Bytes: f.Bytes,
		CapturedAt: f.Private.CapturedAt, Like: f.Alike(),
	}
}
