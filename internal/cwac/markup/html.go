package markup

import (
	"context"
	_ "embed"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/legwork-mcp/legwork/internal/cwac/results"
)

// checker is html-validate and parse5 as one script: see the folder. It defines
// legworkHTML in the world that it runs in.
//
//go:embed checker/bundle.js
var checker string

// Report is what an audit of a document found.
type Report struct {
	Findings []results.Finding
	Notes    []results.Note
	Rules    []string       // that were applied, for the coverage statement
	Facts    map[string]any // what the document says of itself
}

// World calls a JavaScript function with one argument and decodes what it returns:
// the isolated world of a page. The page itself does not matter: a blank one is best,
// which is kept for all documents, since the checker is installed in it once.
type World interface {
	Call(ctx context.Context, function string, arg, out any) error
}

// byteOrderMark may begin a document (Encoding standard, section 6); it is no text.
const byteOrderMark = "\uFEFF"

// Bounds of a check of HTML. Beyond the elements and the depth only parse errors, IDs
// and labels are checked, since the time for content models grows faster than the
// document.
const (
	maxHTML     = 4 << 20 // bytes of source
	maxFindings = 200
	maxPerRule  = 25
	maxElements = 15_000
	maxDepth    = 400
)

type checkCall struct {
	Source   string `json:"source"`
	Limit    int    `json:"limit"`
	PerRule  int    `json:"perRule"`
	Elements int    `json:"elements"`
	Depth    int    `json:"depth"`
}

type checkAnswer struct {
	Missing bool
	Found   []struct {
		Rule, Kind, Message, Selector, URL, HTML string
		Line, Column                             int
	}
	Counts  map[string]int
	Stopped *struct {
		Line, Column int
		Error        string
	}
}

const (
	checkFunction = `function (call) { return globalThis.legworkHTML ? globalThis.legworkHTML(call) : { missing: true } }`
	checkAction   = `return globalThis.legworkHTML(call) }`
)

// CheckHTML checks the source of a document, as the server sent it, against the HTML
// standard (WHATWG, html.spec.whatwg.org): parse errors (section 13.2), content
// models, attributes and their values, obsolete features, IDs and references to them.
// Questions of style are no findings.
func CheckHTML(ctx context.Context, w World, source string) (Report, error) {
	report := Report{Rules: htmlRuleNames()}
	source = strings.TrimPrefix(source, byteOrderMark)
	if len(source) > maxHTML {
		report.Notes = append(report.Notes, note(results.AuditHTML, "size_limit",
			fmt.Sprintf("Only the first %d MB of %d bytes were checked.", maxHTML>>20, len(source))))
		source = source[:maxHTML]
	}
	call := checkCall{strings.ToValidUTF8(source, "\uFFFD"), maxFindings, maxPerRule, maxElements, maxDepth}
	var answer checkAnswer
	err := w.Call(ctx, checkFunction, call, &answer)
	if err == nil && answer.Missing {
		answer = checkAnswer{}
		err = w.Call(ctx, "function (call) {\n"+checker+"\n"+checkAction, call, &answer)
	}
	if err != nil {
		return Report{}, fmt.Errorf("check the HTML of a document: %w", err)
	}
	for _, f := range answer.Found {
		rule := htmlRule(f.Rule)
		finding := results.Finding{
			Audit: results.AuditHTML, Rule: f.Rule, Impact: rule.impact, Help: rule.help, Description: rule.about,
			HelpURL: f.URL, HTML: cut(f.HTML, 300), Selector: f.Selector, Summary: f.Message, Count: 1,
			Target: "line " + strconv.Itoa(f.Line) + ", column " + strconv.Itoa(f.Column),
			Data:   map[string]any{"line": f.Line, "column": f.Column},
		}
		if rule.url != "" {
			finding.HelpURL = rule.url
		}
		report.Findings = append(report.Findings, finding)
	}
	report.Notes = append(report.Notes, answer.notes()...)
	return report, nil
}

// notes says what was not checked, and of which rules there are more findings than
// are listed.
func (a checkAnswer) notes() []results.Note {
	var out []results.Note
	if s := a.Stopped; s != nil {
		where := "Elements and attributes were not checked: "
		if s.Error == "" {
			where = fmt.Sprintf("Elements and attributes were checked up to line %d, column %d only: ", s.Line, s.Column)
			s.Error = "the source cannot be read beyond"
		}
		out = append(out, note(results.AuditHTML, "partly_checked", where+s.Error+"."))
	}
	listed := map[string]int{}
	for _, f := range a.Found {
		listed[f.Rule]++
	}
	for _, rule := range sorted(a.Counts) {
		if n := a.Counts[rule]; n > listed[rule] {
			out = append(out, note(results.AuditHTML, "more", fmt.Sprintf("%s: %d places, of which %d are listed.", rule, n, listed[rule])))
		}
	}
	return out
}

func note(audit, kind, text string) results.Note {
	return results.Note{Audit: audit, Kind: kind, Text: text}
}

// cut shortens a text to so many bytes, at a character.
func cut(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n]
}
