package suite

import (
	"fmt"
	"io"
	"strings"

	"github.com/legwork-mcp/legwork/internal/mcptest/junit"
)

// Count is how many steps passed, failed and were left out.
func (r *Result) Count() (passed, failed, skipped int) {
	for _, s := range r.Steps {
		switch {
		case s.Skipped:
			skipped++
		case s.Passed:
			passed++
		default:
			failed++
		}
	}
	return passed, failed, skipped
}

// Verdict is a result in one sentence.
func (r *Result) Verdict() string {
	passed, failed, skipped := r.Count()
	word := "PASSED"
	switch {
	case !r.Connected:
		word = "UNREACHABLE"
	case !r.Passed:
		word = "FAILED"
	}
	return fmt.Sprintf("%s: %d steps passed, %d failed, %d left out.", word, passed, failed, skipped)
}

// WriteStep writes a step for people: a line, and one for each failure.
func WriteStep(w io.Writer, s StepResult) error {
	mark := map[bool]string{true: "ok  ", false: "FAIL"}[s.Passed]
	if s.Skipped {
		mark = "-   "
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%s  %6d ms  %s\n", mark, s.Millis, s.Name)
	for _, f := range s.Failures {
		at := f.At
		if at == "" {
			at = "(whole)"
		}
		fmt.Fprintf(&b, "      at       %s\n      expected %s\n      got      %s\n", shown(at), f.Expected, f.Got)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// WriteText writes a result for people.
func (r *Result) WriteText(w io.Writer) error {
	if _, err := fmt.Fprintf(w, "%s\n", r.Suite); err != nil {
		return err
	}
	for _, s := range r.Steps {
		if err := WriteStep(w, s); err != nil {
			return err
		}
	}
	_, err := fmt.Fprintf(w, "\n%s\n", r.Verdict())
	return err
}

// WriteJUnit writes a result as JUnit XML, a case for each step.
func (r *Result) WriteJUnit(w io.Writer) error {
	out := junit.Suite{Name: r.Suite, Millis: r.Millis}
	for _, s := range r.Steps {
		c := junit.Case{Class: r.Suite, Name: s.Name, Millis: s.Millis, Skipped: s.Skipped}
		if !s.Passed {
			var b strings.Builder
			for _, f := range s.Failures {
				fmt.Fprintf(&b, "at %s\nexpected %s\ngot %s\n", shown(f.At), f.Expected, f.Got)
			}
			c.Failure = &junit.Failure{Message: fmt.Sprintf("%d expectations do not hold", len(s.Failures)), Text: b.String()}
		}
		out.Cases = append(out.Cases, c)
	}
	return junit.Write(w, out)
}
