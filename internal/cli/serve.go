package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net"
	"slices"
	"strconv"
	"strings"

	"github.com/legwork-mcp/legwork/internal/fault"
	"github.com/legwork-mcp/legwork/internal/serve"
)

// servers are the MCP servers of this program.
var servers = []string{"runner"}

type stdioCmd struct {
	Servers []string `arg:"" optional:"" help:"Servers to offer: runner. Default: all."`
}

// Run speaks MCP on standard input and output until the input ends.
func (c stdioCmd) Run(ctx context.Context, a *app) error {
	return a.serving(ctx, c.Servers, func(_ *kit, srv *serve.Server) error {
		return srv.Stdio(ctx, a.std.In, a.std.Out)
	})
}

type httpCmd struct {
	Servers []string `arg:"" optional:"" help:"Servers to offer: runner. Default: all."`
	Addr    string   `placeholder:"HOST:PORT" help:"Address to listen on. Default: 127.0.0.1 and the PORT of the settings (8080)."`
}

// Run serves MCP over HTTP until it is told to stop.
func (c httpCmd) Run(ctx context.Context, a *app) error {
	a.logJSON = true
	return a.serving(ctx, c.Servers, func(k *kit, srv *serve.Server) error {
		addr := cmp.Or(c.Addr, k.cfg.Addr, net.JoinHostPort("127.0.0.1", strconv.Itoa(k.cfg.Port)))
		ln, err := srv.Listen(ctx, addr)
		if err != nil {
			return err
		}
		if err := k.pool.Check(ctx); err != nil { // better now than at the first execution
			return errors.Join(err, ln.Close())
		}
		return srv.Serve(ctx, ln)
	})
}

// serving opens everything, has the named servers run, and closes it again.
func (a *app) serving(ctx context.Context, names []string, run func(*kit, *serve.Server) error) error {
	a.server = true
	frugal()
	k, err := a.open()
	if err != nil {
		return err
	}
	defer k.close(ctx)
	srv, err := k.server(names)
	if err != nil {
		return err
	}
	return run(k, srv)
}

// server puts the named MCP servers on their endpoints.
func (k *kit) server(names []string) (*serve.Server, error) {
	for _, n := range names {
		if !slices.Contains(servers, n) {
			return nil, fault.New(fault.Invalid, "unknown_server", fmt.Sprintf("There is no server %q.", n),
				"Servers: "+strings.Join(servers, ", ")+".")
		}
	}
	return serve.New(k.serveOptions())
}
