package crawl

import (
	"net/http"
	"time"

	"github.com/legwork-mcp/legwork/internal/fault"
)

// RobotsMode says what a robots.txt means to the crawl.
type RobotsMode string

// The modes.
const (
	RobotsStrict  RobotsMode = "strict"  // RFC 9309: one that the server fails to give disallows everything
	RobotsLenient RobotsMode = "lenient" // as CWAC: one that the server fails to give allows everything
	RobotsIgnore  RobotsMode = "ignore"
)

// Options describe one crawl. Zero values are the defaults that are stated.
type Options struct {
	// Site is the base URL: where the crawl begins, and its scope.
	Site string
	// Also are the other base URLs of the list. Each owns what is below it.
	Also []string
	// MaxPages is how many pages may be scanned; 0 means 50. With 1 no links are
	// followed and no sitemap is read.
	MaxPages int
	// Client sends one request and follows no redirect. The caller guards it
	// against private addresses.
	Client http.RoundTripper
	// UserAgent goes with every request; Token is the crawler's name in robots.txt.
	UserAgent, Token string
	// Robots is the mode; empty means strict.
	Robots RobotsMode
	// Sitemaps makes the crawl read sitemaps after the first page.
	Sitemaps bool
	// HTTPSOnly skips pages that are not served by https in the end.
	HTTPSOnly bool
	// HeaderCheck asks for the headers of every address before it is loaded.
	HeaderCheck bool
	// NoHead makes that check by GET from the start.
	NoHead bool
	// Fold treats addresses as one when they differ by tracking parameters or the
	// order of parameters, or when the site shows that they are one page: by a
	// redirect, a canonical link or the same source.
	Fold bool
	// HashRoutes makes "#/x" and "#!x" pages of their own.
	HashRoutes bool
	// Include and Exclude narrow the scope: patterns as in robots.txt, for the path
	// and query, or for the whole address when they have a "://".
	Include, Exclude []string
	// Headers are sent to an origin such as "https://example.org", and to no other,
	// wherever the crawl goes: they may be credentials. They are never put into the
	// ledger.
	Headers map[string]map[string]string
	// Cookies are set for the base URL before the first request, and kept as a
	// browser would.
	Cookies []*http.Cookie
	// SignedIn says that the browser has a session: a sign-in page in the place of
	// another page then shows that it does not fit, or is over.
	SignedIn bool
	// Delay is the least time between two addresses of one host.
	Delay time.Duration
	// Limits bound what a hostile site can cost.
	Limits Limits
	// Clock replaces the clock of the machine.
	Clock Clock
}

// Key is equal for base URLs that are surely the same page, and empty for one that is no
// address.
func (o Options) Key() string {
	a, err := addressRules{fold: o.Fold, hashRoutes: o.HashRoutes}.parse(o.Site, nil)
	if err != nil {
		return ""
	}
	return a.key
}

// Limits bound a crawl. Zero values are the defaults that are stated.
type Limits struct {
	Addresses    int           // rows of the ledger: 100,000
	LinksPerPage int           // links that are taken of one page: 10,000
	Checks       int           // addresses that are checked before loading: 100 and 20 a page
	PerPattern   int           // addresses alike but for their digits that are taken in turn; more wait until all others had theirs: 50
	Segments     int           // parts of a path: 40
	SitemapFiles int           // 100
	SitemapURLs  int           // addresses taken of all sitemaps: 50,000
	SitemapBytes int64         // of one sitemap, unpacked: 50 MiB, as sitemaps.org has it
	Redirects    int           // of one address: 10
	Request      time.Duration // time of one request: 10 s
	CrawlDelay   time.Duration // most that a robots.txt can ask for: 10 s
	RetryAfter   time.Duration // most that an answer can ask for: 30 s
}

// maxSitemaps is how many sitemaps of a robots.txt are remembered.
const maxSitemaps = 100

func (l Limits) withDefaults(pages int) Limits {
	set := func(v *int, to int) {
		if *v <= 0 {
			*v = to
		}
	}
	set(&l.Addresses, 100_000)
	set(&l.LinksPerPage, 10_000)
	set(&l.Checks, 100+20*pages)
	set(&l.PerPattern, 50)
	set(&l.Segments, 40)
	set(&l.SitemapFiles, 100)
	set(&l.SitemapURLs, 50_000)
	set(&l.Redirects, 10)
	if l.SitemapBytes <= 0 {
		l.SitemapBytes = 50 << 20
	}
	for v, to := range map[*time.Duration]time.Duration{&l.Request: 10 * time.Second, &l.CrawlDelay: 10 * time.Second, &l.RetryAfter: 30 * time.Second} {
		if *v <= 0 {
			*v = to
		}
	}
	return l
}

// checked fills the defaults in and says what is wrong with the rest.
func (o Options) checked() (Options, error) {
	if o.MaxPages <= 0 {
		o.MaxPages = 50
	}
	o.Limits = o.Limits.withDefaults(o.MaxPages)
	if o.Clock == nil {
		o.Clock = Wall{}
	}
	if o.Robots == "" {
		o.Robots = RobotsStrict
	}
	switch {
	case o.Client == nil:
		return o, fault.New(fault.Internal, "crawl_client", "The crawl has no client for its requests.", "Report this as a defect.")
	case o.Robots != RobotsStrict && o.Robots != RobotsLenient && o.Robots != RobotsIgnore:
		return o, fault.New(fault.Invalid, "robots_mode", "There is no robots mode "+string(o.Robots)+".", "Use strict, lenient or ignore.")
	}
	return o, nil
}
