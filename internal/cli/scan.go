package cli

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"net/url"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/legwork-mcp/legwork/internal/browser"
	"github.com/legwork-mcp/legwork/internal/cwac/engine"
	reports "github.com/legwork-mcp/legwork/internal/cwac/report"
	"github.com/legwork-mcp/legwork/internal/cwac/results"
	"github.com/legwork-mcp/legwork/internal/fault"
)

type scanCmd struct {
	URLs         []string      `arg:"" name:"url" help:"Addresses to start from."`
	MaxLinks     int           `default:"50" placeholder:"N" help:"Most pages of each address (${default}); 1 looks at that page alone."`
	Viewport     []string      `placeholder:"WxH" help:"Size of the window, such as 320x450; may be repeated (320x450 and 1280x800)."`
	Plugins      []string      `placeholder:"NAME,..." help:"Audits to run, or all: axe, language, reflow, title, focus, screenshot, element, html, crawl, seo, pdf (the first four; with a report in html also screenshot, for its pictures)."`
	Element      string        `name:"element-selector" placeholder:"CSS" help:"List the elements that match: switches the audit element on."`
	BestPractice bool          `help:"Also report what no success criterion demands."`
	Consent      string        `default:"keep" enum:"keep,dismiss" help:"What to do with a banner that asks for consent: keep it, or audit it, dismiss it and audit the page again (${default})."`
	Include      []string      `placeholder:"PATTERN" help:"Only scan paths like this (* and $ as in robots.txt)."`
	Exclude      []string      `placeholder:"PATTERN" help:"Leave paths like this alone."`
	Login        string        `type:"path" placeholder:"FILE" help:"JSON file with headers, cookies, a saved session or the steps of a login."`
	HashRoutes   bool          `help:"Addresses that differ after #/ or #! are pages of their own, as in some single-page applications."`
	NoFrames     bool          `help:"Leave the documents inside frames out."`
	NoRobots     bool          `help:"Do not ask robots.txt: for a site of your own."`
	Name         string        `placeholder:"TEXT" help:"Name of the scan (the host)."`
	Out          string        `type:"path" placeholder:"DIR" help:"Folder in which the results folder is made (default: results in the scans folder)."`
	Format       []string      `placeholder:"NAME,..." help:"Reports to write into the results folder: csv, json, html, md, sarif, junit and others."`
	FailOn       string        `default:"serious" enum:"critical,serious,moderate,minor,any,none" help:"Exit with 1 when there is a finding of this impact or worse (${default})."`
	Diff         string        `type:"path" placeholder:"DIR" help:"Results folder of an earlier scan: only what is new counts for --fail-on."`
	Headed       bool          `help:"Show the browser window."`
	Engine       string        `placeholder:"NAME" help:"chromium, chromium-headless-shell, firefox or webkit."`
	Timeout      time.Duration `default:"2h" help:"Maximum time (${default})."`
	JSON         bool          `name:"json" help:"Print the counted report as JSON."`
}

// Help says what decides the exit code.
func (scanCmd) Help() string {
	return `Exit codes: 0 nothing at or above --fail-on; 1 findings at or above it; 3 nothing could be scanned; 4 nothing at or above it, but pages could not be audited, or not wholly; 6 stopped or out of time. An address of this machine may be scanned when it is typed as localhost or a loopback address; every other private one needs --allow-private.`
}

// Run scans sites in the foreground.
func (c scanCmd) Run(ctx context.Context, a *app) error {
	sites, err := c.sites()
	if err != nil {
		return err
	}
	if c.Timeout <= 0 {
		return fault.New(fault.Invalid, "", "A scan cannot end before it begins: --timeout is "+c.Timeout.String()+".", "Give it a time, such as --timeout 30m.")
	}
	config, notes, err := c.config(sites)
	if err != nil {
		return err
	}
	formats, err := c.formats()
	if err != nil {
		return err
	}
	var before *reports.Report
	if c.Diff != "" {
		if before, err = earlier(c.Diff); err != nil {
			return err
		}
	}
	a.override("browser_engine", c.Engine)
	cfg, err := a.settings()
	if err != nil {
		return err
	}
	for _, n := range notes {
		fmt.Fprintln(a.std.Err, n)
	}
	s := scanning{app: a, policy: typedSites(cfg.AllowPrivate, sites)}
	ctx, cancel := context.WithTimeout(ctx, c.Timeout)
	defer cancel()
	out, err := s.run(ctx, engine.Options{
		Config: config, Sites: sites, OutDir: cmp.Or(c.Out, filepath.Join(cfg.ScansDir, "results")), Watch: &lines{app: a},
	})
	if err != nil {
		c.sofar(a, out)
		return err
	}
	return c.show(a, out, before, formats)
}

// typedSites is what a scan may reach whose addresses somebody typed.
func typedSites(allowPrivate bool, sites []results.Site) browser.Policy {
	p := browser.Policy{AllowPrivate: allowPrivate}
	for _, s := range sites {
		if onThisMachine(s.URL) {
			p.AllowOrigins = append(p.AllowOrigins, origin(s.URL))
		}
	}
	return p
}

// sites reads the addresses. One without a scheme gets https, or http for this
// machine.
func (c scanCmd) sites() ([]results.Site, error) {
	var sites []results.Site
	for _, address := range c.URLs {
		before, _, found := strings.Cut(address, "://")
		switch {
		case found && !strings.ContainsAny(before, "/?#"): // a query may hold an address too
		case onThisMachine("http://" + address):
			address = "http://" + address
		default:
			address = "https://" + address
		}
		u, err := url.Parse(address)
		if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" || u.User != nil {
			return nil, fault.New(fault.Invalid, "invalid_url", "Invalid URL: "+results.WithoutUser(address), "Give a whole address that begins with https:// or http://, without a password in it.")
		}
		u.Host = strings.ToLower(u.Host)
		sites = append(sites, results.Site{Organisation: u.Hostname(), URL: u.String(), Sector: "unknown"})
	}
	return sites, nil
}

