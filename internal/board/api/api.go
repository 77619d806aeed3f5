package api

import (
	"context"
	"io"
	"log/slog"
	"net/http"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humago"

	"github.com/legwork-mcp/legwork/internal/board/data"
	"github.com/legwork-mcp/legwork/internal/board/task"
	"github.com/legwork-mcp/legwork/internal/board/webhook"
)

// Options are what an API is made of.
type Options struct {
	Board    *data.Board    // mandatory
	Webhooks *webhook.Hooks // mandatory
	Limits   Limits
	// Files makes links to uploaded files, and takes files; nil has neither.
	Files Files
	// USDJPY is the yen of a dollar that budgets in yen are shown with; zero is 150.
	USDJPY int
	Logger *slog.Logger
	// BaseURL is the address under which callers reach the board, without a slash at the
	// end. Links in answers begin with it.
	BaseURL string
	// Version is that of the program, for the document.
	Version string
	// ClientAddress says whom a request without credentials is counted as, when a proxy
	// stands in front; nil or "" is the address of the connection.
	ClientAddress func(*http.Request) string
	Clock         func() time.Time
	// BodyTime is how long a JSON body may take to arrive; default: 30 s. Files have
	// longer.
	BodyTime time.Duration
	// Stop is closed when the board goes away: streams and waits for events end then.
	// nil never is.
	Stop <-chan struct{}
}

// Files is the store of uploaded files, as far as this layer needs it.
type Files interface {
	// Link is the path of a file on this server that works for a short time.
	Link(file string, viewer task.Actor) (path string, expires time.Time)
	// Take keeps a file that a person sent in a form, and describes it.
	Take(ctx context.Context, by task.Actor, kind task.Deliverable, r io.Reader) (data.Item, error)
	// Owned describes an upload of the caller; those of others are not there.
	Owned(ctx context.Context, by task.Actor, upload string) (data.Item, error)
}

// OwnerOf names whom an upload belongs to, or who may use a link.
func OwnerOf(a task.Actor) string {
	if a.ID == "" {
		return ""
	}
	if a.Kind == task.Operator {
		return string(task.Human) + ":" + a.ID
	}
	return string(a.Kind) + ":" + a.ID
}

// Owner is who sends a request, as OwnerOf names it, and "" for nobody: for the
// handlers of files, which know no callers. Requests by which a browser changes
// something on behalf of another site are nobody's.
func (s *Server) Owner(r *http.Request) string { return OwnerOf(s.sender(r).actor()) }

// Uploader is Owner for who sends files: a key has to be one that may deliver, post or
// write messages, since nothing else is done with files. The request counts as a call of
// the API; the error is rate_limited when there were too many.
func (s *Server) Uploader(r *http.Request) (string, error) {
	who := s.sender(r)
	counted := who
	if counted.Kind == 0 {
		counted.Kind = Anonymous
	}
	if err := s.count(r.Context(), counted, s.addressOf(r)); err != nil {
		return "", err
	}
	if who.Kind == Agent && !who.has(data.ScopePost) || who.Kind == Human && !who.has(data.ScopeSubmissionsWrite) && !who.has(data.ScopeMessagesWrite) {
		return "", nil
	}
	return OwnerOf(who.actor()), nil
}

// sender is who sends a request to a handler of files, and the zero value for nobody.
func (s *Server) sender(r *http.Request) Principal {
	c := credentialsOf(r, nil)
	if c.cookie && s.origins.Check(r) != nil {
		return Principal{}
	}
	who, err := s.identify(r.Context(), c, s.addressOf(r))
	if err != nil || who.Kind == Anonymous {
		return Principal{}
	}
	return who
}

// Server is the API of one board.
type Server struct {
	o       Options
	log     *slog.Logger
	mux     *http.ServeMux
	api     huma.API
	routes  map[string]Route // by pattern
	order   []Route
	origins *http.CrossOriginProtection
	streams *streams
}

// New makes the API.
func New(o Options) *Server {
	s := &Server{o: o, log: o.Logger, mux: http.NewServeMux(), routes: map[string]Route{}, origins: http.NewCrossOriginProtection(), streams: &streams{of: map[string]int{}}}
	if s.log == nil {
		s.log = slog.New(slog.DiscardHandler)
	}
	if s.o.Clock == nil {
		s.o.Clock = time.Now
	}
	if s.o.BodyTime == 0 {
		s.o.BodyTime = 30 * time.Second
	}
	if s.o.USDJPY == 0 {
		s.o.USDJPY = 150
	}
	s.api = humago.New(piped{s.mux, s}, document(o))
	s.addRoutes()
	s.finish()
	return s
}

// Routes are all the routes, in the order of the document.
func (s *Server) Routes() []Route { return s.order }

// piped puts the pipe before every route that huma registers.
type piped struct {
	*http.ServeMux
	s *Server
}

// HandleFunc implements humago.Mux.
func (p piped) HandleFunc(pattern string, handler func(http.ResponseWriter, *http.Request)) {
	if r, ok := p.s.routes[pattern]; ok {
		p.Handle(pattern, p.s.pipe(r, http.HandlerFunc(handler)))
		return
	}
	p.Handle(pattern, http.HandlerFunc(handler)) // the document itself
}

// ServeHTTP answers a request; paths and methods that nobody serves get a JSON answer
// too.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if _, pattern := s.mux.Handler(r); pattern != "" {
		s.mux.ServeHTTP(w, r)
		return
	}
	refusal := &refusal{header: http.Header{}}
	s.mux.ServeHTTP(refusal, r)
	if allow := refusal.header.Get("Allow"); refusal.status == http.StatusMethodNotAllowed {
		w.Header().Set("Allow", allow)
		problem(methodNotAllowed, "This path does not take "+r.Method+".", "Use one of: "+allow+".").write(w)
		return
	}
	problem("not_found", "Nothing is served at this path.", "See /api/openapi.json for what there is.").write(w)
}

// refusal hears what the mux would say of a request that it has no route for.
type refusal struct {
	header http.Header
	status int
}

// Header implements http.ResponseWriter.
func (r *refusal) Header() http.Header { return r.header }

// WriteHeader implements http.ResponseWriter.
func (r *refusal) WriteHeader(status int) { r.status = status }

// Write implements http.ResponseWriter.
func (r *refusal) Write(b []byte) (int, error) { return len(b), nil }

type principalKey struct{}

// caller is who the pipe found to call.
func caller(ctx context.Context) Principal {
	who, _ := ctx.Value(principalKey{}).(Principal)
	return who
}

// jsonFormat reads and writes bodies.
func jsonFormat() huma.Format {
	return huma.Format{
		Marshal:   func(w io.Writer, v any) error { return huma.DefaultJSONFormat.Marshal(w, v) },
		Unmarshal: decode,
	}
}
