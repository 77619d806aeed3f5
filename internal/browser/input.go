package browser

import (
	"context"
	"strings"

	"github.com/legwork-mcp/legwork/internal/fault"
)

// Click presses and releases the left mouse button at a point of a frame's
// viewport, as a person's mouse would: the page gets trusted events at
// whatever element is on top there.
func (t *Tab) Click(ctx context.Context, frame FrameID, x, y float64) error {
	ctx, cancel := bounded(ctx)
	defer cancel()
	t.Acted()
	return delivered(ctx, t.drive.click(ctx, frame, x, y), "clicking")
}

// delivered forgives that the page went away on input: that is what a click on
// a link does, and the input was not lost.
func delivered(ctx context.Context, err error, doing string) error {
	if wentAway(err) {
		return nil
	}
	return explain(ctx, err, doing)
}

// InsertText puts text at the caret of the focused element at once, as a paste
// would. The element must be focused already.
func (t *Tab) InsertText(ctx context.Context, frame FrameID, text string) error {
	ctx, cancel := bounded(ctx)
	defer cancel()
	return explain(ctx, t.drive.insertText(ctx, frame, text), "entering text")
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
	t.Acted()
	return delivered(ctx, t.drive.press(ctx, frame, strokes), "pressing keys")
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
