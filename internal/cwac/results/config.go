package results

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/legwork-mcp/legwork/internal/lazyregexp"
)

// Config is CWAC's configuration: the keys of its config_default.json, with their
// names and their meaning there. Times are in seconds. Keys that CWAC does not know
// are kept; what only the native engine needs is below "legwork".
type Config struct {
	Schema            string // "$schema", for editors only
	AuditName         string
	Headless          bool
	MaxLinksPerDomain int // pages per base URL; 1 means "visit": this page and no other
	ThreadCount       int
	Browser           string // chrome or firefox
	ChromeBinary      string
	ChromeDriver      string
	UserAgent         string
	ProductToken      string // the name that robots.txt is read for
	FollowRobots      bool
	ScriptTimeout     float64
	PageLoadTimeout   float64
	DelayPageLoads    float64 // before each page of the queue
	DelayViewports    float64
	DelayAfterLoad    float64
	OnlyHTTPS         bool
	HeaderCheck       bool
	ShuffleBaseURLs   bool
	VisitPath         string // folder of the base URL files
	NoHeadPath        string // folder of the files of addresses that refuse HEAD
	CrawlSitemaps     bool
	RecordCodes       bool     // write unexpected_response_codes.csv
	OpenDetails       bool     // open every <details> before an audit
	FilterOrgs        []string // substrings of organisations; none: all
	FilterURLs        []string // substrings of base URLs; none: all
	Viewports         Viewports
	Plugins           Plugins
	Legwork           Legwork

	source object // the file as it was read: order, unknown keys, spelling of values
}

// Viewports are the window sizes of a scan, in the order in which they are tested.
type Viewports []Viewport

// Named finds a viewport.
func (v Viewports) Named(name string) (Viewport, bool) {
	i := slices.IndexFunc(v, func(v Viewport) bool { return v.Name == name })
	if i < 0 {
		return Viewport{}, false
	}
	return v[i], true
}

// UnmarshalJSON reads CWAC's map of names to sizes and keeps its order.
func (v *Viewports) UnmarshalJSON(data []byte) error {
	var o object
	if err := json.Unmarshal(data, &o); err != nil {
		return err
	}
	*v = make(Viewports, 0, len(o))
	for _, m := range o {
		var size struct{ Width, Height int }
		if err := json.Unmarshal(m.raw, &size); err != nil {
			return fmt.Errorf(`names %.60q, which must be {"width": 1280, "height": 800} in whole numbers, and is %.80s`, m.key, m.raw)
		}
		*v = append(*v, Viewport{Name: m.key, Width: size.Width, Height: size.Height})
	}
	return nil
}

// MarshalJSON writes CWAC's map of names to sizes.
func (v Viewports) MarshalJSON() ([]byte, error) {
	var o object
	for _, p := range v {
		raw, err := encode(struct {
			Width  int `json:"width"`
			Height int `json:"height"`
		}{p.Width, p.Height})
		if err != nil {
			return nil, err
		}
		o.set(p.Name, raw)
	}
	return o.MarshalJSON()
}

// Legwork holds what only the native engine understands. CWAC ignores it.
type Legwork struct {
	Compat     bool            // write CWAC's own value where that value is a defect: the reflow cap, num_pages
	Frames     bool            // audit the documents of frames too; CWAC sees the top document only
	NominalBox bool            // viewport sizes are the page's own size; otherwise the window's, as CWAC has it
	Consent    string          // what to do with consent banners: keep, dismiss; empty: keep
	Robots     string          // when robots.txt cannot be had: disallow (RFC 9309), allow (CWAC); empty: disallow
	HashRoutes bool            // addresses that differ after "#/" or "#!" are pages of their own
	Include    []string        // patterns of addresses to scan; none: all in scope
	Exclude    []string        // patterns of addresses to leave alone
	Login      json.RawMessage // how to log in; secret, never copied into a results folder

	source object
}

func (l *Legwork) fields() []field {
	return []field{
		{"compat", &l.Compat, true}, {"nominal_box", &l.NominalBox, true},
		{"consent", &l.Consent, true}, {"robots", &l.Robots, true}, {"hash_routes", &l.HashRoutes, true},
		{"include", &l.Include, true}, {"exclude", &l.Exclude, true}, {"login", &l.Login, true},
	}
}

// UnmarshalJSON reads the block; what it does not name keeps its value.
func (l *Legwork) UnmarshalJSON(data []byte) error {
	*l = defaultLegwork()
	if err := json.Unmarshal(data, &l.source); err != nil {
		return err
	}
	return joined(decodeFields(l.source, append(l.fields(), field{"frames", &l.Frames, true})))
}

