package webdriver

// Code is an error code of the protocol (section 6.6, Errors). It is an error
// itself, so that errors.Is(err, StaleElement) holds for every error with the code.
type Code string

// Error returns the code as the protocol spells it.
func (c Code) Error() string { return string(c) }

// The error codes that a caller may want to tell apart.
const (
	// StaleElement: the element belongs to a document that is gone.
	StaleElement Code = "stale element reference"
	// NoSuchElement: the reference is not known in this document.
	NoSuchElement Code = "no such element"
	// NoSuchFrame: the frame is gone, or its element never was one.
	NoSuchFrame Code = "no such frame"
	// NoSuchWindow: the window was closed, or the frame that was chosen is gone.
	NoSuchWindow Code = "no such window"
	// NoSuchAlert: no message box is open.
	NoSuchAlert Code = "no such alert"
	// UnexpectedAlert: a message box is open and blocks the command.
	UnexpectedAlert Code = "unexpected alert open"
	// NotInteractable: the element, or the message box, takes no such input.
	NotInteractable Code = "element not interactable"
	// OutOfBounds: a pointer would leave the viewport.
	OutOfBounds Code = "move target out of bounds"
	// ScriptFailed: the script threw, or its document went away.
	ScriptFailed Code = "javascript error"
	// ScriptTimeout: the script did not answer in the session's own time.
	ScriptTimeout Code = "script timeout"
	// Timeout: the page did not load in the session's own time.
	Timeout Code = "timeout"
	// InvalidArgument: the driver cannot make sense of the command.
	InvalidArgument Code = "invalid argument"
	// InvalidSession: the session has ended.
	InvalidSession Code = "invalid session id"
	// SessionNotCreated: the browser did not start, or another session is open.
	SessionNotCreated Code = "session not created"
	// UnknownCommand: the driver does not have the command.
	UnknownCommand Code = "unknown command"
	// UnsupportedOperation: it has the command and cannot do it.
	UnsupportedOperation Code = "unsupported operation"
	// UnknownError: anything else that went wrong in the driver.
	UnknownError Code = "unknown error"
)

// Error is the driver's refusal of one command. Message and Alert may quote the
// page, so they are for the caller and not for a log.
type Error struct {
	// Command that failed, such as "POST /url".
	Command string
	// Code of the protocol.
	Code Code
	// Message of the driver, for people.
	Message string
	// Alert is the text of the message box, with [UnexpectedAlert], if the driver
	// gives it.
	Alert string
}

// Error says which command failed and how. It leaves the driver's message out.
func (e *Error) Error() string { return e.Command + ": " + string(e.Code) }

// Unwrap returns the code.
func (e *Error) Unwrap() error { return e.Code }
