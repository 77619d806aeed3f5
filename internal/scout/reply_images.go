package scout

import (
	"context"

	"github.com/legwork-mcp/legwork/internal/page"
	"github.com/legwork-mcp/legwork/internal/tool"
)

// Pictures are the image blocks of an answer, with their index.
type Pictures struct {
	Screenshots []Screenshot `json:"screenshots,omitempty" jsonschema:"index of the image blocks, which come first"`

	images []tool.Image
}

// Screenshot is one image block.
type Screenshot struct {
	Index  int `json:"index"`
	Tile   int `json:"tile,omitempty"`
	Tiles  int `json:"tiles,omitempty" jsonschema:"how many the whole page has"`
	Width  int `json:"width"`
	Height int `json:"height"`
}

// Images are the blocks.
func (p Pictures) Images() []tool.Image { return p.images }

// fullTiles is how many pictures of one page an answer holds at most.
const fullTiles = 4

// attempts are tried in order until a picture is small enough; below the last
// nobody could read it.
var attempts = []struct {
	less  int // of the quality
	scale float64
}{{0, 0}, {15, 0}, {15, 0.75}, {25, 0.6}, {25, 0.5}}

// shoot takes pictures of the page, private fields made unreadable. A page that
// cannot be shown is told without one: the elements are what counts.
func (s *Server) shoot(ctx context.Context, x *session, full bool) Pictures {
	tiles := 1
	if full {
		tiles = fullTiles
	}
	var hide []page.Target
	for _, c := range x.inv.Controls {
		if private(c) && c.Visible {
			hide = append(hide, page.Target{Selector: c.Selector, Frame: c.Frame})
		}
	}
	var out Pictures
	for _, a := range attempts {
		shots, err := x.page.Shots(ctx, page.ShotOptions{Quality: s.set.Quality - a.less, MaxTiles: tiles, MaxWidth: x.size.Width, Scale: a.scale, Hide: hide})
		if err != nil {
			s.log.Debug("no picture of the page", "session", x.id)
			return out
		}
		out = Pictures{}
		largest := 0
		for i, shot := range shots {
			out.images = append(out.images, tool.Image{Data: shot.Data, MIME: shot.MIME})
			out.Screenshots = append(out.Screenshots, Screenshot{Index: i, Tile: shot.Tile, Tiles: shot.Tiles, Width: shot.Width, Height: shot.Height})
			largest = max(largest, len(shot.Data))
		}
		if largest <= s.set.MaxImage {
			break
		}
	}
	return out
}
