package report

import (
	"bytes"
	"fmt"
	"io"
	"strings"
)

const (
	markdownRules  = 20 // rows of the table of rules
	markdownPages  = 10
	markdownNew    = 20
	markdownReview = 10
)

// Markdown writes a summary for a pull request or a ticket: what is wrong, how much,
// where to start. Text of the scanned pages cannot break out of its cell.
func (rep *Report) Markdown(w io.Writer) error {
	var b bytes.Buffer
	p := func(format string, args ...any) { fmt.Fprintf(&b, format, args...) }
	p("# Accessibility: %s\n\n", plain(rep.Scan.AuditName))
	p("**%s**\n\n", plain(rep.Headline()))
	for _, n := range rep.Notes {
		p("> %s\n\n", plain(n))
	}
	if c := rep.Comparison; c != nil {
		c.markdown(p)
	}
	if len(rep.Rules) > 0 {
		p("## Where to start\n\n| Impact | Rule | Issues | Pages | WCAG | What to do |\n|---|---|--:|--:|---|---|\n")
		for _, r := range rep.Rules[:min(len(rep.Rules), markdownRules)] {
			p("| %s | %s: %s | %d | %d | %s | %s |\n", r.Impact, code(r.ID), plain(r.Help), r.Counts.Issues, r.Counts.Pages, standards(r), plain(r.Fix))
		}
		p("%s\n", more(len(rep.Rules), markdownRules, "rules"))
		p("## Pages with most issues\n\n| Issues | Worst | Page |\n|--:|---|---|\n")
		for _, page := range rep.Pages[:min(rep.affected(), markdownPages)] {
			p("| %d | %s | %s |\n", page.Counts.Issues, page.Worst, code(page.URL))
		}
		p("%s\n", more(rep.affected(), markdownPages, "pages"))
	}
	if len(rep.Review) > 0 {
		p("## Questions for a person\n\n")
		for _, r := range rep.Review[:min(len(rep.Review), markdownReview)] {
			p("- %s (%s, %s)\n", plain(r.Question), code(r.ID), count(r.Counts.Issues, "place", "places"))
		}
		p("%s\n", more(len(rep.Review), markdownReview, "questions"))
	}
	p("## What was looked at\n\n%s %s\n", plain(rep.ledger()), plain(rep.Coverage.Statement))
	_, err := io.WriteString(w, inOrder.Replace(b.String()))
	return err
}

func (c *Comparison) markdown(p func(string, ...any)) {
	p("## Since %s\n\n%s\n\n", plain(c.Old.Name), plain(c.Headline()))
	for _, warning := range c.Warnings {
		p("> %s\n\n", plain(warning))
	}
	if len(c.New.Changes) == 0 {
		return
	}
	p("| New | Rule | Issues | Where |\n|---|---|--:|---|\n")
	for _, n := range c.New.Changes[:min(len(c.New.Changes), markdownNew)] {
		p("| %s | %s: %s | %d | %s %s |\n", n.Impact, code(n.Rule), plain(n.Help), n.Issues, code(n.Pages[0]), code(n.Example.Place()))
	}
	p("%s\n", more(len(c.New.Changes), markdownNew, "groups of new issues"))
}

// Headline is the scan in one sentence.
func (rep *Report) Headline() string {
	if rep.Scan.Scanned == 0 {
		return "Nothing was scanned."
	}
	pages := count(rep.Scan.Scanned, "page", "pages")
	if rep.Totals.Issues == 0 {
		return "The rules found no issue on " + pages + ". People must check what rules cannot see."
	}
	urgent := rep.impact(Critical) + rep.impact(Serious)
	where := fmt.Sprintf("%d of %s", rep.PagesAffected(), pages)
	if rep.Beside > 0 {
		where += " and in " + count(rep.Beside, "document", "documents")
	}
	text := fmt.Sprintf("%s on %s, %d of them critical or serious.", count(rep.Totals.Issues, "issue", "issues"), where, urgent)
	if beside := rep.Totals.Issues - rep.WCAG.Issues; beside > 0 {
		text += " " + count(beside, "is", "are") + " about no criterion of WCAG."
	}
	return text
}

func (rep *Report) impact(name string) int {
	for _, t := range rep.ByImpact {
		if t.Name == name {
			return t.Issues
		}
	}
	return 0
}

// Headline is the comparison in one sentence.
func (c *Comparison) Headline() string {
	text := fmt.Sprintf("%d new, %d fixed, %d remaining.", c.New.Issues, c.Fixed.Issues, c.Remaining.Issues)
	for _, g := range c.NotComparable {
		text += fmt.Sprintf(" Not comparable: %s %s.", count(g.Old+g.Now, "issue", "issues"), g.Text)
	}
	return text
}

// affected is the number of pages with an issue; they come first.
func (rep *Report) affected() int {
	for i, p := range rep.Pages {
		if p.Counts.Issues == 0 {
			return i
		}
	}
	return len(rep.Pages)
}

func more(all, shown int, what string) string {
	if all <= shown {
		return ""
	}
	return fmt.Sprintf("\nand %d more %s.\n", all-shown, what)
}

func standards(r *Rule) string {
	if len(r.Criteria) == 0 {
		return "good practice"
	}
	return strings.Join(r.Criteria, ", ")
}

// plain makes text inert in Markdown: no markup, no link, no mention of a person or
// ticket, no cell border, one line.
func plain(text string) string {
	var b strings.Builder
	for _, r := range strings.Join(strings.Fields(text), " ") {
		switch {
		case r < ' ' || r == 0x7f:
		case strings.ContainsRune("\\`*_{}[]<>()#+-!|~&", r) && r != '(' && r != ')' && r != '-' && r != '!' && r != '+':
			b.WriteByte('\\')
			b.WriteRune(r)
		case r == '@':
			b.WriteString("&#64;")
		default:
			b.WriteRune(r)
		}
	}
	return strings.NewReplacer("://", ":&#47;/", "www.", "www&#46;").Replace(b.String())
}

// code is a code span: longer fences than any inside, and no border of a table. A
// backslash before a border would take the escape of the border for itself, and a code
// span has no other, so that such a text, most often a selector, is an element.
func code(text string) string {
	text = strings.Join(strings.Fields(text), " ")
	if text == "" {
		return ""
	}
	if strings.Contains(text, `\|`) {
		return "<code>" + plain(clip(text, maxPlace)) + "</code>"
	}
	fence := "`"
	for strings.Contains(text, fence) {
		fence += "`"
	}
	text = strings.ReplaceAll(clip(text, maxPlace), "|", "\\|")
	if strings.HasPrefix(text, "`") || strings.HasSuffix(text, "`") {
		text = " " + text + " "
	}
	return fence + text + fence
}
