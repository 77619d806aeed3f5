package browser

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	jsonv2 "github.com/chromedp/cdproto/cdp/jsonv2"
	"github.com/chromedp/cdproto/dom"
	"github.com/chromedp/cdproto/runtime"
)

// Function is a function declaration to call in a frame's agent world with one
// JSON argument. The source is fixed text of this program: data is the argument.
type Function struct {
	Frame  FrameID // empty: the main frame
	Source string
	Arg    any
}

// Call calls the function in the agent world of its frame, waits for the promise
// that it may return, and decodes the result into out unless out is nil.
//
// A document that goes away before the answer gives a fault for which
// errors.Is(err, ErrNavigated) holds; an exception gives a [*ScriptError].
// Call returns when the context ends, even if the page spins.
func (t *Tab) Call(ctx context.Context, f Function, out any) error {
	ctx, cancel := bounded(ctx)
	defer cancel()
	value, err := json.Marshal(f.Arg)
	if err != nil {
		return fmt.Errorf("encoding the argument of a page function: %w", err)
	}
	params := runtime.CallFunctionOnParams{
		FunctionDeclaration: f.Source,
		Arguments:           []*runtime.CallArgument{{Value: jsonv2.Value(value)}},
		ReturnByValue:       ptr(true),
	}
	result, _, err := t.callIn(ctx, f.Frame, params)
	if err != nil {
		return err
	}
	if out == nil || len(result.Value) == 0 {
		return nil
	}
	if err := json.Unmarshal(result.Value, out); err != nil {
		return fmt.Errorf("decoding the result of a page function: %w", err)
	}
	return nil
}

// callIn runs a call in the agent world of a frame. A world that was gone
// before the call reached it ran nothing, so the next one is asked. It returns
// the world that answered.
func (t *Tab) callIn(ctx context.Context, frame FrameID, params runtime.CallFunctionOnParams) (*runtime.RemoteObject, *world, error) {
	params.AwaitPromise, params.Silent = ptr(true), ptr(true)
	for {
		w, err := t.worldOf(ctx, frame)
		if err != nil {
			return nil, nil, err
		}
		params.UniqueContextID = w.unique
		res, err := start(w.session, runtime.CallFunctionOn, params).waitOr(ctx, w.gone)
		if neverRan(err) && ctx.Err() == nil {
			t.forgetWorld(w)
			continue
		}
		if leaving(err) {
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
func (t *Tab) forgetWorld(w *world) {
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
	world *world
	id    runtime.RemoteObjectID
}

// hold calls fn and keeps the object that it returns. The zero handle means
// that it returned none.
func (t *Tab) hold(ctx context.Context, frame FrameID, fn string, arg any) (handle, error) {
	value, err := json.Marshal(arg)
	if err != nil {
		return handle{}, fmt.Errorf("encoding the argument of a page function: %w", err)
	}
	res, w, err := t.callIn(ctx, frame, runtime.CallFunctionOnParams{
		FunctionDeclaration: fn,
		Arguments:           []*runtime.CallArgument{{Value: jsonv2.Value(value)}},
	})
	if err != nil {
		return handle{}, err
	}
	return handle{world: w, id: res.ObjectID}, nil
}

// letGo allows the page to forget the object.
func (h handle) letGo() {
	if h.id != "" {
		post(h.world.session, runtime.ReleaseObject, runtime.ReleaseObjectParams{ObjectID: h.id})
	}
}

var errNoElement = errors.New("the function returned no element")

// FrameOf calls fn in the parent frame, where it returns a frame element, and
// gives the frame in that element.
func (t *Tab) FrameOf(ctx context.Context, parent FrameID, fn string, arg any) (FrameID, error) {
	ctx, cancel := bounded(ctx)
	defer cancel()
	h, err := t.hold(ctx, parent, fn, arg)
	if err != nil {
		return "", err
	}
	defer h.letGo()
	if h.id == "" {
		return "", fmt.Errorf("finding a frame: %w", errNoElement)
	}
	res, err := call(ctx, h.world.session, dom.DescribeNode, dom.DescribeNodeParams{ObjectID: h.id, Depth: ptr[int64](0)})
	if err != nil {
		return "", explain(ctx, err, "finding a frame")
	}
	if res.Node.FrameID == "" {
		return "", fmt.Errorf("finding a frame: the element %s is no frame", res.Node.LocalName)
	}
	return FrameID(res.Node.FrameID), nil
}
