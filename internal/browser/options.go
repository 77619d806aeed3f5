package browser

import (
	"context"
	"log/slog"
	"net/netip"
	"runtime"
	"sync"
	"time"
)

// The engines that can be asked for by name.
const (
	EngineAny           = ""
	EngineChromium      = "chromium"
	EngineHeadlessShell = "chromium-headless-shell"
	EngineFirefox       = "firefox"
	EngineWebKit        = "webkit"    // WebKitGTK, or else WPE
	EngineWebKitGTK     = "webkitgtk" // under a screen of its own
	EngineWPE           = "wpe"       // WPE WebKit in cog, without a screen
)

// Options configure a [Pool]. The zero value is a good default.
type Options struct {
	// Engine is chromium, chromium-headless-shell, firefox, the path of a binary, or
	// empty for the best one that is installed.
	Engine string
	// Remotes are browsers that somebody else started: http://HOST:PORT of the
	// DevTools protocol, or a ws:// or wss:// address. They are used instead of
	// Chromium of this machine, one connection each, and never ended. An address of
	// W3C WebDriver that gives Chromium is asked for one, which is given back. With
	// webkit+http://HOST:PORT each is a WebKitWebDriver, which is used for one tab at a
	// time instead of WebKit of this machine.
	Remotes []string
	// GuardHost is the address of this machine at which remote browsers reach the
	// network guard; default loopback.
	GuardHost string
	// Headed shows the windows. It needs a display and full Chromium.
	Headed bool
	// MaxBrowsers is how many browser processes run at most; default 1.
	MaxBrowsers int
	// TabsPerBrowser is how many tabs one process has at most. The default
	// gives two tabs per core over all browsers; more only makes all slower.
	TabsPerBrowser int
	// RecycleAfter replaces a browser after that many tabs; default 200.
	RecycleAfter int
	// MaxRSS replaces a browser whose processes hold more unshared memory, in
	// bytes, as soon as no tab uses it. Default 2 GiB; negative means no limit.
	MaxRSS int64
	// DataDir is where temporary profiles go; default the system's own place.
	DataDir string
	// Logger gets life-cycle events, never page data. Default: nothing.
	Logger *slog.Logger
	// Scrollbars gives pages the scrollbars of a desktop, 15 pixels wide, which take
	// room from the page. The default draws none; see also [Size].
	Scrollbars bool
	// Sandbox forces Chromium's sandbox on or off. The default is on, except
	// for root, whom Chromium refuses to sandbox.
	Sandbox *bool

	errands *sync.WaitGroup // of the pool, which waits for them when it is closed
	webkits *webkitFar      // of Remotes, one for all hosts of a pool; nil when there are none
}

const (
	defaultRecycle = 200
	defaultMaxRSS  = 2 << 30
)

func (o Options) withDefaults() Options {
	if o.MaxBrowsers <= 0 {
		o.MaxBrowsers = 1
	}
	var webkits []string
	o.Remotes, webkits = split(o.Remotes)
	o.webkits = newWebKitFar(o.GuardHost, webkits)
	if len(o.Remotes) > 0 {
		o.MaxBrowsers = len(o.Remotes)
	}
	if o.TabsPerBrowser <= 0 {
		o.TabsPerBrowser = max(1, 2*runtime.NumCPU()/o.MaxBrowsers)
	}
	if o.RecycleAfter <= 0 {
		o.RecycleAfter = defaultRecycle
	}
	if o.MaxRSS == 0 {
		o.MaxRSS = defaultMaxRSS
	}
	if o.Logger == nil {
		o.Logger = slog.New(slog.DiscardHandler)
	}
	return o
}

// slots is how many tabs there may be at a time.
func (o Options) slots() int {
	n := o.MaxBrowsers * o.TabsPerBrowser
	if o.webkits != nil {
		n += len(o.webkits.seats)
	}
	return n
}

// TabOptions configure one tab.
type TabOptions struct {
	// Engine is one of those of [Options.Engine], for this tab only; empty is the
	// pool's.
	Engine string
	// Policy says which addresses the tab may reach.
	Policy Policy
	// Width and Height of the viewport; default 1280 by 800.
	Width, Height int
	// Locale defaults to en-US, Timezone to America/New_York.
	Locale, Timezone string
	// Downloads is the directory for downloads; empty refuses them.
	Downloads string
	// Queue hears the position in the queue, 1 is next, while Open waits.
	Queue func(position int)
	// InitScripts run in the agent world of every document before its own scripts.
	InitScripts []InitScript
	// Headed shows this tab in a window.
	Headed bool
	// NoServiceWorkers keeps workers of a site from answering for it: every answer
	// is then that of the server, as on a first visit.
	NoServiceWorkers bool
	// UserAgent replaces the browser's own User-Agent.
	UserAgent string
	// Headers are sent with every request to an origin such as
	// "https://example.org", and to no other: they may be credentials.
	Headers map[string]map[string]string
	// Cookies that the tab has from the start.
	Cookies []Cookie
	// Storage is what pages of an origin find in their local storage when they
	// have no entry of that name.
	Storage map[string]map[string]string
}

// Cookie is one cookie that a tab begins with.
type Cookie struct {
	Name, Value string
	// URL of a page that gets the cookie, or else Domain, with a dot in front for
	// its subdomains too, and Path, default "/".
	URL, Domain, Path string
	Secure, HTTPOnly  bool
	// SameSite is Strict, Lax, None or empty.
	SameSite string
	// Expires ends the cookie; the zero time ends it with the tab.
	Expires time.Time
}

// InitScript is a script for the isolated agent world of each document.
type InitScript struct {
	// Source is JavaScript that is complete in itself.
	Source string
}

func (o TabOptions) withDefaults() TabOptions {
	if o.Width <= 0 {
		o.Width = 1280
	}
	if o.Height <= 0 {
		o.Height = 800
	}
	if o.Locale == "" {
		o.Locale = "en-US"
	}
	if o.Timezone == "" {
		o.Timezone = "America/New_York"
	}
	return o
}

// Policy says which addresses a tab may reach. The zero value allows public
// addresses only.
type Policy struct {
	// AllowPrivate allows private, loopback and link-local addresses.
	AllowPrivate bool
	// AllowOrigins are origins that are allowed although they are private,
	// such as "http://127.0.0.1:8099".
	AllowOrigins []string
	// OnlyOrigins, when set, refuses every other origin.
	OnlyOrigins []string
	// Hosts dials another address for a "host:port", and trusts it.
	Hosts map[string]string
	// MaxBytes ends all loading when the tab has received that much; 0 is no limit.
	MaxBytes int64
	// Lookup replaces the system's name resolution.
	Lookup func(ctx context.Context, host string) ([]netip.Addr, error)
}
