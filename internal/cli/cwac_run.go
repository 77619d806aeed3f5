package cli

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"github.com/legwork-mcp/legwork/internal/browser"
	"github.com/legwork-mcp/legwork/internal/cwac/engine"
	"github.com/legwork-mcp/legwork/internal/cwac/process"
	"github.com/legwork-mcp/legwork/internal/cwac/results"
	"github.com/legwork-mcp/legwork/internal/fault"
)

type cwacRunCmd struct {
	Config string `arg:"" optional:"" help:"Name of a file in ./config (config_default.json)."`
}

// Help says what the command prints and where it works.
func (cwacRunCmd) Help() string {
	return `Works in the current folder as CWAC does: it reads config/CONFIG and the CSV files of the folder that this names below base_urls, and writes a folder below results. Private addresses need --allow-private. Exit codes: 0 pages were scanned; 3 nothing could be scanned; 6 stopped.`
}

// Run scans as CWAC's own command line does.
func (c cwacRunCmd) Run(ctx context.Context, a *app) error {
	root, err := os.Getwd()
	if err != nil {
		return fmt.Errorf("find the current folder: %w", err)
	}
	in, err := engine.Load(root, c.Config)
	if err != nil {
		return err
	}
	cfg, err := a.settings()
	if err != nil {
		return err
	}
	for _, text := range in.Remarks {
		fmt.Fprintln(a.std.Err, "note: the configuration:", text)
	}
	s := scanning{app: a, policy: browser.Policy{AllowPrivate: cfg.AllowPrivate}}
	out, err := s.run(ctx, engine.Options{
		Config: in.Config, Sites: in.Sites, Skipped: in.Skipped, NoHead: in.NoHead, Remarks: in.Remarks, OutDir: in.OutDir, Watch: engine.Console{Out: a.std.Out},
	})
	if err != nil {
		return err
	}
	return quietly(exitOfScan(out))
}

// exitOfScan is the exit code of a scan that began, whatever it found.
func exitOfScan(out engine.Outcome) int {
	switch {
	case out.State == results.StateCancelled:
		return fault.ExitTimeout
	case out.Pages == 0:
		return fault.ExitNotFound
	}
	return fault.ExitOK
}

// scanning runs one scan with a browser of its own.
type scanning struct {
	*app
	policy browser.Policy
}

// closeLimit is how long a browser may take to end.
const closeLimit = 15 * time.Second

// mostTabs is in how many tabs one site is scanned on a machine with idle cores: more
// would wait for each other, and press on the site.
const mostTabs = 2

// run gives the scan its browser and its way to the network, and ends both.
func (s scanning) run(ctx context.Context, o engine.Options) (engine.Outcome, error) {
	kit, err := s.open()
	if err != nil {
		return engine.Outcome{}, err
	}
	defer kit.close(ctx)
	b := browserOptions(kit.cfg, kit.log)
	b.Scrollbars, b.Headed = true, b.Headed || !o.Config.Headless
	o.Parallel = runtime.NumCPU()
	sites := max(1, min(o.Config.ThreadCount, o.Parallel, len(o.Sites)))
	o.Tabs = max(1, min(mostTabs, o.Parallel/sites))
	b.MaxBrowsers, b.TabsPerBrowser = 1, sites*(o.Tabs+1)
	pool := browser.NewPool(b)
	defer func() {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), closeLimit)
		defer cancel()
		if err := pool.Close(ctx); err != nil {
			kit.log.Warn("closing the browser", "error", err)
		}
	}()
	transport, err := s.policy.Transport()
	if err != nil {
		return engine.Outcome{}, err
	}
	defer transport.CloseIdleConnections()
	o.Browser, o.Policy, o.Client, o.Logger = pool, s.policy, transport, kit.log
	o.Versions = map[string]string{"legwork": Version()}
	if o.Process, err = json.Marshal(process.Self()); err != nil {
		return engine.Outcome{}, fmt.Errorf("name this process: %w", err)
	}
	cut, err := results.Bury(o.OutDir, process.Named)
	if err != nil {
		return engine.Outcome{}, err
	}
	for _, name := range cut {
		fmt.Fprintf(s.std.Err, "note: the earlier scan %s was cut off; what it had found can be read\n", plainLine(name))
	}
	if path, err := browser.Installed(b); err == nil {
		o.Versions["browser"] = filepath.Base(path)
	}
	out, err := engine.Run(ctx, o)
	s.advise(out)
	return out, err
}

// advise says how to scan a private address. The guard's own advice is no part of the
// reasons that a scan writes down.
func (s scanning) advise(out engine.Outcome) {
	for _, site := range out.Sites {
		if site.Pages == 0 && strings.Contains(site.Reason, " is not allowed: ") {
			fmt.Fprintf(s.std.Err, "note: %s was refused; if it is yours, scan it with --allow-private\n", plainLine(site.Site.URL))
		}
	}
}
