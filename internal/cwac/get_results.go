package cwac

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/legwork-mcp/legwork/internal/cwac/results"
	"github.com/legwork-mcp/legwork/internal/fault"
	"github.com/legwork-mcp/legwork/internal/tool"
)

var getResults = tool.New(tool.Spec{
	Name: "cwac_get_results", Title: "Results of a scan",
	Description: "Get the faults that a scan found, filtered, in pages of at most 20 kB; next_cursor gets more. group_by counts them instead.",
	Effect:      tool.Read, Idempotent: true, Scope: scopeRead, Rate: rateRead, Timeout: time.Minute, Budget: answerBudget,
	Outline: []string{"scan_id", "audit_type", "total_results", "returned_results", "results", "groups", "next_cursor", "partial", "warnings"},
	Examples: []tool.Example{
		{Name: "the worst", Args: ResultsIn{ScanID: exampleScan, AuditType: results.AuditAxe, Impact: "critical"}},
		{Name: "by rule", Args: ResultsIn{ScanID: exampleScan, GroupBy: groupRule}},
	},
}, (*Server).getResults)

// answerBudget is the most bytes of an answer about results: clients lose longer
// ones.
const answerBudget = 20 << 10

// The ways to group.
const (
	groupRule  = "rule"
	groupIssue = "issue"
	groupURL   = "url"
)

// unknownImpact is the impact of audits that have none.
const unknownImpact = "unknown"

// ResultsIn says which results.
type ResultsIn struct {
	ScanID    string `json:"scan_id"`
	AuditType string `json:"audit_type,omitempty" jsonschema:"such as axe_core_audit"`
	Impact    string `json:"impact,omitempty" enum:"critical,serious,moderate,minor,unknown"`
	Limit     int    `json:"limit,omitempty" default:"100" minimum:"1" maximum:"1000"`
	Rule      string `json:"rule,omitempty" jsonschema:"rule_id"`
	URL       string `json:"url,omitempty" jsonschema:"part of the page's address"`
	Issue     string `json:"fingerprint,omitempty" jsonschema:"of a group of equal issues"`
	Review    bool   `json:"needs_review,omitempty" jsonschema:"what no rule could decide, instead of faults"`
	GroupBy   string `json:"group_by,omitempty" enum:"rule,issue,url" jsonschema:"issue merges viewports and pages"`
	Cursor    string `json:"cursor,omitempty" jsonschema:"next_cursor of the last answer"`
	Partial   bool   `json:"partial,omitempty" jsonschema:"read a running scan"`
}

// ResultsOut is one page of results.
type ResultsOut struct {
	ScanID    string       `json:"scan_id"`
	AuditType string       `json:"audit_type,omitempty"`
	Total     int          `json:"total_results"`
	Returned  int          `json:"returned_results"`
	Results   []ResultItem `json:"results"`
	Groups    []GroupItem  `json:"groups,omitempty"`
	Next      string       `json:"next_cursor,omitempty"`
	Partial   bool         `json:"partial,omitempty" jsonschema:"the scan has not ended, or ended early"`
	Warnings  []string     `json:"warnings,omitempty"`

	lines []string // of the text, one for each result or group
}

// ResultItem is one result: a fault at one place of one page at one viewport.
type ResultItem struct {
	URL         string            `json:"url"`
	Rule        string            `json:"rule_id,omitempty"`
	Impact      string            `json:"impact,omitempty"`
	Description string            `json:"description,omitempty"`
	HTML        string            `json:"html,omitempty"`
	Target      string            `json:"target,omitempty"`
	HelpURL     string            `json:"help_url,omitempty"`
	Audit       string            `json:"audit_type"`
	Selector    string            `json:"selector,omitempty"`
	Frame       string            `json:"frame,omitempty"`
	Summary     string            `json:"summary,omitempty"`
	Viewport    string            `json:"viewport,omitempty"`
	Title       string            `json:"page_title,omitempty"`
	IssueID     string            `json:"issue_id,omitempty"`
	Fingerprint string            `json:"fingerprint,omitempty"`
	Count       int               `json:"num_issues,omitempty"`
	Best        bool              `json:"best_practice,omitempty"`
	Review      bool              `json:"needs_review,omitempty"`
	Values      map[string]string `json:"values,omitempty" jsonschema:"of audits that measure instead of finding faults"`
}

