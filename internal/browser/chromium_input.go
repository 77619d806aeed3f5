package browser

import (
	"context"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/dom"
	"github.com/chromedp/cdproto/input"
)

func (t *chromiumTab) click(ctx context.Context, frame FrameID, x, y float64) error {
	v, err := t.page()
	if err != nil {
		return err
	}
	dx, dy, err := t.placeOf(ctx, v, frame)
	if err != nil {
		return err
	}
	// Mouse events go to the page, also for a frame in another process.
	at := input.DispatchMouseEventParams{Type: input.DispatchMouseEventTypeMouseMoved, X: x + dx, Y: y + dy}
	press := at
	press.Type, press.Button, press.Buttons, press.ClickCount = input.DispatchMouseEventTypeMousePressed, input.MouseButtonLeft, 1, 1
	release := press
	release.Type, release.Buttons = input.DispatchMouseEventTypeMouseReleased, 0
	s := t.on(v.session)
	return settle(ctx,
		start(s, input.DispatchMouseEvent, at),
		start(s, input.DispatchMouseEvent, press),
		start(s, input.DispatchMouseEvent, release),
	)
}

// placeOf is where a frame's viewport begins in the page's viewport.
func (t *chromiumTab) placeOf(ctx context.Context, v *view, id FrameID) (x, y float64, err error) {
	for id != "" && id != v.main {
		t.mu.Lock()
		f := t.frames[id]
		var parent *frame
		if f != nil {
			parent = t.frames[f.parent]
		}
		if parent == nil {
			t.mu.Unlock()
			return 0, 0, navigatedFault(errDetached)
		}
		reporter := t.on(parent.session)
		parentID := f.parent
		t.mu.Unlock()
		dx, dy, err := frameOffset(ctx, reporter, id)
		if err != nil {
			return 0, 0, explain(ctx, err, "finding the place of a frame")
		}
		x, y = x+dx, y+dy
		id = t.localRoot(parentID)
	}
	return x, y, nil
}

// localRoot is the topmost frame around id that lives in the same process: the
// browser gives all places in that process relative to it.
func (t *chromiumTab) localRoot(id FrameID) FrameID {
	t.mu.Lock()
	defer t.mu.Unlock()
	for f := t.frames[id]; f != nil; f = t.frames[f.parent] {
		parent := t.frames[f.parent]
		if parent == nil || parent.session != f.session {
			return f.id
		}
	}
	return id
}

func frameOffset(ctx context.Context, s *session, id FrameID) (x, y float64, err error) {
	owner, err := call(ctx, s, dom.GetFrameOwner, dom.GetFrameOwnerParams{FrameID: cdp.FrameID(id)})
	if err != nil {
		return 0, 0, err
	}
	box, err := call(ctx, s, dom.GetBoxModel, dom.GetBoxModelParams{BackendNodeID: owner.BackendNodeID})
	if err != nil {
		return 0, 0, err
	}
	return box.Model.Content[0], box.Model.Content[1], nil
}

// keyboard is the session that gets the keys for a frame.
func (t *chromiumTab) keyboard(id FrameID) (*session, error) {
	v, err := t.page()
	if err != nil {
		return nil, err
	}
	if id == "" || id == v.main {
		return t.on(v.session), nil
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	f := t.frames[id]
	if f == nil {
		return nil, navigatedFault(errDetached)
	}
	return t.on(f.session), nil
}

func (t *chromiumTab) insertText(ctx context.Context, frame FrameID, text string) error {
	s, err := t.keyboard(frame)
	if err != nil {
		return err
	}
	_, err = call(ctx, s, input.InsertText, input.InsertTextParams{Text: text})
	return err
}

// press sends all keys and waits once.
func (t *chromiumTab) press(ctx context.Context, frame FrameID, strokes []stroke) error {
	s, err := t.keyboard(frame)
	if err != nil {
		return err
	}
	list := make([]outcome, 0, 2*len(strokes))
	for _, k := range strokes {
		list = append(list,
			start(s, input.DispatchKeyEvent, keyDown(k)),
			start(s, input.DispatchKeyEvent, keyUp(k)))
	}
	return settle(ctx, list...)
}
