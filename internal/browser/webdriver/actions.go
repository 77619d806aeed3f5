package webdriver

import "context"

// Action is one step of an input device (section 15.4).
type Action struct {
	// Type is pointerMove, pointerDown, pointerUp, keyDown, keyUp, scroll or pause.
	Type string `json:"type"`
	// Value is the key of keyDown and keyUp: a character, or one of the protocol's
	// private ones (section 15.4.2).
	Value string `json:"value,omitempty"`
	// Button of the pointer: 0 is the left one.
	Button int `json:"button"`
	// Origin of X and Y: empty is the viewport of the current frame, or an [Element].
	Origin any `json:"origin,omitempty"`
	X      int `json:"x"`
	Y      int `json:"y"`
	// Duration of the step in milliseconds.
	Duration int `json:"duration"`
}

// Source is an input device with the steps that it makes. Step n of all sources
// happens at the same time.
type Source struct {
	// Type is pointer, key, wheel or none; ID names the device through the session.
	Type    string   `json:"type"`
	ID      string   `json:"id"`
	Actions []Action `json:"actions"`
}

// Perform makes the steps of all sources (section 15.5) and returns when the last
// is done. The page gets trusted events.
func (s *Session) Perform(ctx context.Context, sources ...Source) error {
	return s.post(ctx, "/actions", map[string]any{"actions": sources}, nil)
}

// Release lets go of all keys and buttons that are pressed.
func (s *Session) Release(ctx context.Context) error { return s.delete(ctx, "/actions") }
