package audit

import (
	"strconv"
	"strings"

	"github.com/legwork-mcp/legwork/internal/cwac/results"
)

// axeLimits say how far a run got in one document.
type axeLimits struct {
	Frames     []inside `json:"frames"`
	Skipped    []string `json:"skipped"`    // rules that did not run
	Unexamined []string `json:"unexamined"` // rules that did not look at every element
	Dropped    []struct {
		Rule  string `json:"rule"`
		Nodes int    `json:"nodes"`
	} `json:"dropped"`
	Rescued bool `json:"rescued"`
}

// note says what the limits cost.
func (r *axeRun) note(l axeLimits, where string) {
	if len(l.Unexamined) > 0 {
		r.add("time_limit", "Time ran out before these rules had looked at every element: "+strings.Join(l.Unexamined, ", ")+".", where)
	}
	if len(l.Skipped) > 0 {
		r.add("time_limit", "Time ran out before these rules ran: "+strings.Join(l.Skipped, ", ")+".", where)
	}
	for _, d := range l.Dropped {
		r.add("truncated", strconv.Itoa(d.Nodes)+" more elements of the rule "+d.Rule+" are not listed.", where)
	}
}

// axeReport is what axeFinish returns.
type axeReport struct {
	Violations []axeRule `json:"violations"`
	Incomplete []axeRule `json:"incomplete"`
	Passes     int       `json:"passes"`
	Rules      []string  `json:"rules"`
}

type axeRule struct {
	ID          string    `json:"id"`
	Impact      string    `json:"impact"`
	Help        string    `json:"help"`
	Description string    `json:"description"`
	HelpURL     string    `json:"helpUrl"`
	Tags        []string  `json:"tags"`
	Nodes       []axeNode `json:"nodes"`
	Error       string    `json:"error"`
}

type axeNode struct {
	HTML     string         `json:"html"`
	XPath    string         `json:"xpath"`
	Selector string         `json:"selector"`
	Impact   string         `json:"impact"`
	Summary  string         `json:"summary"`
	Frame    string         `json:"frame"`
	Unsure   bool           `json:"unsure"`
	Data     map[string]any `json:"data"`
	Box      *results.Box   `json:"box"`
}

// outcome turns axe's report into findings.
func (r *axeRun) outcome(got axeReport) results.Axe {
	out := results.Axe{Passes: got.Passes, Rules: got.Rules, Violations: []results.Finding{}, Review: []results.Finding{}}
	for _, rule := range got.Violations {
		for _, f := range r.findings(rule) {
			if f.Review { // what it lacks may be in a closed shadow root
				out.Review = append(out.Review, f)
				continue
			}
			out.Violations = append(out.Violations, f)
		}
	}
	for _, rule := range got.Incomplete {
		if rule.Error != "" {
			r.add("rule_error", "The rule "+rule.ID+" failed: "+bounded(rule.Error, 200), "")
			continue
		}
		for _, f := range r.findings(rule) {
			f.Review = true
			out.Review = append(out.Review, f)
		}
	}
	out.Notes = r.notes
	return out
}

func (r *axeRun) findings(rule axeRule) []results.Finding {
	var out []results.Finding
	best := false
	for _, tag := range rule.Tags {
		best = best || tag == "best-practice"
	}
	for _, n := range rule.Nodes {
		f := results.Finding{
			View: r.page.View, Audit: results.AuditAxe, Rule: rule.ID, Impact: n.Impact,
			Help: rule.Help, Description: rule.Description, HelpURL: rule.HelpURL,
			HTML: n.HTML, Target: n.XPath, Selector: n.Selector, Frame: n.Frame, Summary: n.Summary,
			Tags: rule.Tags, Best: best, Box: n.Box, Count: 1, Review: n.Unsure,
		}
		if len(n.Data) > 0 {
			f.Data = n.Data
		}
		if f.Impact == "" {
			f.Impact = rule.Impact
		}
		out = append(out, f)
	}
	return out
}

// bounded cuts text after n bytes, between characters.
func bounded(text string, n int) string {
	if len(text) <= n {
		return text
	}
	return strings.ToValidUTF8(text[:n], "") + "..."
}
