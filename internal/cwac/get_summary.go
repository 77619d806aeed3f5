package cwac

import (
	"cmp"
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/legwork-mcp/legwork/internal/cwac/report"
	"github.com/legwork-mcp/legwork/internal/cwac/results"
	"github.com/legwork-mcp/legwork/internal/tool"
)

var getSummary = tool.New(tool.Spec{
	Name: "cwac_get_summary", Title: "Summary of a scan",
	Description: "Get what a scan found in under 4 kB: true counts by audit and impact, the rules to look at first, and how much of WCAG was looked at.",
	Effect:      tool.Read, Idempotent: true, Scope: scopeRead, Rate: rateRead, Timeout: time.Minute, Budget: 10 << 10,
	Outline: []string{
		"scan_id", "audit_name", "total_issues", "issues_by_audit_type", "issues_by_impact", "top_violations", "urls_scanned", "scan_duration",
		"unique_issues", "pages_affected", "template_groups", "needs_review", "coverage", "partial", "warnings",
	},
	Examples: []tool.Example{{Name: "one", Args: SummaryIn{ScanID: exampleScan}}},
}, (*Server).getSummary)

// SummaryIn names a scan.
type SummaryIn struct {
	ScanID  string `json:"scan_id"`
	Partial bool   `json:"partial,omitempty" jsonschema:"read a running scan"`
}

// SummaryOut is a scan in figures.
type SummaryOut struct {
	ScanID     string         `json:"scan_id"`
	AuditName  string         `json:"audit_name"`
	Total      int            `json:"total_issues" jsonschema:"at every viewport"`
	ByAudit    map[string]int `json:"issues_by_audit_type"`
	ByImpact   map[string]int `json:"issues_by_impact"`
	Records    map[string]int `json:"records_by_audit_type,omitempty" jsonschema:"of audits without faults"`
	Top        []Violation    `json:"top_violations"`
	URLs       int            `json:"urls_scanned"`
	Duration   string         `json:"scan_duration"`
	Unique     int            `json:"unique_issues" jsonschema:"a fault that shows at several viewports counted once"`
	Pages      int            `json:"pages_affected"`
	Groups     int            `json:"distinct_faults" jsonschema:"equal faults of several pages counted once"`
	Templates  int            `json:"template_groups" jsonschema:"distinct faults on two pages or more: one repair each"`
	Review     int            `json:"needs_review" jsonschema:"undecided: in no count of issues"`
	Coverage   Coverage       `json:"coverage" jsonschema:"success criteria of WCAG 2.2 A and AA, by what the scan says of them"`
	NotScanned []string       `json:"not_scanned,omitempty"`
	Engine     string         `json:"engine"`
	Partial    bool           `json:"partial,omitempty" jsonschema:"the scan has not ended, or ended early"`
	Warnings   []string       `json:"warnings,omitempty"`

	statement string // the coverage in words
	documents int    // with an issue, beside the pages
}

// Violation is a rule that was broken.
type Violation struct {
	Rule        string `json:"rule_id"`
	Count       int    `json:"count"`
	Impact      string `json:"impact"`
	Description string `json:"description"`
	Unique      int    `json:"unique_issues"`
	Pages       int    `json:"pages"`

	wcag string
}

// Coverage counts success criteria. None of the figures says that one is met.
type Coverage struct {
	Failed  int `json:"with_faults"`
	Review  int `json:"to_decide"`
	Touched int `json:"touched_without_fault"`
	Person  int `json:"only_a_person_can_check"`
}

// mostTop is how many rules a summary names.
const mostTop = 10

// Text is what a model reads.
func (o SummaryOut) Text() string {
	var b strings.Builder
	beside := ""
	if o.documents > 0 {
		beside = " and in " + many(o.documents, "document")
	}
	fmt.Fprintf(&b, "%s: %s on %d of %s%s (%d counting each viewport), took %s.",
		o.AuditName, many(o.Unique, "unique issue"), o.Pages, many(o.URLs, "scanned page"), beside, o.Total, o.Duration)
	fmt.Fprintf(&b, "\n%d distinct faults, %d of them on several pages: one repair each. %d undecided findings need a person.", o.Groups, o.Templates, o.Review)
	for _, w := range o.Warnings {
		b.WriteString("\nwarning: " + w)
	}
	o.parts(&b)
	if len(o.Records) > 0 {
		b.WriteString("\nrecorded, no faults:")
		for _, name := range sortedKeys(o.Records) {
			fmt.Fprintf(&b, " %s %d", name, o.Records[name])
		}
	}
	if len(o.Top) > 0 {
		b.WriteString("\n" + openMark)
		for _, v := range o.Top {
			fmt.Fprintf(&b, "\n- %s %s: %d on %s. %s", v.Impact, v.Rule, v.Unique, many(v.Pages, "page"), clip(v.Description, 60))
			if v.wcag != "" {
				b.WriteString(" WCAG " + v.wcag)
			}
		}
		b.WriteString("\n" + closeMark)
	}
	if len(o.NotScanned) > 0 {
		b.WriteString("\nnot scanned:\n" + openMark + "\n- " + strings.Join(o.NotScanned, "\n- ") + "\n" + closeMark)
	}
	b.WriteString("\n" + o.statement + "\nNext: cwac_get_results with rule, or group_by issue; cwac_get_page for a picture.")
	return b.String()
}

