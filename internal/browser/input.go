package browser

import (
	"context"
	"strings"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/dom"
	"github.com/chromedp/cdproto/input"

	"github.com/legwork-mcp/legwork/internal/fault"
)

// Click presses and releases the left mouse button at a point of a frame's
// viewport, as a person's mouse would: the page gets trusted events at
// whatever element is on top there.
func (t *Tab) Click(ctx context.Context, frame FrameID, x, y float64) error {
	ctx, cancel := bounded(ctx)
	defer cancel()
	v, err := t.page()
	if err != nil {
		return err
	}
	dx, dy, err := t.placeOf(ctx, v, frame)
	if err != nil {
		return err
	}
	t.Acted()
	// Mouse events go to the page, also for a frame in another process.
	at := input.DispatchMouseEventParams{Type: input.DispatchMouseEventTypeMouseMoved, X: x + dx, Y: y + dy}
	press := at
	press.Type, press.Button, press.Buttons, press.ClickCount = input.DispatchMouseEventTypeMousePressed, input.MouseButtonLeft, 1, 1
	release := press
	release.Type, release.Buttons = input.DispatchMouseEventTypeMouseReleased, 0
	err = settle(ctx,
		start(v.session, input.DispatchMouseEvent, at),
		start(v.session, input.DispatchMouseEvent, press),
		start(v.session, input.DispatchMouseEvent, release),
	)
	return delivered(ctx, err, "clicking")
}

// delivered forgives that the page went away on input: that is what a click on
// a link does, and the input was not lost.
func delivered(ctx context.Context, err error, doing string) error {
	if wentAway(err) {
		return nil
	}
	return explain(ctx, err, doing)
}

// placeOf is where a frame's viewport begins in the page's viewport.
func (t *Tab) placeOf(ctx context.Context, v *view, id FrameID) (x, y float64, err error) {
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
		reporter := parent.session
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
func (t *Tab) localRoot(id FrameID) FrameID {
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
func (t *Tab) keyboard(id FrameID) (*session, error) {
	v, err := t.page()
	if err != nil {
		return nil, err
	}
	if id == "" || id == v.main {
		return v.session, nil
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	f := t.frames[id]
	if f == nil {
		return nil, navigatedFault(errDetached)
	}
	return f.session, nil
}

// InsertText puts text at the caret of the focused element at once, as a paste
// would. The element must be focused already.
func (t *Tab) InsertText(ctx context.Context, frame FrameID, text string) error {
	ctx, cancel := bounded(ctx)
	defer cancel()
	s, err := t.keyboard(frame)
	if err != nil {
		return err
	}
	_, err = call(ctx, s, input.InsertText, input.InsertTextParams{Text: text})
	return explain(ctx, err, "entering text")
}

// Type presses and releases the key of every character of text. The element
// must be focused already.
func (t *Tab) Type(ctx context.Context, frame FrameID, text string) error {
	strokes := make([]stroke, 0, len(text))
	for _, r := range text {
		strokes = append(strokes, strokeOf(r))
	}
	return t.press(ctx, frame, strokes)
}

// Press presses keys by name, one after another: Enter, Tab, Escape,
// Backspace, ArrowDown, a character, or with modifiers Control+A, Shift+Tab.
func (t *Tab) Press(ctx context.Context, frame FrameID, keys ...string) error {
	strokes := make([]stroke, 0, len(keys))
	for _, name := range keys {
		k, ok := strokeNamed(name)
		if !ok {
			return fault.New(fault.Invalid, "", "There is no key named "+shorten(name)+".",
				"Use names such as Enter, Tab, ArrowDown, Backspace, Control+A.")
		}
		strokes = append(strokes, k)
	}
	return t.press(ctx, frame, strokes)
}

// press sends all keys and waits once.
func (t *Tab) press(ctx context.Context, frame FrameID, strokes []stroke) error {
	ctx, cancel := bounded(ctx)
	defer cancel()
	s, err := t.keyboard(frame)
	if err != nil {
		return err
	}
	t.Acted()
	list := make([]outcome, 0, 2*len(strokes))
	for _, k := range strokes {
		list = append(list,
			start(s, input.DispatchKeyEvent, k.down()),
			start(s, input.DispatchKeyEvent, k.up()))
	}
	return delivered(ctx, settle(ctx, list...), "pressing keys")
}

// combination splits "Control+A" into its parts. "+" itself is a key.
func combination(name string) (modifiers []string, key string) {
	if name == "+" || strings.HasSuffix(name, "++") {
		modifiers = strings.FieldsFunc(strings.TrimSuffix(name, "+"), func(r rune) bool { return r == '+' })
		return modifiers, "+"
	}
	parts := strings.Split(name, "+")
	return parts[:len(parts)-1], parts[len(parts)-1]
}
