package report

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/legwork-mcp/legwork/internal/lazyregexp"
)

// address is a page as the report shows it.
type address struct {
	Title string
	Shown string
	Link  string // empty unless it is of http or https
}

func newAddress(url, title string) address {
	a := address{Title: clip(title, 120), Shown: clip(url, 300)}
	if linkable(url) {
		a.Link = url
	}
	if a.Shown == "" {
		a.Shown = "no address"
	}
	return a
}

// linkable keeps other schemes, such as javascript:, plain text.
func linkable(url string) bool {
	return strings.HasPrefix(url, "https://") || strings.HasPrefix(url, "http://")
}

// ruleView is a rule, or a question.
type ruleView struct {
	R         *Rule
	ID        string
	Help      string
	Impact    string
	Fix       string
	Question  string
	Amount    string
	Standards string
	HelpLink  string
	Summary   string // of every place, if they all have the same
	First     []placeView
	Rest      []placeView
	RestTitle string
	Left      string
}

func (v *pageView) rule(id string, r *Rule, pictures *gallery) *ruleView {
	out := &ruleView{R: r, ID: id, Help: r.Help, Impact: r.Impact, Fix: r.Fix, Question: r.Question, Amount: amount(r.Counts)}
	if linkable(r.HelpURL) {
		out.HelpLink = r.HelpURL
	}
	switch {
	case len(r.Criteria) > 0:
		out.Standards = "WCAG " + strings.Join(named(r.Criteria), ", ")
		if len(r.Clauses) > 0 {
			out.Standards += "; EN 301 549 " + strings.Join(r.Clauses, ", ")
		}
	case r.Best:
		out.Standards = "Good practice, no success criterion"
	}
	out.Summary = sharedSummary(r)
	shown := 0
	for i, g := range r.Groups {
		if i > 0 && (shown == pageGroups || v.places >= pagePlaces) {
			break
		}
		p := newPlace(g, pictures)
		if out.Summary != "" {
			p.Summary = ""
		}
		if shown < pageFirst {
			out.First = append(out.First, p)
		} else {
			out.Rest = append(out.Rest, p)
		}
		shown++
		v.places++
	}
	out.RestTitle = count(len(out.Rest), "more place", "more places") + " of " + r.ID
	if left := len(r.Groups) - shown; left > 0 {
		out.Left = count(left, "more place is", "more places are") + " in the full list of issues (CSV or JSON)."
	}
	return out
}

// sharedSummary is what the engine says of every place alike: once is enough.
func sharedSummary(r *Rule) string {
	for _, g := range r.Groups {
		if g.Example.Summary != r.Groups[0].Example.Summary {
			return ""
		}
	}
	return r.Groups[0].Example.Summary
}

// named adds the names to the numbers of criteria.
func named(numbers []string) []string {
	var out []string
	for _, n := range numbers {
		if c, ok := criterionOf(n); ok {
			n += " " + c.name + " (" + c.level + ")"
		}
		out = append(out, n)
	}
	return out
}

func amount(c Counts) string {
	text := count(c.Issues, "issue", "issues") + " on " + count(c.Pages, "page", "pages")
	if c.Groups < c.Issues {
		text += ", at " + count(c.Groups, "place", "places") + " of the source"
	}
	return text
}

// placeView is one group, by its example.
type placeView struct {
	Place     string
	On        string
	Page      address
	Viewports string
	Frame     string
	HTML      string
	Picture   *picture
	Contrast  *contrast
	Summary   string
	More      *morePages
}

type morePages struct {
	Title string
	Pages []address
	Left  string
}

func newPlace(g *Group, pictures *gallery) placeView {
	e := g.Example
	p := placeView{
		Place: e.Place(), On: "On", Page: newAddress(e.Page, e.Title), Viewports: strings.Join(e.Viewports, ", "), Frame: e.Frame,
		HTML: clip(e.HTML, pageHTML), Picture: pictures.of(e), Contrast: contrastOf(e.Data), Summary: e.Summary,
	}
	if e.Count > 1 {
		p.On = fmt.Sprintf("%d times on", e.Count)
	}
	if g.Counts.Pages < 2 {
		return p
	}
	more := &morePages{Title: fmt.Sprintf("The same on %s, so likely in a template", count(g.Counts.Pages-1, "more page", "more pages"))}
	seen := map[string]bool{e.Page: true}
	for _, i := range g.Issues {
		if !seen[i.Page] && len(more.Pages) < pageMore {
			more.Pages = append(more.Pages, newAddress(i.Page, i.Title))
		}
		seen[i.Page] = true
	}
	if left := g.Counts.Pages - 1 - len(more.Pages); left > 0 {
		more.Left = "and " + count(left, "more", "more") + "."
	}
	p.More = more
	return p
}

// contrast is what the colour-contrast rules measured.
type contrast struct {
	Colours []string
	Text    string
}

var hexColour = lazyregexp.New(`^#[0-9a-fA-F]{3,8}$`)

func contrastOf(data map[string]any) *contrast {
	text := func(key string) string {
		switch v := data[key].(type) {
		case string:
			return clip(v, 40)
		case float64:
			return strconv.FormatFloat(v, 'f', -1, 64)
		}
		return ""
	}
	ratio, fg, bg := text("contrastRatio"), text("fgColor"), text("bgColor")
	if !isRatio(ratio) {
		return nil
	}
	c := &contrast{Text: "Contrast " + strings.TrimSuffix(ratio, ":1") + " to 1"}
	if need := text("expectedContrastRatio"); isRatio(need) {
		c.Text += ", needed " + strings.TrimSuffix(need, ":1") + " to 1"
	}
	if hexColour.MatchString(fg) && hexColour.MatchString(bg) {
		c.Colours = []string{fg, bg}
		c.Text += ": " + fg + " on " + bg
	}
	if size := text("fontSize"); size != "" {
		c.Text += ", text of " + size
	}
	return c
}

// isRatio takes 4.5 and "4.5:1", as axe has them. 0 is that of colours which it could
// not find.
func isRatio(text string) bool {
	f, err := strconv.ParseFloat(strings.TrimSuffix(text, ":1"), 64)
	return err == nil && f > 0
}
