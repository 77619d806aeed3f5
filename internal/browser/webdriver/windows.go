package webdriver

import (
	"context"
	"net/http"
)

// Window is the handle of a top-level window.
type Window string

// Rect is the place and size of a window, in CSS pixels of the screen.
type Rect struct {
	X      int `json:"x"`
	Y      int `json:"y"`
	Width  int `json:"width"`
	Height int `json:"height"`
}

// Windows are all windows of the session, in no certain order (section 11.5).
func (s *Session) Windows(ctx context.Context) ([]Window, error) {
	var list []Window
	return list, s.get(ctx, "/window/handles", &list)
}

// Window is the current one. It fails with [NoSuchWindow] when that was closed.
func (s *Session) Window(ctx context.Context) (Window, error) {
	var w Window
	return w, s.get(ctx, "/window", &w)
}

// SwitchWindow makes another window, and the top of it, the current one.
func (s *Session) SwitchWindow(ctx context.Context, w Window) error {
	return s.post(ctx, "/window", map[string]Window{"handle": w}, nil)
}

// CloseWindow closes the current window and returns those that are left. Another
// one has to be chosen before the next command.
func (s *Session) CloseWindow(ctx context.Context) ([]Window, error) {
	var left []Window
	return left, s.client.do(ctx, call{http.MethodDelete, "/session/" + s.id + "/window", nil}, &left)
}

// Rect is the place and size of the current window.
func (s *Session) Rect(ctx context.Context) (Rect, error) {
	var r Rect
	return r, s.get(ctx, "/window/rect", &r)
}

// SetRect moves and resizes the current window and returns what came of it.
func (s *Session) SetRect(ctx context.Context, r Rect) (Rect, error) {
	var got Rect
	return got, s.post(ctx, "/window/rect", r, &got)
}

// SwitchTop chooses the top document of the current window.
func (s *Session) SwitchTop(ctx context.Context) error {
	return s.post(ctx, "/frame", map[string]any{"id": nil}, nil)
}

// SwitchFrame chooses the document in a frame element of the current document.
func (s *Session) SwitchFrame(ctx context.Context, e Element) error {
	return s.post(ctx, "/frame", map[string]any{"id": e}, nil)
}

// SwitchFrameIndex chooses the document in a frame of the current one by its number
// in window.frames (section 11.6). It also reaches a frame in a closed shadow root.
func (s *Session) SwitchFrameIndex(ctx context.Context, index int) error {
	return s.post(ctx, "/frame", map[string]any{"id": index}, nil)
}

// SwitchParent chooses the document around the current frame.
func (s *Session) SwitchParent(ctx context.Context) error {
	return s.post(ctx, "/frame/parent", nil, nil)
}

// AlertText is the text of the message box that is open; [NoSuchAlert] when none is.
func (s *Session) AlertText(ctx context.Context) (string, error) {
	var text string
	return text, s.get(ctx, "/alert/text", &text)
}

// AcceptAlert presses the message box's OK.
func (s *Session) AcceptAlert(ctx context.Context) error {
	return s.post(ctx, "/alert/accept", nil, nil)
}

// DismissAlert presses the message box's Cancel, or what there is.
func (s *Session) DismissAlert(ctx context.Context) error {
	return s.post(ctx, "/alert/dismiss", nil, nil)
}

// SendAlertText writes into the message box. One that has no field fails with
// [NotInteractable].
func (s *Session) SendAlertText(ctx context.Context, text string) error {
	return s.post(ctx, "/alert/text", map[string]string{"text": text}, nil)
}
