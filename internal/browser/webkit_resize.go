package browser

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/legwork-mcp/legwork/internal/browser/webdriver"
)

func (t *webkitTab) resize(ctx context.Context, size Size) error {
	if size.Scrollbars {
		return unsupported(t.process.kind.name, "give a page scrollbars that take room")
	}
	return explain(ctx, t.fit(ctx, size), "changing the size of the page")
}

// errStatic: the window keeps the size that it has.
var errStatic = errors.New("the window did not take the size")

// fit gives the window the size at which its page has the one that is wanted.
func (t *webkitTab) fit(ctx context.Context, size Size) error {
	want := area{size.Width, size.Height}
	have, err := t.extent(ctx)
	if err != nil || have == want {
		return err
	}
	rect := func() webdriver.Rect {
		return webdriver.Rect{Width: want.width + t.around.width, Height: want.height + t.around.height}
	}
	err = t.within(ctx, "", func(ctx context.Context) error {
		now, err := t.session.Rect(ctx)
		if err != nil {
			return err
		}
		t.around = area{now.Width - have.width, now.Height - have.height}
		_, err = t.session.SetRect(ctx, rect())
		return err
	})
	if err != nil {
		return fmt.Errorf("sizing the window: %w", err)
	}
	return t.settled(ctx, want)
}

// settled waits until the page has the size. Nothing but the page tells.
func (t *webkitTab) settled(ctx context.Context, want area) error {
	limit := time.NewTimer(3 * time.Second)
	defer limit.Stop()
	ask := time.NewTicker(20 * time.Millisecond)
	defer ask.Stop()
	for {
		have, err := t.extent(ctx)
		if err != nil || have == want {
			return err
		}
		select {
		case <-ask.C:
		case <-limit.C:
			return unsupported(t.process.kind.name, fmt.Sprintf("show a page at %d by %d pixels (it came to %d by %d)", want.width, want.height, have.width, have.height))
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// extent is the size of the current window's viewport.
func (t *webkitTab) extent(ctx context.Context) (area, error) {
	var got []int
	err := t.within(ctx, "", func(ctx context.Context) error {
		return t.session.Execute(ctx, "return [window.innerWidth, window.innerHeight]", &got)
	})
	if err != nil {
		return area{}, err
	}
	if len(got) != 2 {
		return area{}, errStatic
	}
	return area{got[0], got[1]}, nil
}
