package report

import (
	"io"
	"net/url"
	"strings"
)

// Types of SARIF 2.1.0 (OASIS Standard, errata 01), as far as they are used here.
type (
	sarifLog struct {
		Schema  string     `json:"$schema"`
		Version string     `json:"version"`
		Runs    []sarifRun `json:"runs"`
	}
	sarifRun struct {
		Tool        sarifTool         `json:"tool"`
		Automation  sarifID           `json:"automationDetails"`
		Invocations []sarifInvocation `json:"invocations"`
		ColumnKind  string            `json:"columnKind"`
		Results     []sarifResult     `json:"results"`
	}
	sarifTool struct {
		Driver sarifDriver `json:"driver"`
	}
	sarifDriver struct {
		Name       string         `json:"name"`
		URI        string         `json:"informationUri"`
		Rules      []sarifRule    `json:"rules"`
		Properties map[string]any `json:"properties,omitempty"`
	}
	sarifID struct {
		ID string `json:"id"`
	}
	sarifInvocation struct {
		Successful    bool                `json:"executionSuccessful"`
		Start         string              `json:"startTimeUtc,omitempty"`
		End           string              `json:"endTimeUtc,omitempty"`
		Notifications []sarifNotification `json:"toolExecutionNotifications,omitempty"`
	}
	sarifNotification struct {
		Level   string    `json:"level"`
		Message sarifText `json:"message"`
	}
	sarifRule struct {
		ID         string         `json:"id"`
		Short      sarifText      `json:"shortDescription"`
		Full       sarifText      `json:"fullDescription"`
		Help       sarifHelp      `json:"help"`
		HelpURI    string         `json:"helpUri,omitempty"`
		Default    sarifLevel     `json:"defaultConfiguration"`
		Properties map[string]any `json:"properties"`
	}
	sarifText struct {
		Text string `json:"text"`
	}
	sarifHelp struct {
		Text     string `json:"text"`
		Markdown string `json:"markdown"`
	}
	sarifLevel struct {
		Level string `json:"level"`
	}
	sarifResult struct {
		Rule         string            `json:"ruleId"`
		Index        int               `json:"ruleIndex"`
		Kind         string            `json:"kind"`
		Level        string            `json:"level"`
		Message      sarifText         `json:"message"`
		Locations    []sarifLocation   `json:"locations"`
		Fingerprints map[string]string `json:"partialFingerprints"`
		Baseline     string            `json:"baselineState,omitempty"`
		Occurrences  int               `json:"occurrenceCount,omitempty"`
		Properties   map[string]any    `json:"properties"`
	}
	sarifLocation struct {
		Physical sarifPhysical  `json:"physicalLocation"`
		Logical  []sarifLogical `json:"logicalLocations,omitempty"`
	}
	sarifPhysical struct {
		Artifact sarifArtifact `json:"artifactLocation"`
	}
	sarifArtifact struct {
		URI string `json:"uri"`
	}
	sarifLogical struct {
		Name string `json:"fullyQualifiedName"`
		Kind string `json:"kind"`
	}
)

const sarifSchema = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"

// maxSARIF is how many results GitHub takes of one run (its documentation, "SARIF
// support for code scanning", limits).
const maxSARIF = 25_000

// SARIF writes the report for tools that show findings of analyzers. The page is the
// physical location; it has no lines, so the element is a logical one. What needs
// review has the kind "review". With a comparison, results have a baseline state.
// After 25,000 results it stops, and says so in a notification.
func (rep *Report) SARIF(w io.Writer) error {
	run := sarifRun{
		Tool: sarifTool{sarifDriver{Name: "Legwork", URI: "https://github.com/legwork-mcp/legwork", Rules: []sarifRule{}, Properties: rep.versions()}},
		// a trailing slash says that the id names a category of runs
		Automation: sarifID{"accessibility/" + rep.Scan.Name}, ColumnKind: "unicodeCodePoints", Results: []sarifResult{},
		Invocations: []sarifInvocation{rep.invocation()},
	}
	index := map[string]int{}
	states := rep.baseline()
	left := 0
	for review, rules := range [][]*Rule{rep.Rules, rep.Review} {
		for _, r := range rules {
			id := r.Audit + "/" + r.ID
			at, seen := index[id]
			if !seen {
				at = len(run.Tool.Driver.Rules)
				index[id] = at
				run.Tool.Driver.Rules = append(run.Tool.Driver.Rules, sarifRuleOf(id, r))
			}
			for _, g := range r.Groups {
				for _, i := range g.Issues {
					if len(run.Results) == maxSARIF {
						left++
						continue
					}
					one := sarifResultOf(r, g, i)
					one.Rule, one.Index = id, at
					if review == 1 {
						one.Kind, one.Level, one.Message.Text = "review", "none", r.Question
					} else {
						one.Baseline = states[spot{i.Page, r.Audit, r.ID, g.Fingerprint}]
					}
					run.Results = append(run.Results, one)
				}
			}
		}
	}
	if left > 0 {
		n := &run.Invocations[0]
		n.Notifications = append(n.Notifications, sarifNotification{"warning", sarifText{count(left, "more result is", "more results are") + " left out: a run has at most 25,000."}})
	}
	return writeJSON(w, sarifLog{Schema: sarifSchema, Version: "2.1.0", Runs: []sarifRun{run}})
}

