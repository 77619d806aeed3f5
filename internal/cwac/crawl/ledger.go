package crawl

// State is how far an address got.
type State string

// The states. Every address of a finished crawl has one of the last five.
const (
	StateWaiting State = "waiting" // not decided yet
	StateLoading State = "loading" // given out by Next
	StateScanned State = "scanned" // loaded and audited
	StatePartial State = "partial" // loaded, and not audited wholly
	StateSkipped State = "skipped" // never to be audited; Reason says why
	StateBlocked State = "blocked" // a firewall or bot check answered instead of the site
	StateFailed  State = "failed"  // it should have been audited and could not be
)

// Reason is why an address was not scanned.
type Reason string

// The reasons.
const (
	ReasonRobots        Reason = "robots"              // robots.txt forbids it; Detail has the rule
	ReasonNoRobots      Reason = "no_robots"           // robots.txt got no answer, which forbids all (RFC 9309); Detail says why
	ReasonOutOfScope    Reason = "out_of_scope"        // another site, another part of it, or another base URL's part
	ReasonExcluded      Reason = "excluded"            // by a pattern of the caller
	ReasonNotHTML       Reason = "not_html"            // an image, a feed, a download
	ReasonDocument      Reason = "document"            // PDF or office file: audited as such, not as a page
	ReasonStatus        Reason = "status"              // the answer was not 200
	ReasonRedirect      Reason = "redirect"            // leads to Of, which has its own entry
	ReasonDuplicate     Reason = "duplicate_of"        // the same page as Of
	ReasonLimit         Reason = "limit"               // the crawl ended before its turn
	ReasonRedirectedOut Reason = "redirected_out"      // leads out of scope, to Final
	ReasonHeaderCheck   Reason = "header_check_failed" // no usable answer to the check before loading
	ReasonHTTPSOnly     Reason = "https_only"
	ReasonScheme        Reason = "unsupported_scheme" // mailto:, tel:, javascript:, ...
	ReasonInvalid       Reason = "invalid_address"
	ReasonTooLong       Reason = "too_long"
	ReasonTrap          Reason = "trap"       // an address that grows without end
	ReasonBlocked       Reason = "blocked"    // Detail has the product
	ReasonErrorPage     Reason = "error_page" // status 200, and the text of an error page
	ReasonLoginLost     Reason = "login_lost" // the session ended: the sign-in page came instead
	ReasonFailed        Reason = "failed"     // the browser could not load or audit it
	ReasonStopped       Reason = "stopped"    // the caller ended the crawl
)

// Source is where an address was met first.
type Source string

// The sources.
const (
	SourceSeed     Source = "seed"
	SourceLink     Source = "link"
	SourceSitemap  Source = "sitemap"
	SourceRedirect Source = "redirect"
)

// Hop is one redirect: the address that answered, and its status.
type Hop struct {
	URL    string `json:"url"`
	Status int    `json:"status"`
}

// maxParents is how many of the pages that link to an address are remembered.
const maxParents = 20

// Entry is what the crawl knows of one address.
type Entry struct {
	URL         string   `json:"url"`
	Final       string   `json:"final_url,omitempty"` // after redirects, when it differs
	Source      Source   `json:"source"`
	Parents     []string `json:"parents,omitempty"` // that link to it, in the order met; the first found it
	ParentCount int      `json:"parent_count,omitempty"`
	Depth       int      `json:"depth"` // clicks from the base URL; an address of a sitemap has 1
	State       State    `json:"state"`
	Reason      Reason   `json:"reason,omitempty"`
	Detail      string   `json:"detail,omitempty"`
	Of          string   `json:"of,omitempty"`     // the entry that stands for this one
	Like        string   `json:"like,omitempty"`   // an earlier page with the same title and nearly the same text; both count
	Status      int      `json:"status,omitempty"` // HTTP; 0: no answer, or none was asked for
	ContentType string   `json:"content_type,omitempty"`
	Hops        []Hop    `json:"hops,omitempty"` // redirects, in order
}

// ledger holds the entries in the order met, by key.
type ledger struct {
	entries []*entry
	byKey   map[string]*entry
	max     int
	dropped int // addresses beyond max
}

// entry is a row of the ledger with what the frontier needs beside it.
type entry struct {
	Entry
	address
	sequence int  // of the load, from 1
	decided  bool // popped from the queue, or reached by a redirect
}

// add makes a row for an address that has none; full is set when there is no room.
func (l *ledger) add(key string, e *entry) bool {
	if len(l.entries) >= l.max {
		l.dropped++
		return false
	}
	if l.byKey == nil {
		l.byKey = map[string]*entry{}
	}
	l.entries = append(l.entries, e)
	l.byKey[key] = e
	return true
}

// parent remembers a page that links to the entry.
func (e *entry) parent(page string) {
	if page == "" {
		return
	}
	if e.ParentCount++; len(e.Parents) < maxParents {
		e.Parents = append(e.Parents, page)
	}
}

// skip decides that the entry is not to be scanned.
func (e *entry) skip(reason Reason, detail string) {
	e.State, e.Reason, e.Detail, e.decided = StateSkipped, reason, detail, true
}
