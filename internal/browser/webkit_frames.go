package browser

import (
	"context"
	"slices"

	"github.com/legwork-mcp/legwork/internal/browser/webdriver"
)

// choose makes a frame of the current window the one that the driver talks to. The
// caller has the turn.
func (t *webkitTab) choose(ctx context.Context, frame FrameID) error {
	t.mu.Lock()
	v := t.current()
	if t.err != nil || v == nil {
		defer t.mu.Unlock()
		if t.err != nil {
			return t.err
		}
		return closedFault()
	}
	window, path, ok := v.id, []FrameID(nil), true
	if frame != "" && frame != v.main {
		path, ok = t.pathOf(v, frame)
	}
	t.mu.Unlock()
	if !ok {
		return errDetached
	}
	return t.chooseIn(ctx, window, path)
}

// pathOf are the frames from the top down to a frame. The caller holds the lock.
func (t *webkitTab) pathOf(v *view, id FrameID) ([]FrameID, bool) {
	var path []FrameID
	for id != v.main {
		f := t.frames[id]
		if f == nil || f.view != v {
			return nil, false
		}
		path = append(path, id)
		id = f.parent
	}
	slices.Reverse(path)
	return path, true
}

func (t *webkitTab) chooseIn(ctx context.Context, window string, path []FrameID) error {
	if t.window != window {
		if err := t.session.SwitchWindow(ctx, webdriver.Window(window)); err != nil {
			return err
		}
		t.window, t.path = window, nil
	}
	if slices.Equal(t.path, path) {
		return nil
	}
	if len(t.path) > 0 && !(len(path) > len(t.path) && slices.Equal(path[:len(t.path)], t.path)) {
		if err := t.session.SwitchTop(ctx); err != nil {
			return err
		}
		t.path = nil
	}
	for _, id := range path[len(t.path):] {
		if err := t.descend(ctx, id); err != nil {
			t.window = "" // it is not certain where the driver is now
			return err
		}
	}
	return nil
}

// descend goes into a frame of the current document.
func (t *webkitTab) descend(ctx context.Context, id FrameID) error {
	var e webdriver.Element
	if err := t.session.Execute(ctx, frameScript, &e, scriptCall{Key: t.key, Frame: string(id)}); err != nil {
		return err
	}
	if e == "" {
		return errDetached
	}
	if err := t.session.SwitchFrame(ctx, e); err != nil {
		return err
	}
	t.path = append(slices.Clone(t.path), id)
	return nil
}

// offsetOf is where the content of a frame begins in the page's viewport. Frames that
// are out of sight are scrolled into it.
func (t *webkitTab) offsetOf(ctx context.Context, frame FrameID) (x, y float64, err error) {
	v, err := t.page()
	if err != nil {
		return 0, 0, err
	}
	if frame == "" || frame == v.main {
		return 0, 0, nil
	}
	t.mu.Lock()
	path, ok := t.pathOf(v, frame)
	t.mu.Unlock()
	if !ok {
		return 0, 0, errDetached
	}
	parent := v.main
	for _, id := range path {
		var at *struct{ X, Y float64 }
		err := t.within(ctx, parent, func(ctx context.Context) error {
			return t.session.Execute(ctx, offsetScript, &at, scriptCall{Key: t.key, Frame: string(id)})
		})
		if err != nil {
			return 0, 0, err
		}
		if at == nil {
			return 0, 0, errDetached
		}
		x, y, parent = x+at.X, y+at.Y, id
	}
	return x, y, nil
}

// sightOf is what the framesScript tells of a document.
type sightOf struct {
	Token  string      `json:"token"`
	URL    string      `json:"url"`
	State  string      `json:"state"`
	Empty  bool        `json:"empty"`
	Frames []frameSeen `json:"frames"`
}

// frameSeen is a frame as the document around it sees it.
type frameSeen struct {
	ID      FrameID     `json:"id"`
	Name    string      `json:"name"`
	Foreign bool        `json:"foreign"` // its document may not be looked into from here
	URL     string      `json:"url"`
	Token   string      `json:"token"`
	Frames  []frameSeen `json:"frames"`
}

// placeFrames takes in the frames of a document, and forgets those that are not there
// any more. It returns the foreign ones, whose documents have to be asked themselves.
// The caller holds the lock.
func (t *webkitTab) placeFrames(v *view, parent FrameID, seen []frameSeen) []FrameID {
	var foreign []FrameID
	there := map[FrameID]bool{}
	for _, s := range seen {
		there[s.ID] = true
		f := t.place(v, v.session, s.ID, parent)
		f.name = s.Name
		if s.Foreign {
			foreign = append(foreign, s.ID)
			continue
		}
		t.enterDocument(f, s.Token, s.URL)
		foreign = append(foreign, t.placeFrames(v, s.ID, s.Frames)...)
	}
	for id, f := range t.frames {
		if f.view == v && f.parent == parent && id != v.main && !there[id] {
			t.remove(id)
		}
	}
	return foreign
}

// enterDocument takes in the document of a frame. The caller holds the lock.
func (t *webkitTab) enterDocument(f *frame, token, url string) {
	f.url = url
	if f.world == nil || f.world.realm != token {
		t.removeChildren(f.id)
		t.enter(f, &world{realm: token, gone: make(chan struct{})})
		if f.id != f.view.main {
			t.idle() // the end of its request may have been told before it was there
		}
	}
}
