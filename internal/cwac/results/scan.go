package results

import (
	"encoding/json"
	"time"
)

// The states of a scan.
const (
	StateRunning   = "running"
	StateComplete  = "complete"  // it went to its end; see how many pages that was
	StateCancelled = "cancelled" // someone ended it; what it had found is kept
	StateFailed    = "failed"    // it could not go on; see Error
)

// The states of a page of the crawl.
const (
	PageScanned = "scanned"
	PagePartial = "partial" // some of its audits failed
	PageFailed  = "failed"
	PageBlocked = "blocked" // a challenge or block page came instead
	PageSkipped = "skipped" // never loaded, see Reason
)

// Scan is what is known of a scan as a whole: the file scan.json of a folder that
// the native engine wrote.
type Scan struct {
	Format    int                 `json:"format"`             // of the native files of this folder; 1
	Engine    string              `json:"engine"`             // "legwork"
	Versions  map[string]string   `json:"versions,omitempty"` // of the program, the browser, axe-core, ...
	Name      string              `json:"name"`               // of the folder
	AuditName string              `json:"audit_name"`         // as it was asked for
	State     string              `json:"state"`
	Error     string              `json:"error,omitempty"`   // why it failed, for people
	Process   json.RawMessage     `json:"process,omitempty"` // that scans, for as long as it does
	Start     time.Time           `json:"start"`
	End       time.Time           `json:"end,omitzero"`
	Plugins   []string            `json:"plugins"` // that ran, in order
	Ignored   []string            `json:"ignored_plugins,omitempty"`
	Viewports []Viewport          `json:"viewports"`
	Compat    bool                `json:"compat"`
	Frames    bool                `json:"frames"`
	Sites     []SiteOutcome       `json:"sites,omitempty"`
	Rules     map[string][]string `json:"rules,omitempty"` // that ran, by audit, sorted
	Counts    Counts              `json:"counts"`
	Coverage  json.RawMessage     `json:"coverage,omitempty"` // the engine's own figures
	Notes     []Note              `json:"notes,omitempty"`
}

// SiteOutcome is how one base URL ended.
type SiteOutcome struct {
	Site   Site   `json:"site"`
	Pages  int    `json:"pages"` // scanned
	Final  string `json:"final_url,omitempty"`
	Reason string `json:"reason,omitempty"` // why it ended early or empty
}

// Counts are the rows that the writer made.
type Counts struct {
	Findings int            `json:"findings"`     // whole findings, without those that need review
	Review   int            `json:"needs_review"` // findings that the engine could not decide
	Issues   map[string]int `json:"issues"`       // sums of num_issues, by audit
	Pages    map[string]int `json:"pages"`        // addresses of the crawl, by state
	Views    int            `json:"views"`        // pages times viewports that axe looked at
}

// Progress is one row of progress.csv.
type Progress struct {
	Time      time.Time
	Done      int     // pages so far
	Total     int     // pages that are expected; corrected as sites end
	Speed     float64 // pages per second
	Percent   float64 // 0 to 100
	Elapsed   time.Duration
	Remaining time.Duration
}

// ResponseCode is one row of unexpected_response_codes.csv. Status is -1 when
// nothing answered.
type ResponseCode struct {
	BaseURL, Parent, URL string
	Status               int
}

// AntiBot is one row of anti_bot.csv: a page that a firewall kept.
type AntiBot struct {
	Organisation, Domain, URL string
	Check                     string // the firewall: Imperva, Cloudflare, ...
	Viewport                  Viewport
}
