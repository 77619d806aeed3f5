package serve

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"github.com/legwork-mcp/legwork/internal/crowd"
	"github.com/legwork-mcp/legwork/internal/fault"
	"github.com/legwork-mcp/legwork/internal/ratelimit"
	"github.com/legwork-mcp/legwork/internal/tool"
)

// Endpoint is one MCP server: a URL path with its own list of tools.
type Endpoint struct {
	// Path is where HTTP clients reach it: "/", "/mcp", "/mcp/runner".
	Path string
	// Name and Title are for logs and for people; every endpoint introduces
	// itself to programs as legwork.
	Name, Title string
	// Instructions tell a model the order of calls and the limits.
	Instructions string
	Tools        []tool.Bound
	// Prompts are texts to begin with.
	Prompts []tool.Prompt
	// Resources are what tools answer, for clients that read resources.
	Resources []tool.Resource
	// Extension is what the endpoint offers beyond its tools; nil is nothing.
	Extension *Extension
}

// Options are everything a server needs.
type Options struct {
	Version string
	// Endpoints are served over HTTP; stdio serves the first.
	Endpoints []Endpoint
	Policy    tool.Policy
	Logger    *slog.Logger
	// Access is how callers over HTTP prove who they are. Nil takes everybody on
	// this machine for its user, and keeps the server on loopback.
	Access *Access
	// Limits bound how often callers over HTTP may call; nil is no limit.
	Limits *Limits
	// Observe learns what the server does.
	Observe Observers
	// Drain is called once at shutdown; its context ends with the grace.
	Drain func(ctx context.Context) error
	// Grace is how long calls may go on after a shutdown began; zero is 10 s.
	Grace time.Duration
	// Ready answers /ready; nil is always ready.
	Ready func(ctx context.Context) error
	// MaxSessions and SessionIdle bound what idle clients keep: 256 and 30 min.
	MaxSessions int
	SessionIdle time.Duration
	// MaxBodies bounds the memory of all request bodies that are being read or
	// worked on, in bytes: 256 MiB. Bodies of up to 32 kB are taken beyond it.
	MaxBodies int64
	// MaxConnections bounds what clients that send nothing can hold, a few tens of
	// kB each: 4096.
	MaxConnections int
	// SlowClient is how long a client may take for the body of its request, or to take
	// what is written to it; zero is 30 s.
	SlowClient time.Duration
	// KeepAlive is the time between signs of life on a stream; zero is 15 s.
	KeepAlive time.Duration
}

// hardStop is how long a call that was told to end may still hold up the exit.
const hardStop = 5 * time.Second

var errStubborn = fmt.Errorf("a call did not end within %v of being told to", hardStop)

// Server serves tools. One value serves once, either stdio or HTTP.
type Server struct {
	o         Options
	log       *slog.Logger
	endpoints []*endpoint
	addr      atomic.Value      // string
	bodies    atomic.Int64      // bytes of requests that are held
	crowd     *crowd.Crowd      // of connections
	host      string            // under which clients reach it beside loopback, or ""
	refusals  *ratelimit.Memory // of lines about callers that are refused
	untold    atomic.Int64      // callers that were refused without a line

	calls    sync.WaitGroup
	mu       sync.Mutex
	draining bool
	life     context.Context // ends when calls must end
	end      context.CancelFunc
}

// New checks the options and prepares the endpoints.
func New(o Options) (*Server, error) {
	if len(o.Endpoints) == 0 {
		return nil, fault.New(fault.Invalid, "invalid_setting", "There is no server to serve.", "Name at least one server.")
	}
	setDefault(&o.Grace, 10*time.Second)
	setDefault(&o.SessionIdle, 30*time.Minute)
	setDefault(&o.SlowClient, 30*time.Second)
	setDefault(&o.KeepAlive, 15*time.Second)
	setDefault(&o.MaxSessions, 256)
	setDefault(&o.Version, "dev")
	setDefault(&o.MaxBodies, 256<<20)
	setDefault(&o.MaxConnections, 4096)
	if o.Logger == nil {
		o.Logger = slog.New(slog.DiscardHandler)
	}
	if o.Policy.Logger == nil {
		o.Policy.Logger = o.Logger
	}
	s := &Server{o: o, log: o.Logger, crowd: crowd.New(o.MaxConnections), host: hostOf(o.Access), refusals: ratelimit.NewMemory(1, nil)}
	s.observed()
	// Not a caller's context: a call outlives the request or signal that began
	// the shutdown, by the grace.
	s.life, s.end = context.WithCancel(context.Background())
	seen := map[string]bool{}
	for _, e := range o.Endpoints {
		if e.Path == "" || e.Path[0] != '/' || seen[e.Path] {
			return nil, fmt.Errorf("endpoint %s: the path %q is not usable or used twice", e.Name, e.Path)
		}
		seen[e.Path] = true
		ep, err := s.newEndpoint(e)
		if err != nil {
			return nil, err
		}
		s.endpoints = append(s.endpoints, ep)
	}
	return s, s.gauges()
}

func setDefault[T comparable](v *T, d T) {
	var zero T
	if *v == zero {
		*v = d
	}
}

// begin counts something in that a shutdown must wait for, and returns how to
// count it out. It reports false, and counts nothing, when the server is going
// down already.
func (s *Server) begin() (end func(), ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.draining {
		return func() {}, false
	}
	s.calls.Add(1)
	return s.calls.Done, true
}

// drain lets running calls end within the grace, then ends them. It returns when
// none is left, or after hardStop with an error.
func (s *Server) drain() error {
	s.mu.Lock()
	s.draining = true
	s.mu.Unlock()
	grace, cancel := context.WithTimeout(context.Background(), s.o.Grace)
	defer cancel()
	var err error
	if s.o.Drain != nil {
		if err = s.o.Drain(grace); err != nil {
			err = fmt.Errorf("drain: %w", err)
		}
	}
	idle := make(chan struct{})
	go func() {
		defer close(idle)
		s.calls.Wait()
	}()
	select {
	case <-idle:
	case <-grace.Done():
	}
	s.end()
	stubborn := time.NewTimer(hardStop)
	defer stubborn.Stop()
	select {
	case <-idle:
	case <-stubborn.C:
		err = errors.Join(err, errStubborn)
	}
	return err
}
