package scout

import (
	"context"
	"fmt"
	"strings"

	"github.com/legwork-mcp/legwork/internal/fault"
	"github.com/legwork-mcp/legwork/internal/page"
	"github.com/legwork-mcp/legwork/internal/tool"
)

var getPageInfo = tool.New(tool.Spec{
	Name: "federalscout_get_page_info", Title: "Describe the page",
	Description: "Get detailed information about current page: all elements with label, selector, constraints, options and state.",
	Effect:      tool.Read, OpenWorld: true, Scope: scopeDiscover, Rate: rateExplore,
	Outline:  []string{"current_url", "page_title", "elements", "totals", "message"},
	Examples: []tool.Example{{Name: "all", Args: PageInfoIn{SessionID: exampleSession}}},
}, (*Server).getPageInfo)

// PageInfoIn says how much of the page is wanted.
type PageInfoIn struct {
	SessionID         string `json:"session_id"`
	IncludeScreenshot *bool  `json:"include_screenshot,omitempty" default:"true"`
	FullPage          bool   `json:"full_page,omitempty" jsonschema:"several pictures, from top to bottom"`
	Filter            string `json:"filter,omitempty" jsonschema:"only elements with this text in label, text, id, name or selector"`
	Kind              string `json:"kind,omitempty" enum:"inputs,selects,textareas,buttons,links"`
	Offset            int    `json:"offset,omitempty" minimum:"0" jsonschema:"of elements, or of options with options_of"`
	Limit             int    `json:"limit,omitempty" minimum:"1" maximum:"500" jsonschema:"elements of one kind"`
	Since             string `json:"since,omitempty" enum:"last" jsonschema:"only what changed since the last answer"`
	OptionsOf         string `json:"options_of,omitempty" jsonschema:"selector: only the options of this control"`
	Hidden            bool   `json:"hidden,omitempty" jsonschema:"also what is not shown"`
}

// PageInfoOut is the page in full.
type PageInfoOut struct {
	Reply
	Where
	Elements   Elements       `json:"elements"`
	Totals     map[string]int `json:"totals,omitempty"`
	Headings   []string       `json:"headings,omitempty"`
	HiddenMore int            `json:"hidden_controls,omitempty" jsonschema:"controls that are not shown and not listed"`
	Untested   []string       `json:"untested,omitempty" jsonschema:"frames that could not be read"`
	Changes    *Difference    `json:"changes,omitempty"`
	Cut        string         `json:"cut,omitempty" jsonschema:"what was left out and how to get it"`
	Pictures
}

// Text is the answer for a client that reads nothing else.
func (o PageInfoOut) Text() string {
	var b strings.Builder
	b.WriteString("status: success. " + o.Message + "\nsession_id: " + o.SessionID + "\ncurrent_url: " + o.CurrentURL)
	b.WriteString("\n" + untrusted + "\n" + openMark)
	o.Where.write(&b)
	if o.Changes != nil {
		o.Changes.write(&b)
	}
	writeElements(&b, &o.Elements, shownOptions)
	b.WriteString("\n" + closeMark)
	if o.HiddenMore > 0 {
		fmt.Fprintf(&b, "\n%s not shown: hidden=true lists them.", plural(o.HiddenMore, "control"))
	}
	for _, u := range o.Untested {
		b.WriteString("\nCould not be read: " + quiet(u))
	}
	if o.Cut != "" {
		b.WriteString("\nCut: " + o.Cut + ".")
	}
	b.WriteString("\nAs of " + o.Timestamp)
	return b.String()
}

func (s *Server) getPageInfo(ctx context.Context, in PageInfoIn) (PageInfoOut, error) {
	return live(ctx, s, in.SessionID, func(x *session) (PageInfoOut, error) {
		if err := x.glance(ctx); err != nil {
			return PageInfoOut{}, err
		}
		out := PageInfoOut{Where: x.where(), Headings: clipped(x.inv.Headings, maxHeadings), Untested: x.inv.Untested, Reply: s.reply("")}
		switch {
		case in.OptionsOf != "":
			if err := x.listOptions(ctx, in, &out); err != nil {
				return PageInfoOut{}, err
			}
		case in.Since != "":
			d := difference(x.known, x.inv)
			out.Changes = &d
			out.Message = "Only what changed since the last answer is listed."
		default:
			s.listElements(x, in, &out)
		}
		out.Message += out.human()
		_, x.known = sights(x.inv)
		if wanted(in.IncludeScreenshot) {
			out.Pictures = s.shoot(ctx, x, in.FullPage)
		}
		return out, nil
	})
}

