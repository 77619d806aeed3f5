package audit

import (
	"context"
	"fmt"

	"github.com/legwork-mcp/legwork/internal/cwac/results"
)

// maxCulprits is how many elements Reflow names.
const maxCulprits = 20

type culprit struct {
	mark
	Beyond    int    `json:"beyond"`
	Part      string `json:"part"` // of it that is too wide: text, margin, or all of it
	Exception string `json:"exception"`
}

// mark is where and what an element is.
type mark struct {
	HTML     string       `json:"html"`
	XPath    string       `json:"xpath"`
	Selector string       `json:"selector"`
	Box      *results.Box `json:"box"`
}

// Reflow measures by how much the page is wider than its window, which should be
// 320 CSS pixels wide (WCAG 2.2, 1.4.10), and names the elements that make it so.
// Content that the criterion lets be wide, such as data tables and code, is marked as
// a matter for a person; what scrolls within itself is no matter at all.
func (p *Page) Reflow(ctx context.Context) (results.Reflow, error) {
	var got struct {
		Overflow, Capped, Width, More int
		Culprits                      []culprit
	}
	if err := p.invoke(ctx, request{Name: "reflow", Arg: map[string]any{"max": maxCulprits}}, &got); err != nil {
		return results.Reflow{}, err
	}
	out := results.Reflow{Overflow: got.Overflow, Capped: got.Capped}
	for _, c := range got.Culprits {
		f := p.finding(results.AuditReflow, results.RuleReflow, c.mark)
		f.Summary = fmt.Sprintf("The element reaches %d pixels beyond the window of %d pixels.", c.Beyond, got.Width)
		if c.Part != "" {
			f.Summary = fmt.Sprintf("The element's %s reaches %d pixels beyond the window of %d pixels.", c.Part, c.Beyond, got.Width)
		}
		f.Data = map[string]any{"beyond_px": c.Beyond}
		if c.Exception != "" {
			f.Review = true
			f.Data["exception"] = c.Exception
		}
		out.Culprits = append(out.Culprits, f)
	}
	return out, nil
}

// criterion describes a rule of an audit that is not axe's.
type criterion struct{ impact, help, description, number, name string }

var criteria = map[string]criterion{
	results.RuleReflow: {"serious", "Content must fit a window of 320 pixels without scrolling sideways",
		"People who enlarge a page to 400 percent see it at this width, and must not have to scroll in two directions to read.", "1.4.10", "reflow"},
	results.RuleFocusVisible: {"serious", "The element that has the keyboard focus must be visible as such",
		"People who use a keyboard must see which element their keys act on.", "2.4.7", "focus-visible"},
	results.RuleFocusObscured: {"serious", "The element that has the keyboard focus must not be hidden by other content",
		"Content that stays in its place, such as a fixed header or banner, must not cover the focused element wholly.", "2.4.11", "focus-not-obscured-minimum"},
	results.RuleNoKeyboardTrap: {"critical", "The keyboard focus must be able to leave every part of the page",
		"People who use a keyboard must not get stuck in one part of a page.", "2.1.2", "no-keyboard-trap"},
}

// finding is a fault of an element by one of the criteria.
func (p *Page) finding(audit, rule string, m mark) results.Finding {
	c := criteria[rule]
	level := "wcag2a"
	switch rule {
	case results.RuleReflow:
		level = "wcag21aa"
	case results.RuleFocusObscured:
		level = "wcag22aa"
	case results.RuleFocusVisible:
		level = "wcag2aa"
	}
	return results.Finding{
		View: p.View, Audit: audit, Rule: rule, Impact: c.impact, Help: c.help, Description: c.description,
		HelpURL: "https://www.w3.org/WAI/WCAG22/Understanding/" + c.name,
		HTML:    m.HTML, Target: m.XPath, Selector: m.Selector, Box: m.Box,
		Tags: []string{level, "wcag" + digits(c.number)}, Count: 1,
	}
}

// digits writes 1.4.10 as axe's tags do: 1410.
func digits(number string) string {
	var out []byte
	for i := range len(number) {
		if number[i] != '.' {
			out = append(out, number[i])
		}
	}
	return string(out)
}
