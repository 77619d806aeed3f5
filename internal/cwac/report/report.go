package report

import (
	"time"

	"github.com/legwork-mcp/legwork/internal/cwac/results"
)

// Report is a scan, counted. Four figures are told apart everywhere, see [Counts].
// Findings that the engine could not decide are in Review only and in no count of
// faults.
type Report struct {
	Scan       Facts       `json:"scan"`
	Totals     Counts      `json:"totals"`
	WCAG       Counts      `json:"wcag"`               // the part of the totals that is about a success criterion
	Beside     int         `json:"documents_affected"` // addresses with an issue that are no scanned pages, such as PDF files
	ByAudit    []Tally     `json:"by_audit"`
	ByImpact   []Tally     `json:"by_impact"` // worst first; their issues sum up to the total
	Rules      []*Rule     `json:"rules"`     // in the order in which to look at them, see [Rule]
	Review     []*Rule     `json:"needs_review"`
	Sites      []Site      `json:"sites"`
	Pages      []*Page     `json:"pages"` // scanned ones, most issues first
	Unscanned  []Unscanned `json:"not_scanned"`
	Reading    []Reading   `json:"reading,omitempty"` // hardest first
	Coverage   Coverage    `json:"coverage"`
	Comparison *Comparison `json:"comparison,omitempty"`
	Notes      []string    `json:"notes,omitempty"` // what a reader must know before trusting the figures

	// Untested say what of the scanned pages was not looked at. They are among the notes.
	Untested []Untested `json:"-"`

	documents []string // addresses of the documents that an audit looked at

	source *results.Results // for pictures and the leaderboards of CWAC
	ran    map[string]bool  // rules
}

// Facts say which scan it is.
type Facts struct {
	Name      string             `json:"name"` // of the results folder
	AuditName string             `json:"audit_name"`
	Engine    string             `json:"engine"`
	Versions  map[string]string  `json:"versions,omitempty"`
	State     string             `json:"state"` // empty: the engine does not say
	Start     time.Time          `json:"start"`
	End       time.Time          `json:"end,omitzero"`
	Audits    []string           `json:"audits"`
	Viewports []results.Viewport `json:"viewports"`
	Scanned   int                `json:"pages_scanned"`
	Known     int                `json:"addresses_known"` // scanned or not
}

// Counts are the four figures of any part of a scan.
type Counts struct {
	Instances int `json:"instances"`       // faults at every viewport: the sum of num_issues
	Issues    int `json:"issues"`          // the same, a fault that shows at several viewports counted once
	Pages     int `json:"pages_affected"`  // distinct addresses
	Groups    int `json:"groups"`          // issues with one fingerprint counted once: places in the source
	Templates int `json:"template_groups"` // groups on two pages or more
}

// Tally is the count of one value, such as an impact.
type Tally struct {
	Name string `json:"name"`
	Counts
}

// The impacts, worst first. Unknown is that of audits that have none.
const (
	Critical = "critical"
	Serious  = "serious"
	Moderate = "moderate"
	Minor    = "minor"
	Unknown  = "unknown"
)

// Impacts are all impacts, worst first.
func Impacts() []string { return []string{Critical, Serious, Moderate, Minor, Unknown} }

// Rule is what was found by one rule. Rules are sorted by impact; then those about a
// success criterion come before the others; then by pages affected and issues.
type Rule struct {
	ID          string   `json:"rule_id"`
	Audit       string   `json:"audit"`
	Impact      string   `json:"impact"` // the worst that it was given
	Help        string   `json:"help"`
	Description string   `json:"description"`
	HelpURL     string   `json:"help_url,omitempty"`
	Criteria    []string `json:"wcag,omitempty"`       // numbers, such as 1.1.1
	Clauses     []string `json:"en_301_549,omitempty"` // of EN 301 549 V3.2.1
	Tags        []string `json:"tags,omitempty"`       //
	Best        bool     `json:"best_practice"`        // advice; no success criterion is broken
	Fix         string   `json:"fix,omitempty"`        // what to do, in one sentence
	Effort      string   `json:"effort,omitempty"`     // small, medium, large: of one fix
	Question    string   `json:"question,omitempty"`   // for a person, of rules that need review
	Counts      Counts   `json:"counts"`               //
	Groups      []*Group `json:"groups"`               // most pages first
}