// MarshalJSON writes the block with the keys that nobody here knows.
func (l Legwork) MarshalJSON() ([]byte, error) {
	o, err := encodeFields(l.source, l.fields())
	if err != nil {
		return nil, err
	}
	if _, read := o.get("frames"); read || !l.Frames { // its default is true
		o.set("frames", json.RawMessage(strconv.FormatBool(l.Frames)))
	}
	return o.MarshalJSON()
}

func defaultLegwork() Legwork { return Legwork{Frames: true} }

// DefaultConfig is what CWAC's own config_default.json says.
func DefaultConfig() Config {
	return Config{
		AuditName: "audit_name_here", Headless: true, MaxLinksPerDomain: 50, ThreadCount: 8,
		Browser: "chrome", ChromeBinary: "auto", ChromeDriver: "auto",
		UserAgent:    "Mozilla/5.0 (compatible; CWACbot/1.0; +https://www.digital.govt.nz/centralised-web-accessibility-checker/)",
		ProductToken: "CWACbot", FollowRobots: true,
		ScriptTimeout: 15, PageLoadTimeout: 10, DelayPageLoads: 0.2, DelayViewports: 0.1, DelayAfterLoad: 0.1,
		OnlyHTTPS: true, HeaderCheck: true, ShuffleBaseURLs: true,
		VisitPath: "./base_urls/visit/", NoHeadPath: "./base_urls/nohead/",
		CrawlSitemaps: true, RecordCodes: true, OpenDetails: true,
		FilterOrgs: []string{}, FilterURLs: []string{},
		Viewports: Viewports{{Name: "small", Width: 320, Height: 450}, {Name: "medium", Width: 1280, Height: 800}},
		Plugins:   DefaultPlugins(),
		Legwork:   defaultLegwork(),
	}
}

func (c *Config) fields() []field {
	return []field{
		{"$schema", &c.Schema, true},
		{"audit_name", &c.AuditName, false}, {"headless", &c.Headless, false},
		{"max_links_per_domain", &c.MaxLinksPerDomain, false}, {"thread_count", &c.ThreadCount, false},
		{"browser", &c.Browser, false}, {"chrome_binary_location", &c.ChromeBinary, false},
		{"chrome_driver_location", &c.ChromeDriver, false}, {"user_agent", &c.UserAgent, false},
		{"user_agent_product_token", &c.ProductToken, false}, {"follow_robots_txt", &c.FollowRobots, false},
		{"script_timeout", &c.ScriptTimeout, false}, {"page_load_timeout", &c.PageLoadTimeout, false},
		{"delay_between_page_loads", &c.DelayPageLoads, false}, {"delay_between_viewports", &c.DelayViewports, false},
		{"delay_after_page_load", &c.DelayAfterLoad, false}, {"only_allow_https", &c.OnlyHTTPS, false},
		{"perform_header_check", &c.HeaderCheck, false}, {"shuffle_base_urls", &c.ShuffleBaseURLs, false},
		{"base_urls_visit_path", &c.VisitPath, false}, {"base_urls_nohead_path", &c.NoHeadPath, false},
		{"crawl_sitemaps", &c.CrawlSitemaps, false}, {"record_unexpected_response_codes", &c.RecordCodes, false},
		{"force_open_details_elements", &c.OpenDetails, false},
		{"filter_to_organisations", &c.FilterOrgs, false}, {"filter_to_urls", &c.FilterURLs, false},
		{"viewport_sizes", &c.Viewports, false}, {"audit_plugins", &c.Plugins, false},
	}
}

// Visit reports whether each base URL is one page to audit, with no crawl.
func (c *Config) Visit() bool { return c.MaxLinksPerDomain == 1 }

// Selects reports whether the filters let a site through. Both filters must, when
// both are given.
func (c *Config) Selects(s Site) bool {
	has := func(text string, parts []string) bool {
		return len(parts) == 0 || slices.ContainsFunc(parts, func(p string) bool { return strings.Contains(text, p) })
	}
	return has(s.Organisation, c.FilterOrgs) && has(s.URL, c.FilterURLs)
}

var (
	oddCharacter = lazyregexp.New(`[^A-Za-z0-9_.-]`)
	underscores  = lazyregexp.New(`_+`)
)

const maxAuditName = 50 // characters that CWAC keeps of a name

// SanitiseName makes a file name of an audit name as CWAC does: odd characters
// become "_", runs of "_" one, and 50 characters are kept.
func SanitiseName(name string) string {
	name = oddCharacter.ReplaceAllString(strings.TrimSpace(name), "_")
	name = underscores.ReplaceAllString(name, "_")
	return name[:min(len(name), maxAuditName)]
}

const stampLayout = "2006-01-02_15-04-05"

// FolderName is the name of the results folder of an audit that begins at start:
// its local time, then the sanitised name.
func FolderName(auditName string, start time.Time) string {
	return start.Local().Format(stampLayout) + "_" + SanitiseName(auditName)
}
