package browser

import (
	"context"
	"errors"
	"fmt"

	jsonv2 "github.com/chromedp/cdproto/cdp/jsonv2"
	"github.com/chromedp/cdproto/dom"
	"github.com/chromedp/cdproto/runtime"
)

func (t *chromiumTab) call(ctx context.Context, frame FrameID, source string, arg []byte) ([]byte, error) {
	params := runtime.CallFunctionOnParams{
		FunctionDeclaration: source,
		Arguments:           []*runtime.CallArgument{{Value: jsonv2.Value(arg)}},
		ReturnByValue:       ptr(true),
	}
	result, _, err := t.callIn(ctx, frame, params)
	if err != nil {
		return nil, err
	}
	return result.Value, nil
}

// callIn runs a call in the agent world of a frame. A world that was gone
// before the call reached it ran nothing, so the next one is asked. It returns
// the world that answered.
func (t *chromiumTab) callIn(ctx context.Context, frame FrameID, params runtime.CallFunctionOnParams) (*runtime.RemoteObject, *world, error) {
	params.AwaitPromise, params.Silent = ptr(true), ptr(true)
	for {
		w, err := t.worldOf(ctx, frame)
		if err != nil {
			return nil, nil, err
		}
		params.UniqueContextID = w.realm
		res, err := start(t.on(w.session), runtime.CallFunctionOn, params).waitOr(ctx, w.gone)
		if neverRan(err) && ctx.Err() == nil {
			t.forgetWorld(w)
			continue
		}
		if leaving(err) || destroyed(err) {
			t.forgetWorld(w) // the news of its end is still on the way
		}
		if err != nil {
			return nil, nil, explain(ctx, err, "running a function in the page")
		}
		if res.ExceptionDetails != nil {
			return nil, nil, thrown(res.ExceptionDetails)
		}
		return res.Result, w, nil
	}
}

// forgetWorld makes sure that a world which the browser does not know any more
// is not asked again.
func (t *chromiumTab) forgetWorld(w *world) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, f := range t.frames {
		if f.world == w {
			t.endWorld(f)
		}
	}
}

func thrown(e *runtime.ExceptionDetails) error {
	if e.Exception != nil && e.Exception.Description != "" {
		return &ScriptError{Text: e.Exception.Description}
	}
	if e.Exception != nil && len(e.Exception.Value) > 0 {
		return &ScriptError{Text: string(e.Exception.Value)}
	}
	return &ScriptError{Text: e.Text}
}

// handle is an object in a page that a function returned.
type handle struct {
	session *session
	id      runtime.RemoteObjectID
}

// hold calls fn and keeps the object that it returns. The zero handle means
// that it returned none.
func (t *chromiumTab) hold(ctx context.Context, frame FrameID, fn string, arg []byte) (handle, error) {
	h, _, err := t.holdIn(ctx, frame, fn, arg)
	return h, err
}

// holdIn is hold, and tells the world that the object lives in.
func (t *chromiumTab) holdIn(ctx context.Context, frame FrameID, fn string, arg []byte) (handle, *world, error) {
	res, w, err := t.callIn(ctx, frame, runtime.CallFunctionOnParams{
		FunctionDeclaration: fn,
		Arguments:           []*runtime.CallArgument{{Value: jsonv2.Value(arg)}},
	})
	if err != nil {
		return handle{}, nil, err
	}
	return handle{session: t.on(w.session), id: res.ObjectID}, w, nil
}

// letGo allows the page to forget the object.
func (h handle) letGo() {
	if h.id != "" {
		post(h.session, runtime.ReleaseObject, runtime.ReleaseObjectParams{ObjectID: h.id})
	}
}

var errNoElement = errors.New("the function returned no element")

func (t *chromiumTab) frameOf(ctx context.Context, parent FrameID, fn string, arg []byte) (FrameID, error) {
	h, err := t.hold(ctx, parent, fn, arg)
	if err != nil {
		return "", err
	}
	defer h.letGo()
	if h.id == "" {
		return "", fmt.Errorf("finding a frame: %w", errNoElement)
	}
	res, err := call(ctx, h.session, dom.DescribeNode, dom.DescribeNodeParams{ObjectID: h.id, Depth: ptr[int64](0)})
	if err != nil {
		return "", explain(ctx, err, "finding a frame")
	}
	if res.Node.FrameID == "" {
		return "", fmt.Errorf("finding a frame: the element %s is no frame", res.Node.LocalName)
	}
	return FrameID(res.Node.FrameID), nil
}
