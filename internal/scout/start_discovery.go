package scout

import (
	"context"
	"errors"
	"strings"
	"time"

	"github.com/legwork-mcp/legwork/internal/fault"
	"github.com/legwork-mcp/legwork/internal/tool"
)

var startDiscovery = tool.New(tool.Spec{
	Name: "federalscout_start_discovery", Title: "Start discovery",
	Description: "Begin wizard structure discovery session: opens the form in a browser of its own.",
	Effect:      tool.Write, OpenWorld: true, Scope: scopeDiscover, Rate: rateHeavy, Cost: 10, Timeout: 3 * time.Minute,
	Outline:  []string{"session_id", "current_url", "html_context", "message", "error_type"},
	Examples: []tool.Example{{Name: "a practice form", Args: StartIn{URL: "http://practice.localhost/oact/quickcalc/"}}},
}, (*Server).startDiscovery)

// StartIn says where the form is.
type StartIn struct {
	URL      string    `json:"url" jsonschema:"Starting URL of the government wizard"`
	Start    string    `json:"start,omitempty" jsonschema:"text of the button that leads in"`
	Viewport *Viewport `json:"viewport,omitempty"`
}

// ViewOut is an answer that shows the page: what is on it, and a picture.
type ViewOut struct {
	Reply
	Where
	HTMLContext []Element `json:"html_context"`
	Cut         string    `json:"cut,omitempty" jsonschema:"what was left out to keep the answer small"`
	Failure
	Pictures

	listed Elements
}

// Failed tells that the page did not do what was asked.
func (o ViewOut) Failed() bool { return !o.Success }

// Text is the answer for a client that reads nothing else.
func (o ViewOut) Text() string {
	var b strings.Builder
	b.WriteString("status: " + o.Status)
	if o.ErrorType != "" {
		b.WriteString(" (" + o.ErrorType + "). " + o.Error)
	}
	b.WriteString(". " + o.Message + "\nsession_id: " + o.SessionID + "\ncurrent_url: " + o.CurrentURL)
	o.writeView(&b)
	b.WriteString("\nAs of " + o.Timestamp)
	return b.String()
}

func (o ViewOut) writeView(b *strings.Builder) {
	b.WriteString("\n" + untrusted + "\n" + openMark)
	o.Where.write(b)
	writeElements(b, &o.listed, brieflyOptions)
	b.WriteString("\n" + closeMark)
	if o.Cut != "" {
		b.WriteString("\nCut: " + o.Cut + ".")
	}
}

// view describes the page of a session briefly.
func (s *Server) view(x *session) ViewOut {
	out := ViewOut{Where: x.where(), listed: elements(x.inv, false)}
	for _, kind := range kinds {
		l := *out.listed.of(kind)
		for i := range l {
			l[i].cutOptions(brieflyOptions)
		}
	}
	if _, cut := out.listed.page(0, s.set.MaxElements); cut {
		out.Cut = "long lists stop after their first elements: federalscout_get_page_info has the rest"
	}
	if len(out.listed.Links) > brieflyLinks {
		out.listed.Links = out.listed.Links[:brieflyLinks]
		out.Cut = "long lists stop after their first elements: federalscout_get_page_info has the rest"
	}
	if cut := out.listed.fit(); cut != "" {
		out.Cut = cut
	}
	out.HTMLContext = out.listed.all()
	_, x.known = sights(x.inv)
	return out
}

func (s *Server) startDiscovery(ctx context.Context, in StartIn) (ViewOut, error) {
	if err := checkURL(in.URL); err != nil {
		return ViewOut{}, err
	}
	x := s.newSession(ctx, strings.TrimSpace(in.URL))
	if in.Viewport != nil {
		x.size = *in.Viewport
	}
	if err := s.sessions.add(x); err != nil {
		return ViewOut{}, err
	}
	defer s.sessions.done(x)
	if err := s.begin(ctx, x, in.Start); err != nil {
		s.sessions.remove(x) // nobody knows the id of a session that did not start
		return ViewOut{}, errors.Join(err, x.close(ctx), s.partials.remove(x.id))
	}
	out := s.view(x)
	out.Reply = s.reply("The form is open. Draft this page with federalscout_draft_page, or look closer with federalscout_get_page_info.%s", out.human())
	out.Pictures = s.shoot(ctx, x, false)
	return out, nil
}

// begin opens the form's address and presses the button that leads in.
func (s *Server) begin(ctx context.Context, x *session, start string) error {
	if err := s.openTab(ctx, x); err != nil {
		return err
	}
	if err := s.goTo(ctx, x, x.start); err != nil {
		return err
	}
	if start == "" {
		return nil
	}
	d, err := x.press(ctx, aimAt{Selector: start, Type: "auto"})
	if err != nil {
		return err
	}
	if f := d.failed; f != nil {
		return fault.New(fault.NotFound, f.ErrorType, "The form is open, but the button that leads in was not pressed: "+f.Error,
			"Start without it, or with another text. "+f.Suggestion).WithData("suggestion", f.Suggestion)
	}
	x.trail[len(x.trail)-1].Entry = true
	s.note(x)
	return blocked(x.place)
}

// goTo opens an address and looks at what came.
func (s *Server) goTo(ctx context.Context, x *session, address string) error {
	limited, cancel := context.WithTimeout(ctx, s.set.Navigation)
	defer cancel()
	if _, err := x.page.Goto(limited, address); err != nil {
		if ctx.Err() == nil && limited.Err() != nil {
			return fault.New(fault.Timeout, TypeTimeout, "The page did not come within "+s.set.Navigation.String()+".",
				"Try again; if the site is known to be slow, raise navigation_timeout in the settings.").WithCause(err)
		}
		return err
	}
	if err := x.look(ctx); err != nil {
		return err
	}
	return blocked(x.place)
}
