package audit

import (
	"errors"
	"strings"
	"time"

	"github.com/legwork-mcp/legwork/internal/browser"
	"github.com/legwork-mcp/legwork/internal/fault"
)

// AxeOptions say what axe looks at. The zero value is what CWAC does: the page
// without the documents in its frames, every default rule but best practices.
type AxeOptions struct {
	// Frames looks into every frame, also of other sites.
	Frames bool
	// ClosedRoots looks into closed shadow roots too. Otherwise they are noted, and
	// what is wrong with elements in their slots is a matter for a person.
	ClosedRoots bool
	// BestPractice runs the rules that no success criterion demands.
	BestPractice bool
	// Rules are the only ones to run; Tags do the same by tag, such as wcag2aa.
	Rules, Tags []string
	// Disable are rules not to run.
	Disable []string
	// Include are selectors of the parts to look at, Exclude of parts to pass over:
	// CSS, with " >>> " to enter a shadow root and " | " to enter a frame. An Include
	// that matches nothing is an error: a mistyped one would look like a clean page.
	Include, Exclude []string
	// Limit bounds the audit; default 30 s. What was found by then counts, with notes
	// of what was not looked at.
	Limit time.Duration
	// Grace is by how much one rule at one element may exceed the limit before the
	// script is ended from outside; default 5 s.
	Grace time.Duration
}

func (o AxeOptions) withDefaults() AxeOptions {
	o.Limit, o.Grace = orDefault(o.Limit, 30*time.Second), orDefault(o.Grace, 5*time.Second)
	return o
}

// axeArg is the argument of axeRun.
type axeArg struct {
	Frame   string       `json:"frame"`
	Offset  *point       `json:"offset"`
	Limit   int64        `json:"limit"` // milliseconds
	Frames  bool         `json:"frames"`
	Best    bool         `json:"best"`
	Rules   []string     `json:"rules"`
	Tags    []string     `json:"tags"`
	Disable []string     `json:"disable"`
	Include [][][]string `json:"include"` // paths: frames, in each shadow roots
	Exclude [][][]string `json:"exclude"`
	Context any          `json:"context"`
}

type point struct {
	X float64 `json:"x"`
	Y float64 `json:"y"`
}

func (o AxeOptions) arg() axeArg {
	return axeArg{
		Frames: o.Frames, Best: o.BestPractice,
		Rules: list(o.Rules), Tags: list(o.Tags), Disable: list(o.Disable), Include: paths(o.Include), Exclude: paths(o.Exclude),
	}
}

func list(l []string) []string { return append([]string{}, l...) }

func paths(selectors []string) [][][]string {
	out := [][][]string{}
	for _, s := range selectors {
		var path [][]string
		for _, frame := range strings.Split(s, " | ") {
			path = append(path, strings.Split(strings.TrimSpace(frame), " >>> "))
		}
		out = append(out, path)
	}
	return out
}

// optionFault finds a mistake of the caller in an exception of axeRun.
func optionFault(err error) error {
	var thrown *browser.ScriptError
	if !errors.As(err, &thrown) {
		return nil
	}
	text, _, _ := strings.Cut(thrown.Text, "\n")
	for prefix, action := range map[string]string{
		"RangeError: nothing matches ":   "Check the selector against the page; the audit did not run.",
		"TypeError: no selector: ":       "Correct the CSS selector.",
		"TypeError: no rule is named ":   "Use the names of axe-core " + AxeVersion + ", such as image-alt.",
		"TypeError: no rule has the tag": "Use a tag of axe-core " + AxeVersion + ", such as wcag2aa.",
	} {
		if strings.HasPrefix(text, prefix) {
			what := strings.TrimPrefix(strings.TrimPrefix(text, "RangeError: "), "TypeError: ")
			return fault.New(fault.Invalid, "", "The audit cannot run as asked: "+what+".", action)
		}
	}
	return nil
}
