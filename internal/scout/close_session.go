package scout

import (
	"context"
	"errors"
	"fmt"

	"github.com/legwork-mcp/legwork/internal/fault"
	"github.com/legwork-mcp/legwork/internal/tool"
)

var closeSession = tool.New(tool.Spec{
	Name: "federalscout_close_session", Title: "Close a session",
	Description: "Close a session and its browser. Saved pages are kept for federalscout_resume_session unless keep_partial is false.",
	Effect:      tool.Write, Idempotent: true, Scope: scopeDiscover, Rate: rateExplore,
	Outline:  []string{"success", "partial_file", "message"},
	Examples: []tool.Example{{Name: "close", Args: CloseIn{SessionID: exampleSession}}},
}, (*Server).closeSession)

// CloseIn names the session.
type CloseIn struct {
	SessionID   string `json:"session_id"`
	KeepPartial *bool  `json:"keep_partial,omitempty" default:"true"`
}

// CloseOut says what is left.
type CloseOut struct {
	Reply
	SessionID   string `json:"session_id"`
	PartialFile string `json:"partial_file,omitempty"`
}

func (s *Server) closeSession(ctx context.Context, in CloseIn) (CloseOut, error) {
	removed := false
	out, err := on(ctx, s, in.SessionID, func(x *session) (CloseOut, error) {
		s.sessions.remove(x)
		removed = true
		return CloseOut{PartialFile: x.partial}, x.close(ctx)
	})
	var f *fault.Error
	if errors.As(err, &f) && f.Type == "invalid_session" {
		if out, err = s.dormant(ctx, in); err != nil {
			return CloseOut{}, err
		}
	} else if err != nil && !removed {
		return CloseOut{}, err // it is busy, and goes on
	} else if err != nil {
		s.log.Warn("closing a session", "session", in.SessionID, "error", err)
	}
	out.SessionID = in.SessionID
	if !wanted(in.KeepPartial) && out.PartialFile != "" {
		if err := s.partials.remove(in.SessionID); err != nil {
			return CloseOut{}, fmt.Errorf("remove the partial file of %s: %w", in.SessionID, err)
		}
		out.PartialFile = ""
	}
	words := "The session is closed; nothing of it is kept."
	if out.PartialFile != "" {
		words = "The session is closed. Its work is kept: federalscout_resume_session goes on with it."
	}
	out.Reply = s.reply("%s", words)
	return out, nil
}

// dormant is a session that has ended and left its work.
func (s *Server) dormant(ctx context.Context, in CloseIn) (CloseOut, error) {
	id := sessionOf(in.SessionID, "")
	if id == "" {
		return CloseOut{}, unknownSession()
	}
	p, err := s.partials.read(id)
	if err != nil || !p.mine(id, tool.Caller(ctx).ID()) {
		return CloseOut{}, unknownSession()
	}
	return CloseOut{PartialFile: nameFor(id)}, nil
}
