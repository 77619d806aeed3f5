package board

import (
	"context"
	"io"
	"net/http"
	"time"

	"github.com/legwork-mcp/legwork/internal/board/api"
	"github.com/legwork-mcp/legwork/internal/board/data"
	"github.com/legwork-mcp/legwork/internal/board/media"
	"github.com/legwork-mcp/legwork/internal/board/task"
	"github.com/legwork-mcp/legwork/internal/board/web"
	"github.com/legwork-mcp/legwork/internal/fault"
)

// linkTime is how long a link to a file works: long enough to look at it, and to fetch
// it by a program that was just told of it.
const linkTime = 15 * time.Minute

// filesPath is where the links lead: the pages serve the files.
const filesPath = web.FilesPath

// files is the store of uploads as the API and the pages know it.
type files struct{ store *media.Store }

// Link implements api.Files. A person's link works for that person alone; agents fetch
// without a login, so theirs works for whoever holds it.
func (f files) Link(file string, viewer task.Actor) (string, time.Time) {
	g := media.Grant{Purpose: "review", For: linkTime}
	if viewer.Kind != task.Agent {
		g.Viewer = api.OwnerOf(viewer)
	}
	path, ends := f.store.Link(file, g)
	return filesPath + path, ends
}

// Take implements api.Files.
func (f files) Take(ctx context.Context, by task.Actor, kind task.Deliverable, r io.Reader) (data.Item, error) {
	kept, err := f.store.Put(ctx, media.New{Owner: api.OwnerOf(by), Kind: media.Kind(kind)}, r)
	if err != nil {
		return data.Item{}, err
	}
	return item(kept), nil
}

// Owned implements api.Files: what others uploaded is not there.
func (f files) Owned(_ context.Context, by task.Actor, upload string) (data.Item, error) {
	kept, err := f.store.File(upload)
	if err != nil {
		return data.Item{}, err
	}
	if kept.Owner != api.OwnerOf(by) {
		return data.Item{}, task.Refuse(task.NotFound)
	}
	return item(kept), nil
}

// uploader is who sends files, as the store of uploads asks.
func uploader(rest *api.Server) func(*http.Request) (string, error) {
	return func(r *http.Request) (string, error) {
		owner, err := rest.Uploader(r)
		if task.ReasonOf(err) == task.RateLimited {
			err = media.TooOften(fault.From(err).RetryAfter)
		}
		return owner, err
	}
}

// item is a file as a delivery names it. Where it was taken stays in the store.
func item(f media.File) data.Item {
	return data.Item{
		Kind: task.Deliverable(f.Kind), Upload: f.ID, SHA256: f.SHA256, MIME: f.MIME, Bytes: f.Bytes,
		CapturedAt: f.Private.CapturedAt, Like: f.Alike(),
	}
}

// expiring lets the sweep of the jobs remove what nobody finished sending.
type expiring struct{ store *media.Store }

// Expire implements jobs.Uploads.
func (e expiring) Expire(ctx context.Context) (int, error) { return e.store.Sweep(ctx) }
