package scout

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/legwork-mcp/legwork/internal/fault"
	"github.com/legwork-mcp/legwork/internal/tool"
	"github.com/legwork-mcp/legwork/internal/wizard"
)

var resumeSession = tool.New(tool.Spec{
	Name: "federalscout_resume_session", Title: "Resume a session",
	Description: "Go on with a session after a crash, or from its partial file: opens a browser and goes through the saved pages with their examples to the page after them.",
	Effect:      tool.Write, OpenWorld: true, Scope: scopeDiscover, Rate: rateHeavy, Cost: 10, Timeout: 5 * time.Minute,
	Outline:  []string{"session_id", "total_pages_discovered", "current_url", "html_context", "message"},
	Examples: []tool.Example{{Name: "after a crash", Args: ResumeIn{SessionID: exampleSession}}},
}, (*Server).resume)

// ResumeIn names the session, or its file.
type ResumeIn struct {
	SessionID    string `json:"session_id,omitempty"`
	PartialFile  string `json:"partial_file,omitempty" jsonschema:"name of the file, instead of session_id"`
	GotoLastPage *bool  `json:"goto_last_page,omitempty" default:"true"`
}

// ResumeOut says where the session stands.
type ResumeOut struct {
	ViewOut
	TotalPages  int    `json:"total_pages_discovered"`
	PartialFile string `json:"partial_file,omitempty"`
}

// Text is the answer for a client that reads nothing else.
func (o ResumeOut) Text() string {
	return o.ViewOut.Text() + fmt.Sprintf("\ntotal_pages_discovered: %d", o.TotalPages)
}

func (s *Server) resume(ctx context.Context, in ResumeIn) (ResumeOut, error) {
	id := sessionOf(in.SessionID, in.PartialFile)
	if in.SessionID == "" && in.PartialFile == "" {
		return ResumeOut{}, fault.New(fault.Invalid, "invalid_arguments", "Neither a session_id nor a partial_file is given.",
			"Give one of those that federalscout_list_sessions names.")
	}
	if id == "" {
		return ResumeOut{}, unknownSession()
	}
	again := func(x *session) (ResumeOut, error) { return s.again(ctx, x, wanted(in.GotoLastPage)) }
	if _, err := s.sessions.find(id, tool.Caller(ctx).ID()); err == nil {
		return on(ctx, s, id, again)
	}
	x, err := s.revive(ctx, id)
	if err != nil {
		return ResumeOut{}, err
	}
	defer s.sessions.done(x)
	out, err := again(x)
	if err != nil {
		s.sessions.remove(x)
		err = errors.Join(s.settle(ctx, x, err), x.close(ctx))
	}
	return out, err
}

// revive makes a session of a partial file. The caller has its turn.
func (s *Server) revive(ctx context.Context, id string) (*session, error) {
	p, err := s.partials.read(id)
	if err != nil || !p.mine(id, tool.Caller(ctx).ID()) || checkURL(p.wizard.URL) != nil {
		return nil, unknownSession()
	}
	x := s.newSession(ctx, p.wizard.URL)
	x.id, x.pages, x.trail, x.partial = id, p.wizard.Pages, p.diary.Trail, nameFor(id)
	if p.diary.Session == "" {
		x.trail = entrySteps(p.wizard)
	}
	if !p.wizard.DiscoveredAt.IsZero() {
		x.opened = p.wizard.DiscoveredAt
	}
	if p.diary.Spots != nil {
		x.spots = p.diary.Spots
	}
	if v := p.diary.Viewport; v.Width > 0 && v.Height > 0 {
		x.size = v
	}
	return x, s.sessions.add(x)
}

// entrySteps are the clicks before the first page, of a file without a trail.
func entrySteps(w *wizard.Wizard) []step {
	var out []step
	if a := w.StartAction; a != nil {
		out = append(out, step{Action: stepPress, Selector: a.Selector, Type: orElse(a.SelectorType, "text"), Entry: true})
	}
	for _, e := range w.EntrySteps {
		out = append(out, step{Action: stepPress, Selector: e.Selector, Type: e.SelectorType, Entry: true})
	}
	return out
}

// again opens a browser for the session and goes to where its saved pages end.
func (s *Server) again(ctx context.Context, x *session, far bool) (ResumeOut, error) {
	trail := slices.Clone(x.trail)
	x.explorer = nil
	if !far {
		trail = nil
	}
	r, err := s.restart(ctx, x, trail)
	if err != nil {
		return ResumeOut{}, err
	}
	if far && !slices.ContainsFunc(trail, func(t step) bool { return t.Moved }) && len(x.pages) > 0 {
		if err := s.throughPages(ctx, x, r); err != nil {
			return ResumeOut{}, err
		}
	}
	s.note(x)
	out := ResumeOut{ViewOut: s.view(x), TotalPages: len(x.pages), PartialFile: x.partial}
	out.Reply = s.reply("The session goes on with %s saved. %s %s%s", plural(len(x.pages), "page"), r.words(len(trail)), x.standing(), out.human())
	out.Pictures = s.shoot(ctx, x, false)
	return out, nil
}

// throughPages leaves the saved pages by their own buttons: the file has no
// steps, as those of other programs.
func (s *Server) throughPages(ctx context.Context, x *session, r *replay) error {
	left, err := r.onward(ctx)
	if err != nil {
		return err
	}
	for _, p := range left {
		x.did(step{Action: stepProceed, Page: p.PageNumber, Selector: p.ContinueButton.Selector, Frame: p.ContinueButton.Frame, Text: p.ContinueButton.Text, Moved: true})
	}
	return x.look(ctx)
}

// standing says which page is shown.
func (x *session) standing() string {
	for _, p := range x.wizard().Pages {
		if len(p.Fields) > 0 && x.shows(&p) {
			return fmt.Sprintf("Page %d is shown, which is saved.", p.PageNumber)
		}
	}
	return "The page that is shown is none of the saved ones."
}
