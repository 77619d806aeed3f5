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
	Servers []string `arg:"" optional:"" help:"Servers to offer: runner, scout, cwac, mcptest, bounty. Default: all."`
}

// Run speaks MCP on standard input and output until the input ends.
func (c stdioCmd) Run(ctx context.Context, a *app) error {
	return a.serving(ctx, c.Servers, func(k *kit, o serve.Options) error {
		srv, err := serve.New(o)
		if err != nil {
			return err
		}
		return srv.Stdio(ctx, a.std.In, a.std.Out)
	})
}

type httpCmd struct {
	Servers []string `arg:"" optional:"" help:"Servers to offer: runner, scout, cwac, mcptest, bounty. Default: all."`
	Addr    string   `placeholder:"HOST:PORT" help:"Address to listen on. Default: 127.0.0.1 and the PORT of the settings (8080)."`

	ConformanceFixtures bool `hidden:"" help:"Add the test tools of the official conformance suite to /mcp."`
}

// Run serves MCP over HTTP until it is told to stop.
func (c httpCmd) Run(ctx context.Context, a *app) error {
	a.hosted = true
	return a.serving(ctx, c.Servers, func(k *kit, o serve.Options) error {
		if c.ConformanceFixtures {
			o.Endpoints[0].Extension = fixtures.Extension()
		}
		addr := cmp.Or(c.Addr, k.cfg.Addr, net.JoinHostPort("127.0.0.1", strconv.Itoa(k.cfg.Port)))
		done, err := k.admit(ctx, addr, &o)
		if err != nil {
			return err
		}
		defer done()
		unobserve, err := k.observe(ctx, &o)
		if err != nil {
			return err
		}
		defer unobserve()
		srv, err := serve.New(o)
		if err != nil {
			return err
		}
		ln, err := srv.Listen(ctx, addr)
		if err != nil {
			return err
		}
		if err := o.Ready(ctx); err != nil { // better now than at the first call
			return errors.Join(err, ln.Close())
		}
		return srv.Serve(ctx, ln)
	})
}

// serving opens everything, has run serve the named servers, and closes it again.
func (a *app) serving(ctx context.Context, names []string, run func(*kit, serve.Options) error) error {
	a.server = true
	defer frugal()()
	k, err := a.open()
	if err != nil {
		return err
	}
	defer k.close(ctx)
	on, err := k.named(names)
	if err != nil {
		return err
	}
	return run(k, k.serveOptions(on))
}
