package cli

import (
	"context"
	"errors"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/legwork-mcp/legwork/internal/bounty"
	"github.com/legwork-mcp/legwork/internal/browser"
	"github.com/legwork-mcp/legwork/internal/config"
	"github.com/legwork-mcp/legwork/internal/cwac"
	"github.com/legwork-mcp/legwork/internal/mcptest"
	"github.com/legwork-mcp/legwork/internal/observe"
	"github.com/legwork-mcp/legwork/internal/practice"
	"github.com/legwork-mcp/legwork/internal/runner"
	"github.com/legwork-mcp/legwork/internal/scout"
	"github.com/legwork-mcp/legwork/internal/wizard"
)

// kit is everything that servers and commands are made of, put together once.
type kit struct {
	cfg    *config.Config
	log    *slog.Logger
	store  *wizard.Store
	pool   *browser.Pool // of the runs
	runner *runner.Server
	ledger *runner.Ledger // of the runs; servers have one
	field  *browser.Pool  // of the explorations, see scoutPool
	scout  *scout.Server
	cwac   *cwac.Server
	tester *mcptest.Server
	bounty *bounty.Server

	once    sync.Once
	own     *practiceSite // started by the first use of a practice wizard
	siteErr error
}

// open puts the kit together. Nothing is started yet: the first run starts a
// browser, the first practice run the practice site.
func (a *app) open() (*kit, error) {
	cfg, err := a.settings()
	if err != nil {
		return nil, err
	}
	format := cfg.LogFormat
	if format == "" && a.hosted {
		format = "json"
	}
	level := cfg.LogLevel
	if !a.server && cfg.IsDefault("log_level") {
		level = "warn"
	}
	log, err := observe.New(a.std.Err, observe.Options{Level: level, Format: format})
	if err != nil {
		return nil, err
	}
	sources := []wizard.Source{{FS: practice.Wizards(), Practice: true}}
	if cfg.PracticeWidgets {
		sources = append(sources, wizard.Source{FS: practice.Widgets(), Practice: true})
	}
	store, err := wizard.OpenStore(cfg.WizardsDir, sources...)
	if err != nil {
		return nil, err
	}
	for _, note := range cfg.Notes() {
		log.Warn(note)
	}
	k := &kit{cfg: cfg, log: log, store: store, pool: browser.NewPool(browserOptions(cfg, log)), field: scoutPool(cfg, log)}
	if a.server {
		if k.ledger, err = runner.OpenLedger(filepath.Join(cfg.DataDir, "runs"), cfg.RunRetention); err != nil {
			return nil, err
		}
	}
	k.bounty = k.bounties()
	k.runner = runner.New(runner.Options{
		Escalator: people{k.bounty},
		Wizards:   store, Browser: k.pool, Policy: k.policy, Uploads: uploads(cfg.UploadsDir), Settings: runnerSettings(cfg, a.several(cfg)), Ledger: k.ledger, Logger: log,
	})
	k.scout = scout.New(scout.Options{
		Wizards: store, Browser: k.field, Policy: k.asked, Prover: replayer{k, ""}, Dir: cfg.WizardsDir, Settings: scoutSettings(cfg, a.several(cfg)), Logger: log,
	})
	if k.cwac, err = a.scans(k); err != nil {
		return nil, err
	}
	k.tester = a.tester(k)
	return k, nil
}

func browserOptions(cfg *config.Config, log *slog.Logger) browser.Options {
	engine := cfg.BrowserEngine
	if cfg.BrowserPath != "" {
		engine = cfg.BrowserPath
	}
	return browser.Options{
		Engine: engine, Headed: !cfg.BrowserHeadless, MaxBrowsers: cfg.MaxBrowsers,
		TabsPerBrowser: cfg.TabsPerBrowser, Remotes: config.List(cfg.BrowserURLs), GuardHost: cfg.BrowserGuardHost, Sandbox: cfg.BrowserSandbox, Logger: log,
	}
}

// spareTabs are for trying a page out beside the sessions that hold their tabs.
const spareTabs = 2

// scoutPool is the browser of the explorations. It is not that of the runs: a
// session holds its tab for as long as a model thinks, which would keep runs
// waiting, and a form that brings a browser down must not end anybody's run. It
// starts with the first exploration.
func scoutPool(cfg *config.Config, log *slog.Logger) *browser.Pool {
	o := browserOptions(cfg, log)
	o.MaxBrowsers, o.TabsPerBrowser = 1, cfg.ScoutSessions+spareTabs
	return browser.NewPool(o)
}

// uploads is the folder that files may be uploaded from, and nothing outside of
// it: links that lead out are refused. Without the folder there are no uploads.
func uploads(dir string) fs.FS {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil
	}
	return root.FS()
}

// maxRuns is how many runs may be in flight, waiting ones included.
const maxRuns = 64

// several reports whether there is more than one caller: only over HTTP, and only
// where callers have tokens.
func (a *app) several(cfg *config.Config) bool {
	return a.hosted && (cfg.TokenIssuer() != "" || cfg.TokensFile != "")
}

// share is what one caller may have of something: all of it where there is only the
// user of this machine, half where there are several callers.
func share(several bool, all int) int {
	if !several {
		return all
	}
	return (all + 1) / 2
}

func runnerSettings(cfg *config.Config, several bool) runner.Settings {
	return runner.Settings{
		MaxTimeout: cfg.ExecutionTimeout, Wait: cfg.WaitTime, Navigation: cfg.NavigationTimeout, Element: cfg.ElementTimeout,
		Retention: cfg.RunRetention, MaxRuns: maxRuns, PerCaller: share(several, maxRuns), Quality: cfg.ScreenshotQuality, MaxImage: cfg.ScreenshotMaxKB << 10,
		Width: cfg.ViewportWidth, Height: cfg.ViewportHeight,
	}
}

func scoutSettings(cfg *config.Config, several bool) scout.Settings {
	return scout.Settings{
		Sessions: cfg.ScoutSessions, PerCaller: share(several, cfg.ScoutSessions), Idle: cfg.ScoutSessionTimeout,
		Navigation: cfg.ScoutNavigationTimeout, Element: cfg.ScoutElementTimeout, MaxElements: cfg.ScoutMaxElements,
		Quality: cfg.ScoutScreenshotQuality, MaxImage: cfg.ScoutScreenshotMaxKB << 10,
		Width: cfg.ScoutViewportWidth, Height: cfg.ScoutViewportHeight,
	}
}

// drain lets the calls of every server end within ctx and refuses new ones.
func (k *kit) drain(ctx context.Context) error {
	k.bounty.Drain()
	runs := make(chan error, 1)
	go func() { runs <- k.runner.Drain(ctx) }()
	err := k.scout.Drain(ctx)
	return errors.Join(err, <-runs)
}

// close ends what was started: runs, explorations, browsers, the practice site.
func (k *kit) close(ctx context.Context) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), 10*time.Second)
	defer cancel()
	spent, done := context.WithCancel(ctx)
	done() // who closes the kit has given the runs their grace already
	err := errors.Join(k.drain(spent), k.pool.Close(ctx), k.field.Close(ctx), k.ledger.Close(), k.tester.Drain(ctx))
	if k.own != nil {
		err = errors.Join(err, k.own.close())
	}
	if err != nil {
		k.log.Warn("shutting down", "error", err)
	}
}

// site is the practice site of this process.
func (k *kit) site() (*practiceSite, error) {
	k.once.Do(func() { k.own, k.siteErr = startPractice(context.Background(), "127.0.0.1:0") })
	return k.own, k.siteErr
}
