package junit

import (
	"encoding/xml"
	"fmt"
	"io"
)

// Suite is a report: its cases in the order in which they ran.
type Suite struct {
	Name   string
	Millis int64 // how long all took
	Cases  []Case
}

// Case is one test. Without a Failure, and not Skipped, it passed.
type Case struct {
	Class   string
	Name    string
	Millis  int64
	Skipped bool
	Failure *Failure
	Out     string // what a case that passed has to say
}

// Failure is why a case failed.
type Failure struct {
	Type    string // of failure, in one word; may be empty
	Message string // in one line
	Text    string
}

// The elements of the document.
type (
	document struct {
		XMLName xml.Name     `xml:"testsuites"`
		Suite   suiteElement `xml:"testsuite"`
	}
	suiteElement struct {
		Name     string        `xml:"name,attr"`
		Tests    int           `xml:"tests,attr"`
		Failures int           `xml:"failures,attr"`
		Skipped  int           `xml:"skipped,attr"`
		Time     string        `xml:"time,attr"`
		Cases    []caseElement `xml:"testcase"`
	}
	caseElement struct {
		Class   string          `xml:"classname,attr"`
		Name    string          `xml:"name,attr"`
		Time    string          `xml:"time,attr"`
		Skipped *struct{}       `xml:"skipped"`
		Failure *failureElement `xml:"failure"`
		Out     string          `xml:"system-out,omitempty"`
	}
	failureElement struct {
		Type    string `xml:"type,attr,omitempty"`
		Message string `xml:"message,attr"`
		Text    string `xml:",chardata"`
	}
)

// Write writes a suite as a document of its own.
func Write(w io.Writer, s Suite) error {
	out := suiteElement{Name: s.Name, Tests: len(s.Cases), Time: seconds(s.Millis)}
	for _, c := range s.Cases {
		e := caseElement{Class: c.Class, Name: c.Name, Time: seconds(c.Millis), Out: c.Out}
		switch {
		case c.Skipped:
			e.Skipped = &struct{}{}
			out.Skipped++
		case c.Failure != nil:
			e.Failure = &failureElement{c.Failure.Type, c.Failure.Message, c.Failure.Text}
			out.Failures++
		}
		out.Cases = append(out.Cases, e)
	}
	if _, err := io.WriteString(w, xml.Header); err != nil {
		return fmt.Errorf("write JUnit: %w", err)
	}
	enc := xml.NewEncoder(w)
	enc.Indent("", "  ")
	if err := enc.Encode(document{Suite: out}); err != nil {
		return fmt.Errorf("write JUnit: %w", err)
	}
	if _, err := io.WriteString(w, "\n"); err != nil {
		return fmt.Errorf("write JUnit: %w", err)
	}
	return nil
}

func seconds(ms int64) string { return fmt.Sprintf("%d.%03d", ms/1000, ms%1000) }
