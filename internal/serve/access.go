package serve

import (
	"context"
	"errors"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/legwork-mcp/legwork/internal/auth"
	"github.com/legwork-mcp/legwork/internal/auth/oauth"
	"github.com/legwork-mcp/legwork/internal/ratelimit"
)

// Access is how callers prove who they are. A server without it takes everybody
// who reaches it for the user of this machine, and so listens on loopback only.
type Access struct {
	// Verify decides about a bearer token. Its refusals are *oauth.Error; any
	// other error counts as nobody being able to tell.
	Verify func(ctx context.Context, token string) (auth.Principal, error)
	// URL is where clients reach the server, scheme and host without a path, such
	// as https://forms.example. Empty is allowed on loopback: there it is what
	// the client asked for.
	URL string
	// Issuers are the authorization servers that clients may turn to; none when
	// only static tokens are accepted.
	Issuers []string
	// Origins are the web origins whose pages may call; none means any. A page
	// has no token of its own accord, unlike a cookie.
	Origins []string
	// Documentation is the address of a page for people; optional.
	Documentation string
}

// The methods of the protocol of which something depends on which it is.
const (
	methodInitialize  = "initialize"
	methodDiscover    = "server/discover"
	methodInitialized = "notifications/initialized"
	methodCancelled   = "notifications/cancelled"
	methodCall        = "tools/call"
	methodListen      = "subscriptions/listen"
)

// isOpen reports whether a message needs no token: it opens a connection, or says
// that it is open. A token that comes with it all the same refuses nothing: a client
// that renews its token begins again here.
func (m *message) isOpen() bool {
	return m.method == methodInitialize || m.method == methodDiscover || m.method == methodInitialized
}

// caller says who sends the message, which has been read before: what is decided
// here is decided about what will be executed. The zero principal is a client
// that does not have to say yet who it is.
func (ep *endpoint) caller(r *http.Request, m *message) (auth.Principal, *oauth.Error) {
	a := ep.server.o.Access
	switch {
	case a == nil:
		return auth.Local(), nil // Listen keeps other machines out
	case m.isOpen():
		return auth.Principal{}, nil
	}
	who, refusal := a.identify(r)
	if needed := ep.needed(m); refusal == nil && len(auth.Missing(who, needed...)) > 0 {
		refusal = oauth.Insufficient(needed...)
	}
	ep.server.o.Observe.looked(refusal)
	if refusal != nil {
		return auth.Principal{}, refusal
	}
	return who, nil
}

// identify checks the token of a request. Whatever goes wrong, the answer is no.
func (a *Access) identify(r *http.Request) (auth.Principal, *oauth.Error) {
	token, err := oauth.Bearer(r.Header)
	var who auth.Principal
	if err == nil {
		who, err = a.Verify(r.Context(), token)
	}
	if err == nil && who.ID() == "" {
		err = errors.New("a token without a subject was accepted")
	}
	if err == nil {
		return who, nil
	}
	var refusal *oauth.Error
	if !errors.As(err, &refusal) {
		refusal = &oauth.Error{Code: oauth.Unavailable, Description: "the token cannot be checked at the moment", Cause: err}
	}
	return auth.Principal{}, refusal
}

// needed are the scopes without which a message is refused.
func (ep *endpoint) needed(m *message) []string {
	if spec, ok := ep.specOf(m); ok {
		return []string{spec.Scope}
	}
	return nil // the SDK answers that there is no such tool
}

// offers are the scopes of all tools of the endpoint: what a first token should
// have, since tools beyond the token's scopes are not listed.
func (ep *endpoint) offers() []string {
	var out []string
	for _, scope := range ep.scopes {
		if !slices.Contains(out, scope) {
			out = append(out, scope)
		}
	}
	slices.Sort(out)
	return out
}

// refusalsLogged are the lines about callers that are refused: anybody can be refused at
// any rate, and the log is for those who run the server. Each is counted in the metrics.
var refusalsLogged = ratelimit.Limit{Calls: 100, Per: 20 * time.Second}

// refuseCaller answers a request without a token that is good enough: in the
// protocol's form, with the challenge from which a client learns where to get one.
func (ep *endpoint) refuseCaller(w http.ResponseWriter, r *http.Request, m *message, refusal *oauth.Error) {
	s := ep.server
	why := []any{"reason", string(refusal.Code), "rpc_method", m.label()}
	if refusal.Description != "" {
		why = append(why, "why", refusal.Description) // nothing of it comes from the token
	}
	if refusal.Cause != nil {
		why = append(why, "cause", refusal.Cause)
	}
	if d, err := s.refusals.Take(r.Context(), "all", refusalsLogged, 1); err != nil || d.Allowed {
		if n := s.untold.Swap(0); n > 0 {
			why = append(why, "refused_untold", n)
		}
		s.log.InfoContext(r.Context(), "caller refused", why...)
	} else {
		s.untold.Add(1)
	}
	challenge(w.Header(), refusal, ep.metadataURL(r), ep.offers()...)
	f := refusal.Fault()
	if refusal.Code == oauth.NoToken && len(s.o.Access.Issuers) == 0 { // there is no metadata that names one
		f.Action = "Send the token that whoever runs the server gave you in the Authorization header."
	}
	writeRPC(w, refusal.Status(), &rpcError{m.id, jsonrpc.CodeInvalidRequest, strings.TrimSpace(f.Error() + " " + f.Action)})
}

// challenge says where to get a token that is good enough, or when to come again if
// nobody can tell at the moment.
func challenge(h http.Header, refusal *oauth.Error, metadataURL string, scopes ...string) {
	if refusal.Code == oauth.Unavailable {
		h.Set("Retry-After", seconds(refusal.RetryAfter))
		return
	}
	h.Set("WWW-Authenticate", refusal.Challenge(metadataURL, scopes...).String())
}

// listing leaves out of tools/list what the caller may not use: a model should
// not be offered what it will be refused.
func (ep *endpoint) listing(next mcp.MethodHandler) mcp.MethodHandler {
	return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
		res, err := next(ctx, method, req)
		list, ok := res.(*mcp.ListToolsResult)
		if err != nil || !ok || ep.server.o.Access == nil {
			return res, err
		}
		who := envelopeOf(req.GetExtra()).Principal
		mine := *list
		mine.Tools = slices.DeleteFunc(slices.Clone(list.Tools), func(t *mcp.Tool) bool { return !who.Has(ep.scopes[t.Name]) })
		return &mine, nil
	}
}