// Text is what a model reads.
func (o ResultsOut) Text() string {
	var b strings.Builder
	what := "results"
	if len(o.Groups) > 0 {
		what = "groups"
	}
	fmt.Fprintf(&b, "%d %s, %d returned", o.Total, what, o.Returned)
	if o.AuditType != "" {
		b.WriteString(" (" + o.AuditType + ")")
	}
	for _, w := range o.Warnings {
		b.WriteString("\nwarning: " + w)
	}
	if len(o.lines) > 0 {
		b.WriteString("\n" + untrusted + "\n" + openMark + "\n" + strings.Join(o.lines, "\n") + "\n" + closeMark)
	}
	if o.Next != "" {
		b.WriteString("\nMore: the same call with cursor " + o.Next + ", or narrow it with impact, rule, url or group_by.")
	}
	return b.String()
}

func (s *Server) getResults(ctx context.Context, in ResultsIn) (ResultsOut, error) {
	out := ResultsOut{ScanID: in.ScanID, AuditType: in.AuditType, Results: []ResultItem{}}
	x, err := s.find(ctx, in.ScanID)
	if err != nil {
		return out, err
	}
	r, err := x.open(in.Partial)
	if err != nil {
		return out, err
	}
	skip, err := offset(in.Cursor)
	if err != nil {
		return out, err
	}
	if in.AuditType != "" && !has(r, in.AuditType) {
		return out, fault.New(fault.NotFound, "audit_type_not_found", "No results file for audit type: "+clip(quiet(in.AuditType), 60),
			"This scan has: "+strings.Join(r.Audits, ", ")+".")
	}
	out.Partial, out.Warnings = partly(x, r)
	if in.Limit <= 0 {
		in.Limit = 100 // the specification's
	}
	p := &pager{out: &out, skip: skip, limit: in.Limit}
	switch {
	case in.GroupBy != "" && measures(in.AuditType):
		return out, fault.New(fault.Invalid, "not_grouped", in.AuditType+" records what is there, and finds no faults that group_by could count.",
			"Leave group_by out; url narrows the rows.")
	case in.GroupBy != "":
		err = p.grouped(r, in)
	case measures(in.AuditType):
		err = p.rows(r, in)
	default:
		for f, failed := range found(r, in.Review) {
			if err = failed; err != nil {
				break
			}
			if in.matches(f) {
				p.finding(f)
			}
		}
	}
	if err != nil {
		return out, fmt.Errorf("read the results of a scan: %w", err)
	}
	if out.Returned < out.Total-skip {
		out.Next = strconv.Itoa(skip + out.Returned)
	}
	return out, nil
}

func offset(cursor string) (int, error) {
	if cursor == "" {
		return 0, nil
	}
	n, err := strconv.Atoi(cursor)
	if err != nil || n < 0 {
		return 0, fault.New(fault.Invalid, "invalid_cursor", "The cursor is not one of an earlier answer.", "Pass next_cursor as it was given, or leave it out to begin anew.")
	}
	return n, nil
}

// has reports whether a scan has results of an audit. The native engine may have run
// one that had nothing to write.
func has(r *results.Results, audit string) bool {
	return slices.Contains(r.Audits, audit) || r.Scan != nil && slices.Contains(r.Scan.Plugins, audit)
}

// measures reports whether an audit writes facts, not faults.
func measures(audit string) bool {
	switch audit {
	case results.AuditLanguage, results.AuditTitle, results.AuditScreenshot, results.AuditElement:
		return true
	}
	return false
}

// partly says what a reader must know of results that may not be whole.
func partly(x *scan, r *results.Results) (bool, []string) {
	var out []string
	switch {
	case x.running():
		return true, []string{"The scan is still running: these are its results so far."}
	case x.status == statusFailed:
		out = append(out, "Scan failed. "+causeOf(x).text+" These are the results until then.")
	case x.status == statusCancelled:
		out = append(out, "The scan was cancelled: these are its results until then.")
	}
	var status StatusOut
	status.sites(x)
	out = append(out, status.Warnings...)
	return x.status == statusFailed || x.status == statusCancelled, append(out, r.Problems[:min(3, len(r.Problems))]...)
}

// matches applies the filters.
func (in ResultsIn) matches(f results.Finding) bool {
	return (in.AuditType == "" || f.Audit == in.AuditType) &&
		(in.Impact == "" || impactOf(f) == in.Impact) &&
		(in.Rule == "" || f.Rule == in.Rule) &&
		(in.URL == "" || strings.Contains(f.View.URL, in.URL)) &&
		(in.Issue == "" || fingerprint(f) == in.Issue)
}

