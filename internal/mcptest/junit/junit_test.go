package junit_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/legwork-mcp/legwork/internal/mcptest/junit"
)

// TestWrite: counts follow from the cases, and no text breaks the document.
func TestWrite(t *testing.T) {
	var b strings.Builder
	err := junit.Write(&b, junit.Suite{Name: `a "suite" & more`, Millis: 61_005, Cases: []junit.Case{
		{Class: "step", Name: "fine", Millis: 7, Out: "<said>"},
		{Class: "step", Name: "left out", Skipped: true},
		{Class: "rule.x", Name: "wrong", Failure: &junit.Failure{Type: "x", Message: "1 < 2", Text: "]]>\x00 & so on"}},
	}})
	if err != nil {
		t.Fatal(err)
	}
	want := `<?xml version="1.0" encoding="UTF-8"?>
<testsuites>
  <testsuite name="a &#34;suite&#34; &amp; more" tests="3" failures="1" skipped="1" time="61.005">
    <testcase classname="step" name="fine" time="0.007">
      <system-out>&lt;said&gt;</system-out>
    </testcase>
    <testcase classname="step" name="left out" time="0.000">
      <skipped></skipped>
    </testcase>
    <testcase classname="rule.x" name="wrong" time="0.000">
      <failure type="x" message="1 &lt; 2">]]&gt;` + "\uFFFD" + ` &amp; so on</failure>
    </testcase>
  </testsuite>
</testsuites>
`
	if diff := cmp.Diff(want, b.String()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
