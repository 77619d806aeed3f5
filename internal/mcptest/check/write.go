package check

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/legwork-mcp/legwork/internal/mcptest/junit"
)

// marks stand before steps and findings.
var marks = map[Status]string{Passed: "ok  ", Failed: "FAIL", Warned: "warn", Skipped: "-   "}

// WriteStep writes a step as one line for people.
func WriteStep(w io.Writer, s Step) error {
	_, err := fmt.Fprintf(w, "%s  %-14s %6d ms  %s\n", marks[s.Status], s.Name, s.Millis, s.Detail)
	return err
}

// WriteText writes a report for people: what it is, what is wrong, what to do.
func (r *Report) WriteText(w io.Writer) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n", visible(r.Target, 500))
	if r.Connected {
		fmt.Fprintf(&b, "%s %s over %s, protocol %s (%s)\n", r.Server, r.Release, r.Transport, r.Version, r.Era)
		fmt.Fprintf(&b, "%s (about %d tokens), %s, %s, %s; %s called\n", many(r.Tools, "tool"), r.ToolTokens,
			many(r.Resources, "resource"), many(r.Templates, "template"), many(r.Prompts, "prompt"), many(len(r.Called), "tool"))
	}
	if r.Latency != nil {
		fmt.Fprintf(&b, "connected in %d ms; %s p50 %.1f ms, p95 %.1f ms\n", r.ConnectMillis, r.Latency.Method, r.Latency.P50, r.Latency.P95)
	}
	notes := map[string][]Finding{}
	for _, f := range r.Findings {
		if f.Severity == Info {
			notes[f.Rule] = append(notes[f.Rule], f)
			continue
		}
		fmt.Fprintf(&b, "\n%-7s  %s  [%s]\n", f.Severity, f.Title, f.Rule)
		if at := strings.TrimSpace(f.Subject + " " + f.Pointer); at != "" {
			fmt.Fprintf(&b, "    at     %s\n", at)
		}
		if f.Evidence != "" {
			fmt.Fprintf(&b, "    saw    %s\n", f.Evidence)
		}
		fmt.Fprintf(&b, "    fix    %s\n    see    %s\n", f.Fix, f.Clause)
		if f.Times > 0 {
			fmt.Fprintf(&b, "    and    %d more like this\n", f.Times)
		}
	}
	writeNotes(&b, notes)
	fmt.Fprintf(&b, "\n%s\n", r.Verdict())
	_, err := io.WriteString(w, b.String())
	return err
}

// writeNotes writes what is only worth knowing: a line for each rule, with its first
// places. The JSON report has all.
func writeNotes(b *strings.Builder, notes map[string][]Finding) {
	for _, rule := range slices.Sorted(maps.Keys(notes)) {
		all := notes[rule]
		fmt.Fprintf(b, "\nnote     %s  [%s]\n", all[0].Title, rule)
		var places []string
		for _, f := range all[:min(len(all), 3)] {
			places = append(places, strings.TrimSpace(f.Subject+" "+f.Pointer))
		}
		more := ""
		if len(all) > 3 {
			more = fmt.Sprintf(" and %d more", len(all)-3)
		}
		fmt.Fprintf(b, "    at     %s%s\n    fix    %s\n", strings.Join(places, ", "), more, all[0].Fix)
	}
}

// many is a number of things.
func many(n int, thing string) string {
	if n != 1 {
		thing += "s"
	}
	return fmt.Sprintf("%d %s", n, thing)
}

// Verdict is a report in one sentence, and another one when the check did not reach its
// end: then nothing has passed.
func (r *Report) Verdict() string {
	counts := many(r.Count(Error), "error") + ", " + many(r.Count(Warning), "warning") + ", " + many(r.Count(Info), "note") + "."
	if r.Interrupted != "" {
		counts += " The check did not reach its end: " + r.Interrupted + "."
	}
	switch {
	case !r.Connected:
		return "UNREACHABLE: " + counts
	case r.Count(Error) > 0:
		return "FAILED: " + counts
	case r.Interrupted != "":
		return "UNFINISHED: " + counts
	}
	return "PASSED: " + counts
}

// WriteJUnit writes a report as JUnit XML: a case for each step and for each finding.
// Only findings of severity error fail, and a check that did not reach its end.
func (r *Report) WriteJUnit(w io.Writer) error {
	suite := junit.Suite{Name: "legwork check " + visible(r.Target, 500), Millis: r.Millis}
	for _, s := range r.Steps {
		suite.Cases = append(suite.Cases, junit.Case{Class: "step", Name: s.Name, Millis: s.Millis, Out: s.Detail, Skipped: s.Status == Skipped})
	}
	if r.Interrupted != "" {
		why := "The check did not reach its end: " + r.Interrupted + "."
		suite.Cases = append(suite.Cases, junit.Case{Class: "check", Name: "The check reaches its end", Failure: &junit.Failure{Type: "interrupted", Message: why, Text: why}})
	}
	for _, f := range r.Findings {
		at := strings.TrimSpace(f.Subject + " " + f.Pointer)
		text := fmt.Sprintf("at %s\nsaw %s\nfix %s\nsee %s", at, f.Evidence, f.Fix, f.Clause)
		c := junit.Case{Class: "rule." + f.Rule, Name: strings.TrimSpace(f.Title + ": " + at)}
		if f.Severity == Error {
			c.Failure = &junit.Failure{Type: f.Rule, Message: f.Title, Text: text}
		} else {
			c.Out = string(f.Severity) + "\n" + text
		}
		suite.Cases = append(suite.Cases, c)
	}
	return junit.Write(w, suite)
}
