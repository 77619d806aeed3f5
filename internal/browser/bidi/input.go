package bidi

// The commands of the module input (WebDriver BiDi, 7.9).
var (
	PerformActions = Command[ActionsParams, None]{"input.performActions"}
	SetFiles       = Command[SetFilesParams, None]{"input.setFiles"}
)

// ActionsParams are what devices do, each its own actions one after another.
type ActionsParams struct {
	Context ContextID `json:"context"`
	Actions []Device  `json:"actions"`
}

// Device is a keyboard ("key") or a mouse ("pointer") with what it does.
type Device struct {
	Type       string             `json:"type"`
	ID         string             `json:"id"`
	Parameters *PointerParameters `json:"parameters,omitempty"`
	Actions    []Action           `json:"actions"`
}

// PointerParameters say what kind of pointer it is.
type PointerParameters struct {
	PointerType string `json:"pointerType"`
}

// Action is one step of a device; which fields count depends on the type.
type Action struct {
	Type   string   `json:"type"`
	Value  string   `json:"value,omitempty"` // of a key
	X      *float64 `json:"x,omitempty"`     // in CSS pixels of the context's viewport
	Y      *float64 `json:"y,omitempty"`
	Button *int     `json:"button,omitempty"` // 0 is the left one
}

// SetFilesParams choose files for a file input.
type SetFilesParams struct {
	Context ContextID `json:"context"`
	Element Reference `json:"element"`
	Files   []string  `json:"files"`
}
