package cli

import (
	"cmp"
	"context"
	"errors"
	"net"
	"strconv"

	"github.com/legwork-mcp/legwork/internal/serve"
	"github.com/legwork-mcp/legwork/internal/serve/fixtures"
)

type stdioCmd struct {
	Servers []string `arg:"" optional:"" help:"Servers to offer: runner, scout. Default: all."`
}

// Run speaks MCP on standard input and output until the input ends.
func (c stdioCmd) Run(ctx context.Context, a *app) error {
	return a.serving(ctx, c.Servers, nil, func(_ *kit, srv *serve.Server) error {
		return srv.Stdio(ctx, a.std.In, a.std.Out)
	})
}

type httpCmd struct {
	Servers []string `arg:"" optional:"" help:"Servers to offer: runner, scout. Default: all."`
	Addr    string   `placeholder:"HOST:PORT" help:"Address to listen on. Default: 127.0.0.1 and the PORT of the settings (8080)."`

	ConformanceFixtures bool `hidden:"" help:"Add the test tools of the official conformance suite to /mcp."`
}

// Run serves MCP over HTTP until it is told to stop.
func (c httpCmd) Run(ctx context.Context, a *app) error {
	a.logJSON = true
	var extra *serve.Extension
	if c.ConformanceFixtures {
		extra = fixtures.Extension()
	}
	return a.serving(ctx, c.Servers, extra, func(k *kit, srv *serve.Server) error {
		addr := cmp.Or(c.Addr, k.cfg.Addr, net.JoinHostPort("127.0.0.1", strconv.Itoa(k.cfg.Port)))
		ln, err := srv.Listen(ctx, addr)
		if err != nil {
			return err
		}
		on, err := k.named(c.Servers)
		if err == nil {
			err = on[0].browser.Check(ctx) // better now than at the first call
		}
		if err != nil {
			return errors.Join(err, ln.Close())
		}
		return srv.Serve(ctx, ln)
	})
}

// serving opens everything, has the named servers run, with something extra
// beside all of them, and closes it again.
func (a *app) serving(ctx context.Context, names []string, extra *serve.Extension, run func(*kit, *serve.Server) error) error {
	a.server = true
	frugal()
	k, err := a.open()
	if err != nil {
		return err
	}
	defer k.close(ctx)
	srv, err := k.server(names, extra)
	if err != nil {
		return err
	}
	return run(k, srv)
}

// server puts the named MCP servers on their endpoints.
func (k *kit) server(names []string, extra *serve.Extension) (*serve.Server, error) {
	on, err := k.named(names)
	if err != nil {
		return nil, err
	}
	o := k.serveOptions(on)
	o.Endpoints[0].Extension = extra
	return serve.New(o)
}
