package report

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/legwork-mcp/legwork/internal/cwac/results"
)

// Elements of the JUnit XML that build servers read.
type (
	junitSuites struct {
		XMLName  xml.Name     `xml:"testsuites"`
		Name     string       `xml:"name,attr"`
		Tests    int          `xml:"tests,attr"`
		Failures int          `xml:"failures,attr"`
		Skipped  int          `xml:"skipped,attr"`
		Errors   int          `xml:"errors,attr"`
		Suites   []junitSuite `xml:"testsuite"`
	}
	junitSuite struct {
		Name     string      `xml:"name,attr"`
		Tests    int         `xml:"tests,attr"`
		Failures int         `xml:"failures,attr"`
		Skipped  int         `xml:"skipped,attr"`
		Errors   int         `xml:"errors,attr"`
		Cases    []junitCase `xml:"testcase"`
	}
	junitCase struct {
		Name    string        `xml:"name,attr"`
		Class   string        `xml:"classname,attr"`
		Failure *junitOutcome `xml:"failure"`
		Skipped *junitOutcome `xml:"skipped"`
		Error   *junitOutcome `xml:"error"`
	}
	junitOutcome struct {
		Message string `xml:"message,attr"`
		Type    string `xml:"type,attr,omitempty"`
		Text    string `xml:",chardata"`
	}
)

const junitPlaces = 20 // of a rule on a page

// JUnit writes a suite for each page. A case is a rule that found something there: a
// failure, or skipped when it needs review. A page without either has one case that
// passes. A page that was scanned in part is an error besides, as are an address that
// should have been scanned and failed, and a scan without a page: what was not looked
// at must not be green.
func (rep *Report) JUnit(w io.Writer) error {
	byPage := map[string]*junitSuite{}
	for _, p := range rep.Pages {
		byPage[p.URL] = &junitSuite{Name: p.URL}
	}
	for review, rules := range [][]*Rule{rep.Rules, rep.Review} {
		for _, r := range rules {
			rep.junitRule(r, review == 1, byPage)
		}
	}
	out := junitSuites{Name: "accessibility " + rep.Scan.Name}
	for _, p := range rep.Pages {
		s := byPage[p.URL]
		if p.State == results.PagePartial {
			s.Cases = append(s.Cases, junitCase{Name: "scanned in part", Class: p.URL, Error: &junitOutcome{Message: "Not all of the page was looked at.", Text: p.Reason}})
		}
		if len(s.Cases) == 0 {
			s.Cases = append(s.Cases, junitCase{Name: "no issue found by rules", Class: p.URL})
		}
		out.Suites = append(out.Suites, *s)
	}
	if lost := rep.junitLost(); len(lost.Cases) > 0 {
		out.Suites = append(out.Suites, lost)
	}
	for i := range out.Suites {
		s := &out.Suites[i]
		s.count()
		out.Tests += s.Tests
		out.Failures += s.Failures
		out.Skipped += s.Skipped
		out.Errors += s.Errors
	}
	b := bytes.NewBufferString(xml.Header)
	enc := xml.NewEncoder(b)
	enc.Indent("", "  ")
	if err := enc.Encode(out); err != nil {
		return err
	}
	_, err := io.WriteString(w, inOrder.Replace(b.String())+"\n")
	return err
}

func (s *junitSuite) count() {
	s.Tests = len(s.Cases)
	for _, c := range s.Cases {
		switch {
		case c.Failure != nil:
			s.Failures++
		case c.Skipped != nil:
			s.Skipped++
		case c.Error != nil:
			s.Errors++
		}
	}
}

func (rep *Report) junitRule(r *Rule, review bool, suites map[string]*junitSuite) {
	texts, counts := map[string][]string{}, map[string]int{}
	var order []string
	for _, g := range r.Groups {
		for _, i := range g.Issues {
			if counts[i.Page] == 0 {
				order = append(order, i.Page)
			}
			counts[i.Page] += i.Count
			if len(texts[i.Page]) < junitPlaces {
				texts[i.Page] = append(texts[i.Page], strings.TrimSpace(i.Place()+"\n"+i.HTML+"\n"+i.Summary))
			}
		}
	}
	for _, page := range order {
		c := junitCase{Name: r.Audit + " " + r.ID, Class: page}
		outcome := &junitOutcome{Message: r.Help + " (" + count(counts[page], "issue", "issues") + ")", Type: r.Impact, Text: strings.Join(texts[page], "\n\n")}
		if review {
			outcome.Message, outcome.Type, outcome.Text = "a person must decide: "+r.Question, "", ""
			c.Skipped = outcome
		} else {
			outcome.Text += "\n\n" + r.Fix + "\n" + r.HelpURL
			c.Failure = outcome
		}
		suites[page].Cases = append(suites[page].Cases, c)
	}
}

// junitLost are the addresses that could not be scanned, and the scan itself when
// there is no page.
func (rep *Report) junitLost() junitSuite {
	s := junitSuite{Name: "not scanned"}
	if rep.Scan.Scanned == 0 {
		s.Cases = append(s.Cases, junitCase{Name: "scan", Class: rep.Scan.Name, Error: &junitOutcome{Message: "No page was scanned.", Text: rep.ledger()}})
	}
	for _, u := range rep.Unscanned {
		if u.State == "skipped" {
			continue
		}
		for _, a := range u.Examples {
			e := &junitOutcome{Message: u.Label()}
			if a.Status != 0 {
				e.Text = "status " + strconv.Itoa(a.Status)
			}
			s.Cases = append(s.Cases, junitCase{Name: a.URL, Class: "not scanned", Error: e})
		}
		if left := u.Count - len(u.Examples); left > 0 {
			s.Cases = append(s.Cases, junitCase{Name: fmt.Sprintf("%d more", left), Class: "not scanned", Error: &junitOutcome{Message: u.Label()}})
		}
	}
	return s
}