// shortNames are the audits as the command line names them.
var shortNames = map[string]string{
	"axe": results.AuditAxe, "language": results.AuditLanguage, "reflow": results.AuditReflow, "title": results.AuditTitle,
	"focus": results.AuditFocus, "screenshot": results.AuditScreenshot, "element": results.AuditElement,
	"html": results.AuditHTML, "crawl": results.AuditCrawl, "seo": results.AuditSEO, "pdf": results.AuditPDF,
}

// shortAudits are the short names of the audits that there are, in their order.
func shortAudits() []string {
	var names []string
	for _, full := range engine.Audits() {
		for short, name := range shortNames {
			if name == full {
				names = append(names, short)
			}
		}
	}
	return names
}

// usual are the audits of a scan that names none.
var usual = []string{results.AuditAxe, results.AuditLanguage, results.AuditReflow, results.AuditTitle}

func (c scanCmd) plugins() (results.Plugins, error) {
	var wanted []string
	for _, name := range c.Plugins {
		full := cmp.Or(shortNames[name], name)
		switch {
		case name == "all":
			wanted = append(wanted, engine.Audits()...)
		case slices.Contains(engine.Audits(), full):
			wanted = append(wanted, full)
		default:
			return nil, fault.New(fault.Invalid, "unknown_plugin", "There is no audit "+strconv.Quote(name)+".",
				"Use "+strings.Join(shortAudits(), ", ")+" or all.")
		}
	}
	if len(wanted) == 0 {
		wanted = usual
		if slices.Contains(c.Format, "html") {
			wanted = append(slices.Clip(usual), results.AuditScreenshot)
		}
	}
	plugins := results.DefaultPlugins()
	for _, name := range engine.Audits() {
		if plugins.Named(name) == nil {
			plugins = append(plugins, results.Plugin{Name: name, Class: results.ClassName(name)})
		}
		plugins.Named(name).Enabled = slices.Contains(wanted, name)
	}
	if c.Element != "" {
		p := plugins.Named(results.AuditElement)
		p.Enabled, p.Target = true, c.Element
	}
	plugins.Named(results.AuditAxe).BestPractice = c.BestPractice
	plugins.Named(results.AuditFocus).MaxTabs = 0 // all stops
	return plugins, nil
}

// reflowWidth is the width at which reflow is measured: WCAG 2.2, 1.4.10.
const reflowWidth = 320

// config is the configuration of the scan, and what to say about it.
func (c scanCmd) config(sites []results.Site) (results.Config, []string, error) {
	config := results.DefaultConfig()
	config.AuditName = c.Name
	if config.AuditName == "" {
		config.AuditName = sites[0].Organisation
	}
	config.Headless, config.MaxLinksPerDomain, config.ThreadCount = !c.Headed, c.MaxLinks, min(len(sites), 2)
	config.OnlyHTTPS, config.ShuffleBaseURLs, config.FollowRobots = false, false, !c.NoRobots
	config.UserAgent, config.ProductToken = scanAgent(), scanToken
	config.Legwork.Frames, config.Legwork.Consent, config.Legwork.HashRoutes = !c.NoFrames, c.Consent, c.HashRoutes
	config.Legwork.Include, config.Legwork.Exclude = c.Include, c.Exclude
	var err error
	if config.Plugins, err = c.plugins(); err != nil {
		return config, nil, err
	}
	if config.Viewports, err = c.viewports(); err != nil {
		return config, nil, err
	}
	if c.Login != "" {
		if config.Legwork.Login, err = json.Marshal(map[string]string{"file": c.Login}); err != nil {
			return config, nil, fmt.Errorf("name the login: %w", err)
		}
	}
	notes := fit(&config)
	return config, notes, config.Check()
}

// fit points the reflow audit at a viewport that is 320 wide.
func fit(config *results.Config) []string {
	reflow := config.Plugins.Named(results.AuditReflow)
	for _, v := range config.Viewports {
		if v.Width == reflowWidth {
			reflow.Viewport = v.Name
			return nil
		}
	}
	reflow.Viewport = ""
	if !reflow.Enabled {
		return nil
	}
	reflow.Enabled = false
	return []string{"note: reflow is measured at a width of 320 pixels, which no viewport has: that audit does not run."}
}

func (c scanCmd) viewports() (results.Viewports, error) {
	if len(c.Viewport) == 0 {
		return results.DefaultConfig().Viewports, nil
	}
	var list results.Viewports
	for _, text := range c.Viewport {
		w, h, ok := strings.Cut(strings.ToLower(text), "x")
		width, err1 := strconv.Atoi(w)
		height, err2 := strconv.Atoi(h)
		if !ok || err1 != nil || err2 != nil {
			return nil, fault.New(fault.Invalid, "", "The viewport "+strconv.Quote(text)+" cannot be read.", "Write width x height in pixels: --viewport 320x450.")
		}
		list = append(list, results.Viewport{Name: fmt.Sprintf("%dx%d", width, height), Width: width, Height: height})
	}
	return list, nil
}

// formats refuses a mistyped name before the scan and not after it.
func (c scanCmd) formats() ([]string, error) {
	var names []string
	for _, name := range c.Format {
		full, ok := reports.FormatName(name)
		if !ok {
			return nil, fault.New(fault.Invalid, "report_format", "There is no report format "+strconv.Quote(name)+".",
				"Use one of: "+strings.Join(reports.Formats(), ", ")+".")
		}
		names = append(names, full)
	}
	return names, nil
}
