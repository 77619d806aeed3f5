package cwac

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/legwork-mcp/legwork/internal/cwac/report"
	"github.com/legwork-mcp/legwork/internal/tool"
)

var compareScans = tool.New(tool.Spec{
	Name: "cwac_compare_scans", Title: "Compare two scans",
	Description: "Tell what changed from an older scan to a newer one: new, fixed and remaining issues, and what cannot be compared.",
	Effect:      tool.Read, Idempotent: true, Scope: scopeRead, Rate: rateRead, Timeout: time.Minute, Budget: answerBudget,
	Outline:  []string{"scan_id", "old_scan_id", "new_issues", "fixed_issues", "remaining_issues", "new", "fixed", "remaining", "not_comparable", "warnings"},
	Examples: []tool.Example{{Name: "two", Args: CompareIn{ScanID: exampleScan, Old: "0f8fad5b-d9cb-469f-a165-70867728950e"}}},
}, (*Server).compareScans)

// CompareIn names two scans.
type CompareIn struct {
	ScanID string `json:"scan_id" jsonschema:"the newer one"`
	Old    string `json:"old_scan_id"`
	Limit  int    `json:"limit,omitempty" default:"10" minimum:"1" maximum:"50" jsonschema:"groups listed of each outcome"`
}

// CompareOut is what changed.
type CompareOut struct {
	ScanID        string       `json:"scan_id"`
	Old           string       `json:"old_scan_id"`
	NewCount      int          `json:"new_issues"`
	FixedCount    int          `json:"fixed_issues"`
	RemainCount   int          `json:"remaining_issues"`
	New           []ChangeItem `json:"new"`
	Fixed         []ChangeItem `json:"fixed"`
	Remaining     []ChangeItem `json:"remaining"`
	NotComparable []string     `json:"not_comparable,omitempty"`
	Partial       bool         `json:"partial,omitempty" jsonschema:"one of the scans ended early"`
	Warnings      []string     `json:"warnings,omitempty"`
	LeftOut       string       `json:"left_out,omitempty"`
}

// ChangeItem is a group of equal issues with one outcome.
type ChangeItem struct {
	Rule        string `json:"rule_id"`
	Impact      string `json:"impact"`
	Description string `json:"description"`
	Fingerprint string `json:"fingerprint"`
	Issues      int    `json:"issues"`
	Pages       int    `json:"pages"`
	URL         string `json:"example_url"`
	Place       string `json:"example_target,omitempty"`
	HTML        string `json:"example_html,omitempty"`
}

// Text is what a model reads.
func (o CompareOut) Text() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%d new, %d fixed, %d remaining issues (each counted once, whatever the number of viewports).", o.NewCount, o.FixedCount, o.RemainCount)
	for _, n := range o.NotComparable {
		b.WriteString("\nnot comparable: " + n)
	}
	for _, w := range o.Warnings {
		b.WriteString("\nwarning: " + w)
	}
	if len(o.New)+len(o.Fixed)+len(o.Remaining) > 0 {
		b.WriteString("\n" + untrusted + "\n" + openMark)
		for _, part := range []struct {
			name string
			list []ChangeItem
		}{{"new", o.New}, {"fixed", o.Fixed}, {"remaining", o.Remaining}} {
			for _, c := range part.list {
				fmt.Fprintf(&b, "\n- %s: %s %s, %s on %s, e.g. %s %s", part.name, c.Impact, c.Rule, many(c.Issues, "issue"), many(c.Pages, "page"), clip(c.URL, 120), clip(c.Place, 80))
			}
		}
		b.WriteString("\n" + closeMark)
	}
	if o.LeftOut != "" {
		b.WriteString("\n" + o.LeftOut)
	}
	return b.String()
}

func (s *Server) compareScans(ctx context.Context, in CompareIn) (CompareOut, error) {
	out := CompareOut{ScanID: in.ScanID, Old: in.Old}
	now, err := s.find(ctx, in.ScanID)
	if err != nil {
		return out, err
	}
	old, err := s.find(ctx, in.Old)
	if err != nil {
		return out, err
	}
	after, r, err := now.report(false)
	if err != nil {
		return out, err
	}
	before, q, err := old.report(false)
	if err != nil {
		return out, err
	}
	c := report.Compare(before, after)
	out.NewCount, out.FixedCount, out.RemainCount = c.New.Issues, c.Fixed.Issues, c.Remaining.Issues
	if in.Limit <= 0 {
		in.Limit = 10
	}
	// What is new matters most: it gets the room that there is, then what is fixed.
	room := answerBudget - 6<<10
	out.New, room = changes(c.New, in.Limit, room)
	out.Fixed, room = changes(c.Fixed, in.Limit, room)
	out.Remaining, _ = changes(c.Remaining, in.Limit, room)
	if n := len(c.New.Changes) + len(c.Fixed.Changes) + len(c.Remaining.Changes) - len(out.New) - len(out.Fixed) - len(out.Remaining); n > 0 {
		out.LeftOut = fmt.Sprintf("%d groups of issues are left out here: cwac_generate_report with compare_to lists all.", n)
	}
	for _, g := range c.NotComparable {
		out.NotComparable = append(out.NotComparable, fmt.Sprintf("%d old and %d new issues %s", g.Old, g.Now, g.Text))
	}
	for _, w := range c.Warnings {
		out.Warnings = append(out.Warnings, site(w, 300))
	}
	early, warn := partly(now, r)
	earlyOld, warnOld := partly(old, q)
	out.Partial = early || earlyOld
	out.Warnings = append(append(out.Warnings, warn...), warnOld...)
	return out, nil
}

// changes are the first groups of an outcome that fit, and the room that is left.
func changes(p report.Part, limit, room int) ([]ChangeItem, int) {
	list := []ChangeItem{}
	for _, c := range p.Changes[:min(len(p.Changes), limit)] {
		item := ChangeItem{
			Rule: site(c.Rule, 60), Impact: c.Impact, Description: site(c.Help, 110), Fingerprint: c.Fingerprint, Issues: c.Issues, Pages: len(c.Pages),
		}
		if c.Example != nil {
			item.URL, item.Place, item.HTML = site(c.Example.Page, 200), site(c.Example.Place(), 120), site(c.Example.HTML, 120)
		}
		size := 2 * wireSize(item) // once as data, and about as much in the text
		if size > room {
			break
		}
		room -= size
		list = append(list, item)
	}
	return list, room
}
