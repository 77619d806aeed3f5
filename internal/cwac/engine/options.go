package engine

import (
	"context"
	"encoding/json"
	"log/slog"
	"net/http"
	"strings"
	"time"

	"github.com/legwork-mcp/legwork/internal/browser"
	"github.com/legwork-mcp/legwork/internal/cwac/crawl"
	"github.com/legwork-mcp/legwork/internal/cwac/results"
	"github.com/legwork-mcp/legwork/internal/fault"
)

// Opener gives browser tabs; [browser.Pool] does. For each site that is scanned at the
// same time it must have one tab more than [Options.Tabs]: the markup of the pages is
// checked in it. Sizes as CWAC's windows have them need a pool with visible scrollbars.
type Opener interface {
	Open(ctx context.Context, o browser.TabOptions) (*browser.Tab, error)
	Beside(ctx context.Context, first *browser.Tab, o browser.TabOptions) (*browser.Tab, error)
}

// Options are one scan. Zero values are the defaults that are stated.
type Options struct {
	Config results.Config
	Sites  []results.Site
	// Skipped are rows of the input files that name no site.
	Skipped []results.SkippedRow
	// Remarks on the configuration are kept with the results.
	Remarks []string
	// NoHead are base URLs that are not to be asked by HEAD.
	NoHead []string
	// Parallel is how many sites are scanned at the same time at most; 0 leaves it to
	// the configuration's threads.
	Parallel int
	// Tabs is in how many tabs of one visitor the pages of a site are scanned; 0 means
	// one. The results are the same whatever the number, unless the site makes a page
	// depend on the moment at which another one is looked at.
	Tabs int
	// OutDir is the folder in which the results folder is made.
	OutDir  string
	Browser Opener
	// Policy says which addresses a page may reach, and Client sends the requests
	// beside the browser: it must keep to the same policy and follow no redirect.
	Policy browser.Policy
	Client http.RoundTripper
	Clock  crawl.Clock // nil: that of the machine
	Watch  Watcher     // nil: nobody
	Logger *slog.Logger
	// Versions of the program and the browser, for the record.
	Versions map[string]string
	// Process names the process that scans, for whoever finds the record of a scan that
	// was cut off; see [results.Bury].
	Process json.RawMessage
	Limits  Limits
}

// Limits bound what a site can cost.
type Limits struct {
	Page        time.Duration // all work on one page, loading included: 3 min
	Focus       time.Duration // the way through one page with the Tab key: 1 min
	PageBytes   int64         // what a page may load; it may load up to twice as much: 32 MiB
	Recycle     int           // pages after which the tabs of a site are replaced: 50
	FailedInRow int           // failed pages that end a site, as CWAC does: 3
	Documents   int           // PDF files of a site that are read: 100
	Document    int64         // bytes of one: 32 MiB
	Reading     time.Duration // time to load one: 1 min
	AllReading  time.Duration // time to load and check all of a site: 10 min
}

func (l Limits) withDefaults() Limits {
	set(&l.Page, 3*time.Minute)
	set(&l.Focus, time.Minute)
	set(&l.PageBytes, 32<<20)
	set(&l.Recycle, 50)
	set(&l.FailedInRow, 3)
	set(&l.Documents, 100)
	set(&l.Document, 32<<20)
	set(&l.Reading, time.Minute)
	set(&l.AllReading, 10*time.Minute)
	return l
}

func set[T int | int64 | time.Duration](v *T, to T) {
	if *v <= 0 {
		*v = to
	}
}

// Outcome is how a scan ended.
type Outcome struct {
	Dir   string // the results folder
	Name  string // its name
	State string // results.StateComplete, StateCancelled or StateFailed
	Pages int    // scanned
	// Issues are counted per page and viewport, as CWAC counts.
	Issues  int
	Sites   []results.SiteOutcome
	Notes   []results.Note
	Elapsed time.Duration
}

// Unused says which rows of the input name no site, and why there is none at all.
func (o Outcome) Unused() []string {
	var out []string
	for _, n := range o.Notes {
		switch n.Kind {
		case noteSkipped:
			out = append(out, strings.TrimSpace("Skipped: "+n.Where+" ("+n.Text+")"))
		case noteNoSites:
			out = append(out, n.Text)
		}
	}
	return out
}

func (o Options) checked() (Options, error) {
	o.Limits = o.Limits.withDefaults()
	if o.Clock == nil {
		o.Clock = crawl.Wall{}
	}
	if o.Watch == nil {
		o.Watch = silent{}
	}
	if o.Logger == nil {
		o.Logger = slog.New(slog.DiscardHandler)
	}
	if err := o.Config.Check(); err != nil {
		return o, err
	}
	for _, p := range o.Config.Plugins {
		if p.Enabled && !has(p.Name) {
			return o, fault.New(fault.Invalid, "unknown_plugin", "ModuleNotFoundError: No module named 'src.audit_plugins."+p.Name+"'.",
				"Take the plugin "+p.Name+" out of audit_plugins, or switch it off.")
		}
	}
	return o, nil
}