func impactOf(f results.Finding) string {
	if !slices.Contains(impacts, f.Impact) {
		return unknownImpact
	}
	return f.Impact
}

// fingerprint is the one that the engine wrote, or the same computed.
func fingerprint(f results.Finding) string {
	if f.Fingerprint != "" {
		return f.Fingerprint
	}
	return results.Fingerprint(f)
}

// pager fills an answer up to its limits.
type pager struct {
	out         *ResultsOut
	skip, limit int
	used        int // bytes on the wire
	full        bool
}

// pageRoom is how many bytes the results of one answer may take; the rest is for the
// words around them.
const pageRoom = answerBudget - 4<<10

// takes counts a result and reports whether it goes into this answer.
func (p *pager) takes(item any, line string) bool {
	p.out.Total++
	if p.full || p.out.Total <= p.skip {
		return false
	}
	size := wireSize(item) + wireSize(line) + 2
	if p.out.Returned >= p.limit || p.used+size > pageRoom && p.out.Returned > 0 {
		p.full = true
		return false
	}
	p.used += size
	p.out.Returned++
	p.out.lines = append(p.out.lines, line)
	return true
}

// wireSize is what a value takes in an answer, with the escapes of markup.
func wireSize(v any) int {
	raw, err := json.Marshal(v)
	if err != nil {
		return 0
	}
	return len(raw)
}

func (p *pager) finding(f results.Finding) {
	item := itemFor(f)
	if p.takes(item, item.line()) {
		p.out.Results = append(p.out.Results, item)
	}
}

// rows returns the rows of an audit that measures.
func (p *pager) rows(r *results.Results, in ResultsIn) error {
	for row, err := range r.Records(in.AuditType + ".csv") {
		if err != nil {
			return err
		}
		if in.URL != "" && !strings.Contains(row.Get("url"), in.URL) || in.Impact != "" || in.Rule != "" || in.Issue != "" || in.Review {
			continue
		}
		item := rowItem(in.AuditType, row)
		if p.takes(item, item.line()) {
			p.out.Results = append(p.out.Results, item)
		}
	}
	return nil
}

// rowItem is a row of an audit that measures: its own columns are the values.
func rowItem(audit string, row results.Record) ResultItem {
	item := ResultItem{Audit: audit, URL: site(row.Get("url"), 300), Title: site(row.Get("page_title"), 120), Values: map[string]string{}}
	_, item.Viewport, _ = strings.Cut(row.Get("audit_id"), "_")
	item.Viewport = site(item.Viewport, 30)
	for i, name := range row.Columns {
		switch name {
		case "organisation", "sector", "page_title", "base_url", "url", "viewport_size", "audit_id", "page_id", "audit_type", "helpUrl":
			continue
		}
		if i < len(row.Cells) {
			item.Values[site(name, 40)] = site(row.Cells[i], maxValue)
		}
	}
	return item
}

// maxValue is the most bytes of a value of an audit that measures: of an element, what
// tells which one it is.
const maxValue = 500

// itemFor is a finding as it stands in an answer: what a site wrote is bounded.
func itemFor(f results.Finding) ResultItem {
	return ResultItem{
		URL: site(f.View.URL, 300), Rule: site(f.Rule, 80), Impact: impactOf(f), Description: site(f.Help, 160),
		HTML: site(f.HTML, 200), Target: site(f.Target, 160), HelpURL: site(f.HelpURL, 160), Audit: f.Audit,
		Selector: site(f.Selector, 160), Frame: site(f.Frame, 160), Summary: site(f.Summary, 200),
		Viewport: site(f.View.Viewport.Name, 30), Title: site(f.View.Title, 80),
		IssueID: site(f.IssueID, 20), Fingerprint: fingerprint(f), Count: f.Count, Best: f.Best, Review: f.Review,
	}
}

// line is the result in the text.
func (i ResultItem) line() string {
	if len(i.Values) > 0 || i.Rule == "" {
		var parts []string
		for _, name := range sortedKeys(i.Values) {
			parts = append(parts, name+"="+clip(i.Values[name], 200))
		}
		return strings.TrimSpace("- " + i.URL + " " + i.Viewport + " " + strings.Join(parts, " "))
	}
	place := i.Selector
	if place == "" {
		place = i.Target
	}
	return joined(" | ", "- "+i.Impact+" "+i.Rule, strings.TrimSpace(i.URL+" "+i.Viewport), clip(place, 80), clip(i.HTML, 100))
}
