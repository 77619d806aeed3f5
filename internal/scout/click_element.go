package scout

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/legwork-mcp/legwork/internal/tool"
)

var clickElement = tool.New(tool.Spec{
	Name: "federalscout_click_element", Title: "Click an element",
	Description: "Click an element on the current page and see what it led to.",
	Effect:      tool.Write, OpenWorld: true, Scope: scopeDiscover, Rate: rateExplore, Timeout: 2 * time.Minute,
	Outline:  []string{"success", "current_url", "html_context", "message", "error_type", "suggestion"},
	Examples: []tool.Example{{Name: "by text", Args: ClickIn{SessionID: exampleSession, Selector: "Start Estimate"}}},
}, (*Server).clickElement)

// exampleSession is the session of the examples.
const exampleSession = "0f8fad5b-d9cb-469f-a165-70867728950e"

// ClickIn says what to click.
type ClickIn struct {
	SessionID         string   `json:"session_id"`
	Selector          string   `json:"selector" jsonschema:"CSS selector or text to click"`
	SelectorType      string   `json:"selector_type,omitempty" enum:"text,id,css,auto,label,role,has-text" default:"auto"`
	Frame             []string `json:"frame,omitempty" jsonschema:"iframe selectors, outermost first"`
	IncludeScreenshot *bool    `json:"include_screenshot,omitempty" default:"true"`
}

// ClickOut is what a click led to.
type ClickOut struct {
	ViewOut
	SelectorUsed string     `json:"selector_used,omitempty"`
	DecidedAs    string     `json:"decided_as,omitempty" jsonschema:"how auto was read"`
	Moved        bool       `json:"moved" jsonschema:"another step of the form is shown"`
	Changes      Difference `json:"changes"`
	Messages     []string   `json:"messages,omitempty" jsonschema:"what the form says about the entries"`
	Dialogs      []string   `json:"dialogs,omitempty" jsonschema:"message boxes that came up and were answered"`
}

// Text is the answer for a client that reads nothing else.
func (o ClickOut) Text() string {
	var b strings.Builder
	b.WriteString("status: " + o.Status)
	if o.ErrorType != "" {
		b.WriteString(" (" + o.ErrorType + "). " + o.Error)
		if o.CorrectiveAction != "" {
			b.WriteString("\nWhat to do: " + o.CorrectiveAction)
		}
	} else {
		b.WriteString(". " + o.Message)
	}
	b.WriteString("\nsession_id: " + o.SessionID + "\ncurrent_url: " + o.CurrentURL)
	b.WriteString("\n" + untrusted + "\n" + openMark)
	o.Where.write(&b)
	o.Failure.write(&b)
	writeNews(&b, o.Messages, o.Dialogs)
	if o.Moved || o.ErrorType != "" {
		writeElements(&b, &o.listed, brieflyOptions)
	} else {
		o.Changes.write(&b)
	}
	b.WriteString("\n" + closeMark)
	if o.Cut != "" {
		b.WriteString("\nCut: " + o.Cut + ".")
	}
	b.WriteString("\nAs of " + o.Timestamp)
	return b.String()
}

// write lists what may have been meant inside of the marks.
func (f Failure) write(b *strings.Builder) {
	if f.Suggestion != "" {
		b.WriteString("\nsuggestion: " + quiet(f.Suggestion))
	}
	for _, c := range f.Candidates {
		b.WriteString("\ncandidate: " + quiet(clip(c, longestText)))
	}
}

func writeNews(b *strings.Builder, messages, dialogs []string) {
	for _, m := range messages {
		b.WriteString("\nthe form says: " + quiet(clip(m, longestText)))
	}
	for _, d := range dialogs {
		b.WriteString("\nmessage box: " + quiet(clip(d, longestText)))
	}
}

// write lists the difference inside of the marks.
func (d Difference) write(b *strings.Builder) {
	if d.empty() {
		b.WriteString("\nno element is new, gone or changed")
	}
	for _, part := range []struct {
		name string
		list []string
	}{{"new", d.New}, {"gone", d.Gone}, {"changed", d.Changed}} {
		for _, s := range part.list {
			b.WriteString("\n" + part.name + ": " + quiet(s))
		}
	}
}

func (s *Server) clickElement(ctx context.Context, in ClickIn) (ClickOut, error) {
	return live(ctx, s, in.SessionID, func(x *session) (ClickOut, error) {
		if strings.TrimSpace(in.Selector) == "" {
			return ClickOut{}, emptySelector()
		}
		_, before := sights(x.inv)
		d, err := x.press(ctx, aimAt{in.Selector, in.SelectorType, in.Frame})
		if err != nil {
			return ClickOut{}, err
		}
		if d.failed != nil || d.state != "pressed" {
			if err := x.look(ctx); err != nil {
				return ClickOut{}, err
			}
		}
		change := difference(before, x.inv)
		out := ClickOut{ViewOut: s.view(x), SelectorUsed: d.used, DecidedAs: d.how, Moved: d.moved, Changes: change, Messages: d.said, Dialogs: d.dialogs}
		out.Reply = s.reply("%s%s", clicked(d, change), out.human())
		if d.failed != nil {
			out.Success, out.Status, out.Failure = false, "error", *d.failed
			out.Message = d.failed.Error
		} else {
			s.note(x)
		}
		if wanted(in.IncludeScreenshot) {
			out.Pictures = s.shoot(ctx, x, false)
		}
		return out, nil
	})
}

// clicked says in words what a click led to.
func clicked(d done, change Difference) string {
	switch {
	case d.moved:
		return "It led to the page that is shown now."
	case len(d.said) > 0 && d.leads:
		return "The form stays on this page and complains: see messages. Fill in what it names, then press again."
	case !change.empty():
		return fmt.Sprintf("The same page is shown, with %d new, %d gone and %d changed elements.", len(change.New), len(change.Gone), len(change.Changed))
	case d.note != "":
		return strings.ToUpper(d.note[:1]) + d.note[1:] + "."
	}
	if len(d.said) > 0 {
		return "Nothing that can be filled in or pressed has changed; what the form says is in messages."
	}
	return "Nothing that can be filled in or pressed has changed."
}

// wanted is the value of a switch that is on by default.
func wanted(b *bool) bool { return b == nil || *b }
