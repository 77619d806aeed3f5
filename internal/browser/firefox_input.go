package browser

import (
	"context"
	"runtime"
	"strings"

	"github.com/legwork-mcp/legwork/internal/browser/bidi"
	"github.com/legwork-mcp/legwork/internal/fault"
)

// click gives the place in the frame's own viewport: the browser knows where that is.
func (t *firefoxTab) click(ctx context.Context, frame FrameID, x, y float64) error {
	left := 0
	return t.perform(ctx, frame, bidi.Device{
		Type: "pointer", ID: "mouse", Parameters: &bidi.PointerParameters{PointerType: "mouse"},
		Actions: []bidi.Action{
			{Type: "pointerMove", X: &x, Y: &y},
			{Type: "pointerDown", Button: &left},
			{Type: "pointerUp", Button: &left},
		},
	})
}

// perform has a device act in a frame.
func (t *firefoxTab) perform(ctx context.Context, frame FrameID, d bidi.Device) error {
	v, err := t.page()
	if err != nil {
		return err
	}
	if frame == "" {
		frame = v.main
	}
	_, err = bidi.Start(t.process.conn, bidi.PerformActions, bidi.ActionsParams{
		Context: bidi.ContextID(frame), Actions: []bidi.Device{d},
	}).WaitOr(ctx, t.quit)
	return t.read(err)
}

func (t *firefoxTab) press(ctx context.Context, frame FrameID, strokes []stroke) error {
	if len(strokes) == 0 {
		return nil
	}
	var actions []bidi.Action
	for _, s := range strokes {
		actions = append(actions, s.actions()...)
	}
	return t.perform(ctx, frame, bidi.Device{Type: "key", ID: "keyboard", Actions: actions})
}

// foxKeys are the code points that stand for keys without a character (WebDriver,
// 17.4.2 Keyboard actions).
var foxKeys = map[string]string{
	"Enter": "\uE006", "Tab": "\uE004", "Backspace": "\uE003", "Delete": "\uE017", "Escape": "\uE00C",
	"ArrowLeft": "\uE012", "ArrowUp": "\uE013", "ArrowRight": "\uE014", "ArrowDown": "\uE015",
	"PageUp": "\uE00E", "PageDown": "\uE00F", "End": "\uE010", "Home": "\uE011", "F4": "\uE034",
}

// foxModifiers are the modifier keys in the order in which a person holds them.
var foxModifiers = []struct {
	bit int64
	key string
}{{modControl, "\uE009"}, {modAlt, "\uE00A"}, {modMeta, "\uE03D"}, {modShift, "\uE008"}}

// actions presses and releases a key, with its modifiers around it.
func (s stroke) actions() []bidi.Action {
	value, ok := foxKeys[s.key]
	if !ok {
		value = s.key
	}
	if s.modifiers&(modControl|modMeta|modAlt) != 0 && s.modifiers&modShift == 0 {
		value = strings.ToLower(value) // the A in Control+A is only the name of the key
	}
	modifiers := s.modifiers
	if runtime.GOOS == "darwin" && s.code == "KeyA" && modifiers == modControl {
		modifiers = modMeta // macOS has the editing shortcuts there
	}
	var down, up []bidi.Action
	for _, m := range foxModifiers {
		if modifiers&m.bit != 0 {
			down = append(down, bidi.Action{Type: "keyDown", Value: m.key})
			up = append([]bidi.Action{{Type: "keyUp", Value: m.key}}, up...)
		}
	}
	down = append(down, bidi.Action{Type: "keyDown", Value: value}, bidi.Action{Type: "keyUp", Value: value})
	return append(down, up...)
}

// foxInsert enters text as an editing command, whose input events are the browser's
// own.
const foxInsert = `function (text) { return document.execCommand('insertText', false, text) }`

func (t *firefoxTab) insertText(ctx context.Context, frame FrameID, text string) error {
	var done bool
	if err := t.Call(ctx, Function{Frame: frame, Source: foxInsert, Arg: text}, &done); err != nil {
		return err
	}
	if !done && text != "" {
		return fault.New(fault.Failed, "", "No field that takes text has the focus.", "Press the field first, then enter the text.")
	}
	return nil
}