// maxHeadings is how many headings of the page are told.
const maxHeadings = 10

func clipped(texts []string, n int) []string {
	var out []string
	for _, t := range texts[:min(n, len(texts))] {
		out = append(out, clip(t, longestText))
	}
	return out
}

// listElements fills in the elements that are wanted.
func (s *Server) listElements(x *session, in PageInfoIn, out *PageInfoOut) {
	e := elements(x.inv, in.Hidden)
	want := fold(in.Filter)
	e.keep(func(kind string, el Element) bool {
		return (in.Kind == "" || in.Kind == kind) && (want == "" || strings.Contains(words(el), want))
	})
	limit := in.Limit
	if limit <= 0 {
		limit = s.set.MaxElements
	}
	var cut bool
	out.Totals, cut = e.page(in.Offset, limit)
	if cut {
		out.Cut = fmt.Sprintf("kinds with more than %d elements: offset=%d shows the next ones, kind and filter fewer", limit, in.Offset+limit)
	}
	if x.inv.Total > len(x.inv.Controls) || x.inv.TotalButtons > len(x.inv.Buttons) {
		out.Cut = strings.TrimPrefix(out.Cut+fmt.Sprintf("; the page has %d controls and %d things to press, of which the first %d each are known", x.inv.Total, x.inv.TotalButtons, maxControls), "; ")
	}
	if less := e.fit(); less != "" {
		out.Cut = strings.TrimPrefix(out.Cut+"; "+less, "; ")
	}
	out.Elements = e
	if !in.Hidden {
		out.HiddenMore = hiddenControls(x.inv)
	}
	n := 0
	for _, kind := range kinds {
		n += out.Totals[kind]
	}
	out.Message = fmt.Sprintf("%s on the page.", plural(n, "element"))
}

// words are the texts of an element that a filter looks at.
func words(e Element) string {
	return fold(strings.Join([]string{e.Label, e.Text, e.ID, e.Name, e.Selector, e.Group, e.Kind, e.Type}, " "))
}

// listOptions fills in the options of one control, opened if they come late.
func (x *session) listOptions(ctx context.Context, in PageInfoIn, out *PageInfoOut) error {
	a := aimAt{Selector: in.OptionsOf, Type: "auto"}
	a.Frame = x.frameOf(a)
	c, _ := x.control(a)
	if c == nil {
		return fault.New(fault.NotFound, TypeNotFound, fmt.Sprintf("No listed control matches %q.", clip(in.OptionsOf, longestText)),
			"Use the selector that federalscout_get_page_info lists. "+x.suggest(in.OptionsOf))
	}
	options, total := c.Options, max(c.OptionsTotal, len(c.Options))
	if !c.OptionsKnown && (c.Kind == page.KindSelect || c.Kind == page.KindTypeahead) {
		got, err := x.page.Choices(ctx, *c, maxChoices)
		if err != nil {
			return err
		}
		c.Learn(got)
		options, total = got.Options, len(got.Options)
		if !got.Complete {
			out.Cut = "the list may have more options than were seen"
		}
	}
	limit := in.Limit
	if limit <= 0 {
		limit = shownOptions
	}
	from := min(in.Offset, len(options))
	e := elementOf(*c)
	value := e.Value
	e.offer(options[from:], total, limit)
	if e.Value == "" {
		e.Value = value
	}
	if end := from + len(e.Options); end < total {
		out.Cut = fmt.Sprintf("options %d to %d of %d; offset=%d shows the next ones", from+1, end, total, end)
	}
	kind := kindInputs
	if c.Kind == page.KindSelect || c.Tag == "select" {
		kind = kindSelects
	}
	l := out.Elements.of(kind)
	*l = append(*l, e)
	out.Message = fmt.Sprintf("%s of %q.", plural(total, "option"), clip(c.Label, 80))
	return nil
}
