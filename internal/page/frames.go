package page

import (
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/legwork-mcp/legwork/internal/browser"
	"github.com/legwork-mcp/legwork/internal/fault"
)

// errNoFrame: a step of a frame path is not on the page.
var errNoFrame = errors.New("frame not found")

// frame resolves a path of iframe selectors. Frames are remembered as long as
// the tab still has them.
func (p *Page) frame(ctx context.Context, path []string) (browser.FrameID, error) {
	id := p.tab.Main()
	if len(path) == 0 {
		return id, nil
	}
	p.fresh()
	for i := range path {
		key := strings.Join(path[:i+1], "\x00")
		if known, ok := p.frames[key]; ok && p.alive(known) {
			id = known
			continue
		}
		next, err := p.child(ctx, id, path[i])
		if err != nil {
			return "", err
		}
		p.frames[key] = next
		id = next
	}
	return id, nil
}

// child finds the frame in the element that selector names.
func (p *Page) child(ctx context.Context, parent browser.FrameID, selector string) (browser.FrameID, error) {
	arg := map[string]any{"selector": selector}
	var there bool
	if err := p.read(ctx, parent, call{"showFrame", arg}, &there); err != nil {
		return "", err
	}
	if !there {
		return "", errNoFrame
	}
	id, err := p.tab.FrameOf(ctx, parent, frameFn, arg)
	if err != nil && ctx.Err() == nil {
		return "", errors.Join(errNoFrame, err)
	}
	return id, err
}

// frameSoon waits for the frame while the page is active.
func (p *Page) frameSoon(ctx context.Context, path []string) (browser.FrameID, error) {
	for since := time.Now(); ; {
		id, err := p.frame(ctx, path)
		if !errors.Is(err, errNoFrame) || p.over(since) {
			return id, err
		}
		still, err2 := p.rest(ctx, p.tab.Main())
		if err2 != nil {
			return "", err2
		}
		if still && time.Since(since) > quietTime {
			return "", err
		}
	}
}

// alive tells whether the tab still has the frame.
func (p *Page) alive(id browser.FrameID) bool {
	return slices.ContainsFunc(p.tab.Frames(), func(f browser.Frame) bool { return f.ID == id })
}

// fresh forgets what was known about another document.
func (p *Page) fresh() {
	if seq := p.tab.Doc().Seq; seq != p.seq {
		p.seq = seq
		clear(p.frames)
		clear(p.pierced)
	}
}

// forget drops everything that belongs to the page that was left.
func (p *Page) forget() {
	clear(p.frames)
	clear(p.pierced)
	clear(p.filled)
	p.fields, p.last = nil, nil
}

// pierce makes the closed shadow roots of a frame known, once per document. It
// reports whether there are any new ones.
func (p *Page) pierce(ctx context.Context, frame browser.FrameID) (bool, error) {
	p.fresh()
	if _, done := p.pierced[frame]; done {
		return false, nil
	}
	n, err := p.tab.PierceClosed(ctx, frame, adoptFn)
	if err != nil {
		if errors.Is(err, browser.ErrNavigated) {
			return false, nil
		}
		if f := fault.From(err); f.Type != "engine_unsupported" { // what is in them stays hidden
			return false, err
		}
	}
	p.pierced[frame] = n
	return n > 0, nil
}

// pierceIf is pierce for looks that often miss: only when something on the page
// takes up room although nothing is in it.
func (p *Page) pierceIf(ctx context.Context, frame browser.FrameID) (bool, error) {
	p.fresh()
	if _, done := p.pierced[frame]; done {
		return false, nil
	}
	var suspect bool
	if err := p.read(ctx, frame, call{Name: "suspect"}, &suspect); err != nil || !suspect {
		return false, err
	}
	return p.pierce(ctx, frame)
}

// key of a frame path, to group what is in one frame.
func pathKey(path []string) string { return strings.Join(path, "\x00") }

// group is a set of indexes that share a frame.
type group struct {
	path    []string
	indexes []int
}

// byFrame groups n things by their frame path, the main frame first.
func byFrame(n int, path func(int) []string) []group {
	var out []group
	at := map[string]int{}
	for i := range n {
		key := pathKey(path(i))
		g, ok := at[key]
		if !ok {
			g = len(out)
			at[key] = g
			out = append(out, group{path: path(i)})
		}
		out[g].indexes = append(out[g].indexes, i)
	}
	return out
}

// forgetFrames looks every frame up anew.
func (p *Page) forgetFrames() { clear(p.frames) }