// parts are the counts by impact and by audit.
func (o SummaryOut) parts(b *strings.Builder) {
	if o.Total == 0 {
		return
	}
	b.WriteString("\nby impact:")
	for _, name := range impacts {
		if n := o.ByImpact[name]; n > 0 {
			fmt.Fprintf(b, " %d %s", n, name)
		}
	}
	b.WriteString("\nby audit:")
	for _, name := range sortedKeys(o.ByAudit) {
		fmt.Fprintf(b, " %s %d", name, o.ByAudit[name])
	}
}

func (s *Server) getSummary(ctx context.Context, in SummaryIn) (SummaryOut, error) {
	x, err := s.find(ctx, in.ScanID)
	if err != nil {
		return SummaryOut{}, err
	}
	rep, r, err := x.report(in.Partial)
	if err != nil {
		return SummaryOut{}, err
	}
	out := SummaryOut{
		ScanID: x.id, AuditName: site(x.name(r), 80), Total: rep.Totals.Instances, Unique: rep.Totals.Issues, Pages: rep.PagesAffected(), documents: rep.Beside,
		Groups: rep.Totals.Groups, Templates: rep.Totals.Templates, URLs: rep.Scan.Scanned, Engine: r.Engine, Duration: x.took(r),
		ByAudit: instances(rep.ByAudit), ByImpact: instances(rep.ByImpact), Top: []Violation{}, statement: rep.Coverage.Statement,
		Coverage: Coverage{rep.Coverage.Failed, rep.Coverage.Review, rep.Coverage.Touched, rep.Coverage.Person},
	}
	if out.Records, err = recorded(r); err != nil {
		return SummaryOut{}, fmt.Errorf("count the records of a scan: %w", err)
	}
	for _, rule := range rep.Review {
		out.Review += rule.Counts.Issues
	}
	for _, rule := range rep.Rules[:min(len(rep.Rules), mostTop)] {
		out.Top = append(out.Top, Violation{
			Rule: site(rule.ID, 60), Count: rule.Counts.Instances, Impact: rule.Impact, Description: site(cmp.Or(rule.Help, rule.Description), 110),
			Unique: rule.Counts.Issues, Pages: rule.Counts.Pages, wcag: site(strings.Join(rule.Criteria, ", "), 40),
		})
	}
	inPart, one := rep.PartlyScanned()
	if one != nil {
		out.NotScanned = append(out.NotScanned, fmt.Sprintf("a part of %s: %s", site(one.URL, 80), site(one.Reason, 200)))
	}
	for _, g := range rep.Untested[:min(len(rep.Untested), 2)] {
		out.NotScanned = append(out.NotScanned, fmt.Sprintf("a part of %s: %s, such as %s", many(g.Pages, "page"), site(strings.TrimSuffix(g.Text, "."), 120), site(g.URL, 80)))
	}
	for _, u := range rep.Unscanned[:min(len(rep.Unscanned), 6)] {
		out.NotScanned = append(out.NotScanned, fmt.Sprintf("%d %s, such as %s", u.Count, site(u.Label(), 60), site(u.Example(), 110)))
	}
	out.Partial, out.Warnings = partly(x, r)
	if inPart != "" {
		out.Warnings = append(out.Warnings, inPart)
	}
	for len(out.Top) > 3 && wireSize(out)+wireSize(out.Text()) > summaryRoom {
		out.Top = out.Top[:len(out.Top)-1]
	}
	for len(out.NotScanned) > 1 && wireSize(out)+wireSize(out.Text()) > summaryRoom {
		out.NotScanned = out.NotScanned[:len(out.NotScanned)-1]
	}
	return out, nil
}

// recorded counts the rows of the audits that find no faults.
func recorded(r *results.Results) (map[string]int, error) {
	out := map[string]int{}
	for _, audit := range r.Audits {
		if !measures(audit) {
			continue
		}
		for _, err := range r.Records(audit + ".csv") {
			if err != nil {
				return nil, err
			}
			out[audit]++
		}
	}
	return out, nil
}

// summaryRoom is the most bytes of a summary, less those of the message around it.
const summaryRoom = 4<<10 - 200

// report counts the results of a scan.
func (x *scan) report(partial bool) (*report.Report, *results.Results, error) {
	r, err := x.open(partial)
	if err != nil {
		return nil, nil, err
	}
	rep, err := report.Build(r)
	if err != nil {
		return nil, nil, fmt.Errorf("count the results of a scan: %w", err)
	}
	return rep, r, nil
}

// name is the audit name as it was asked for.
func (x *scan) name(r *results.Results) string {
	if x.rec != nil {
		return x.rec.AuditName
	}
	return r.AuditName
}

// took is how long a scan took. Of a folder alone, the native record tells, or the
// last line of the progress.
func (x *scan) took(r *results.Results) string {
	if x.rec != nil {
		return span(x.elapsed())
	}
	if r.Scan != nil && !r.Scan.End.IsZero() {
		return span(r.Scan.End.Sub(r.Scan.Start))
	}
	if p, ok := r.Progress(); ok {
		return span(p.Elapsed)
	}
	return "an unknown time"
}

// instances are the counts of the specification. The sum of either map is the total.
func instances(list []report.Tally) map[string]int {
	out := map[string]int{}
	for _, t := range list {
		out[t.Name] += t.Instances
	}
	return out
}
