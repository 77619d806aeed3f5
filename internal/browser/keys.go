package browser

import (
	"strings"
	"unicode/utf8"
)

// The bits of the modifier keys in key events.
const (
	modAlt     = 1
	modControl = 2
	modMeta    = 4
	modShift   = 8
)

// stroke is one key, pressed and released.
type stroke struct {
	key, code string
	windows   int64  // virtual key code
	text      string // what it writes, if anything
	modifiers int64
}

var modifierBits = map[string]int64{
	"Alt": modAlt, "Control": modControl, "Ctrl": modControl, "Meta": modMeta, "Shift": modShift,
}

// namedKeys are the keys that have no character of their own.
var namedKeys = map[string]stroke{
	"Enter":      {key: "Enter", code: "Enter", windows: 13, text: "\r"},
	"Tab":        {key: "Tab", code: "Tab", windows: 9},
	"Backspace":  {key: "Backspace", code: "Backspace", windows: 8},
	"Delete":     {key: "Delete", code: "Delete", windows: 46},
	"Escape":     {key: "Escape", code: "Escape", windows: 27},
	"Space":      {key: " ", code: "Space", windows: 32, text: " "},
	"ArrowLeft":  {key: "ArrowLeft", code: "ArrowLeft", windows: 37},
	"ArrowUp":    {key: "ArrowUp", code: "ArrowUp", windows: 38},
	"ArrowRight": {key: "ArrowRight", code: "ArrowRight", windows: 39},
	"ArrowDown":  {key: "ArrowDown", code: "ArrowDown", windows: 40},
	"PageUp":     {key: "PageUp", code: "PageUp", windows: 33},
	"PageDown":   {key: "PageDown", code: "PageDown", windows: 34},
	"End":        {key: "End", code: "End", windows: 35},
	"Home":       {key: "Home", code: "Home", windows: 36},
	"F4":         {key: "F4", code: "F4", windows: 115},
}

// marks are the keys of a US keyboard for what is neither letter nor digit:
// the plain and the shifted character, the name and the virtual key code.
var marks = []struct {
	plain, shifted rune
	code           string
	windows        int64
}{
	{'`', '~', "Backquote", 192}, {'-', '_', "Minus", 189}, {'=', '+', "Equal", 187},
	{'[', '{', "BracketLeft", 219}, {']', '}', "BracketRight", 221}, {'\\', '|', "Backslash", 220},
	{';', ':', "Semicolon", 186}, {'\'', '"', "Quote", 222}, {',', '<', "Comma", 188},
	{'.', '>', "Period", 190}, {'/', '?', "Slash", 191},
}

// shiftedDigits are the characters above 0 to 9.
const shiftedDigits = ")!@#$%^&*("

// strokeOf is the key that writes r. A character that is on no US keyboard
// comes from a key without a code, as on a keyboard of another country.
func strokeOf(r rune) stroke {
	s := stroke{key: string(r), text: string(r)}
	switch {
	case r == '\n' || r == '\r':
		return namedKeys["Enter"]
	case r == '\t':
		return namedKeys["Tab"]
	case r == ' ':
		return namedKeys["Space"]
	case r >= 'a' && r <= 'z':
		s.code, s.windows = "Key"+strings.ToUpper(string(r)), int64(r-'a'+'A')
	case r >= 'A' && r <= 'Z':
		s.code, s.windows, s.modifiers = "Key"+string(r), int64(r), modShift
	case r >= '0' && r <= '9':
		s.code, s.windows = "Digit"+string(r), int64(r)
	case strings.ContainsRune(shiftedDigits, r):
		digit := '0' + rune(strings.IndexRune(shiftedDigits, r))
		s.code, s.windows, s.modifiers = "Digit"+string(digit), int64(digit), modShift
	default:
		for _, m := range marks {
			switch r {
			case m.plain:
				s.code, s.windows = m.code, m.windows
			case m.shifted:
				s.code, s.windows, s.modifiers = m.code, m.windows, modShift
			}
		}
	}
	return s
}

// strokeNamed reads "Enter", "a" or "Control+Shift+Z".
func strokeNamed(name string) (stroke, bool) {
	modifiers, key := combination(name)
	s, ok := namedKeys[key]
	if !ok {
		if utf8.RuneCountInString(key) != 1 {
			return stroke{}, false
		}
		r, _ := utf8.DecodeRuneInString(key)
		s = strokeOf(r)
	}
	for _, m := range modifiers {
		bit, ok := modifierBits[m]
		if !ok {
			return stroke{}, false
		}
		s.modifiers |= bit
	}
	if s.modifiers&(modAlt|modControl|modMeta) != 0 {
		s.text = "" // a shortcut writes nothing
		if len(modifiers) > 0 && !hasShift(modifiers) {
			s.modifiers &^= modShift // the A in Control+A is only the name of the key
		}
	}
	return s, true
}

func hasShift(modifiers []string) bool {
	for _, m := range modifiers {
		if m == "Shift" {
			return true
		}
	}
	return false
}
