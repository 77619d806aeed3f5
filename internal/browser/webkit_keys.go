package browser

import "github.com/legwork-mcp/legwork/internal/browser/webdriver"

// driverKeys are the protocol's characters for keys that have none (WebDriver, 15.4.2,
// Keyboard actions), by the names that the page gets.
var driverKeys = map[string]string{
	"Enter": "\ue007", "Tab": "\ue004", "Backspace": "\ue003", "Delete": "\ue017", "Escape": "\ue00c",
	"ArrowLeft": "\ue012", "ArrowUp": "\ue013", "ArrowRight": "\ue014", "ArrowDown": "\ue015",
	"PageUp": "\ue00e", "PageDown": "\ue00f", "End": "\ue010", "Home": "\ue011", "F4": "\ue034",
}

// driverModifiers in the order in which they are pressed.
var driverModifiers = []struct {
	bit   int64
	value string
}{{modControl, "\ue009"}, {modAlt, "\ue00a"}, {modMeta, "\ue03d"}, {modShift, "\ue008"}}

// keyActions press the key and let it go, with its modifiers around.
func (s stroke) keyActions() []webdriver.Action {
	value := driverKeys[s.key]
	if value == "" {
		value = s.key
	}
	var down, up []webdriver.Action
	for _, m := range driverModifiers {
		if s.modifiers&m.bit != 0 {
			down = append(down, webdriver.Action{Type: "keyDown", Value: m.value})
			up = append([]webdriver.Action{{Type: "keyUp", Value: m.value}}, up...)
		}
	}
	down = append(down, webdriver.Action{Type: "keyDown", Value: value}, webdriver.Action{Type: "keyUp", Value: value})
	return append(down, up...)
}
