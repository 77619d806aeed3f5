package cwac

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/legwork-mcp/legwork/internal/tool"
)

var startScan = tool.New(tool.Spec{
	Name: "cwac_scan", Title: "Start an accessibility scan",
	Description: "Start an accessibility scan of one or more web sites and return its scan_id at once. " +
		"Each URL is crawled up to max_links_per_domain pages. Then wait with cwac_scan_status.",
	Effect: tool.Write, OpenWorld: true, Scope: scopeScan, Rate: rateScan, Cost: 20, Timeout: 2 * time.Minute, Budget: 12 << 10,
	Outline:  []string{"scan_id", "config_path", "base_urls_dir", "status", "audit_name", "engine", "plugins", "ignored_plugins", "warnings"},
	Examples: []tool.Example{{Name: "one site", Args: ScanIn{URLs: []string{"https://www.example.org/"}, AuditName: "example site", MaxLinks: 20}}},
}, (*Server).startScan)

// ScanIn says what to scan.
type ScanIn struct {
	URLs      []string        `json:"urls" jsonschema:"addresses to start from, http or https"`
	AuditName string          `json:"audit_name,omitempty" jsonschema:"name for people"`
	Plugins   map[string]bool `json:"plugins,omitempty" jsonschema:"audits on or off by name: axe_core_audit, language_audit, reflow_audit, title_audit, focus_indicator_audit, screenshot_audit, html_validation, crawl_audit, seo_audit, pdf_audit"`
	MaxLinks  int             `json:"max_links_per_domain,omitempty" default:"50" minimum:"1" maximum:"10000" jsonschema:"pages per URL; 1 scans the page alone"`
	Viewports json.RawMessage `json:"viewport_sizes,omitempty" type:"object" jsonschema:"{width,height}, or names with such sizes"`
	Include   []string        `json:"include,omitempty" jsonschema:"paths as in robots.txt"`
	Exclude   []string        `json:"exclude,omitempty"`
	Consent   string          `json:"consent,omitempty" enum:"keep,dismiss" jsonschema:"of cookie banners"`
	Login     string          `json:"login,omitempty" jsonschema:"name of one the user set up"`
	Selector  string          `json:"element_selector,omitempty" jsonschema:"CSS of elements to list"`
}

// ScanOut is the scan that was started.
type ScanOut struct {
	ScanID    string          `json:"scan_id"`
	Config    string          `json:"config_path"`
	BaseURLs  string          `json:"base_urls_dir"`
	Status    string          `json:"status"`
	AuditName string          `json:"audit_name"`
	Name      string          `json:"cwac_audit_name" jsonschema:"how results folders of this scan end"`
	Engine    string          `json:"engine"`
	Contract  string          `json:"contract,omitempty" jsonschema:"of a CWAC installation"`
	URLs      []ScanURL       `json:"urls"`
	Plugins   map[string]bool `json:"plugins" jsonschema:"audits that run"`
	Ignored   []string        `json:"ignored_plugins,omitempty" jsonschema:"asked for, but this engine does not have them"`
	Viewports json.RawMessage `json:"viewport_sizes"`
	MaxLinks  int             `json:"max_links_per_domain"`
	Warnings  []string        `json:"warnings,omitempty"`
}

// ScanURL is one address to scan.
type ScanURL struct {
	URL     string `json:"url"`
	Scanned string `json:"scanned_url,omitempty" jsonschema:"where it leads, which is scanned instead"`
}

// Text is what a model reads.
func (o ScanOut) Text() string {
	var b strings.Builder
	fmt.Fprintf(&b, "status: started. scan_id: %s\naudit_name: %s; engine: %s", o.ScanID, o.AuditName, o.Engine)
	if o.Contract != "" {
		b.WriteString(" (contract " + o.Contract + ")")
	}
	for _, u := range o.URLs[:min(len(o.URLs), 20)] {
		b.WriteString("\nurl: " + u.URL)
		if u.Scanned != "" {
			b.WriteString(" leads to " + u.Scanned + ", which is scanned")
		}
	}
	if len(o.URLs) > 20 {
		fmt.Fprintf(&b, "\nand %d more", len(o.URLs)-20)
	}
	var on []string
	for _, name := range slices.Sorted(maps.Keys(o.Plugins)) {
		if o.Plugins[name] {
			on = append(on, name)
		}
	}
	fmt.Fprintf(&b, "\nplugins: %s\nat most %s per URL", strings.Join(on, ", "), many(o.MaxLinks, "page"))
	if len(o.Ignored) > 0 {
		b.WriteString("\nignored_plugins (this engine does not have them): " + strings.Join(o.Ignored, ", "))
	}
	for _, w := range o.Warnings {
		b.WriteString("\nnote: " + w)
	}
	b.WriteString("\nNext: cwac_scan_status with this scan_id and wait_seconds 60.")
	return b.String()
}

