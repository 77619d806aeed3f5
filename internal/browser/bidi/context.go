package bidi

// ContextID names a browsing context: a window, a tab or a frame.
type ContextID string

// The commands of the module browsingContext (WebDriver BiDi, 7.3).
var (
	Create            = Command[CreateParams, CreateResult]{"browsingContext.create"}
	Close             = Command[ContextParams, None]{"browsingContext.close"}
	Activate          = Command[ContextParams, None]{"browsingContext.activate"}
	Navigate          = Command[NavigateParams, NavigateResult]{"browsingContext.navigate"}
	SetViewport       = Command[ViewportParams, None]{"browsingContext.setViewport"}
	CaptureScreenshot = Command[ScreenshotParams, ScreenshotResult]{"browsingContext.captureScreenshot"}
	HandleUserPrompt  = Command[PromptParams, None]{"browsingContext.handleUserPrompt"}
)

// CreateParams ask for a tab or a window.
type CreateParams struct {
	// Type is "tab" or "window".
	Type        string      `json:"type"`
	UserContext UserContext `json:"userContext,omitempty"`
	Background  bool        `json:"background,omitempty"`
}

// CreateResult names the new context.
type CreateResult struct {
	Context ContextID `json:"context"`
}

// ContextParams name a context.
type ContextParams struct {
	Context ContextID `json:"context"`
}

// NavigateParams load an address. Wait is "none", "interactive" or "complete".
type NavigateParams struct {
	Context ContextID `json:"context"`
	URL     string    `json:"url"`
	Wait    string    `json:"wait,omitempty"`
}

// NavigateResult names the navigation.
type NavigateResult struct {
	Navigation string `json:"navigation"`
	URL        string `json:"url"`
}

// Viewport is a size in CSS pixels.
type Viewport struct {
	Width  int `json:"width"`
	Height int `json:"height"`
}

// ViewportParams set the size of a context, or of all of user contexts.
type ViewportParams struct {
	Context      ContextID     `json:"context,omitempty"`
	UserContexts []UserContext `json:"userContexts,omitempty"`
	Viewport     Viewport      `json:"viewport"`
	PixelRatio   float64       `json:"devicePixelRatio,omitempty"`
}

// ScreenshotParams ask for a picture. Origin is "viewport" or "document".
type ScreenshotParams struct {
	Context ContextID    `json:"context"`
	Origin  string       `json:"origin,omitempty"`
	Format  *ImageFormat `json:"format,omitempty"`
	Clip    *ClipBox     `json:"clip,omitempty"`
}

// ImageFormat is a media type, with a quality of 0 to 1 for JPEG.
type ImageFormat struct {
	Type    string  `json:"type"`
	Quality float64 `json:"quality,omitempty"`
}

// ClipBox is a rectangle in CSS pixels from the origin of the picture.
type ClipBox struct {
	Type   string  `json:"type"` // box
	X      float64 `json:"x"`
	Y      float64 `json:"y"`
	Width  float64 `json:"width"`
	Height float64 `json:"height"`
}

// ScreenshotResult is the picture.
type ScreenshotResult struct {
	Data []byte `json:"data"`
}

// PromptParams answer a message box.
type PromptParams struct {
	Context ContextID `json:"context"`
	Accept  bool      `json:"accept"`
	Text    *string   `json:"userText,omitempty"`
}

// The events of the module that are known here.
const (
	ContextCreated      = "browsingContext.contextCreated"
	ContextDestroyed    = "browsingContext.contextDestroyed"
	NavigationStarted   = "browsingContext.navigationStarted"
	NavigationCommitted = "browsingContext.navigationCommitted"
	NavigationFailed    = "browsingContext.navigationFailed"
	FragmentNavigated   = "browsingContext.fragmentNavigated"
	HistoryUpdated      = "browsingContext.historyUpdated"
	DOMContentLoaded    = "browsingContext.domContentLoaded"
	DownloadWillBegin   = "browsingContext.downloadWillBegin"
	DownloadEnd         = "browsingContext.downloadEnd"
	UserPromptOpened    = "browsingContext.userPromptOpened"
)

// ContextInfo is the parameter of ContextCreated and ContextDestroyed.
type ContextInfo struct {
	Context     ContextID   `json:"context"`
	Parent      ContextID   `json:"parent"`
	Opener      ContextID   `json:"originalOpener"`
	URL         string      `json:"url"`
	UserContext UserContext `json:"userContext"`
}

// NavigationInfo is the parameter of the events of navigations.
type NavigationInfo struct {
	Context    ContextID `json:"context"`
	Navigation string    `json:"navigation"`
	URL        string    `json:"url"`
}

// DownloadInfo is the parameter of DownloadWillBegin and DownloadEnd.
type DownloadInfo struct {
	NavigationInfo
	SuggestedFilename string `json:"suggestedFilename"`
	// Status is complete or canceled, and Path where the file is.
	Status string `json:"status"`
	Path   string `json:"filepath"`
}

// PromptInfo is the parameter of UserPromptOpened.
type PromptInfo struct {
	Context ContextID `json:"context"`
	// Type is alert, confirm, prompt or beforeunload.
	Type    string `json:"type"`
	Message string `json:"message"`
}
