package runner

import (
	"context"
	"time"

	"github.com/legwork-mcp/legwork/internal/page"
	"github.com/legwork-mcp/legwork/internal/wizard"
)

// Pages that have no number in the index of pictures.
const (
	resultsPage = 0
	errorPage   = -1
)

// picture is one tile of one page.
type picture struct {
	page        int // number, resultsPage or errorPage
	title       string
	data        []byte
	mime        string
	tile, tiles int
	quality     int // of the JPEG
	width       int
	height      int
}

// label is how the index names the page: a number, or results, or error.
func (p picture) label() any {
	switch p.page {
	case resultsPage:
		return "results"
	case errorPage:
		return "error"
	}
	return p.page
}

// maxTiles is how many tiles of one page are taken; Tiles of the index says how
// many it would need.
const maxTiles = 4

// picture takes the page as it is shown now, marked fields blurred, and what they
// were answered with wherever the page repeats it.
func (r *run) picture(ctx context.Context, number int, title string) error {
	if !r.job.Opts.Screenshots {
		return nil
	}
	quality := r.quality()
	shots, err := r.page.Shots(ctx, page.ShotOptions{
		Quality: quality, MaxTiles: maxTiles, MaxWidth: r.limits.Width,
		Hide: hidden(r.job.Entry.Wizard), Private: private(r.job.Entry.Wizard, r.job.Answers),
	})
	if err != nil {
		return err
	}
	for _, s := range shots {
		r.out.pictures = append(r.out.pictures, picture{
			page: number, title: title, data: s.Data, mime: s.MIME,
			tile: s.Tile, tiles: s.Tiles, quality: quality, width: s.Width, height: s.Height,
		})
	}
	return nil
}

// quality is the one asked for, or less when the run takes too many pictures for
// one reply.
func (r *run) quality() int {
	if r.job.Opts.AllPictures {
		return r.job.Opts.Quality
	}
	n := len(r.plan) + 1 // and the answer
	return qualityFor(r.job.Opts.Quality, n, r.limits.Width*r.limits.Height)
}

// errorPicture shows what stood there when the run ended. It may fail without
// consequence: the run's own problem is what the caller needs.
func (r *run) errorPicture(ctx context.Context) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), reserve(r.job.Opts.Timeout))
	defer cancel()
	began := time.Now()
	title := r.place.Title
	if title == "" {
		title = pageTitle(r.current)
	}
	if err := r.picture(ctx, errorPage, title); err != nil {
		r.log.Debug("no picture of the page on which the run ended", "run_id", r.job.RunID, "ms", time.Since(began).Milliseconds())
	}
}

// hidden are the fields that no picture may show, of every page: a form may come
// back to one that was left.
func hidden(w *wizard.Wizard) []page.Target {
	var out []page.Target
	for i := range w.Pages {
		for j := range w.Pages[i].Fields {
			out = append(out, masked(&w.Pages[i].Fields[j])...)
		}
	}
	return out
}

func masked(f *wizard.Field) []page.Target {
	var out []page.Target
	if f.MaskInScreenshots {
		out = append(out, fieldTarget(f))
	}
	for i := range f.SubFields {
		if s := &f.SubFields[i]; s.MaskInScreenshots || f.MaskInScreenshots {
			out = append(out, page.Target{Selector: s.Selector, Frame: frameOf(s.Frame, f.Frame)})
		}
	}
	return out
}