// maxAuditName is the most bytes of a name.
const maxAuditName = 200

func (s *Server) startScan(ctx context.Context, in ScanIn) (ScanOut, error) {
	s.tidy()
	urls, err := checkURLs(in.URLs)
	if err != nil {
		return ScanOut{}, err
	}
	views, err := parseViewports(in.Viewports)
	if err != nil {
		return ScanOut{}, err
	}
	e, err := s.engine(ctx)
	if err != nil {
		return ScanOut{}, err
	}
	rec := &record{
		Owner: owner(ctx), Engine: e.kind, Contract: e.contract, Root: e.root, Asked: urls,
		AuditName: s.auditName(in.AuditName), MaxLinks: in.MaxLinks,
	}
	var notes []string
	if e.warning != "" {
		notes = append(notes, e.warning)
	}
	if rec.MaxLinks <= 0 {
		rec.MaxLinks = 50 // the specification's
	}
	if most := max(1, s.set.MaxPages/len(urls)); rec.MaxLinks > most {
		notes = append(notes, fmt.Sprintf("This server scans %d pages at once at most: %d per URL.", s.set.MaxPages, most))
		rec.MaxLinks = most
	}
	if rec.Ignored, err = choosePlugins(&e.config, e.audits, in.Plugins); err != nil {
		return ScanOut{}, err
	}
	if err := chooseElements(&e.config, in.Plugins, in.Selector); err != nil {
		return ScanOut{}, err
	}
	note, err := chooseViewports(&e.config, views)
	if err != nil {
		return ScanOut{}, err
	}
	if note != "" {
		notes = append(notes, note)
	}
	if err := s.narrow(ctx, &e, in); err != nil {
		return ScanOut{}, err
	}
	if err := s.allowed(ctx, rec); err != nil {
		return ScanOut{}, err
	}
	e.config.OnlyHTTPS = !slices.ContainsFunc(rec.scanned(), plain)
	rec.Plugins, rec.Viewports = effective(e.config.Plugins), e.config.Viewports
	if err := s.launch(ctx, e, rec); err != nil {
		return ScanOut{}, err
	}
	return started(rec, notes)
}

// scanned are the addresses that the engine is given.
func (rec *record) scanned() []string {
	var out []string
	for _, u := range rec.Asked {
		if moved := rec.Moved[u]; moved != "" {
			u = moved
		}
		out = append(out, u)
	}
	return out
}

// auditName is the asked name, or one made of the time.
func (s *Server) auditName(asked string) string {
	if name := strings.TrimSpace(quiet(asked)); name != "" {
		return clip(name, maxAuditName)
	}
	return "scan_" + s.clock().Format("2006-01-02_15-04-05")
}

func started(rec *record, notes []string) (ScanOut, error) {
	sizes, err := json.Marshal(rec.Viewports)
	if err != nil {
		return ScanOut{}, fmt.Errorf("tell the viewports: %w", err)
	}
	out := ScanOut{
		ScanID: rec.ID, Config: rec.Config, BaseURLs: rec.BaseURLs + "/", Status: statusStarted, AuditName: rec.AuditName, Name: rec.Name,
		Engine: rec.Engine, Contract: rec.Contract, Plugins: rec.Plugins, Ignored: rec.Ignored, Viewports: sizes, MaxLinks: rec.MaxLinks, Warnings: notes,
	}
	for _, u := range rec.Asked {
		out.URLs = append(out.URLs, ScanURL{URL: u, Scanned: rec.Moved[u]})
	}
	return out, nil
}
