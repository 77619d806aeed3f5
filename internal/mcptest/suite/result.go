package suite

import (
	"encoding/xml"
	"fmt"
	"io"
	"strings"
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

// The elements of a JUnit report, as CI systems read them.
type (
	junitSuites struct {
		XMLName xml.Name   `xml:"testsuites"`
		Suite   junitSuite `xml:"testsuite"`
	}
	junitSuite struct {
		Name     string      `xml:"name,attr"`
		Tests    int         `xml:"tests,attr"`
		Failures int         `xml:"failures,attr"`
		Skipped  int         `xml:"skipped,attr"`
		Time     string      `xml:"time,attr"`
		Cases    []junitCase `xml:"testcase"`
	}
	junitCase struct {
		Class   string        `xml:"classname,attr"`
		Name    string        `xml:"name,attr"`
		Time    string        `xml:"time,attr"`
		Skipped *struct{}     `xml:"skipped"`
		Failure *junitFailure `xml:"failure"`
	}
	junitFailure struct {
		Message string `xml:"message,attr"`
		Text    string `xml:",chardata"`
	}
)

// WriteJUnit writes a result as JUnit XML, a case for each step.
func (r *Result) WriteJUnit(w io.Writer) error {
	_, failed, skipped := r.Count()
	out := junitSuite{Name: r.Suite, Tests: len(r.Steps), Failures: failed, Skipped: skipped, Time: seconds(r.Millis)}
	for _, s := range r.Steps {
		c := junitCase{Class: r.Suite, Name: s.Name, Time: seconds(s.Millis)}
		if s.Skipped {
			c.Skipped = &struct{}{}
		} else if !s.Passed {
			var b strings.Builder
			for _, f := range s.Failures {
				fmt.Fprintf(&b, "at %s\nexpected %s\ngot %s\n", shown(f.At), f.Expected, f.Got)
			}
			c.Failure = &junitFailure{Message: fmt.Sprintf("%d expectations do not hold", len(s.Failures)), Text: b.String()}
		}
		out.Cases = append(out.Cases, c)
	}
	if _, err := io.WriteString(w, xml.Header); err != nil {
		return fmt.Errorf("write JUnit: %w", err)
	}
	e := xml.NewEncoder(w)
	e.Indent("", "  ")
	if err := e.Encode(junitSuites{Suite: out}); err != nil {
		return fmt.Errorf("write JUnit: %w", err)
	}
	_, err := io.WriteString(w, "\n")
	return err
}

func seconds(millis int64) string { return fmt.Sprintf("%.3f", float64(millis)/1000) }
