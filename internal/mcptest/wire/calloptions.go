package wire

import (
	"net/http"
	"time"
)

// CallOptions are those of one call. The zero value is a plain call.
type CallOptions struct {
	// Timeout bounds the call; 0 is Options.CallTimeout.
	Timeout time.Duration
	// ExtendOnProgress starts Timeout anew with every progress notification, up to
	// MaxTimeout; 0 is ten times Timeout. Neither runs while the server waits for input.
	ExtendOnProgress bool
	MaxTimeout       time.Duration
	// NoProgressToken leaves out the token without which a server sends no progress.
	NoProgressToken bool
	// HandUp gives a result that asks for input back to the caller instead of having
	// Options.Answer answer it.
	HandUp bool
	// FollowTasks waits for what a call comes to that its server has made a task, within
	// Timeout. A legacy server does so when the params have the member task.
	FollowTasks bool
	// Overhear lets a modern call that is given up over HTTP close only the sending half of
	// its connection. That is all that a server sees of a client that has gone until it
	// writes (RFC 9293, 3.6), and what it answers all the same is among the Late ones.
	// Exchange.Overheard says whether that can be: HTTP/2 has no such half.
	Overhear bool
	// OnMessage is told of each notification and request that belongs to the call, as
	// it comes. It must not block.
	OnMessage func(Message)
}

// Tweak changes how Send sends bytes over HTTP. The zero value sends them as any other
// message, without waiting for more than the HTTP answer.
type Tweak struct {
	Method string      // GET, DELETE ...; empty is POST
	Header http.Header // set, over what would be sent; an empty list removes one
	// Session replaces the session id; "-" removes it.
	Session string
	URL     string // replaces the address, on the same host only
	// NoAuthorize leaves a challenge unanswered.
	NoAuthorize bool
	// Timeout bounds it; 0 is Options.CallTimeout.
	Timeout time.Duration
	// Await is how long to wait over stdio for what comes back; 0 is Timeout. It ends
	// with the first message that answers: one with an id that no other call waits for.
	Await time.Duration
}
