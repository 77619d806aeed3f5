package engine

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"sync"

	"github.com/legwork-mcp/legwork/internal/cwac/crawl"
	"github.com/legwork-mcp/legwork/internal/cwac/results"
	"github.com/legwork-mcp/legwork/internal/fault"
)

// siteScan is the scan of one base URL.
type siteScan struct {
	*run
	site     results.Site
	frontier *crawl.Frontier
	bench    bench
	turn     sync.Mutex // held by the lane that takes the next page

	lock    sync.Mutex // guards what follows while pages are visited
	session *session
	ids     []int          // of the pages, by their number in the crawl
	given   int            // pages that were taken
	settled int            // pages that are booked; the next one is this and one more
	waiting map[int]*visit // for their turn to be booked, by sequence
	moved   chan struct{}  // closed and replaced when a page is booked
	pages   int
	failed  int    // pages in a row
	reason  string // why it ended early or empty
	written map[string]bool
	views   map[string]results.View // of the pages that were scanned, without a viewport
}

// site scans one base URL, and writes how it ended whatever happens.
func (r *run) site(ctx context.Context, s results.Site) {
	scan := &siteScan{
		run: r, site: s, waiting: map[int]*visit{}, moved: make(chan struct{}), written: map[string]bool{}, views: map[string]results.View{},
	}
	frontier, err := crawl.New(r.crawlOptions(s))
	if err != nil {
		scan.reason = fault.From(err).Message
	} else {
		scan.frontier = frontier
		scan.crawl(ctx)
		scan.bench.drop(ctx, r)
		scan.afterwards(ctx)
		scan.ledger()
	}
	scan.end(ctx)
}

// end writes the site's own row.
func (s *siteScan) end(ctx context.Context) {
	out := results.SiteOutcome{Site: s.site, Pages: s.pages, Reason: s.reason}
	if s.frontier != nil {
		if asked, now := s.frontier.Base(); now != asked {
			out.Final = now
		}
		if s.pages == 0 && out.Reason == "" {
			out.Reason = s.why()
		}
	}
	if ctx.Err() != nil && out.Reason == "" {
		out.Reason = "the scan was stopped"
	}
	s.meter.site(s.pages, s.Config.MaxLinksPerDomain)
	s.keep(s.out.SiteEnds(out))
	s.mu.Lock()
	s.outcome.Sites = append(s.outcome.Sites, out)
	s.outcome.Pages += s.pages
	s.mu.Unlock()
	s.step("", "", 0)
}

// why says what kept the base URL from being scanned.
func (s *siteScan) why() string {
	for _, e := range s.frontier.Ledger() {
		if e.Source == crawl.SourceSeed {
			if e.Reason == crawl.ReasonStatus {
				return strings.TrimSpace(fmt.Sprintf("%s %d %s", reasons[e.Reason], e.Status, e.Detail))
			}
			switch {
			case e.State == crawl.StateScanned:
				return noMeasure
			case e.Reason == crawl.ReasonStopped:
				return reasons[e.Reason]
			}
			return strings.TrimSpace(reasons[e.Reason] + " " + e.Detail)
		}
	}
	return ""
}

// noMeasure is why a page counts as not scanned that was loaded without an error.
const noMeasure = "it was loaded, but no audit that is switched on had anything to measure there"

// reasons are the crawl's in words.
var reasons = map[crawl.Reason]string{
	crawl.ReasonRobots:        "robots.txt does not allow it:",
	crawl.ReasonNoRobots:      "robots.txt got no usable answer, and then nothing may be scanned:",
	crawl.ReasonOutOfScope:    "it is out of scope:",
	crawl.ReasonExcluded:      "a pattern excludes it:",
	crawl.ReasonNotHTML:       "it is no web page",
	crawl.ReasonDocument:      "it is a document, not a web page",
	crawl.ReasonStatus:        "the server answered with an error status:",
	crawl.ReasonRedirect:      "it leads to another address that could not be scanned",
	crawl.ReasonDuplicate:     "it is the same page as another base URL",
	crawl.ReasonLimit:         "the limit of the crawl was reached",
	crawl.ReasonRedirectedOut: "it leads to another site",
	crawl.ReasonHeaderCheck:   "the server gave no usable answer:",
	crawl.ReasonHTTPSOnly:     "it is not served by https, and only_allow_https is on",
	crawl.ReasonScheme:        "it is neither http nor https",
	crawl.ReasonInvalid:       "it is no valid address",
	crawl.ReasonTooLong:       "the address is too long",
	crawl.ReasonTrap:          "the address repeats itself without end:",
	crawl.ReasonBlocked:       "a firewall or bot check answered instead of the site:",
	crawl.ReasonErrorPage:     "an error page came instead:",
	crawl.ReasonLoginLost:     "the sign-in page came instead: the login does not fit this site, or its session is over",
	crawl.ReasonFailed:        "it could not be loaded or audited:",
	crawl.ReasonStopped:       "the scan was stopped",
}

