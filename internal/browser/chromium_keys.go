package browser

import (
	"runtime"

	"github.com/chromedp/cdproto/input"
)

func keyDown(s stroke) input.DispatchKeyEventParams {
	p := keyUp(s)
	p.Type, p.Text, p.UnmodifiedText = input.DispatchKeyEventTypeKeyDown, s.text, s.text
	if s.text == "" {
		p.Type = input.DispatchKeyEventTypeRawKeyDown
	}
	// Only macOS leaves editing shortcuts to the system.
	if runtime.GOOS == "darwin" && s.code == "KeyA" && s.modifiers&(modControl|modMeta) != 0 {
		p.Commands = []string{"selectAll"}
	}
	return p
}

func keyUp(s stroke) input.DispatchKeyEventParams {
	return input.DispatchKeyEventParams{
		Type: input.DispatchKeyEventTypeKeyUp, Key: s.key, Code: s.code,
		WindowsVirtualKeyCode: s.windows, Modifiers: s.modifiers,
	}
}
