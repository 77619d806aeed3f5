package cli

import (
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
	a.server = true
	frugal()
	kit, err := a.open()
	if err != nil {
		return err
	}
	defer kit.close(ctx)
	srv, err := kit.server(c.Servers)
	if err != nil {
		return err
	}
	return srv.Stdio(ctx, a.std.In, a.std.Out)
}

type httpCmd struct {
	Servers []string `arg:"" optional:"" help:"Servers to offer: runner. Default: all."`
	Addr    string   `placeholder:"HOST:PORT" help:"Address to listen on. Default: 127.0.0.1 and the PORT of the settings (8080)."`
}

// Run serves MCP over HTTP until it is told to stop.
func (c httpCmd) Run(ctx context.Context, a *app) error {
	a.server, a.logJSON = true, true
	frugal()
	kit, err := a.open()
	if err != nil {
		return err
	}
	defer kit.close(ctx)
	srv, err := kit.server(c.Servers)
	if err != nil {
		return err
	}
	addr := c.Addr
	if addr == "" {
		addr = kit.cfg.Addr
	}
	if addr == "" {
		addr = net.JoinHostPort("127.0.0.1", strconv.Itoa(kit.cfg.Port))
	}
	ln, err := srv.Listen(ctx, addr)
	if err != nil {
		return err
	}
	if err := kit.pool.Check(ctx); err != nil { // better now than at the first execution
		return errors.Join(err, ln.Close())
	}
	return srv.Serve(ctx, ln)
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