// crawlOptions are the configuration as the crawl understands it.
func (r *run) crawlOptions(s results.Site) crawl.Options {
	c := r.Config
	o := crawl.Options{
		Site: s.URL, MaxPages: c.MaxLinksPerDomain, Client: r.Client, UserAgent: c.UserAgent, Token: c.ProductToken,
		Robots: crawl.RobotsStrict, Sitemaps: c.CrawlSitemaps, HTTPSOnly: c.OnlyHTTPS, HeaderCheck: c.HeaderCheck,
		Fold: !c.Legwork.Compat, HashRoutes: c.Legwork.HashRoutes, Include: c.Legwork.Include, Exclude: c.Legwork.Exclude,
		Delay: delay(c.DelayPageLoads), Clock: r.Clock,
	}
	switch {
	case !c.FollowRobots:
		o.Robots = crawl.RobotsIgnore
	case c.Legwork.Robots == "allow" || c.Legwork.Robots == "" && c.Legwork.Compat:
		o.Robots = crawl.RobotsLenient
	}
	if !c.Visit() {
		for _, other := range r.Sites {
			if other.URL != s.URL {
				o.Also = append(o.Also, other.URL)
			}
		}
	}
	for _, n := range r.NoHead {
		o.NoHead = o.NoHead || strings.TrimSuffix(n, "/") == strings.TrimSuffix(s.URL, "/")
	}
	r.login.lend(&o)
	return o
}

// lend gives the requests beside the browser what they may know of the login. A
// session that the browser got by its own steps is not among it: then pages are
// loaded without asking for their headers first.
func (l *Login) lend(o *crawl.Options) {
	if l == nil {
		return
	}
	base, err := url.Parse(o.Site)
	if err != nil {
		return
	}
	if len(l.Steps) > 0 {
		o.HeaderCheck = false
	}
	o.Headers = l.Headers
	o.SignedIn = len(l.Headers) > 0 || len(l.Cookies) > 0 || len(l.storage) > 0 // steps say themselves how they end
	for _, c := range l.Cookies {
		domain, subdomains := strings.CutPrefix(c.Domain, ".")
		if u, err := url.Parse(c.URL); c.URL != "" && err == nil {
			domain, subdomains = u.Hostname(), false
		}
		host := base.Hostname()
		if host == domain || subdomains && strings.HasSuffix(host, "."+domain) {
			o.Cookies = append(o.Cookies, &http.Cookie{Name: c.Name, Value: c.Value, Path: c.Path, Secure: c.Secure, HttpOnly: c.HTTPOnly})
		}
	}
}

// ledger writes every address that has no outcome of its own yet.
func (s *siteScan) ledger() {
	for _, e := range s.frontier.Ledger() {
		s.code(e)
		if !s.written[e.URL] {
			s.write(outcomeOf(s.site, e))
		}
	}
	s.sitemaps()
	s.patterns()
	for _, p := range s.frontier.UnusedPatterns() {
		s.note(results.Note{Audit: results.AuditCrawl, Kind: "unused_pattern", Text: "No address matched the pattern " + p + "."})
	}
	if n := s.frontier.Dropped(); n > 0 {
		s.note(results.Note{Audit: results.AuditCrawl, Kind: "links_dropped", Text: "Some links are beyond the limits of the crawl and are not in the ledger."})
	}
}

// maxSitemaps is how many sitemaps of a site that were of no use are told one by one: a
// site may name hundreds, and there may be hundreds of sites.
const maxSitemaps = 20

func (s *siteScan) sitemaps() {
	var list []results.Note
	left := 0
	for _, f := range s.frontier.SitemapFiles() {
		switch {
		case f.Problem == "":
		case len(list) == maxSitemaps:
			left++
		default:
			list = append(list, results.Note{Audit: results.AuditCrawl, Kind: "sitemap", Text: "The sitemap could not be used in full: " + f.Problem + ".", Where: f.URL})
		}
	}
	if left > 0 {
		list = append(list, results.Note{Audit: results.AuditCrawl, Kind: "sitemap", Text: fmt.Sprintf("%d more sitemaps could not be used in full.", left), Where: s.site.URL})
	}
	if list != nil {
		s.note(list...)
	}
}

func (s *siteScan) write(p results.PageOutcome) {
	s.written[p.URL] = true
	s.keep(s.out.Page(p))
}

// code records an answer that was no page.
func (s *siteScan) code(e crawl.Entry) {
	status := e.Status
	switch {
	case !s.Config.RecordCodes:
		return
	case e.Reason == crawl.ReasonHeaderCheck && status == 0:
		status = -1
	case e.Reason != crawl.ReasonStatus || status == 0:
		return
	}
	parent := s.site.URL
	if len(e.Parents) > 0 {
		parent = e.Parents[0]
	}
	s.keep(s.out.Code(results.ResponseCode{BaseURL: s.site.URL, Parent: parent, URL: e.URL, Status: status}))
}

func outcomeOf(site results.Site, e crawl.Entry) results.PageOutcome {
	p := results.PageOutcome{
		Site: site, URL: e.URL, Final: e.Final, Source: string(e.Source), Depth: e.Depth, State: string(e.State), Reason: string(e.Reason), Status: e.Status,
	}
	p.Detail = strings.TrimSpace(e.Detail + " " + e.Of)
	if len(e.Parents) > 0 {
		p.Parent = e.Parents[0]
	}
	if e.Like != "" {
		p.Notes = append(p.Notes, results.Note{Audit: results.AuditCrawl, Kind: "near_identical", Text: "Title and text are nearly those of another page.", Where: e.Like})
	}
	return p
}

// cause is the reason in words of why a page could not be scanned, without paths or
// text of the page.
func cause(err error) string {
	var f *fault.Error
	if errors.As(err, &f) {
		return f.Message
	}
	if errors.Is(err, context.DeadlineExceeded) {
		return "The page took too long."
	}
	return "The page could not be scanned."
}
