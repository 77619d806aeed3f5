package results

// The audits, by the names of their plugins and of their files without ".csv".
const (
	AuditAxe        = "axe_core_audit"
	AuditLanguage   = "language_audit"
	AuditReflow     = "reflow_audit"
	AuditTitle      = "title_audit"
	AuditFocus      = "focus_indicator_audit"
	AuditScreenshot = "screenshot_audit"
	AuditElement    = "element_audit"
	AuditHTML       = "html_validation" // native only, as the three below
	AuditCrawl      = "crawl_audit"
	AuditSEO        = "seo_audit"
	AuditPDF        = "pdf_audit"
)

// The rules of audits that have one each.
const (
	RuleReflow         = "reflow"             // WCAG 2.2, 1.4.10
	RuleFocusVisible   = "focus-visible"      // WCAG 2.2, 2.4.7
	RuleFocusObscured  = "focus-not-obscured" // WCAG 2.2, 2.4.11
	RuleNoKeyboardTrap = "no-keyboard-trap"   // WCAG 2.2, 2.1.2
	RuleMotion         = "pause-stop-hide"    // WCAG 2.2, 2.2.2: the page never stood still
)

// Finding is one fault at one place of one view, of any audit that has faults.
// What only one engine knows stays empty: CWAC's files have no selector, box,
// frame or summary, and cut the HTML after 100 characters.
type Finding struct {
	View        View           `json:"view"`
	Audit       string         `json:"audit"`              // the plugin's name
	Rule        string         `json:"rule_id"`            // such as "image-alt"
	Impact      string         `json:"impact"`             // critical, serious, moderate, minor; empty when the audit has none
	Help        string         `json:"help"`               // the short demand: "Images must have alternative text"
	Description string         `json:"description"`        // what the rule is for
	HelpURL     string         `json:"help_url,omitempty"` //
	HTML        string         `json:"html"`               // the element's own markup, bounded
	Target      string         `json:"target"`             // XPath, as CWAC has it
	Selector    string         `json:"selector,omitempty"` // CSS; " >>> " enters a shadow root, " | " a frame
	Frame       string         `json:"frame,omitempty"`    // address of the frame; empty: the page itself
	Summary     string         `json:"summary,omitempty"`  // what to change, of this very element
	Tags        []string       `json:"tags,omitempty"`     // axe's: wcag2a, wcag111, best-practice, ...
	Best        bool           `json:"best_practice,omitempty"`
	Review      bool           `json:"needs_review,omitempty"` // the engine could not decide; no fault until a person says so
	Box         *Box           `json:"box,omitempty"`
	Data        map[string]any `json:"data,omitempty"` // figures of the rule: colours, contrast ratio, font size, pixels
	IssueID     string         `json:"issue_id,omitempty"`
	Fingerprint string         `json:"fingerprint,omitempty"` // the same for the same fault in another scan
	Count       int            `json:"num_issues"`            // usually 1
}

// Box is where an element is drawn, in CSS pixels of the document.
type Box struct {
	X      float64 `json:"x"`
	Y      float64 `json:"y"`
	Width  float64 `json:"width"`
	Height float64 `json:"height"`
}

// Note is what a reader must know about how far an audit got: a frame that it could
// not enter, a rule that failed, a limit that ended it.
type Note struct {
	Audit string `json:"audit"`
	Kind  string `json:"kind"` // frame_untested, rule_error, time_limit, closed_shadow_root, not_english, too_short, ...
	Text  string `json:"text"`
	Where string `json:"where,omitempty"` // frame address or selector
}

// Axe is the outcome of the axe audit at one view.
type Axe struct {
	Violations []Finding `json:"violations"`
	Review     []Finding `json:"needs_review"`
	Passes     int       `json:"passes"` // rules that held
	Rules      []string  `json:"rules"`  // that ran, for the coverage statement
	Notes      []Note    `json:"notes,omitempty"`
}

// Language is how hard the text of a page is to read. All figures are as CWAC
// computes them: see package language.
type Language struct {
	Skipped          string     `json:"skipped,omitempty"` // why there are no figures: not_english, not_readable, too_short
	FleschKincaid    float64    `json:"flesch_kincaid_gl"`
	SMOG             float64    `json:"smog_gl"`
	Sentences        int        `json:"num_sentences"`
	WordsPerSentence float64    `json:"words_per_sentence"`
	SyllablesPerWord float64    `json:"syllables_per_word"`
	Hardest          []string   `json:"hardest,omitempty"` // sentences, hardest first
	Sentiment        *Sentiment `json:"sentiment,omitempty"`
}

// Sentiment is VADER's judgement of the text: shares from 0 to 1, compound from -1 to 1.
type Sentiment struct {
	Negative float64 `json:"negative"`
	Neutral  float64 `json:"neutral"`
	Positive float64 `json:"positive"`
	Compound float64 `json:"compound"`
}

// Reflow is how far a page overflows sideways at 320 CSS pixels (WCAG 2.2, 1.4.10).
type Reflow struct {
	Overflow int       `json:"overflow_px"` // true overflow: scroll width less client width
	Capped   int       `json:"capped_px"`   // as CWAC measures it: at most 100
	Culprits []Finding `json:"culprits,omitempty"`
}

// Focus is what tabbing through a page shows.
type Focus struct {
	Stops   int       `json:"stops"`   // elements that took the focus
	Missing []Finding `json:"missing"` // no visible indicator (2.4.7), hidden while focused (2.4.11), traps (2.1.2)
	Notes   []Note    `json:"notes,omitempty"`
}

// Measure is what an audit measured at a view apart from faults: the figures of a
// text, the facts of a head, how far a page overflows. The values are JSON.
type Measure struct {
	View   View           `json:"view"`
	Audit  string         `json:"audit"`
	Values map[string]any `json:"values"`
}

// PageOutcome is everything that is known of one address of the crawl, scanned or not.
type PageOutcome struct {
	Site      Site    `json:"site"`
	URL       string  `json:"url"`
	Final     string  `json:"final_url,omitempty"` // after redirects
	Parent    string  `json:"parent_url,omitempty"`
	Source    string  `json:"source"` // seed, link, sitemap
	Depth     int     `json:"depth"`
	State     string  `json:"state"`            // scanned, partial, failed, blocked, skipped
	Reason    string  `json:"reason"`           // why it was not (wholly) scanned: robots, out_of_scope, not_html, status, duplicate, limit, ...
	Detail    string  `json:"detail,omitempty"` // the rule of robots.txt, the page that this one is a copy of, ...
	Status    int     `json:"status,omitempty"`
	PageID    int     `json:"page_id,omitempty"`
	Title     string  `json:"page_title,omitempty"`
	Seconds   float64 `json:"seconds,omitempty"`
	Notes     []Note  `json:"notes,omitempty"`
	Signature string  `json:"signature,omitempty"` // of the page's structure: pages of one template share it
}