// Group is one fault of the source, as far as a fingerprint can tell: equal issues,
// often of the template of several pages.
type Group struct {
	Fingerprint string   `json:"fingerprint"`
	Impact      string   `json:"impact"`
	Counts      Counts   `json:"counts"`
	Example     *Issue   `json:"example"` // the one that shows most
	Issues      []*Issue `json:"issues,omitempty"`
}

// Issue is one fault at one place of one page, whatever the number of viewports that
// show it.
type Issue struct {
	Page         string         `json:"url"`
	Title        string         `json:"page_title"`
	Organisation string         `json:"organisation"`
	Site         string         `json:"site"` // base URL
	Sector       string         `json:"sector"`
	Impact       string         `json:"impact"`
	Viewports    []string       `json:"viewports"` // that show it, by name
	Count        int            `json:"issues"`    // at the viewport that has most: equal elements can share a place
	Instances    int            `json:"instances"` // over all viewports
	Selector     string         `json:"selector,omitempty"`
	Target       string         `json:"target,omitempty"` // XPath
	Frame        string         `json:"frame,omitempty"`
	HTML         string         `json:"html"`
	Summary      string         `json:"summary,omitempty"`
	Data         map[string]any `json:"data,omitempty"`
	IssueID      string         `json:"issue_id,omitempty"` // CWAC's, at the first viewport

	shot      string // audit id of the view that the box belongs to
	shotWidth int    // of its viewport, in CSS pixels
	box       *results.Box
}

// Place is the shortest text that finds the element: its selector, else its XPath.
func (i *Issue) Place() string {
	if i.Selector != "" {
		return i.Selector
	}
	return i.Target
}

// Site is one row of the leaderboard, see [Leaderboard].
type Site struct {
	Organisation string         `json:"organisation"`
	URL          string         `json:"base_url"`
	Sector       string         `json:"sector"`
	Scanned      int            `json:"pages_scanned"`
	Partly       int            `json:"pages_in_part,omitempty"` // of them, those that were not looked at wholly
	Counts       Counts         `json:"counts"`
	ByImpact     map[string]int `json:"issues_by_impact"`
	PerPage      float64        `json:"issues_per_page"` // 0 when nothing was scanned
	Rank         int            `json:"rank"`            // 1: fewest issues per page; equal figures share a rank; 0: nothing was scanned wholly
	Reason       string         `json:"reason,omitempty"`
}

// Page is what was found on one address.
type Page struct {
	URL    string   `json:"url"`
	Title  string   `json:"page_title"`
	Site   string   `json:"site"`
	State  string   `json:"state"`
	Reason string   `json:"reason,omitempty"` // why it was scanned in part only
	Counts Counts   `json:"counts"`
	Worst  string   `json:"worst_impact,omitempty"`
	Review int      `json:"needs_review"`
	Notes  []string `json:"notes,omitempty"`

	owner results.Site
	short shortfall
}

// Unscanned are the addresses that were not scanned for one reason.
type Unscanned struct {
	State    string             `json:"state"`
	Reason   string             `json:"reason"`
	Count    int                `json:"count"`
	Examples []UnscannedAddress `json:"examples"`
}

// UnscannedAddress is one of them.
type UnscannedAddress struct {
	URL    string `json:"url"`
	Parent string `json:"parent_url,omitempty"`
	Detail string `json:"detail,omitempty"` // such as the page that this one is a copy of
	Status int    `json:"status,omitempty"`
}

// Reading is how hard the text of a page is to read; school years, so lower is easier.
type Reading struct {
	URL       string   `json:"url"`
	Title     string   `json:"page_title"`
	Grade     float64  `json:"flesch_kincaid_gl"`
	SMOG      float64  `json:"smog_gl"`
	Sentences int      `json:"num_sentences"`
	Hardest   []string `json:"hardest,omitempty"`
}
