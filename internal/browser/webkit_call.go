package browser

import (
	"context"
	"errors"
	"fmt"

	"github.com/legwork-mcp/legwork/internal/browser/webdriver"
)

// scriptCall is the argument of the scripts.
type scriptCall struct {
	Key   string  `json:"key"`
	ID    int64   `json:"id,omitempty"`
	Arg   string  `json:"arg,omitempty"` // JSON
	Slice int     `json:"slice,omitempty"`
	Had   []int64 `json:"had"` // calls whose outcome need not be kept any more
	Frame string  `json:"frame,omitempty"`
}

// outcomeOf is what came of a call.
type outcomeOf struct {
	Missing bool    `json:"missing"` // the document has not had the tab's scripts
	Gone    bool    `json:"gone"`    // the document is another one
	Waiting bool    `json:"waiting"` // for a promise
	Value   string  `json:"value"`   // JSON
	Thrown  *string `json:"thrown"`
	Frame   *string `json:"frame"`
	Tag     string  `json:"tag"`
}

// slice is how long one command waits for a promise, in milliseconds: others may want
// to know something of the browser meanwhile.
const slice = 100

// call runs a function in a frame.
func (t *webkitTab) call(ctx context.Context, frame FrameID, source string, arg []byte) ([]byte, error) {
	out, err := t.run(ctx, frame, source, scriptCall{Arg: string(arg)})
	t.look(ctx) // whoever has the answer knows what the page has become until then
	if err != nil {
		return nil, explain(ctx, err, "running a function in the page")
	}
	return []byte(out.Value), nil
}

func (t *webkitTab) frameOf(ctx context.Context, parent FrameID, fn string, arg []byte) (FrameID, error) {
	out, err := t.run(ctx, parent, fn, scriptCall{Arg: string(arg), Frame: "element"})
	if err != nil {
		return "", explain(ctx, err, "finding a frame")
	}
	if out.Frame == nil || *out.Frame == "" {
		if out.Tag == "" {
			return "", fmt.Errorf("finding a frame: %w", errNoElement)
		}
		return "", fmt.Errorf("finding a frame: the element %s is no frame", out.Tag)
	}
	id := FrameID(*out.Frame)
	t.mu.Lock()
	if v := t.current(); v != nil && t.frames[id] == nil {
		if parent == "" {
			parent = v.main
		}
		t.place(v, v.session, id, parent)
		t.looks = -1 // the next look asks it what it shows
	}
	t.mu.Unlock()
	t.look(ctx)
	return id, nil
}

func (t *webkitTab) pierceClosed(context.Context, FrameID, string) (int, error) {
	return 0, unsupported(t.process.kind.name, "look into closed shadow roots")
}

func (t *webkitTab) interrupt(context.Context, FrameID) error {
	return unsupported(t.process.kind.name, "end a script that runs")
}

func (t *webkitTab) source(ctx context.Context) ([]byte, error) {
	t.mu.Lock()
	address := ""
	if v := t.current(); v != nil {
		address = withoutFragment(v.url)
	}
	t.mu.Unlock()
	var text string
	if err := t.Call(ctx, Function{Source: fetchSource, Arg: address}, &text); err != nil {
		return nil, explain(ctx, err, "reading the source of the page")
	}
	return []byte(text), nil
}

// run calls a function in a frame and gives what came of it. A call whose document
// went away is not repeated, unless it cannot have begun.
func (t *webkitTab) run(ctx context.Context, frame FrameID, source string, call scriptCall) (outcomeOf, error) {
	call.Key, call.ID, call.Slice = t.key, t.calls.Add(1), slice
	out, err := t.startCall(ctx, frame, source, call)
	for err == nil && out.Waiting {
		err = t.within(ctx, frame, func(ctx context.Context) error { return t.script(ctx, takeScript, call, &out) })
	}
	switch {
	case err != nil:
		return outcomeOf{}, err
	case out.Gone:
		return outcomeOf{}, ErrNavigated
	}
	t.mu.Lock()
	if t.had = append(t.had, call.ID); len(t.had) > kept {
		t.had = t.had[1:]
	}
	t.mu.Unlock()
	if out.Thrown != nil {
		return outcomeOf{}, &ScriptError{Text: *out.Thrown}
	}
	return out, nil
}

// startCall starts the call, and first brings the tab's scripts into a document that has
// not had them.
func (t *webkitTab) startCall(ctx context.Context, frame FrameID, source string, call scriptCall) (outcomeOf, error) {
	t.mu.Lock()
	call.Had, t.had = t.had, nil // what another frame keeps ends with its document
	t.mu.Unlock()
	if call.Had == nil {
		call.Had = []int64{}
	}
	var out outcomeOf
	err := t.within(ctx, frame, func(ctx context.Context) error {
		text := callScript + source + callScriptEnd
		if err := t.script(ctx, text, call, &out); err != nil || !out.Missing {
			return err
		}
		install := installScript + t.scripts + installScriptEnd
		if err := t.session.Execute(ctx, install, nil, scriptCall{Key: t.key}); err != nil {
			return err
		}
		return t.script(ctx, text, call, &out)
	})
	return out, err
}

// script runs one of the scripts that call back. A message box that opens meanwhile
// takes the place of the answer: it is answered, and the outcome asked for.
func (t *webkitTab) script(ctx context.Context, text string, call scriptCall, out *outcomeOf) error {
	var got *outcomeOf
	err := t.session.ExecuteAsync(ctx, text, &got, call)
	for begun := false; err == nil && got == nil || begun && errors.Is(err, webdriver.UnexpectedAlert); begun = true {
		if err := t.answerPrompt(ctx); err != nil {
			return err
		}
		err = t.session.ExecuteAsync(ctx, takeScript, &got, call)
	}
	if err == nil {
		*out = *got
		return nil
	}
	var refused *webdriver.Error
	if errors.As(err, &refused) && errors.Is(err, webdriver.ScriptFailed) {
		return &ScriptError{Text: refused.Message} // the text of the function itself
	}
	return err
}
