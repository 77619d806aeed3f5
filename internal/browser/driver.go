package browser

import (
	"context"
	"time"

	"github.com/legwork-mcp/legwork/internal/fault"
)

// driver is what only an engine can do for a tab. Everything that an engine tells
// goes into the [Tab], which waits, counts and answers for all of them alike.
//
// A driver gets contexts that end, and addresses, keys and sizes that are checked.
// What its protocol does not allow it answers with unsupported, never with silence.
type driver interface {
	loader
	scripter
	visitor
	keeper
}

// loader brings documents into the current window.
type loader interface {
	// navigate returns when the document is parsed, or with the fault of [Doc.failure].
	navigate(ctx context.Context, address string) error
	// stopLoading gives up the document that is on its way and does not wait.
	stopLoading()
	// source is the main document as the server sent it.
	source(ctx context.Context) ([]byte, error)
}

// scripter runs functions in the agent world of a frame; an empty frame is the main
// one. The argument and the result are JSON; an exception is a [*ScriptError], and
// a document that went away a fault that holds [ErrNavigated].
type scripter interface {
	call(ctx context.Context, frame FrameID, source string, arg []byte) ([]byte, error)
	// frameOf gives the frame in the element that fn returns in the parent frame.
	frameOf(ctx context.Context, parent FrameID, fn string, arg []byte) (FrameID, error)
	// pierceClosed calls fn(host, root) for each closed shadow root and counts them.
	pierceClosed(ctx context.Context, frame FrameID, fn string) (int, error)
	// interrupt ends the script that runs in the process of a frame.
	interrupt(ctx context.Context, frame FrameID) error
}

// visitor does and sees what a person in front of the window would.
type visitor interface {
	hand
	eye
}

// hand gives trusted input. A page that goes away on it is no error.
type hand interface {
	// click is at a point of the frame's viewport.
	click(ctx context.Context, frame FrameID, x, y float64) error
	// press presses and releases keys one after another.
	press(ctx context.Context, frame FrameID, strokes []stroke) error
	// insertText enters text at the caret at once.
	insertText(ctx context.Context, frame FrameID, text string) error
}

// eye sees the current window.
type eye interface {
	// screenshot has a format, a quality and a scale that are set.
	screenshot(ctx context.Context, s Shot) ([]byte, error)
	resize(ctx context.Context, size Size) error
}

// keeper ends what the tab holds of its engine.
type keeper interface {
	// abort fails every call that waits. It is called under the tab's lock.
	abort(why error)
	// discard takes the tab out of its browser. A browser that cannot even do that
	// is broken, and is ended.
	discard(ctx context.Context) error
	// gone is closed when the tab's browser has ended.
	gone() <-chan struct{}
}

// watcher is a driver whose protocol has no events. It looks at the page more often
// while somebody waits for a change.
type watcher interface {
	// watched counts somebody in, until the returned function is called.
	watched() func()
}

// host is a running browser that gives out tabs. An engine that isolates by
// process keeps one for each tab behind a single host.
type host interface {
	// take gives a tab with these options.
	take(ctx context.Context, o TabOptions) (*Tab, error)
	// fill prepares what makes the next take quick, and need not do anything.
	fill(ctx context.Context)
	// end closes every tab, kills every process and waits until they are gone.
	end()
	matter
}

// sharer is a host that can give a tab beside another one of its own.
type sharer interface {
	beside(ctx context.Context, first *Tab, o TabOptions) (*Tab, error)
}

// matter is a host as the system sees it.
type matter interface {
	alive() bool
	weight
}

// weight is what a browser is to the system, or 0 when it is on another one.
type weight interface {
	// pid and program name its main process in the log.
	pid() int
	program() string
	// memory is the unshared memory of all its processes in bytes, 0 when unknown.
	memory() int64
}

// engine is a host with the books that the pool keeps on it, under the pool's lock.
type engine struct {
	host
	kind   string // what was asked for, see [Options.Engine]
	headed bool
	remote string // its address, if it is not ours

	active   int       // tabs that are in use
	opened   int       // tabs so far
	draining bool      // no new tabs
	filling  bool      // a spare is on its way
	weighed  time.Time // when its memory was looked at
}

// newHost starts the browser of an engine that was asked for by name.
func newHost(ctx context.Context, o Options, headed bool) (host, error) {
	if isFirefox(o.Engine) {
		return newFirefox(ctx, o, headed)
	}
	if isWebKit(o.Engine) {
		return newWebKit(ctx, o, headed)
	}
	return newChromium(ctx, o, headed)
}

// unsupported is the fault of something that the protocol of an engine cannot do.
func unsupported(engine, what string) *fault.Error {
	return fault.New(fault.Failed, "engine_unsupported", "The engine "+engine+" cannot "+what+".",
		"Use the engine chromium for this.")
}
