package cli

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"net/netip"
	"net/url"
	"os"
	"strings"
	"sync"
	"time"

	"github.com/legwork-mcp/legwork/internal/browser"
	"github.com/legwork-mcp/legwork/internal/config"
	"github.com/legwork-mcp/legwork/internal/fault"
	"github.com/legwork-mcp/legwork/internal/observe"
	"github.com/legwork-mcp/legwork/internal/practice"
	"github.com/legwork-mcp/legwork/internal/runner"
	"github.com/legwork-mcp/legwork/internal/serve"
	"github.com/legwork-mcp/legwork/internal/tool"
	"github.com/legwork-mcp/legwork/internal/wizard"
)

// kit is everything that servers and commands are made of, put together once.
type kit struct {
	cfg    *config.Config
	log    *slog.Logger
	store  *wizard.Store
	pool   *browser.Pool
	runner *runner.Server

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
	if format == "" && a.logJSON {
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
	k := &kit{cfg: cfg, log: log, store: store, pool: browser.NewPool(browserOptions(cfg, log))}
	k.runner = runner.New(runner.Options{
		Wizards: store, Browser: k.pool, Policy: k.policy, Uploads: uploads(cfg.UploadsDir), Settings: runnerSettings(cfg), Logger: log,
	})
	return k, nil
}

func browserOptions(cfg *config.Config, log *slog.Logger) browser.Options {
	engine := cfg.Engine()
	if cfg.BrowserPath != "" {
		engine = cfg.BrowserPath
	}
	return browser.Options{
		Engine: engine, Headed: !cfg.BrowserHeadless, MaxBrowsers: cfg.MaxBrowsers,
		TabsPerBrowser: cfg.TabsPerBrowser, Sandbox: cfg.BrowserSandbox, Logger: log,
	}
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

func runnerSettings(cfg *config.Config) runner.Settings {
	return runner.Settings{
		MaxTimeout: cfg.ExecutionTimeout, Wait: cfg.WaitTime, Navigation: cfg.NavigationTimeout, Element: cfg.ElementTimeout,
		Retention: cfg.RunRetention, Quality: cfg.ScreenshotQuality, MaxImage: cfg.ScreenshotMaxKB << 10,
		Width: cfg.ViewportWidth, Height: cfg.ViewportHeight,
	}
}

// close ends what was started: runs, browsers, the practice site.
func (k *kit) close(ctx context.Context) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), 10*time.Second)
	defer cancel()
	spent, done := context.WithCancel(ctx)
	done() // who closes the kit has given the runs their grace already
	err := errors.Join(k.runner.Drain(spent), k.pool.Close(ctx))
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

// maxLoad is the most that one run may load, in bytes: far more than any form.
const maxLoad = 200 << 20

// policy is what the forms of one wizard may reach. Practice wizards reach the
// practice site and nothing else.
func (k *kit) policy(e *wizard.Entry) (browser.Policy, error) {
	p := browser.Policy{AllowPrivate: k.cfg.AllowPrivate, MaxBytes: maxLoad}
	if e.Practice {
		addr := k.cfg.PracticeAddr
		if addr == "" {
			site, err := k.site()
			if err != nil {
				return p, err
			}
			addr = site.addr
		}
		p.AllowPrivate, p.Hosts = false, hosts(addr)
		for _, h := range practiceHosts {
			p.OnlyOrigins = append(p.OnlyOrigins, "http://"+h)
		}
		return p, nil
	}
	if strings.HasPrefix(e.Path, typedPrefix) && onThisMachine(e.Wizard.URL) {
		p.AllowOrigins = []string{origin(e.Wizard.URL)}
	}
	if len(e.Wizard.AllowedOrigins) > 0 {
		p.OnlyOrigins = append([]string{origin(e.Wizard.URL)}, e.Wizard.AllowedOrigins...)
	}
	return p, nil
}

// typedPrefix marks the path of a wizard file that a person named on the command
// line.
const typedPrefix = "file:"

// onThisMachine reports whether an address names this machine in so many words.
// Such a form is the person's own; any other private address, and any name that
// only leads to one, needs --allow-private.
func onThisMachine(address string) bool {
	u, err := url.Parse(address)
	if err != nil {
		return false
	}
	ip, err := netip.ParseAddr(u.Hostname())
	return u.Hostname() == "localhost" || err == nil && ip.IsLoopback()
}

func origin(address string) string {
	u, err := url.Parse(address)
	if err != nil || u.Host == "" {
		return ""
	}
	return u.Scheme + "://" + u.Host
}

// tools are all tools, bound to this kit.
func (k *kit) tools() []tool.Bound { return tool.BindAll(k.runner, runner.Tools) }

// localUser is who calls over stdio, on loopback and from the command line.
const localUser = "local"

// toolPolicy is what every call passes. The user of this machine may use every
// tool; anybody else is refused: no issuer says yet what they may do.
func (k *kit) toolPolicy() tool.Policy {
	return tool.Policy{Logger: k.log, Authorize: func(ctx context.Context, s tool.Spec) error {
		if tool.Caller(ctx).Subject != localUser {
			return fault.New(fault.Denied, "insufficient_scope", "This caller has no scope "+s.Scope+".", "Call from this machine.")
		}
		return nil
	}}
}

// serveOptions put the tools on their endpoints: "/" is the runner's own, as its
// specification has it.
func (k *kit) serveOptions() serve.Options {
	end := func(path, name, title string) serve.Endpoint {
		return serve.Endpoint{Path: path, Name: name, Title: title, Instructions: runner.Instructions, Tools: k.tools()}
	}
	return serve.Options{
		Version: Version(), Policy: k.toolPolicy(), Logger: k.log, Grace: k.cfg.Grace, Drain: k.runner.Drain,
		Endpoints: []serve.Endpoint{
			end("/", "runner", "FederalRunner"),
			end("/mcp", "all", fmt.Sprintf("Legwork %s", Version())),
			end("/mcp/runner", "runner", "FederalRunner"),
		},
		Ready: k.pool.Check,
	}
}
