package browser

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/legwork-mcp/legwork/internal/browser/bidi"
)

// The fixed texts around a function, which is fixed too: data is an argument only.
const (
	// foxCall hands over one JSON value and brings one back.
	foxCall = `async function (json) {
	const result = await (%s).call(globalThis, JSON.parse(json));
	return result === undefined ? '' : JSON.stringify(result) ?? '';
}`
	// foxFrame gives the window in the element that the function returns.
	foxFrame = `async function (json) {
	const element = await (%s).call(globalThis, JSON.parse(json));
	return element ? element.contentWindow ?? element.localName : null;
}`
	// foxHand hands over two nodes.
	foxHand = `async function (host, root) { await (%s).call(host, host, root) }`
)

func (t *firefoxTab) call(ctx context.Context, frame FrameID, source string, arg []byte) ([]byte, error) {
	value, _, err := t.callIn(ctx, frame, bidi.CallFunctionParams{
		Function: fmt.Sprintf(foxCall, source), Arguments: []any{bidi.String(string(arg))},
	})
	if err != nil {
		return nil, err
	}
	var text string
	if err := json.Unmarshal(value.Value, &text); err != nil {
		return nil, fmt.Errorf("reading the result of a page function: %w", err)
	}
	return []byte(text), nil
}

// callIn runs a call in the agent world of a frame. A world that was gone before
// the call reached it ran nothing, so the next one is asked. It returns the world
// that answered.
func (t *firefoxTab) callIn(ctx context.Context, frame FrameID, params bidi.CallFunctionParams) (bidi.RemoteValue, *world, error) {
	params.AwaitPromise = true
	for {
		w, err := t.worldOf(ctx, frame)
		if err != nil {
			return bidi.RemoteValue{}, nil, err
		}
		params.Target = t.target(w)
		res, err := bidi.Start(t.process.conn, bidi.CallFunction, params).WaitOr(ctx, w.gone)
		if noSuchRealm(err) && ctx.Err() == nil {
			t.forgetWorld(w)
			continue
		}
		if err != nil {
			return bidi.RemoteValue{}, nil, explain(ctx, t.read(err), "running a function in the page")
		}
		if res.Type == "exception" {
			return bidi.RemoteValue{}, nil, foxThrown(res.Exception)
		}
		return res.Result, w, nil
	}
}

// target is where a world is to be found: its realm, or a sandbox by name.
func (t *firefoxTab) target(w *world) bidi.Target {
	t.mu.Lock()
	defer t.mu.Unlock()
	if w.realm != "" {
		return bidi.Target{Realm: bidi.RealmID(w.realm)}
	}
	frame, sandbox, _ := strings.Cut(w.session, " ")
	return bidi.Target{Context: bidi.ContextID(frame), Sandbox: sandbox}
}

func noSuchRealm(err error) bool {
	var e *bidi.Error
	return errors.As(err, &e) && e.Code == "no such frame" && strings.HasPrefix(e.Message, "Realm with id")
}

// forgetWorld makes sure that a world which the browser does not know any more is
// not asked again.
func (t *firefoxTab) forgetWorld(w *world) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, f := range t.frames {
		if f.world == w {
			t.endWorld(f)
		}
	}
}

func foxThrown(e *bidi.ExceptionDetails) error {
	if e == nil {
		return &ScriptError{Text: "unknown exception"}
	}
	return &ScriptError{Text: e.Text}
}

// read makes of an error of the protocol what this package knows.
func (t *firefoxTab) read(err error) error {
	var e *bidi.Error
	switch {
	case err == nil:
		return nil
	case errors.Is(err, bidi.ErrLost):
		return crashed("The browser process ended unexpectedly.", err)
	case errors.Is(err, bidi.ErrGone):
		t.mu.Lock()
		defer t.mu.Unlock()
		if t.err != nil {
			return t.err
		}
		return ErrNavigated
	case errors.As(err, &e) && (e.Code == "no such frame" || strings.Contains(e.Message, "AbortError") || strings.Contains(e.Message, "actor destroyed")):
		return errors.Join(ErrNavigated, err)
	}
	return err
}

func (t *firefoxTab) frameOf(ctx context.Context, parent FrameID, fn string, arg []byte) (FrameID, error) {
	value, _, err := t.callIn(ctx, parent, bidi.CallFunctionParams{
		Function: fmt.Sprintf(foxFrame, fn), Arguments: []any{bidi.String(string(arg))},
	})
	if err != nil {
		return "", err
	}
	switch value.Type {
	case "null":
		return "", fmt.Errorf("finding a frame: %w", errNoElement)
	case "window":
		var window struct {
			Context FrameID `json:"context"`
		}
		if err := json.Unmarshal(value.Value, &window); err != nil {
			return "", fmt.Errorf("finding a frame: %w", err)
		}
		return window.Context, nil
	}
	return "", fmt.Errorf("finding a frame: the element %s is no frame", value.Value)
}

func (t *firefoxTab) pierceClosed(ctx context.Context, frame FrameID, fn string) (int, error) {
	value, w, err := t.callIn(ctx, frame, bidi.CallFunctionParams{
		Function: "() => document", Serialization: &bidi.SerializationOptions{ShadowTree: "all"},
	})
	if err != nil {
		return 0, err
	}
	var document bidi.Node
	if err := json.Unmarshal(value.Value, &document.Value); err != nil {
		return 0, fmt.Errorf("looking into shadow roots: %w", err)
	}
	found := foxClosed(document)
	for _, pair := range found {
		res, err := bidi.Start(t.process.conn, bidi.CallFunction, bidi.CallFunctionParams{
			Function: fmt.Sprintf(foxHand, fn), AwaitPromise: true, Target: t.target(w), Arguments: []any{pair[0], pair[1]},
		}).WaitOr(ctx, w.gone)
		if err == nil && res.Type == "exception" {
			err = foxThrown(res.Exception)
		}
		if err != nil {
			return 0, explain(ctx, t.read(err), "looking into shadow roots")
		}
	}
	return len(found), nil
}

// foxClosed lists host and root of the closed shadow roots, outer ones first.
func foxClosed(n bidi.Node) [][2]bidi.Reference {
	var out [][2]bidi.Reference
	if root := n.Value.ShadowRoot; root != nil {
		if root.Value.Mode == "closed" {
			out = append(out, [2]bidi.Reference{{SharedID: n.SharedID}, {SharedID: root.SharedID}})
		}
		out = append(out, foxClosed(*root)...)
	}
	for _, child := range n.Value.Children {
		out = append(out, foxClosed(child)...)
	}
	return out
}

func (t *firefoxTab) interrupt(context.Context, FrameID) error {
	return unsupported(EngineFirefox, "end a script of a page that does not answer")
}
