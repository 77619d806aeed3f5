package browser

import (
	"context"
	"math"
	"time"

	"github.com/legwork-mcp/legwork/internal/browser/webdriver"
)

func (t *webkitTab) click(ctx context.Context, frame FrameID, x, y float64) error {
	dx, dy, err := t.offsetOf(ctx, frame)
	if err != nil {
		return err
	}
	// The driver takes whole pixels of the page's viewport, whatever frame is current.
	at := webdriver.Action{Type: "pointerMove", X: int(math.Floor(x + dx)), Y: int(math.Floor(y + dy))}
	err = t.act(ctx, "", webdriver.Source{Type: "pointer", ID: "mouse", Actions: []webdriver.Action{at, {Type: "pointerDown"}, {Type: "pointerUp"}}})
	t.look(ctx)
	return err
}

// unheardTime is how long the first request that input sets off may be on its way to
// the guard, who is the only one to tell of it: it goes through three processes.
const unheardTime = 200 * time.Millisecond

// act gives input to the page.
func (t *webkitTab) act(ctx context.Context, frame FrameID, s webdriver.Source) error {
	return t.within(ctx, frame, func(ctx context.Context) error {
		err := t.session.Perform(ctx, s)
		t.mu.Lock()
		defer t.mu.Unlock()
		t.unheard = time.Now().Add(unheardTime)
		return err
	})
}

func (t *webkitTab) press(ctx context.Context, frame FrameID, strokes []stroke) error {
	var list []webdriver.Action
	for _, s := range strokes {
		list = append(list, s.keyActions()...)
	}
	if len(list) == 0 {
		return nil
	}
	err := t.act(ctx, frame, webdriver.Source{Type: "key", ID: "keyboard", Actions: list})
	t.look(ctx)
	return err
}

func (t *webkitTab) insertText(ctx context.Context, frame FrameID, text string) error {
	var done bool
	err := t.Call(ctx, Function{Frame: frame, Source: insertSource, Arg: text}, &done)
	if err == nil && !done {
		return unsupported(t.process.kind.name, "enter text where no caret is")
	}
	return err
}

// insertSource enters text as the browser's own editing command does: the page hears
// trusted input events.
const insertSource = `function (text) { return document.execCommand('insertText', false, text); }`
