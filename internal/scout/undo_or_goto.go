package scout

import (
	"context"
	"net/url"
	"time"

	"github.com/legwork-mcp/legwork/internal/fault"
	"github.com/legwork-mcp/legwork/internal/tool"
)

var undoOrGoto = tool.New(tool.Spec{
	Name: "federalscout_undo_or_goto", Title: "Undo, or go somewhere",
	Description: "Take the last action back by repeating all others in a fresh browser context, or go back a page, to the start, or to an address of the same site.",
	Effect:      tool.Write, OpenWorld: true, Scope: scopeDiscover, Rate: rateExplore, Timeout: 5 * time.Minute,
	Outline:  []string{"current_url", "html_context", "message"},
	Examples: []tool.Example{{Name: "undo", Args: UndoIn{SessionID: exampleSession, To: "undo"}}},
}, (*Server).undoOrGoto)

// UndoIn says where to.
type UndoIn struct {
	SessionID         string `json:"session_id"`
	To                string `json:"to" jsonschema:"undo, back (to the page before), start, or an address of the same origin"`
	IncludeScreenshot *bool  `json:"include_screenshot,omitempty" default:"true"`
}

func (s *Server) undoOrGoto(ctx context.Context, in UndoIn) (ViewOut, error) {
	return live(ctx, s, in.SessionID, func(x *session) (ViewOut, error) {
		words, err := s.moveTo(ctx, x, in.To)
		if err != nil {
			return ViewOut{}, err
		}
		s.note(x)
		out := s.view(x)
		out.Reply = s.reply("%s%s", words, out.human())
		if wanted(in.IncludeScreenshot) {
			out.Pictures = s.shoot(ctx, x, false)
		}
		return out, nil
	})
}

func (s *Server) moveTo(ctx context.Context, x *session, to string) (string, error) {
	switch to {
	case "undo", "back", "start":
	default:
		return s.address(ctx, x, to)
	}
	keep := len(x.trail)
	switch {
	case to == "start":
		keep = 0
	case keep == 0:
		return "", fault.New(fault.Failed, "nothing_to_undo", "Nothing has been done in this session yet.", "Go on with the page that is shown.")
	case to == "undo":
		keep--
	default: // to the page before: drop the last step that led on, and all after it
		for keep--; keep > 0 && !x.trail[keep].Moved; keep-- {
		}
	}
	dropped := x.trail[keep:]
	trail := x.trail[:keep]
	x.explorer = nil
	r, err := s.restart(ctx, x, trail)
	if err != nil {
		return "", err
	}
	what := "Nothing was dropped."
	if len(dropped) > 0 {
		what = "Taken back: " + dropped[0].name() + "."
		if more := len(dropped) - 1; more > 0 {
			what = "Taken back: " + dropped[0].name() + " and " + plural(more, "step") + " after it."
		}
	}
	return what + " " + r.words(len(trail)), nil
}

// address goes to a page of the form's own site.
func (s *Server) address(ctx context.Context, x *session, to string) (string, error) {
	if err := checkURL(to); err != nil {
		return "", err
	}
	if originOf(to) != originOf(x.start) && originOf(to) != originOf(x.place.URL) {
		return "", fault.New(fault.Denied, "origin_not_allowed", "The address is on another site than the form.",
			"Start a session of its own for another site.")
	}
	if err := s.goTo(ctx, x, to); err != nil {
		return "", err
	}
	x.did(step{Action: stepGoto, URL: to, Moved: true})
	return "The address is open.", nil
}

func originOf(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return ""
	}
	return u.Scheme + "://" + u.Host
}