func (rep *Report) versions() map[string]any {
	out := map[string]any{"engine": rep.Scan.Engine}
	for name, v := range rep.Scan.Versions {
		out[name] = v
	}
	return out
}

const utcLayout = "2006-01-02T15:04:05.000Z"

func (rep *Report) invocation() sarifInvocation {
	out := sarifInvocation{Successful: rep.complete()}
	if !rep.Scan.Start.IsZero() {
		out.Start = rep.Scan.Start.UTC().Format(utcLayout)
	}
	if !rep.Scan.End.IsZero() {
		out.End = rep.Scan.End.UTC().Format(utcLayout)
	}
	for _, n := range append([]string{rep.ledger()}, rep.Notes...) {
		out.Notifications = append(out.Notifications, sarifNotification{"note", sarifText{n}})
	}
	return out
}

func sarifRuleOf(id string, r *Rule) sarifRule {
	out := sarifRule{
		ID: id, Short: sarifText{r.Help}, Full: sarifText{orElse(r.Description, r.Help)}, Default: sarifLevel{level(r)},
		Properties: map[string]any{"tags": sarifTags(r), "wcag": r.Criteria, "en301549": r.Clauses, "effort": r.Effort, "audit": r.Audit},
	}
	text := orElse(r.Fix, r.Help)
	out.Help.Text, out.Help.Markdown = text, plain(text)
	if linkable(r.HelpURL) {
		if u, err := url.Parse(r.HelpURL); err == nil {
			out.HelpURI = u.String()
			out.Help.Text += " " + out.HelpURI
		}
	}
	return out
}

func sarifTags(r *Rule) []string {
	tags := []string{"accessibility"}
	for _, n := range r.Criteria {
		tags = append(tags, "WCAG "+n)
	}
	for _, c := range r.Clauses {
		tags = append(tags, "EN 301 549 "+c)
	}
	return tags
}

// level maps impacts: what keeps people out is an error.
func level(r *Rule) string {
	switch {
	case r.Best:
		return "note"
	case r.Impact == Critical || r.Impact == Serious:
		return "error"
	case r.Impact == Minor:
		return "note"
	}
	return "warning"
}

func sarifResultOf(r *Rule, g *Group, i *Issue) sarifResult {
	text := r.Help
	if i.Summary != "" {
		text += ": " + strings.Join(strings.Fields(i.Summary), " ")
	}
	out := sarifResult{
		Kind: "fail", Level: level(&Rule{Impact: i.Impact, Best: r.Best}), Message: sarifText{text}, Occurrences: i.Count,
		Fingerprints: map[string]string{"legwork/v1": g.Fingerprint},
		Locations:    []sarifLocation{{Physical: sarifPhysical{sarifArtifact{sarifURI(i.Page)}}}},
		Properties:   map[string]any{"impact": i.Impact, "html": i.HTML, "viewports": i.Viewports, "pageTitle": i.Title},
	}
	if place := i.Place(); place != "" {
		out.Locations[0].Logical = []sarifLogical{{place, "element"}}
	}
	if i.Frame != "" {
		out.Properties["frame"] = i.Frame
	}
	return out
}

// sarifURI is a valid URI reference for whatever a page was called.
func sarifURI(address string) string {
	if u, err := url.Parse(address); err == nil && linkable(address) {
		return u.String()
	}
	return strings.ReplaceAll(url.PathEscape(address), ":", "%3A") // a colon would make a scheme of what is before it
}

// baseline are the states of the issues, when there is an older scan. Those of which
// a comparison knows nothing have none.
func (rep *Report) baseline() map[spot]string {
	out := map[spot]string{}
	if rep.Comparison == nil {
		return out
	}
	mark := func(p Part, state string) {
		for _, c := range p.Changes {
			for _, page := range c.Pages {
				out[spot{page, c.Audit, c.Rule, c.Fingerprint}] = state
			}
		}
	}
	mark(rep.Comparison.Remaining, "unchanged")
	mark(rep.Comparison.New, "new") // of equal elements, some old and some new
	return out
}

// complete reports whether the scan saw what it was meant to.
func (rep *Report) complete() bool {
	return rep.Scan.Scanned > 0 && (rep.Scan.State == "" || rep.Scan.State == "complete")
}

func orElse(text, other string) string {
	if text != "" {
		return text
	}
	return other
}
