package browser

import (
	"context"
	"encoding/json"
	"fmt"
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
	arg, err := json.Marshal(f.Arg)
	if err != nil {
		return fmt.Errorf("encoding the argument of a page function: %w", err)
	}
	result, err := t.drive.call(ctx, f.Frame, f.Source, arg)
	if err != nil {
		return err
	}
	if out == nil || len(result) == 0 {
		return nil
	}
	if err := json.Unmarshal(result, out); err != nil {
		return fmt.Errorf("decoding the result of a page function: %w", err)
	}
	return nil
}

// FrameOf calls fn in the parent frame, where it returns a frame element, and
// gives the frame in that element.
func (t *Tab) FrameOf(ctx context.Context, parent FrameID, fn string, arg any) (FrameID, error) {
	ctx, cancel := bounded(ctx)
	defer cancel()
	value, err := json.Marshal(arg)
	if err != nil {
		return "", fmt.Errorf("encoding the argument of a page function: %w", err)
	}
	return t.drive.frameOf(ctx, parent, fn, value)
}

// PierceClosed finds the closed shadow roots in the document of a frame, which
// no script can find, and calls fn(host, root) in the agent world for each. It
// returns how many there are. It reads the whole document, so it is not for
// every look at a page.
func (t *Tab) PierceClosed(ctx context.Context, frame FrameID, fn string) (int, error) {
	ctx, cancel := bounded(ctx)
	defer cancel()
	return t.drive.pierceClosed(ctx, frame, fn)
}
