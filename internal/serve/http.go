package serve

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"net/url"
	"strings"
	"time"

	"golang.org/x/net/netutil"

	"github.com/legwork-mcp/legwork/internal/crowd"
	"github.com/legwork-mcp/legwork/internal/fault"
)

const (
	maxBody    = 6 << 20 // bytes of a request body
	maxHeaders = 64 << 10
	// openBody is how much of a body is read from somebody who has not shown a
	// token: what needs none is small, and strangers must not fill maxBodies.
	openBody    = 32 << 10
	slowHeaders = 10 * time.Second // for which a client may take for its headers
)

// HTTP listens on addr and serves until ctx ends; see Serve.
func (s *Server) HTTP(ctx context.Context, addr string) error {
	ln, err := s.Listen(ctx, addr)
	if err != nil {
		return err
	}
	return s.Serve(ctx, ln)
}

// Listen opens the address. Without Access it must be on this machine: nothing says
// then who calls from another one.
func (s *Server) Listen(ctx context.Context, addr string) (net.Listener, error) {
	host, _, err := net.SplitHostPort(addr)
	if err != nil {
		return nil, fault.New(fault.Invalid, "invalid_address", fmt.Sprintf("The address %q is not HOST:PORT.", addr),
			"Use an address such as 127.0.0.1:8080.")
	}
	if err := s.mayListen(host, addr); err != nil {
		return nil, err
	}
	var lc net.ListenConfig
	ln, err := lc.Listen(ctx, "tcp", addr)
	if err != nil {
		return nil, fault.New(fault.Unavailable, "address_unavailable", fmt.Sprintf("The address %s cannot be opened: %v.", addr, reason(err)),
			"Stop what uses it, or choose another port with --addr or PORT.").WithCause(err)
	}
	s.addr.Store(ln.Addr().String())
	return netutil.LimitListener(ln, s.o.MaxConnections), nil
}

// mayListen keeps a server that asks nobody who he is on this machine.
func (s *Server) mayListen(host, addr string) error {
	switch {
	case isLoopback(host):
		return nil
	case s.o.Access == nil:
		return fault.New(fault.Denied, "issuer_required",
			fmt.Sprintf("Listening on %q would let other machines call without a login.", addr),
			"Set AUTH0_ISSUER (or LEGWORK_ISSUER) or LEGWORK_TOKENS_FILE to say whose tokens are accepted, or use 127.0.0.1.")
	case s.o.Access.URL == "":
		return fault.New(fault.Invalid, "server_url_required",
			fmt.Sprintf("Listening on %q needs the address under which clients reach the server: tokens are made for it.", addr),
			"Set MCP_SERVER_URL to it, such as https://forms.example.org.")
	}
	return nil
}

// reason is the inner part of a network error.
func reason(err error) error {
	var op *net.OpError
	if errors.As(err, &op) {
		return op.Err
	}
	return err
}

// Addr is the address that Listen opened, or "".
func (s *Server) Addr() string {
	a, _ := s.addr.Load().(string)
	return a
}

// Serve answers on ln until ctx ends, then stops accepting, lets running calls
// end within the grace, and returns when everything that it started has ended.
func (s *Server) Serve(ctx context.Context, ln net.Listener) error {
	base, end := context.WithCancel(context.WithoutCancel(ctx))
	defer end()
	srv := &http.Server{
		Handler:           s.routes(),
		BaseContext:       func(net.Listener) context.Context { return base },
		ReadHeaderTimeout: slowHeaders,
		// Also for what no handler reads or writes: net/http waits for the rest of a
		// body that nobody wanted, and writes answers of its own.
		ReadTimeout:    s.o.SlowClient,
		WriteTimeout:   s.o.SlowClient,
		IdleTimeout:    2 * time.Minute,
		MaxHeaderBytes: maxHeaders,
		// OPTIONS * passes guard like everything else.
		DisableGeneralOptionsHandler: true,
		ConnState:                    s.crowd.Changed,
		ConnContext:                  crowd.WithConn,
		ErrorLog:                     slog.NewLogLogger(s.log.Handler(), slog.LevelDebug),
	}
	served := make(chan error, 1)
	go func() { served <- srv.Serve(ln) }()
	s.log.InfoContext(ctx, "listening", "address", ln.Addr().String())
	if s.o.Access == nil {
		s.log.WarnContext(ctx, "there is no login: every program on this machine may call every tool")
	} else if u, err := url.Parse(s.o.Access.URL); err == nil && u.Scheme == "http" && !isLoopback(u.Hostname()) {
		s.log.WarnContext(ctx, "the server URL is not https: tokens and what people type can be read on the way", "url", s.o.Access.URL)
	}
	var err error
	select {
	case <-ctx.Done():
	case err = <-served:
		err = fmt.Errorf("serve HTTP: %w", err)
		served <- nil
	}
	return errors.Join(err, s.shutdown(srv, served, end))
}

// shutdown ends everything in order: no new connections, running calls, streams
// that only wait, sessions, connections.
func (s *Server) shutdown(srv *http.Server, served <-chan error, end context.CancelFunc) error {
	stop, cancel := context.WithTimeout(context.Background(), s.o.Grace+2*hardStop)
	defer cancel()
	closing := make(chan error, 1)
	go func() { closing <- srv.Shutdown(stop) }()
	err := s.drain()
	end()
	if !errors.Is(err, errStubborn) {
		for _, ep := range s.endpoints {
			ep.close()
		}
	} else {
		cancel()
	}
	if e := <-closing; e != nil {
		_ = srv.Close() // the error that matters is that it had to be forced
		err = errors.Join(err, fmt.Errorf("close connections: %w", e))
	}
	<-served
	s.log.Info("stopped")
	return err
}

// routes is everything under one address.
func (s *Server) routes() http.Handler {
	mux := http.NewServeMux()
	for _, ep := range s.endpoints {
		pattern := strings.TrimSuffix(ep.Path, "/")
		if pattern == "" {
			pattern = "/{$}"
		}
		mux.Handle(pattern, ep)
	}
	mux.HandleFunc("GET "+healthPath, s.health)
	mux.HandleFunc("GET "+readyPath, s.ready)
	if s.o.Observe.Metrics != nil {
		mux.HandleFunc("GET "+metricsPath, s.metrics)
	}
	s.describe(mux)
	mux.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		paths := make([]string, 0, len(s.endpoints))
		for _, ep := range s.endpoints {
			paths = append(paths, ep.Path)
		}
		writeJSON(w, http.StatusNotFound, map[string]any{
			"error": "not_found", "message": "Nothing is served at this path.", "mcp_endpoints": paths,
		})
	})
	return s.guard(mux)
}

func (s *Server) health(w http.ResponseWriter, _ *http.Request) {
	writeJSON(w, http.StatusOK, map[string]any{"status": "healthy", "service": "legwork", "version": s.o.Version})
}

// ready says whether calls would be taken now, and if not, why.
func (s *Server) ready(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	draining := s.draining
	s.mu.Unlock()
	var err error
	switch {
	case draining:
		err = fault.New(fault.Unavailable, "shutting_down", "The server is shutting down.", "")
	case s.o.Ready != nil:
		err = s.o.Ready(r.Context())
	}
	if err != nil {
		f := fault.From(err)
		writeJSON(w, http.StatusServiceUnavailable, map[string]any{
			"status": "not_ready", "error_type": f.Type, "error": f.Error(), "corrective_action": f.Action,
		})
		return
	}
	writeJSON(w, http.StatusOK, map[string]any{"status": "ready"})
}
