package report

import (
	"io"
	"time"
)

// earlContext maps the names to the vocabularies, inside of the file: reading it
// needs no request. EARL 1.0 Schema, W3C Working Group Note, 2 February 2017.
var earlContext = map[string]any{
	"earl": "http://www.w3.org/ns/earl#", "dct": "http://purl.org/dc/terms/", "doap": "http://usefulinc.com/ns/doap#", "ptr": "http://www.w3.org/2009/pointers#",
	"Assertion": "earl:Assertion", "TestResult": "earl:TestResult", "TestSubject": "earl:TestSubject", "TestRequirement": "earl:TestRequirement",
	"TestCase": "earl:TestCase", "Software": "earl:Software",
	"assertedBy": map[string]string{"@id": "earl:assertedBy", "@type": "@id"},
	"mode":       map[string]string{"@id": "earl:mode", "@type": "@id"},
	"outcome":    map[string]string{"@id": "earl:outcome", "@type": "@id"},
	"subject":    "earl:subject", "test": "earl:test", "result": "earl:result", "info": "earl:info",
	"title": "dct:title", "description": "dct:description", "source": map[string]string{"@id": "dct:source", "@type": "@id"},
	"isPartOf": map[string]string{"@id": "dct:isPartOf", "@type": "@id"},
	"date":     map[string]string{"@id": "dct:date", "@type": "http://www.w3.org/2001/XMLSchema#dateTime"},
	"pointer":  "earl:pointer", "expression": "ptr:expression", "name": "doap:name", "revision": "doap:revision",
}

const earlTool = "https://github.com/legwork-mcp/legwork"

// EARL writes the report in W3C's Evaluation and Report Language, as JSON-LD: an
// assertion for each issue (failed) and each finding that needs review (cantTell).
// There is no assertion that a page passes: rules cannot tell that of a criterion.
func (rep *Report) EARL(w io.Writer) error {
	graph := []map[string]any{{
		"@id": earlTool, "@type": "Software", "name": "Legwork", "revision": rep.Scan.Versions["legwork"],
		"description": "axe-core " + orElse(rep.axeVersion(), "of an unknown version") + ", engine " + rep.Scan.Engine,
	}}
	for review, rules := range [][]*Rule{rep.Rules, rep.Review} {
		outcome := []string{"earl:failed", "earl:cantTell"}[review]
		for _, r := range rules {
			test := earlTest(r)
			for _, g := range r.Groups {
				for _, i := range g.Issues {
					graph = append(graph, rep.assertion(r, i, test, outcome))
				}
			}
		}
	}
	return writeJSON(w, map[string]any{"@context": earlContext, "@graph": graph})
}

func earlTest(r *Rule) map[string]any {
	test := map[string]any{"@type": "TestCase", "title": r.ID, "description": r.Help}
	if linkable(r.HelpURL) {
		test["@id"] = r.HelpURL
	}
	var parts []string
	for _, n := range r.Criteria {
		if c, ok := criterionOf(n); ok {
			parts = append(parts, "https://www.w3.org/TR/WCAG22/#"+c.slug)
		}
	}
	if parts != nil {
		test["isPartOf"] = parts
	}
	return test
}

func (rep *Report) assertion(r *Rule, i *Issue, test map[string]any, outcome string) map[string]any {
	result := map[string]any{"@type": "TestResult", "outcome": outcome, "description": r.Help}
	if i.Summary != "" {
		result["info"] = i.Summary
	}
	if at := rep.Scan.End; !at.IsZero() {
		result["date"] = at.Format(time.RFC3339)
	} else if !rep.Scan.Start.IsZero() {
		result["date"] = rep.Scan.Start.Format(time.RFC3339)
	}
	switch {
	case i.Selector != "":
		result["pointer"] = map[string]any{"@type": "ptr:CSSSelectorPointer", "expression": i.Selector}
	case i.Target != "":
		result["pointer"] = map[string]any{"@type": "ptr:XPathPointer", "expression": i.Target}
	}
	subject := map[string]any{"@type": "TestSubject", "title": i.Title}
	if linkable(i.Page) {
		subject["source"] = sarifURI(i.Page)
	}
	return map[string]any{
		"@type": "Assertion", "assertedBy": earlTool, "mode": "earl:automatic", "subject": subject, "test": test, "result": result,
	}
}
